"""Branches of an answer: `if`, `if let`, `else` around clauses, and what they cover together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from trutdsl.ir import nodes
from trutdsl.ir.build.branches import open_given
from trutdsl.ir.policy.answer_body import AnswerBody, Statements
from trutdsl.ir.policy.names import Scope
from trutdsl.source import Span
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script

Branches = Sequence[tuple[ast.Expr | ast.Given, script.Choices]]


class BranchedAnswer(AnswerBody, ABC):
    """An answer with branches; an option is covered behind them if it is in every one.

    covered: the options that are taken for certain if they are legal, and by which clause.
    """

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.covered: dict[int, Span] = {}

    @abstractmethod
    def block(self, node: script.Choices) -> Statements:
        """Return the clauses of a block and what stands between them."""

    @abstractmethod
    def count(self, *built: nodes.Node) -> None:
        """Count what the answer has more."""

    def branched(self, node: script.IfChoice) -> Statements:
        """Return the sentences of an `if`."""
        before, ends = dict(self.covered), list[dict[int, Span]]()

        def inside(choices: script.Choices | None) -> Statements:
            self.covered = dict(before)
            built = self.block(choices) if choices is not None else []
            ends.append(self.covered)
            return built

        def branches(left: Branches) -> Statements:
            if not left:
                return inside(node.otherwise)
            (condition, choices), *others = left
            outer, opening = self.frame.inner(), list[nodes.Statement]()
            if isinstance(condition, ast.Given):
                value, test, name = open_given(self.sentences, condition)
                opening = [value]
                done = [name(), *inside(choices)]
            else:
                test = self.values.yes_no(condition)
                done = inside(choices)
            self.frame.leave(outer)
            last = nodes.Block(node.span, tuple(branches(others)))
            block = nodes.Block(choices.span, tuple(done))
            self.count(*opening, test)
            return [*opening, nodes.If(node.span, ((test, block),), last)]

        built = branches(node.branches)
        self.covered = {n: at for n, at in ends[0].items() if all(n in end for end in ends)}
        return built
