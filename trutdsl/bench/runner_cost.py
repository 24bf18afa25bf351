"""Overhead of the runner: what a worker takes for a chunk, divided by what its matches take."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from statistics import median

from trutdsl.arena.chunks import Chunk
from trutdsl.arena.counted import count_sets
from trutdsl.arena.play import play_sets
from trutdsl.arena.schedule import Experiment, plan_experiment
from trutdsl.bench.timing import timed
from trutdsl.game import Game, load_game
from trutdsl.strategy import Spec, load_strategy, play_leg
from trutdsl.table.rows import Rows

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
