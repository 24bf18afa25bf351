"""Plays and counts the sets of a chunk, and counts the faults of strategies."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trutdsl.diagnostics import BadUsage
from trutdsl.ir.intervals import MOST_DEALS
from trutdsl.language import say
from trutdsl.shape import from_json
from trutdsl.stats.design import is_tally
from trutdsl.stats.reduction import Integers, SetBlock, sets_at_once, tally_blocks
from trutdsl.strategy.spec import OutOfTime, StrategyError
from trutdsl.table.counts import Rows
from trutdsl.tournaments.schedule import Chunk, Experiment

DRAW = NOBODY = -1


class MatchIndex(NamedTuple):
    """A match of an experiment: the index of its set, and its leg.

    Legs are numbered combination by combination, and within each by order.
    """

    match: int
    leg: int


@dataclass(frozen=True)
class Fault:
    """A match that a strategy forfeited.

    kind:  a description that is the same on every machine; message: in one line.
    calls: the call stack.
    """

    place: MatchIndex
    seat: int
    kind: str
    message: str
    calls: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlayedSets:
    """Sets of deals, played by all, as arrays; legs are ordered as in `MatchIndex`.

    A forfeited match has 0 in all arrays but its winner.

    first:     the index of the first set.
    winner:    the winning team, int8[legs, sets]; -1 for a draw, and for a
               forfeited match of three or more teams.
    deals, decisions: int32[legs, sets].
    counters:  those of the metric, in its order, int64[counters, teams, legs, sets].
    forfeited: the forfeiting team or -1, int8[legs, sets]; None if no match was forfeited.
    """

    first: int
    winner: NDArray[np.int8]
    deals: NDArray[np.int32]
    decisions: NDArray[np.int32]
    counters: NDArray[np.int64]
    forfeited: NDArray[np.int8] | None = None

    @classmethod
    def empty(cls, experiment: Experiment, chunk: Chunk) -> PlayedSets:
        """Return uninitialized sets without forfeited matches."""
        shape = len(experiment.legs), chunk.sets
        design = experiment.design
        return cls(
            chunk.first,
            np.empty(shape, np.int8),
            np.empty(shape, np.int32),
            np.empty(shape, np.int32),
            np.empty((len(design.metric.weights), design.teams, *shape), np.int64),
        )

    def part(self, begin: int, end: int) -> PlayedSets:
        """Return a slice of the sets, which shares their arrays."""
        return PlayedSets(
            self.first + begin,
            self.winner[:, begin:end],
            self.deals[:, begin:end],
            self.decisions[:, begin:end],
            self.counters[..., begin:end],
            None if self.forfeited is None else self.forfeited[:, begin:end],
        )

    def __len__(self) -> int:
        return len(self.winner[0])


# The counts of a chunk: integers in lists and mappings, as in JSON.
Counts = Mapping[str, Any]
CountSets = Callable[[Experiment, PlayedSets], Counts]


def play_sets(
    experiment: Experiment,
    chunk: Chunk,
    begin: Callable[[MatchIndex], None] = lambda _: None,
    known: Collection[Fault] = (),
    show: Callable[[Fault], None] = lambda _: None,
    early: int | None = None,
) -> tuple[PlayedSets, list[Fault]]:
    """Play a chunk; return its sets, and the faults in order of play.

    A strategy that fails forfeits the match.

    begin:  receives each match before it starts, or the first of several.
    known:  faults whose matches are not played again.
    show:   receives each other fault at once.
    early:  the leg to play first; results do not depend on it.
    Raises `Rejected` if the variant's rules reach an impossible state.
    """
    sets = PlayedSets.empty(experiment, chunk)
    columns = _columns(experiment, sets)
    fault_at = {fault.place: fault for fault in known}
    for leg, line_up in sorted(enumerate(experiment.legs), key=lambda one: one[0] != early):
        at = chunk.first
        while at < chunk.end:
            before, begun = len(fault_at), at
            at = _play_some(
                experiment, line_up, MatchIndex(at, leg), chunk, begin, fault_at, columns
            )
            if len(fault_at) > before:
                show(fault_at[MatchIndex(at, leg)])
            elif at == begun:  # the loop would never end
                raise RuntimeError("no match was played")
    faults = [fault_at[place] for place in sorted(fault_at)]
    return _with_forfeits(sets, experiment.game.teams, faults) if faults else sets, faults


def _play_some(
    experiment: Experiment,
    line_up: tuple[int, ...],
    place: MatchIndex,
    chunk: Chunk,
    begin: Callable[[MatchIndex], None],
    fault_at: dict[MatchIndex, Fault],
    columns: Sequence[NDArray[Any] | None],
) -> int:
    """Play a leg up to the next fault; return the first set that is not played."""
    at, leg = place
    if place in fault_at:
        return at + 1
    next_faults = (p.match for p in fault_at if p.leg == leg and p.match > at)
    stop = min(next_faults, default=chunk.end)
    begin(place)
    try:
        span = slice(at - chunk.first, stop - chunk.first)
        rows = Rows(tuple(None if of is None else of[leg, span] for of in columns))
        for more in experiment.play(
            experiment.game, experiment.strategies, line_up, experiment.seed, at, rows
        ):
            at += more
            if at < stop:
                begin(MatchIndex(at, leg))
    except (StrategyError, OutOfTime) as failed:
        lost = MatchIndex(at, leg)
        calls = tuple(getattr(failed, "__notes__", ()))
        fault_at[lost] = Fault(lost, failed.seat, failed.kind, str(failed), calls)
    return at


def _columns(experiment: Experiment, sets: PlayedSets) -> list[NDArray[Any] | None]:
    """Return the arrays of some sets in the order of `Rows`; None for a counter without weight."""
    teams, weights = experiment.design.teams, experiment.design.metric.weights
    by_counter = dict(zip((name for name, _ in weights), sets.counters, strict=True))
    names = experiment.game.count_plan.counters if weights else ()
    counters = (of for name in names for of in by_counter.get(name, teams * [None]))
    return [sets.winner, sets.deals, sets.decisions, *counters]


def _with_forfeits(sets: PlayedSets, teams: Sequence[int], faults: Iterable[Fault]) -> PlayedSets:
    """Return the sets with these matches forfeited; with two teams the other one wins.

    teams: the team of each seat.
    """
    forfeited = np.full_like(sets.winner, NOBODY)
    for fault in faults:
        team, at = teams[fault.seat], (fault.place.leg, fault.place.match - sets.first)
        sets.winner[at] = 1 - team if max(teams) == 1 else DRAW
        sets.deals[at] = sets.decisions[at] = sets.counters[..., *at] = 0
        forfeited[at] = team
    return replace(sets, forfeited=forfeited)


LONGEST_KIND = 300
MOST_KINDS = 1000  # of one chunk; a strategy can invent any number


class FaultCount(NamedTuple):
    """Matches that a strategy (an index) forfeited with the same kind of fault.

    first, seat: the first of these matches in order of play, and the strategy's seat there.
    """

    strategy: int
    kind: str
    matches: int
    first: MatchIndex
    seat: int


def describe_match(experiment: Experiment, place: MatchIndex) -> str:
    """Return the strategy of each seat of a match, as text."""
    names = [experiment.strategies[number].name for number in experiment.legs[place.leg]]
    text = "player {number} ({name})"
    return ", ".join(say(text, number=n, name=name) for n, name in enumerate(names, 1))


def count_faults(experiment: Experiment, faults: Iterable[Fault]) -> list[FaultCount]:
    """Return the counts of a chunk's faults."""
    return merge_faults(
        FaultCount(experiment.legs[f.place.leg][f.seat], f.kind, 1, f.place, f.seat) for f in faults
    )


