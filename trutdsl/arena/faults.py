"""Faults of strategies, counted: how many matches each one forfeited, and by which it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from trutdsl.arena.play import Fault, Place
from trutdsl.arena.schedule import Experiment

LONGEST_KIND = 300
MOST_KINDS = 1000  # of one chunk; a strategy can make up as many as it likes


class FaultCount(NamedTuple):
    """Matches that a strategy (an index) forfeited in one way; `first` in order of play."""

    strategy: int
    kind: str
    matches: int
    first: Place
    seat: int


def describe_match(experiment: Experiment, place: Place) -> str:
    """Return who sits where in a match."""
    names = [experiment.strategies[number].name for number in experiment.legs[place.leg]]
    return ", ".join(f"seat {seat} {name}" for seat, name in enumerate(names))


def count_faults(experiment: Experiment, faults: Iterable[Fault]) -> list[FaultCount]:
    """Return the faults of a chunk, counted."""
    return merge_faults(
        FaultCount(experiment.legs[f.place.leg][f.seat], f.kind, 1, f.place, f.seat) for f in faults
    )


def merge_faults(counts: Iterable[FaultCount]) -> list[FaultCount]:
    """Return the sum of counts, in order of strategy and kind; the same in whatever order."""
    found: dict[tuple[int, str], FaultCount] = {}
    for one in counts:
        key = one.strategy, one.kind
        other = found.get(key, one._replace(matches=0))
        early = min(one, other, key=lambda f: f.first)
        found[key] = early._replace(matches=one.matches + other.matches)
    return [found[key] for key in sorted(found)]


def from_counts(rows: Iterable[Any]) -> list[FaultCount]:
    """Return fault counts that were written as JSON."""
    return [FaultCount(s, kind, n, Place(*first), seat) for s, kind, n, first, seat in rows]


def fits_faults(experiment: Experiment, rows: Any) -> bool:
    """Tell whether a value is fault counts of the experiment, as JSON has them."""
    if not isinstance(rows, list) or len(rows) > MOST_KINDS:
        return False
    return all(_is_count(experiment, row) for row in rows)


def _is_count(experiment: Experiment, row: Any) -> bool:
    match row:
        case [int(strategy), str(kind), int(matches), [int(index), int(leg)], int(seat)]:
            return (
                0 <= strategy < len(experiment.strategies)
                and len(kind) <= LONGEST_KIND
                and kind.isprintable()
                and matches > 0
                and index >= 0
                and 0 <= leg < len(experiment.legs)
                and 0 <= seat < experiment.game.players
            )
    return False
