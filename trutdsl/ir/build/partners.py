"""Partners and opponents: functions that are short for operations on sets of seats and teams."""

from __future__ import annotations

from trutdsl.ir import nodes
from trutdsl.ir.build.values import ValueBuilder
from trutdsl.ir.types import SEAT, SEATS, TEAM, TEAMS, UNKNOWN, Element, Kind, Type
from trutdsl.source import Span
from trutdsl.syntax import ast


def build_partners(values: ValueBuilder, node: ast.Call, name: str) -> nodes.Expression:
    """Return what `partner`, `partners` or `opponents` of a seat, or of a team, stands for."""
    span = node.span
    if len(node.args) != 1:
        values.arity(name, (SEAT,), len(node.args), span)
        return nodes.Const(span, UNKNOWN, 0)
    given = values.build(node.args[0])
    if name == "opponents" and _kind(given.type) is Kind.TEAM:
        team = values.as_type(given, TEAM, "what 'opponents' is asked of")
        return _without(span, _all(span, TEAMS, "teams"), _one(team, TEAMS))
    seat = values.as_type(given, SEAT, f"what '{name}' is asked of")
    if seat.type == UNKNOWN:
        return seat
    side = nodes.Builtin(span, TEAM, "team", (seat,))
    own = nodes.Builtin(span, SEATS, "seats_of", (side,))
    if name == "opponents":
        return _without(span, _all(span, SEATS, "seats"), own)
    if name == "partners":
        return _without(span, own, _one(seat, SEATS))
    next_one = nodes.Domain(span, own, None, seat, True, None)
    return nodes.Quantifier(
        span, Element(Kind.SEAT, True), "first", values.frame.slot(), next_one, None
    )


def _kind(type_: Type) -> Kind | None:
    return type_.kind if isinstance(type_, Element) else None


def _all(span: Span, type_: Type, name: str) -> nodes.Expression:
    return nodes.Builtin(span, type_, name, ())


def _one(item: nodes.Expression, type_: Type) -> nodes.Expression:
    return nodes.SetLiteral(item.span, type_, (item,))


def _without(span: Span, all_: nodes.Expression, less: nodes.Expression) -> nodes.Expression:
    return nodes.SetOperation(span, all_.type, "-", all_, less)
