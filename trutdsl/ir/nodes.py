"""The intermediate representation: small, typed, every node with its position.

A `Program` is what a variant's rules mean, for every number of players and every value of the
parameters. Both engines play it; `interp` defines what each node does.
`steps` is what a turn or use of what can be long counts at one table (`ir.work`), if settled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trutdsl.ir.types import Kind, Type
from trutdsl.source import Span
from trutdsl.syntax.ast import Audience


@dataclass(frozen=True)
class Node:
    """Anything with a position."""

    span: Span


@dataclass(frozen=True)
class Expression(Node):
    """Anything with a value."""

    type: Type


# ---------------------------------------------------------------- expressions


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
    """A number that must lie within the bounds of its type; a run-time error if it does not."""

    value: Expression


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
class Domain(Node):
    """What is gone through: a set in its order, or the numbers from `items` to `last`.

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
    """`count first those any every highest lowest total` over a domain, each bound to `slot`."""

    kind: str
    slot: int
    domain: Domain
    value: Expression | None
    steps: int | None = None


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


# ---------------------------------------------------------------- statements


@dataclass(frozen=True)
class Let(Node):
    """Bind a value to a slot."""

    slot: int
    value: Expression


@dataclass(frozen=True)
class Assign(Node):
    """Store a value in a local, variable or counter; op is `=`, `+=` or `-=`."""

    target: Local | Var
    op: str
    value: Expression


@dataclass(frozen=True)
class Perform(Node):
    """Do a rule."""

    do: Do


@dataclass(frozen=True)
class Return(Node):
    """Leave the rule or function."""

    value: Expression | None


@dataclass(frozen=True)
class Stop(Node):
    """Leave the loop."""


@dataclass(frozen=True)
class Next(Node):
    """Go on with the loop's next turn."""


@dataclass(frozen=True)
class Again(Node):
    """Ask the question again."""


@dataclass(frozen=True)
class Shuffle(Node):
    """Make the order of a pile unknown."""

    zone: ZoneCards


@dataclass(frozen=True)
class Draw(Node):
    """Move the top card of a pile; `slot` binds it; `face_up`: all see which card it is."""

    origin: ZoneCards
    target: ZoneCards
    face_up: bool
    slot: int | None


@dataclass(frozen=True)
class Move(Node):
    """Move a card that lies in `origin`."""

    card: Expression
    origin: ZoneCards
    target: ZoneCards
    under: bool


@dataclass(frozen=True)
class MoveAll(Node):
    """Move every card of a zone, in order; `turned` reverses the order.

    openly: more may see the cards where they go, and the rules mean it.
    """

    origin: ZoneCards
    target: ZoneCards
    under: bool
    turned: bool
    openly: bool


@dataclass(frozen=True)
class Swap(Node):
    """Put a card of `origin` in the place of a card of `target`, and that one in its place."""

    card: Expression
    origin: ZoneCards
    other: Expression
    target: ZoneCards


@dataclass(frozen=True)
class Gather(Node):
    """Move every card of these zones to a zone: zone by zone, in it seat by seat from `start`.

    start:  a seat, or None for the order of the seats' numbers.
    openly: more may see the cards where they go, and the rules mean it.
    """

    names: tuple[str, ...]
    start: Expression | None
    target: ZoneCards
    openly: bool


@dataclass(frozen=True)
class EndTrick(Node):
    """Leave the trick; winner is a seat or none."""

    winner: Expression | None


@dataclass(frozen=True)
class EndDeal(Node):
    """Leave the deal; winner is a team or none."""

    winner: Expression | None
    reason: str


@dataclass(frozen=True)
class EndMatch(Node):
    """End the match; winner is a team, or none for a draw. A deal that is open ends with it."""

    winner: Expression | None
    reason: str | None


@dataclass(frozen=True)
class Reveal(Node):
    """Let seats see a zone or variable until the deal ends."""

    what: ZoneCards | Var
    seats: Expression


@dataclass(frozen=True)
class If(Node):
    """The first branch whose test holds, else `otherwise`."""

    branches: tuple[tuple[Expression, Block], ...]
    otherwise: Block


@dataclass(frozen=True)
class For(Node):
    """The body once for each of the domain."""

    slot: int
    domain: Domain
    body: Block
    steps: int | None = None


@dataclass(frozen=True)
class Repeat(Node):
    """The body `times` times, as long as the test holds (`until`: as long as it does not)."""

    times: Expression
    test: str | None
    condition: Expression | None
    body: Block
    steps: int | None = None


@dataclass(frozen=True)
class DealBlock(Node):
    """A deal: its variables start anew."""

    body: Block


@dataclass(frozen=True)
class TrickBlock(Node):
    """A trick with its cards on a zone per seat: its variables start anew."""

    zone: str
    body: Block


@dataclass(frozen=True)
class Setup(Node):
    """How a zone or variable is settled, unless it is given beforehand."""

    name: str
    body: Block


@dataclass(frozen=True)
class Binder(Node):
    """A choice within an option: an element of a set or, with `last`, a number."""

    slot: int
    items: Expression
    last: Expression | None
    words: tuple[str, ...]


@dataclass(frozen=True)
class Option(Node):
    """One thing that may be done.

    condition: looked at for every choice of its binders; before them, if it does not use them.
    openly:    whoever may not notice the question notices that this was chosen.
    """

    words: tuple[str, ...]
    binders: tuple[Binder, ...]
    condition: Expression | None
    openly: bool
    body: Block


@dataclass(frozen=True)
class Ask(Node):
    """The one way to get a choice from a seat."""

    seat: Expression
    decision: str
    audience: Audience
    options: tuple[Option, ...]


Statement = (
    Let
    | Assign
    | Perform
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
class Zone(Node):
    """A place for cards; index: what there is one of these for; slots: what `content` needs."""

    name: str
    index: Kind | None
    ordered: bool
    capacity: Expression | None
    content: Expression | None
    audience: Audience
    slots: int


@dataclass(frozen=True)
class Variable(Node):
    """Something remembered, a number within low and high; slots: what `initial` needs."""

    name: str
    index: Kind | None
    type: Type
    low: Expression | None
    high: Expression | None
    initial: Expression
    audience: Audience
    lifetime: str
    counter: bool
    slots: int


@dataclass(frozen=True)
class Function(Node):
    """A `define`: params are the first slots of its frame."""

    name: str
    params: tuple[Type, ...]
    result: Type
    slots: int
    body: Expression | Block
    layer: str
    help: str | None
    cites: str | None


@dataclass(frozen=True)
class Rule(Node):
    """A rule: params are the first slots of its frame."""

    name: str
    params: tuple[Type, ...]
    result: Type | None
    slots: int
    body: Block
    layer: str
    help: str | None
    cites: str | None

    @property
    def heading(self) -> str:
        """How a message names the rule: its name, without the file it is from, and its source."""
        name = self.name.split(" of ")[0].removesuffix(" itself")
        return f"rule '{name}'" + (f" [{self.cites}]" if self.cites else "")


@dataclass(frozen=True)
class Program:
    """Everything that the rules of a variant mean.

    rules, functions: by name; what a `replace` replaced is kept as `NAME of LAYER`.
    """

    zones: Mapping[str, Zone]
    variables: Mapping[str, Variable]
    functions: Mapping[str, Function]
    rules: Mapping[str, Rule]
