"""Statements: nodes that change state or direct control flow."""

from __future__ import annotations

from trutdsl.ir.nodes.expressions import (
    Do,
    Domain,
    Expression,
    Local,
    Node,
    Remembered,
    Var,
    ZoneCards,
)
from trutdsl.ir.types import Type
from trutdsl.syntax.ast import Audience
from trutdsl.tree import node


@node
class Let(Node):
    """Bind a value to a slot."""

    slot: int
    value: Expression


@node
class Assign(Node):
    """Store a value in a local, variable, counter or memory; op is `=`, `+=` or `-=`."""

    target: Local | Var | Remembered
    op: str
    value: Expression


@node
class Perform(Node):
    """Do a rule."""

    do: Do


@node
class Return(Node):
    """Leave the rule or function."""

    value: Expression | None


@node
class Stop(Node):
    """Leave the loop."""


@node
class Next(Node):
    """Go on with the loop's next turn."""


@node
class Again(Node):
    """Ask the question again."""


@node
class Shuffle(Node):
    """Make the order of a pile unknown."""

    zone: ZoneCards


@node
class Draw(Node):
    """Move the top card of a pile; `slot` binds it; `face_up`: all see which card it is."""

    origin: ZoneCards
    target: ZoneCards
    face_up: bool
    slot: int | None


@node
class Move(Node):
    """Move a card that lies in `origin`."""

    card: Expression
    origin: ZoneCards
    target: ZoneCards
    under: bool


@node
class MoveAll(Node):
    """Move every card of a zone, in order; `turned` reverses the order.

    openly: more may see the cards where they go, and the rules mean it.
    """

    origin: ZoneCards
    target: ZoneCards
    under: bool
    turned: bool
    openly: bool


@node
class Swap(Node):
    """Put a card of `origin` in the place of a card of `target`, and that one in its place."""

    card: Expression
    origin: ZoneCards
    other: Expression
    target: ZoneCards


@node
class Gather(Node):
    """Move every card of these zones to a zone: zone by zone, in it seat by seat from `start`.

    start:  a seat, or None for the order of the seats' numbers.
    openly: more may see the cards where they go, and the rules mean it.
    """

    names: tuple[str, ...]
    start: Expression | None
    target: ZoneCards
    openly: bool


@node
class EndTrick(Node):
    """Leave the trick; winner is a seat or none."""

    winner: Expression | None


@node
class EndDeal(Node):
    """Leave the deal; winner is a team or none."""

    winner: Expression | None
    reason: str


@node
class EndMatch(Node):
    """End the match; winner is a team, or none for a draw. A deal that is open ends with it."""

    winner: Expression | None
    reason: str | None


@node
class Reveal(Node):
    """Let seats see a zone or variable until the deal ends."""

    what: ZoneCards | Var
    seats: Expression


@node
class Announce(Node):
    """Say a value at the table: to these seats, and to the one that says it, if any does.

    type: of the value, as it is written.
    """

    value: Expression
    type: Type
    words: str
    speaker: Expression | None
    seats: Expression


@node
class If(Node):
    """The first branch whose test holds, else `otherwise`."""

    branches: tuple[tuple[Expression, Block], ...]
    otherwise: Block


@node
class For(Node):
    """The body once for each of the domain."""

    slot: int
    domain: Domain
    body: Block
    steps: int | None = None


@node
class Repeat(Node):
    """The body `times` times, as long as the test holds (`until`: as long as it does not)."""

    times: Expression
    test: str | None
    condition: Expression | None
    body: Block
    steps: int | None = None


@node
class DealBlock(Node):
    """A deal: its variables start anew."""

    body: Block


@node
class TrickBlock(Node):
    """A trick with its cards on a zone per seat: its variables start anew."""

    zone: str
    body: Block


@node
class Setup(Node):
    """How a zone or variable is settled, unless it is given beforehand."""

    name: str
    body: Block


@node
class Binder(Node):
    """A choice within an option: an element of a set, a hand or, with `last`, a number."""

    slot: int
    items: Expression
    last: Expression | None
    words: tuple[str, ...]


@node
class Option(Node):
    """One thing that may be done.

    condition: looked at for every choice of its binders; before them, if it does not use them.
    early:     whether it does not, as it is written: so which mistake comes first stays the same,
               whatever passes make of it.
    openly:    whoever may not notice the question notices that this was chosen.
    passes:    it is how one does nothing: a scenario takes it where it says nothing.
    """

    words: tuple[str, ...]
    binders: tuple[Binder, ...]
    condition: Expression | None
    early: bool
    openly: bool
    body: Block
    passes: bool = False


@node
class Ask(Node):
    """The one way to get a choice from a seat."""

    seat: Expression
    decision: str
    audience: Audience
    options: tuple[Option, ...]


@node
class Take(Node):
    """Answer with an option and its choices, which must be legal; the policy is done."""

    option: int
    values: tuple[Expression, ...]


@node
class TakeAny(Node):
    """Answer with any legal action, all equally likely; the policy is done."""


Statement = (
    Let | Assign | Perform | Return | Stop | Next | Again | Shuffle | Draw | Move | MoveAll | Swap
    | Gather | EndTrick | EndDeal | EndMatch | Reveal | Announce | If | For | Repeat | DealBlock
    | TrickBlock | Setup | Ask | Take | TakeAny
)  # fmt: skip


@node
class Block(Node):
    """Statements, one after the other."""

    statements: tuple[Statement, ...]
