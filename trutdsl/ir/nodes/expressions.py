"""Expressions: nodes with a value, including chance and rules that return a value."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from trutdsl.diagnostics import Span
from trutdsl.ir.types import Kind, Number, Type
from trutdsl.tree import Tree, node


@node
class Node(Tree):
    """Anything with a position."""

    plain = (*Tree.plain, "Type", "Kind")

    span: Span

    @cached_property
    def children(self) -> tuple[Node, ...]:
        """The nodes directly below, in the order of the text."""
        result: list[Node] = []
        for name in self.parts:
            part = getattr(self, name)
            if isinstance(part, Node):
                result.append(part)
            elif part and isinstance(part, tuple):
                _add_nodes(part, result)
        return tuple(result)


def _add_nodes(items: tuple[object, ...], nodes: list[Node]) -> None:
    for item in items:
        if isinstance(item, Node):
            nodes.append(item)
        elif isinstance(item, tuple):
            _add_nodes(item, nodes)


@node
class Expression(Node):
    """Anything with a value."""

    type: Type


@node
class Const(Expression):
    """A number, yes/no (as a bool), index of a named value, or None for nobody."""

    value: int | bool | None


def number(span: Span, value: int) -> Const:
    return Const(span, Number(value, value), value)


@node
class PackText(Expression):
    """A rank, suit or card by its text; none in a pack without it, and then equal to nothing."""

    kind: Kind
    text: str


@node
class Parameter(Expression):
    """The value of a variant's parameter, fixed for a whole match."""

    name: str


@node
class Local(Expression):
    """A name bound in a rule or function: slot of its frame."""

    slot: int
    name: str


@node
class Var(Expression):
    """A variable or counter, or its value for one element."""

    name: str
    index: Expression | None


@node
class ZoneCards(Expression):
    """The cards in a zone, as a set; a pile is iterated from its lowest card up."""

    name: str
    index: Expression | None


@node
class Builtin(Expression):
    """A function of the language itself, see `ir/types.py`."""

    name: str
    args: tuple[Expression, ...]


@node
class CardValue(Expression):
    """A number printed on a card, by its name in the pack."""

    name: str
    card: Expression


@node
class Call(Expression):
    """A `define`d function with its arguments."""

    function: str
    args: tuple[Expression, ...]
    steps: int | None = None


@node
class Arithmetic(Expression):
    """`+ - * div mod` of numbers; div rounds down, mod has the divisor's sign."""

    op: str
    left: Expression
    right: Expression


@node
class Compare(Expression):
    """`== != < <= > >=`."""

    op: str
    left: Expression
    right: Expression


@node
class Logic(Expression):
    """`and`, `or`; the right side is evaluated only if the left does not decide."""

    op: str
    left: Expression
    right: Expression


@node
class Not(Expression):
    """`not x`."""

    value: Expression


@node
class Choice(Expression):
    """`yes if test else no`."""

    test: Expression
    yes: Expression
    no: Expression


@node
class Unwrap(Expression):
    """An element that must exist; a run-time error if it is none."""

    value: Expression


@node
class Within(Expression):
    """A number that must lie within the bounds of its type; else a run-time error.

    low, high: the bounds, if they depend on parameters.
    """

    value: Expression
    low: Expression | None = None
    high: Expression | None = None


@node
class Member(Expression):
    """`x in SET`."""

    item: Expression
    items: Expression


@node
class SetLiteral(Expression):
    """`{a, b}`."""

    items: tuple[Expression, ...]


@node
class SetOperation(Expression):
    """`+` (either), `-` (not the right), `&` (both) of sets."""

    op: str
    left: Expression
    right: Expression


@node
class Selection(Expression):
    """The cards of the pack whose suit, rank, strength or printed number is OP key; by passes."""

    attribute: str
    op: str
    key: Expression


@node
class Relation(Tree):
    """Whether one card's `attribute` is OP the `other` attribute of a second one."""

    attribute: str
    op: str
    other: str


@node
class Image(Expression):
    """The cards of the pack with all these relations to some card of `cards`; by passes."""

    relations: tuple[Relation, ...]
    cards: Expression


@node
class Hands(Expression):
    """All hands of `size` cards from a set, by the highest card, then the next; only for iteration.

    There is one of 0 cards, and none of a negative size or of more cards than there are.
    last: in an option, the greatest size; smaller hands come first.
    """

    size: Expression
    cards: Expression
    last: Expression | None = None


@node
class Domain(Node):
    """The elements of a loop: a set in its order, hands, or the numbers from `items` to `last`.

    A pile starts with its lowest card, and sets are in the order of indices. Seats are in play
    order from `start`, if there is one. Each turn evaluates `where` when it begins.
    """

    items: Expression
    last: Expression | None = None
    start: Expression | None = None
    after: bool = False
    where: Expression | None = None


@node
class Quantifier(Expression):
    """`count first those any every highest lowest total` over a domain, each bound to `slot`.

    order: `highest` or `lowest`: for `first` and `those`, only elements with the extreme `value`.
    """

    kind: str
    slot: int
    domain: Domain
    value: Expression | None
    steps: int | None = None
    order: str | None = None


# ---------------------------------------------------------------- chance


@node
class Roll(Expression):
    """A number from low to high, all equally likely."""

    low: Expression
    high: Expression


@node
class RandomFrom(Expression):
    """An element of a set, all equally likely."""

    items: Expression


@node
class Chance(Expression):
    """Yes with the chance part/whole; `whole` is None if part is in millionths."""

    part: Expression
    whole: Expression | None


@node
class Do(Expression):
    """A call of a rule; its value is the rule's result."""

    rule: str
    args: tuple[Expression, ...]
    steps: int | None = None


Source = Roll | RandomFrom | Chance | Do  # never parts of an expression


# ---------------------------------------------------------------- only for strategies


@node
class Legal(Expression):
    """The legal choices of an option with one choice, as a set."""

    option: int


@node
class LegalAt(Expression):
    """Whether an option with these choices is legal; without choices, whether the option is."""

    option: int
    values: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Grid:
    """The numbers of a table: for every combination of keys, the last key fastest.

    lows, sizes: of each key the lowest value, and how many there are. other: for other keys.
    """

    lows: tuple[int, ...]
    sizes: tuple[int, ...]
    cells: tuple[int, ...] = field(repr=False)
    other: int


@node
class Lookup(Expression):
    """A number of a script's table, by numbers, named values and yes/no as keys."""

    table: str
    keys: tuple[Expression, ...]
    grid: Grid


@node
class Remembered(Expression):
    """A value in a policy's memory; its first value is computed at the first use."""

    name: str
