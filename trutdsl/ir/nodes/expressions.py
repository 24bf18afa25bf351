"""Expressions: nodes with a value, also what chance decides and rules that return something."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

from trutdsl.ir.types import Kind, Type
from trutdsl.source import Span


@dataclass(frozen=True)
class Node:
    """Anything with a position."""

    span: Span

    @cached_property
    def children(self) -> tuple[Node, ...]:
        """The nodes directly below, in the order of the text."""
        found: list[Node] = []
        stack = [getattr(self, field.name) for field in reversed(fields(self))]
        while stack:
            item = stack.pop()
            if isinstance(item, Node):
                found.append(item)
            elif isinstance(item, tuple):
                stack += reversed(item)
        return tuple(found)


@dataclass(frozen=True)
class Expression(Node):
    """Anything with a value."""

    type: Type


@dataclass(frozen=True)
class Const(Expression):
    """A number, yes/no (as a bool), index of a named value, or None for nobody."""

    value: int | bool | None


@dataclass(frozen=True)
class PackText(Expression):
    """A rank, suit or card by its text; none in a pack without it, and equal to nothing then."""

    kind: Kind
    text: str


@dataclass(frozen=True)
class Parameter(Expression):
    """The value of a variant's parameter, fixed for a whole match."""

    name: str


@dataclass(frozen=True)
class Local(Expression):
    """A name bound in a rule or function: slot of its frame."""

    slot: int
    name: str


@dataclass(frozen=True)
class Var(Expression):
    """A variable or counter, or the part of it that belongs to one element."""

    name: str
    index: Expression | None


@dataclass(frozen=True)
class ZoneCards(Expression):
    """The cards in a zone, as a set; a pile is gone through from its lowest card up."""

    name: str
    index: Expression | None


@dataclass(frozen=True)
class Builtin(Expression):
    """A function of the language itself, see `ir/builtins.py`."""

    name: str
    args: tuple[Expression, ...]


@dataclass(frozen=True)
class CardValue(Expression):
    """A number printed on a card, by its name in the pack."""

    name: str
    card: Expression


@dataclass(frozen=True)
class Call(Expression):
    """A `define`d function with its arguments."""

    function: str
    args: tuple[Expression, ...]
    steps: int | None = None


@dataclass(frozen=True)
class Arithmetic(Expression):
    """`+ - * div mod` of numbers; div rounds down, mod has the divisor's sign."""

    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Compare(Expression):
    """`== != < <= > >=`."""

    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Logic(Expression):
    """`and`, `or`; the right side is looked at only if the left does not settle it."""

    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Not(Expression):
    """`not x`."""

    value: Expression


@dataclass(frozen=True)
class Choice(Expression):
    """`yes if test else no`."""

    test: Expression
    yes: Expression
    no: Expression


@dataclass(frozen=True)
class Unwrap(Expression):
    """An element that must be there; a run-time error if it is none."""

    value: Expression


@dataclass(frozen=True)
class Within(Expression):
    """A number that must lie within the bounds of its type; a run-time error if it does not.

    low, high: the bounds, where they rest on parameters.
    """

    value: Expression
    low: Expression | None = None
    high: Expression | None = None


@dataclass(frozen=True)
class Member(Expression):
    """`x in SET`."""

    item: Expression
    items: Expression


@dataclass(frozen=True)
class SetLiteral(Expression):
    """`{a, b}`."""

    items: tuple[Expression, ...]


@dataclass(frozen=True)
class SetOperation(Expression):
    """`+` (either), `-` (not the right), `&` (both) of sets."""

    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Selection(Expression):
    """The cards of the pack whose suit, rank, strength or printed number is OP key; by passes."""

    attribute: str
    op: str
    key: Expression


@dataclass(frozen=True)
class Relation:
    """That one card's `attribute` is OP the `other` attribute of a second one."""

    attribute: str
    op: str
    other: str


@dataclass(frozen=True)
class Image(Expression):
    """The cards of the pack to which any of `cards` stands in all these relations; by passes."""

    relations: tuple[Relation, ...]
    cards: Expression


@dataclass(frozen=True)
class Hands(Expression):
    """Every choice of `size` of some cards, by its highest card, then the next; only gone through.

    There is one of no cards, and none of fewer than that or of more than there are.
    last: in an option, up to how many; those of fewer cards come first.
    """

    size: Expression
    cards: Expression
    last: Expression | None = None


@dataclass(frozen=True)
class Domain(Node):
    """What is gone through: a set in its order, hands, or the numbers from `items` to `last`.

    A pile is gone through from its lowest card up, sets by index, seats in play order from `start`
    if there is one. `where` is looked at when each one's turn comes.
    """

    items: Expression
    last: Expression | None
    start: Expression | None
    after: bool
    where: Expression | None


@dataclass(frozen=True)
class Quantifier(Expression):
    """`count first those any every highest lowest total` over a domain, each bound to `slot`.

    order: `highest` or `lowest`: of `first` and `those`, only the elements whose `value` is that.
    """

    kind: str
    slot: int
    domain: Domain
    value: Expression | None
    steps: int | None = None
    order: str | None = None


# ---------------------------------------------------------------- chance


@dataclass(frozen=True)
class Roll(Expression):
    """A number from low to high, all equally likely."""

    low: Expression
    high: Expression


@dataclass(frozen=True)
class RandomFrom(Expression):
    """An element of a set, all equally likely."""

    items: Expression


@dataclass(frozen=True)
class Chance(Expression):
    """Yes with the chance part/whole; `whole` is None if part is in millionths."""

    part: Expression
    whole: Expression | None


@dataclass(frozen=True)
class Do(Expression):
    """A rule with its arguments; its value is what the rule returns."""

    rule: str
    args: tuple[Expression, ...]
    steps: int | None = None


# ---------------------------------------------------------------- what only a strategy looks at


@dataclass(frozen=True)
class Legal(Expression):
    """The legal choices of an option with one choice, as a set of what is chosen."""

    option: int


@dataclass(frozen=True)
class LegalAt(Expression):
    """Whether an option with these choices is legal; without choices, whether the option is."""

    option: int
    values: tuple[Expression, ...]


@dataclass(frozen=True)
class Remembered(Expression):
    """What a policy remembers under a name; its first value is settled when it is looked at."""

    name: str
