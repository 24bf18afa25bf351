"""Legs: many matches in one seating, in one call of machine code where that can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from trutdsl.game import Game, MatchResult, RuleError
from trutdsl.strategy.native import compile_for, native_seating
from trutdsl.strategy.play import play_match
from trutdsl.strategy.repeat import play_checked
from trutdsl.strategy.script import ScriptSpec
from trutdsl.strategy.side_by_side import answers_in_arrays, play_side_by_side
from trutdsl.strategy.spec import Spec
from trutdsl.strategy.tables import play_at_tables, tables_for
from trutdsl.table import PolicyError

# One row a match: winning team (-1 for a draw), deals, decisions, then each counter by team.
Rows = NDArray[np.int64]
# The game, who meets in it, which of them (an index) sits on each seat, seed, first match, matches.
PlayLeg = Callable[[Game, Sequence[Spec], Sequence[int], int, int, int], Iterator[Rows]]


def play_leg(
    game: Game, meeting: Sequence[Spec], seated: Sequence[int], seed: int, first: int, count: int
) -> Iterator[Rows]:
    """Yield the rows of matches `first`, `first + 1`, ... in one seating, some at a time.

    meeting: all strategies that meet in the game; seated: which of them sits on each seat.
    Whole ranges are played by one call of native code where all who sit there have a native form;
    it is the same code whoever of those that meet sits where.
    Raises `StrategyError` if one fails, in the first match of which nothing was yielded.
    """
    seating = [meeting[index] for index in seated]
    native = native_seating(game, seating, meeting)
    if native is None and answers_in_arrays(game, seating):
        yield from play_side_by_side(game, seating, seed, first, count)
        return
    if native is None and tables_for(seating) > 1:
        for result in play_at_tables(game, seating, seed, first, count):
            yield row_of(result)
        return
    if native is None:
        for match in range(first, first + count):
            yield row_of(play_checked(game, seating, seed, match))
        return
    played = first
    try:
        for rows in native.rows(seed, first, count):
            yield rows
            played += len(rows)
    except (RuleError, PolicyError):
        # The reference engine says best what went wrong.
        for match in range(played, first + count):
            play_match(game.in_engine("reference"), seating, seed, match)
        raise


def play_matches(
    game: Game, seating: Sequence[Spec], seed: int, matches: int
) -> Iterator[MatchResult]:
    """Yield the results of the first matches of a seed, as `play_leg` plays them."""
    for rows in play_leg(game, seating, range(len(seating)), seed, 0, matches):
        for row in rows.tolist():
            yield result_of(game, row)


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


def row_of(result: MatchResult) -> Rows:
    """Return the row of one match, shape (1, fields)."""
    winner = -1 if result.winner is None else result.winner
    counters = [value for of_teams in result.counters.values() for value in of_teams]
    return np.array([[winner, result.deals, result.decisions, *counters]], np.int64)


def result_of(game: Game, row: Sequence[int]) -> MatchResult:
    """Return the result that a row of one match says."""
    winner, deals, decisions, *values = row
    teams = game.team_count
    counters = {
        name: tuple(values[teams * place : teams * (place + 1)])
        for place, name in enumerate(game.count_plan.counters)
    }
    return MatchResult(None if winner < 0 else winner, deals, decisions, counters)
