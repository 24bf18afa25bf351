"""Stored steps of a deal: those that read the score, and those that end the deal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from trutdsl.solve.compact import CompactPositions, gather_rows
from trutdsl.solve.positions import Floats, Masks, Numbers, Positions, find_distinct, hash_rows
from trutdsl.solve.questions import QuestionLog


class Ends(NamedTuple):
    """Ways in which a deal ends, one in a row.

    choices: uint64 (n, seats), the last own choice of each seat. weight: float64, the probability
    of each. kinds: uint64, the kind of the last step, see `kinds_of`.
    """

    choices: Masks
    weight: Floats
    kinds: Masks


def kinds_of(keys: Masks) -> Masks:
    """Return a hash of each kind of steps, uint64 (n,)."""
    return hash_rows([keys])[:, 0]


@dataclass
class Steps:
    """Steps of a deal that read counters, one of each kind, with the positions before them.

    answers: int64 (n,). fields: the fields by which kinds differ; keys: uint64 (n, 3), of each
             kind.
    after:   the positions after steps before the end, except for the score; None for other steps.
    """

    before: Positions | CompactPositions
    answers: Numbers
    fields: frozenset[str]
    keys: Masks
    after: Positions | CompactPositions | None


@dataclass
class Deal:
    """The course of a deal at some scores.

    first: steps that read the score before the deal is over; last: those that end it.
    questions: those to scripts that read the score.
    fixed: whether the score changes before the end or play depends on it, so that the deal is like
    no other.
    ends: all ends of the deal, if wanted. log: the questions to the seats, if wanted. counts: what
    happens before the ends, if it is counted.
    """

    first: list[Steps] = field(default_factory=list)
    questions: list[Steps] = field(default_factory=list)
    last: list[Steps] = field(default_factory=list)
    fixed: bool = False
    ends: list[Ends] = field(default_factory=list)
    log: QuestionLog | None = None
    counts: Floats | None = None

    def extend(self, part: Deal) -> None:
        """Add a part of the deal, which begins with other cards; its kinds are merged."""
        for name in ("first", "questions", "last", "ends"):
            getattr(self, name).extend(getattr(part, name))
        self.fixed |= part.fixed
        if self.log is None:
            self.log = part.log
        elif part.log is not None:
            self.log.extend(part.log)
        if part.counts is not None:
            self.counts = part.counts if self.counts is None else self.counts + part.counts

    def merge_kinds(self) -> None:
        """Merge steps of the same kind."""
        for name in ("first", "questions", "last"):
            setattr(self, name, _put_together(getattr(self, name)))


def _put_together(steps: list[Steps]) -> list[Steps]:
    """Return the steps, one of each kind; all have the same fields by which kinds differ."""
    by_fields: dict[frozenset[str], list[Steps]] = {}
    for some in steps:
        by_fields.setdefault(some.fields, []).append(some)
    result = []
    for fields, parts in by_fields.items():
        answers, keys = (
            np.concatenate([getattr(p, n) for p in parts]) for n in ("answers", "keys")
        )
        first, group = find_distinct(keys)
        weight = np.concatenate([part.before.weight for part in parts])
        before = gather_rows([part.before for part in parts], first)
        before = replace(before, weight=np.bincount(group, weight, len(first)).astype(np.float64))
        targets = [part.after for part in parts if part.after is not None]
        after = gather_rows(targets, first) if targets else None
        result.append(Steps(before, answers[first], fields, keys[first], after))
    return result


def blocks(count: int, size: int) -> Iterator[Numbers]:
    """Yield the rows of blocks that are small enough for the processor's cache."""
    for first in range(0, count, size):
        yield np.arange(first, min(first + size, count), dtype=np.int64)
