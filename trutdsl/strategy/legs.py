"""Legs: many matches in one seating, in machine code or side by side if possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

import numpy as np

from trutdsl.arguments import check_arguments, check_range
from trutdsl.diagnostics import Failure
from trutdsl.game import Game, MatchResult
from trutdsl.language import say
from trutdsl.native.play.batch import Batch
from trutdsl.native.play.observation import ranks_of
from trutdsl.strategy.arrays import SeatInArrays
from trutdsl.strategy.fitness import Strategies, seat_all
from trutdsl.strategy.load import Spec
from trutdsl.strategy.play import (
    EVERY,
    is_program,
    play_at_tables,
    play_checked,
    play_match,
    tables_for,
)
from trutdsl.strategy.script import UNIFORM, ScriptedGame, ScriptSpec, table_for
from trutdsl.strategy.solved_policy import SolvedSpec
from trutdsl.strategy.spec import StrategyError, StrategySpec, several_matches
from trutdsl.table.counts import COUNTERS, Records, Rows
from trutdsl.table.faults import PolicyError, RuleError
from trutdsl.table.setting import SeatedPlayer
from trutdsl.table.sight import variables_of

MOST = 1024  # matches side by side


def answers_in_arrays(game: Game, seating: Sequence[Spec]) -> bool:
    """Tell whether these strategies can play matches side by side.

    Two seats cannot in a game with secret questions: the set of matches in a call would show one
    seat where the other was asked before.
    """
    coded = [(s, spec) for s, spec in enumerate(seating) if not isinstance(spec, ScriptSpec)]
    if game.engine != "native" or not coded or (len(coded) > 1 and game.secret_questions):
        return False
    return all(
        isinstance(spec, StrategySpec) and spec.answers_in_arrays(seat) for seat, spec in coded
    )


class PlayedAnswers:
    """The answers in matches side by side: their ranks among the legal actions."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        none = np.empty(0, np.int64)
        self._parts = [(none, none, none)]

    def add(self, matches: Records, seats: Records, ranks: Records) -> None:
        """Add an answer in each of these matches, later than the others there."""
        self._parts.append((matches, seats, ranks))

    def by_seat(self, players: int, first: int) -> list[Records]:
        """Return those of each seat in the match `first` and its successors, match by match."""
        matches, seats, ranks = map(np.concatenate, zip(*self._parts, strict=True))
        order = np.argsort(matches, kind="stable")
        self._parts = [(matches[order], seats[order], ranks[order])]
        ((matches, seats, ranks),) = self._parts
        at = np.searchsorted(matches, first)
        return [ranks[at:][seats[at:] == seat] for seat in range(players)]


def play_side_by_side(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    first: int,
    count: int,
    played: PlayedAnswers | None = None,
) -> Iterator[Records]:
    """Yield the records of matches, some at a time; raises `StrategyError` as `play_leg` does.

    One of every `EVERY` matches is also played by `choose`, with the same result.
    played: has the answers in the matches that were yielded last, and perhaps in later ones.
    """
    play = partial(_play, game, seating, seed, played=played)
    most = MOST if any(map(is_program, seating)) else AT_ONCE
    for begin in range(first, first + count, most):
        many = min(most, first + count - begin)
        good: list[Records] = []
        failure: StrategyError | None = None
        if played is not None:
            played.clear()
        with several_matches(many):
            try:
                rows = play(begin, many)
            except (Failure, PolicyError, RuleError):  # of any match; each is played by itself
                if played is not None:
                    played.clear()
                parts = (partial(play, match, 1) for match in range(begin, begin + many))
            else:
                parts = (partial(rows.__getitem__, slice(i, i + 1)) for i in range(many))
            try:
                for match, part in enumerate(parts, begin):
                    good.append(_play_and_compare(game, seating, seed, match, part))
            except StrategyError as error:
                failure = error
        if good:
            yield np.concatenate(good)
        if failure is not None:
            raise failure


def _play_and_compare(
    game: Game, seating: Sequence[Spec], seed: int, match: int, play: Callable[[], Records]
) -> Records:
    """Return the record of a match; raises `StrategyError` if `choose` gives another one."""
    try:
        row = play()
    except (PolicyError, RuleError):
        play_checked(game, seating, seed, match)  # which explains the failure
        raise
    if match % EVERY or not any(map(is_program, seating)):
        return row
    if row.tolist() != record_of(play_checked(game, seating, seed, match)).tolist():
        coded = {i: s for i, s in enumerate(seating) if not isinstance(s, ScriptSpec)}
        callers = dict.fromkeys(
            say("strategy '{s}' ({path})", s=s.name, path=s.path) for s in coded.values()
        )
        names = " or ".join(callers)
        text = "match {match} goes otherwise with `choose_batch` than with `choose`, of {names}"
        raise StrategyError(
            say(text, match=match + 1, names=names),
            next(iter(coded)),
            say("does not choose the same with `choose_batch`"),
        )
    return row


