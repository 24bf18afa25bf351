"""Syntax tree: statements, questions, options and declarations."""

from __future__ import annotations

from trutdsl.syntax.ast.expressions import Audience, Do, Domain, Expr, Node, Type, Value, Word
from trutdsl.tree import Tree, node


@node
class Let(Node):
    """`let x = ...`, `let x: TYPE = ...`."""

    name: Word
    type: Type | None
    value: Value


@node
class Assign(Node):
    """`x = ...`, `x += ...`, `x -= ...`."""

    target: Expr
    op: str
    value: Value


@node
class Return(Node):
    """`return`, `return x`."""

    value: Value | None = None


@node
class Stop(Node):
    """Leave the loop."""


@node
class Next(Node):
    """Continue with the loop's next turn."""


@node
class Again(Node):
    """Ask the same question again."""


@node
class Shuffle(Node):
    """`shuffle PILE`."""

    zone: Expr


@node
class Draw(Node):
    """`draw from PILE to ZONE as c`; `face_up`: all see the card."""

    origin: Expr
    target: Expr
    face_up: bool
    name: Word | None


@node
class Move(Node):
    """`move CARD from ZONE to ZONE`; `under` puts it below the pile."""

    card: Expr
    origin: Expr | None
    target: Expr
    under: bool


@node
class MoveAll(Node):
    """`move all from ZONE to ZONE turned over`."""

    origin: Expr
    target: Expr
    under: bool
    turned: bool
    openly: bool


@node
class Swap(Node):
    """`swap CARD from ZONE with CARD from ZONE`."""

    card: Expr
    origin: Expr
    other: Expr
    target: Expr


@node
class Gather(Node):
    """`gather hand, table from SEAT into stock`: every card of these zones, seat by seat."""

    names: tuple[Word, ...]
    start: Expr | None
    target: Expr
    openly: bool


@node
class EndTrick(Node):
    """`end trick won by SEAT`, `end trick tied`."""

    winner: Expr | None = None


@node
class EndDeal(Node):
    """`end deal won by TEAM because REASON`."""

    winner: Expr | None
    reason: Word


@node
class EndMatch(Node):
    """`end match won by TEAM because REASON`, `end match drawn`."""

    winner: Expr | None
    reason: Word | None


@node
class Reveal(Node):
    """`reveal ZONE to SEATS`."""

    what: Expr
    seats: Expr


@node
class Announce(Node):
    """`announce VALUE as "WORDS" by SEAT to SEATS`; to: None for all."""

    value: Expr
    words: str | None
    speaker: Expr | None
    to: Expr | None


@node
class Look(Node):
    """`look at CARD by SEAT as c`: that seat sees the card, and all see that it looks."""

    card: Value
    seat: Expr
    name: Word | None


@node
class Given(Node):
    """`let x = VALUE` after `if`: whether there is a value; then `x` is it."""

    name: Word
    value: Value


@node
class If(Node):
    """`if`, `else if`, `else`."""

    branches: tuple[tuple[Expr | Given, Block], ...]
    otherwise: Block | None


@node
class For(Node):
    """`for x in DOMAIN:`."""

    name: Word
    domain: Domain
    body: Block


@node
class Repeat(Node):
    """`repeat N times`, `repeat at most N times while|until C`; `times` is None if not bounded."""

    times: Expr | None
    test: str | None
    condition: Expr | None
    body: Block


@node
class DealBlock(Node):
    """`deal:`: one deal, from shuffle to scoring."""

    body: Block


@node
class TrickBlock(Node):
    """`trick on ZONE:`: one trick, its cards on that zone."""

    zone: Word
    body: Block


@node
class Setup(Node):
    """`setup NAME:`: sets up a zone or variable, unless its state is given."""

    name: Word
    body: Block


