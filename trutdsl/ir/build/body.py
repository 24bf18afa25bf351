"""The body that is being built: its names and values, and what those who build a kind need."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from trutdsl.ir import nodes
from trutdsl.ir.build.expressions import ExpressionBuilder
from trutdsl.ir.build.scope import Frame, Names
from trutdsl.ir.build.values import FunctionHead
from trutdsl.ir.types import Type
from trutdsl.ir.walk import walk
from trutdsl.syntax import ast

Change = Callable[[nodes.Expression], nodes.Expression]
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
    before:   what has to be done before the sentence that is being built.
    plays:    it is a part of the game, and so can do the game's rules; else of a strategy.
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
        self.before: list[nodes.Statement] = []
        self.plays = True

    def converted(self, value: nodes.Expression, wanted: Type, what: str) -> nodes.Expression:
        """Return what is given to something of a type, see `ValueBuilder.converted`."""
        return self.change(value, lambda given: self.values.converted(given, wanted, what))

    def change(self, value: nodes.Expression, change: Change) -> nodes.Expression:
        """Return what is made of a value, which may be from a source.

        What chance or a rule gives stands in no expression: it gets a name before.
        """
        made = change(value)
        if (
            made is value
            or not isinstance(value, nodes.Source)
            or not any(part is value for part in walk(made))
        ):
            return made
        name = nodes.Local(value.span, value.type, self.frame.slot(), "")
        self.before.append(nodes.Let(value.span, name.slot, value))
        return change(name)

    @abstractmethod
    def block(self, node: ast.Block) -> nodes.Block:
        """Return a block; names bound in it end with it."""
