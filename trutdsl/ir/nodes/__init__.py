"""The intermediate representation: small, typed, every node with its position.

A `Program` is the meaning of a variant's rules, for every number of players and all values of the
parameters. Both engines play it; `interp` defines the meaning of each node. The field `steps` has
the steps to count for one turn or use at one table (`ir.effects`), once a pass has fixed them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import is_
from typing import Any, TypeVar, cast

from trutdsl.diagnostics import Span
from trutdsl.ir.nodes.expressions import *
from trutdsl.ir.nodes.expressions import Call, Do, Expression, Local, Node
from trutdsl.ir.nodes.statements import *
from trutdsl.ir.nodes.statements import Ask, Block, If, Reveal, Statement
from trutdsl.ir.types import Among, Kind, Type
from trutdsl.language import say
from trutdsl.syntax.ast import Audience
from trutdsl.tree import node


@node
class Zone(Node):
    """A place for cards; index: the owners, one place each; slots: those that `content` needs."""

    name: str
    index: Kind | None
    ordered: bool
    capacity: Expression | None
    content: Expression | None
    audience: Audience
    slots: int


@node
class Variable(Node):
    """A stored value, a number within low and high; slots: those that `initial` needs.

    index: the elements with a value each; numbers are counted from 0, which stands for `first`.
    sign:  of a counter, -1 if the team with the lowest value is ahead.
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
    sign: int = 1


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
    """A rule: params are the first slots of its frame; base_name: of the rule that it replaces."""

    name: str
    params: tuple[Type, ...]
    result: Type | None
    slots: int
    body: Block
    layer: str
    help: str | None
    cites: str | None
    base_name: str | None = None

    @property
    def heading(self) -> str:
        """Its name in messages: without the name of its file, with its source."""
        name = self.name.split(" of ")[0].removesuffix(" itself").removesuffix(" (over)")
        what = f"`{name}`" if name.startswith("when ") else say("rule '{name}'", name=name)
        return what + (f" [{self.cites}]" if self.cites else "")


# ---------------------------------------------------------------- strategies


@node
class Memory(Node):
    """A value that a policy keeps for a `trick`, a `deal` or the `match`, within the type's bounds.

    initial:  computed at the first question of its lifetime, memory after memory; may use chance.
              Slot 0 of its frame is the seat that the policy plays for.
    lifetime: a trick lasts until the next one is over; the time between two belongs to the
              later one.
    """

    name: str
    type: Type
    initial: Expression
    lifetime: str
    slots: int


@node
class Answer(Node):
    """The answer of a policy to a question, by the question's number; slot 0 is the asked seat.

    body: reads the match and does not change it; every path through it reaches a `Take` or
          `TakeAny`. All its chance comes from the policy's own stream, and no event reports it.
    """

    question: int
    slots: int
    body: Block


