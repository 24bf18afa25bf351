"""Checks that a deal depends only on the score before it, and on nothing else from before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import TypeVar

import numpy as np

from trutdsl.diagnostics import BadUsage
from trutdsl.language import say
from trutdsl.native import abi
from trutdsl.solve.branches import Brancher, continue_all
from trutdsl.solve.positions import (
    Masks,
    Numbers,
    Positions,
    find_distinct,
    hash_rows,
    join_positions,
    merge_equal,
)
from trutdsl.solve.scores import DEALER, Score, ScoreCodec, settled_before
from trutdsl.solve.steps import Deal

STOP = frozenset(("#pc", "#seat", "#decision"))
LEAST = 1e-6  # less likely courses of a draw for the first dealer are left out
UNEQUAL = 1e-9  # chances of two first dealers


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


def play_setup(brancher: Brancher) -> Positions:
    """Return the positions before the first deal, with the blocks of `setup` played."""
    first = replace(brancher.stepper.start(), memories=brancher.no_memories())
    waiting, ready = [first], list[Positions]()
    while waiting:
        positions = waiting.pop()
        chance, settled = positions.why == abi.LUCK, positions.why == abi.SETTLED
        ready.append(positions.take(~(chance | settled)))
        for rows, branch in ((chance, brancher.by_chance), (settled, continue_all)):
            if rows.any():
                some = positions.take(rows)
                branches = branch(some)
                likely = some.weight[branches.rows] * branches.share >= LEAST
                after = brancher.follow(some, branches.take(likely))
                waiting.append(merge_equal(brancher.stepper, after))
    return merge_equal(brancher.stepper, join_positions(ready))


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
        self._known = set[bytes]()  # ends that were checked, with their scores
        self._ended: list[Positions] | None = None  # ends of an opening, while one is played

    def first_scores(self, brancher: Brancher) -> dict[Score, float]:
        """Return the probability of each score at which a match starts.

        Courses of `setup` blocks below `LEAST` are left out. If the others treat the seats alike,
        these are assumed to do so, too; otherwise the game is refused. Raises `BadUsage`, also if a
        seat is asked before the first deal.
        """
        self.codec.start_match(0)  # refuses a game that draws more than the first dealer
        ready, shares = play_setup(brancher), Counter[Score]()
        if (ready.why != abi.BEFORE_DEAL).any():
            raise settled_before()
        self.check(ready)
        for score, share in zip(self.codec.scores_of(ready), ready.weight.tolist(), strict=True):
            shares[score] += share
        every = len(shares) == self.stepper.setting.players
        if every and max(shares.values()) - min(shares.values()) <= UNEQUAL:
            shares = Counter(dict.fromkeys(shares, 1 / len(shares)))
        elif shares.total() < 1 - UNEQUAL:
            raise BadUsage(say("the draw for the first dealer can take too many courses"))
        return dict(sorted(shares.items()))

    def check(self, ends: Positions) -> None:
        """Raise `DependsOnMore` if the next deal depends on more than the score after this one.

        ends: ends of deals, none of them merged. The cards on the table may differ from those of a
        new match at this score. So each end is compared with a new match at the first stop of the
        deal. If they differ there, they are compared up to the first questions.
        """
        if self._ended is not None:
            self._ended.append(ends)
            return
        ends = ends.take(ends.why == abi.BEFORE_DEAL)
        if not len(ends):
            return
        # Unfinished rules and scripts remember nothing between deals (see `check_rules`).
        ends.memories[:] = self.codec.no_memories
        self.stepper.frame(ends.memory)[:] = self._new_frame
        keys = hash_rows([self.codec.marks_of(ends), self._after_step(ends)])
        first, _ = find_distinct(keys)
        for row in first.tolist():
            key = keys[row].tobytes()
            if key not in self._known:
                self._check_one(ends.take(np.array([row], np.int64)))
                self._known.add(key)

    @cached_property
    def _new_frame(self) -> Numbers:
        """What unfinished rules remember before the first deal."""
        return self.stepper.frame(self.codec.start_match(0).memory)

    def _check_one(self, end: Positions) -> None:
        """Raise `DependsOnMore` if a match does not go on like a new one at its score."""
        score = self.codec.scores_of(end)[0]
        end.weight[:] = 1.0
        both = self.codec.begin(score), end
        keys = [self._after_step(one).tobytes() for one in both]
        if keys[0] == keys[1]:
            return
        new, old = (self._opening(score, one, key) for one, key in zip(both, keys, strict=True))
        if new != old:
            raise DependsOnMore("a deal of this game depends on more than the score before it")

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

        Ends without a question count like questions. key: of the position after its first step.
        The opening at another score is the same if it has the same course.
        """
        for known, opening in self._openings.get(key, []):
            if self._has_same_course(known, score):
                return opening
        deal, self._ended = Deal(), []
        positions, ended = self._deal_cards(deal, before), self._ended
        self._ended = None
        deal.merge_kinds()
        parts = [(positions, self._readable | STOP)]
        if ended:  # without a question: the score there counts, too
            end_fields = self._readable | {*self.codec.lasting, "#winner"}
            parts.append((join_positions(ended), end_fields))
        digest = sha256()
        for some, fields in parts:
            if len(some):
                keys = self.stepper.keys(some, fields, frame=False)
                keys = np.concatenate([keys, some.why.view(np.uint64)[:, None]], axis=1)
                first, group = find_distinct(keys)
                weights = np.bincount(group, some.weight, len(first)).round(12)
                rows = np.concatenate([keys[first], weights.view(np.uint64)[:, None]], axis=1)
                digest.update(rows.tobytes())
        if not deal.fixed and not ended:
            self._openings.setdefault(key, []).append((deal, digest.digest()))
        return digest.digest()
