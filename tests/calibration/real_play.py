"""Tournaments of Trut in machine code, whose truth is computed exactly from all deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.answers.uniform_trut import solve
from trutdsl.game import Game, load_game
from trutdsl.report.simulation import simulation_figures
from trutdsl.stats.contrast import pair_difference
from trutdsl.stats.design import MATCHES, Tally, parse_metric
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.summary import summarize
from trutdsl.strategy.count import count_matches, cut_clusters
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.legs import prepare_legs
from trutdsl.strategy.load import Spec
from trutdsl.tournaments.play import count_sets, play_sets
from trutdsl.tournaments.schedule import Chunk, Experiment, plan_experiment

PETITS = parse_metric("petits", "deals")
EMPTY_SCORE = {"longs": (0, 0), "petits": (0, 0)}


@dataclass(frozen=True)
class ExactCoverage:
    """The coverage of an interval whose truth is known exactly."""

    what: str
    truth: float
    sets: int
    runs: int
    covered: float


def tally_of(plan: Experiment) -> Tally:
    """Play an experiment, and return its tally."""
    return Tally.from_counts(count_sets(plan, play_sets(plan, Chunk(0, plan.sets))[0]))


def uniform_twice(game: Game) -> list[Spec]:
    """Return uniform play under two names."""
    (uniform,) = load_strategies(["uniform"], game)
    return [uniform, replace(uniform, name="uniform too")]


def coverages(sets: int, runs: int) -> list[ExactCoverage]:
    """Return the coverage of intervals in tournaments of Trut for two, uniform play against itself.

    The intervals of `simulate` are for as many matches as the tournament has sets.
    """
    game = load_game("trut", 2, engine="native")
    deal = game.one_deal(EMPTY_SCORE)
    two, exact = uniform_twice(game), solve(2)
    truths = {
        "score in matches": 0.5,
        "difference of scores": 0.0,
        "deals a match": float(exact.deals),
        "petits in single deals": 0.0,
        "simulate: matches won": 0.5,
        "simulate: deals a match": exact.deals,
        "simulate: decisions a deal": float(exact.decisions),
    }
    covered = dict.fromkeys(truths, 0)
    for seed in range(runs):
        matches = plan_experiment(game, two, seed, sets, metric=MATCHES)
        whole = summarize(matches.design, tally_of(matches))
        deals = plan_experiment(deal, two, seed, sets, metric=PETITS)
        single = summarize(deals.design, tally_of(deals))
        clusters = [count_matches(game, [two[0]] * 2, seed, *few) for few in cut_clusters(sets)]
        figures = simulation_figures(game, ["uniform"] * 2, seed, clusters)
        found = [
            limits(whole.standings[0].score if seed % 2 else whole.standings[1].score),
            limits(whole.pairs[0].difference),
            limits(whole.deals_per_match),
            limits(next(s.score for s in single.standings if s.strategy == 0)),
            *(
                (one["low"], one["high"])
                for one in (
                    figures["wins"][0],
                    figures["deals_per_match"],
                    figures["decisions_per_deal"],
                )
            ),
        ]
        for (what, truth), (low, high) in zip(truths.items(), found, strict=True):
            covered[what] += bool(low <= truth <= high)
    return [
        ExactCoverage(what, truth, sets, runs, covered[what] / runs)
        for what, truth in truths.items()
    ]


def limits(estimate: Estimate) -> tuple[float, float]:
    """Return the ends of an interval."""
    assert estimate.low is not None and estimate.high is not None
    return estimate.low, estimate.high


LAST_ACTION_STRATEGY = '''"""Always the last legal action."""


class Last:
    def choose(self, view):
        return view.actions[-1]
'''


def uneven_sets_of_self_play(variant: str, players: int, sets: int, folder: Path) -> int:
    """Return the number of sets in which a deterministic strategy does not tie with itself."""
    game = load_game(variant, players, engine="native")
    files = [folder / f"last_{number}.py" for number in range(game.team_count)]
    for file in files:
        file.write_text(LAST_ACTION_STRATEGY, encoding="utf-8")
    many = load_strategies([str(file) for file in files], game)
    prepare_legs(game, many)
    return count_uneven_sets(plan_experiment(game, many, 1, sets))


def count_uneven_sets(plan: Experiment) -> int:
    """Return the number of sets in which any two strategies of an experiment differ."""
    one_by_one: Sequence[Tally] = [
        Tally.from_counts(count_sets(plan, play_sets(plan, Chunk(at, 1))[0]))
        for at in range(plan.sets)
    ]
    others = range(1, plan.design.strategies)
    return sum(
        any(pair_difference(tally, plan.design, 0, other).squares for other in others)
        for tally in one_by_one
    )
