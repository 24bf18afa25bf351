"""What the functions and names of the language itself give, as instructions."""

from __future__ import annotations

from trutdsl.ir import nodes
from trutdsl.native.abi import NONE
from trutdsl.native.emit import piles, register_promotion, seat_flags
from trutdsl.native.emit.body import ValueWriter
from trutdsl.native.emit.selections import ways
from trutdsl.native.llvm.unit import I64, Value, const
from trutdsl.table.actions import fold
from trutdsl.table.sight import sees


def emit_builtin(code: ValueWriter, node: nodes.Builtin) -> Value:
    """Return what a function or name of the language itself gives."""
    name, args = node.name, node.args
    setting, deck, b = code.unit.setting, code.unit.setting.deck, code.b
    teams, players = setting.teams, setting.players

    def first(count: int) -> Value:
        return const((1 << count) - 1)

    match name:
        case "players":
            return const(players)
        case "seats":
            return first(players)
        case "teams":
            return first(teams)
        case "suits":
            return first(len(deck.suits))
        case "ranks":
            return first(len(deck.ranks))
        case "pack_cards":
            return first(deck.regular)
        case "special_pack":
            return const((1 << len(deck.texts)) - (1 << deck.regular))
        case "top" | "bottom":
            return _end(code, node, name, args[0])
        case "in_sight":
            return _in_sight(code, args[0], code.value(args[1]))
        case "whole":
            low, high = (fold(end, code.unit.setting) for end in args)
            return const(numbers_mask(low, high))
    one = code.value(args[0])
    match name:
        case "openly":
            return one
        case "team":
            return team_of(code, one)
        case "seats_of":
            return seats_of(code, one)
        case "next_seat":
            return code.wrapped(b.add(one, const(1)), players)
        case "previous_seat":
            return code.wrapped(b.add(one, const(players - 1)), players)
        case "strength":
            return code.look_up(deck.strength, one)
        case "rank":
            return code.look_up(deck.rank, one)
        case "suit":
            return code.look_up([NONE if s is None else s for s in deck.suit], one)
        case "special":
            return b.icmp_signed(">=", one, const(deck.regular))
        case "size":
            return code.count_bits(one)
        case "empty":
            return seat_flags.is_empty(code, one)
    two = code.value(args[1])
    if name == "ways":
        return ways(code, one, two, args[1].type)
    order = {"min": "<", "max": ">"}[name]
    return b.select(b.icmp_signed(order, one, two), one, two)


def numbers_mask(low: int, high: int) -> int:
    """Return the mask of the numbers from low to high, as a signed one of 64 bits."""
    mask = sum(1 << number for number in range(low, high + 1))
    return mask - (1 << 64) if mask >> 63 else mask


def seats_of(code: ValueWriter, team: Value) -> Value:
    """Return the mask of a team's seats."""
    teams, players = code.unit.setting.teams, code.unit.setting.players
    masks = [sum(1 << seat for seat in range(team, players, teams)) for team in range(teams)]
    if all(mask == masks[0] << team for team, mask in enumerate(masks)):
        return code.b.shl(const(masks[0]), team)
    return code.look_up(masks, team)


def team_of(code: ValueWriter, seat: Value) -> Value:
    """Return the team of a seat."""
    teams = code.unit.setting.teams
    if teams & (teams - 1) == 0:
        return code.b.and_(seat, const(teams - 1))
    return code.b.urem(seat, const(teams))


def _in_sight(code: ValueWriter, zone: nodes.Expression, seat: Value) -> Value:
    """Return the cards of a zone if a seat sees them, as they were revealed if need be, or none."""
    assert isinstance(zone, nodes.ZoneCards)
    setting, declared = code.unit.setting, code.unit.program.zones[zone.name]
    at, shown = code.place_of(zone), f"{zone.name}.shown"
    seats = [
        sum(1 << one for one in range(setting.players) if sees(declared, place, one, setting))
        for place in range(setting.count(declared.index))
    ]
    seeing = code.look_up_mask(seats, at)
    if shown in code.unit.layout.fields:
        seeing = code.b.or_(seeing, code.load(shown, at))
    cards = piles.cards(code, zone.name, at)
    return code.b.select(code.has_bit(seeing, seat), cards, const(0))


def _end(code: ValueWriter, node: nodes.Builtin, name: str, zone: nodes.Expression) -> Value:
    assert isinstance(zone, nodes.ZoneCards)
    at, ordered = code.place_of(zone), code.unit.program.zones[zone.name].ordered
    everything = piles.cards(code, zone.name, at)
    code.fail_if(
        code.is_zero(everything),
        "no-card",
        f"'{zone.name}' has no {name} card: it is empty",
        node.span,
    )
    group = everything
    if ordered:
        group = (
            code.load(f"{zone.name}.top", at)
            if name == "top"
            else piles.bottom(code, zone.name, at)
        )
    if ordered or code.unit.capacity(zone.name) > 1:
        rest = code.b.and_(group, code.b.sub(group, const(1)))
        why = "it is shuffled" if ordered else "it is no pile"
        code.fail_if(
            code.b.not_(code.is_zero(rest)),
            "unknown-order",
            f"nobody can know the {name} card of '{zone.name}': {why}",
            node.span,
        )
    copy = register_promotion.copy_of(code, zone.name, at)
    if copy is not None:
        return code.b.load(copy.lowest, typ=I64)
    return code.lowest_bit(group) if code.guard is None else code.lowest_or_any(group)
