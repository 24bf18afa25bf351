"""Lowers sentences that move cards: shuffle, draw, move, swap and gather."""

from __future__ import annotations

from typing import assert_never

from trutdsl.ir import nodes
from trutdsl.ir.lower.body import BodyBuilder
from trutdsl.ir.types import CARD, CARDS, SEAT, Unknown
from trutdsl.language import say
from trutdsl.syntax import ast


def build_cards(
    builder: BodyBuilder,
    node: ast.Shuffle | ast.Draw | ast.Move | ast.MoveAll | ast.Swap | ast.Gather,
) -> nodes.Statement | None:
    """Build a sentence that moves cards, or None after a mistake."""
    zone = builder.values.cards_in
    if isinstance(node, ast.Move | ast.MoveAll) and node.under:
        target_zone = zone(node.target, say("the target of the cards"))
        if target_zone is not None and not builder.names.zones[target_zone.name].ordered:
            message = say(
                "'{below}' is not a pile, so nothing lies under its cards", below=target_zone.name
            )
            help_ = say("declare it `pile`, or write `to`")
            builder.errors.error("type", message, node.target.span, help=help_)
    match node:
        case ast.Shuffle(span, where):
            pile = zone(where, say("the argument of `shuffle`"))
            _check_pile(builder, pile, where)
            return nodes.Shuffle(span, pile) if pile else None
        case ast.Draw(span, origin, target, face_up, name):
            a = zone(origin, say("the source of `draw`"))
            b = zone(target, say("the target of the card"))
            _check_pile(builder, a, origin)
            slot = builder.frame.bind(name, CARD) if name is not None else None
            return nodes.Draw(span, a, b, face_up, slot) if a and b else None
        case ast.Move(span, card, origin, target, under):
            value = builder.values.build(card, CARD)
            if value.type == CARDS:
                message = say("the moved value must be a card, but this is a set of cards")
                help_ = _move_each(value, origin, target)
                builder.errors.error("type", message, card.span, help=help_)
                return None
            value = builder.values.as_type(value, CARD, say("the moved value"))
            b = zone(target, say("the target of the card"))
            a = zone(origin, say("the source of the card")) if origin is not None else None
            inner = value
            if isinstance(value, nodes.Builtin) and value.name == "openly":
                (inner,) = value.args
            if origin is None and isinstance(inner, nodes.Local):
                a = builder.frame.origins.get(inner.slot)
            if origin is None and a is None and not isinstance(value.type, Unknown):
                message = say("the zone of this card is unknown")
                help_ = _move_from(builder, card, inner, target)
                builder.errors.error("type", message, card.span, help=help_)
            return nodes.Move(span, value, a, b, under) if a and b else None
        case ast.MoveAll(span, origin, target, under, turned, openly):
            a = zone(origin, say("the source of the cards"))
            b = zone(target, say("the target of the cards"))
            return nodes.MoveAll(span, a, b, under, turned, openly) if a and b else None
        case ast.Swap(span, card, origin, other, target):
            one = builder.values.build_as(card, CARD, say("the swapped value"))
            two = builder.values.build_as(other, CARD, say("the other swapped value"))
            a = zone(origin, say("the source of the card"))
            b = zone(target, say("the source of the other card"))
            return nodes.Swap(span, one, a, two, b) if a and b else None
        case ast.Gather(span, names, start, target, openly):
            for name in names:
                if name.text not in builder.names.zones:
                    builder.names.unknown("zone", name.text, name.span, builder.names.zones)
            b = zone(target, say("the target of the cards"))
            by = None
            if start is not None:
                by = builder.values.build_as(start, SEAT, say("the first seat of `gather`"))
            zones = tuple(n.text for n in names)
            return nodes.Gather(span, zones, by, b, openly) if b else None
        case _:
            assert_never(node)


def _move_each(value: nodes.Expression, origin: ast.Expr | None, target: ast.Expr) -> str:
    """Return the help for a zone or set that is moved as if it were one card."""
    text, place = value.span.text, "ZONE" if origin is None else origin.span.text
    if isinstance(value, nodes.ZoneCards):
        sentence = f"move all from {text} to {target.span.text}"
    else:
        sentence = f"for c in {text}: move c from {place} to {target.span.text}"
    return say("write `{sentence}`", sentence=sentence)


def _move_from(
    builder: BodyBuilder, card: ast.Expr, inner: nodes.Expression, target: ast.Expr
) -> str:
    """Return the help for a card of unknown zone; it names the one zone of its set, if any."""
    names, frame = builder.names, builder.frame
    known = isinstance(inner, nodes.Local) and inner.slot in frame.sets
    parts: list[object] = [frame.sets[inner.slot]] if known else []  # type: ignore[attr-defined]
    zones = set[str]()
    seen = set[str]()
    while parts:
        for part in ast.walk(parts.pop()):
            text = part.text if isinstance(part, ast.Word) else getattr(part, "name", "")
            if text in names.zones:
                zones.add(text)
            elif text in names.functions and text not in seen:
                seen.add(text)
                parts.append(names.functions[text])
    if len(zones) != 1:
        return say("write `move ... from ZONE to ZONE`")
    (zone,) = zones
    place = f"{zone}[...]" if names.zones[zone].index is not None else zone
    sentence = f"move {card.span.text} from {place} to {target.span.text}"
    return say("write `{sentence}`", sentence=sentence)


def _check_pile(builder: BodyBuilder, zone: nodes.ZoneCards | None, node: ast.Expr) -> None:
    if zone is not None and not builder.names.zones[zone.name].ordered:
        message = say("'{zone}' is not a pile", zone=zone.name)
        builder.errors.error("type", message, node.span, help=say("declare it `pile`"))
