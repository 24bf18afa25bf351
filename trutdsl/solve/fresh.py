"""Checks that a deal depends only on the score before it, and on nothing else from before."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from typing import TypeVar

import numpy as np

from trutdsl.diagnostics import BadUsage
from trutdsl.native import abi
from trutdsl.solve.positions import Masks, Positions, find_distinct, join_positions
from trutdsl.solve.scores import DEALER, Score, ScoreCodec
from trutdsl.solve.steps import Deal, blocks

STOP = frozenset(("#pc", "#seat", "#decision"))
ENDS_AT_ONCE = 32_768  # ends of a deal that are compared at once with new matches


class DependsOnMore(BadUsage):
    """A deal depends on more than the score at which it starts."""


Start = tuple[str, ...]  # see `ScoreCodec.start`
Result = TypeVar("Result")


def with_start(work: Callable[[Start], Result]) -> Result:
    """Return the result of work on deals that depend on the dealer, or else also on who leads.

    work: raises `DependsOnMore` if a deal depends on more than the given start.
    """
    try:
        return work((DEALER,))
    except DependsOnMore:
        return work((DEALER, "on_lead"))


class FreshCheck:
    """Compares the positions after deals with new matches at the same scores."""

    def __init__(
        self,
        codec: ScoreCodec,
        deal_cards: Callable[[Deal, Positions], Positions],
        has_same_course: Callable[[Deal, Score], bool],
    ) -> None:
        """deal_cards, has_same_course: see `DealEnumerator`."""
        self.codec, self.stepper = codec, codec.stepper
        self._deal_cards, self._has_same_course = deal_cards, has_same_course
        self._openings: dict[bytes, list[tuple[Deal, bytes]]] = {}

    def check(self, deal: Deal) -> None:
        """Raise `DependsOnMore` if the next deal depends on more than the score after this one.

        The cards on the table may differ from those of a new match at this score. So each end is
        compared with a new match at the first stop of the deal. If they differ there, they are
        compared up to the first questions.
        """
        for steps in deal.last:
            for block in blocks(len(steps.answers), ENDS_AT_ONCE):
                ends = steps.before.take(block)
                self.stepper.step(ends, steps.answers[block])
                ends = ends.take(ends.why == abi.BEFORE_DEAL)
                scores = self.codec.scores_of(ends)
                for score in dict.fromkeys(scores):
                    rows = [row for row, other in enumerate(scores) if other == score]
                    if not self._is_fresh(score, ends.take(np.array(rows, np.int64))):
                        raise DependsOnMore(
                            "a deal of this game depends on more than the score before it"
                        )

    def _is_fresh(self, score: Score, ends: Positions) -> bool:
        """Tell whether matches at this score continue like a new one."""
        new = self.codec.begin(score)
        # Unfinished rules remember nothing between deals (see `check_rules`).
        self.stepper.frame(ends.memory)[:] = self.stepper.frame(new.memory)
        new.weight[:], ends.weight[:] = 1.0, 1.0
        before = join_positions([new, ends])
        keys = self._after_step(before)
        first, _ = find_distinct(keys)
        first.sort()
        if len(first) == 1:
            return True
        openings = [
            self._opening(score, before.take(np.array([row], np.int64)), keys[row].tobytes())
            for row in first.tolist()
        ]
        return len(set(openings)) == 1

    def _after_step(self, before: Positions) -> Masks:
        """Return keys of positions after the first step of a deal, without the score."""
        positions = before.take(np.arange(len(before), dtype=np.int64))
        self.stepper.step(positions, np.zeros(len(positions), np.int64))
        chance = (positions.why == abi.LUCK).all()
        return self.stepper.keys(positions, self._readable | ({"#pc"} if chance else STOP))

    @cached_property
    def _readable(self) -> frozenset[str]:
        """The fields that rules can read, except for the score."""
        names = {name for name in self.stepper.layout.fields if not name.startswith("#")}
        return frozenset(names - set(self.codec.lasting))

    def _opening(self, score: Score, before: Positions, key: bytes) -> bytes:
        """Return a hash of the first questions of a deal, with the probability of each.

        key: of the position after its first step. The opening at another score is the same if it
        has the same course.
        """
        for known, opening in self._openings.get(key, []):
            if self._has_same_course(known, score):
                return opening
        deal = Deal()
        positions = self._deal_cards(deal, before)
        deal.merge_kinds()
        keys = self.stepper.keys(positions, self._readable | STOP, frame=False)
        first, group = find_distinct(keys)
        weights = np.bincount(group, positions.weight, len(first)).round(12)
        columns = [keys[first], weights.view(np.uint64)[:, None]]
        opening = sha256(np.concatenate(columns, axis=1).tobytes()).digest()
        if not deal.fixed:
            self._openings.setdefault(key, []).append((deal, opening))
        return opening
