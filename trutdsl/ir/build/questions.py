"""Gives questions and their options their meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trutdsl.diagnostics import Note
from trutdsl.ir import nodes
from trutdsl.ir.build.body import BodyBuilder
from trutdsl.ir.build.options import Expansion, Offer, standing
from trutdsl.ir.types import (
    NUMBER,
    SEAT,
    UNKNOWN,
    SetOf,
    Type,
    Unknown,
    described,
    element_of,
)
from trutdsl.ir.walk import walk
from trutdsl.syntax import ast

LEAVES = (
    nodes.Return
    | nodes.Stop
    | nodes.Next
    | nodes.Again
    | nodes.EndTrick
    | nodes.EndDeal
    | nodes.EndMatch
)


def build_ask(builder: BodyBuilder, node: ast.Ask) -> Iterator[nodes.Statement]:
    """Yield a question, and before it what its options need to be worked out."""
    seat = builder.values.typed(node.seat, SEAT, "who is asked")
    if not node.decision.text.isidentifier():
        builder.errors.error("syntax", "a decision's name is one word", node.decision.span)
    builder.names.asked.add(node.decision.text)
    expansion = Expansion(builder, node, seat)
    options = tuple(_offered(builder, offer) for offer in expansion.offers)
    _check_words(builder, options)
    yield from expansion.settled
    yield nodes.Ask(node.span, expansion.seat, node.decision.text, node.audience, options)


def _check_words(builder: BodyBuilder, options: tuple[nodes.Option, ...]) -> None:
    """Report two options of the same words, at the one whose file builds on the other's."""
    heads: dict[tuple[str, ...], nodes.Option] = {}
    for option in options:
        plain = option.words if not option.binders else ()
        other = heads.setdefault(plain, option)
        if not plain or other is option:
            continue
        files = builder.names.files
        first, second = sorted((other, option), key=lambda o: files.index(o.span.source))
        builder.errors.error(
            "defined-twice",
            f"'{' '.join(plain)}' is an option of this question already",
            second.span,
            Note("the first one stands here", first.span),
            help="give it other words, or join the two with `or`",
        )


def _offered(builder: BodyBuilder, offer: Offer) -> nodes.Option:
    with standing(builder, offer.around):
        option = _build_option(builder, offer.option)
    statements = option.body.statements
    for block, around in offer.behind:
        if statements and isinstance(statements[-1], LEAVES):
            break
        with standing(builder, around):
            builder.questions += 1
            statements += builder.block(block).statements
            builder.questions -= 1
    return replace(option, body=nodes.Block(option.body.span, statements))


def _build_option(builder: BodyBuilder, node: ast.Option) -> nodes.Option:
    outer = builder.frame.inner()
    binders: list[nodes.Binder] = []
    for binder in node.binders:
        last = builder.values.number(binder.last) if binder.last is not None else None
        element: Type = NUMBER
        if last is None:
            items = builder.values.build(binder.items)
            element = UNKNOWN
            if isinstance(items.type, SetOf):
                element = element_of(items.type)
            elif not isinstance(items.type, Unknown):
                builder.errors.error(
                    "type",
                    f"one chooses from a set or zone, not {described(items.type)}",
                    items.span,
                )
        else:
            items = builder.values.number(binder.items)
        slot = builder.frame.bind(binder.name, element)
        builder.frame.fixed.add(slot)
        if isinstance(items, nodes.ZoneCards):
            builder.frame.origins[slot] = items
        words = tuple(w.text for w in binder.words)
        binders.append(nodes.Binder(binder.span, slot, items, last, words))
    condition = builder.values.yes_no(node.condition) if node.condition is not None else None
    early = condition is not None and not _uses(condition, binders)
    builder.questions += 1
    body = builder.block(node.body)
    builder.questions -= 1
    builder.frame.leave(outer)
    texts = tuple(w.text for w in node.words)
    return nodes.Option(
        node.span, texts, tuple(binders), condition, early, node.openly, body, node.passes
    )


def _uses(condition: nodes.Expression, binders: list[nodes.Binder]) -> bool:
    """Tell whether a condition looks at what an option lets choose."""
    slots = {binder.slot for binder in binders}
    return any(isinstance(n, nodes.Local) and n.slot in slots for n in walk(condition))
