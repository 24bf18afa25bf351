"""Hints: the choices of a policy at a question, and the cost of each choice against best play."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import fsum

import numpy as np

from trutdsl.game import Game, View
from trutdsl.native.play.observation import distinct_actions
from trutdsl.solve.prices import ChoicePricer
from trutdsl.solve.scores import Score
from trutdsl.solve.stored import PARTS
from trutdsl.strategy.solved_policy import SolvedSpec


@dataclass(frozen=True)
class ChoiceHint:
    """A choice: its equivalent actions, and the probability that the policy takes one of them.

    price: the loss from the choice, in matches; None if it is unknown.
    """

    texts: tuple[str, ...]
    share: float
    price: float | None = None


@dataclass(frozen=True)
class Hint:
    """The choices of a policy at a question.

    wins: the chance to win the match with the best choice. known: whether the policy's own play can
    reach the question; if not, the shares are those of a random action. expected: whether the other
    seat's play can reach it; if not, all its possible answers count as equally likely. reach: the
    share of deals that reach the question if both seats play as stored.
    """

    choices: tuple[ChoiceHint, ...]
    known: bool
    expected: bool = True
    wins: float | None = None
    reach: float = 0.0

    @property
    def loss(self) -> float:
        """The mean loss of the policy over its choices here, in matches."""
        return fsum(one.share * (one.price or 0.0) for one in self.choices)


class SolvedPolicyAdviser:
    """Gives the choices of a policy at any question of a game."""

    def __init__(self, game: Game, spec: SolvedSpec) -> None:
        """Raises `BadUsage` for a policy of another game."""
        spec.policy.check_for(game.whole_match)
        self.game, self.spec = game, spec

    @cached_property
    def _pricer(self) -> ChoicePricer:
        return ChoicePricer(self.game, self.spec.policy)

    def hint(self, view: View) -> Hint:
        """Return the hint for the asked seat."""
        player = self.spec.player_for(self.game, view.seat)
        names = player.names_of(view)
        history = player.hash_history(view)
        seen = player.observe(view)
        first, count = distinct_actions(np.zeros(len(names), np.int64), names, 1)
        texts = [
            tuple(t for t, name in zip(view.texts, names, strict=True) if name == names[place])
            for place in first.tolist()
        ]
        if len(texts) == 1:
            return Hint((ChoiceHint(texts[0], 1.0),), True)
        keys, parts = player.look_up(seen, count, history[-1:])
        known, shares = int(parts.sum()) == PARTS, (parts[0] / parts.sum()).tolist()
        dealer, *values = player.reader.scores(seen)[0].tolist()
        score = Score((dealer,), tuple(values))
        result = self._pricer.worth(score, view.seat, int(keys[0]), history)
        order = np.argsort(first).tolist()  # of the actions, as the question has them
        if result is None:
            return Hint(tuple(ChoiceHint(texts[i], shares[i]) for i in order), known)
        best = max(result.wins)
        choices = (ChoiceHint(texts[i], shares[i], best - result.wins[i]) for i in order)
        return Hint(tuple(choices), known, result.expected, best, result.reach)
