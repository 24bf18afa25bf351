"""A strategy that answers the questions of one seat in many matches at once, in arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from trutdsl.game import Game
from trutdsl.language import say
from trutdsl.native.play.observation import Observation
from trutdsl.strategy.spec import StrategyCall, StrategyError, StrategySpec
from trutdsl.table.actions import AskPlan
from trutdsl.table.counts import Records
from trutdsl.table.match import action_of


@dataclass(frozen=True)
class ObservationNames:
    """The meaning of an observation's numbers.

    decisions: the name of each question, by its number.
    actions:   for each question, the texts of its actions -> their numbers.
    strengths: the strength of each card, the weakest rank 1, int64 (cards,); masks have a bit
               for each card.
    """

    decisions: tuple[str, ...]
    actions: tuple[dict[str, int], ...]
    strengths: Records


class SeatInArrays:
    """A strategy on one seat of many matches."""

    def __init__(self, game: Game, spec: StrategySpec, seat: int) -> None:
        self.spec, self.seat, self.plans = spec, seat, game.plans
        self.names = _names_of(game)
        self.strategy: Any = spec.make(say(" as player {player}", player=seat + 1), seat)
        with StrategyCall(spec.name, spec.path, lambda: say("cannot start"), seat):
            reads = getattr(self.strategy, "reads", None)
            self.reads = None if reads is None else frozenset(map(str, reads))

    def answer(self, seen: Observation, first: int) -> Records:
        """Return the number of a legal action for each match; first: the match of row 0."""
        matches, legal, decisions = first + seen.matches, seen.legal.copy(), seen.decision.copy()
        many = len(matches)
        where = (
            say("in one of {many} matches", many=many)
            if many > 1
            else say("in match {matches}", matches=matches[0] + 1)
        )
        spec, describe_fault = self.spec, partial(say, "failed {where}", where=where)
        with StrategyCall(spec.name, spec.path, describe_fault, self.seat):
            choices = np.array(self.strategy.choose_batch(seen, self.names))
        if choices.shape != matches.shape or choices.dtype.kind not in "iu":
            kind = f"{choices.dtype} {choices.shape}"
            raise self._error(
                say("returned {kind} for {many} matches {where}", kind=kind, many=many, where=where)
            )
        result: Records = choices.astype(np.int64)
        inside = (result >= 0) & (result < 64 * legal.shape[1])
        at = np.where(inside, result, 0)
        words = legal[np.arange(len(at)), at // 64]
        wrong = np.flatnonzero(~inside | (words >> (at % 64).astype(np.uint64) & np.uint64(1) == 0))
        if len(wrong):
            row = int(wrong[0])
            name = self.names.decisions[decisions[row]]
            raise self._error(
                say(
                    "chose no legal action in match {matches}, asked for '{name}' as player "
                    "{player}: it returned {chosen}",
                    matches=matches[row] + 1,
                    name=name,
                    player=self.seat + 1,
                    chosen=choices[row],
                )
            )
        return result

    def _error(self, what: str) -> StrategyError:
        text = say(
            "strategy '{spec}' ({path}) {what}", spec=self.spec.name, path=self.spec.path, what=what
        )
        return StrategyError(text, self.seat, say("chose no legal action"))


def _names_of(game: Game) -> ObservationNames:
    """Return the meaning of numbers in new objects, for one strategy alone."""

    def actions(plan: AskPlan) -> Iterator[tuple[str, int]]:
        for place, option in enumerate(plan.options):
            for number in range(option.first, option.first + option.size):
                node = plan.node.options[place]
                yield action_of(game.setting, node, place, option.values(number)).text, number

    return ObservationNames(
        tuple(plan.node.decision for plan in game.plans),
        tuple(dict(actions(plan)) for plan in game.plans),
        np.array(game.deck.strength, np.int64),
    )
