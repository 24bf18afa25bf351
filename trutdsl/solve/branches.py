"""Branches of positions: the outcomes of chance, and the answers of seats.

One card represents all cards of its class in the same place. It is the last of them in the order of
the pack. So unfinished rules refer to few cards that are still in play.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trutdsl.diagnostics import BadUsage
from trutdsl.ir.types import Kind
from trutdsl.language import figure, say
from trutdsl.native import abi
from trutdsl.native.layout import READ
from trutdsl.native.play.batch import audiences_of
from trutdsl.native.play.observation import AUDIENCES, Columns, distinct_actions, legal_actions
from trutdsl.solve.information import KeyReader
from trutdsl.solve.positions import ONE, Floats, Masks, Numbers, Positions, Stepper
from trutdsl.syntax.ast import Audience
from trutdsl.table.actions import OptionPlan
from trutdsl.variant.pack import MOST_CARDS

MOST_BRANCHES = 1 << 21  # of chance at once
NOTICED = -1  # where a seat's memory has a hash of the answers that it noticed, if it needs one


class Branches(NamedTuple):
    """Branches, one in a row.

    rows: int64 (m,), the position of each; answers: int64 (m,), its outcome or action. share:
    float64 (m,), the probability of each in its position. If no player has answered yet, it is the
    number of actions that the branch represents. memories: int64 (m, seats, numbers), the memories
    of the scripts afterwards; None if they are unchanged.
    """

    rows: Numbers
    answers: Numbers
    share: Floats
    memories: Numbers | None = None

    def take(self, some: NDArray[np.bool_]) -> Branches:
        memories = None if self.memories is None else self.memories[some]
        return Branches(self.rows[some], self.answers[some], self.share[some], memories)

    def equals(self, other: Branches) -> bool:
        """Tell whether these are the same branches."""
        pairs = zip(self, other, strict=True)
        return all(np.array_equal(np.asarray(a), np.asarray(b)) for a, b in pairs)


def continue_all(positions: Positions) -> Branches:
    """Return the only branch of positions that wait for no answer."""
    count = len(positions)
    return Branches(np.arange(count, dtype=np.int64), np.zeros(count, np.int64), np.ones(count))


class NamedActions(NamedTuple):
    """The actions that differ for the asked seat, one in a row.

    rows: int64 (m,), the position of each; answers: int64 (m,). counts: int64 (n,), the number in
    each position. place: int64 (m,), the index of each in its position.
    """

    rows: Numbers
    answers: Numbers
    counts: Numbers
    place: Numbers


def join_branches(parts: list[Branches]) -> Branches:
    """Return the branches of several lists, by row, then by answer."""
    joint = [np.concatenate([part[i] for part in parts]) for i in range(3)]
    memories = [part.memories for part in parts if part.memories is not None]
    order = np.lexsort((joint[1], joint[0]))
    after = np.concatenate(memories)[order] if memories else None
    rows, answers, share = (part[order] for part in joint)
    return Branches(rows, answers, share, after)


def highest_bits(masks: Masks) -> Numbers:
    """Return the index of the highest set bit of each mask; there must be one."""
    result = masks.copy()
    for by in (1, 2, 4, 8, 16, 32):
        result |= result >> np.uint64(by)
    return np.bitwise_count(result).astype(np.int64) - 1


class ExactPlayer(ABC):
    """A player: answers for a seat, with the probability of each answer.

    reader: reads what the seat knows, if the player needs the answers that it noticed.
    by_score: whether its play depends on the score.
    """

    reader: KeyReader | None = None
    by_score = False

    @abstractmethod
    def answer(self, brancher: Brancher, positions: Positions, seat: int) -> Branches:
        """Return all answers in positions that wait for this seat, with its memory afterwards."""


class Brancher:
    """Finds the branches of positions at one table.

    players: the player of each seat. by_score: whether answers depend on each score.
    """

    def __init__(self, stepper: Stepper, players: tuple[ExactPlayer, ...]) -> None:
        self.stepper, self.players = stepper, players
        self.code = stepper.code
        self.by_score = any(player.by_score for player in players)
        self._audiences = audiences_of(self.code)

    def no_memories(self) -> Numbers:
        """Return the memories of the seats before a deal, int64 (1, seats, numbers)."""
        program = self.stepper.program
        size = abi.tape_index(program) - 1 - abi.MEMORY if program.policies else 0
        size += any(player.reader is not None for player in self.players)
        return np.zeros((1, self.stepper.setting.players, size), np.int64)

    def follow(self, positions: Positions, branches: Branches) -> Positions:
        """Return the positions after some branches of these positions, one for each branch."""
        after = positions.take(branches.rows)
        after.weight *= branches.share
        if branches.memories is not None:
            after.memories = branches.memories
        if len(after):
            self.stepper.step(after, branches.answers)
        return after

    # -------------------------------------------------------- chance

    def _chance(self, positions: Positions) -> tuple[Numbers, Numbers, Numbers]:
        """Return the kind of chance in each position, and its two numbers: int64 (n,) each."""
        names = ("#luck", "#luck_one", "#luck_two")
        kind, one, two = (self.stepper.number(positions.memory, name) for name in names)
        return kind, one, two

    def is_open(self, positions: Positions) -> NDArray[np.bool_]:
        """Tell which positions wait for chance that has several outcomes."""
        kinds, one, two = self._chance(positions)
        several: NDArray[np.bool_] = (kinds != abi.ROLL) | (one != two)
        waits: NDArray[np.bool_] = (positions.why == abi.LUCK) & several
        return waits

    def most_outcomes(self, positions: Positions) -> Floats:
        """Return a bound for the number of outcomes of chance in each position, float64 (n,).

        It is never less than for a draw of cards.
        """
        kinds, one, two = self._chance(positions)
        rolls = (positions.why == abi.LUCK) & (kinds == abi.ROLL)
        return np.maximum(np.where(rolls, two.astype(np.float64) - one + 1, 0), MOST_CARDS)

    def by_chance(self, positions: Positions) -> Branches:
        """Return the outcomes of chance in positions that wait for it.

        Raises `BadUsage` if they may be more than `MOST_BRANCHES`.
        """
        if (outcomes := float(self.most_outcomes(positions).sum())) > MOST_BRANCHES:
            raise _too_many(outcomes)
        kinds, one, two = self._chance(positions)
        parts: list[Branches] = []
        for kind in np.unique(kinds):
            rows = np.flatnonzero(kinds == kind).astype(np.int64)
            match int(kind):
                case abi.DRAW | abi.RANDOM:
                    masks = one[rows].view(np.uint64)
                    apart = self.stepper.references(positions)[rows] if kind == abi.DRAW else masks
                    total = np.bitwise_count(masks).astype(np.float64)
                    for some, bits, count in self.by_class(masks, apart):
                        parts.append(Branches(rows[some], bits, count / total[some]))
                case abi.ROLL:
                    total = (two - one + 1)[rows].astype(np.float64)
                    for step in range(int(total.max())):
                        some = np.flatnonzero(step < total).astype(np.int64)
                        answer = one[rows[some]] + step
                        parts.append(Branches(rows[some], answer, 1 / total[some]))
                case _:
                    yes = np.clip(one[rows] / two[rows], 0.0, 1.0)
                    for outcome, share in ((0, 1 - yes), (1, yes)):
                        some = np.flatnonzero(share > 0).astype(np.int64)
                        answers = np.full(len(some), outcome, np.int64)
                        parts.append(Branches(rows[some], answers, share[some]))
        return join_branches(parts)

    def by_class(self, masks: Masks, referred: Masks) -> Iterator[tuple[Numbers, Numbers, Floats]]:
        """Yield some rows, a card of each for its class, and the number of cards of that class.

        referred: the cards that stand for themselves.
        """
        for group in self.stepper.classes.masks:
            free = masks & group & ~referred
            some = np.flatnonzero(free).astype(np.int64)
            if len(some):
                count = np.bitwise_count(free[some]).astype(np.float64)
                yield some, highest_bits(free[some]), count
        for some, bits in _each_bit(masks & referred):
            yield some, bits, np.ones(len(some))

    # -------------------------------------------------------- seats

    def actions(self, positions: Positions) -> Branches:
        """Return the actions of positions that wait for a seat; equivalent actions are one.

        share: how many actions each represents.
        """
        legal, decisions = self.legal(positions)
        referred = self.stepper.references(positions)
        parts: list[Branches] = []
        for decision in np.unique(decisions):
            rows = np.flatnonzero(decisions == decision).astype(np.int64)
            for option in self.code.plans[int(decision)].options:
                masks = legal[rows]
                if not is_card(option):
                    for number in range(option.first, option.first + option.size):
                        word, bit = divmod(number, 64)
                        some = rows[(masks[:, word] >> np.uint64(bit) & ONE) == ONE]
                        answers = np.full(len(some), number, np.int64)
                        parts.append(Branches(some, answers, np.ones(len(some))))
                    continue
                cards = _cards_of(option, masks)
                apart = self._scattered_cards(positions, rows, cards)
                for some, card, count in self.by_class(cards, referred[rows] | apart):
                    parts.append(Branches(rows[some], card + option.first, count))
        return join_branches(parts)

    def _scattered_cards(self, positions: Positions, rows: Numbers, cards: Masks) -> Masks:
        """Return the cards that can be played but do not all lie in one place."""
        places = self.stepper.cards(positions.memory)[rows]
        together = ((places & cards[:, None]) == cards[:, None]).any(axis=1)
        return np.where(together, np.uint64(0), cards)

    def legal(self, positions: Positions) -> tuple[Masks, Numbers]:
        """Return the legal actions, uint64 (n, words), and the number of each question."""
        columns, every = Columns(self.code, positions.memory), slice(None)
        return columns.legal(every), columns.number("#decision", every)

    def by_policy(self, positions: Positions) -> Branches:
        """Return the answers of the seats, with the probability of each.

        The positions record what the players read.
        """
        read_mask = self.stepper.field(positions.memory, READ)
        read_mask[:] = 0
        seats = self.stepper.number(positions.memory, "#seat")
        parts: list[Branches] = []
        for seat in np.unique(seats).tolist():
            own = np.flatnonzero(seats == seat).astype(np.int64)
            waiting = positions if len(own) == len(seats) else positions.take(own)
            branches = self.players[seat].answer(self, waiting, seat)
            if waiting is not positions:
                read_mask[own] = self.stepper.field(waiting.memory, READ)
            parts.append(branches._replace(rows=own[branches.rows]))
        answered = join_branches(parts)
        for seat, player in enumerate(self.players):
            if player.reader is not None:
                self.hear(positions, answered, seat, player.reader)
        return answered

    def hear(
        self, positions: Positions, branches: Branches, hearer: int, reader: KeyReader
    ) -> None:
        """Add answers to those that a seat has noticed, in `branches.memories`."""
        assert branches.memories is not None
        seat, decision = (
            self.stepper.number(positions.memory, n)[branches.rows] for n in ("#seat", "#decision")
        )
        audience = self._audiences[decision, branches.answers]
        some = np.flatnonzero((seat == hearer) | (audience == AUDIENCES.index(Audience.ALL)))
        names = reader.action_names[seat[some], decision[some], branches.answers[some]]
        branches.memories[some, hearer, NOTICED] = reader.hash_answer(
            branches.memories[some, hearer, NOTICED].view(np.uint64), seat[some],
            np.full(len(some), hearer, np.int64), names,
        ).view(np.int64)  # fmt: skip

    def named_actions(self, positions: Positions, reader: KeyReader) -> NamedActions:
        """Return all actions by row, then by name.

        This order depends only on what the asked seat knows. Only the first of several actions with
        one name counts.
        """
        every = self.actions(positions)
        seat, decision = (
            self.stepper.number(positions.memory, n)[every.rows] for n in ("#seat", "#decision")
        )
        names = reader.action_names[seat, decision, every.answers]
        first, count = distinct_actions(every.rows, names, len(positions))
        if len(first) < len(names) and not self.stepper.classes.all_differ:
            again = np.setdiff1d(np.arange(len(names)), first)[0]
            span = self.code.plans[int(decision[again])].node.span
            text = (
                "{span}: a seat chooses between alike cards, and the rules or a script still have "
                "one of them under a name or in a variable; end the name before, as in a rule of "
                "its own"
            )
            raise BadUsage(say(text, span=span))
        rows, answers = every.rows[first], every.answers[first]
        place = np.arange(len(rows), dtype=np.int64) - (np.cumsum(count) - count)[rows]
        return NamedActions(rows, answers, count, place)

    def stand_ins(self, positions: Positions, legal: Masks, ranks: Numbers) -> Numbers:
        """Return the actions that stand for those of these ranks among the legal ones."""
        rows, actions = legal_actions(legal)
        count = np.bincount(rows, minlength=len(legal))
        numbers: Numbers = actions[np.cumsum(count) - count + ranks]
        decisions = self.stepper.number(positions.memory, "#decision")
        referred = self.stepper.references(positions)
        for decision in np.unique(decisions):
            rows = np.flatnonzero(decisions == decision).astype(np.int64)
            for option in self.code.plans[int(decision)].options:
                if not is_card(option):
                    continue
                inside = (numbers[rows] >= option.first) & (
                    numbers[rows] < option.first + option.size
                )
                some = rows[inside]
                if not len(some):
                    continue
                cards = _cards_of(option, legal[some])
                apart = referred[some] | self._scattered_cards(positions, some, cards)
                answers = numbers[some] - option.first
                alone = (apart >> answers.view(np.uint64) & ONE) == ONE
                of = np.array(self.stepper.classes.of, np.int64)
                alike = cards & self.stepper.classes.masks[of[answers]] & ~apart
                numbers[some] = np.where(
                    alone, numbers[some], option.first + highest_bits(np.where(alone, ONE, alike))
                )
        return numbers


def _too_many(outcomes: float) -> BadUsage:
    text = "chance has about {count} million outcomes at once, more than {most} million"
    count, most = (figure(number / 1e6, ",.0f") for number in (outcomes, MOST_BRANCHES))
    return BadUsage(say(text, count=count, most=most))


def is_card(option: OptionPlan) -> bool:
    """Tell whether an option has one choice, of a card."""
    return len(option.choices) == 1 and option.choices[0].kind is Kind.CARD


def _cards_of(option: OptionPlan, legal: Masks) -> Masks:
    """Return the cards that can be chosen in an option, from the legal actions."""
    word, shift = divmod(option.first, 64)
    return legal[:, word] >> np.uint64(shift) & np.uint64((1 << option.size) - 1)


def _each_bit(masks: Masks) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield, for each bit of any mask, the rows that have it, and the bit's index for each."""
    union = int(np.bitwise_or.reduce(masks, initial=np.uint64(0)))
    while union:
        bit = (union & -union).bit_length() - 1
        some = np.flatnonzero(masks >> np.uint64(bit) & ONE).astype(np.int64)
        yield some, np.full(len(some), bit, np.int64)
        union &= union - 1
