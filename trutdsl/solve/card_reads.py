"""Attributes of cards that expressions at a table read, and where the order of the pack matters.

`first card in S with highest strength` breaks ties by the order of the pack. Such a card is
*loose*: if all cards that tie are alike, only its class is determined.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.nodes import Program, walk
from trutdsl.ir.types import CARDS, NAMES, Kind
from trutdsl.solve.places import NOWHERE, InPackOrder, Refers, holds_cards
from trutdsl.table.actions import NotFixedError, constant_condition, fold
from trutdsl.table.setting import Setting

ATTRIBUTES = ("strength", "rank", "suit", "special")  # functions of the language
ENDS = ("top", "bottom")  # functions that look at the order of a pile
# Functions and names that cannot distinguish the cards of a class. Any other one counts as reading
# the card itself.
SIMPLE = "team seats_of next_seat previous_seat min max size empty openly in_sight whole ways"
PLAIN = frozenset((*SIMPLE.split(), *ENDS, *NAMES))
# Nodes that cannot either, by themselves.
KINDS = (
    nodes.Const, nodes.PackText, nodes.Parameter, nodes.Local, nodes.Var, nodes.ZoneCards,
    nodes.Builtin, nodes.Arithmetic, nodes.Compare, nodes.Logic, nodes.Not, nodes.Unwrap,
    nodes.Within, nodes.Member, nodes.SetLiteral, nodes.SetOperation, nodes.Hands, nodes.Roll,
    nodes.RandomFrom, nodes.Chance, nodes.Legal, nodes.LegalAt, nodes.Remembered,
    nodes.Lookup,
)  # fmt: skip
PRINTED = "value:"  # before the name of a number that is printed on cards


class Loose(NamedTuple):
    """A loose card, or a set of cards without one.

    key: the attribute by which it was taken; None if all that tie must be alike anyway.
    placed: whether the cards that tie lie in one place, and no name can tell them apart.
    source: the set that it was taken from.
    """

    span: Span
    key: str | None
    placed: bool
    source: nodes.Expression | None


@dataclass
class Bindings:
    """The names of a rule, define or answer.

    rule: the name of the rule; empty for what can only look.
    loose: the names that are loose. sets: names of sets, which stay as they are.
    answers: the options of the question that is answered. assigned: names that may change.
    """

    rule: str = ""
    loose: dict[int, Loose] = field(default_factory=dict)
    sets: dict[int, nodes.Expression] = field(default_factory=dict)
    answers: tuple[nodes.Option, ...] = ()
    assigned: frozenset[int] = frozenset()

    def named(self, slot: int) -> str:
        """Return the name of a slot in facts. No rule calls itself, so this is unique."""
        return f"{self.rule}:{slot}"


class CardReads:
    """Follows expressions. `state`: what may be true where they stand."""

    def __init__(self, program: Program, setting: Setting) -> None:
        self.program, self.setting = program, setting
        self.effects = Effects(program)
        self.read: set[str] = {"special"}
        self.groups: set[frozenset[int]] = set()
        self.ordered: Span | None = None
        self.ties: set[tuple[Span, str]] = set()  # where those that tie by a key must be alike
        self.state = NOWHERE
        self.run_define: Callable[[str, Bindings], None]
        self.run_rule: Callable[[nodes.Do, Bindings], None]

    def note_order(self, span: Span) -> None:
        """Note that the order of the pack matters here, or a card itself."""
        self.ordered = self.ordered or span

    # -------------------------------------------------------- expressions

    def strict(self, node: nodes.Expression, frame: Bindings) -> None:
        """Follow an expression whose value may not be loose."""
        if self.follow(node, frame) is not None:
            self.note_order(node.span)

    def follow(self, node: nodes.Expression, frame: Bindings) -> Loose | None:
        """Follow an expression, and tell whether its value is a loose card or set of cards."""
        match node:
            case nodes.Local(_, _, slot):
                return frame.loose.get(slot)
            case nodes.Unwrap(_, _, inner):
                return self.follow(inner, frame)
            case nodes.Builtin(_, _, name, args) if name in ATTRIBUTES:
                self._read(name, args[0], frame)
                return None
            case nodes.CardValue(_, _, name, card):
                self._read(PRINTED + name, card, frame)
                return None
            case nodes.Builtin(_, _, "size" | "empty", (cards,)):
                self.follow(cards, frame)
                return None
            case nodes.PackText(_, _, Kind.CARD, text):
                index = self.setting.deck.index_of(Kind.CARD, text)
                if index is not None:
                    self.groups.add(frozenset([index]))
                return None
            case nodes.Parameter(_, _, name):
                value = self.setting.parameters[name]
                if isinstance(value, frozenset):
                    self.groups.add(value)
                return None
            case nodes.Choice(_, _, test, yes, no):
                known = constant_condition(test, self.setting, self.effects)
                self.strict(test, frame)
                ways = [yes, no] if known is None else [yes if known else no]
                return self._either([self.follow(way, frame) for way in ways])
            case nodes.Logic(_, _, op, left, _) if constant_condition(
                left, self.setting, self.effects
            ) is (op == "or"):
                return self.follow(left, frame)
            case nodes.SetOperation(_, _, "-", left, nodes.SetLiteral(_, _, (card,))) if _takes_out(
                card, left, frame
            ):
                taken = self.follow(card, frame)
                self.follow(left, frame)
                return self._alike(taken)
            case nodes.Call(_, _, name, args):
                given = [self.follow(arg, frame) for arg in args]
                loose = {slot: one for slot, one in enumerate(given) if one is not None}
                self.run_define(name, Bindings(loose=loose))
                return None
            case nodes.Do(_, _, _, args):
                for arg in args:
                    self.strict(arg, frame)
                self.run_rule(node, frame)
                return None
            case nodes.Quantifier():
                return self._quantifier(node, frame)
        self._check(node)
        for child in node.children:
            if isinstance(child, nodes.Expression):
                self.strict(child, frame)
        return None

    def _check(self, node: nodes.Expression) -> None:
        """Note what may distinguish cards, or look at the order of the pack."""
        match node:
            case nodes.Builtin(_, _, name, args):
                if name not in PLAIN:
                    self.note_order(node.span)
                elif name in ENDS and isinstance(args[0], nodes.ZoneCards):
                    self.look_at_end(args[0].name, node.span)
            case nodes.Var(_, _, name, _):
                variable = self.program.variables.get(name)  # None for `dealer` and `on_lead`
                if variable is not None and variable.index is Kind.CARD:
                    self.note_order(node.span)
            case nodes.ZoneCards(_, _, name, _):
                if self.program.zones[name].index is Kind.CARD:
                    self.note_order(node.span)
            case _ if not isinstance(node, KINDS):
                self.note_order(node.span)

    def _read(self, name: str, card: nodes.Expression, frame: Bindings) -> None:
        self.read.add(name)
        loose = self.follow(card, frame)
        if loose is not None and loose.key is not None and not self._settles(loose.key, name):
            self._alike(loose)

    def _settles(self, key: str, name: str) -> bool:
        """Tell whether all cards with the same key have the same attribute."""
        keys, values = self.attribute(key), self.attribute(name)
        return len(set(zip(keys, values, strict=True))) == len(set(keys))

    def attribute(self, name: str) -> list[object]:
        """Return an attribute of every card."""
        deck = self.setting.deck
        if name == "special":
            return [card < deck.regular for card in range(len(deck.texts))]
        return list(deck.attribute(name.removeprefix(PRINTED)))

    def _alike(self, loose: Loose | None) -> Loose | None:
        """Require that all cards that tie are alike."""
        if loose is None or loose.key is None:
            return loose
        self.ties.add((loose.span, loose.key))
        return Loose(loose.span, None, False, None)

    def _either(self, ways: list[Loose | None]) -> Loose | None:
        found = [one for one in ways if one is not None]
        if len(ways) == 1 or not found:
            return ways[0]
        alike = [self._alike(one) for one in found]
        return alike[0]

    def picks(self, node: nodes.Expression, frame: Bindings) -> None:
        """Follow a card that is moved or played; a loose one must be like all that tie with it."""
        loose = self.follow(node, frame)
        if loose is not None:
            self._alike(loose)
            if not loose.placed:
                self.note_order(node.span)

    # -------------------------------------------------------- sets

    def domain(self, domain: nodes.Domain, slot: int, frame: Bindings) -> Loose | None:
        """Follow the domain of a loop; tell whether its elements are those of a loose set."""
        frame.loose.pop(slot, None)
        loose = self.follow(domain.items, frame)
        if loose is not None:
            frame.loose[slot] = loose
        for part in (domain.last, domain.start, domain.where):
            if part is not None:
                self.strict(part, frame)
        return loose

    def _quantifier(self, node: nodes.Quantifier, frame: Bindings) -> Loose | None:
        items = node.domain.items
        loose = self.domain(node.domain, node.slot, frame)
        if node.value is not None:
            self.strict(node.value, frame)
        if node.kind != "first":
            return loose if node.kind == "those" else None
        if isinstance(items, nodes.Hands):
            self.note_order(node.span)
        if items.type != CARDS or self.is_ordered(items):
            return None
        key = attribute_of(node.value, node.slot) if node.order else None
        if key is None:
            self.note_order(node.span)
            return None
        placed = loose is None and self._is_placed(items, frame)
        return Loose(node.span, key, placed, items)

    def look_at_end(self, zone: str, span: Span) -> None:
        """Note the order where the end of a pile in the order of the pack is seen or drawn.

        A rule that looks at the end of a shuffled pile fails, and a draw from it is chance.
        """
        if InPackOrder(zone) in self.state:
            self.note_order(span)

    def is_ordered(self, items: nodes.Expression) -> bool:
        """Tell whether these cards have an order of their own, or are never several.

        A rule that iterates over a shuffled pile fails.
        """
        if not isinstance(items, nodes.ZoneCards):
            return False
        is_pile, pack = self.program.zones[items.name].ordered, InPackOrder(items.name)
        return self.holds_one(items.name) or (is_pile and pack not in self.state)

    def holds_one(self, zone: str) -> bool:
        """Tell whether a zone never has more than one card."""
        capacity = self.program.zones[zone].capacity
        try:
            return capacity is not None and fold(capacity, self.setting) <= 1
        except NotFixedError:
            return False

    def _is_placed(self, items: nodes.Expression, frame: Bindings) -> bool:
        """Tell whether these cards lie in one place, in no order, and no name refers to any."""
        match items:
            case nodes.Local(_, _, slot) if slot in frame.sets:
                return self._is_placed(frame.sets[slot], frame)
            case nodes.Quantifier(_, _, "those", _, domain):
                return self._is_placed(domain.items, frame)
            case nodes.Legal(_, _, option) if len(frame.answers[option].binders) == 1:
                return self._is_placed(frame.answers[option].binders[0].items, frame)
            case nodes.ZoneCards(_, _, zone):
                refers = any(isinstance(f, Refers) and f.zone == zone for f in self.state)
                return not refers and not self.program.zones[zone].ordered
        return False

    def zones_of(self, node: nodes.Expression, frame: Bindings) -> frozenset[str]:
        """Return the zones in which the cards of this value may lie, if it has cards.

        A card that is named by its text is alone in its class, so it does not count.
        """
        if not holds_cards(node):
            return frozenset()
        return self._sources(node, frame)

    def _sources(self, node: nodes.Node, frame: Bindings) -> frozenset[str]:
        """Return the zones that a value may take its cards from."""
        found: set[str] = set()
        for one in walk(node):
            match one:
                case nodes.ZoneCards(_, _, zone):
                    found.add(zone)
                case nodes.Local(_, _, slot):
                    found |= self._zones_named(frame.named(slot))
                case nodes.Var(_, _, name):
                    found |= self._zones_named(name)
                case nodes.Call(_, _, name, _):
                    found |= self._sources(self.program.functions[name].body, Bindings())
                case nodes.Builtin(_, _, "pack_cards" | "special_pack") | nodes.Parameter():
                    found |= set(self.program.zones)
                case nodes.Legal() | nodes.Remembered() | nodes.Do():
                    found |= set(self.program.zones)
        return frozenset(found)

    def _zones_named(self, name: str) -> frozenset[str]:
        facts = self.state
        return frozenset(f.zone for f in facts if isinstance(f, Refers) and f.name == name)


def attribute_of(value: nodes.Expression | None, slot: int) -> str | None:
    """Return the attribute that a value reads of the card in a slot, None for another value."""
    match value:
        case nodes.Builtin(_, _, name, (nodes.Local(_, _, at),)) if name in ATTRIBUTES:
            return name if at == slot else None
        case nodes.CardValue(_, _, name, nodes.Local(_, _, at)):
            return PRINTED + name if at == slot else None
    return None


def _takes_out(card: nodes.Expression, items: nodes.Expression, frame: Bindings) -> bool:
    """Tell whether this is a loose card of a set that has a name and stays as it is."""
    if isinstance(card, nodes.Unwrap):
        return _takes_out(card.value, items, frame)
    loose = frame.loose.get(card.slot) if isinstance(card, nodes.Local) else None
    match loose, items:
        case Loose(_, _, _, nodes.Local(_, _, source)), nodes.Local(_, _, slot):
            return source == slot and slot not in frame.assigned
    return False
