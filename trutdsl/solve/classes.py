"""Card classes: which cards neither the rules nor the strategies at a table can tell apart.

Two cards are of one class if every attribute that the program reads is the same for both, and
nothing depends on the order in which it goes through cards. Then exchanging the two is a symmetry
of the game (an automorphism), and deals that differ only by such exchanges count as one.

The order of cards matters where a tie is broken by it: `first card in S with highest strength`.
Such a card is *loose*: its class is determined, but not which card of the class it is. Rules
may read the attributes of a loose card, or take it out of the set that it came from. Any other use
counts as reading the card itself, and then no two cards are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.nodes import Program
from trutdsl.ir.types import CARDS, NAMES, Hands, Kind
from trutdsl.table.actions import settled
from trutdsl.table.setting import Setting

ATTRIBUTES = ("strength", "rank", "suit", "special")  # functions of the language
IN_ORDER = (CARDS, Hands())  # domains that follow the order of the pack
ENDS = ("top", "bottom")  # functions that look at the order of a pile
# Functions and names that cannot distinguish the cards of a class. Any other one counts as reading
# the card itself.
SIMPLE = "team seats_of next_seat previous_seat min max size empty openly"
PLAIN = frozenset((*SIMPLE.split(), *ENDS, *NAMES))
# Nodes that cannot either, by themselves.
KINDS = (
    nodes.Const, nodes.PackText, nodes.Parameter, nodes.Local, nodes.Var, nodes.ZoneCards,
    nodes.Builtin, nodes.Arithmetic, nodes.Compare, nodes.Logic, nodes.Not, nodes.Unwrap,
    nodes.Within, nodes.Member, nodes.SetLiteral, nodes.SetOperation, nodes.Hands, nodes.Roll,
    nodes.RandomFrom, nodes.Chance, nodes.Legal, nodes.LegalAt, nodes.Remembered,
)  # fmt: skip
PRINTED = "value:"  # before the name of a number that is printed on cards


@dataclass(frozen=True)
class CardClasses:
    """The classes of the cards at one table.

    of:   the class of each card, by its index; classes are numbered by their first cards.
    read: the attributes that rules and strategies read, as a person calls them.
    ordered: where the order of cards matters, None where it does not.
    """

    of: tuple[int, ...]
    read: tuple[str, ...]
    ordered: Span | None

    @property
    def count(self) -> int:
        """How many classes there are."""
        return max(self.of) + 1

    def sentence(self) -> str:
        """Say which differences between cards do not matter, and why."""
        cards = len(self.of)
        if self.ordered is not None:
            return f"the order of the pack matters ({self.ordered}), so all {cards} cards differ"
        unread = [name for name in ("suit", "rank") if name not in self.read]
        if self.count == cards or not unread:
            return f"all {cards} cards differ"
        names = " or ".join(unread)
        return (
            f"nothing reads the {names} of a card or its place in the pack: of {cards} cards "
            f"{self.count} differ"
        )

    def masks(self) -> list[int]:
        """Return the cards of each class, as a mask."""
        found = [0] * self.count
        for card, number in enumerate(self.of):
            found[number] |= 1 << card
        return found


def find_classes(program: Program, setting: Setting) -> CardClasses:
    """Return the classes of the cards at a table, as far as the program's text proves them."""
    uses = _Uses(program, setting)
    uses.follow()
    deck = setting.deck
    columns: list[Sequence[object]] = [
        [card < deck.regular for card in range(len(deck.texts))] if name == "special"
        else deck.attribute(name.removeprefix(PRINTED))
        for name in sorted(uses.read)
    ]  # fmt: skip
    columns += [[card in group for card in range(len(deck.texts))] for group in uses.groups]
    rows = list(zip(*columns, strict=True)) or [()] * len(deck.texts)
    if uses.ordered is None:
        uses.check_ties(rows)
    if uses.ordered is not None:
        rows = [(card,) for card in range(len(deck.texts))]
    numbers: dict[object, int] = {}
    of = tuple(numbers.setdefault(row, len(numbers)) for row in rows)
    named = tuple(sorted(name.removeprefix(PRINTED) for name in uses.read))
    return CardClasses(of, named, uses.ordered)


