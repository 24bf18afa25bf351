"""What a rules text says, node by node, before any name is looked up."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from trutdsl.source import Span


class Audience(Enum):
    """Who may see a zone, a variable or a choice."""

    ALL = "all"
    OWNER = "owner"
    TEAM = "team"
    NOBODY = "nobody"


@dataclass(frozen=True)
class Node:
    """A piece of the text and where it stands."""

    span: Span


@dataclass(frozen=True)
class Word(Node):
    """A name as written."""

    text: str


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True)
class Number(Node):
    """A whole number."""

    value: int


@dataclass(frozen=True)
class Text(Node):
    """A quoted rank, suit or card of the pack; which one follows from where it stands."""

    value: str


@dataclass(frozen=True)
class YesNo(Node):
    """`yes` or `no`."""

    value: bool


@dataclass(frozen=True)
class Nothing(Node):
    """`none`: nobody, no card."""


@dataclass(frozen=True)
class Name(Node):
    """A name used as a value."""

    name: str


@dataclass(frozen=True)
class Call(Node):
    """A function with its arguments."""

    name: Word
    args: tuple[Expr, ...]


@dataclass(frozen=True)
class Base(Node):
    """`base`, `base(...)`: what the replaced rule or `define` says; args None: those given."""

    args: tuple[Expr, ...] | None


@dataclass(frozen=True)
class Index(Node):
    """`NAME[x]`: the part that belongs to one seat, team, card, suit or rank."""

    name: Word
    index: Expr


@dataclass(frozen=True)
class Not(Node):
    """`not x`."""

    value: Expr


@dataclass(frozen=True)
class Negate(Node):
    """`-x`."""

    value: Expr


@dataclass(frozen=True)
class Binary(Node):
    """`left OP right`; op is one of `or and in not-in == != < <= > >= + - & * div mod`."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Choice(Node):
    """`yes if test else no`."""

    test: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True)
class SetOf(Node):
    """`{a, b}`."""

    items: tuple[Expr, ...]


@dataclass(frozen=True)
class Domain(Node):
    """What a loop or a quantifier goes through.

    items, last: a set, or with `last` the numbers from `items` to `last`.
    start, after: for seats, where the turn starts; with `after`, that seat itself is left out.
    where: which of them count; looked at when each one's turn comes.
    """

    items: Expr
    last: Expr | None
    start: Expr | None
    after: bool
    where: Expr | None


@dataclass(frozen=True)
class Quantifier(Node):
    """`count x in D`, `first`, `those`, `any`, `every`, `highest E for x in D`, ...

    value: what `any` and `every` test and `highest`, `lowest`, `total` measure.
    """

    kind: str
    name: Word
    domain: Domain
    value: Expr | None


Expr = (
    Number
    | Text
    | YesNo
    | Nothing
    | Name
    | Call
    | Base
    | Index
    | Not
    | Negate
    | Binary
    | Choice
    | SetOf
    | Quantifier
)


# ---------------------------------------------------------------- chance and calls


@dataclass(frozen=True)
class Roll(Node):
    """`roll 1 to 6`."""

    low: Expr
    high: Expr


@dataclass(frozen=True)
class Random(Node):
    """`random from SET`."""

    items: Expr


@dataclass(frozen=True)
class Chance(Node):
    """`chance 1 out of 4`, or `chance P` with a probability parameter."""

    part: Expr
    whole: Expr | None


@dataclass(frozen=True)
class Do(Node):
    """`do RULE(...)`; `do base`, with args None, hands on those that the rule was given."""

    name: Word
    args: tuple[Expr, ...] | None


Value = Expr | Roll | Random | Chance | Do


# ---------------------------------------------------------------- statements


@dataclass(frozen=True)
class Let(Node):
    """`let x = ...`, `let x: TYPE = ...`."""

    name: Word
    type: Type | None
    value: Value


@dataclass(frozen=True)
class Assign(Node):
    """`x = ...`, `x += ...`, `x -= ...`."""

    target: Expr
    op: str
    value: Value


@dataclass(frozen=True)
class Return(Node):
    """`return`, `return x`."""

    value: Value | None


@dataclass(frozen=True)
class Stop(Node):
    """Leave the loop."""


@dataclass(frozen=True)
class Next(Node):
    """Go on with the loop's next turn."""


@dataclass(frozen=True)
class Again(Node):
    """Ask the same question again."""


@dataclass(frozen=True)
class Shuffle(Node):
    """`shuffle PILE`."""

    zone: Expr


@dataclass(frozen=True)
class Draw(Node):
    """`draw from PILE to ZONE as c`; `face_up`: all see which card it is."""

    origin: Expr
    target: Expr
    face_up: bool
    name: Word | None


@dataclass(frozen=True)
class Move(Node):
    """`move CARD from ZONE to ZONE`; `under` puts it below the pile."""

    card: Expr
    origin: Expr | None
    target: Expr
    under: bool


@dataclass(frozen=True)
class MoveAll(Node):
    """`move all from ZONE to ZONE turned over`."""

    origin: Expr
    target: Expr
    under: bool
    turned: bool
    openly: bool


@dataclass(frozen=True)
class Swap(Node):
    """`swap CARD from ZONE with CARD from ZONE`."""

    card: Expr
    origin: Expr
    other: Expr
    target: Expr


