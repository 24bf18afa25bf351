"""Choices: a clause's selection among the legal actions, written as statements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_CARDS, choice_type, hand_sizes, hull, of_name, window_of
from trutdsl.ir.lower.scope import mistake
from trutdsl.ir.lower.statements import StatementBuilder
from trutdsl.ir.lower.values import ValueBuilder
from trutdsl.ir.nodes import if_holds
from trutdsl.ir.script.names import ME, PolicyExpressions, Scope, own_frame, place_of
from trutdsl.ir.types import (
    CARDS,
    NUMBER,
    SEAT,
    YES_NO,
    Among,
    Element,
    Hands,
    Kind,
    Number,
    SetOf,
    Type,
    element_of,
    without_none,
)
from trutdsl.language import quote_name, say
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script

Statements = list[nodes.Statement]
BodyOf = Callable[[list[nodes.Expression], list[nodes.Expression]], Statements]
SEEN_BY_OWNER = (ast.Audience.OWNER, ast.Audience.TEAM, ast.Audience.ALL)
ONLY_MEMORY = "a strategy changes nothing in the game; it can set its own memory and names"


class AnswerBody:
    """The common base of all clauses of an answer.

    frame:     the names bound so far. values, sentences: build expressions and plain sentences.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.errors = scope.names.errors
        self.frame = own_frame(scope.names)
        self.values = PolicyExpressions(scope, self.frame)
        self.sentences = StatementBuilder(scope.declarations, self.frame, values=self.values)
        self.sentences.plays = False

    def assignments(self, node: ast.Block) -> Statements:
        """Return the assignments that a clause makes when it is taken."""
        return [s for one in node.statements if isinstance(one, ast.Assign)
                for s in self.assignment(one)]  # fmt: skip

    def assignment(self, node: ast.Assign) -> Statements:
        """Build an assignment to memory or a name; nothing after a mistake."""
        if isinstance(node.target, ast.Index) and node.target.name.text in self.scope.indexed:
            return self._assign_element(node, node.target)
        name = node.target.name if isinstance(node.target, ast.Name) else ""
        if isinstance(node.target, ast.Index):
            name = node.target.name.text
        if name not in self.frame.bound and name not in self.scope.memory:
            if name in self.scope.names.everything():
                self.errors.error("type", ONLY_MEMORY, node.span)
            else:
                names = [*self.scope.memory, *self.frame.bound]
                self.scope.names.unknown("memory", name, node.target.span, names)
            return []
        return self.sentences.sentences(node)

    def _assign_element(self, node: ast.Assign, target: ast.Index) -> Statements:
        """Build an assignment to one element of a memory."""
        name, span = target.name.text, node.span
        kind, count = self.scope.indexed[name]
        index = self.local(Element(kind), target.index.span)
        value = self.values.build_as(target.index, index.type, f"the index of '{name}'")
        statements: Statements = [nodes.Let(index.span, index.slot, value)]
        for number in range(count):
            place = ast.Name(target.span, place_of(name, number))
            own = self.sentences.sentences(replace(node, target=place))
            element = nodes.Const(span, Element(kind), number)
            statements.append(
                if_holds(span, nodes.Compare(span, YES_NO, "==", index, element), own)
            )
        return statements

    def by_chance(self, node: script.Clause, body: Statements) -> Statements:
        """Return sentences that run with the probability of a clause's odds."""
        odds = node.odds
        if odds is None:
            return body
        match odds.part, odds.whole:
            case ast.Number(_, part), ast.Number(_, whole) if part > whole:
                message = say("a probability is at most 1 out of 1, and this is more")
                self.values.errors.error(
                    "type", message, odds.span, help=say("write one up to `100 %`")
                )
        flag = self.local(YES_NO, odds.span)
        draw: Statements = [nodes.Let(odds.span, flag.slot, self.sentences.source(odds, None))]
        if node.once is None:
            return [*draw, if_holds(odds.span, flag, body)]
        one, two = (nodes.number(odds.span, n) for n in (1, 2))
        memory = self.remember_draw(node.once, odds.span, 2)
        outcome = nodes.Choice(odds.span, memory.type, flag, two, one)
        draw.append(nodes.Assign(odds.span, memory, "=", outcome))
        return [
            if_holds(odds.part.span, compare(memory, "==", 0), draw),
            if_holds(odds.span, compare(memory, "==", 2), body),
        ]

    def remember_draw(self, lifetime: str, span: Span, outcomes: int) -> nodes.Remembered:
        """Return memory for a draw with so many outcomes from 1 on; 0 before it is drawn."""
        name, type_ = f"once a {lifetime} at {span}", Number(0, outcomes)
        zero = nodes.number(span, 0)
        self.scope.draws[name] = nodes.Memory(span, name, type_, zero, lifetime, 1)
        return nodes.Remembered(span, type_, name)

    def draw_part(
        self, node: script.Mix
    ) -> tuple[nodes.Local | nodes.Remembered, Statements, bool]:
        """Return the number of the drawn part, what draws it, and whether one is drawn surely.

        Each part is drawn or not, in order, so that exact evaluation has two branches at a time.
        """
        span, count = node.span, len(node.shares)
        weights = [self.local(NUMBER, share.weight.span) for share in node.shares]
        sums = [self.local(NUMBER, span) for _ in node.shares]
        draw: Statements = []
        is_sure = False
        for share, weight in zip(node.shares, weights, strict=True):
            value = self._weight(share)
            is_sure |= isinstance(value.type, Number) and value.type.low > 0
            part = nodes.Builtin(span, NUMBER, "max", (value, nodes.number(span, 0)))
            draw.append(nodes.Let(weight.span, weight.slot, self.values.within(part, NUMBER)))
        rest: nodes.Expression = nodes.number(span, 0)
        for weight, sum_ in reversed(list(zip(weights, sums, strict=True))):
            total = nodes.Arithmetic(span, NUMBER, "+", weight, rest)
            draw.append(nodes.Let(span, sum_.slot, self.values.within(total, NUMBER)))
            rest = sum_
        pick: nodes.Local | nodes.Remembered
        if node.once is not None:
            pick = self.remember_draw(node.once, span, count)
        else:
            pick = self.local(Number(0, count), span)
            draw.append(nodes.Let(span, pick.slot, nodes.number(span, 0)))
        draw += self._draw_share(pick, weights, sums, 1)
        if node.once is not None:
            draw = [if_holds(span, compare(pick, "==", 0), draw)]
        return pick, draw, is_sure

    def _weight(self, share: script.MixPart) -> nodes.Expression:
        """Return the weight of a part, which stands before its option."""
        match share.body.choices:
            case (script.Clause(words=(ast.Word(_, text),)),) if text.isdecimal():
                message = say(
                    "found {found}, expected a weight", found=quote_name(share.weight.span.text)
                )
                help_ = say("write `{spoken}`", spoken=f"{text}: {share.weight.span.text}")
                return mistake(self.errors, message, share.weight.span, help=help_)
        return self.values.number(share.weight)

    def _draw_share(
        self,
        pick: nodes.Local | nodes.Remembered,
        weights: Sequence[nodes.Local],
        sums: Sequence[nodes.Local],
        number: int,
    ) -> Statements:
        """Return sentences that set `pick` to the number of a part, or of a later one."""
        span, weight = pick.span, weights[number - 1]
        flag = self.local(YES_NO, span)
        whole = nodes.Builtin(span, NUMBER, "max", (sums[number - 1], nodes.number(span, 1)))
        chance = nodes.Chance(span, YES_NO, weight, whole)
        rest: Statements = []
        if number < len(weights):
            rest = self._draw_share(pick, weights, sums, number + 1)
        assign = nodes.Assign(span, pick, "=", nodes.number(span, number))
        both = ((flag, nodes.Block(span, (assign,))),)
        return [
            nodes.Let(span, flag.slot, chance),
            nodes.If(span, both, nodes.Block(span, tuple(rest))),
        ]

    def local(self, type_: Type, span: Span) -> nodes.Local:
        return nodes.Local(span, type_, self.frame.slot(), "")


