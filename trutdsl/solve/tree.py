"""A deal as a tree: the information sets of each seat, and all ways in which the deal can end.

The tree is in sequence form (Koller, Megiddo and von Stengel 1996). A sequence is all choices of a
seat up to some point, with its knowledge at each; the empty one has number 0. Each end of the deal
belongs to one sequence of each seat. The gain of the seats is then a sum over the ends. Each term
is the product of the probability by chance, the probabilities of both sequences, and the worth of
the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from trutdsl.diagnostics import BadUsage
from trutdsl.language import say
from trutdsl.native.layout import HEARD, READ
from trutdsl.native.play.observation import Columns
from trutdsl.solve.branches import NOTICED, Brancher, Branches
from trutdsl.solve.compact import CompactPositions
from trutdsl.solve.information import KeyReader
from trutdsl.solve.positions import (
    Floats,
    Masks,
    Numbers,
    Positions,
    Stepper,
    find_distinct,
    hash_rows,
    mix,
)
from trutdsl.solve.steps import NO_QUESTIONS, Ends, QuestionLog, TreeQuestions

# The memory of a position for each seat: its last own choice, the number of its choices, a hash of
# what it saw at the last question, one of all that it saw, and one of the answers that it noticed
# (`NOTICED`).
SEQUENCE, CHOICES, SEEN, ALL_SEEN = range(4)
PARTS = 5
LEAST = float(np.finfo(np.float64).tiny)  # the reciprocal of anything below may be infinite
SLIPS, MORE_SLIPS = 1e-6, 1e-3  # how often a seat slips; with more, two slips exceed `EQUAL`
EQUAL = 1e-10  # of the size of all gains, the most by which equally good choices may differ


class Explorer(Brancher):
    """Takes every action of every seat, and records what the seats know.

    keeps_sights: whether to note which cards both seats see at each question. alone: whether the
    score can change before a question, so that seats see it change. start: a hash of the score
    before the deal. log: the questions so far.
    """

    def __init__(
        self,
        stepper: Stepper,
        keeps_examples: bool = False,
        keeps_sights: bool = False,
        alone: bool = False,
    ) -> None:
        super().__init__(stepper, ())
        code = stepper.code
        program = stepper.game.optimized  # without stops, as where a policy plays
        self.reader = KeyReader(program, code.setting, code.plans, stepper.classes)
        self.log = QuestionLog()
        self.start = np.zeros(1, np.uint64)
        self._keeps_examples, self._keeps_sights = keeps_examples, keeps_sights
        self._alone = alone

    def no_memories(self) -> Numbers:
        """Return the memories of the seats before a deal: none."""
        return np.zeros((1, self.stepper.setting.players, PARTS), np.int64)

    def by_policy(self, positions: Positions) -> Branches:
        """Return every action, and the memories of the seats after it."""
        memory = positions.memory
        if HEARD in self.stepper.layout.fields and self.stepper.values(memory, HEARD).any():
            raise BadUsage(
                say("cards or words pass between the seats in this deal: it cannot be solved")
            )
        # Every action is taken, whatever the score is.
        self.stepper.field(memory, READ)[:] = 0
        seat, decision = (self.stepper.number(memory, name) for name in ("#seat", "#decision"))
        self.log.numbers.update(np.unique(decision).tolist())
        sights = self.reader.open_sights(Columns(self.stepper.code, positions.memory))
        if self._keeps_sights:
            sights = [mix(now ^ self._sights(positions, s)) for s, now in enumerate(sights)]
        positions = replace(positions, memories=with_sights(positions.memories, sights))
        rows, answers, count, place = self.named_actions(positions, self.reader)
        memories = positions.memories[rows]
        where = np.flatnonzero(count > 1).astype(np.int64)
        if len(where):
            question_keys = self._note(
                positions.take(where), seat[where], decision[where], count[where]
            )
            self.log.add(question_keys)
            keys = np.zeros(len(positions), np.uint64)
            keys[where] = question_keys.key
            some = np.flatnonzero(count[rows] > 1)
            choices = sequence_of(keys[rows[some]], place[some])
            memories[some, seat[rows[some]], SEQUENCE] = choices.view(np.int64)
            memories[some, seat[rows[some]], CHOICES] += 1
        branches = Branches(rows, answers, np.ones(len(rows)), memories)
        for hearer in range(self.stepper.setting.players):
            self.hear(positions, branches, hearer, self.reader)
        return branches

    def _sights(self, positions: Positions, seat: int) -> Masks:
        """Return a hash of all that a seat sees in each position, uint64 (n,)."""
        memory = positions.memory.copy()
        none = np.zeros(len(memory), np.int64)
        self.stepper.field(memory, "#seat")[:] = seat
        seen = self.stepper.observe(memory, self.reader.fields)
        return self.reader.keys(replace(seen, decision=none), none, none.view(np.uint64))[:, 0]

    def _note(
        self, positions: Positions, seat: Numbers, decision: Numbers, count: Numbers
    ) -> TreeQuestions:
        own = positions.memories[np.arange(len(positions)), seat].view(np.uint64)
        seen = self.stepper.observe(positions.memory, self.reader.fields)
        keys = self.reader.keys(seen, count, own[:, NOTICED])
        marks = score_mark(self.reader.scores(seen))
        self.log.scores = np.union1d(self.log.scores, marks)
        if self._alone:
            changed = (marks != self.start)[:, None]
            keys = np.where(changed, mix(keys ^ marks[:, None]), keys)
        alone = Positions(
            positions.memory, positions.memories[:, :, :0].copy(), positions.weight, positions.why
        )
        return TreeQuestions(
            seat, keys[:, 0], keys[:, 1], own[:, SEQUENCE], count,
            own[:, CHOICES].astype(np.int64), decision, own[:, NOTICED], own[:, ALL_SEEN],
            alone if self._keeps_examples else None,
        )  # fmt: skip


def with_sights(memories: Numbers, sights: Sequence[Masks]) -> Numbers:
    """Return memories of the seats with what each sees now, if it is new."""
    memories = memories.copy()
    for seat, now in enumerate(sights):
        own = memories[:, seat].view(np.uint64)
        is_new = own[:, SEEN] != now
        own[:, ALL_SEEN] = np.where(is_new, mix(own[:, ALL_SEEN] ^ now), own[:, ALL_SEEN])
        own[:, SEEN] = now
    return memories


def score_mark(scores: Numbers) -> Masks:
    """Return a hash of each score, uint64 (n,); scores: int64 (n, numbers)."""
    return hash_rows([np.ascontiguousarray(scores).view(np.uint64)])[:, 0]


def sequence_of(key: Masks, action: Numbers) -> Masks:
    """Return the hash of a choice: an action, by its index, in an information set."""
    return mix(key + mix(action.view(np.uint64)))


class Level(NamedTuple):
    """Information sets after the same number of own choices: the range of them and their choices.

    starts: int64, the first choice of each set, from the start of the range.
    """

    sets: slice
    sequences: slice
    starts: Numbers


@dataclass(frozen=True)
class SeatTree:
    """The information sets of a seat where it has a choice, its sequences, and passes over them.

    keys: uint64 (sets,), ascending among those with as many choices before. decisions: int64
    (sets,), the number of each question. parents: int64 (sets,), the sequence that leads there.
    first: int64 (sets + 1,), the first sequence of each set; those of a set follow each other.
    cuts: the first set of each number of choices before, and the number of sets. examples: a
    position for each set, if they are kept.
    """

    keys: Masks
    decisions: Numbers
    parents: Numbers
    first: Numbers
    cuts: tuple[int, ...]
    examples: CompactPositions | None = None

    @property
    def sequences(self) -> int:
        """The number of sequences, including the empty one."""
        return int(self.first[-1])

    @cached_property
    def starts(self) -> Numbers:
        """The first choice of each set, int64 (sets,), without the empty sequence."""
        return self.first[:-1] - 1

    @cached_property
    def owner(self) -> Numbers:
        """The set of each choice, int64 (choices,), without the empty sequence."""
        return np.repeat(np.arange(len(self.keys)), np.diff(self.first))

    @cached_property
    def previous(self) -> Numbers:
        """The sequence before the last choice of each sequence, int64 (sequences,)."""
        return np.append(0, self.parents[self.owner])

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The sets of each number of choices before, in this order."""
        ranges = zip(self.cuts, self.cuts[1:], strict=False)
        firsts = [(slice(*ends), self.first[ends[0] : ends[1] + 1]) for ends in ranges]
        return tuple(
            Level(sets, slice(int(first[0]), int(first[-1])), first[:-1] - first[0])
            for sets, first in firsts
        )

    def plan_of(self, strategy: Floats) -> Floats:
        """Return the realization plan: the probability of each sequence by its seat's own choices.

        strategy: float64 (sequences,), the probability of each choice in its information set.
        """
        plan = np.empty(self.sequences)
        plan[0] = 1.0
        for level in self.levels:
            before = plan[self.previous[level.sequences]]
            plan[level.sequences] = strategy[level.sequences] * before
        return plan

    def strategy_of(self, weights: Floats) -> Floats:
        """Return weights of sequences, such as a plan, as shares of their information set's sum.

        The choices of a set are equally likely if that sum is nearly 0.
        """
        sums = np.add.reduceat(weights[1:], self.starts)
        positive = sums > LEAST
        scale = np.where(positive, 1 / np.where(positive, sums, 1.0), 0.0)
        even = np.where(positive, 0.0, 1 / np.diff(self.first))
        return np.append(1.0, weights[1:] * scale[self.owner] + even[self.owner])

    def induct_backward(
        self, worth: Floats, value_of: Callable[[Floats, Level], Floats]
    ) -> tuple[Floats, Floats]:
        """Return counterfactual values: of each sequence with its later choices, and of each set.

        worth: float64 (sequences,), from the ends of each sequence. value_of: returns the values of
        the sets of a level from the worth of their sequences.
        """
        worth, values = worth.copy(), np.empty(len(self.keys))
        for level in reversed(self.levels):
            values[level.sets] = value_of(worth[level.sequences], level)
            worth += np.bincount(self.parents[level.sets], values[level.sets], len(worth))
        return worth, values

    def worth_of_play(self, worth: Floats, strategy: Floats) -> tuple[Floats, Floats]:
        """Return worth and values, see `induct_backward`, if later choices follow a strategy."""
        return self.induct_backward(
            worth,
            lambda values, level: np.add.reduceat(strategy[level.sequences] * values, level.starts),
        )

    def worth_of_best(self, worth: Floats) -> tuple[Floats, Floats]:
        """Return worth and values, see `induct_backward`, if the best choices follow."""
        return self.induct_backward(
            worth, lambda values, level: np.maximum.reduceat(values, level.starts)
        )

    def plan_with_slips(self, strategy: Floats, often: float) -> Floats:
        """Return the plan of a strategy whose hand trembles so often, to any choice alike."""
        even = self.strategy_of(np.zeros(self.sequences))
        return self.plan_of(strategy + often * (even - strategy))

    def best_response(
        self, worth: Floats, after_slips: Floats | None = None
    ) -> tuple[float, Floats]:
        """Return the gain of the best choices, and their strategy; the first of equal choices.

        worth: float64 (sequences,), the gain from the ends of each sequence. after_slips: the same
        if the other seat slips rarely. Of equal choices it decides which are best, such as where
        the other seat never leads.
        """
        worth, best = self.worth_of_best(worth)
        gain = float(worth[0])
        if after_slips is not None:
            worth, best = self.worth_of_best(after_slips + self._exclude(worth, best))
        strategy = np.zeros(self.sequences)
        strategy[0] = 1.0
        strategy[1 + first_best(worth[1:], best, self.owner)] = 1.0
        return gain, strategy

    def mean_best_response(self, *worths: tuple[Floats, Floats]) -> Floats:
        """Return the strategy in which all best choices of a set are equally likely.

        worths: see `best_response`, without slips and with more and more of them, each with the sum
        of the sizes of the same gains. Differences that are tiny for this size come from rounding,
        so they count as none.
        """
        excluded = np.zeros(self.sequences)
        for worth, size in worths:
            total, best = self.worth_of_best(worth + excluded)
            _, sizes = self.worth_of_play(size, np.ones(self.sequences))
            excluded = self._exclude(total, best - EQUAL * sizes)
        return self.strategy_of(np.exp(excluded))

    def _exclude(self, worth: Floats, least: Floats) -> Floats:
        """Return what excludes worse choices if it is added; least: what a set's choices need."""
        return np.append(0.0, np.where(worth[1:] >= least[self.owner], 0.0, -np.inf))


