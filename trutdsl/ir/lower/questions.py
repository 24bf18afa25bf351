"""Lowers questions and their options, also those of groups and those that other files add."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from trutdsl.diagnostics import Note, write_instead
from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_NODES, choice_type
from trutdsl.ir.lower.body import BodyBuilder
from trutdsl.ir.lower.quantifiers import large_numbers, one_of
from trutdsl.ir.lower.scope import BoundNames, Head, OptionGroup
from trutdsl.ir.nodes import put_first, substitute, walk
from trutdsl.ir.types import (
    CARDS,
    NUMBER,
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
from trutdsl.language import figure, quote_name, say
from trutdsl.syntax import ast
from trutdsl.syntax.ast import LEAVE_IT

MOST_TURNS = 64  # eight seats speak once each, and then at most all others are asked

# Nodes of the texts that groups give to questions. More are too large in any case: together, four
# nodes of a text become more than one of the rules.
MOST_GROUP_NODES = 4 * MOST_NODES


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
    with frame.inner():
        slot, domain = builder.values.domain(who.domain, who.name)
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
    with frame.inner():
        seat = nodes.Local(span, SEAT, frame.bind(who.name, SEAT), who.name.text)
        frame.fixed_slots.add(seat.slot)
        turns = nodes.Domain(span, waiting, None, turn, False, None)
        of_turn = nodes.Quantifier(
            span, Element(SEAT.kind, True), "first", frame.slot(), turns, None
        )
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
    with builder.frame.inner():
        _check_number_of_cards(builder, node)
        _refuse_values(builder, node)
        binders: list[nodes.Binder] = []
        texts, where = [word.text for word in node.words], node.condition
        nothing = dict[int, nodes.Expression]()
        on_step: list[nodes.Expression] = []
        for number, binder in enumerate(node.binders):
            items, last, element = _build_choice(builder, binder)
            by = builder.values.number(binder.step) if binder.step is not None else None
            slot = builder.frame.bind(binder.name, element)
            builder.frame.fixed_slots.add(slot)
            if by is not None:
                chosen = nodes.Local(binder.name.span, element, slot, binder.name.text)
                on_step.append(_is_on_step(builder, chosen, items, by))
            words = tuple(w.text for w in binder.words)
            if number in absent:
                if not isinstance(element, Element):
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
        for step in on_step:
            both = condition and nodes.Logic(node.span, YES_NO, "and", condition, step)
            condition = both or step
        if condition is not None and nothing:
            condition = substitute(condition, nothing)
        early = condition is not None and not _uses(condition, binders)
        builder.questions += 1
        body = builder.block(node.body)
        builder.questions -= 1
        _explain_words(builder, [word.text for word in node.words], before)
    lets = tuple(nodes.Let(value.span, slot, value) for slot, value in nothing.items())
    return nodes.Option(
        node.span, tuple(texts), tuple(binders), condition, early, node.openly,
        put_first(body, *lets), node.passes,
    )  # fmt: skip


def _is_on_step(
    builder: BodyBuilder, chosen: nodes.Local, first: nodes.Expression, step: nodes.Expression
) -> nodes.Expression:
    """Return the condition that a choice is a whole number of steps above the first one."""
    span, values = step.span, builder.values
    number = values.as_type(chosen, NUMBER, say("a choice with steps"))
    rest = values.arithmetic(span, "mod", values.arithmetic(span, "-", number, first), step)
    return nodes.Compare(span, YES_NO, "==", rest, nodes.number(span, 0))


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


def _refuse_values(builder: BodyBuilder, node: ast.Option) -> None:
    """Report a number or a text where a choice needs a name: `bid 4 from 2 to 6`."""
    for number, binder in enumerate(node.binders):
        found = binder.name.span.text
        if found.isdecimal() or found.startswith('"'):
            message = say("found {found}, expected a name for this choice", found=quote_name(found))
            words = [] if number else [word.text for word in node.words]
            help_ = say("write `{spoken}`", spoken=" ".join([*words, "x from ..."]))
            builder.errors.error("type", message, binder.name.span, help=help_)


def _uses(condition: nodes.Expression, binders: list[nodes.Binder]) -> bool:
    slots = {binder.slot for binder in binders}
    return any(isinstance(n, nodes.Local) and n.slot in slots for n in walk(condition))


# The options of a question, with those of groups and those that other files add.


@dataclass(frozen=True)
class OptionContext:
    """The context of an option in its text.

    names:     those that it can use besides declarations of files. place: its name in messages.
    base_rule: the target of `do base` in it. base: the target of `options base`.
    """

    names: BoundNames
    place: str | None
    base_rule: nodes.Rule | None = None
    base: OptionGroup | None = None


@dataclass(frozen=True)
class Offer:
    """An option of a text; `blocks`: the blocks after it where its group is used, in order."""

    option: ast.Option
    context: OptionContext
    blocks: tuple[tuple[ast.Block, OptionContext], ...] = ()


@contextmanager
def standing(builder: BodyBuilder, context: OptionContext) -> Iterator[None]:
    """Build a part of another text, with the names of that text only."""
    old = builder.frame.bound, builder.errors.place, builder.base_rule
    builder.frame.bound = dict(context.names)
    builder.errors.place, builder.base_rule = context.place, context.base_rule
    yield
    builder.frame.bound, builder.errors.place, builder.base_rule = old


class Expansion:
    """The options of one question.

    offers: all of them, in order; those that files add come last.
    seat:   the asked seat. statements: the sentences before the question. They name that seat for
            added options, and the arguments of groups.
    """

    def __init__(self, builder: BodyBuilder, node: ast.Ask, seat: nodes.Expression) -> None:
        self.builder, self.seat = builder, seat
        self.statements: list[nodes.Statement] = []
        self._open_groups: list[OptionGroup] = []
        self._question_span = node.span
        context = OptionContext(builder.frame.bound, builder.errors.place, builder.base_rule)
        self.offers = list(self._those(node.options, context))
        additions = builder.names.additions.get(node.decision.text, ())
        if additions:
            self.seat = local = self._settle(seat, SEAT)
            place = say("what is added to ask '{decision}'", decision=node.decision.text)
            for addition in additions:
                names = self._bind_names([addition.seat], [local], place)
                self.offers += self._those(addition.options, OptionContext(names, place))
        if builder.names.group_nodes > MOST_GROUP_NODES:
            self.offers.clear()  # they are refused, and too many to be read

    def _those(
        self, options: Sequence[ast.Option | ast.Placed], context: OptionContext
    ) -> Iterator[Offer]:
        for one in options:
            if isinstance(one, ast.Option):
                if not self._open_groups or self._may_give(one):
                    yield Offer(one, context)
                continue
            follows = ((one.body, context),) if one.body.statements else ()
            for offer in self._group(one, context):
                if not follows or self._may_give(one.body):
                    yield Offer(offer.option, offer.context, (*offer.blocks, *follows))

    def _may_give(self, part: ast.Option | ast.Block) -> bool:
        """Count a part of a group that is used here; return whether there are not too many."""
        names = self.builder.names
        if names.group_nodes > MOST_GROUP_NODES:
            return False
        names.group_nodes += sum(not isinstance(one, ast.Word) for one in ast.walk(part))
        if names.group_nodes > MOST_GROUP_NODES:
            text = "up to here the rules have more than {most} meaningful words"
            message = say(text, most=figure(MOST_NODES, ","))
            help_ = say("say less, or say it once")
            names.errors.error("too-large", message, self._question_span, help=help_)
        return names.group_nodes <= MOST_GROUP_NODES

    def _group(self, node: ast.Placed, context: OptionContext) -> Iterator[Offer]:
        """Yield the options of a group where it is used; its parameters get new names."""
        group = self._find_group(node, context)
        if group is None or self.builder.names.group_nodes > MOST_GROUP_NODES:
            return
        head = Head(node.name.text, group.params, None, group.node.name.span)
        with standing(self.builder, context):
            args = node.args or ()
            if node.name.text == "base" and not args:
                args = tuple(
                    ast.Name(p.span, p.name.text) for p in self._open_groups[-1].node.params
                )
            values = self.builder.values.arguments(head, args, node.span)
        if len(values) != len(group.params):
            return
        place = say("options '{node}'", node=group.node.name.text)
        place += f" [{group.node.cites}]" if group.node.cites else ""
        local_values = [self._settle(v, t) for v, t in zip(values, group.params, strict=True)]
        names = self._bind_names([param.name for param in group.node.params], local_values, place)
        self._open_groups.append(group)
        yield from self._those(group.node.options, OptionContext(names, place, None, group.base))
        self._open_groups.pop()

    def _find_group(self, node: ast.Placed, context: OptionContext) -> OptionGroup | None:
        names, word = self.builder.names, node.name
        group = context.base if word.text == "base" else names.groups.get(word.text)
        with standing(self.builder, context):
            if group is None and word.text == "base":
                message = say("there are no options here that `base` could mean")
                help_ = say(
                    "write `options base` in `replace options`; it means the replaced options"
                )
                names.errors.error("unknown-name", message, word.span, help=help_)
            elif group is None:
                names.unknown(say("group of options"), word.text, word.span, names.groups)
            elif group in self._open_groups:
                message = say("the options '{word}' contain themselves", word=word.text)
                help_ = say("write down those that are meant")
                names.errors.error("recursion", message, node.span, help=help_)
                return None
        names.used_groups.add(word.text)
        return group

    def _settle(self, value: nodes.Expression, type_: Type) -> nodes.Local:
        """Return a value computed before the question; nothing changes it."""
        slot = self.builder.frame.slot()
        self.builder.frame.fixed_slots.add(slot)
        self.statements.append(nodes.Let(value.span, slot, value))
        return nodes.Local(value.span, type_, slot, "")

    def _bind_names(
        self, words: Sequence[ast.Word], values: Sequence[nodes.Local], place: str
    ) -> BoundNames:
        """Return only the names of values from before the question."""
        with standing(self.builder, OptionContext({}, place)):
            for word, value in zip(words, values, strict=True):
                self.builder.frame.bind(word, value.type, value.slot)
            return self.builder.frame.bound
