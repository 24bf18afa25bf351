"""Gives the sentences that move cards their meaning."""

from __future__ import annotations

from typing import assert_never

from trutdsl.ir import nodes
from trutdsl.ir.build.body import BodyBuilder
from trutdsl.ir.types import (
    CARD,
    SEAT,
)
from trutdsl.syntax import ast


def build_cards(
    builder: BodyBuilder,
    node: ast.Shuffle | ast.Draw | ast.Move | ast.MoveAll | ast.Swap | ast.Gather,
) -> nodes.Statement | None:
    """Return a sentence that moves cards, or None if it could not be understood."""
    zone = builder.values.cards_in
    if isinstance(node, ast.Move | ast.MoveAll) and node.under:
        below = zone(node.target, "where the cards go")
        if below is not None and not builder.names.zones[below.name].ordered:
            builder.errors.error(
                "type",
                f"'{below.name}' is no pile, so nothing lies under its cards",
                node.target.span,
                help="declare it `pile`, or write `to`",
            )
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
                builder.errors.error(
                    "type",
                    "it is not clear where this card is",
                    card.span,
                    help="write `move ... from ZONE to ZONE`",
                )
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
