"""The record of a deal: what the seats are asked, and the steps that read the score or end it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from trutdsl.language import say
from trutdsl.solve.compact import CompactPositions, gather_rows
from trutdsl.solve.positions import Floats, Masks, Numbers, Positions, find_distinct, hash_rows

# Questions: one for each information set.

MOST_BLOCKS = 128  # before equal information sets are dropped


class TreeQuestions(NamedTuple):
    """Questions with at least two actions, one in a row.

    seat: int64. key, check: uint64, the information set, and a second hash of it. parent: uint64,
    the last own choice, 0 for none. actions: int64, their number. choices: int64, the number of the
    seat's earlier choices. decision: int64. answers: uint64, a hash of those that the seat noticed.
    sights: uint64, a hash of all that it saw at questions, if it is kept. examples: the position of
    each, if they are kept.
    """

    seat: Numbers
    key: Masks
    check: Masks
    parent: Masks
    actions: Numbers
    choices: Numbers
    decision: Numbers
    answers: Masks
    sights: Masks
    examples: Positions | CompactPositions | None


_NONE: Numbers = np.empty(0, np.int64)
_NO_HASHES: Masks = np.empty(0, np.uint64)
NO_QUESTIONS = TreeQuestions(
    _NONE, _NO_HASHES, _NO_HASHES, _NO_HASHES, _NONE, _NONE, _NONE, _NO_HASHES, _NO_HASHES, None
)


class QuestionLog:
    """What the seats were asked in the positions of a deal.

    blocks: at least one question for each information set. numbers: of all questions, also those
    with one action. scores: uint64, a hash of each score at which a question was asked. problem:
    why the game cannot be solved, if that is known.
    """

    def __init__(self) -> None:
        self.blocks: list[TreeQuestions] = []
        self.numbers: set[int] = set()
        self.scores = np.empty(0, np.uint64)
        self.problem = ""

    def add(self, questions: TreeQuestions) -> None:
        self.blocks.append(questions)
        if len(self.blocks) > MOST_BLOCKS:
            self.drop_equal()

    def extend(self, later: QuestionLog) -> None:
        """Add all of a later log."""
        self.numbers |= later.numbers
        self.scores = np.union1d(self.scores, later.scores)
        self.problem = self.problem or later.problem
        for block in later.blocks:
            self.add(block)

    def drop_equal(self) -> None:
        """Keep one question for each information set."""
        if self.blocks:
            distinct, problem = distinct_questions(self.blocks)
            self.blocks, self.problem = [distinct], self.problem or problem


def distinct_questions(questions: Sequence[TreeQuestions]) -> tuple[TreeQuestions, str]:
    """Return one question for each information set, by seat, then by key.

    Also return why the game cannot be solved, such as because a seat forgets what it knew.
    """
    *columns, examples = zip(*questions, strict=True)
    unique = TreeQuestions._make([*map(np.concatenate, columns), None])
    first, group = find_distinct(np.stack([unique.seat.view(np.uint64), unique.key], axis=1))
    problems = (
        _problem(name)
        for name in ("check", "parent", "choices", "actions", "sights")
        if (getattr(unique, name)[first][group] != getattr(unique, name)).any()
    )
    kept_examples = None if examples[0] is None else gather_rows(examples, first)
    distinct = TreeQuestions._make([*(part[first] for part in unique[:-1]), kept_examples])
    return distinct, next(problems, "")


def _problem(column: str) -> str:
    """Return the error if positions that a seat cannot distinguish differ in this column."""
    match column:
        case "check":
            return say("two different situations of this game have the same hash")
        case "actions":
            return say("seats do not see in this game what they may choose, so it cannot be solved")
        case _:
            return say(
                "a seat no longer sees what it saw at an earlier question, so the game cannot be"
                " solved; keep it in a zone or variable that the seat may see"
            )


# Steps: those that read the score, and those that end the deal.


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


@dataclass(eq=False)  # each is a key of its own
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

    def count_steps(self) -> tuple[int, int]:
        """Return the number of steps that `merge_kinds` has left, and that of the later ones."""
        every = (*self.first, *self.questions, *self.last)
        loose = sum(len(s.answers) for s in every if isinstance(s.before, Positions))
        return sum(len(s.answers) for s in every) - loose, loose

    def merge_kinds(self) -> None:
        """Merge steps of the same kind, and compress the positions before them."""
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


def blocks_of(sizes: Floats, most: int) -> Iterator[Numbers]:
    """Yield the rows of blocks whose sizes add up to about `most`; sizes: float64 (n,), above 0."""
    before = np.cumsum(sizes) - sizes
    cuts = np.flatnonzero(np.diff(before // most)) + 1
    yield from np.split(np.arange(len(sizes), dtype=np.int64), cuts)
