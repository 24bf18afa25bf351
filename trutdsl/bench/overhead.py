"""Overheads: of scripts beside uniform play, and of the runner beside the matches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from statistics import median

from trutdsl.bench.timing import Figure, matches_for, speed_of, sums_of, timed
from trutdsl.game import Game, load_game
from trutdsl.strategy import ScriptSpec, Spec, list_strategies, load_strategy, play_leg
from trutdsl.strategy.fitness import meant_variants
from trutdsl.strategy.legs import UNIFORM, compile_for, native_seating
from trutdsl.table.counts import DEALS, Rows
from trutdsl.tournaments.play import count_sets, play_sets
from trutdsl.tournaments.schedule import Chunk, Experiment, plan_experiment

# Scripts against play at random: what thinking costs, deal by deal.

TURNS = 9


def uniform_against_scripts(
    seconds: float, say: Callable[[str], None]
) -> Iterator[tuple[str, Figure]]:
    """Yield how many times as fast deals of `uniform` are as those of each shipped script.

    Two seats, on Trut if the script is for it, else on the first variant that it is for.
    """
    played: dict[str, list[ScriptSpec]] = {}
    for spec in map(load_strategy, list_strategies()):
        if isinstance(spec, ScriptSpec) and spec.name != UNIFORM:
            names = [variant.name for variant in meant_variants(spec)]
            played.setdefault("trut" if "trut" in names else names[0], []).append(spec)
    for name, meeting in played.items():
        say(f"scripts of {name}")
        game, uniform = load_game(name, 2, engine="native"), load_strategy(UNIFORM)
        matches = matches_for(compile_for(game, meeting).runs, 2, seconds / 8)
        for spec in meeting:
            random, script = (
                partial(_deals, game, one, meeting, matches) for one in (uniform, spec)
            )
            yield spec.name, speed_of(random, script, TURNS)


def _deals(game: Game, spec: Spec, meeting: Sequence[Spec], matches: int) -> float:
    played = native_seating(game, [spec, spec], meeting)
    assert played is not None
    return sums_of(partial(played.rows, 1, 0, matches))[DEALS]


# Overhead of the runner: what a worker takes for a chunk, divided by what its matches take.

MEETING = ("steady", "caller")  # the fastest ones there are, so that the runner costs most
ROUNDS = 9
PILOT = 2000  # sets


class TimedLegs:
    """Plays legs, and measures what of it is spent in calls of machine code, in seconds.

    It is processor time, and that of the same run as all the rest, so that whatever else the
    machine does slows both alike.
    """

    def __init__(self) -> None:
        self.spent = 0.0

    def __call__(
        self,
        game: Game,
        meeting: Sequence[Spec],
        seated: Sequence[int],
        seed: int,
        first: int,
        rows: Rows,
    ) -> Iterator[int]:
        """Play matches as `play_leg` does."""
        legs = play_leg(game, meeting, seated, seed, first, rows)
        while True:
            begin = time.process_time()
            more = next(legs, None)
            self.spent += time.process_time() - begin
            if more is None:
                return
            yield more


def runner_cost(seconds: float) -> float:
    """Return the time of a chunk over that of its matches: 1, and what the runner comes to.

    Trut for two, as many sets as take about so many seconds; everything is part of it that a worker
    does with a chunk: rows are taken, and counted. The median of several.
    """
    game, meeting = load_game("trut", 2, engine="native"), [load_strategy(s) for s in MEETING]
    experiment = plan_experiment(game, meeting, 1, PILOT)
    _cost(experiment)
    sets = max(PILOT, int(PILOT * seconds / _seconds(lambda: _play_chunk(experiment))))
    return median(_cost(replace(experiment, sets=sets)) for _ in range(ROUNDS))


def _cost(experiment: Experiment) -> float:
    legs = TimedLegs()
    watched = replace(experiment, play=legs)
    return _seconds(lambda: _play_chunk(watched)) / legs.spent


def _play_chunk(experiment: Experiment) -> None:
    """Play and count all sets of an experiment, as a worker does."""
    played, _ = play_sets(experiment, Chunk(0, experiment.sets))
    count_sets(experiment, played)


def _seconds(do: Callable[[], None]) -> float:
    return timed(do, time.process_time)[0]