def first_best(worth: Floats, best: Floats, owner: Numbers) -> Numbers:
    """Return the first choice of each set with the best worth; owner: the set of each choice."""
    top = np.flatnonzero(worth == best[owner])
    return top[np.diff(owner[top], prepend=-1) > 0].astype(np.int64)


@dataclass(frozen=True, eq=False)  # each is a key of its own
class DealTree:
    """A deal as a tree for two seats.

    seats: of both. ends: int32 (2, ends), the sequence of each seat. chance: float64 (ends,), the
    probability of each by chance. kinds: uint64 (kinds,), ascending; kind: int32 (ends,), see
    `kinds_of`. public_nodes: how many histories of answers lead to a choice.
    """

    seats: tuple[SeatTree, SeatTree]
    ends: NDArray[np.int32]
    chance: Floats
    kinds: Masks
    kind: NDArray[np.int32]
    public_nodes: int

    def payoffs(self, gains: Floats) -> csr_matrix:
        """Return the payoff matrix of the sequence form: what the first seat gains by chance.

        A row for each sequence of the first seat, a column for each of the other one. Ends of the
        same two sequences stay apart. gains: float64 (kinds,), of each kind of end.
        """
        rows, columns = (seat.sequences for seat in self.seats)
        starts = np.append(0, np.cumsum(np.bincount(self.ends[0], minlength=rows)))
        data: Floats = gains[self.kind]
        data *= self.chance
        return csr_matrix((data, self.ends[1], starts), (rows, columns))

    def chance_of_ends(self, plans: tuple[Floats, Floats]) -> Floats:
        """Return how likely each end is if the seats play by these plans, float64 (ends,)."""
        chances: Floats = self.chance * plans[0][self.ends[0]]
        chances *= plans[1][self.ends[1]]
        return chances


