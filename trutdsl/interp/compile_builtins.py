"""Built-in functions: the value of each for its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb
from typing import Any

from trutdsl.interp.machine import CompiledProgram, Evaluate, Machine, Slots
from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_TURNS
from trutdsl.language import mark, say

# Messages by the name of a function or quantifier.
NO_CARD = {
    "top": mark("'{zone}' has no top card: it is empty"),
    "bottom": mark("'{zone}' has no bottom card: it is empty"),
}
UNKNOWN = {
    "top": mark("nobody can know the top card of '{zone}': it is not a pile"),
    "bottom": mark("nobody can know the bottom card of '{zone}': it is not a pile"),
}
UNKNOWN_SHUFFLED = {
    "top": mark("nobody can know the top card of '{zone}': it is shuffled"),
    "bottom": mark("nobody can know the bottom card of '{zone}': it is shuffled"),
}
NOTHING = {
    "highest": mark("there is nothing to take the highest of"),
    "lowest": mark("there is nothing to take the lowest of"),
}


def compile_builtin(node: nodes.Builtin, code: CompiledProgram) -> Evaluate:
    name, args = node.name, node.args
    setting, deck = code.setting, code.setting.deck
    teams, players = setting.teams, setting.players
    if name in ("size", "empty") and isinstance(args[0], nodes.ZoneCards):
        zone, where = args[0].name, code.place(args[0])
        if name == "size":
            return lambda m, f: len(m.zones[zone][where(m, f)])
        return lambda m, f: len(m.zones[zone][where(m, f)]) == 0
    if name in ("top", "bottom"):
        return _compile_end(node, name, args[0], code)
    if name == "in_sight":
        return code.in_sight(node)
    constants: dict[str, Any] = {
        "players": players,
        "seats": frozenset(range(players)),
        "teams": frozenset(range(teams)),
        "suits": frozenset(range(len(deck.suits))),
        "ranks": frozenset(range(len(deck.ranks))),
        "pack_cards": frozenset(range(deck.regular)),
        "special_pack": frozenset(range(deck.regular, len(deck.texts))),
    }
    if name == "whole":
        low, high = (code.value(end) for end in args)
        return lambda m, f: frozenset(range(low(m, f), high(m, f) + 1))
    if name in constants:
        value = constants[name]
        return lambda _m, _f: value
    a = code.value(args[0])
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
        case "rank_above" | "rank_below":
            beside = deck.beside(above=name == "rank_above")
            return lambda m, f: beside[a(m, f)]
        case "special":
            return lambda m, f: a(m, f) >= deck.regular
        case "size":
            return lambda m, f: len(a(m, f))
        case "empty":
            return lambda m, f: not a(m, f)
    b = code.value(args[1])
    match name:
        case "min":
            return lambda m, f: min(a(m, f), b(m, f))
        case "max":
            return lambda m, f: max(a(m, f), b(m, f))
        case "ways":
            return lambda m, f: comb(a(m, f), many) if (many := b(m, f)) >= 0 else 0
    raise AssertionError(name)


def _compile_end(
    node: nodes.Builtin, name: str, arg: nodes.Expression, code: CompiledProgram
) -> Evaluate:
    assert isinstance(arg, nodes.ZoneCards)
    zone, where = arg.name, code.place(arg)
    unknown, cure = UNKNOWN_SHUFFLED[name], None
    if not code.program.zones[zone].ordered:
        unknown, cure = UNKNOWN[name], "no-pile"

    def end_of_zone(m: Machine, f: Slots) -> int:
        pile = m.zones[zone][where(m, f)]
        if not pile.groups:
            raise m.error("no-card", say(NO_CARD[name], zone=zone), node.span)
        card = pile.end(name == "top")
        if card is None:
            raise m.error("unknown-order", say(unknown, zone=zone), node.span, cure)
        return card

    return end_of_zone


Elements = Callable[[Machine, Slots], Iterator[Any]]


def compile_domain(
    node: nodes.For | nodes.Quantifier, code: CompiledProgram, ordered: bool
) -> Elements:
    """Return the generator of the elements, each bound to the slot before `where` is evaluated.

    The elements are fixed when the domain is entered. ordered: the order matters, so a loop through
    a shuffled pile is an error. Otherwise a pile has the order of the pack.
    """
    domain, slot, cost = node.domain, node.slot, code.cost(node)
    where = code.value(domain.where) if domain.where is not None else None
    first = _compile_elements(domain, code, ordered)

    def elements(m: Machine, f: Slots) -> Iterator[Any]:
        for element in first(m, f):
            if cost:
                m.step(domain.span, cost)
            f[slot] = element
            if where is None or where(m, f):
                yield element

    return elements


def _compile_elements(domain: nodes.Domain, code: CompiledProgram, ordered: bool) -> Evaluate:
    players = code.setting.players
    if domain.last is not None:
        low, high = code.value(domain.items), code.value(domain.last)

        def numbers(m: Machine, f: Slots) -> range:
            a, b = low(m, f), high(m, f)
            if b - a >= MOST_TURNS:
                text = "found {number} numbers, expected at most {most}"
                message = say(text, number=b - a + 1, most=MOST_TURNS)
                raise m.error("too-long", message, domain.span, "turns")
            return range(a, b + 1)

        return numbers
    if isinstance(domain.items, nodes.ZoneCards):
        name, place = domain.items.name, code.place(domain.items)

        def as_they_lie(m: Machine, f: Slots) -> list[int]:
            pile = m.zones[name][place(m, f)]
            if ordered and not pile.is_settled():
                message = say("nobody can know the order of the shuffled '{name}'", name=name)
                raise m.error("unknown-order", message, domain.span)
            return pile.cards() if ordered else sorted(pile.cards())

        return as_they_lie
    if isinstance(domain.items, nodes.Hands):
        return _compile_hands(domain.items, code)
    items = code.value(domain.items)
    if domain.start is None:
        return lambda m, f: sorted(items(m, f))
    start, after = code.value(domain.start), domain.after

    def in_play_order(m: Machine, f: Slots) -> list[int]:
        seats, s = items(m, f), start(m, f)
        order = [(s + i) % players for i in range(1 if after else 0, players)]
        return [seat for seat in order if seat in seats]

    return in_play_order


def _compile_hands(node: nodes.Hands, code: CompiledProgram) -> Evaluate:
    size, cards = code.value(node.size), code.value(node.cards)

    def hands(m: Machine, f: Slots) -> list[frozenset[int]]:
        highest_first, many = sorted(cards(m, f), reverse=True), size(m, f)
        result = combinations(highest_first, many) if many >= 0 else ()
        return [frozenset(hand) for hand in sorted(result)]

    return hands


def compile_quantifier(node: nodes.Quantifier, code: CompiledProgram) -> Evaluate:
    """Return a function that evaluates a quantifier, without unneeded elements."""
    elements = compile_domain(node, code, ordered=node.kind == "first")
    value = code.value(node.value) if node.value is not None else None
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
                    raise m.error("nothing", say(NOTHING[node.kind]), node.span)
                return int(pick(values))

            return extreme
    raise AssertionError(node.kind)


def _compile_argmax(node: nodes.Quantifier, elements: Elements, value: Evaluate) -> Evaluate:
    """Return the argmax or argmin: those elements, or the first, with the extreme value."""
    sign = 1 if node.order == "highest" else -1

    def best(m: Machine, f: Slots) -> list[Any]:
        most, result = None, list[Any]()
        for element in elements(m, f):
            measure = sign * value(m, f)
            if most is None or measure > most:
                most, result = measure, []
            if measure == most:
                result.append(element)
        return result

    if node.kind == "first":
        return lambda m, f: next(iter(best(m, f)), None)
    return lambda m, f: frozenset(best(m, f))
