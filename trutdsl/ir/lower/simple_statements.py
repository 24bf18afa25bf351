"""Lowers statements without a block: announcements, moves of cards, assignments."""

from __future__ import annotations

from typing import assert_never

from trutdsl.ir import nodes
from trutdsl.ir.intervals import combine, is_exact, joined, of_name
from trutdsl.ir.lower.body import BodyBuilder, build_source
from trutdsl.ir.types import (
    CARD,
    NUMBER,
    SEAT,
    SEATS,
    UNKNOWN,
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
    YesNo,
    described,
)
from trutdsl.syntax import ast

# Lowers announcements.


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
        message = "it is not said as what this is announced"
        help_ = 'write `announce ... as "points" to all`'
        errors.error("type", message, node.value.span, help=help_)
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


# Lowers statements that move cards.


def build_cards(
    builder: BodyBuilder,
    node: ast.Shuffle | ast.Draw | ast.Move | ast.MoveAll | ast.Swap | ast.Gather,
) -> nodes.Statement | None:
    """Return a sentence that moves cards, or None if it could not be understood."""
    zone = builder.values.cards_in
    if isinstance(node, ast.Move | ast.MoveAll) and node.under:
        below = zone(node.target, "where the cards go")
        if below is not None and not builder.names.zones[below.name].ordered:
            message = f"'{below.name}' is no pile, so nothing lies under its cards"
            help_ = "declare it `pile`, or write `to`"
            builder.errors.error("type", message, node.target.span, help=help_)
    match node:
        case ast.Shuffle(span, where):
            built = zone(where, "what is shuffled")
            if built is not None and not builder.names.zones[built.name].ordered:
                builder.errors.error(
                    "type", f"'{built.name}' is no pile", where.span, help="declare it `pile`"
                )
            return nodes.Shuffle(span, built) if built else None
        case ast.Draw(span, origin, target, face_up, name):
            a, b = zone(origin, "what is drawn from"), zone(target, "where the card goes")
            if a is not None and not builder.names.zones[a.name].ordered:
                builder.errors.error(
                    "type", f"'{a.name}' is no pile", origin.span, help="declare it `pile`"
                )
            slot = builder.frame.bind(name, CARD) if name is not None else None
            return nodes.Draw(span, a, b, face_up, slot) if a and b else None
        case ast.Move(span, card, origin, target, under):
            moved = builder.values.typed(card, CARD, "what is moved")
            b = zone(target, "where the card goes")
            a = zone(origin, "where the card is") if origin is not None else None
            if origin is None and isinstance(moved, nodes.Local):
                a = builder.frame.origins.get(moved.slot)
            if origin is None and a is None:
                message = "it is not clear where this card is"
                help_ = "write `move ... from ZONE to ZONE`"
                builder.errors.error("type", message, card.span, help=help_)
            return nodes.Move(span, moved, a, b, under) if a and b else None
        case ast.MoveAll(span, origin, target, under, turned, openly):
            a, b = zone(origin, "where the cards are"), zone(target, "where they go")
            return nodes.MoveAll(span, a, b, under, turned, openly) if a and b else None
        case ast.Swap(span, card, origin, other, target):
            one = builder.values.typed(card, CARD, "what is swapped")
            two = builder.values.typed(other, CARD, "what it is swapped with")
            a, b = zone(origin, "where the card is"), zone(target, "where the other card is")
            return nodes.Swap(span, one, a, two, b) if a and b else None
        case ast.Gather(span, names, start, target, openly):
            for name in names:
                if name.text not in builder.names.zones:
                    builder.names.unknown("zone", name.text, name.span, builder.names.zones)
            b = zone(target, "where the cards go")
            by = None
            if start is not None:
                by = builder.values.typed(start, SEAT, "whose cards come first")
            gathered = tuple(n.text for n in names)
            return nodes.Gather(span, gathered, by, b, openly) if b else None
        case _:
            assert_never(node)


# Lowers statements that store a value: `let`, assignments and `return`.


def build_let(body: BodyBuilder, node: ast.Let) -> nodes.Let:
    name, written, value = node.name, node.type, node.value
    wanted = body.type_of(written, UNKNOWN) if written is not None else None
    built = build_source(body, value, wanted)
    type_ = wanted or (of_name(built.type) if isinstance(built.type, Number) else built.type)
    built = body.converted(built, type_, f"what '{name.text}' stands for")
    if isinstance(type_, Nobody):
        kind = f"`let {name.text}: seat? = none`"
        message = "it is not clear what this will be"
        body.errors.error("type", message, node.span, help=f"say what else it may be, as in {kind}")
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
        message = f"'{target.name}' stands for what a loop or option gives it, and cannot be set"
        help_ = "give another name its value: `let other = ...`"
        body.errors.error("type", message, node.span, help=help_)
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
            help_ = "say what it returns: `rule NAME(...) -> TYPE`"
            body.errors.error("type", "this rule returns nothing", node.value.span, help=help_)
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
