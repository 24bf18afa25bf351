"""Gives sentences that store a value their meaning: `let`, assignments, and `return`."""

from __future__ import annotations

from trutdsl.ir import nodes
from trutdsl.ir.build.body import BodyBuilder
from trutdsl.ir.build.sources import build_source
from trutdsl.ir.intervals import hull
from trutdsl.ir.types import (
    NUMBER,
    UNKNOWN,
    Element,
    Nobody,
    Number,
    Probability,
    SetOf,
    Type,
    Unknown,
    described,
    element_of,
    set_of,
)
from trutdsl.syntax import ast


def build_let(body: BodyBuilder, node: ast.Let) -> nodes.Let:
    """Return a name with its value."""
    name, written, value = node.name, node.type, node.value
    wanted = body.type_of(written, UNKNOWN) if written is not None else None
    built = build_source(body, value, wanted)
    if wanted is not None:
        built = body.values.as_type(built, wanted, f"what '{name.text}' stands for")
    type_ = wanted or built.type
    if isinstance(type_, Number):
        type_ = wanted or NUMBER
        built = body.values.within(built, type_)
    elif isinstance(type_, SetOf):
        built = body.values.within(built, type_)
    elif isinstance(type_, Nobody):
        kind = f"`let {name.text}: seat? = none`"
        body.errors.error(
            "type",
            "it is not clear what this will be",
            node.span,
            help=f"say what else it may be, as in {kind}",
        )
        type_ = UNKNOWN
    elif isinstance(type_, Probability):
        body.errors.error("type", "only `chance` can use a probability", value.span)
    return nodes.Let(node.span, body.frame.bind(name, type_), built)


def build_assign(body: BodyBuilder, node: ast.Assign) -> nodes.Assign | None:
    """Return what sets a variable or name, or None if it could not be understood."""
    target = body.values.build(node.target)
    if not isinstance(target, nodes.Var | nodes.Local | nodes.Remembered):
        if not isinstance(target.type, Unknown):
            what = "cards are moved" if isinstance(target, nodes.ZoneCards) else "this is fixed"
            body.errors.error(
                "type", f"only a variable or counter can be set; {what}", node.target.span
            )
        build_source(body, node.value, None)
        return None
    if body.pure and isinstance(target, nodes.Var):
        body.errors.error("type", "a `define` cannot change the game", node.span)
    if isinstance(target, nodes.Local) and target.slot in body.frame.fixed:
        body.errors.error(
            "type",
            f"'{target.name}' stands for what a loop or option gives it, and cannot be set",
            node.span,
            help="give another name its value: `let other = ...`",
        )
    value = build_source(body, node.value, target.type)
    if node.op != "=":
        if isinstance(target.type, SetOf):
            value = body.values.lifted(value, target.type)
        if not isinstance(target.type, Number | SetOf | Unknown):
            body.errors.error(
                "type", f"'{node.op}' has no meaning for {described(target.type)}", node.span
            )
            return None
    value = body.values.as_type(value, target.type, "the new value")
    op = node.op
    if isinstance(target.type, SetOf) and op != "-=":
        value = body.values.within(value, target.type)
    if (
        isinstance(target, nodes.Local)
        and isinstance(target.type, Number)
        and target.type != NUMBER
    ):
        if op != "=":
            value, op = body.values.arithmetic(node.span, op[0], target, value), "="
        value = body.values.within(value, target.type)
    return nodes.Assign(node.span, target, op, value)


def build_return(body: BodyBuilder, node: ast.Return) -> nodes.Return:
    """Return how a rule or `define` is left with its result."""
    if body.pure:
        if node.value is None:
            body.errors.error("type", "a `define` returns a value", node.span)
            return nodes.Return(node.span, None)
        value = build_source(body, node.value, body.result or body.found)
        if body.result is not None:
            value = body.values.as_type(value, body.result, "the result")
            value = body.values.within(value, body.result)
        elif body.found is None or isinstance(body.found, Nobody):
            body.found = value.type
        else:
            body.found = _joined(body.found, value.type)
        return nodes.Return(node.span, value)
    if body.result is None:
        if node.value is not None:
            body.errors.error(
                "type",
                "this rule returns nothing",
                node.value.span,
                help="say what it returns: `rule NAME(...) -> TYPE`",
            )
        return nodes.Return(node.span, None)
    if node.value is None:
        body.errors.error("type", f"this rule returns {described(body.result)}", node.span)
        return nodes.Return(node.span, None)
    value = build_source(body, node.value, body.result)
    value = body.values.as_type(value, body.result, "the result")
    return nodes.Return(node.span, body.values.within(value, body.result))


def _joined(left: Type, right: Type) -> Type:
    if isinstance(left, Number) and isinstance(right, Number):
        return hull(left, right)
    if isinstance(left, SetOf) and isinstance(right, SetOf):
        return set_of(hull(element_of(left), element_of(right))) or left
    if isinstance(left, Element) and isinstance(right, Nobody):
        return Element(left.kind, True)
    if isinstance(left, Element) and isinstance(right, Element) and left.kind == right.kind:
        return Element(left.kind, left.optional or right.optional)
    return left
