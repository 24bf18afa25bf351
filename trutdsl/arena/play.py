"""Plays the sets of a chunk: every leg of every set, and what becomes of a strategy that fails."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trutdsl.arena.chunks import Chunk
from trutdsl.arena.schedule import Experiment
from trutdsl.strategy import OutOfTime, StrategyError
from trutdsl.table.rows import Rows

DRAWN = NOBODY = -1


class Place(NamedTuple):
    """A match of an experiment: its index under the seed, which is that of the set, and its leg.

    Legs are counted combination by combination, in each its orders.
    """

    match: int
    leg: int


@dataclass(frozen=True)
class Fault:
    """A match that a strategy lost because it failed.

    kind:  what it did, in words that are the same wherever it is played; said: in one line.
    calls: what called what.
    """

    place: Place
    seat: int
    kind: str
    said: str
    calls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What came of a match.

    winner:    a team, or None for a draw and for a match of three teams or more that one forfeited.
    forfeited: the team whose strategy failed; the match then has no deals and no decisions.
    """

    winner: int | None
    deals: int
    decisions: int
    forfeited: int | None = None


@dataclass(frozen=True)
class PlayedSet:
    """One set of deals, played by all: `results[combination][order]`, as the design has them."""

    index: int
    results: tuple[tuple[Outcome, ...], ...]


@dataclass(frozen=True)
class PlayedSets:
    """Sets of deals, played by all, as arrays; legs are ordered as in `Place`.

    A forfeited match has 0 in all but its winner.

    first:     the first one's index.
    winner:    the winning team, int8[legs, sets]; -1 as `Outcome` has None.
    deals, decisions: int32[legs, sets].
    counters:  those that the metric asks for, in its order, int64[counters, teams, legs, sets].
    orders:    how many legs a combination has.
    forfeited: the team that forfeited, int8[legs, sets]; -1: none did. None: none did anywhere.
    """

    first: int
    winner: NDArray[np.int8]
    deals: NDArray[np.int32]
    decisions: NDArray[np.int32]
    counters: NDArray[np.int64]
    orders: int
    forfeited: NDArray[np.int8] | None = None

    @classmethod
    def empty(cls, experiment: Experiment, chunk: Chunk) -> PlayedSets:
        """Return sets of which nothing is known yet, with no match that was forfeited."""
        shape = len(experiment.legs), chunk.sets
        design = experiment.design
        return cls(
            chunk.first,
            np.empty(shape, np.int8),
            np.empty(shape, np.int32),
            np.empty(shape, np.int32),
            np.empty((len(design.metric.weights), design.teams, *shape), np.int64),
            len(design.orders),
        )

    def part(self, begin: int, end: int) -> PlayedSets:
        """Return some of the sets, by their places among these; they share the same arrays."""
        return PlayedSets(
            self.first + begin,
            self.winner[:, begin:end],
            self.deals[:, begin:end],
            self.decisions[:, begin:end],
            self.counters[..., begin:end],
            self.orders,
            None if self.forfeited is None else self.forfeited[:, begin:end],
        )

    def __len__(self) -> int:
        return len(self.winner[0])

    def __iter__(self) -> Iterator[PlayedSet]:
        forfeited = np.full_like(self.winner, NOBODY) if self.forfeited is None else self.forfeited
        arrays = self.winner, self.deals, self.decisions, forfeited
        for offset, of_set in enumerate(zip(*(a.T.tolist() for a in arrays), strict=True)):
            legs = [
                Outcome(
                    None if winner == DRAWN else winner,
                    deals,
                    decisions,
                    None if team == NOBODY else team,
                )
                for winner, deals, decisions, team in zip(*of_set, strict=True)
            ]
            at = range(0, len(legs) + 1, self.orders)
            results = tuple(tuple(legs[begin:end]) for begin, end in pairwise(at))
            yield PlayedSet(self.first + offset, results)


# What is counted of a chunk: integers in lists and mappings, as JSON has them.
Counts = Mapping[str, Any]
CountSets = Callable[[Experiment, PlayedSets], Counts]


def play_sets(
    experiment: Experiment,
    chunk: Chunk,
    begin: Callable[[Place], None] = lambda _: None,
    known: Collection[Fault] = (),
    failed: Callable[[Fault], None] = lambda _: None,
) -> tuple[PlayedSets, list[Fault]]:
    """Play a chunk; return its sets, and the faults in order of play.

    A strategy that fails forfeits the match. begin is told each match that is to be played next, or
    the first of several. known: matches that are not played, because of these faults. failed is
    told every other fault as it happens.
    Raises `Rejected` where the variant's rules lead to something impossible.
    """
    table = _Table(experiment, chunk)
    found = {fault.place: fault for fault in known}
    for leg, seated in enumerate(experiment.legs):
        at = chunk.first
        while at < chunk.beyond:
            before = len(found)
            at = _play_some(experiment, seated, Place(at, leg), chunk, begin, found, table)
            if len(found) > before:
                failed(found[Place(at, leg)])
    faults = [found[place] for place in sorted(found)]
    sets = table.sets
    return _with_forfeits(sets, experiment.game.teams, faults) if faults else sets, faults


def _play_some(
    experiment: Experiment,
    seated: tuple[int, ...],
    place: Place,
    chunk: Chunk,
    begin: Callable[[Place], None],
    found: dict[Place, Fault],
    table: _Table,
) -> int:
    """Play a leg from a place on up to the next fault; return the first set that is not played."""
    at, leg = place
    if place in found:
        return at + 1
    ahead = (p.match for p in found if p.leg == leg and p.match > at)
    stop = min(ahead, default=chunk.beyond)
    begin(place)
    try:
        rows = table.rows(leg, at, stop)
        for more in experiment.play(
            experiment.game, experiment.strategies, seated, experiment.seed, at, rows
        ):
            at += more
            if at < stop:
                begin(Place(at, leg))
    except (StrategyError, OutOfTime) as failed:
        lost = Place(at, leg)
        calls = tuple(getattr(failed, "__notes__", ()))
        found[lost] = Fault(lost, failed.seat, failed.kind, str(failed), calls)
    return at


class _Table:
    """The arrays of `PlayedSets` while they are filled."""

    def __init__(self, experiment: Experiment, chunk: Chunk) -> None:
        self.sets = PlayedSets.empty(experiment, chunk)
        teams, weights = experiment.design.teams, experiment.design.metric.weights
        names = experiment.game.count_plan.counters if weights else ()
        wanted = dict(zip([name for name, _ in weights], self.sets.counters, strict=True))
        self._counters = [of for name in names for of in wanted.get(name, teams * [None])]

    def rows(self, leg: int, first: int, beyond: int) -> Rows:
        """Return room for a leg's matches, from set `first` up to `beyond`."""
        sets = self.sets
        kept = (sets.winner, sets.deals, sets.decisions, *self._counters)
        begin, end = first - sets.first, beyond - sets.first
        return Rows(tuple(None if of is None else of[leg, begin:end] for of in kept))


def _with_forfeits(sets: PlayedSets, teams: Sequence[int], faults: Iterable[Fault]) -> PlayedSets:
    """Return the sets with these matches forfeited; of two teams the other one wins.

    teams: of each seat.
    """
    forfeited = np.full_like(sets.winner, NOBODY)
    for fault in faults:
        team, at = teams[fault.seat], (fault.place.leg, fault.place.match - sets.first)
        sets.winner[at] = 1 - team if max(teams) == 1 else DRAWN
        sets.deals[at] = sets.decisions[at] = sets.counters[..., *at] = 0
        forfeited[at] = team
    return replace(sets, forfeited=forfeited)
