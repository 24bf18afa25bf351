"""Syntax tree: expressions, chance and calls of rules."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from trutdsl.diagnostics import Span
from trutdsl.tree import Tree, node


class Audience(Enum):
    """The seats that may see a zone, a variable or a choice."""

    ALL = "all"
    OWNER = "owner"
    TEAM = "team"
    NOBODY = "nobody"


@node
class Node(Tree):
    """A piece of the text with its position."""

    span: Span


def walk(root: object) -> Iterator[Node]:
    """Yield the root and all nodes below it, outermost first."""
    stack: list[object] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack += item[::-1]
        elif isinstance(item, Node):
            yield item
            stack += [getattr(item, name) for name in item.parts[::-1]]


@node
class Word(Node):
    """A name as written."""

    text: str


@node
class Number(Node):
    """A whole number."""

    value: int


@node
class Decimal(Node):
    """A probability as a decimal, such as `0.25`; None above 1 or with too many digits."""

    millionths: int | None


@node
class Text(Node):
    """A quoted rank, suit or card of the pack; the context decides which."""

    value: str


@node
class YesNo(Node):
    """`yes` or `no`."""

    value: bool


@node
class Nothing(Node):
    """`none`: nobody, no card."""


@node
class Name(Node):
    """A name used as a value."""

    name: str


@node
class Call(Node):
    """A function with its arguments."""

    name: Word
    args: tuple[Expr, ...]


@node
class Base(Node):
    """`base`, `base(...)`: the replaced rule or `define`; args None: the present arguments."""

    args: tuple[Expr, ...] | None = None


@node
class Index(Node):
    """`NAME[x]`: the place of one seat, team, card, suit or rank."""

    name: Word
    index: Expr


@node
class Rate(Node):
    """`rate of WORDS by SEAT at "DECISION" prior A out of B`, or `opportunities of ...`.

    prior: the numbers A and B, if they are written.
    """

    kind: str
    words: Word
    seat: Expr
    decision: Word | None
    prior: tuple[Expr, ...]


@node
class Not(Node):
    """`not x`."""

    value: Expr


@node
class Negate(Node):
    """`-x`."""

    value: Expr


@node
class Binary(Node):
    """`left OP right`; op is one of `or and in not-in == != < <= > >= + - & * div mod`."""

    op: str
    left: Expr
    right: Expr


@node
class Choice(Node):
    """`yes if test else no`."""

    test: Expr
    yes: Expr
    no: Expr


@node
class SetOf(Node):
    """`{a, b}`."""

    items: tuple[Expr, ...]


@node
class Whole(Node):
    """`all of NAME`: the set of all values of a named type."""

    name: Word


@node
class Hands(Node):
    """`hands of SIZE from CARDS`: all hands of this size from these cards."""

    size: Expr
    cards: Expr


@node
class Domain(Node):
    """The elements of a loop or a quantifier.

    items, last: a set, hands, or with `last` the numbers from `items` to `last`.
    start, after: for seats, where the turn starts; with `after`, that seat itself is left out.
    where: the condition on elements, evaluated at each one's turn.
    """

    items: Expr | Hands
    last: Expr | None
    start: Expr | None
    after: bool
    where: Expr | None


@node
class Extreme(Node):
    """`with highest E`, `with lowest E` behind `first` and `those`."""

    order: str
    of: Expr


@node
class Quantifier(Node):
    """`count x in D`, `first`, `those`, `any`, `every`, `highest E for x in D`, ...

    value: the condition of `any` and `every`, or the number of `highest`, `lowest`, `total`.
    order: `highest` or `lowest`: `first` and `those` take only elements with the extreme value.
    """

    kind: str
    name: Word
    domain: Domain
    value: Expr | None
    order: str | None = None


Expr = (
    Number | Decimal | Text | YesNo | Nothing | Name | Call | Base | Index | Not | Negate | Binary
    | Rate | Choice | SetOf | Whole | Quantifier
)  # fmt: skip


@node
class Roll(Node):
    """`roll 1 to 6`."""

    low: Expr
    high: Expr


@node
class Random(Node):
    """`random from SET`."""

    items: Expr


@node
class Chance(Node):
    """`chance 1 out of 4`, or `chance P` with a probability parameter."""

    part: Expr
    whole: Expr | None


@node
class Do(Node):
    """`do RULE(...)`; `do base`, with args None, passes the present arguments on."""

    name: Word
    args: tuple[Expr, ...] | None


Value = Expr | Roll | Random | Chance | Do


# Written types.


@node
class TypeName(Node):
    """`seat`, `seat?`, `cards`, ..."""

    name: str
    optional: bool = False


@node
class TypeRange(Node):
    """`0 to 3`."""

    low: Expr
    high: Expr


@node
class TypeEnum(Node):
    """`one of a | b`."""

    values: tuple[Word, ...]


@node
class TypeSet(Node):
    """`set of TYPE`."""

    of: Type


Type = TypeName | TypeRange | TypeEnum | TypeSet
