"""A match played by strategies."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from trutdsl.game import Action, Game, MatchResult, Question, RuleError, State
from trutdsl.strategy.load import StrategySpec
from trutdsl.streams import Stream, luck_start, strategy_key


class StrategyError(Exception):
    """A strategy that failed: which one, where, and how."""

    def __init__(self, message: str) -> None:
        super().__init__(message)


def play_matches(
    game: Game, seating: Sequence[StrategySpec], seed: int, matches: int
) -> Iterator[MatchResult]:
    """Yield the results of the first matches of a seed; all in native code where that can be."""
    if is_uniform(game, seating):
        played = 0
        try:
            for result in game.run_uniform([spec.name for spec in seating], seed, 0, matches):
                yield result
                played += 1
        except RuleError:
            # The reference engine says best what went wrong.
            play_match(game.in_engine("reference"), seating, seed, played)
            raise
        return
    for match in range(matches):
        yield play_match(game, seating, seed, match)


def is_uniform(game: Game, seating: Sequence[StrategySpec]) -> bool:
    """Tell whether matches can be played in native code alone: every seat's strategy is uniform."""
    return game.engine == "native" and all(spec.native == "uniform" for spec in seating)


def play_match(
    game: Game,
    seating: Sequence[StrategySpec],
    seed: int,
    match: int,
    emit: Callable[[dict[str, Any]], None] | None = None,
    answered: Callable[[Question, Action], None] | None = None,
) -> MatchResult:
    """Play one match to its end, one strategy a seat; raises `StrategyError` if one fails.

    seed: 0..2**128-1; match: its index under this seed. emit gets every event as it happens,
    answered every question with what was chosen.
    """
    state = game.start(seed, match, emit)
    players = [_make(spec, seat) for seat, spec in enumerate(seating)]
    keys = [strategy_key(seed, spec.name) for spec in seating]
    streams = [Stream(luck_start(key, match, seat)) for seat, key in enumerate(keys)]
    while (pending := state.pending) is not None:
        if not isinstance(pending, Question):
            state.next_deal()
            continue
        seat = pending.seat
        try:
            chosen = players[seat].choose(state.view(streams[seat]))
            index = pending.actions.index(chosen)
        except Exception as e:
            raise _failed(seating[seat], e, pending, state, match) from e
        state.apply(index)
        if answered is not None:
            answered(pending, pending.actions[index])
    return MatchResult(state.winner, state.deals, state.decisions, state.counters())


def _make(spec: StrategySpec, seat: int) -> Any:
    try:
        return spec.make()
    except Exception as e:
        where = _line_in(spec, e)
        raise StrategyError(
            f"strategy '{spec.name}' ({where}) cannot start on seat {seat}: {_said(e)}"
        ) from e


def _failed(
    spec: StrategySpec, error: Exception, question: Question, state: State, match: int
) -> StrategyError:
    place = (
        f"in match {match}, deal {state.deals - 1}, asked for '{question.decision}' "
        f"on seat {question.seat}"
    )
    if isinstance(error, ValueError) and _line_in(spec, error) == spec.path:
        legal = ", ".join(a.text for a in question.actions)
        return StrategyError(
            f"strategy '{spec.name}' ({spec.path}) chose no legal action {place}; legal: {legal}"
        )
    return StrategyError(
        f"strategy '{spec.name}' ({_line_in(spec, error)}) failed {place}: {_said(error)}"
    )


def _line_in(spec: StrategySpec, error: BaseException) -> str:
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == spec.path]
    return f"{spec.path}:{lines[-1]}" if lines else spec.path


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]
