"""Plays the sets of a chunk: every leg of every set, and what becomes of a strategy that fails."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trutdsl.arena.chunks import Chunk
from trutdsl.arena.schedule import Experiment
from trutdsl.strategy import OutOfTime, Rows, StrategyError

DRAWN = NOBODY = -1
WINNER, DEALS, DECISIONS, LEAST = range(4)  # fields of a row; how many there are at least


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

    rows:      int64[sets, legs, fields]: winner or -1, deals, decisions, then each counter by team
               in the order of the rules; a forfeited match has 0 in all but its winner.
    forfeited: int8[sets, legs]: the team that forfeited, or -1.
    orders:    how many legs a combination has.
    """

    first: int
    rows: NDArray[np.int64]
    forfeited: NDArray[np.int8]
    orders: int

    @property
    def winner(self) -> NDArray[np.int64]:
        """Winning teams, int64[sets, legs]; -1 as `Outcome` has None."""
        return self.rows[:, :, WINNER]

    @property
    def deals(self) -> NDArray[np.int64]:
        """Deals, int64[sets, legs]."""
        return self.rows[:, :, DEALS]

    @property
    def decisions(self) -> NDArray[np.int64]:
        """Decisions, int64[sets, legs]."""
        return self.rows[:, :, DECISIONS]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[PlayedSet]:
        for offset, rows in enumerate(self.rows[:, :, :LEAST].tolist()):
            lost = self.forfeited[offset].tolist()
            legs = [
                Outcome(
                    None if winner == DRAWN else winner,
                    deals,
                    decisions,
                    None if team == NOBODY else team,
                )
                for (winner, deals, decisions), team in zip(rows, lost, strict=True)
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
    for fault in found.values():
        table.forfeit(fault)
    return table.sets(), [found[place] for place in sorted(found)]


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
        for rows in experiment.play(
            experiment.game, experiment.strategies, seated, experiment.seed, at, stop - at
        ):
            table.put(at, leg, rows)
            at += len(rows)
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
        self._experiment, self._chunk = experiment, chunk
        shape = (chunk.sets, len(experiment.legs))
        self._rows = self._empty(LEAST)
        self._forfeited = np.full(shape, NOBODY, np.int8)

    def _empty(self, fields: int) -> Rows:
        """Return rows of nothing; those of a leg lie one behind the other, as they come."""
        shape = (len(self._experiment.legs), self._chunk.sets, fields)
        return np.zeros(shape, np.int64).swapaxes(0, 1)

    def put(self, at: int, leg: int, rows: Rows) -> None:
        """Note some matches of a leg, the first of them of set `at`."""
        if rows.shape[1] != self._rows.shape[2]:  # now it is known how many counters there are
            self._rows = self._empty(rows.shape[1])
        begin = at - self._chunk.first
        self._rows[begin : begin + len(rows), leg] = rows

    def forfeit(self, fault: Fault) -> None:
        """Note a match that was forfeited; of two teams the other one wins it."""
        at = (fault.place.match - self._chunk.first, fault.place.leg)
        teams = self._experiment.game.teams
        team = teams[fault.seat]
        self._forfeited[at] = team
        self._rows[at] = 0
        self._rows[at][WINNER] = 1 - team if max(teams) == 1 else DRAWN

    def sets(self) -> PlayedSets:
        """Return what was noted."""
        orders = len(self._experiment.design.orders)
        return PlayedSets(self._chunk.first, self._rows, self._forfeited, orders)
