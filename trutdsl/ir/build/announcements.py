"""Gives what is said at the table its meaning."""

from __future__ import annotations

from trutdsl.ir import nodes
from trutdsl.ir.build.body import BodyBuilder
from trutdsl.ir.intervals import of_name
from trutdsl.ir.types import (
    SEAT,
    SEATS,
    YES_NO,
    Element,
    Kind,
    Number,
    OneOf,
    SetOf,
    Type,
    Unknown,
    YesNo,
    described,
)
from trutdsl.syntax import ast


def build_announce(body: BodyBuilder, node: ast.Announce) -> nodes.Announce | None:
    """Return an announcement, or None if it could not be understood."""
    values, errors = body.values, body.errors
    plain = node.value if node.words is None and isinstance(node.value, ast.Text) else None
    value = values.build(node.value) if plain is None else _yes(plain)
    seats = _hearers(body, node)
    speaker = None
    if node.speaker is not None:
        speaker = values.typed(node.speaker, SEAT, "who says it")
    words = node.words if plain is None else plain.value
    if words is None and isinstance(node.value, ast.Name):
        words = node.value.name
    elif words is None and isinstance(node.value, ast.Call | ast.Index):
        words = node.value.name.text
    if not words:
        errors.error(
            "type",
            "it is not said as what this is announced",
            node.value.span,
            help='write `announce ... as "points" to all`',
        )
    if isinstance(value.type, Unknown) or not words:
        return None
    if not isinstance(value.type, YesNo | Number | Element | SetOf | OneOf):
        errors.error("type", f"{described(value.type)} cannot be announced", node.value.span)
        return None
    type_: Type = value.type
    if isinstance(type_, Number):
        type_ = of_name(type_)
        value = values.converted(value, type_, "what is announced")
    return nodes.Announce(node.span, value, type_, words, speaker, seats)


def _yes(node: ast.Text) -> nodes.Expression:
    """Return what is told by words alone: that they were said."""
    return nodes.Const(node.span, YES_NO, True)


def _hearers(body: BodyBuilder, node: ast.Announce) -> nodes.Expression:
    if node.to is None:
        return nodes.Builtin(node.span, SEATS, "seats", ())
    to = body.values.build(node.to)
    if isinstance(to.type, Element):
        wanted = Element(Kind.TEAM) if to.type.kind is Kind.TEAM else SEAT
        one = body.values.as_type(to, wanted, "who hears it")
        if to.type.kind is Kind.TEAM:
            return nodes.Builtin(node.to.span, SEATS, "seats_of", (one,))
        return nodes.SetLiteral(node.to.span, SEATS, (one,))
    return body.values.as_type(to, SEATS, "who hears it")