def worth_of_sequences(payoffs: csr_matrix, seat: int, other: Floats) -> Floats:
    """Return the gain of a seat from the ends of each sequence, against a plan of the other.

    payoffs: see `DealTree.payoffs`.
    """
    return payoffs @ other if seat == 0 else 0.0 - payoffs.T @ other


def grow_tree(log: QuestionLog, ends: list[Ends]) -> DealTree:
    """Return the tree of a deal.

    The log and the list are emptied, to save memory. Raises `BadUsage` if the game cannot be
    solved.
    """
    log.drop_equal()
    if log.problem:
        raise BadUsage(log.problem)
    distinct = log.blocks.pop() if log.blocks else NO_QUESTIONS
    seat_trees = [_grow(distinct, seat) for seat in range(2)]
    nodes = sum(len(np.unique(distinct.answers[distinct.seat == seat])) for seat in range(2))
    del distinct
    own, weight, kinds = map(np.concatenate, zip(*ends, strict=True))
    ends.clear()
    numbers = [
        places[np.searchsorted(names, own[:, s])] for s, (_, names, places) in enumerate(seat_trees)
    ]
    names, kind = np.unique(kinds, return_inverse=True)
    rows = np.stack([*numbers, kind], axis=1)
    first, group = find_distinct(rows)
    sums = np.bincount(group, weight).astype(np.float64)
    columns = np.ascontiguousarray(rows[first].T.astype(np.int32))
    seats = (seat_trees[0][0], seat_trees[1][0])
    return DealTree(seats, columns[:2], sums, names, columns[2], nodes)


