"""The syntax tree of a strategy's script, before name resolution."""

from __future__ import annotations

from trutdsl.syntax.ast import (
    Assign,
    Block,
    Chance,
    Define,
    Do,
    Domain,
    Expr,
    Given,
    Let,
    Next,
    Node,
    Param,
    Stop,
    Type,
    Value,
    Word,
)
from trutdsl.tree import node


@node
class Clause(Node):
    """`OPTION NAMES where C with lowest E when C with chance P:`, what a seat may choose, and when.

    words:     the option's words, then a name for each of its choices; none for `any`.
    where:     which choices come into question; may use the names, as may the key.
    order:     `lowest`, `highest` or `random`: which of those is taken, or None for the first.
    condition: looked at before anything else. odds: how often it is taken.
    body:      what is remembered when it is taken.
    """

    words: tuple[Word, ...]
    where: Expr | None
    order: str | None
    key: Expr | None
    condition: Expr | None
    odds: Chance | None
    body: Block


@node
class IfChoice(Node):
    """`if`, `if let`, `else if`, `else` around clauses."""

    branches: tuple[tuple[Expr | Given, Choices], ...]
    otherwise: Choices | None


@node
class ForChoice(Node):
    """`for x in DOMAIN:` around clauses."""

    name: Word
    domain: Domain
    body: Choices


Choice = Clause | IfChoice | ForChoice | Let | Assign | Do | Stop | Next


@node
class Choices(Node):
    """Clauses and what stands between them; the first that applies is taken."""

    choices: tuple[Choice, ...]


@node
class Parameter(Node):
    """`parameter NAME: TYPE = DEFAULT`, what can be set when the strategy is named."""

    name: Word
    type: Type
    default: Expr
    help: str | None
    replaces: bool


@node
class Memory(Node):
    """What the strategy remembers for a match, a deal or a trick."""

    name: Word
    type: Type
    initial: Value | None
    lifetime: str
    replaces: bool


@node
class SubRule(Node):
    """A named list of clauses, to be done in others."""

    name: Word
    params: tuple[Param, ...]
    help: str | None
    body: Choices
    replaces: bool


@node
class On(Node):
    """`on DECISION, DECISION:`, or `otherwise:` without decisions."""

    decisions: tuple[Word, ...]
    body: Choices


@node
class Strategy(Node):
    """A whole script.

    base:  the strategy that it differs from, a name or path.
    meant: the variants and modules that it is for; none for any.
    """

    name: Word
    base: Word | None
    help: str | None
    cites: str | None
    meant: tuple[Word, ...]
    parameters: tuple[Parameter, ...]
    memory: tuple[Memory, ...]
    defines: tuple[Define, ...]
    rules: tuple[SubRule, ...]
    answers: tuple[On, ...]