@dataclass
class _Frame:
    """The names of a rule that are loose; of each the set that it was taken from."""

    loose: dict[int, nodes.Expression | None] = field(default_factory=dict)


class _Uses:
    """Follows every rule, define and policy that a match at this table can reach."""

    def __init__(self, program: Program, setting: Setting) -> None:
        self.program, self.setting = program, setting
        self.effects = Effects(program)
        self.read: set[str] = {"special"}
        self.groups: set[frozenset[int]] = set()
        self.ordered: Span | None = None
        self._keys: list[tuple[nodes.Quantifier, str]] = []
        self._seen: set[tuple[str, frozenset[int]]] = set()
        self._sorted: set[str] = set()  # piles on which cards may lie in the order of the pack
        self._left: set[str] = set()  # those of them when a loop, deal or rule was left early
        self._rules: dict[tuple[str, frozenset[str]], frozenset[str]] = {}

    def follow(self) -> None:
        """Collect every use of a card."""
        for variable in self.program.variables.values():
            self._expression(variable.initial, _Frame())
        for zone in self.program.zones.values():
            if zone.content is not None:
                self._expression(zone.content, _Frame())
        self._block(self.program.rules["match"].body, _Frame())
        for policy in self.program.policies.values():
            for memory in policy.memory:
                self._expression(memory.initial, _Frame())
            for answer in policy.answers:
                self._block(answer.body, _Frame())

    def check_ties(self, rows: Sequence[object]) -> None:
        """Note an order where cards that tie by their key are of different classes."""
        deck = self.setting.deck
        for node, name in self._keys:
            key = deck.attribute(name)
            pairs = set(zip(key, rows, strict=True))
            if len(pairs) > len(set(key)):
                self.ordered = self.ordered or node.span

    # -------------------------------------------------------- statements

    def _block(self, block: nodes.Block, frame: _Frame) -> None:
        for statement in block.statements:
            self._statement(statement, frame)

    def _statement(self, node: nodes.Statement, frame: _Frame) -> None:
        match node:
            case nodes.If():
                self._if(node, frame)
            case nodes.Let(_, slot, value):
                self._bind(slot, value, frame)
            case nodes.For(_, slot, domain, body):
                self._domain(domain, slot, frame)
                if domain.items.type in IN_ORDER and not self._only_lays(body):
                    self._note_order(node.span)
                self._loop(body, frame)
            case nodes.Repeat(_, times, _, condition, body):
                for part in (times, condition):
                    if part is not None:
                        self._strict(part, frame)
                self._loop(body, frame)
            case nodes.DealBlock(_, body) | nodes.TrickBlock(_, _, body):
                self._loop(body, frame)
            case nodes.Shuffle(_, zone):
                self._places(node, frame)
                self._sorted.discard(zone.name)
            case nodes.Draw(_, origin):
                self._places(node, frame)
                self._look_in_order(origin, node.span)
            case nodes.Move(_, card, origin, target):
                self._expression(card, frame)
                self._places(node, frame)
                if self._is_pile(target) and not self._is_pile(origin) and _is_bound(card, frame):
                    self._sorted.add(target.name)
            case nodes.Gather(_, _, _, target) | nodes.MoveAll(_, _, target):
                self._places(node, frame)
                if self._is_pile(target):
                    self._sorted.add(target.name)
            case nodes.Return() | nodes.Stop() | nodes.Next() | nodes.Again():
                self._places(node, frame)
                self._left |= self._sorted
            case nodes.EndTrick() | nodes.EndDeal() | nodes.EndMatch():
                self._places(node, frame)
                self._left |= self._sorted
            case nodes.Take(_, _, values):
                for value in values:  # of cards that are alike any may be played
                    self._expression(value, frame)
            case nodes.Ask(_, seat, _, _, options):
                self._strict(seat, frame)
                self._branches([self._option(option, frame) for option in options])
            case _:
                self._places(node, frame)

    def _places(self, node: nodes.Statement, frame: _Frame) -> None:
        """Follow every expression of a statement that cannot be loose, and its blocks."""
        for child in node.children:
            if isinstance(child, nodes.Block):
                self._block(child, frame)
            elif isinstance(child, nodes.Expression) and not (
                isinstance(node, nodes.Move) and child is node.card
            ):
                self._strict(child, frame)

    def _if(self, node: nodes.If, frame: _Frame) -> None:
        ways: list[Callable[[], None]] = []
        for test, body in node.branches:
            known = settled(test, self.setting, self.effects)
            if known is False:
                continue
            self._strict(test, frame)
            ways.append(partial(self._block, body, frame))
            if known:
                break
        else:
            ways.append(partial(self._block, node.otherwise, frame))
        self._branches(ways)

    def _option(self, option: nodes.Option, frame: _Frame) -> Callable[[], None]:
        for binder in option.binders:
            self._strict(binder.items, frame)
        if settled(option.condition, self.setting, self.effects) is False:
            return lambda: None
        if option.condition is not None:
            self._strict(option.condition, frame)
        return partial(self._block, option.body, frame)

    def _branches(self, ways: Sequence[Callable[[], None]]) -> None:
        before, after = set(self._sorted), set()
        for way in ways:
            self._sorted = set(before)
            way()
            after |= self._sorted
        self._sorted = after

    def _loop(self, body: nodes.Block, frame: _Frame) -> None:
        for _ in range(2):  # in the second turn piles are sorted as the first one leaves them
            before = set(self._sorted)
            self._block(body, frame)
            self._sorted |= before | self._left

    def _only_lays(self, body: nodes.Block) -> bool:
        """Tell whether a loop over cards only moves each of them, to a pile or not."""
        moves = body.statements
        return len(moves) == 1 and isinstance(moves[0], nodes.Move)

    def _look_in_order(self, zone: nodes.ZoneCards, span: Span) -> None:
        if zone.name in self._sorted:
            self._note_order(span)

    def _bind(self, slot: int, value: nodes.Expression, frame: _Frame) -> None:
        frame.loose.pop(slot, None)
        if self._expression(value, frame):
            chosen = value.value if isinstance(value, nodes.Unwrap) else value
            of = chosen.domain.items if isinstance(chosen, nodes.Quantifier) else None
            frame.loose[slot] = of

    def _is_pile(self, zone: nodes.ZoneCards) -> bool:
        return self.program.zones[zone.name].ordered

    def _note_order(self, span: Span) -> None:
        self.ordered = self.ordered or span

    # -------------------------------------------------------- expressions

    def _strict(self, node: nodes.Expression, frame: _Frame) -> None:
        """Follow an expression whose value may not be loose."""
        if self._expression(node, frame):
            self._note_order(node.span)

    def _expression(self, node: nodes.Expression, frame: _Frame) -> bool:
        """Follow an expression, and tell whether its value is a loose card or set of cards."""
        match node:
            case nodes.Local(_, _, slot):
                return slot in frame.loose
            case nodes.Unwrap(_, _, inner):
                return self._expression(inner, frame)
            case nodes.Builtin(_, _, name, args):
                if name in ATTRIBUTES:
                    self.read.add(name)
                    for arg in args:
                        self._expression(arg, frame)
                    return False
                if name in ("size", "empty"):
                    self._expression(args[0], frame)
                    return False
                if name in ENDS and isinstance(args[0], nodes.ZoneCards):
                    self._look_in_order(args[0], node.span)
                if name not in PLAIN:
                    self._note_order(node.span)
            case nodes.CardValue(_, _, name, card):
                self.read.add(PRINTED + name)
                self._expression(card, frame)
                return False
            case nodes.PackText(_, _, Kind.CARD, text):
                index = self.setting.deck.index_of(Kind.CARD, text)
                if index is not None:
                    self.groups.add(frozenset([index]))
                return False
            case nodes.Parameter(_, _, name):
                value = self.setting.parameters[name]
                if isinstance(value, frozenset):
                    self.groups.add(value)
                return False
            case nodes.Choice(_, _, test, yes, no):
                known = settled(test, self.setting, self.effects)
                self._strict(test, frame)
                ways = [yes, no] if known is None else [yes if known else no]
                is_loose = [self._expression(way, frame) for way in ways]
                return any(is_loose)
            case nodes.SetOperation(_, _, "-", left, right) if _takes_out(right, left, frame):
                self._expression(left, frame)
                return True
            case nodes.Call(_, _, name, args):
                loose = frozenset(i for i, arg in enumerate(args) if self._expression(arg, frame))
                self._define(name, loose)
                return False
            case nodes.Do(_, _, name, args):
                for arg in args:
                    self._strict(arg, frame)
                self._rule(name)
                return False
            case nodes.Quantifier():
                return self._quantifier(node, frame)
            case _ if not isinstance(node, KINDS):
                self._note_order(node.span)
        for child in node.children:
            if isinstance(child, nodes.Expression):
                self._strict(child, frame)
        return False

    def _domain(self, domain: nodes.Domain, slot: int, frame: _Frame) -> bool:
        frame.loose.pop(slot, None)
        loose = self._expression(domain.items, frame)
        if loose:
            frame.loose[slot] = None
        for part in (domain.last, domain.start, domain.where):
            if part is not None:
                self._strict(part, frame)
        return loose

    def _quantifier(self, node: nodes.Quantifier, frame: _Frame) -> bool:
        loose = self._domain(node.domain, node.slot, frame)
        if isinstance(node.domain.items, nodes.ZoneCards) and node.kind == "first":
            self._look_in_order(node.domain.items, node.span)
        if node.value is not None:
            self._strict(node.value, frame)
        if node.domain.items.type != CARDS:
            return False
        if node.kind == "first":
            key = _attribute_of(node.value, node.slot) if node.order else None
            if key is None:
                self._note_order(node.span)
            else:
                self._keys.append((node, key))
            return True
        return loose and node.kind == "those"

    def _define(self, name: str, loose: frozenset[int]) -> None:
        if (name, loose) in self._seen:
            return
        self._seen.add((name, loose))
        frame, body = _Frame(dict.fromkeys(loose)), self.program.functions[name].body
        if isinstance(body, nodes.Block):
            self._block(body, frame)
        else:
            self._strict(body, frame)

    def _rule(self, name: str) -> None:
        before = frozenset(self._sorted)
        if (name, before) not in self._rules:
            self._rules[name, before] = before
            self._block(self.program.rules[name].body, _Frame())
            self._rules[name, before] = frozenset(self._sorted | self._left)
        self._sorted = set(self._rules[name, before])


def _attribute_of(value: nodes.Expression | None, slot: int) -> str | None:
    """Return which attribute of the card at hand this is, None for anything else."""
    match value:
        case nodes.Builtin(_, _, name, (nodes.Local(_, _, at),)) if name in ATTRIBUTES:
            return name if at == slot else None
        case nodes.CardValue(_, _, name, nodes.Local(_, _, at)):
            return name if at == slot else None
    return None


def _is_bound(card: nodes.Expression, frame: _Frame) -> bool:
    """Tell whether this is a name; of a loop over cards it stands for each of them in turn."""
    return isinstance(card, nodes.Local) and card.slot not in frame.loose


def _takes_out(right: nodes.Expression, left: nodes.Expression, frame: _Frame) -> bool:
    """Tell whether this is a loose card, alone, of the set on the left, which has a name."""
    match right, left:
        case nodes.SetLiteral(_, _, (one,)), nodes.Local(_, _, slot):
            card = one.value if isinstance(one, nodes.Unwrap) else one
            source = frame.loose.get(card.slot) if isinstance(card, nodes.Local) else None
            return isinstance(source, nodes.Local) and source.slot == slot
    return False