@node
class Policy(Node):
    """A strategy's script built for one variant; it answers each possible question."""

    name: str
    help: str | None
    memory: tuple[Memory, ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Program:
    """The rules of a variant, and strategies that are built for it.

    rules, functions: by name; a replaced one is kept as `NAME of LAYER`. Functions that only
                      strategies use have a `:` in their name; slot 0 is the asked seat.
    """

    zones: Mapping[str, Zone]
    variables: Mapping[str, Variable]
    functions: Mapping[str, Function]
    rules: Mapping[str, Rule]
    policies: Mapping[str, Policy] = field(default_factory=dict)

    @property
    def callables(self) -> list[Rule | Function]:
        """The rules, then the functions."""
        return [*self.rules.values(), *self.functions.values()]

    @property
    def declarations(self) -> list[Zone | Variable]:
        """The zones, then the variables."""
        return [*self.zones.values(), *self.variables.values()]


# Traverses all nodes below a node, and all questions.

AnyNode = TypeVar("AnyNode", bound=Node)


def walk(root: object) -> Iterator[Node]:
    """Yield the root and all nodes below it, outermost first, in the order of the text."""
    if isinstance(root, Node):
        stack = [root]
        while stack:
            item = stack.pop()
            yield item
            stack += item.children[::-1]
    elif isinstance(root, tuple | list):
        for one in root:
            yield from walk(one)


def walk_rules(program: Program, *kinds: type[AnyNode]) -> Iterator[AnyNode]:
    """Yield the nodes of these types in all rules, in the order of their text."""
    for rule in program.rules.values():
        for one in walk(rule.body):
            if isinstance(one, kinds):
                yield one


def questions_of(program: Program) -> list[Ask]:
    """Return every question of the rules in the order of their text."""
    return list(walk_rules(program, Ask))


def revealed_names(program: Program) -> set[str]:
    """Return the zones and variables of which rules reveal some place."""
    return {reveal.what.name for reveal in walk_rules(program, Reveal)}


def bodies_of(part: Node, program: Program) -> tuple[Node, ...]:
    """Return the body of the rule or `define` that a part calls, or nothing."""
    match part:
        case Call(_, _, name) if name in program.functions:
            return (program.functions[name].body,)
        case Do(_, _, name) if name in program.rules:
            return (program.rules[name].body,)
    return ()


def walk_calls(program: Program, *roots: Node) -> Iterator[Node]:
    """Yield the nodes of these parts, then those of all rules and defines that they reach, once."""
    seen, parts = set[int](), [*roots]
    for part in parts:
        for one in walk(part):
            yield one
            for body in bodies_of(one, program):
                if id(body) not in seen:
                    seen.add(id(body))
                    parts.append(body)


def walk_match(program: Program, block: type[Node]) -> Iterator[tuple[Node, bool]]:
    """Yield all nodes that a match may run, and whether it runs them inside of such a block.

    A node that it runs in both places occurs with both.
    """
    seen = set[tuple[str, bool]]()
    queue: list[tuple[Node, bool]] = [(program.rules["match"].body, False)]
    while queue:
        item, is_inside = queue.pop()
        yield item, is_inside
        if isinstance(item, Do) and (item.rule, is_inside) not in seen:
            seen.add((item.rule, is_inside))
            queue.append((program.rules[item.rule].body, is_inside))
        queue += [(child, is_inside or isinstance(item, block)) for child in item.children]


def rules_from(program: Program, name: str) -> list[str]:
    """Return a rule and all rules that it calls, in the order of the program."""
    parts = walk_calls(program, program.rules[name].body)
    result = {name, *(one.rule for one in parts if isinstance(one, Do))}
    return [name for name in program.rules if name in result]


# Rebuilds a program bottom up; unchanged nodes stay the same objects.

Changed = Node | Sequence[Statement]
Change = Callable[[Node, Node], Changed]


def rebuild_program(program: Program, change: Change) -> Program:
    """Return a program with every node changed, bottom up.

    change: takes a node whose parts are changed already, and the original node.
    """

    def each(items: Mapping[str, AnyNode]) -> dict[str, AnyNode]:
        return {name: rebuild(one, change) for name, one in items.items()}

    return replace(
        program,
        zones=each(program.zones),
        variables=each(program.variables),
        functions=each(program.functions),
        rules=each(program.rules),
        policies=each(program.policies),
    )


def rebuild(old: AnyNode, change: Change) -> AnyNode:
    """Return a node with every node below it and then itself changed.

    change: keeps the kinds of nodes, except that any expression can replace an expression, and
            several statements one of a block.
    """
    changes = {}
    for name in old.parts:
        part = getattr(old, name)
        if part and isinstance(part, Node | tuple):
            new = _rebuilt(part, change)
            if new is not part:
                changes[name] = new
    return cast(AnyNode, change(replace(old, **changes) if changes else old, old))


def _rebuilt(part: Any, change: Change) -> Any:
    if isinstance(part, Node):
        return rebuild(part, change)
    if isinstance(part, tuple):
        items: list[Any] = []
        for old in part:
            new = _rebuilt(old, change)
            if isinstance(old, Node) and not isinstance(new, Node):
                items += new
            else:
                items.append(new)
        same = len(items) == len(part) and all(map(is_, items, part))
        return part if same else tuple(items)
    return part


def substitute(part: AnyNode, values: Mapping[int, Expression]) -> AnyNode:
    """Return a part with values in place of the local names in these slots."""

    def change(new: Node, _before: Node) -> Node:
        return values.get(new.slot, new) if isinstance(new, Local) else new

    return rebuild(part, change)


def put_first(block: Block, *statements: Statement) -> Block:
    """Return a block that begins with these statements."""
    return replace(block, statements=(*statements, *block.statements))


def if_holds(span: Span, test: Expression, body: Iterable[Statement]) -> If:
    """Return a statement that runs others if a test holds."""
    return If(span, ((test, Block(span, tuple(body))),), Block(span, ()))
