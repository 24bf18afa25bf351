"""The syntax tree of a strategy's script, before name resolution."""

from __future__ import annotations

from trutdsl.syntax import ast
from trutdsl.tree import node


@node
class Clause(ast.Node):
    """`OPTION NAMES where C with lowest E when C with chance P:`, a choice with its conditions.

    words:     the option's words, then a name for each of its choices; none for `any`.
    where:     the condition on choices; may use the names, as may the keys.
    keys:      which choice is taken; the next key decides between equal ones.
    drawn:     whether one of the choices is drawn; without it and keys the first is taken.
    condition: evaluated before anything else. odds: the probability of the clause.
    once:      how long its draw is valid: `trick`, `deal` or `match`; None for this question.
    body:      assignments to memory when it is taken.
    """

    words: tuple[ast.Word, ...]
    where: ast.Expr | None
    keys: tuple[Key, ...]
    drawn: bool
    condition: ast.Expr | None
    odds: ast.Chance | None
    once: str | None
    body: ast.Block


@node
class Key(ast.Node):
    """`lowest E` or `highest E`, by which a choice is taken."""

    order: str
    value: ast.Expr


@node
class IfChoice(ast.Node):
    """`if`, `if let`, `else if`, `else` around clauses."""

    branches: tuple[tuple[ast.Expr | ast.Given, Choices], ...]
    otherwise: Choices | None


@node
class ForChoice(ast.Node):
    """`for x in DOMAIN:` around clauses."""

    name: ast.Word
    domain: ast.Domain
    body: Choices


@node
class MixPart(ast.Node):
    """`WEIGHT:` and clauses, one part of a `mix`."""

    weight: ast.Expr
    body: Choices


@node
class Mix(ast.Node):
    """`mix:`, one of several parts, drawn by their weights; once: see `Clause`."""

    once: str | None
    shares: tuple[MixPart, ...]


Choice = Clause | IfChoice | ForChoice | Mix | ast.Let | ast.Assign | ast.Do | ast.Stop | ast.Next


@node
class Choices(ast.Node):
    """Clauses and the statements between them; the first that applies is taken."""

    choices: tuple[Choice, ...]


@node
class ParameterDeclaration(ast.Node):
    """`parameter NAME: TYPE = DEFAULT`, a setting of the strategy."""

    replaces: bool
    name: ast.Word
    type: ast.Type
    default: ast.Expr
    help: str | None


@node
class MemoryDeclaration(ast.Node):
    """A value that the strategy keeps for a match, a deal or a trick.

    index: `seat` or `team`, if there is a value for each.
    """

    replaces: bool
    name: ast.Word
    index: ast.Word | None
    type: ast.Type
    initial: ast.Value | None = None
    lifetime: str = ""


@node
class TableDeclaration(ast.Node):
    """`table NAME from "FILE.csv" else DEFAULT`, numbers by keys."""

    replaces: bool
    name: ast.Word
    help: str | None
    file: ast.Word
    default: ast.Expr


@node
class SubRule(ast.Node):
    """A named list of clauses, for use in several places."""

    replaces: bool
    name: ast.Word
    params: tuple[ast.Param, ...]
    help: str | None
    body: Choices


@node
class On(ast.Node):
    """`on DECISION, DECISION:`, or `otherwise:` without decisions."""

    decisions: tuple[ast.Word, ...]
    body: Choices


@node
class AfterDeal(ast.Node):
    """`after deal:`, what the strategy notes when a deal is over."""

    body: Choices


@node
class StrategyTree(ast.Node):
    """A whole script.

    base:     the strategy that it extends, a name or path.
    variants: the variants and modules that it is for; none for any.
    """

    name: ast.Word
    base: ast.Word | None
    help: str | None
    cites: str | None
    variants: tuple[ast.Word, ...]
    parameters: tuple[ParameterDeclaration, ...]
    memory: tuple[MemoryDeclaration, ...]
    defines: tuple[ast.Define, ...]
    tables: tuple[TableDeclaration, ...]
    rules: tuple[SubRule, ...]
    answers: tuple[On, ...]
    after_deal: tuple[AfterDeal, ...]
