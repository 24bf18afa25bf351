"""The answers of scripts in the deals of a match, and the cost of each of their choices."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np

from trutdsl.language import figure, say
from trutdsl.solve.branches import Brancher
from trutdsl.solve.equilibrium import Seat, first_best
from trutdsl.solve.players import player_for
from trutdsl.solve.positions import Floats, Masks, Numbers, Positions, find_distinct
from trutdsl.solve.scores import Score
from trutdsl.solve.situations import Alike, PlaceSeen, SeatSight, name_card
from trutdsl.solve.steps import blocks
from trutdsl.solve.tree import DealTree
from trutdsl.solve.trees import TreeEnumerator
from trutdsl.table.match import action_of
from trutdsl.variant.words import Words

AT_ONCE = 4096  # questions
MOST_HABITS = 10
ROUNDING = 1e-12  # costs up to this are none
MOST_LOOKED_AT = 1000  # habits of one deal, before those with equal texts are added


@dataclass(frozen=True)
class Habit:
    """A costly choice of a script, with the names of the rules.

    decision: the question. sight: what the seat sees, see `ScriptReader.habits`. answer: the usual
    one of the script, and its share. best: the best answer. costs: in matches or points. alike: the
    names of the cards of each class, by the first one, which stands in the other fields.
    """

    decision: str
    sight: tuple[PlaceSeen, ...]
    answer: str
    share: float
    best: str
    costs: float
    alike: Alike = field(compare=False, repr=False)

    def situation_text(self, words: Words | None = None) -> str:
        """Return what the seat sees; words: of a variant, instead of the names of the rules."""
        return "; ".join(seen.text(self.alike, words) for seen in self.sight)

    def answer_text(self, words: Words | None = None) -> str:
        """Return what the script chooses, and the best answer; words: see `situation_text`."""
        answer, best = (self._action_text(text, words) for text in (self.answer, self.best))
        if self.share < 1:
            answer = f"{answer} ({figure(self.share, '.0%')})"
        if self.answer == self.best:
            return say("{said} too seldom", said=answer)
        return say("{said}, not {text}", said=answer, text=best)

    def _action_text(self, text: str, words: Words | None) -> str:
        def name(choice: str) -> str:
            if choice in self.alike:
                return name_card(choice, self.alike, words)
            return words.of_choice(choice) if words else choice

        return words.action(text, name) if words else " ".join(map(name, text.split()))


@dataclass(frozen=True)
class ScriptResponse:
    """A response to a script: the best one, or one that was learned.

    gains: the share of matches that it wins, or the points that it gains in a deal.
    match_count: the number of matches played for that, 0 for exact gains. draws: the share of drawn
    matches, None if it was not computed. by_seat: the gains on each seat, of exact responses in a
    match. habits: the costliest ones of the script in the first deal. note: how the gains were
    computed.
    """

    against: str
    gains: float
    habits: tuple[Habit, ...] = ()
    match_count: int = 0
    draws: float | None = None
    by_seat: tuple[float, ...] = ()
    note: str = ""


class ScriptReader:
    """Reads the answers of a script, or of `UNIFORM` play, at the information sets of deals."""

    def __init__(self, deals: TreeEnumerator, name: str) -> None:
        self.deals, self.name = deals, name
        self._brancher = Brancher(deals.stepper, (player_for(deals.stepper, name),) * 2)
        self._known: dict[tuple[int, bytes], Floats] = {}

    def strategy_at(self, tree: DealTree, score: Score, seat: int) -> Floats:
        """Return the strategy in a deal at a score, float64 (sequences,).

        If it does not depend on the score, equal information sets share it.
        """
        mark = seat, blake2b(tree.seats[seat].keys.tobytes()).digest()
        if mark in self._known:
            return self._known[mark]
        strategy, depends = self._ask(tree, score, seat)
        if not depends:
            self._known[mark] = strategy
        return strategy

    def _ask(self, tree: DealTree, score: Score, seat: int) -> tuple[Floats, bool]:
        """Return the strategy, and whether it depends on the score."""
        own, deals, brancher = tree.seats[seat], self.deals, self._brancher
        strategy, depends = np.zeros(own.sequences), False
        strategy[0] = 1.0
        for sets in blocks(len(own.keys), AT_ONCE):
            positions = self._examples(tree, score, seat, sets)
            positions.memories = np.repeat(brancher.no_memories(), len(sets), axis=0)
            rows, answers, *_ = deals.explorer.named_actions(positions, deals.explorer.reader)
            branches = brancher.by_policy(positions)
            depends |= bool(deals.reads_score(positions).any())
            pairs, targets = rows << 32 | answers, branches.rows << 32 | branches.answers
            order = np.argsort(pairs)
            places = order[np.searchsorted(pairs[order], targets)]
            np.add.at(strategy, own.first[sets[0]] + places, branches.share)
        return strategy, depends

    def _examples(self, tree: DealTree, score: Score, seat: int, sets: Numbers) -> Positions:
        """Return a position for each of these information sets."""
        examples = tree.seats[seat].examples
        assert examples is not None
        positions = examples.take(sets)
        self.deals.codec.set_values(positions, score)
        return positions

    def habits(
        self, tree: DealTree, score: Score, side: int, worth: Floats, script: Floats
    ) -> list[Habit]:
        """Return the costliest choices on a side in a deal.

        worth: what the ends of each sequence bring the side against the response. script: its
        strategy. The cost of a choice is the gain of the best other one, with the same play
        afterwards. Of variables, only those are described that differ where the seat sees the same
        cards at the same question.
        """
        own = Seat(tree.seats[side])
        worth, values = own.worth_of_play(worth, script)
        best = np.maximum.reduceat(worth[1:], own.starts)
        costs = own.plan_of(script)[own.tree.parents] * (best - values)
        better = 1 + first_best(worth[1:], best, own.owner)
        worst = np.argsort(-costs, kind="stable")[:MOST_LOOKED_AT].astype(np.int64)
        worst = worst[costs[worst] > ROUNDING]
        sight = SeatSight(self.deals.stepper, side)
        differ = self._values_that_differ(tree, score, sight, worst)
        return [
            self._describe(
                tree, score, sight, number, columns, script, int(better[number]), costs[number]
            )
            for number, columns in zip(worst.tolist(), differ, strict=True)
        ]

    def _values_that_differ(
        self, tree: DealTree, score: Score, sight: SeatSight, sets: Numbers
    ) -> list[Numbers]:
        """Return, for each set, the columns of values that differ between sets like it.

        These are the sets with the same question, where the seat sees the same cards.
        """
        decisions = tree.seats[sight.seat].decisions

        def keys_of(block: Numbers) -> tuple[Masks, Numbers]:
            return sight.keys_and_values(self._examples(tree, score, sight.seat, block))

        if not len(sets):
            return []
        keys, first_values = keys_of(sets)
        differ = np.zeros(first_values.shape, np.bool_)
        alike = np.flatnonzero(np.isin(decisions, decisions[sets]))
        for rows in blocks(len(alike), AT_ONCE):
            others, values = keys_of(alike[rows].astype(np.int64))
            _, group = find_distinct(np.concatenate([keys, others]))
            order = np.argsort(group, kind="stable")
            starts = np.flatnonzero(np.diff(group[order], prepend=-1))
            values = np.concatenate([first_values, values])[order]
            least, most = (which.reduceat(values, starts) for which in (np.minimum, np.maximum))
            differ |= (least != most)[group[: len(sets)]]
        return [np.flatnonzero(row).astype(np.int64) for row in differ]

    def _describe(
        self,
        tree: DealTree,
        score: Score,
        sight: SeatSight,
        number: int,
        columns: Numbers,
        script: Floats,
        better: int,
        costs: float,
    ) -> Habit:
        """Return what the script does at an information set; columns: of values."""
        own, deals = tree.seats[sight.seat], self.deals
        position = self._examples(tree, score, sight.seat, np.array([number], np.int64))
        answers = deals.explorer.named_actions(position, deals.explorer.reader).answers
        plan = deals.stepper.code.plans[int(own.decisions[number])]

        def text(place: int) -> str:
            action = int(answers[place])
            which = plan.option_of(action)
            option = plan.options[which].values(action)
            node = plan.node.options[which]
            return sight.action_text(action_of(deals.stepper.setting, node, which, option).text)

        first, end = own.first[number : number + 2].tolist()
        shares, best = script[first:end].round(9).tolist(), better - first
        usual = max(range(len(shares)), key=lambda place: (shares[place], place != best))
        return Habit(
            plan.node.decision, sight.describe(position, columns), text(usual), shares[usual],
            text(best), float(costs), sight.alike,
        )  # fmt: skip
