"""Lowers expressions, with their operators."""

from __future__ import annotations

from typing import assert_never

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.intervals import combine, common_type
from trutdsl.ir.lower.quantifiers import QuantifierBuilder
from trutdsl.ir.lower.scope import mistake, of_other_kind
from trutdsl.ir.types import (
    MOST_WRITTEN,
    NOBODY,
    NUMBER,
    SEAT,
    TEAM,
    UNKNOWN,
    WIDEST,
    YES_NO,
    Element,
    Kind,
    Nobody,
    Number,
    OneOf,
    Probability,
    SetOf,
    Type,
    Unknown,
    describe_type,
    element_of,
    fits,
    without_none,
)
from trutdsl.language import say
from trutdsl.syntax import ast

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
SET_SIGNS = {"or": "+", "and": "&"}
STEPS = {"+": "next_seat", "-": "previous_seat"}


class ExpressionBuilder(QuantifierBuilder):
    """Builds the expressions of one rule or function."""

    def build(self, node: ast.Expr, expected: Type | None = None) -> nodes.Expression:
        """Return the expression; `expected` decides the type of quoted texts and named values."""
        match node:
            case ast.Number(span, value):
                if value > MOST_WRITTEN:
                    self.errors.error("too-large", say("this number is too large"), span)
                    value = 0
                return nodes.number(span, value)
            case ast.Decimal(span, millionths):
                if millionths is None:
                    message = say("a probability is from 0 to 1, with at most 6 places")
                    help_ = say("write one up to `1.0`; a number is whole, as in `2 * x > 3 * y`")
                    return mistake(self.errors, message, span, help=help_)
                return nodes.Const(span, Probability(), millionths)
            case ast.YesNo(span, value):
                return nodes.Const(span, YES_NO, value)
            case ast.Nothing(span):
                if isinstance(expected, OneOf) and "none" in expected.names:
                    return nodes.Const(span, expected, expected.names.index("none"))
                return nodes.Const(span, NOBODY, None)
            case ast.Text():
                return self._text(node, expected)
            case ast.Rate():
                return self._rate(node)
            case ast.Name():
                return self._name(node, expected)
            case ast.Call():
                return self._call(node)
            case ast.Base():
                return self._base(node)
            case ast.Index():
                return self._index(node)
            case ast.Not(span, value):
                return nodes.Not(span, YES_NO, self.yes_no(value))
            case ast.Negate(span, value):
                zero = nodes.number(span, 0)
                return self.arithmetic(span, "-", zero, self.number(value))
            case ast.Binary():
                return self._binary(node, expected)
            case ast.Choice():
                return self._choice(node, expected)
            case ast.SetOf():
                return self._set_literal(node, expected)
            case ast.Whole():
                return self._whole(node)
            case ast.Quantifier():
                return self._quantifier(node)
            case _:
                assert_never(node)

    def _binary(self, node: ast.Binary, expected: Type | None) -> nodes.Expression:
        span, op = node.span, node.op
        match op:
            case "and" | "or":
                left = self._side(node, node.left, node.right)
                right = self._side(node, node.right, node.left)
                if isinstance(left.type, SetOf) and isinstance(right.type, SetOf):
                    sets = f"{left.span.text} {SET_SIGNS[op]} {right.span.text}"
                    message = say("'{op}' joins conditions, and this is a set", op=op)
                    cure = say("write `{spoken}`", spoken=sets)
                    return mistake(self.errors, message, span, help=cure)
                left, right = (self.as_type(v, YES_NO, say("a condition")) for v in (left, right))
                return nodes.Logic(span, YES_NO, op, left, right)
            case "in":
                return self._member(node)
            case _ if op in COMPARISONS:
                return self._compare(node)
        left = self.build(node.left, expected)
        if isinstance(left.type, SetOf):
            return self._set_operation(node, left, left.type)
        right = self.build(node.right, expected)
        if isinstance(kind := right.type, SetOf) and (
            isinstance(left.type, Element | OneOf) or fits(left.type, element_of(kind))
        ):
            what = say("the left side of '{op}'", op=op)
            return self._set_operation(node, self.as_type(self.lift(left, kind), kind, what), kind)
        if left.type in (SEAT, TEAM) and op in STEPS:
            described, seat = describe_type(left.type), left.span.text
            message = say("'{op}' has no meaning for {described}", op=op, described=described)
            to = f"{STEPS[op]}({seat})" if left.type == SEAT else f"other({seat})"
            known = left.type == SEAT or self.names.team_counts == {2}
            help_ = say("write `{spoken}`", spoken=to) if known else None
            return mistake(self.errors, message, span, help=help_)
        left = self.as_type(left, NUMBER, say("the left side of '{op}'", op=op))
        right = self.as_type(right, NUMBER, say("the right side of '{op}'", op=op))
        return self.arithmetic(span, op, left, right)

    def _side(self, node: ast.Binary, side: ast.Expr, other: ast.Expr) -> nodes.Expression:
        """Return a side of `and` or `or`; in `x == 3 or 2` it lacks what the other compares."""
        test = _last_comparison(other)
        is_literal = isinstance(side, ast.Number | ast.Text)
        other_value = test.left if test is not None and side is node.left else test and test.right
        of_other = self.is_unknown(side) and isinstance(other_value, ast.Name | ast.Text)
        if test is None or not (is_literal or of_other):
            value = self.build(side, YES_NO)
            maybe = isinstance(value.type, Element) and value.type.optional
            if test is None or maybe or fits(value.type, YES_NO) or isinstance(value.type, SetOf):
                return value
        joined = {"==": "or", "!=": "and"}.get(test.op, node.op)
        op = "==" if is_literal and test.op == "in" else test.op
        added = f"{test.left.span.text} {op} {side.span.text}"
        if side is node.left and not is_literal:
            added = f"{side.span.text} {op} {test.right.span.text}"
        both = (added, test.span.text) if side is node.left else (test.span.text, added)
        message = say("'{op}' joins conditions, and this is a value", op=node.op)
        help_ = say("write `{spoken}`", spoken=f" {joined} ".join(both))
        return mistake(self.errors, message, side.span, help=help_)

    def arithmetic(
        self, span: Span, op: str, left: nodes.Expression, right: nodes.Expression
    ) -> nodes.Expression:
        if op == "&":
            message = say("'&' joins sets, not numbers")
            return mistake(self.errors, message, span, help=say("write `and`"))
        if not (isinstance(left.type, Number) and isinstance(right.type, Number)):
            return nodes.Const(span, UNKNOWN, 0)
        if op in ("div", "mod") and right.type.low < 1:
            help_ = say("make sure: `max(1, ...)`")
            if isinstance(right, nodes.Local) and right.type.low == NUMBER.low:
                least, bounds = f"`max(1, {right.name})`", f"`let {right.name}: 1 to 9 = ...`"
                text = "make sure here: {least}; or say what it can be where it begins: {bounds}"
                help_ = say(text, least=least, bounds=bounds)
            return mistake(self.errors, say("the divisor may be 0 or less"), right.span, help=help_)
        result = combine(op, left.type, right.type)
        if max(abs(result.low), abs(result.high)) > WIDEST:
            message = say("the result of '{op}' may be too large to be exact", op=op)
            help_ = say("give a part narrower bounds above: `let few: 0 to 1000 = ...`")
            return mistake(self.errors, message, span, help=help_, code="too-large")
        return nodes.Arithmetic(span, result, op, left, right)

    def _compare(self, node: ast.Binary) -> nodes.Expression:
        span, op = node.span, node.op
        match node.right:
            case ast.Binary(_, "and" | "or" as joined, ast.Number() | ast.Text() as first, last):
                one, two = (f"{node.left.span.text} {op} {v.span.text}" for v in (first, last))
                message = say("'{op}' joins conditions, and this is a value", op=joined)
                cure = say("write `{spoken}`", spoken=f"{one} {joined} {two}")
                return mistake(self.errors, message, first.span, help=cure)
        if self._needs_other_side(node.left):
            right = self.build(node.right)
            left = self._beside(node.left, without_none(right.type))
        else:
            left = self.build(node.left)
            right = self._beside(node.right, without_none(left.type))
        a, b = without_none(left.type), without_none(right.type)
        same = fits(a, b) or (isinstance(a, Nobody) and isinstance(right.type, Element))
        same = same or (isinstance(b, Nobody) and isinstance(left.type, Element))
        if not same:
            text = "{left} is compared with {right}"
            message = say(text, left=describe_type(left.type), right=describe_type(right.type))
            quote_help = self.help_for_quotes(node.right, a) or self.help_for_quotes(node.left, b)
            whole = of_other_kind(*((right, a) if b == SEAT else (left, b)))
            notes, other, edits = (
                self.other_team(left, b) if b == TEAM else self.other_team(right, a)
            )
            of_left, of_right = of_other_kind(left, b), of_other_kind(right, a)
            number = isinstance(right.type, Number)
            unlike = (of_right or of_left) if number else (of_left or of_right)
            help_ = quote_help or other or whole or unlike
            self.errors.error("type", message, span, *notes, help=help_, edits=edits)
        elif op not in ("==", "!=") and not isinstance(a, Number | Probability | Unknown):
            kind = describe_type(a)
            message = say("'{op}' compares numbers, and this is {described}", op=op, described=kind)
            self.errors.error("type", message, span, help=_comparable(node, a))
        return nodes.Compare(span, YES_NO, op, left, right)

    def _choice(self, node: ast.Choice, expected: Type | None) -> nodes.Expression:
        test = self.yes_no(node.test)
        yes = self.build(node.yes, expected)
        no = self.build(node.no, expected or without_none(yes.type))
        result = common_type(yes.type, no.type)
        if result is None:
            left, right = describe_type(yes.type), describe_type(no.type)
            message = say("one side is {left}, the other {right}", left=left, right=right)
            self.errors.error("type", message, node.span)
        return nodes.Choice(node.span, result or UNKNOWN, test, yes, no)


def _last_comparison(test: ast.Expr) -> ast.Binary | None:
    """Return the last comparison in conditions that `and` and `or` join."""
    if not isinstance(test, ast.Binary):
        return None
    if test.op in SET_SIGNS:
        return _last_comparison(test.right) or _last_comparison(test.left)
    return test if test.op in (*COMPARISONS, "in") else None


def _comparable(node: ast.Binary, kind: Type) -> str | None:
    """Return the help for an order of ranks or cards, which their strengths have."""
    left = node.left
    inner = left.args[0] if isinstance(left, ast.Call) and left.name.text == "rank" else left
    if not isinstance(kind, Element) or kind.kind not in (Kind.RANK, Kind.CARD):
        return None
    if isinstance(left, ast.Text):
        return say("compare the strengths of cards: `strength(c) > strength(d)`")
    text = f"strength({inner.span.text}) {node.op} ..."
    return say("compare the strength, a number: `{text}`", text=text)
