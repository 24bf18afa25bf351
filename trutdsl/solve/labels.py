"""Labels of a deal's tree: the hand of each information set, and the answer of each choice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from trutdsl.diagnostics import Span
from trutdsl.game import Game
from trutdsl.ir import nodes
from trutdsl.ir.types import Kind
from trutdsl.solve.classes import class_names
from trutdsl.solve.positions import Bytes, Floats, Numbers, Positions
from trutdsl.solve.scores import DEALER, Score
from trutdsl.solve.steps import Deal, blocks
from trutdsl.solve.tree import DealTree, SeatTree
from trutdsl.solve.trees import ExampleTrees, ScoreEnds
from trutdsl.table.counts import name_of_option
from trutdsl.table.sight import sees

AT_ONCE = 4096  # information sets
NONE = -1


@dataclass(frozen=True)
class SeatLabels:
    """The hands and answers of a seat's choices.

    hands: int64 (sequences,), the number of the hand at the seat's first choice of the deal;
    options: int64 (sequences,), the number of the answer. Both are `NONE` before any choice. first:
    bool (sequences,), whether a choice is the first one of its set with this answer.
    """

    hands: Numbers
    options: Numbers
    first: NDArray[np.bool_]


@dataclass(frozen=True)
class KindResults:
    """The results of kinds of ends at a score.

    winner: int64 (kinds,), 1 if the first side wins the deal, -1 if the other does, 0 if nobody.
    changes: float64 (kinds, counters), how much the lead of the first side grows.
    """

    winner: Numbers
    changes: Floats


class LabelledTrees(ExampleTrees):
    """Enumerates deals as trees, with labels.

    hands: numbers of cards of each class; options: question and words; each with its number.
    without_card: the options that choose no card. labels: of both seats, by tree.
    leads: whether the dealer leads first, by tree, in games with tricks; None if it is unknown.
    results: by score.
    """

    def __init__(
        self,
        game: Game,
        start: tuple[str, ...] = (DEALER,),
        show: Callable[[str], None] = lambda _text: None,
        alone: bool = False,
        jobs: int = 1,
    ) -> None:
        super().__init__(game, start, show, alone, jobs)
        program, setting = self.stepper.program, self.stepper.setting
        self.hands: dict[tuple[int, ...], int] = {}
        self.options: dict[tuple[str, str], int] = {}
        self.without_card: set[int] = set()
        self.labels: dict[DealTree, tuple[SeatLabels, SeatLabels]] = {}
        self.leads: dict[DealTree, bool | None] = {}
        self.results: dict[Score, KindResults] = {}
        counters = [v for v in program.variables.values() if v.counter]
        self.counters = [counter.name for counter in counters]
        self._signs = np.array([counter.sign for counter in counters], np.float64)
        self._card_names = class_names(self.stepper.classes.names(setting.deck.texts))
        self._hidden_zones = [
            zone
            for zone in program.zones.values()
            if zone.index is Kind.SEAT
            and sees(zone, 0, 0, setting)
            and not sees(zone, 0, 1, setting)
        ]
        self._asked_in_tricks = self._find_asked_in_tricks()

    def _find_asked_in_tricks(self) -> Numbers:
        """Return the numbers of the questions that are asked only inside of tricks.

        Before the first trick, a game need not know who leads it.
        """
        asked: dict[bool, set[Span]] = {True: set(), False: set()}
        for node, in_trick in nodes.walk_match(self.stepper.program, nodes.TrickBlock):
            if isinstance(node, nodes.Ask):
                asked[in_trick].add(node.span)
        spans = asked[True] - asked[False]
        numbers = [plan.number for plan in self.stepper.code.plans if plan.node.span in spans]
        return np.array(numbers, np.int64)

    def hand_text(self, hand: tuple[int, ...]) -> str:
        """Return the cards of a hand as text, each by the name of its class."""
        return " ".join(self.card_text(c) for c, count in enumerate(hand) for _ in range(count))

    def card_text(self, number: int) -> str:
        """Return the name of a class of cards."""
        return self._card_names[number]

    def finish(self, deal: Deal, score: Score) -> None:
        """Label the tree of a deal that was enumerated from this score."""
        super().finish(deal, score)
        seats = self.trees[deal].seats
        one, other = (self._label(seats[seat], seat) for seat in (0, 1))
        bare = replace(seats[0], examples=None), replace(seats[1], examples=None)
        tree = self.trees[deal] = replace(self.trees[deal], seats=bare)
        self.labels[tree] = one, other
        if len(self._asked_in_tricks):
            self.leads[tree] = self._dealer_leads(seats, score.start[0])

    def _dealer_leads(self, seats: tuple[SeatTree, SeatTree], dealer: int) -> bool | None:
        """Tell who leads, by the questions in tricks before which a seat has made no choice."""
        leaders = set[int]()
        for seat in seats:
            first = _first_examples(seat).memory
            asked = np.isin(self.stepper.number(first, "#decision"), self._asked_in_tricks)
            leaders |= {*self.stepper.number(first, "on_lead")[asked].tolist()}
        return leaders == {dealer} if len(leaders) == 1 else None

    def _label(self, tree: SeatTree, seat: int) -> SeatLabels:
        options = np.full(tree.sequences, NONE, np.int64)
        hands = np.full(tree.sequences, NONE, np.int64)
        for sets in blocks(len(tree.keys), AT_ONCE):
            block = slice(int(tree.first[sets[0]]), int(tree.first[sets[-1] + 1]))
            assert tree.examples is not None
            options[block] = self._options_of(tree.examples.take(sets))
        if tree.levels:
            at_first = tree.levels[0].sequences
            hand_numbers = self._hands_of(_first_examples(tree).memory, seat)
            hands[at_first] = hand_numbers[tree.owner[: at_first.stop - 1]]
        for level in tree.levels[1:]:
            hands[level.sequences] = hands[tree.previous[level.sequences]]
        sets = np.append(NONE, tree.owner)
        once = np.zeros(tree.sequences, np.bool_)
        once[np.unique(np.stack([sets, options]), axis=1, return_index=True)[1]] = True
        return SeatLabels(hands, options, once)

    def _options_of(self, questions: Positions) -> Numbers:
        """Return the number of the answer of each action of some questions, in the tree's order."""
        rows, actions, *_ = self.explorer.named_actions(questions, self.explorer.reader)
        decisions = self.stepper.number(questions.memory, "#decision")[rows]
        numbers = np.empty(len(rows), np.int64)
        for number in np.unique(decisions).tolist():
            plan, some = self.stepper.code.plans[number], decisions == number
            names = []
            for node, option in zip(plan.node.options, plan.options, strict=True):
                key = plan.node.decision, " ".join(node.words) or name_of_option(node)
                names.append(self.options.setdefault(key, len(self.options)))
                if not any(c.cards or c.kind is Kind.CARD for c in option.choices):
                    self.without_card.add(names[-1])
            firsts = [option.first for option in plan.options]
            places = np.searchsorted(firsts, actions[some], "right") - 1
            numbers[some] = np.array(names)[places]
        return numbers

    def _hands_of(self, memory: Bytes, seat: int) -> Numbers:
        """Return the number of the hand that a seat has in each position."""
        cards = np.zeros(len(memory), np.uint64)
        for zone in self._hidden_zones:
            cards |= self.stepper.cards_in(memory, zone)[:, seat]
        counts = np.bitwise_count(cards[:, None] & self.stepper.classes.masks).astype(np.int64)
        unique, of = np.unique(counts, axis=0, return_inverse=True)
        numbers = [self.hands.setdefault(tuple(row), len(self.hands)) for row in unique.tolist()]
        return np.array(numbers, np.int64)[of.ravel()]

    def _ends(self, deal: Deal, score: Score) -> ScoreEnds:
        count = len(self.trees[deal].kinds)
        winner, changes = np.zeros(count, np.int64), np.zeros((count, len(self.counters)))
        start = self.leads_of(self.codec.begin(score), self.counters)
        for kinds, ends in self.last_steps(deal, score):
            at = np.searchsorted(self.trees[deal].kinds, kinds)
            won = self.stepper.number(ends.memory, "#deal_winner")
            winner[at] = np.where(won < 0, 0, 1 - 2 * won)
            changes[at] = (self.leads_of(ends, self.counters) - start).T * self._signs
        self.results[score] = KindResults(winner, changes)
        return super()._ends(deal, score)


def _first_examples(tree: SeatTree) -> Positions:
    """Return examples of the information sets before which a seat has made no choice."""
    assert tree.examples is not None
    count = tree.cuts[1] if len(tree.cuts) > 1 else 0
    return tree.examples.take(np.arange(count, dtype=np.int64))
