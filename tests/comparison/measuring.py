"""Measurements in this process, without a folder."""

from trutdsl.comparison.cell import make_cell
from trutdsl.comparison.measurement import cluster_size, gather, measure_sets
from trutdsl.game import load_game
from trutdsl.tournaments.play import play_sets
from trutdsl.tournaments.schedule import Chunk

STRATEGIES = ("caller", "quiet", "steady")


def measure_game(game, strategies, seed, sets):
    cell = make_cell(game.name, game, strategies, seed)
    experiment = cell.experiment(sets)
    size = cluster_size(sets)
    chunks = [Chunk(at, min(size, sets - at)) for at in range(0, sets, size)]
    return gather(
        experiment,
        [(c, measure_sets(experiment, play_sets(experiment, c)[0])) for c in chunks],
    )


def measure_variant(ref, strategies=STRATEGIES, sets=60, seed=1, **parameters):
    players = parameters.pop("players", 2)
    game = load_game(ref, players, parameters, engine="native")
    return measure_game(game, strategies, seed, sets)
