"""What the seats are asked in a deal: one question for each information set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from trutdsl.language import say
from trutdsl.solve.compact import CompactPositions, gather_rows
from trutdsl.solve.positions import Masks, Numbers, Positions, find_distinct

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