@dataclass(frozen=True)
class Selection:
    """The selection of a clause.

    before: computes whether there is a choice (`exists`). pick: selects it.
    values: the names of the chosen elements, set after `pick`.
    """

    exists: nodes.Expression
    before: Statements
    pick: Statements
    values: list[nodes.Local]


def choose_one(
    builder: AnswerBody, node: script.Clause, number: int, binder: nodes.Binder, name: ast.Word
) -> Selection:
    """Choose one element of a set."""
    span, type_ = node.span, binder.items.type
    element, maybe = element_of(type_), _choice_type(binder)
    items: nodes.Expression = nodes.Legal(span, type_, number)
    if node.where is not None:
        slot, where = _build_candidate(builder, node.where, name, element, "where")
        domain = nodes.Domain(span, items, where=where)
        items = nodes.Quantifier(node.where.span, type_, "those", slot, domain, None)
    candidates = builder.local(type_, span)
    result = nodes.Not(span, YES_NO, nodes.Builtin(span, YES_NO, "empty", (candidates,)))
    opening: Statements = [nodes.Let(span, candidates.slot, items)]
    choice = builder.local(maybe, span)
    all_of_them = nodes.Domain(span, candidates)
    first: nodes.Expression
    if node.drawn:
        first = nodes.RandomFrom(span, element, candidates)
    elif node.keys:
        *others, last = node.keys
        best: nodes.Expression = candidates
        for one in others:
            slot, key = _build_candidate(builder, one.value, name, element, "key")
            domain = nodes.Domain(span, best)
            best = nodes.Quantifier(span, type_, "those", slot, domain, key, order=one.order)
        slot, key = _build_candidate(builder, last.value, name, element, "key")
        domain = nodes.Domain(span, best)
        first = nodes.Quantifier(span, maybe, "first", slot, domain, key, order=last.order)
    else:
        first = nodes.Quantifier(span, maybe, "first", builder.frame.slot(), all_of_them, None)
    return Selection(result, opening, [nodes.Let(span, choice.slot, first)], [choice])