def _play(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    first: int,
    count: int,
    played: PlayedAnswers | None = None,
) -> Records:
    """Return the records of matches, all at once; played: gets the answers."""
    specs = tuple(dict.fromkeys(s for s in seating if isinstance(s, ScriptSpec)))
    table = table_for(game, specs)
    scripts = {
        seat: table.policy_keys[s] for seat, s in enumerate(seating) if isinstance(s, ScriptSpec)
    }
    code = (table.compiled_game if specs else game).steps
    seats = {
        seat: SeatInArrays(game, cast(StrategySpec, spec), seat)
        for seat, spec in enumerate(seating)
        if seat not in scripts and not isinstance(spec, SolvedSpec)
    }
    players = {s: p.player_for(game, s) for s, p in enumerate(seating) if isinstance(p, SolvedSpec)}
    for player in players.values():
        player.begin(seed, first, count)
    zones = code.program.zones
    visible = {*zones, *(one.name for one in variables_of(code.program))}
    reads = [visible if one.reads is None else one.reads & visible for one in seats.values()]
    known = zones.keys() | code.program.variables
    read_names = frozenset().union(*reads, *(one.reads & known for one in players.values()))
    batch = Batch(code, seed, first, count, scripts)
    while len(rows := batch.waiting):
        seen, answers = batch.observe(read_names), np.empty(len(rows), np.int64)
        history = batch.history() if players else None
        for seat in np.unique(seen.seat).tolist():
            which = seen.seat == seat
            if history is not None and seat in players:
                answers[which] = players[seat].answer(seen.take(which), history[which])
            else:
                answers[which] = seats[seat].answer(seen.take(which), first)
        if played is not None:
            played.add(first + rows, seen.seat, ranks_of(seen.legal, answers))
        batch.answer(answers)
    return batch.rows()


@dataclass(frozen=True)
class NativeSeating:
    """A game in machine code; the strategy of each seat is chosen at run time."""

    game: Game
    seats: tuple[SeatedPlayer, ...]


def native_seating(
    game: Game,
    seating: Sequence[Spec],
    meeting: Sequence[Spec] = (),
    ranks: Sequence[Records] | None = None,
) -> NativeSeating | None:
    """Return a game with these strategies on its seats; None if one has no machine code.

    meeting: all strategies of the tournament; the game is compiled once for all of them.
    ranks:   the answers of each seat that is no script, if they are known; see `SeatedPlayer`.
    """
    if game.engine != "native":
        return None
    seats, table = [], _table_of(game, (*seating, *meeting))
    for seat, spec in enumerate(seating):
        if ranks is not None and not isinstance(spec, ScriptSpec):
            seats.append(SeatedPlayer(spec.name, ranks=ranks[seat]))
            continue
        if spec.native_on(seat) == UNIFORM:
            seats.append(SeatedPlayer(spec.name))
        elif isinstance(spec, ScriptSpec):
            seats.append(SeatedPlayer(spec.name, table.policy_keys[spec]))
        else:
            return None
    return NativeSeating(_compiled(game, table), tuple(seats))


def compile_for(game: Game, meeting: Sequence[Spec]) -> Game:
    """Return the game compiled with the scripts among these strategies, in any order."""
    return _compiled(game, _table_of(game, meeting))


def _table_of(game: Game, meeting: Sequence[Spec]) -> ScriptedGame:
    scripts = {s for s in meeting if isinstance(s, ScriptSpec) and s.native_on(0) != UNIFORM}
    return table_for(game, tuple(sorted(scripts, key=lambda s: (s.name, s.fingerprint, s.path))))


def _compiled(game: Game, table: ScriptedGame) -> Game:
    return table.compiled_game if table.policy_keys else game


# Arguments: game, all strategies, the index of the strategy on each seat, seed, first match, rows.
PlayLeg = Callable[[Game, Sequence[Spec], Sequence[int], int, int, Rows], Iterator[int]]
AT_ONCE = 8192  # matches


def play_leg(
    game: Game, meeting: Sequence[Spec], line_up: Sequence[int], seed: int, first: int, rows: Rows
) -> Iterator[int]:
    """Play matches `first`, `first + 1`, ... in one seating, one for each row.

    Writes the rows, and yields the number of new ones each time.
    meeting: all strategies that meet in the game; line_up: which of them sits on each seat.
    If all strategies on the seats have a native form, one call of machine code plays whole ranges.
    If a strategy fails, raises `StrategyError` at the first match that was not yielded.
    """
    seating = [meeting[index] for index in line_up]
    native = native_seating(game, seating, meeting)
    at = 0
    if native is None:
        for records in _records(game, seating, seed, first, len(rows)):
            rows.put(at, records)
            at += len(records)
            yield len(records)
        return
    try:
        for more in native.game.runs.fill(native.seats, seed, first, rows):
            at += more
            yield more
    except (RuleError, PolicyError):
        # The messages of the reference engine are better.
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
    game: Game, meeting: Sequence[Spec], line_up: Sequence[int], seed: int, first: int, count: int
) -> Iterator[Records]:
    """Yield the records of matches that `play_leg` plays, some at a time."""
    fields = COUNTERS + len(game.count_plan.counters) * game.team_count
    for begin in range(first, first + count, AT_ONCE):
        rows = Rows.empty(min(AT_ONCE, first + count - begin), fields)
        at = 0
        for more in play_leg(game, meeting, line_up, seed, begin, rows):
            yield rows.part(at, at + more).records()
            at += more


@check_arguments
def play_matches(game: Game, seating: Strategies, seed: int, matches: int) -> Iterator[MatchResult]:
    """Yield the results of the first matches of a seed, as `play_leg` plays them."""
    check_range("matches", matches, 0)
    specs = seat_all(game, seating)
    for records in read_leg(game, specs, range(len(specs)), seed, 0, matches):
        for record in records.tolist():
            yield result_of(game, record)


def prepare_legs(game: Game, meeting: Sequence[Spec]) -> None:
    """Compile a game for all strategies that meet, in this process; forked processes share it.

    If some have no native form, compile also the code that plays step by step.
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
    winner, deals, decisions, *values = record
    teams = game.team_count
    counters = {
        name: tuple(values[teams * place : teams * (place + 1)])
        for place, name in enumerate(game.count_plan.counters)
    }
    return MatchResult(None if winner < 0 else winner, deals, decisions, counters)
