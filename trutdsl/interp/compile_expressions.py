"""What each expression means: a function of the match and of the names bound in its rule."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb
from typing import Any

from trutdsl.interp.machine import Code, Evaluate, Machine, Slots
from trutdsl.ir import nodes
from trutdsl.ir.bounds import MOST_TURNS
from trutdsl.ir.types import NUMBER, Number, OneOf, SetOf

Elements = Callable[[Machine, Slots], Iterator[Any]]

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
}
SETS: dict[str, Callable[[frozenset[int], frozenset[int]], frozenset[int]]] = {
    "+": operator.or_,
    "-": operator.sub,
    "&": operator.and_,
}


def compile_expression(node: nodes.Expression, code: Code) -> Evaluate:
    """Return the function that works the expression out.

    Numbers and indices are ints, yes/no bools, sets frozensets of indices, nobody None.
    """
    match node:
        case nodes.Const(_, _, value):
            return lambda _m, _f: value
        case nodes.PackText(_, _, kind, text):
            index = code.setting.deck.index_of(kind, text)
            return lambda _m, _f: index
        case nodes.Parameter(_, type_, name):
            fixed = code.setting.parameters[name]
            if isinstance(type_, OneOf):
                fixed = type_.names.index(str(fixed))
            return lambda _m, _f: fixed
        case nodes.Local(_, _, slot):
            return lambda _m, f: f[slot]
        case nodes.Var(_, _, name, None):
            return lambda m, _f: m.variables[name][0]
        case nodes.Var(_, _, name, index_node) if index_node is not None:
            at = compile_expression(index_node, code)
            return lambda m, f: m.variables[name][at(m, f)]
        case nodes.ZoneCards(_, _, name, _):
            where = compile_place(node, code)
            return lambda m, f: frozenset(m.zones[name][where(m, f)].cards())
        case nodes.Builtin(_, _, name, args):
            return _compile_builtin(node, name, args, code)
        case nodes.CardValue(_, _, name, card):
            amounts = code.setting.deck.values.get(name)
            of = compile_expression(card, code)
            return (lambda m, f: amounts[of(m, f)]) if amounts else (lambda _m, _f: 0)
        case nodes.Call(_, _, name, args):
            given = [compile_expression(a, code) for a in args]
            function = code.function(name)
            cost = code.cost(node)
            if not cost:
                return lambda m, f: function(m, [g(m, f) for g in given])

            def counted(m: Machine, f: Slots) -> Any:
                m.step(node.span, cost)
                return function(m, [g(m, f) for g in given])

            return counted
        case nodes.Arithmetic(_, _, op, left, right):
            a, b, work = (
                compile_expression(left, code),
                compile_expression(right, code),
                ARITHMETIC[op],
            )
            return lambda m, f: work(a(m, f), b(m, f))
        case nodes.Compare(_, _, op, nodes.PackText() as text, _) if is_missing(text, code):
            return lambda _m, _f: op == "!="
        case nodes.Compare(_, _, op, _, nodes.PackText() as text) if is_missing(text, code):
            return lambda _m, _f: op == "!="
        case nodes.Compare(_, _, op, left, right):
            a, b, test = (
                compile_expression(left, code),
                compile_expression(right, code),
                COMPARE[op],
            )
            return lambda m, f: test(a(m, f), b(m, f))
        case nodes.Logic(_, _, op, left, right):
            a, b = compile_expression(left, code), compile_expression(right, code)
            if op == "and":
                return lambda m, f: a(m, f) and b(m, f)
            return lambda m, f: a(m, f) or b(m, f)
        case nodes.Not(_, _, inner):
            a = compile_expression(inner, code)
            return lambda m, f: not a(m, f)
        case nodes.Choice(_, _, test_node, yes, no):
            t = compile_expression(test_node, code)
            a, b = compile_expression(yes, code), compile_expression(no, code)
            return lambda m, f: a(m, f) if t(m, f) else b(m, f)
        case nodes.Unwrap(_, type_, inner):
            return _compile_unwrap(node, compile_expression(inner, code))
        case nodes.Within(_, _, inner):
            return _compile_within(node, compile_expression(inner, code), code)
        case nodes.Member(_, _, item, items):
            a, b = compile_expression(item, code), compile_expression(items, code)
            return lambda m, f: a(m, f) in b(m, f)
        case nodes.SetLiteral(_, _, item_nodes):
            each = [compile_expression(i, code) for i in item_nodes]
            return lambda m, f: frozenset(i for e in each if (i := e(m, f)) is not None)
        case nodes.SetOperation(_, _, op, left, right):
            a, b, join = compile_expression(left, code), compile_expression(right, code), SETS[op]
            return lambda m, f: join(a(m, f), b(m, f))
        case nodes.Selection():
            return _compile_selection(node, code)
        case nodes.Image():
            return _compile_image(node, code)
        case nodes.Quantifier():
            return _compile_quantifier(node, code)
        case nodes.Legal() | nodes.LegalAt() | nodes.Remembered():
            return code.policy_value(node)
        case _:
            raise AssertionError(f"{type(node).__name__} is no plain expression")


def is_missing(node: nodes.PackText, code: Code) -> bool:
    """Tell whether this pack does not have what a text names."""
    return code.setting.deck.index_of(node.kind, node.text) is None


def _compile_selection(node: nodes.Selection, code: Code) -> Evaluate:
    of_cards = list(enumerate(code.setting.deck.attribute(node.attribute)))
    if isinstance(node.key, nodes.PackText) and is_missing(node.key, code):
        selected = frozenset(card for card, _ in of_cards if node.op == "!=")
        return lambda _m, _f: selected
    key, test = compile_expression(node.key, code), COMPARE[node.op]

    def select(m: Machine, f: Slots) -> frozenset[int]:
        wanted = key(m, f)
        return frozenset(card for card, has in of_cards if test(has, wanted))

    return select


def _compile_image(node: nodes.Image, code: Code) -> Evaluate:
    deck, cards = code.setting.deck, compile_expression(node.cards, code)
    holds = [
        (deck.attribute(r.attribute), COMPARE[r.op], deck.attribute(r.other))
        for r in node.relations
    ]

    def image(m: Machine, f: Slots) -> frozenset[int]:
        among = cards(m, f)
        return frozenset(
            card
            for card in range(len(deck.texts))
            if any(all(test(has[c], wanted[card]) for has, test, wanted in holds) for c in among)
        )

    return image


def compile_place(node: nodes.ZoneCards, code: Code) -> Evaluate:
    """Return the function that says which place of a zone is meant; a shared zone has place 0."""
    if node.index is None:
        return lambda _m, _f: 0
    return compile_expression(node.index, code)


def _compile_unwrap(node: nodes.Unwrap, inner: Evaluate) -> Evaluate:
    def unwrap(m: Machine, f: Slots) -> Any:
        value = inner(m, f)
        if value is None:
            raise m.error("nobody", f"there is no {node.type} here", node.span)
        return value

    return unwrap


def _compile_within(node: nodes.Within, inner: Evaluate, code: Code) -> Evaluate:
    kind = node.type
    if isinstance(kind, SetOf):
        kind = kind.kind  # type: ignore[assignment]
    assert isinstance(kind, Number)
    least = compile_expression(node.low or nodes.Const(node.span, kind, kind.low), code)
    most = compile_expression(node.high or nodes.Const(node.span, kind, kind.high), code)

    def within(m: Machine, f: Slots) -> int:
        value, low, high = int(inner(m, f)), least(m, f), most(m, f)
        if not low <= value <= high:
            message = f"{value} is not from {low} to {high}"
            if node.type == NUMBER:
                message = f"{value} is too {'small' if value < low else 'large'} a number"
            raise m.error("out-of-range", message, node.span)
        return value

    def all_within(m: Machine, f: Slots) -> frozenset[int]:
        values, low, high = inner(m, f), least(m, f), most(m, f)
        for value in sorted(values):
            if not low <= value <= high:
                message = f"{value} is not from {low} to {high}"
                raise m.error("out-of-range", message, node.span)
        return frozenset(values)

    return all_within if isinstance(node.type, SetOf) else within


def _compile_builtin(
    node: nodes.Builtin, name: str, args: tuple[nodes.Expression, ...], code: Code
) -> Evaluate:
    setting, deck = code.setting, code.setting.deck
    teams, players = setting.teams, setting.players
    if name in ("size", "empty") and isinstance(args[0], nodes.ZoneCards):
        zone, where = args[0].name, compile_place(args[0], code)
        if name == "size":
            return lambda m, f: len(m.zones[zone][where(m, f)])
        return lambda m, f: len(m.zones[zone][where(m, f)]) == 0
    if name in ("top", "bottom"):
        return _compile_end(node, name, args[0], code)
    if name == "in_sight":
        return code.in_sight(node)
    fixed: dict[str, Any] = {
        "players": players,
        "seats": frozenset(range(players)),
        "teams": frozenset(range(teams)),
        "suits": frozenset(range(len(deck.suits))),
        "ranks": frozenset(range(len(deck.ranks))),
        "pack_cards": frozenset(range(deck.regular)),
        "special_pack": frozenset(range(deck.regular, len(deck.texts))),
    }
    if name == "whole":
        low, high = (compile_expression(end, code) for end in args)
        return lambda m, f: frozenset(range(low(m, f), high(m, f) + 1))
    if name in fixed:
        value = fixed[name]
        return lambda _m, _f: value
    a = compile_expression(args[0], code)
    match name:
        case "openly":
            return a
        case "team":
            return lambda m, f: a(m, f) % teams
        case "seats_of":
            members = [frozenset(range(t, players, teams)) for t in range(teams)]
            return lambda m, f: members[a(m, f)]
        case "next_seat":
            return lambda m, f: (a(m, f) + 1) % players
        case "previous_seat":
            return lambda m, f: (a(m, f) - 1) % players
        case "strength":
            return lambda m, f: deck.strength[a(m, f)]
        case "rank":
            return lambda m, f: deck.rank[a(m, f)]
        case "suit":
            return lambda m, f: deck.suit[a(m, f)]
        case "special":
            return lambda m, f: a(m, f) >= deck.regular
        case "size":
            return lambda m, f: len(a(m, f))
        case "empty":
            return lambda m, f: not a(m, f)
    b = compile_expression(args[1], code)
    match name:
        case "min":
            return lambda m, f: min(a(m, f), b(m, f))
        case "max":
            return lambda m, f: max(a(m, f), b(m, f))
        case "ways":
            return lambda m, f: comb(a(m, f), many) if (many := b(m, f)) >= 0 else 0
    raise AssertionError(name)


def _compile_end(node: nodes.Builtin, name: str, arg: nodes.Expression, code: Code) -> Evaluate:
    assert isinstance(arg, nodes.ZoneCards)
    zone, where = arg.name, compile_place(arg, code)
    why = "it is shuffled" if code.program.zones[zone].ordered else "it is no pile"

    def end_of_zone(m: Machine, f: Slots) -> int:
        pile = m.zones[zone][where(m, f)]
        if not pile.groups:
            raise m.error("no-card", f"'{zone}' has no {name} card: it is empty", node.span)
        card = pile.end(name == "top")
        if card is None:
            raise m.error(
                "unknown-order",
                f"nobody can know the {name} card of '{zone}': {why}",
                node.span,
            )
        return card

    return end_of_zone


def compile_domain(node: nodes.For | nodes.Quantifier, code: Code, ordered: bool) -> Elements:
    """Return the generator of the elements, each bound to the slot before `where` is looked at.

    The elements are those of the moment when the domain is entered. ordered: the order matters,
    so that a shuffled pile cannot be gone through; else any pile is in the order of the pack.
    """
    domain, slot, cost = node.domain, node.slot, code.cost(node)
    where = compile_expression(domain.where, code) if domain.where is not None else None
    first = _compile_elements(domain, code, ordered)

    def elements(m: Machine, f: Slots) -> Iterator[Any]:
        for element in first(m, f):
            if cost:
                m.step(domain.span, cost)
            f[slot] = element
            if where is None or where(m, f):
                yield element

    return elements


def _compile_elements(domain: nodes.Domain, code: Code, ordered: bool) -> Evaluate:
    players = code.setting.players
    if domain.last is not None:
        low, high = compile_expression(domain.items, code), compile_expression(domain.last, code)

        def numbers(m: Machine, f: Slots) -> range:
            a, b = low(m, f), high(m, f)
            if b - a > MOST_TURNS:
                raise m.error("too-long", f"there are {b - a + 1} numbers here", domain.span)
            return range(a, b + 1)

        return numbers
    if isinstance(domain.items, nodes.ZoneCards):
        name, place = domain.items.name, compile_place(domain.items, code)

        def as_they_lie(m: Machine, f: Slots) -> list[int]:
            pile = m.zones[name][place(m, f)]
            if ordered and not pile.settled():
                raise m.error(
                    "unknown-order",
                    f"nobody can know the order of the shuffled '{name}'",
                    domain.span,
                )
            return pile.cards() if ordered else sorted(pile.cards())

        return as_they_lie
    if isinstance(domain.items, nodes.Hands):
        return _compile_hands(domain.items, code)
    items = compile_expression(domain.items, code)
    if domain.start is None:
        return lambda m, f: sorted(items(m, f))
    start, after = compile_expression(domain.start, code), domain.after

    def in_play_order(m: Machine, f: Slots) -> list[int]:
        seats, s = items(m, f), start(m, f)
        order = [(s + i) % players for i in range(1 if after else 0, players)]
        return [seat for seat in order if seat in seats]

    return in_play_order


def _compile_hands(node: nodes.Hands, code: Code) -> Evaluate:
    size, cards = compile_expression(node.size, code), compile_expression(node.cards, code)

    def hands(m: Machine, f: Slots) -> list[frozenset[int]]:
        highest_first, many = sorted(cards(m, f), reverse=True), size(m, f)
        found = combinations(highest_first, many) if many >= 0 else ()
        return [frozenset(hand) for hand in sorted(found)]

    return hands


def _compile_quantifier(node: nodes.Quantifier, code: Code) -> Evaluate:
    elements = compile_domain(node, code, ordered=node.kind == "first")
    value = compile_expression(node.value, code) if node.value is not None else None
    if node.order is not None and value is not None:
        return _compile_argmax(node, elements, value)
    match node.kind:
        case "count":
            return lambda m, f: sum(1 for _ in elements(m, f))
        case "first":
            return lambda m, f: next(elements(m, f), None)
        case "those":
            return lambda m, f: frozenset(elements(m, f))
        case "any":
            if value is None:
                return lambda m, f: any(True for _ in elements(m, f))
            return lambda m, f: any(value(m, f) for _ in elements(m, f))
    assert value is not None
    measure = value
    match node.kind:
        case "every":
            return lambda m, f: all(measure(m, f) for _ in elements(m, f))
        case "total":
            return lambda m, f: sum(measure(m, f) for _ in elements(m, f))
        case "highest" | "lowest":
            pick = max if node.kind == "highest" else min

            def extreme(m: Machine, f: Slots) -> int:
                values = [measure(m, f) for _ in elements(m, f)]
                if not values:
                    raise m.error(
                        "nothing", f"there is nothing to take the {node.kind} of", node.span
                    )
                return int(pick(values))

            return extreme
    raise AssertionError(node.kind)


def _compile_argmax(node: nodes.Quantifier, elements: Elements, value: Evaluate) -> Evaluate:
    """Return the argmax or argmin: those elements, or the first, with the extreme value."""
    sign = 1 if node.order == "highest" else -1

    def best(m: Machine, f: Slots) -> list[Any]:
        most, found = None, list[Any]()
        for element in elements(m, f):
            measure = sign * value(m, f)
            if most is None or measure > most:
                most, found = measure, []
            if measure == most:
                found.append(element)
        return found

    if node.kind == "first":
        return lambda m, f: next(iter(best(m, f)), None)
    return lambda m, f: frozenset(best(m, f))
