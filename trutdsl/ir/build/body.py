"""The body that is being built: its names and values, and what those who build a kind need."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from trutdsl.ir import nodes
from trutdsl.ir.build.expressions import ExpressionBuilder
from trutdsl.ir.build.scope import Frame, Names
from trutdsl.ir.build.values import FunctionHead
from trutdsl.ir.types import Type
from trutdsl.syntax import ast

TypeOf = Callable[[ast.Type | None, Type], Type]


class BodyBuilder(ABC):
    """The body of one rule, or of a `define` with sentences, while it is built.

    type_of:  gives the type that is written, or a default.
    replaced: the rule that this one replaces, if it does.
    pure:     in a `define`, whose sentences may change nothing but their own names.
    values:   what builds its expressions, by default those of rules.
    loops, questions: how many there are around the present sentence.
    handing_on: what `next` does first in a question that any of some seats answers.
    found:    what the `return`s of a `define` give.
    """

    def __init__(
        self,
        names: Names,
        frame: Frame,
        head: FunctionHead,
        type_of: TypeOf,
        result: Type | None,
        replaced: nodes.Rule | None = None,
        pure: bool = False,
        values: ExpressionBuilder | None = None,
    ) -> None:
        self.names, self.frame, self.type_of, self.result = names, frame, type_of, result
        self.replaced, self.pure = replaced, pure
        self.errors = names.errors
        self.values = values or ExpressionBuilder(names, frame, head)
        self.params: tuple[nodes.Local, ...] = ()
        self.loops = 0
        self.questions = 0
        self.handing_on: tuple[nodes.Statement, ...] = ()
        self.found: Type | None = None

    @abstractmethod
    def block(self, node: ast.Block) -> nodes.Block:
        """Return a block; names bound in it end with it."""
