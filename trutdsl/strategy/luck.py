"""The distribution of a script's answers over its own luck: exact, or sampled to save time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from trutdsl.interp.policy import Player
from trutdsl.ir.types import Among
from trutdsl.streams import Stream, mix_in
from trutdsl.table.chance import Luck
from trutdsl.table.match import Question

MOST_WAYS = 300  # in which luck can go, that are summed
REPEATS = 2_000  # otherwise
SEED = 1


@dataclass(frozen=True)
class AnswerShares:
    """The probability of each action, by its index.

    repeats: the number of samples; 0 if the probabilities are exact.
    """

    shares: dict[int, Fraction]
    repeats: int


class _TooManyWaysError(Exception):
    pass


class _PlannedLuck(Stream, Luck):
    """Luck with fixed first outcomes; later ones are the first possible. It records all weights."""

    def __init__(self, plan: Sequence[int]) -> None:
        self.plan = plan
        self.draws: list[tuple[int, Sequence[int]]] = []

    def _draw(self, weights: Sequence[int]) -> int:
        place = len(self.draws)
        possible = (number for number, weight in enumerate(weights) if weight)
        outcome = self.plan[place] if place < len(self.plan) else next(possible)
        self.draws.append((outcome, weights))
        return outcome

    def below(self, count: int) -> int:
        """Return a number below `count`, as a stream does."""
        if count > MOST_WAYS:
            raise _TooManyWaysError
        return self._draw([1] * count)

    def number(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def element(self, elements: Sequence[int], _kind: Among) -> int:
        return elements[self.below(len(elements))]

    def yes(self, part: int, whole: int) -> bool:
        return self._draw([whole - part, part]) == 1


def answer_shares(player: Player, question: Question) -> AnswerShares:
    """Return the probability of each answer of a player now, with its present memory."""
    try:
        return AnswerShares(_sum_exactly(player, question), 0)
    except _TooManyWaysError:
        result: Counter[int] = Counter()
        for number in range(REPEATS):
            result[player.copy(Stream(mix_in(SEED, number))).choose(question)] += 1
        return AnswerShares({n: Fraction(many, REPEATS) for n, many in result.items()}, REPEATS)


def _sum_exactly(player: Player, question: Question) -> dict[int, Fraction]:
    shares: dict[int, Fraction] = {}
    plans: list[list[int]] = [[]]
    for _ in range(MOST_WAYS):
        if not plans:
            return shares
        plan = plans.pop()
        luck = _PlannedLuck(plan)
        index = player.copy(luck, luck).choose(question)
        share = Fraction(1)
        for place, (outcome, weights) in enumerate(luck.draws):
            share *= Fraction(weights[outcome], sum(weights))
            if place >= len(plan):
                before = [one for one, _ in luck.draws[:place]]
                later = range(outcome + 1, len(weights))
                plans += [[*before, one] for one in later if weights[one]]
        shares[index] = shares.get(index, Fraction(0)) + share
    raise _TooManyWaysError