def merge_faults(counts: Iterable[FaultCount]) -> list[FaultCount]:
    """Return the sums of counts by strategy and kind; their order has no effect."""
    result: dict[tuple[int, str], FaultCount] = {}
    for one in counts:
        key = one.strategy, one.kind
        other = result.get(key, one._replace(matches=0))
        early = min(one, other, key=lambda f: f.first)
        result[key] = early._replace(matches=one.matches + other.matches)
    return [result[key] for key in sorted(result)]


def from_counts(rows: Iterable[Any]) -> list[FaultCount]:
    return [FaultCount(s, kind, n, MatchIndex(*first), seat) for s, kind, n, first, seat in rows]


def fits_faults(experiment: Experiment, rows: Any) -> bool:
    """Tell whether a value from JSON can be fault counts of the experiment."""
    try:
        counts = from_json(list[FaultCount], rows)
    except ValueError:
        return False
    return len(counts) <= MOST_KINDS and all(
        0 <= one.strategy < len(experiment.strategies)
        and len(one.kind) <= LONGEST_KIND
        and one.kind.isprintable()
        and one.matches > 0
        and one.first.match >= 0
        and 0 <= one.first.leg < len(experiment.legs)
        and 0 <= one.seat < experiment.game.players
        for one in counts
    )


Teams = NDArray[np.int8]


