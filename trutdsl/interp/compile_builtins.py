"""Built-in functions: what each is of its arguments."""

from __future__ import annotations

from math import comb
from typing import Any

from trutdsl.interp.machine import Code, Evaluate, Machine, Slots
from trutdsl.ir import nodes


def compile_builtin(node: nodes.Builtin, code: Code) -> Evaluate:
    """Return the function that works a built-in function of the language out."""
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
        low, high = (code.value(end) for end in args)
        return lambda m, f: frozenset(range(low(m, f), high(m, f) + 1))
    if name in fixed:
        value = fixed[name]
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


def _compile_end(node: nodes.Builtin, name: str, arg: nodes.Expression, code: Code) -> Evaluate:
    assert isinstance(arg, nodes.ZoneCards)
    zone, where = arg.name, code.place(arg)
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
