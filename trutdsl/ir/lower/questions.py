"""Lowers questions and their options."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace

from trutdsl.diagnostics import Note, write_instead
from trutdsl.ir import nodes
from trutdsl.ir.intervals import choice_type
from trutdsl.ir.lower.body import BodyBuilder
from trutdsl.ir.lower.option_groups import Expansion, Offer, standing
from trutdsl.ir.lower.quantifiers import large_numbers, one_of
from trutdsl.ir.nodes import put_first, substitute, walk
from trutdsl.ir.types import (
    CARDS,
    SEAT,
    SEATS,
    UNKNOWN,
    YES_NO,
    Element,
    Hands,
    SetOf,
    Type,
    Unknown,
    describe_type,
    element_of,
)
from trutdsl.language import say
from trutdsl.syntax import ast
from trutdsl.syntax.ast import LEAVE_IT

MOST_TURNS = 64  # eight seats speak once each, and then at most all others are asked


def build_ask(builder: BodyBuilder, node: ast.Ask) -> Iterator[nodes.Statement]:
    """Yield a question, after the sentences that compute values for its options."""
    if not node.decision.text.isidentifier():
        name = "_".join(re.findall(r"[a-z0-9]+", node.decision.text.lower()))
        help_ = write_instead(f'"{name}"') if name.isidentifier() else None
        message = say("a decision's name is one word")
        builder.errors.error("syntax", message, node.decision.span, help=help_)
    builder.names.questions.add(node.decision.text)
    if isinstance(node.seat, ast.Quantifier) and node.seat.kind == "any" and not node.seat.value:
        yield from _ask_any(builder, node, node.seat)
    else:
        yield from _ask(
            builder, node, builder.values.build_as(node.seat, SEAT, say("the addressee of `ask`"))
        )


def _ask(
    builder: BodyBuilder,
    node: ast.Ask,
    seat: nodes.Expression,
    exits: tuple[nodes.Option, ...] = (),
) -> Iterator[nodes.Statement]:
    """Yield a question; with the option `exits`, any other option leaves the loop around it."""
    expansion = Expansion(builder, node, seat)
    candidates = (
        _build_offer(builder, offer, absent, stops=bool(exits))
        for offer in expansion.offers
        for absent in _absences(offer.option)
    )
    options = (*(one for one in candidates if one is not None), *exits)
    _check_words(builder, options)
    yield from expansion.statements
    yield nodes.Ask(node.span, expansion.seat, node.decision.text, node.audience, options)


def _ask_any(builder: BodyBuilder, node: ast.Ask, who: ast.Quantifier) -> Iterator[nodes.Statement]:
    """Yield a question to any of some seats: a loop, in which each may leave it to the next.

    Those in `open` have not spoken yet; those in `waiting` are asked before the question is over.
    After `next` all open seats wait again, starting after the speaker.
    """
    frame, span, start = builder.frame, who.span, who.domain.start
    outer = frame.inner()
    slot, domain = builder.values.domain(who.domain, who.name)
    frame.leave(dict(outer))
    if domain.items.type not in (SEATS, UNKNOWN):
        text = "one asks any of some seats, not of {described}"
        message = say(text, described=describe_type(domain.items.type))
        builder.errors.error("type", message, domain.items.span)
    first = (
        builder.values.build_as(start, SEAT, say("the first seat of the turn")) if start else None
    )
    open_, waiting = (nodes.Local(span, SEATS, frame.slot(), "") for _ in range(2))
    turn = nodes.Local(span, SEAT, frame.slot(), "")
    flag = nodes.Local(span, YES_NO, frame.slot(), "")
    yield nodes.Let(span, open_.slot, nodes.Quantifier(span, SEATS, "those", slot, domain, None))
    yield nodes.Let(span, waiting.slot, open_)
    yield nodes.Let(span, turn.slot, first or nodes.Const(span, SEAT, 0))
    yield nodes.Let(span, flag.slot, nodes.Const(span, YES_NO, False))
    seat = nodes.Local(span, SEAT, frame.bind(who.name, SEAT), who.name.text)
    frame.fixed_slots.add(seat.slot)
    turns = nodes.Domain(span, waiting, None, turn, False, None)
    of_turn = nodes.Quantifier(span, Element(SEAT.kind, True), "first", frame.slot(), turns, None)
    single = nodes.SetLiteral(span, SEATS, (seat,))
    some = nodes.Not(span, YES_NO, nodes.Builtin(span, YES_NO, "empty", (waiting,)))
    may_leave = nodes.Logic(span, YES_NO, "or", flag, some)
    nothing = nodes.Block(span, ())
    exit_option = nodes.Option(span, LEAVE_IT, (), may_leave, True, False, nothing, passes=True)
    old = builder.loops, builder.handing_on
    builder.loops, builder.handing_on = (
        0,
        (
            nodes.Assign(span, open_, "-=", single),
            nodes.Assign(span, waiting, "=", open_),
            nodes.Assign(span, flag, "=", nodes.Const(span, YES_NO, True)),
        ),
    )
    question = tuple(_ask(builder, node, seat, (exit_option,)))
    builder.loops, builder.handing_on = old
    frame.leave(outer)
    body = nodes.Block(
        node.span,
        (
            nodes.Let(span, seat.slot, nodes.Unwrap(span, SEAT, of_turn)),
            nodes.Assign(span, waiting, "-=", single),
            nodes.Assign(span, turn, "=", seat),
            *question,
        ),
    )
    most = nodes.number(span, MOST_TURNS)
    yield nodes.Repeat(node.span, most, "while", some, body)


def _check_words(builder: BodyBuilder, options: tuple[nodes.Option, ...]) -> None:
    """Report two options with the same words, in the file that builds on the other."""
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
            say("'{names}' is an option of this question already", names=" ".join(plain)),
            second.span,
            Note(say("the first one is here"), first.span),
            help=say("give it other words, or join the two with `or`"),
        )


Absent = frozenset[int]  # the choices of an option that are `none`


def _absences(option: ast.Option) -> Iterator[Absent]:
    """Yield which choices are none; each `from SET + {none}` doubles the options."""
    may_be = [n for n, binder in enumerate(option.binders) if _or_none(binder) is not None]
    for many in range(len(may_be) + 1):
        yield from map(frozenset, itertools.combinations(may_be, many))


def _or_none(binder: ast.Binder) -> ast.Expr | None:
    """Return the set of `SET + {none}`; None for any other choice."""
    match binder.items:
        case ast.Binary(_, "+", items, ast.SetOf(_, (ast.Nothing(),))) if binder.last is None:
            return items
    return None


def _build_offer(
    builder: BodyBuilder, offer: Offer, absent: Absent, stops: bool
) -> nodes.Option | None:
    """Return an option with the blocks after it; `stops`: it ends the loop around the question."""
    with standing(builder, offer.context):
        option = _build_option(builder, offer.option, absent)
    if option is None:
        return None
    statements = option.body.statements
    for block, context in offer.blocks:
        if _leaves(statements):
            break
        with standing(builder, context):
            builder.questions += 1
            statements += builder.block(block).statements
            builder.questions -= 1
    if stops and not _leaves(statements):
        statements += (nodes.Stop(option.span),)
    return replace(option, body=nodes.Block(option.body.span, statements))


def _leaves(statements: tuple[nodes.Statement, ...]) -> bool:
    return bool(statements) and isinstance(statements[-1], nodes.Exit)


def _build_option(builder: BodyBuilder, node: ast.Option, absent: Absent) -> nodes.Option | None:
    """Return an option; a choice that is `absent` is a word of it, and its name is none.

    Return None if a choice that is to be absent cannot be.
    """
    outer = builder.frame.inner()
    _check_number_of_cards(builder, node)
    binders: list[nodes.Binder] = []
    texts, where = [word.text for word in node.words], node.condition
    nothing = dict[int, nodes.Expression]()
    for number, binder in enumerate(node.binders):
        items, last, element = _build_choice(builder, binder)
        slot = builder.frame.bind(binder.name, element)
        builder.frame.fixed_slots.add(slot)
        words = tuple(w.text for w in binder.words)
        if number in absent:
            if not isinstance(element, Element):
                builder.frame.leave(outer)
                return None
            nothing[slot] = nodes.Const(binder.span, element, None)
            last_binder = binders[-1] if binders else None
            if last_binder is None:
                texts += ["none", *words]
            else:
                binders[-1] = replace(last_binder, words=(*last_binder.words, "none", *words))
            continue
        if numbers := large_numbers(binder.items):
            test = one_of(binder.name, numbers)
            where = test if where is None else ast.Binary(test.span, "and", test, where)
        if isinstance(items, nodes.ZoneCards):
            builder.frame.origins[slot] = items
        elif binder.of is None:
            builder.frame.sets[slot] = binder.items
        binders.append(nodes.Binder(binder.span, slot, items, last, words))
    before = len(builder.errors.diagnostics)
    condition = builder.values.yes_no(where) if where is not None else None
    if condition is not None and nothing:
        condition = substitute(condition, nothing)
    early = condition is not None and not _uses(condition, binders)
    builder.questions += 1
    body = builder.block(node.body)
    builder.questions -= 1
    _explain_words(builder, [word.text for word in node.words], before)
    builder.frame.leave(outer)
    lets = tuple(nodes.Let(value.span, slot, value) for slot, value in nothing.items())
    return nodes.Option(
        node.span, tuple(texts), tuple(binders), condition, early, node.openly,
        put_first(body, *lets), node.passes,
    )  # fmt: skip


def _explain_words(builder: BodyBuilder, words: list[str], before: int) -> None:
    """Add the help to errors about a name that is only a word of its option, as in `bid n in 1`."""
    found = builder.errors.diagnostics
    for number, one in enumerate(found[before:], before):
        name = one.span.text
        if one.code != "unknown-name" or name not in words:
            continue
        spoken = r"(?:in|of|between|among) (\w+)(?: (?:to|and) (\w+))?$"
        hit = re.match(spoken, " ".join(words[words.index(name) + 1 :]))
        choices = " to ".join(filter(None, hit.groups())) if hit else "SET"
        text = "in the option this is a word; to let the player choose, write `{found}`"
        help_ = say(text, found=f"{name} from {choices}")
        found[number] = replace(one, help=help_)


def _build_choice(
    builder: BodyBuilder, node: ast.Binder
) -> tuple[nodes.Expression, nodes.Expression | None, Type]:
    """Return the set of a choice or its first number, the last one, and the type of its name."""
    values = builder.values
    if node.of is not None:
        last = values.number(node.last) if node.last is not None else None
        size = values.number(node.items)
        cards = values.build_as(node.of, CARDS, say("the source of the cards"))
        return nodes.Hands(node.span, Hands(), size, cards, last), None, CARDS
    if node.last is not None:
        last = values.number(node.last)
        first = values.number(node.items)
        return first, last, choice_type(first.type, last.type)
    if numbers := large_numbers(node.items):
        ends = [nodes.number(node.items.span, end(numbers)) for end in (min, max)]
        return ends[0], ends[1], choice_type(ends[0].type, ends[1].type)
    inner = _or_none(node)
    items = values.build(inner or node.items)
    if isinstance(items.type, Unknown):
        return items, None, UNKNOWN
    if not isinstance(items.type, SetOf):
        message = say(
            "one chooses from a set or zone, not {described}", described=describe_type(items.type)
        )
        builder.errors.error("type", message, items.span)
        return items, None, UNKNOWN
    element = element_of(items.type)
    if inner is None:
        return items, None, element
    if isinstance(element, Element):
        return items, None, Element(element.kind, True)
    return values.build(node.items), None, element  # `none` is one of these named values


def _check_number_of_cards(builder: BodyBuilder, node: ast.Option) -> None:
    """Report `throw 2 cards from ZONE`, which would choose a single card."""
    if node.binders and node.binders[0].name.text == "cards" and node.words:
        number, words = node.words[-1].text, " ".join(word.text for word in node.words[:-1])
        if number.isdecimal():
            message = say("'{number} cards' does not say how many are chosen", number=number)
            text = "write `{words} them from {number} cards of ...`, with a name for them"
            help_ = say(text, words=words, number=number)
            builder.errors.error("syntax", message, node.binders[0].name.span, help=help_)


def _uses(condition: nodes.Expression, binders: list[nodes.Binder]) -> bool:
    slots = {binder.slot for binder in binders}
    return any(isinstance(n, nodes.Local) and n.slot in slots for n in walk(condition))
