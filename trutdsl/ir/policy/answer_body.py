"""The answer that is being built: its names and slots, its memory and its chance."""

from __future__ import annotations

from trutdsl.ir import nodes
from trutdsl.ir.build.sources import build_source
from trutdsl.ir.build.statements import StatementBuilder
from trutdsl.ir.policy.names import PolicyExpressions, Scope, own_frame
from trutdsl.ir.types import YES_NO, Type
from trutdsl.source import Span
from trutdsl.syntax import ast

Statements = list[nodes.Statement]
ONLY_MEMORY = "a strategy changes nothing in the game; it can set its own memory and names"


class AnswerBody:
    """What is common to all clauses of an answer.

    frame:     the names bound so far. values, sentences: build expressions and plain sentences.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.errors = scope.names.errors
        self.frame = own_frame(scope.names)
        self.values = PolicyExpressions(scope, self.frame)
        self.sentences = StatementBuilder(
            scope.names, self.frame, scope.variant_head, scope.declarations.type_of, None,
            values=self.values,
        )  # fmt: skip
        self.sentences.plays = False

    def assignments(self, node: ast.Block) -> Statements:
        """Return what is remembered when a clause is taken."""
        return [s for one in node.statements if isinstance(one, ast.Assign)
                for s in self.assignment(one)]  # fmt: skip

    def assignment(self, node: ast.Assign) -> Statements:
        """Return what sets memory or a name, or nothing if it could not be understood."""
        name = node.target.name if isinstance(node.target, ast.Name) else ""
        if name not in self.frame.bound and name not in self.scope.memory:
            known = name in self.scope.names.everything()
            if known:
                self.errors.error("type", ONLY_MEMORY, node.span)
            else:
                kept = [*self.scope.memory, *self.frame.bound]
                self.scope.names.unknown("memory", name, node.target.span, kept)
            return []
        return self.sentences.sentences(node)

    def by_chance(self, odds: ast.Chance | None, body: Statements) -> Statements:
        """Return sentences that are done as often as the odds say."""
        if odds is None:
            return body
        drawn = self.local(YES_NO, odds.span)
        empty = nodes.Block(odds.span, ())
        return [
            nodes.Let(odds.span, drawn.slot, build_source(self.sentences, odds, None)),
            nodes.If(odds.span, ((drawn, nodes.Block(odds.span, tuple(body))),), empty),
        ]

    # -------------------------------------------------------- slots

    def slot(self) -> int:
        """Return a new slot without a name."""
        return self.frame.slot()

    def local(self, type_: Type, span: Span) -> nodes.Local:
        """Return a new slot as a value."""
        return nodes.Local(span, type_, self.slot(), "")