def _build_candidate(
    builder: AnswerBody, node: ast.Expr, name: ast.Word, type_: Type, what: str
) -> tuple[int, nodes.Expression]:
    """Return the slot of a candidate, and its condition or key."""
    with builder.frame.inner():
        slot = builder.frame.bind(name, type_)
        builder.frame.fixed_slots.add(slot)
        values = builder.values
        value = values.yes_no(node) if what == "where" else _measure(values, values.number(node))
    return slot, value


def _measure(values: ValueBuilder, key: nodes.Expression) -> nodes.Expression:
    """Return the key that compares choices, in the type of a name."""
    return values.within(key, of_name(key.type)) if isinstance(key.type, Number) else key


def choose_several(
    builder: AnswerBody,
    node: script.Clause,
    number: int,
    ask: nodes.Ask,
    names: Sequence[ast.Word],
) -> Selection:
    """Choose numbers or several elements: go through all candidates."""
    span, option = node.span, ask.options[number]
    count, best = builder.local(NUMBER, span), [builder.local(NUMBER, span) for _ in node.keys]
    zero, one = nodes.number(span, 0), nodes.number(span, 1)
    opening: Statements = [nodes.Let(span, local.slot, zero) for local in (count, *best)]
    choices: list[nodes.Local] = []
    for binder in option.binders:
        choices.append(builder.local(_choice_type(binder), span))
        opening.append(nodes.Let(span, choices[-1].slot, _nothing(span, choices[-1].type)))

    def loops(body_of: BodyOf, ranking: bool) -> nodes.Statement:
        with builder.frame.inner():
            turns: list[tuple[int, nodes.Domain]] = []
            elements: list[nodes.Expression] = []
            size: nodes.Local | None = None
            for name, binder in zip(names, option.binders, strict=True):
                if isinstance(binder.items, nodes.Hands):
                    low, high = _sizes_of(binder.items)
                    size = builder.local(hull(low.type, high.type), span)
                    turns.append((size.slot, nodes.Domain(span, low, high)))
                domain, type_ = _all_of(binder, size, _cards_of(builder, binder, ask))
                slot = builder.frame.bind(name, type_)
                builder.frame.fixed_slots.add(slot)
                turns.append((slot, domain))
                elements.append(nodes.Local(span, type_, slot, name.text))
            test: nodes.Expression = nodes.LegalAt(span, YES_NO, number, tuple(elements))
            if node.where is not None:
                where = builder.values.yes_no(node.where)
                test = nodes.Logic(node.where.span, YES_NO, "and", test, where)
            keys = [builder.values.number(key.value) for key in node.keys] if ranking else []
            statement: nodes.Statement = if_holds(span, test, body_of(elements, keys))
            for slot, domain in reversed(turns):
                statement = nodes.For(span, slot, domain, nodes.Block(span, (statement,)))
        return statement

    def keep(elements: list[nodes.Expression]) -> Statements:
        return [nodes.Assign(span, k, "=", g) for k, g in zip(choices, elements, strict=True)]

    def look(elements: list[nodes.Expression], keys: list[nodes.Expression]) -> Statements:
        increment = nodes.Assign(span, count, "+=", one)
        if node.drawn:
            return [increment]
        body, lets = keep(elements), list[nodes.Statement]()
        better: nodes.Expression | None = None
        for clause_key, value, most in reversed(list(zip(node.keys, keys, best, strict=True))):
            key = _measure(builder.values, value)
            measure = builder.local(key.type, span)
            lets.append(nodes.Let(span, measure.slot, key))
            body.append(nodes.Assign(span, replace(most, type=key.type), "=", measure))
            op = "<" if clause_key.order == "lowest" else ">"
            precedes: nodes.Expression = nodes.Compare(span, YES_NO, op, measure, most)
            if better is not None:
                same = nodes.Compare(span, YES_NO, "==", measure, most)
                both = nodes.Logic(span, YES_NO, "and", same, better)
                precedes = nodes.Logic(span, YES_NO, "or", precedes, both)
            better = precedes
        new: nodes.Expression = nodes.Compare(span, YES_NO, "==", count, zero)
        if better is not None:
            new = nodes.Logic(span, YES_NO, "or", new, better)
        return [*lets, if_holds(span, new, body), increment]

    def draw(elements: list[nodes.Expression], _keys: list[nodes.Expression]) -> Statements:
        less = nodes.Assign(span, count, "-=", one)
        is_drawn = nodes.Compare(span, YES_NO, "==", count, zero)
        return [less, if_holds(span, is_drawn, keep(elements))]

    opening.append(loops(look, True))
    result = nodes.Compare(span, YES_NO, ">", count, zero)
    pick: Statements = []
    if node.drawn:
        roll = nodes.Roll(span, NUMBER, one, count)
        pick = [nodes.Let(span, count.slot, roll), loops(draw, False)]
    return Selection(result, opening, pick, choices)