def count_sets(experiment: Experiment, sets: PlayedSets) -> Counts:
    """Return the tally of the sets as JSON; raises `BadUsage` for points that are too large."""
    design, each = experiment.design, sets_at_once(experiment.design)
    parts = (sets.part(begin, begin + each) for begin in range(0, len(sets), each))
    try:
        return tally_blocks(design, (_block(experiment, part) for part in parts)).to_counts()
    except OverflowError:
        text = (
            "--metric {metric}: these points are too large to be summed exactly; give smaller "
            "numbers, such as 3 and 1, or compare matches"
        )
        raise BadUsage(say(text, metric=design.metric.name)) from None


def _block(experiment: Experiment, sets: PlayedSets) -> SetBlock:
    design = experiment.design
    shape = (len(design.combinations), len(design.orders))
    points = _points(experiment, sets, sets.forfeited)
    late = sets.deals >= MOST_DEALS
    won = sets.winner if experiment.game.score is None else _ahead(points)
    return SetBlock(
        sets.first,
        won.reshape(*shape, -1),
        sets.deals.reshape(*shape, -1),
        sets.decisions.reshape(*shape, -1),
        points.reshape(*shape, design.teams, -1),
        None if sets.forfeited is None else sets.forfeited.reshape(*shape, -1),
        int(np.count_nonzero(sets.winner[late] == DRAW)) if late.any() else 0,
    )


def _points(experiment: Experiment, sets: PlayedSets, lost: Teams | None) -> Integers:
    """Return the points of each team, of shape (legs, teams, sets); a forfeiting team has none.

    In single deals they are the gain of the counters above the mean of all teams, times the number
    of teams. A forfeited deal gives the others the weight of the most valuable counter.
    lost: the forfeiting teams, of shape (legs, sets); None if there are none.
    """
    metric, score, teams = experiment.design.metric, experiment.game.score, experiment.design.teams
    each = np.arange(teams, dtype=np.int8)[:, None]
    points: Integers
    if metric.by_match:
        winner = sets.winner[:, None]
        room = np.min_scalar_type(-teams * experiment.design.matches_per_set - 1)  # signed
        points = room.type(teams) * (winner == each) + (winner == DRAW)
    else:
        points = np.zeros((len(sets.winner), teams, len(sets)), np.int64)
        for (name, weight), values in zip(metric.weights, sets.counters, strict=True):
            points += weight * values.swapaxes(0, 1)
            if score is not None:
                points -= weight * np.array(score[name], np.int64)[:, None]
    if lost is not None:
        if score is not None:
            points[np.broadcast_to(lost[:, None] != NOBODY, points.shape)] = max(
                weight for _, weight in metric.weights
            )
        points[lost[:, None] == each] = 0
    result: Integers = (
        teams * points - points.sum(axis=1, keepdims=True) if metric.level else points
    )
    return result


def _ahead(points: Integers) -> Teams:
    """Return the only team with the most points, or `DRAW`, of shape (legs, sets)."""
    best = (points == points.max(axis=1, keepdims=True)).view(np.int8)
    teams = np.arange(best.shape[1], dtype=np.int8)[:, None]
    alone, which = (of.sum(axis=1, dtype=np.int8) for of in (best, best * teams))
    return np.where(alone == 1, which, np.int8(DRAW))


def fits_experiment(experiment: Experiment, sets: int, counts: Any) -> bool:
    """Tell whether counts from JSON can come from so many sets of the experiment."""
    return is_tally(experiment.design, counts) and counts["sets"] == sets
