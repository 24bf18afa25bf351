"""The body under construction: its names, and the sources of its values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from trutdsl.ir import nodes
from trutdsl.ir.intervals import hull, of_name
from trutdsl.ir.lower.declarations import DeclarationBuilder
from trutdsl.ir.lower.expressions import ExpressionBuilder
from trutdsl.ir.lower.scope import Frame, Head, mistake
from trutdsl.ir.types import (
    NOBODY,
    NUMBER,
    UNKNOWN,
    YES_NO,
    Nobody,
    Number,
    Probability,
    SetOf,
    Type,
    Unknown,
    described,
    element_of,
)
from trutdsl.ir.walk import walk
from trutdsl.syntax import ast

# The body that is being built: its names and values, and what those who build a kind need.

Change = Callable[[nodes.Expression], nodes.Expression]


class BodyBuilder(ABC):
    """The body of one rule, or of a `define` with sentences, while it is built.

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
        declarations: DeclarationBuilder,
        frame: Frame,
        result: Type | None = None,
        replaced: nodes.Rule | None = None,
        pure: bool = False,
        values: ExpressionBuilder | None = None,
    ) -> None:
        self.names, self.type_of = declarations.names, declarations.type_of
        self.frame, self.result, self.replaced, self.pure = frame, result, replaced, pure
        self.errors = self.names.errors
        self.values = values or ExpressionBuilder(self.names, frame, declarations.head)
        self.params: tuple[nodes.Local, ...] = ()
        self.loops = 0
        self.questions = 0
        self.handing_on: tuple[nodes.Statement, ...] = ()
        self.found: Type | None = None
        self.before: list[nodes.Statement] = []
        self.plays = True

    def converted(self, value: nodes.Expression, wanted: Type, what: str) -> nodes.Expression:
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


# Lowers sources of values: chance, calls of rules, and expressions.


def build_source(body: BodyBuilder, node: ast.Value, wanted: Type | None) -> nodes.Expression:
    """Return what a `let` or an assignment takes its value from."""
    match node:
        case ast.Roll(span, low, high):
            a, b = (_end_of_roll(body, end) for end in (low, high))
            result: nodes.Expression = nodes.Roll(span, hull(a.type, b.type), a, b)
        case ast.Random(span, items):
            built = body.values.build(items)
            if not isinstance(built.type, SetOf | Unknown):
                message = f"chance picks from a set or zone, not {described(built.type)}"
                help_ = "roll a number: `roll 1 to 6`" if isinstance(built.type, Number) else None
                body.errors.error("type", message, items.span, help=help_)
            result = nodes.RandomFrom(span, element_of(built.type), built)
        case ast.Chance():
            result = _chance(body, node)
        case ast.Do(span) if not body.plays:
            help_ = "a `define` does; only a game's own rules do its rules"
            return mistake(body.errors, "a rule gives a strategy no value", span, help=help_)
        case ast.Do(span):
            result = do = build_do(body, node)
            if isinstance(do.type, Nobody):
                message = f"the rule '{node.name.text}' returns nothing"
                help_ = "give it a result: `rule NAME(...) -> TYPE`"
                body.errors.error("type", message, span, help=help_)
                result = nodes.Const(span, UNKNOWN, 0)
        case _:
            return body.values.build(node, wanted)
    if body.pure:
        body.errors.error("type", "a `define` cannot ask for chance or do a rule", node.span)
    return result


def _end_of_roll(body: BodyBuilder, node: ast.Expr) -> nodes.Expression:
    value = body.values.number(node)
    return body.values.within(
        value, of_name(value.type) if isinstance(value.type, Number) else UNKNOWN
    )


def build_do(body: BodyBuilder, node: ast.Do) -> nodes.Do:
    """Return a rule with its arguments; of type `none` if it returns nothing."""
    if node.name.text == "base":
        return _do_base(body, node)
    head = body.names.rules.get(node.name.text)
    if head is None:
        if node.name.text in body.names.functions:
            message = f"'{node.name.text}' is a `define`: it has a value, and nothing to do"
            help_ = f"use its value: `let x = {node.name.text}{'(...)' if node.args else ''}`"
            body.errors.error("type", message, node.name.span, help=help_)
        else:
            body.names.unknown("rule", node.name.text, node.name.span, body.names.rules)
        for arg in node.args or ():
            body.values.build(arg)
        return nodes.Do(node.span, UNKNOWN, node.name.text, ())
    args = body.values.arguments(head, node.args or (), node.span)
    return nodes.Do(node.span, head.result or NOBODY, head.name, args)


def _do_base(body: BodyBuilder, node: ast.Do) -> nodes.Do:
    replaced = body.replaced
    if replaced is None:
        message = "this rule replaces none, so it has no `base`"
        help_ = "`base` stands in a `replace rule`, for the rule that was there before"
        body.errors.error("unknown-name", message, node.span, help=help_)
        return nodes.Do(node.span, UNKNOWN, "base", ())
    args: tuple[nodes.Expression, ...] = body.params
    if node.args is not None:
        head = Head("rule", "base", replaced.params, replaced.result, node.span)
        args = body.values.arguments(head, node.args, node.span)
    return nodes.Do(node.span, replaced.result or NOBODY, replaced.name, args)


def _chance(body: BodyBuilder, node: ast.Chance) -> nodes.Expression:
    part = body.values.build(node.part)
    if node.whole is None:
        if not isinstance(part.type, Probability | Unknown):
            message = "a chance is a probability parameter, or a part of a whole"
            body.errors.error("type", message, node.part.span, help="write `chance 1 out of 4`")
        return nodes.Chance(node.span, YES_NO, part, None)
    part = body.values.as_type(part, NUMBER, "the part")
    whole = body.values.number(node.whole)
    if isinstance(whole.type, Number) and whole.type.low < 1:
        body.errors.error(
            "type", "the whole may be 0 or less", node.whole.span, help="make sure: `max(1, ...)`"
        )
    return nodes.Chance(node.span, YES_NO, part, whole)
