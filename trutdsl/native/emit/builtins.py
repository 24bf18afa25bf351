"""Built-in functions and names of the language, selections of cards, and hands as instructions."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from trutdsl.ir import nodes
from trutdsl.ir.types import Element, Number, Type
from trutdsl.native.abi import NONE
from trutdsl.native.emit import piles
from trutdsl.native.emit.body import ValueWriter, is_empty_set
from trutdsl.native.llvm import I64, Value, const, constant_of
from trutdsl.table.actions import COMPARE, ChoiceRange, fold
from trutdsl.table.sight import sees


def emit_builtin(code: ValueWriter, node: nodes.Builtin) -> Value:
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
            return code.wrap_seat(b.add(one, const(1)), players)
        case "previous_seat":
            return code.wrap_seat(b.add(one, const(players - 1)), players)
        case "strength":
            return code.look_up(deck.strength, one)
        case "rank":
            return code.look_up(deck.rank, one)
        case "suit":
            return code.look_up([NONE if s is None else s for s in deck.suit], one)
        case "rank_above" | "rank_below":
            beside = deck.beside(above=name == "rank_above")
            return code.look_up([NONE if r is None else r for r in beside], one)
        case "special":
            return b.icmp_signed(">=", one, const(deck.regular))
        case "size":
            return code.count_bits(one)
        case "empty":
            return is_empty_set(code, one)
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
    teams, players = code.unit.setting.teams, code.unit.setting.players
    masks = [sum(1 << seat for seat in range(team, players, teams)) for team in range(teams)]
    if all(mask == masks[0] << team for team, mask in enumerate(masks)):
        return code.b.shl(const(masks[0]), team)
    return code.look_up(masks, team)


def team_of(code: ValueWriter, seat: Value) -> Value:
    teams = code.unit.setting.teams
    if teams & (teams - 1) == 0:
        return code.b.and_(seat, const(teams - 1))
    return code.b.urem(seat, const(teams))


def _in_sight(code: ValueWriter, zone: nodes.Expression, seat: Value) -> Value:
    """Return the cards of a zone if a seat sees them, also by revelation, else none."""
    assert isinstance(zone, nodes.ZoneCards)
    setting, declaration = code.unit.setting, code.unit.program.zones[zone.name]
    at, field = code.place_of(zone), f"{zone.name}.shown"
    seats = [
        sum(1 << one for one in range(setting.players) if sees(declaration, place, one, setting))
        for place in range(setting.count(declaration.index))
    ]
    seeing = code.look_up_mask(seats, at)
    if field in code.unit.layout.fields:
        seeing = code.b.or_(seeing, code.load(field, at))
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
        why = "it is shuffled" if ordered else "it is not a pile"
        code.fail_if(
            code.b.not_(code.is_zero(rest)),
            "unknown-order",
            f"nobody can know the {name} card of '{zone.name}': {why}",
            node.span,
        )
    return code.lowest_bit(group) if code.guard is None else code.lowest_or_any(group)


MOST_MASKS = 64  # of a table; numbers on cards that are further apart are compared one by one


def emit_selection(code: ValueWriter, node: nodes.Selection) -> Value:
    """Return the mask of the cards whose attribute satisfies a comparison with a key."""
    deck = code.unit.setting.deck
    of_cards = _numbers(deck.attribute(node.attribute))

    def mask(key: int) -> int:
        holds = COMPARE[node.op]
        return sum(1 << card for card, has in enumerate(of_cards) if holds(has, key))

    if isinstance(node.key, nodes.PackText) and deck.index_of(node.key.kind, node.key.text) is None:
        return const((1 << len(of_cards)) - 1 if node.op == "!=" else 0)
    key = code.value(node.key)
    constant = constant_of(key)
    if constant is not None:
        return const(mask(constant))
    low, high = _ends(node.key, of_cards)
    if high - low >= MOST_MASKS:
        return _cards_where(code, node.op, key, of_cards)
    if isinstance(node.key.type, Number) or code.guard is not None:
        # Beyond these ends all numbers select the same; if the value is not needed, any will do.
        key = code.b.call(code.unit.extreme("smax"), [key, const(low)])
        key = code.b.call(code.unit.extreme("smin"), [key, const(high)])
    masks = [mask(k) for k in range(low, high + 1)]
    return code.look_up_mask(masks, code.b.sub(key, const(low)))


def emit_image(code: ValueWriter, node: nodes.Image) -> Value:
    """Return the mask of the cards that are in all relations to any card of a set."""
    deck, b = code.unit.setting.deck, code.b
    number = len(deck.texts)
    holds = [
        (_numbers(deck.attribute(r.attribute)), COMPARE[r.op], _numbers(deck.attribute(r.other)))
        for r in node.relations
    ]
    masks = [
        sum(1 << o for o in range(number) if all(test(of[c], to[o]) for of, test, to in holds))
        for c in range(number)
    ]
    cards = code.value(node.cards)
    if _holds_one(code, node.cards):
        # No card has the lowest number 64, which is in no relation.
        return code.look_up_mask([*masks, *[0] * (65 - number)], code.lowest_or_none(cards))
    with code.on_some_paths():
        result = code.cell(const(0))
        with code.bits(cards) as card:
            b.store(b.or_(code.number(result), code.look_up_mask(masks, card)), result)
        return code.number(result)


def _holds_one(code: ValueWriter, cards: nodes.Expression) -> bool:
    while isinstance(cards, nodes.SetOperation) and cards.op in ("&", "-"):
        cards = cards.left
    return isinstance(cards, nodes.ZoneCards) and code.unit.capacity(cards.name) <= 1


def _numbers(attribute: Sequence[int | None]) -> list[int]:
    return [NONE if has is None else has for has in attribute]


def _ends(key: nodes.Expression, of_cards: list[int]) -> tuple[int, int]:
    """Return the least and the greatest key with a different selection from all beyond."""
    optional = isinstance(key.type, Element) and key.type.optional
    if isinstance(key.type, Number):
        return min(of_cards) - 1, max(of_cards) + 1
    return NONE if optional else 0, max(0, *of_cards)


def _cards_where(code: ValueWriter, op: str, key: Value, of_cards: list[int]) -> Value:
    """Return the mask of the cards, with one comparison for each number on any card."""
    b, result = code.b, const(0)
    for number in sorted(set(of_cards)):
        cards = sum(1 << card for card, has in enumerate(of_cards) if has == number)
        holds = b.icmp_signed(op, const(number), key)
        result = b.or_(result, b.select(holds, const(cards), const(0)))
    return result


# Combinations: the hands of a size from a set, one after the other, and their number.

MOST_CARDS = 64
NEVER = 2**62  # more than any number of hands


def ways(code: ValueWriter, cards: Value, size: Value, type_: Type) -> Value:
    """Return the number of hands of a size from so many cards: a binomial coefficient."""
    pack = len(code.unit.setting.deck.texts)
    most = min(pack, type_.high) if isinstance(type_, Number) else pack
    if most < 0:
        return const(0)
    numbers = [comb(n, k) for n in range(pack + 1) for k in range(most + 1)]
    row = code.b.mul(cards, const(most + 1))
    fits = code.b.icmp_unsigned("<=", size, const(most))
    column = code.b.select(fits, size, const(0))
    result = code.look_up_mask(numbers, code.b.add(row, column))
    return code.b.select(fits, result, const(0))


def each_hand(code: ValueWriter, cards: Value, size: Value) -> tuple[Value, Value, Value]:
    """Begin a loop over the hands from a mask of cards, lowest mask first; as `each_bit`.

    Gosper's hack finds the next hand of equal size, in the bits of the cards alone: the bits
    between them are set while a carry propagates.
    """
    b, hand, lowest = code.b, code.local(), _lowest_cards(code, cards)
    first, head, turn, done = (code.block(f"hand{n}") for n in (".first", "", ".next", ".end"))
    b.cbranch(b.icmp_unsigned("<=", size, code.count_bits(cards)), first, done)
    code.at(first)
    b.store(b.load(b.gep(lowest, [size], source_etype=I64), typ=I64), hand)
    b.branch(head)
    code.at(turn)
    last = code.number(hand)
    step = b.and_(last, b.sub(const(0), last))
    next_group = b.and_(b.add(b.or_(last, b.not_(cards)), step), cards)
    freed = b.sub(code.count_bits(b.xor(last, next_group)), const(2))
    back = b.load(b.gep(lowest, [b.and_(freed, const(63))], source_etype=I64), typ=I64)
    b.store(b.or_(next_group, back), hand)
    b.cbranch(code.is_zero(next_group), done, head)  # no hand is above the last one
    code.at(head)
    return code.number(hand), turn, done


def _lowest_cards(code: ValueWriter, cards: Value) -> Value:
    """Return an array whose entry n is the mask of the n lowest cards."""
    b, lowest = code.b, code.local_array(MOST_CARDS + 1)
    so_far, number = code.local(), code.local()
    b.store(const(0), so_far)
    b.store(const(0), number)
    b.store(const(0), lowest)
    with code.bits(cards) as card:
        mask = b.or_(code.number(so_far), code.bit(card))
        place = b.add(code.number(number), const(1))
        b.store(mask, so_far)
        b.store(place, number)
        b.store(mask, b.gep(lowest, [place], source_etype=I64))
    return lowest


def number_of_hand(code: ValueWriter, hand: Value, choice: ChoiceRange) -> Value:
    """Return the number of a hand among those of a choice, see `Choice`; else one beyond `size`."""
    b, cards = code.b, choice.cards
    sizes = _sizes(choice)
    size = code.count_bits(hand)
    over = b.icmp_unsigned(">", b.sub(size, const(choice.low)), const(len(sizes) - 1))
    other = b.select(over, const(0), hand)
    number, place = code.local(), code.local()
    at = b.select(over, const(0), b.sub(size, const(choice.low)))
    b.store(code.look_up(_firsts(choice), at), number)
    b.store(const(0), place)
    most = max(sizes[-1], 1)  # for no card the loop has no turn
    below = [comb(card, n) for card in range(cards) for n in range(1, most + 1)]
    with code.bits(other) as card:
        card_number = code.number(place)
        index = b.add(b.mul(card, const(most)), card_number)
        b.store(b.add(code.number(number), code.look_up_mask(below, index)), number)
        b.store(b.add(card_number, const(1)), place)
    return b.select(over, const(choice.size), code.number(number))


def hand_of_number(code: ValueWriter, number: Value, choice: ChoiceRange) -> Value:
    b, cards, sizes, firsts = code.b, choice.cards, _sizes(choice), _firsts(choice)
    size, rest = const(sizes[0]), number
    for first, more in zip(firsts[1:], sizes[1:], strict=True):
        is_reached = b.icmp_unsigned(">=", number, const(first))
        size = b.select(is_reached, const(more), size)
        rest = b.select(is_reached, b.sub(number, const(first)), rest)
    left, todo, hand = code.local(), code.local(), code.local()
    b.store(rest, left)
    b.store(size, todo)
    b.store(const(0), hand)
    most = max(sizes[-1], 1)  # for no card the loop has no turn
    below = [comb(card, n) if n else NEVER for card in range(cards) for n in range(most + 1)]
    with code.numbers(const(0), const(cards)) as index:
        card, remaining = b.sub(const(cards - 1), index), code.number(todo)
        fewer = code.look_up_mask(below, b.add(b.mul(card, const(most + 1)), remaining))
        before = code.number(left)
        takes = b.icmp_signed("<=", fewer, before)
        hand_number = code.number(hand)
        b.store(b.select(takes, b.or_(hand_number, code.bit(card)), hand_number), hand)
        b.store(b.select(takes, b.sub(before, fewer), before), left)
        b.store(b.select(takes, b.sub(remaining, const(1)), remaining), todo)
    return code.number(hand)


def _sizes(choice: ChoiceRange) -> list[int]:
    sizes, left = [choice.low], choice.size - comb(choice.cards, choice.low)
    while left > 0 and sizes[-1] < choice.cards:
        sizes.append(sizes[-1] + 1)
        left -= comb(choice.cards, sizes[-1])
    return sizes


def _firsts(choice: ChoiceRange) -> list[int]:
    counts = [comb(choice.cards, size) for size in _sizes(choice)]
    return [sum(counts[:n]) for n in range(len(counts))]
