"""Reproducibility of strategies: some matches are played twice, and must be the same again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from trutdsl.game import Action, Game, MatchResult, Question, State
from trutdsl.strategy.calls import StrategyError
from trutdsl.strategy.play import Answered, play_match
from trutdsl.strategy.spec import Spec, StrategySpec

EVERY = 50  # of so many matches one is played twice, the first among them


def play_checked(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    match: int,
    emit: Callable[[dict[str, Any]], None] | None = None,
    answered: Answered | None = None,
) -> MatchResult:
    """Play one match as `play_match` does, one of every `EVERY` twice if any strategy is a program.

    What is told and counted is the first time. Raises `StrategyError` also for a strategy that
    chooses otherwise the second time: by luck of its own, a clock, or what it remembers of other
    matches. Which matches are played twice depends on nothing but their index.
    """
    if match % EVERY or not any(isinstance(spec, StrategySpec) for spec in seating):
        return play_match(game, seating, seed, match, emit, answered)
    chosen: list[Action] = []
    result = play_match(game, seating, seed, match, emit, noting(chosen, answered))
    play_again(game, seating, seed, match, chosen)
    return result


def noting(chosen: list[Action], answered: Answered | None = None) -> Answered:
    """Return what adds all that is chosen to a list, and tells it also to another."""

    def note(state: State, question: Question, action: Action, took_any: bool) -> None:
        chosen.append(action)
        if answered is not None:
            answered(state, question, action, took_any)

    return note


def play_again(
    game: Game, seating: Sequence[Spec], seed: int, match: int, chosen: Sequence[Action]
) -> None:
    """Play a match in which this was chosen; raises `StrategyError` for who chooses otherwise."""
    before = iter(chosen)

    def compare(_state: State, question: Question, action: Action, _took_any: bool) -> None:
        if (first := next(before)) != action:
            spec, seat = seating[question.seat], question.seat
            raise StrategyError(
                f"strategy '{spec.name}' ({spec.path}) does not choose the same again in match "
                f"{match}, asked for '{question.decision}' on seat {seat}: '{first.text}', then "
                f"'{action.text}'; take all luck from view.random, and remember no other match",
                seat,
                "does not choose the same again",
            )

    play_match(game, seating, seed, match, answered=compare)
