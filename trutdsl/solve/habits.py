"""The answers of scripts in the deals of a match, and the cost of each of their choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np

from trutdsl.ir.nodes import Variable, Zone
from trutdsl.ir.types import Among, Element, Kind, OneOf, SetOf, Type, YesNo
from trutdsl.language import figure, say
from trutdsl.native.play.observation import Observation
from trutdsl.solve.branches import Brancher
from trutdsl.solve.classes import class_names
from trutdsl.solve.players import player_for
from trutdsl.solve.positions import (
    Floats,
    Masks,
    Numbers,
    Positions,
    Stepper,
    find_distinct,
    hash_rows,
)
from trutdsl.solve.scores import Score, lasting_variables
from trutdsl.solve.steps import blocks
from trutdsl.solve.tree import DealTree, first_best
from trutdsl.solve.trees import TreeEnumerator
from trutdsl.syntax.ast import Audience
from trutdsl.table.match import action_of
from trutdsl.table.sight import bits_in, variables_of
from trutdsl.variant.words import Words

# What a seat sees where it is asked: the cards, and the values that tell its questions apart.

UNSEEN = np.iinfo(np.int64).min


class Item(NamedTuple):
    """An element or a value in the names of the rules; a card is the first one of its class."""

    text: str
    kind: Among | None = None

    def name(self, alike: Alike, words: Words | None) -> str:
        """Return it as a text; words: of a variant, instead of the names of the rules."""
        match self.kind:
            case Kind.CARD:
                return name_card(self.text, alike, words)
            case Kind.SUIT if words:
                return words.suit(self.text)
            case Kind.RANK if words:
                return words.rank(self.text)
            case OneOf() if words:
                return words.named_value(self.text)
        return self.text


@dataclass(frozen=True)
class PlaceSeen:
    """What a seat sees in one place of a zone or variable.

    is_own: whether it is the seat's own place, None if it is the place of no seat or team. element:
    the card, number and so on whose place it is then, if any. items: the cards, or the value.
    is_zone: whether the name is that of a zone.
    """

    name: str
    is_own: bool | None
    element: Item | None
    items: tuple[Item, ...]
    is_zone: bool

    def text(self, alike: Alike, words: Words | None) -> str:
        """Return it as a text; words: of a variant, instead of the names of the rules."""
        name = self.name
        if words:
            name = words.zone(name) if self.is_zone else words.state(name)
        if self.is_own is not None:
            name += say(" (own)") if self.is_own else say(" (other)")
        if self.element is not None:
            name += f" {self.element.name(alike, words)}"
        texts = [one.name(alike, words) for one in self.items]
        return f"{name} {' '.join(texts)}" if self.is_zone else f"{name} = {', '.join(texts)}"


# The names of all cards of a class, by the first of them.
Alike = Mapping[str, tuple[str, ...]]


def name_card(text: str, alike: Alike, words: Words | None) -> str:
    """Return the name of a card's class."""
    classes = [[words.card(name) if words else name for name in names] for names in alike.values()]
    return class_names(classes)[list(alike).index(text)]