def _choice_type(binder: nodes.Binder) -> Type:
    """Return the type of a choice, which is nobody at first."""
    if isinstance(binder.items, nodes.Hands):
        return CARDS
    if isinstance(binder.items.type, Number) and binder.last is not None:
        return choice_type(binder.items.type, binder.last.type)
    element = element_of(binder.items.type)
    if isinstance(element, Element):
        return Element(element.kind, True)
    return of_name(element) if isinstance(element, Number) else element


def _nothing(span: Span, type_: Type) -> nodes.Expression:
    if isinstance(type_, SetOf):
        return nodes.SetLiteral(span, type_, ())
    return nodes.Const(span, type_, 0 if isinstance(type_, Number) else None)


def _whole(span: Span, kind: Among) -> nodes.Expression:
    """Return all elements of a kind other than cards."""
    if isinstance(kind, Kind):
        return nodes.Builtin(span, SetOf(kind), f"{kind.value}s", ())
    low, high = (kind.low, kind.high) if isinstance(kind, Number) else (0, len(kind.names) - 1)
    ends = tuple(nodes.number(span, n) for n in (low, high))
    return nodes.Builtin(span, SetOf(kind), "whole", ends)


def _every_card(span: Span) -> nodes.Expression:
    regular = nodes.Builtin(span, CARDS, "pack_cards", ())
    special = nodes.Builtin(span, CARDS, "special_pack", ())
    return nodes.SetOperation(span, CARDS, "+", regular, special)


def _sizes_of(hands: nodes.Hands) -> tuple[nodes.Const, nodes.Const]:
    """Return the least and the greatest size of a choice of cards."""
    last = hands.last.type if hands.last is not None else None
    sizes = hand_sizes(MOST_CARDS, hands.size.type, last)
    return nodes.number(hands.span, sizes.start), nodes.number(hands.span, sizes.stop - 1)


def _cards_of(builder: AnswerBody, binder: nodes.Binder, ask: nodes.Ask) -> nodes.Expression:
    """Return the cards of which an option offers several; every card, unless they are its own.

    A place of the asked seat that it sees contains them all.
    """
    if isinstance(binder.items, nodes.Hands):
        cards = binder.items.cards
        while isinstance(cards, nodes.Quantifier) and cards.kind == "those":
            cards = cards.domain.items
        match cards, ask.seat:
            case nodes.ZoneCards(_, _, name, nodes.Local(slot=one)), nodes.Local(slot=asked):
                zone = builder.scope.names.zones[name]
                if one == asked and zone.index is Kind.SEAT and zone.audience in SEEN_BY_OWNER:
                    return nodes.ZoneCards(
                        binder.span, CARDS, name, nodes.Local(binder.span, SEAT, 0, ME)
                    )
    return _every_card(binder.span)


def _all_of(
    binder: nodes.Binder, size: nodes.Local | None, cards: nodes.Expression
) -> tuple[nodes.Domain, Type]:
    """Return all possible candidates and their type.

    size, cards: of a choice of several cards, their number and all that can be among them.
    """
    span, type_ = binder.span, binder.items.type
    if isinstance(type_, Hands):
        assert size is not None
        hands = nodes.Hands(span, type_, size, cards)
        return nodes.Domain(span, hands), CARDS
    if isinstance(type_, SetOf):
        items = _every_card(span) if type_.kind is Kind.CARD else _whole(span, type_.kind)
        return nodes.Domain(span, items), element_of(type_)
    assert binder.last is not None
    window = window_of(type_, binder.last.type)
    low, high = (nodes.number(span, n) for n in (window.low, window.high))
    return nodes.Domain(span, low, high), Number(window.low, window.high)


def compare(value: nodes.Expression, op: str, number: int) -> nodes.Compare:
    return nodes.Compare(value.span, YES_NO, op, value, nodes.number(value.span, number))


def must(value: nodes.Local) -> nodes.Expression:
    """Return a choice that exists, as a value that is not none."""
    if isinstance(value.type, Element) and value.type.optional:
        return nodes.Unwrap(value.span, without_none(value.type), value)
    return value