def check_choices(trees: Iterable[DealTree]) -> None:
    """Raise `BadUsage` if no seat has a choice in any of these deals."""
    if not any(len(seat.keys) for tree in trees for seat in tree.seats):
        raise BadUsage(say("no answer changes the outcome of a deal: there is nothing to solve"))


def _grow(questions: TreeQuestions, seat: int) -> tuple[SeatTree, Masks, Numbers]:
    """Return a seat's tree; with the hash of each sequence, ascending, and its number."""
    one = np.flatnonzero(questions.seat == seat)
    one = one[np.argsort(questions.choices[one], kind="stable")]
    keys, counts = questions.key[one], questions.actions[one]
    starts = np.concatenate([[1], 1 + np.cumsum(counts)]).astype(np.int64)
    of = np.repeat(np.arange(len(one)), counts)
    place = np.arange(len(of), dtype=np.int64) + 1 - starts[of]
    names = np.concatenate([np.zeros(1, np.uint64), sequence_of(keys[of], place)])
    sorted_ = np.argsort(names)
    names = names[sorted_]
    parents = sorted_[np.searchsorted(names, questions.parent[one])].astype(np.int64)
    choices = questions.choices[one]
    levels = np.searchsorted(choices, np.arange(int(choices.max(initial=-1)) + 2))
    examples = (
        questions.examples.select(one) if isinstance(questions.examples, CompactPositions) else None
    )
    tree = SeatTree(
        keys, questions.decision[one], parents, starts, tuple(levels.tolist()), examples
    )
    return tree, names, sorted_.astype(np.int64)
