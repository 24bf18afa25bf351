"""Plays the sets of a chunk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trutdsl.arena.errors import RunFailed
from trutdsl.arena.schedule import Chunk, Experiment
from trutdsl.game import MatchResult
from trutdsl.strategy import StrategyError


class Abandoned(Exception):  # noqa: N818 - it is an outcome, not a fault
    """A chunk that was given up because the run stops."""


@dataclass(frozen=True)
class PlayedSet:
    """One set of deals, played by all: `results[combination][rotation]`."""

    index: int
    results: tuple[tuple[MatchResult, ...], ...]


# What is counted of a chunk: integers in lists and mappings, as JSON has them.
Counts = Mapping[str, Any]
CountSets = Callable[[Experiment, Iterable[PlayedSet]], Counts]


def play_sets(
    experiment: Experiment, chunk: Chunk, stopping: Callable[[], bool]
) -> Iterator[PlayedSet]:
    """Yield the chunk's sets one after the other.

    Raises `Abandoned` between two matches once `stopping()` is true, `RunFailed` where a strategy
    fails, and `Rejected` where the variant's rules do.
    """
    for index in range(chunk.first, chunk.first + chunk.sets):
        yield PlayedSet(
            index,
            tuple(
                tuple(
                    _play(experiment, combination, rotation, index, stopping)
                    for rotation in range(experiment.rotations)
                )
                for combination in experiment.combinations
            ),
        )


def _play(
    experiment: Experiment,
    combination: tuple[int, ...],
    rotation: int,
    index: int,
    stopping: Callable[[], bool],
) -> MatchResult:
    if stopping():
        raise Abandoned
    seating = experiment.seating(combination, rotation)
    seats = ", ".join(f"seat {seat} {s.name}" for seat, s in enumerate(seating))
    try:
        return experiment.play(experiment.game, seating, experiment.seed, index)
    except StrategyError as problem:
        raise RunFailed(f"{problem} ({seats})") from problem