@dataclass(frozen=True)
class Gather(Node):
    """`gather hand, table from SEAT into stock`: every card of these zones, seat by seat."""

    names: tuple[Word, ...]
    start: Expr | None
    target: Expr
    openly: bool


@dataclass(frozen=True)
class EndTrick(Node):
    """`end trick won by SEAT`, `end trick tied`."""

    winner: Expr | None


@dataclass(frozen=True)
class EndDeal(Node):
    """`end deal won by TEAM because REASON`."""

    winner: Expr | None
    reason: Word


@dataclass(frozen=True)
class EndMatch(Node):
    """`end match won by TEAM because REASON`, `end match drawn`."""

    winner: Expr | None
    reason: Word | None


@dataclass(frozen=True)
class Reveal(Node):
    """`reveal ZONE to SEATS`."""

    what: Expr
    seats: Expr


@dataclass(frozen=True)
class If(Node):
    """`if`, `else if`, `else`."""

    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None


@dataclass(frozen=True)
class For(Node):
    """`for x in DOMAIN:`."""

    name: Word
    domain: Domain
    body: Block


@dataclass(frozen=True)
class Repeat(Node):
    """`repeat N times`, `repeat at most N times while|until C`; `times` is None if not bounded."""

    times: Expr | None
    at_most: bool
    test: str | None
    condition: Expr | None
    body: Block


@dataclass(frozen=True)
class DealBlock(Node):
    """`deal:`: one deal, from shuffle to scoring."""

    body: Block


@dataclass(frozen=True)
class TrickBlock(Node):
    """`trick on ZONE:`: one trick, its cards on that zone."""

    zone: Word
    body: Block


@dataclass(frozen=True)
class Setup(Node):
    """`setup NAME:`: how that is settled, unless it is given beforehand."""

    name: Word
    body: Block


@dataclass(frozen=True)
class Binder(Node):
    """`card from SET`, `amount from LOW to HIGH` in an option, and the words behind it."""

    name: Word
    items: Expr
    last: Expr | None
    words: tuple[Word, ...]


@dataclass(frozen=True)
class Option(Node):
    """One thing that the asked seat may do."""

    words: tuple[Word, ...]
    binders: tuple[Binder, ...]
    condition: Expr | None
    openly: bool
    body: Block


@dataclass(frozen=True)
class Ask(Node):
    """`ask SEAT "decision":` with its options."""

    seat: Expr
    decision: Word
    audience: Audience
    options: tuple[Option, ...]


Statement = (
    Let
    | Assign
    | Do
    | Return
    | Stop
    | Next
    | Again
    | Shuffle
    | Draw
    | Move
    | MoveAll
    | Swap
    | Gather
    | EndTrick
    | EndDeal
    | EndMatch
    | Reveal
    | If
    | For
    | Repeat
    | DealBlock
    | TrickBlock
    | Setup
    | Ask
)


@dataclass(frozen=True)
class Block(Node):
    """Statements, one after the other."""

    statements: tuple[Statement, ...]


# ---------------------------------------------------------------- declarations


@dataclass(frozen=True)
class TypeName(Node):
    """`seat`, `seat?`, `cards`, ..."""

    name: str
    optional: bool


@dataclass(frozen=True)
class TypeRange(Node):
    """`0 to 3`."""

    low: Expr
    high: Expr


@dataclass(frozen=True)
class TypeEnum(Node):
    """`one of a | b`."""

    values: tuple[Word, ...]


Type = TypeName | TypeRange | TypeEnum


@dataclass(frozen=True)
class Param(Node):
    """A parameter of a rule or function; without a type it is a seat."""

    name: Word
    type: Type | None


@dataclass(frozen=True)
class Zone(Node):
    """A place where cards lie.

    index:    what there is one of these for (`seat`, `team`), or None for a shared one.
    ordered:  a pile, whose cards lie one upon the other; else cards have no order.
    audience: who may see the cards, or None if that is not said.
    capacity: the most cards it can hold, or None for the whole pack.
    content:  the cards that lie there when the match starts.
    """

    name: Word
    index: Word | None
    ordered: bool
    capacity: Expr | None
    content: Expr | None
    audience: Audience | None
    replaces: bool


@dataclass(frozen=True)
class Variable(Node):
    """Something to remember, for a match, a deal or a trick."""

    name: Word
    index: Word | None
    type: Type
    initial: Expr | None
    audience: Audience
    lifetime: str
    replaces: bool


@dataclass(frozen=True)
class Define(Node):
    """A named value worked out from others; changes nothing."""

    name: Word
    params: tuple[Param, ...]
    result: Type | None
    help: str | None
    cites: str | None
    body: Expr | Block
    replaces: bool


@dataclass(frozen=True)
class Rule(Node):
    """A named part of what happens at the table, or what comes `before` or `after` one."""

    name: Word
    params: tuple[Param, ...]
    result: Type | None
    help: str | None
    cites: str | None
    body: Block
    replaces: bool
    piece: str | None


@dataclass(frozen=True)
class Rules:
    """Everything one text declares, in its order."""

    zones: tuple[Zone, ...]
    variables: tuple[Variable, ...]
    defines: tuple[Define, ...]
    rules: tuple[Rule, ...]
