"""Declarations as they are written: zones, variables, defines and rules."""

from __future__ import annotations

from trutdsl.syntax.ast.expressions import Audience, Expr, Node, Type, Word
from trutdsl.syntax.ast.statements import Block, Option, Placed
from trutdsl.tree import Tree, node


@node
class Param(Node):
    """A parameter of a rule or function; without a type it is a seat."""

    name: Word
    type: Type | None


@node
class NamedType(Node):
    """A name for a type."""

    name: Word
    type: Type
    replaces: bool


@node
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


@node
class Variable(Node):
    """Something to remember, for a match, a deal or a trick."""

    name: Word
    index: Word | Type | None
    type: Type
    initial: Expr | None
    audience: Audience
    lifetime: str
    replaces: bool


@node
class Define(Node):
    """A named value worked out from others; changes nothing."""

    name: Word
    params: tuple[Param, ...]
    result: Type | None
    help: str | None
    cites: str | None
    body: Expr | Block
    replaces: bool


@node
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


@node
class Group(Node):
    """`options NAME(...)`: options that several questions share."""

    name: Word
    params: tuple[Param, ...]
    help: str | None
    cites: str | None
    options: tuple[Option | Placed, ...]
    replaces: bool


@node
class Addition(Node):
    """`add to ask SEAT "decision"`: options that all questions of that name have besides."""

    seat: Word
    decision: Word
    help: str | None
    cites: str | None
    options: tuple[Option | Placed, ...]


@node
class Rules(Tree):
    """Everything one text declares, in its order."""

    zones: tuple[Zone, ...]
    variables: tuple[Variable, ...]
    defines: tuple[Define, ...]
    rules: tuple[Rule, ...]
    groups: tuple[Group, ...]
    additions: tuple[Addition, ...]
    types: tuple[NamedType, ...] = ()