class SeatSight:
    """What a seat sees in a deal where it is asked, without what lasts from deal to deal.

    alike: the names of the cards of each class, by the first of them.
    """

    def __init__(self, stepper: Stepper, seat: int) -> None:
        self.stepper, self.seat, self._classes = stepper, seat, stepper.classes
        names = stepper.classes.names(stepper.setting.deck.texts)
        self.alike = {cards[0]: cards for cards in names}
        self._first_names = list(self.alike)
        self._firsts = {card: cards[0] for cards in names for card in cards}
        program, lasting = stepper.program, lasting_variables(stepper.program)
        self._zones = [zone for zone in program.zones.values() if self._may_be_seen(zone)]
        self._variables = [
            variable
            for variable in variables_of(program)
            if variable.name not in lasting and self._may_be_seen(variable)
        ]
        self._names = [zone.name for zone in self._zones] + [v.name for v in self._variables]

    def _may_be_seen(self, one: Zone | Variable) -> bool:
        is_shown = f"{one.name}.shown" in self.stepper.layout.fields  # by a `reveal`
        return is_shown or one.audience is not Audience.NOBODY

    def keys_and_values(self, positions: Positions) -> tuple[Masks, Numbers]:
        """Return a hash of the question and the cards seen, and the values of variables.

        They are uint64 (n, 2), and int64 (n, places) with `UNSEEN` where the seat may not look.
        """
        seen = self.stepper.observe(positions.memory, self._names)
        columns = [seen.decision.view(np.uint64)[:, None]]
        for zone in self._zones:
            counts = np.bitwise_count(seen.zones[zone.name][:, :, None] & self._classes.masks)
            columns.append(counts.reshape(len(positions), -1).astype(np.uint64))
        return hash_rows(columns), self._values(seen)

    def _values(self, seen: Observation) -> Numbers:
        names = [variable.name for variable in self._variables]
        columns = [
            np.where(seen.seen[name], seen.variables[name].view(np.int64), UNSEEN) for name in names
        ]
        return np.concatenate([np.empty((len(seen.seat), 0), np.int64), *columns], axis=1)

    def describe(self, position: Positions, columns: Numbers) -> tuple[PlaceSeen, ...]:
        """Return what the seat sees in a position: its cards, and some places of variables.

        Cards are sorted by class, except those of piles: these stand from the lowest up. Of places
        of seats or teams, its own stands first.

        columns: int64, those of the values.
        """
        result = []
        seen = self.stepper.observe(position.memory, self._names)
        for zone in self._zones:
            masks = seen.zones[zone.name][0].tolist()
            for place in self._places(zone):
                if zone.ordered:
                    order = seen.orders[zone.name][0, place].tolist()
                    cards = [self._classes.of[card] for card in order if card >= 0]
                else:
                    cards = sorted(self._classes.of[card] for card in bits_in(masks[place]))
                if cards:
                    items = tuple(Item(self._first_names[card], Kind.CARD) for card in cards)
                    is_own = self._is_own(zone.index, place)
                    result.append(PlaceSeen(zone.name, is_own, None, items, True))
        values, first = self._values(seen)[0].tolist(), 0
        for variable in self._variables:
            index = variable.index
            for place in self._places(variable):
                if first + place not in columns:
                    continue
                element, is_own = None, self._is_own(index, place)
                if index is not None and is_own is None:
                    element = self._element(index, place + variable.first)
                value = self._value(variable.type, values[first + place])
                result.append(PlaceSeen(variable.name, is_own, element, value, False))
            first += self.stepper.setting.count(index)
        return tuple(result)

    def action_text(self, text: str) -> str:
        """Return the text of an action, with each card as the first one of its class."""
        return " ".join(self._firsts.get(word, word) for word in text.split())

    def _places(self, one: Zone | Variable) -> list[int]:
        """Return the places of a zone or variable, the seat's own one first."""
        places = range(self.stepper.setting.count(one.index))
        return sorted(places, key=lambda place: self._is_own(one.index, place) is not True)

    def _is_own(self, kind: Among | None, number: int) -> bool | None:
        """Tell whether a seat or team is the seat's own; None for all other kinds."""
        match kind:
            case Kind.SEAT:
                return number == self.seat
            case Kind.TEAM:
                return number == self.stepper.setting.team(self.seat)
        return None

    def _element(self, kind: Among, number: int) -> Item:
        is_own, setting = self._is_own(kind, number), self.stepper.setting
        if is_own is not None:
            return Item(say("own side") if is_own else say("other side"))
        if kind is Kind.CARD:
            return Item(self._first_names[self._classes.of[number]], kind)
        return Item(setting.text_of(kind, number), kind)

    def _value(self, type_: Type, number: int) -> tuple[Item, ...]:
        """Return a value of a variable; sets in an order that does not depend on the seat."""
        if number == UNSEEN:
            return (Item(say("hidden")),)
        match type_:
            case YesNo():
                return (Item(say("yes") if number else say("no")),)
            case OneOf(names):
                return (Item(names[number], type_),)
            case Element(kind):
                return (Item(say("none")) if number < 0 else self._element(kind, number),)
            case SetOf(kind):
                elements = sorted(bits_in(number), key=lambda one: self._order(kind, one))
                items = tuple(self._element(kind, one) for one in elements)
                return items or (Item(say("nothing")),)
        return (Item(str(number)),)

    def _order(self, kind: Among, number: int) -> int:
        """Return the place of an element in a set: the own one first, alike cards together."""
        if kind is Kind.CARD:
            return self._classes.of[number]
        return -1 if self._is_own(kind, number) else number


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
    computed. save: writes the play of a response that was kept to a policy file.
    """

    against: str
    gains: float
    habits: tuple[Habit, ...] = ()
    match_count: int = 0
    draws: float | None = None
    by_seat: tuple[float, ...] = ()
    note: str = ""
    save: Callable[[Path], None] | None = None


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
        strategy. The cost is what the best choice alone would gain, with the same play
        afterwards. Of variables, only those are described that differ where the seat sees the same
        cards at the same question.
        """
        own = tree.seats[side]
        worth, values = own.worth_of_play(worth, script)
        best = np.maximum.reduceat(worth[1:], own.starts)
        costs = own.plan_of(script)[own.parents] * (best - values)
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
