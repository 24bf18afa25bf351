"""Legs: many matches in one seating, in one call of machine code where that can be."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from trutdsl.game import Game, MatchResult, RuleError
from trutdsl.strategy.play import play_match
from trutdsl.strategy.repeat import play_checked
from trutdsl.strategy.script import ScriptSpec, table_for
from trutdsl.strategy.side_by_side import answers_in_arrays, play_side_by_side
from trutdsl.strategy.spec import Spec
from trutdsl.strategy.tables import play_at_tables, tables_for
from trutdsl.table import PolicyError, SeatedPlayer
from trutdsl.table.counts import COUNTERS, Counts, Records, Rows

# Strategies in machine code: a game compiled, once, with the policies of all who meet in it.

UNIFORM = "uniform"


@dataclass(frozen=True)
class NativeSeating:
    """A game in machine code, with the strategy of each seat; which it is, is known at run time."""

    game: Game
    seats: tuple[SeatedPlayer, ...]

    def rows(self, seed: int, first: int, matches: int) -> Iterator[Rows]:
        """Yield some matches of a seed as rows, some at a time, in the same arrays.

        Raises `RuleError` at a match whose rules, and `PolicyError` at one in which a script
        leads to something impossible. Then all matches before it were given.
        """
        return self.game.runs.rows(self.seats, seed, first, matches)

    def fill(self, seed: int, first: int, rows: Rows) -> Iterator[int]:
        """Write matches of a seed into rows, and yield how many more are there; raises likewise."""
        return self.game.runs.fill(self.seats, seed, first, rows)

    def counted(self, seed: int, first: int, rows: Rows) -> Generator[int, None, Counts]:
        """Yield what `fill` does, and return what is counted over these matches."""
        return self.game.counting.counted(self.seats, seed, first, len(rows), rows)

    def count(self, seed: int, first: int, matches: int) -> Counts:
        """Return what is counted over some matches of a seed; raises as `rows` does."""
        return self.game.count(self.seats, seed, first, matches)


def native_seating(
    game: Game, seating: Sequence[Spec], meeting: Sequence[Spec] = ()
) -> NativeSeating | None:
    """Return a game with these strategies on its seats; None if one of them is no machine code.

    meeting: all who meet in the game, on whatever seats: it is compiled for all of them at once.
    """
    if game.engine != "native":
        return None
    seats = []
    for seat, spec in enumerate(seating):
        alike = spec.native_on(seat) == UNIFORM
        if not alike and not isinstance(spec, ScriptSpec):
            return None
        seats.append(SeatedPlayer(spec.name, None if alike else spec.name))
    return NativeSeating(compile_for(game, (*seating, *meeting)), tuple(seats))


def compile_for(game: Game, meeting: Sequence[Spec]) -> Game:
    """Return the game that is compiled with the scripts among those who meet in it, if there are.

    The same for the same scripts, in whatever order they come.
    """
    scripts = {s for s in meeting if isinstance(s, ScriptSpec) and s.native_on(0) != UNIFORM}
    ordered = sorted(scripts, key=lambda spec: (spec.name, spec.fingerprint))
    return table_for(game, tuple(ordered)).compiled if ordered else game


# The game, who meets in it, which of them (an index) sits on each seat, seed, first match, and the
# rows to be filled.
PlayLeg = Callable[[Game, Sequence[Spec], Sequence[int], int, int, Rows], Iterator[int]]
AT_ONCE = 8192  # matches


def play_leg(
    game: Game, meeting: Sequence[Spec], seated: Sequence[int], seed: int, first: int, rows: Rows
) -> Iterator[int]:
    """Play matches `first`, `first + 1`, ... in one seating, as many as there are rows.

    Writes the rows, and yields how many more are there, whenever some are.
    meeting: all strategies that meet in the game; seated: which of them sits on each seat.
    Whole ranges are played by one call of native code where all who sit there have a native form;
    it is the same code whoever of those that meet sits where.
    Raises `StrategyError` if one fails, in the first match of which nothing was yielded.
    """
    seating = [meeting[index] for index in seated]
    native = native_seating(game, seating, meeting)
    at = 0
    if native is None:
        for records in _records(game, seating, seed, first, len(rows)):
            rows.put(at, records)
            at += len(records)
            yield len(records)
        return
    try:
        for more in native.fill(seed, first, rows):
            at += more
            yield more
    except (RuleError, PolicyError):
        # The reference engine says best what went wrong.
        for match in range(first + at, first + len(rows)):
            play_match(game.in_engine("reference"), seating, seed, match)
        raise


def _records(
    game: Game, seating: Sequence[Spec], seed: int, first: int, count: int
) -> Iterator[Records]:
    """Yield the records of matches that are not played in machine code, some at a time."""
    if answers_in_arrays(game, seating):
        yield from play_side_by_side(game, seating, seed, first, count)
        return
    if tables_for(game, seating) > 1:
        yield from map(record_of, play_at_tables(game, seating, seed, first, count))
        return
    for match in range(first, first + count):
        yield record_of(play_checked(game, seating, seed, match))


def read_leg(
    game: Game, meeting: Sequence[Spec], seated: Sequence[int], seed: int, first: int, count: int
) -> Iterator[Records]:
    """Yield the records of matches that `play_leg` plays, some at a time."""
    fields = COUNTERS + len(game.count_plan.counters) * game.team_count
    for begin in range(first, first + count, AT_ONCE):
        rows = Rows.empty(min(AT_ONCE, first + count - begin), fields)
        at = 0
        for more in play_leg(game, meeting, seated, seed, begin, rows):
            yield rows.part(at, at + more).records()
            at += more


def play_matches(
    game: Game, seating: Sequence[Spec], seed: int, matches: int
) -> Iterator[MatchResult]:
    """Yield the results of the first matches of a seed, as `play_leg` plays them."""
    for records in read_leg(game, seating, range(len(seating)), seed, 0, matches):
        for record in records.tolist():
            yield result_of(game, record)


def prepare_legs(game: Game, meeting: Sequence[Spec]) -> None:
    """Compile a game for all who meet in it, in this process; nothing is played.

    Where some have no native form, also what plays step by step. Processes that are forked from
    here have all that.
    """
    if game.engine != "native":
        _ = game.program
        return
    if not all(isinstance(spec, ScriptSpec) for spec in meeting):
        _ = game.steps
    if any(isinstance(spec, ScriptSpec) for spec in meeting):
        _ = compile_for(game, meeting).runs


def record_of(result: MatchResult) -> Records:
    """Return the record of one match, shape (1, fields)."""
    winner = -1 if result.winner is None else result.winner
    counters = [value for of_teams in result.counters.values() for value in of_teams]
    return np.array([[winner, result.deals, result.decisions, *counters]], np.int64)


def result_of(game: Game, record: Sequence[int]) -> MatchResult:
    """Return the result that the record of one match says."""
    winner, deals, decisions, *values = record
    teams = game.team_count
    counters = {
        name: tuple(values[teams * place : teams * (place + 1)])
        for place, name in enumerate(game.count_plan.counters)
    }
    return MatchResult(None if winner < 0 else winner, deals, decisions, counters)
