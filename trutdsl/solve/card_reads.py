"""Attributes of cards that expressions at a table read, and where the order of the pack matters.

`first card in S with highest strength` breaks ties by the order of the pack. Such a card is
*loose*: if all cards that tie are alike, only its class is determined.

Each place in the rules has *facts*: what may hold there on some path. There are none if no path
leads there. An impossible fact makes classes of cards smaller, but no result wrong.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import NamedTuple

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.nodes import Program, walk
from trutdsl.ir.types import CARDS, NAMES, Element, Kind
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
    nodes.RandomFrom, nodes.Chance, nodes.Choice, nodes.Legal, nodes.LegalAt, nodes.Remembered,
    nodes.Lookup,
)  # fmt: skip
# Nodes whose cards lie where those of their parts do.
PARTS = (
    nodes.Const, nodes.PackText, nodes.ZoneCards, nodes.Unwrap, nodes.Choice, nodes.Quantifier,
    nodes.SetLiteral, nodes.SetOperation,
)  # fmt: skip
PRINTED = "value:"  # before the name of a number that is printed on cards


@dataclass(frozen=True)
class Reachable:
    """Some path leads here."""


@dataclass(frozen=True)
class InPackOrder:
    """Cards of this pile may lie in the order of the pack."""

    pile: str


@dataclass(frozen=True)
class Refers:
    """A name or variable may stand for a card in this zone."""

    name: str
    zone: str


Fact = Reachable | InPackOrder | Refers
Facts = frozenset[Fact]
NOWHERE: Facts = frozenset()  # no path leads here


class Loose(NamedTuple):
    """A loose card, or a set of cards without one.

    key: the attribute by which it was taken. in_one_place: whether the cards that tie lie in one
    place, and no name can tell them apart. source: the set that it was taken from.
    """

    span: Span
    key: str
    in_one_place: bool
    source: nodes.Expression


@dataclass
class Bindings:
    """The names of a rule, define or answer.

    rule:    the name of the rule; empty for what can only look.
    loose:   the names that are loose. sets: names of sets, which stay as they are.
    answers: the options of the question that is answered. assigned_slots: names that may change.
    """

    rule: str = ""
    loose: dict[int, Loose] = field(default_factory=dict)
    sets: dict[int, nodes.Expression] = field(default_factory=dict)
    answers: tuple[nodes.Option, ...] = ()
    assigned_slots: frozenset[int] = frozenset()

    def name_of(self, slot: int) -> str:
        """Return the name of a slot in facts. No rule calls itself, so this is unique."""
        return f"{self.rule}:{slot}"


class CardReads(ABC):
    """Follows expressions.

    attributes: the attributes that they read; groups: sets of cards that they name. order_span:
    where the
    order of the pack matters, None if nowhere. ties: where cards that tie by a key must be alike.
    state: the facts where the current expression stands.
    """

    def __init__(self, program: Program, setting: Setting) -> None:
        self.program, self.setting = program, setting
        self.effects = Effects(program)
        self.attributes: set[str] = {"special"}
        self.groups: set[frozenset[int]] = set()
        self.order_span: Span | None = None
        self.ties: dict[tuple[Span, str], None] = {}
        self.state = NOWHERE

    @abstractmethod
    def follow_define(self, name: str) -> None:
        """Follow the body of a define."""

    @abstractmethod
    def follow_rule(self, node: nodes.Do, frame: Bindings) -> None:
        """Follow the body of a rule."""

    def note_order(self, span: Span) -> None:
        """Note that the order of the pack matters here, or a card itself."""
        self.order_span = self.order_span or span

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
            case nodes.Compare(_, _, "==" | "!=", card, nodes.Const(_, _, None)):
                self.follow(card, frame)  # whether there is one, not which
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
            case nodes.SetOperation(_, _, "-", left, nodes.SetLiteral(_, _, (card,))) if _takes_out(
                card, left, frame
            ):
                self.follow(left, frame)
                return self._require_ties_alike(self.follow(card, frame))
            case nodes.Quantifier():
                return self._quantifier(node, frame)
        self._check(node)
        for child in node.children:
            if isinstance(child, nodes.Expression):
                self.strict(child, frame)
        match node:
            case nodes.Call(_, _, name):
                self.follow_define(name)
            case nodes.Do():
                self.follow_rule(node, frame)
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
            case _ if not isinstance(node, (*KINDS, nodes.Call, nodes.Do)):
                self.note_order(node.span)

    def _read(self, name: str, card: nodes.Expression, frame: Bindings) -> None:
        self.attributes.add(name)
        self._require_ties_alike(self.follow(card, frame))

    def attribute(self, name: str) -> list[object]:
        deck = self.setting.deck
        if name == "special":
            return [card < deck.regular for card in range(len(deck.texts))]
        return list(deck.attribute(name.removeprefix(PRINTED)))

    def _require_ties_alike(self, loose: Loose | None) -> Loose | None:
        if loose is not None:
            self.ties[loose.span, loose.key] = None
        return loose

    def picks(self, node: nodes.Expression, frame: Bindings) -> None:
        """Follow a card that is moved or played; a loose one must be like all that tie with it."""
        loose = self._require_ties_alike(self.follow(node, frame))
        if loose is not None and not loose.in_one_place:
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
        in_one_place = loose is None and self._lie_in_one_place(items, frame)
        return Loose(node.span, key, in_one_place, items)

    def look_at_end(self, zone: str, span: Span) -> None:
        """Note the order where the end of a pile in the order of the pack is seen or drawn.

        A rule that looks at the end of a shuffled pile fails, and a draw from it is chance.
        """
        if InPackOrder(zone) in self.state:
            self.note_order(span)

    def is_ordered(self, items: nodes.Expression) -> bool:
        """Tell whether these cards lie in a pile, in an order of its own.

        A rule that iterates over a shuffled pile fails.
        """
        if not isinstance(items, nodes.ZoneCards):
            return False
        return self.program.zones[items.name].ordered and InPackOrder(items.name) not in self.state

    def _lie_in_one_place(self, items: nodes.Expression, frame: Bindings) -> bool:
        """Tell whether these cards lie in one place, in no order, and no name refers to any."""
        match items:
            case nodes.Local(_, _, slot) if slot in frame.sets:
                return self._lie_in_one_place(frame.sets[slot], frame)
            case nodes.Quantifier(_, _, "those", _, domain):
                return self._lie_in_one_place(domain.items, frame)
            case nodes.Legal(_, _, option) if len(frame.answers[option].binders) == 1:
                return self._lie_in_one_place(frame.answers[option].binders[0].items, frame)
            case nodes.ZoneCards(_, _, zone):
                refers = any(isinstance(f, Refers) and f.zone == zone for f in self.state)
                return not refers and not self.program.zones[zone].ordered
        return False

    def zones_of(self, node: nodes.Expression, frame: Bindings) -> frozenset[str]:
        """Return the zones in which the cards of this value may lie, if it has cards.

        A card that is named by its text is alone in its class, so it does not count. A name in a
        quantifier stands for cards of its domain, which counts.
        """
        if not holds_cards(node):
            return frozenset()
        zones = set[str]()
        for one in walk(node):
            match one:
                case nodes.ZoneCards(_, _, zone):
                    zones.add(zone)
                case nodes.Local(_, _, slot) if frame.rule:
                    zones |= self._zones_of_name(frame.name_of(slot))
                case nodes.Var(_, _, name) if frame.rule:
                    zones |= self._zones_of_name(name)
                case nodes.Builtin(_, _, name) if name in ENDS:
                    pass
                case nodes.Expression() if holds_cards(one) and not isinstance(one, PARTS):
                    return frozenset(self.program.zones)
        return frozenset(zones)

    def _zones_of_name(self, name: str) -> set[str]:
        return {fact.zone for fact in self.state if isinstance(fact, Refers) and fact.name == name}


def holds_cards(node: nodes.Expression | nodes.Variable | nodes.Memory) -> bool:
    """Tell whether this is a card or a set of cards."""
    type_ = node.type
    return type_ == CARDS or (isinstance(type_, Element) and type_.kind is Kind.CARD)


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
            return source == slot and slot not in frame.assigned_slots
    return False
