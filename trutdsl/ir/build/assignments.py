"""Gives sentences that store a value their meaning: `let`, assignments, and `return`."""

from __future__ import annotations

from trutdsl.ir import nodes
from trutdsl.ir.build.body import BodyBuilder
from trutdsl.ir.build.sources import build_source
from trutdsl.ir.intervals import combine, is_exact, joined, of_name
from trutdsl.ir.types import (
    NUMBER,
    UNKNOWN,
    Nobody,
    Number,
    Probability,
    SetOf,
    Unknown,
    described,
)
from trutdsl.syntax import ast


def build_let(body: BodyBuilder, node: ast.Let) -> nodes.Let:
    """Return a name with its value."""
    name, written, value = node.name, node.type, node.value
    wanted = body.type_of(written, UNKNOWN) if written is not None else None
    built = build_source(body, value, wanted)
    type_ = wanted or (of_name(built.type) if isinstance(built.type, Number) else built.type)
    built = body.converted(built, type_, f"what '{name.text}' stands for")
    if isinstance(type_, Nobody):
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
        if isinstance(kind := target.type, SetOf):
            value = body.change(value, lambda given: body.values.lifted(given, kind))
        if not isinstance(target.type, Number | SetOf | Unknown):
            body.errors.error(
                "type", f"'{node.op}' has no meaning for {described(target.type)}", node.span
            )
            return None
    return _stored(body, node, target, value)


def _stored(
    body: BodyBuilder,
    node: ast.Assign,
    target: nodes.Var | nodes.Local | nodes.Remembered,
    value: nodes.Expression,
) -> nodes.Assign:
    """Return the assignment of a value to a target of its kind, or report that it is of another.

    Messages name a variable, memory or `number` that leaves its bounds, so it is looked at when the
    assignment is done; any other target is given a value that was converted.
    """
    op, kind, values = node.op, target.type, body.values
    value = body.change(value, lambda given: values.as_type(given, kind, "the new value"))
    if isinstance(kind, SetOf) and op != "-=":
        value = body.change(value, lambda given: values.within(given, kind))
    elif isinstance(kind, Number) and isinstance(target, nodes.Local) and kind != NUMBER:
        if op != "=":
            sign, op = op[0], "="
            value = body.change(value, lambda v: values.arithmetic(node.span, sign, target, v))
        value = body.change(value, lambda given: values.within(given, kind))
    elif (
        op != "="
        and isinstance(kind, Number)
        and isinstance(value.type, Number)
        and not is_exact(combine(op[0], kind, value.type))
    ):
        message = f"the result of '{op}' may be too large to be exact"
        body.errors.error("too-large", message, node.span)
    return nodes.Assign(node.span, target, op, value)


def build_return(body: BodyBuilder, node: ast.Return) -> nodes.Return:
    """Return how a rule or `define` is left with its result."""
    if body.pure:
        if node.value is None:
            body.errors.error("type", "a `define` returns a value", node.span)
            return nodes.Return(node.span, None)
        value = build_source(body, node.value, body.result or body.found)
        if body.result is not None:
            value = body.converted(value, body.result, "the result")
        else:
            _join_found(body, value)
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
    return nodes.Return(node.span, body.converted(value, body.result, "the result"))


def _join_found(body: BodyBuilder, value: nodes.Expression) -> None:
    """Note what one more `return` of a `define` gives, or report that it is of another kind."""
    before = value.type if body.found is None else body.found
    body.found = joined(before, value.type)
    if body.found is None:
        body.errors.error(
            "type",
            f"this returns {described(value.type)}, and a `return` before it {described(before)}",
            value.span,
            help="return the same kind everywhere, or make two defines of it",
        )
        body.found = UNKNOWN