@node
class Binder(Node):
    """`card from SET`, `amount from LOW to HIGH` in an option, and the words after it.

    of: the set in `from LOW to HIGH cards of SET`; then `last` may be missing.
    step: that of `from LOW to HIGH by STEP`.
    """

    name: Word
    items: Expr
    last: Expr | None
    of: Expr | None
    words: tuple[Word, ...]
    step: Expr | None = None


@node
class Option(Node):
    """One option of a question."""

    words: tuple[Word, ...]
    binders: tuple[Binder, ...]
    condition: Expr | None
    openly: bool
    body: Block
    passes: bool = False


@node
class Placed(Node):
    """`options NAME(...)` in a question: those of a group; `body` follows the chosen one.

    The name is `base` for the options that a group replaces; with its own arguments if `args`
    is None.
    """

    name: Word
    args: tuple[Expr, ...] | None
    body: Block


LEAVE_IT = ("leave", "it")


@node
class Ask(Node):
    """`ask SEAT "decision":` with its options.

    With `any x in SEATS` as its seat, one of these answers for all, or leaves it to the next.
    """

    seat: Expr
    decision: Word
    audience: Audience
    options: tuple[Option | Placed, ...]


Statement = (
    Let | Assign | Do | Return | Stop | Next | Again | Shuffle | Draw | Move | MoveAll | Swap
    | Gather | EndTrick | EndDeal | EndMatch | Reveal | Look | Announce | If | For | Repeat
    | DealBlock
    | TrickBlock | Setup | Ask
)  # fmt: skip


@node
class Block(Node):
    """Statements, one after the other."""

    statements: tuple[Statement, ...]


# Declarations: zones, variables, defines and rules.


@node
class Param(Node):
    """A parameter of a rule or function; without a type it is a seat."""

    name: Word
    type: Type | None


@node
class NamedType(Node):
    """A name for a type."""

    replaces: bool
    name: Word
    type: Type


@node
class Zone(Node):
    """A place for cards.

    index:    the owners, one place each (`seat`, `team`), or None for a shared zone.
    ordered:  a pile, whose cards lie one on another; otherwise cards have no order.
    audience: who may see the cards, or None if the text does not say.
    capacity: the most cards it can hold, or None for the whole pack.
    content:  the cards in it when the match starts.
    """

    replaces: bool
    name: Word
    index: Word | None
    ordered: bool
    capacity: Expr | None
    content: Expr | None
    audience: Audience | None


@node
class Variable(Node):
    """A stored value, for a match, a deal or a trick."""

    replaces: bool
    name: Word
    index: Word | Type | None
    type: Type
    initial: Expr | None
    audience: Audience | None
    lifetime: str = ""


@node
class Define(Node):
    """A named expression; it changes nothing."""

    replaces: bool
    name: Word
    params: tuple[Param, ...]
    result: Type | None
    help: str | None
    cites: str | None
    body: Expr | Block


HOOKS = {"deal": "a deal is over", "match": "the match is over"}


@node
class Rule(Node):
    """A named part of play, or a piece of one.

    piece: `before` or `after` another rule, or `when`: then the name is one of `HOOKS`.
    """

    replaces: bool
    name: Word
    params: tuple[Param, ...]
    result: Type | None
    help: str | None
    cites: str | None
    body: Block
    piece: str | None


@node
class Group(Node):
    """`options NAME(...)`: options that several questions share."""

    replaces: bool
    name: Word
    params: tuple[Param, ...]
    help: str | None
    cites: str | None
    options: tuple[Option | Placed, ...]


@node
class Addition(Node):
    """`add to ask SEAT "decision"`: further options of all questions with that name."""

    seat: Word
    decision: Word
    help: str | None
    cites: str | None
    options: tuple[Option | Placed, ...]


@node
class Rules(Tree):
    """All declarations of one text, in its order."""

    zones: tuple[Zone, ...]
    variables: tuple[Variable, ...]
    defines: tuple[Define, ...]
    rules: tuple[Rule, ...]
    groups: tuple[Group, ...]
    additions: tuple[Addition, ...]
    types: tuple[NamedType, ...] = ()
