"""The intermediate representation: small, typed, every node with its position.

A `Program` is what a variant's rules mean, for every number of players and every value of the
parameters. Both engines play it; `interp` defines what each node does.
`steps` is what a turn or use of what can be long counts at one table (`ir.effects`), if settled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trutdsl.ir.nodes.expressions import *
from trutdsl.ir.nodes.expressions import Expression, Node
from trutdsl.ir.nodes.statements import *
from trutdsl.ir.nodes.statements import Block
from trutdsl.ir.types import Among, Kind, Type
from trutdsl.syntax.ast import Audience
from trutdsl.tree import node

# Declarations: what a program consists of, and the program as a whole.


@node
class Zone(Node):
    """A place for cards; index: what there is one of these for; slots: what `content` needs."""

    name: str
    index: Kind | None
    ordered: bool
    capacity: Expression | None
    content: Expression | None
    audience: Audience
    slots: int


@node
class Variable(Node):
    """Something remembered, a number within low and high; slots: what `initial` needs.

    index: what there is a value for each of; numbers are counted from 0, which stands for `first`.
    """

    name: str
    index: Among | None
    type: Type
    initial: Expression
    audience: Audience = Audience.ALL
    lifetime: str = "match"
    low: Expression | None = None
    high: Expression | None = None
    counter: bool = False
    slots: int = 0
    first: int = 0


@node
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


@node
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


# ---------------------------------------------------------------- strategies


@node
class Memory(Node):
    """What a policy remembers for a `trick`, a `deal` or the `match`, within the type's bounds.

    initial:  settled at the first question of its lifetime, memory after memory; may be by chance.
              Slot 0 of its frame is the seat that the policy plays for.
    lifetime: a trick lasts until the next one is over; what lies between two is the later one's.
    """

    name: str
    type: Type
    initial: Expression
    lifetime: str
    slots: int


@node
class Answer(Node):
    """How a policy answers a question, by the question's number; slot 0 is the asked seat.

    body: reads the match and changes nothing in it; every way through it comes to a `Take` or
          `TakeAny`. All its chance is the luck of the policy, and none of it is told.
    """

    question: int
    slots: int
    body: Block


@node
class Policy(Node):
    """A strategy's script built for one variant; it answers each question that can be asked."""

    name: str
    help: str | None
    memory: tuple[Memory, ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Program:
    """Everything that the rules of a variant mean, and strategies that are built for it.

    rules, functions: by name; what a `replace` replaced is kept as `NAME of LAYER`. Functions that
                      only strategies use have a `:` in their name; slot 0 is the asked seat.
    """

    zones: Mapping[str, Zone]
    variables: Mapping[str, Variable]
    functions: Mapping[str, Function]
    rules: Mapping[str, Rule]
    policies: Mapping[str, Policy] = field(default_factory=dict)
