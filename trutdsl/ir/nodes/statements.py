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
    """Call a rule."""

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
    """Continue with the loop's next turn."""


@node
class Again(Node):
    """Ask the question again."""


@node
class Shuffle(Node):
    """Make the order of a pile unknown."""

    zone: ZoneCards


@node
class Draw(Node):
    """Move the top card of a pile; `slot` binds it; `face_up`: all see the card."""

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

    openly: the rules allow that more seats see the cards at their new place.
    """

    origin: ZoneCards
    target: ZoneCards
    under: bool
    turned: bool
    openly: bool


@node
class Swap(Node):
    """Exchange a card of `origin` and a card of `target`."""

    card: Expression
    origin: ZoneCards
    other: Expression
    target: ZoneCards


@node
class Gather(Node):
    """Move every card of these zones to a zone: zone by zone, and seat by seat from `start`.

    start:  a seat, or None for the order of the seats' numbers.
    openly: the rules allow that more seats see the cards at their new place.
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
    """End the match; winner is a team, or none for a draw. An open deal ends with it."""

    winner: Expression | None
    reason: str | None


@node
class Reveal(Node):
    """Let seats see a zone or variable until the deal ends."""

    what: ZoneCards | Var
    seats: Expression


@node
class Announce(Node):
    """Announce a value to these seats, and to its speaker, if any.

    type: the written type of the value.
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
    """Run the body once for each element of the domain."""

    slot: int
    domain: Domain
    body: Block
    steps: int | None = None


@node
class Repeat(Node):
    """Run the body `times` times, while the test holds (`until`: while it does not)."""

    times: Expression
    test: str | None
    condition: Expression | None
    body: Block
    steps: int | None = None


@node
class DealBlock(Node):
    """A deal: its variables are reset."""

    body: Block


@node
class TrickBlock(Node):
    """A trick with its cards on a zone per seat: its variables are reset."""

    zone: str
    body: Block


@node
class Setup(Node):
    """Set up a zone or variable, unless its state is given."""

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
    """An option of a question.

    condition: evaluated for every choice of its binders; before them, if it does not use them.
    early:     whether it does not use them, as written. So the first error stays the same after
               any pass.
    openly:    seats that do not notice the question notice this choice.
    passes:    the option for doing nothing: a scenario takes it if its script gives no answer.
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
    """A question: the only way to get a choice from a seat."""

    seat: Expression
    decision: str
    audience: Audience
    options: tuple[Option, ...]


@node
class Take(Node):
    """Answer with an option and its choices, which must be legal; ends the policy's answer."""

    option: int
    values: tuple[Expression, ...]


@node
class TakeAny(Node):
    """Answer with any legal action, all equally likely; ends the policy's answer."""


Statement = (
    Let | Assign | Perform | Return | Stop | Next | Again | Shuffle | Draw | Move | MoveAll | Swap
    | Gather | EndTrick | EndDeal | EndMatch | Reveal | Announce | If | For | Repeat | DealBlock
    | TrickBlock | Setup | Ask | Take | TakeAny
)  # fmt: skip


# The statements after which the next one is not reached.
Exit = Return | Stop | Next | Again | EndTrick | EndDeal | EndMatch
# The statements that move cards, and all that are about cards.
CardMove = Draw | Move | MoveAll | Swap | Gather
CardSentence = CardMove | Shuffle


@node
class Block(Node):
    """Statements, one after the other."""

    statements: tuple[Statement, ...]
