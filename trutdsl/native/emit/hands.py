"""Combinations: the hands of so many cards from a set, one after the other, and their number."""

from __future__ import annotations

from math import comb

from trutdsl.ir.types import Number, Type
from trutdsl.native.emit.values import Values
from trutdsl.native.llvm.unit import I64, Value, const
from trutdsl.table.actions import Choice

MOST_CARDS = 64
NEVER = 2**62  # more than any number of hands


def ways(code: Values, cards: Value, size: Value, type_: Type) -> Value:
    """Return how many hands of a size there are from so many cards: a binomial coefficient."""
    pack = len(code.unit.setting.deck.texts)
    most = min(pack, type_.high) if isinstance(type_, Number) else pack
    if most < 0:
        return const(0)
    numbers = [comb(n, k) for n in range(pack + 1) for k in range(most + 1)]
    row = code.b.mul(cards, const(most + 1))
    there = code.b.icmp_unsigned("<=", size, const(most))
    column = code.b.select(there, size, const(0))
    found = code.look_up_mask(numbers, code.b.add(row, column))
    return code.b.select(there, found, const(0))


def each_hand(code: Values, cards: Value, size: Value) -> tuple[Value, Value, Value]:
    """Begin a loop over the hands from a mask of cards, lowest mask first; as `each_bit`.

    The next of equal size is found as among plain numbers (Gosper's hack), in the bits of the
    cards alone: those between them are set while a carry goes through.
    """
    b, now, lowest = code.b, code.local(), _lowest_cards(code, cards)
    first, head, turn, done = (code.block(f"hand{n}") for n in (".first", "", ".next", ".end"))
    b.cbranch(b.icmp_unsigned("<=", size, code.count_bits(cards)), first, done)
    code.at(first)
    b.store(b.load(b.gep(lowest, [size], source_etype=I64), typ=I64), now)
    b.branch(head)
    code.at(turn)
    last = b.load(now, typ=I64)
    step = b.and_(last, b.sub(const(0), last))
    risen = b.and_(b.add(b.or_(last, b.not_(cards)), step), cards)
    freed = b.sub(code.count_bits(b.xor(last, risen)), const(2))
    back = b.load(b.gep(lowest, [b.and_(freed, const(63))], source_etype=I64), typ=I64)
    b.store(b.or_(risen, back), now)
    b.cbranch(code.is_zero(risen), done, head)  # above the last one there is none
    code.at(head)
    return b.load(now, typ=I64), turn, done


def _lowest_cards(code: Values, cards: Value) -> Value:
    """Return an array with the mask of the n lowest of some cards at n."""
    b, lowest = code.b, code.local_array(MOST_CARDS + 1)
    found, number = code.local(), code.local()
    b.store(const(0), found)
    b.store(const(0), number)
    b.store(const(0), lowest)
    card, turn, done = code.each_bit(cards)
    mask = b.or_(b.load(found, typ=I64), code.bit(card))
    place = b.add(b.load(number, typ=I64), const(1))
    b.store(mask, found)
    b.store(place, number)
    b.store(mask, b.gep(lowest, [place], source_etype=I64))
    code.go(turn)
    code.at(done)
    return lowest


def number_of_hand(code: Values, hand: Value, choice: Choice) -> Value:
    """Return the number of a hand among those of a choice, see `Choice`; else one beyond `size`."""
    b, cards = code.b, choice.cards
    sizes = _sizes(choice)
    held = code.count_bits(hand)
    over = b.icmp_unsigned(">", b.sub(held, const(choice.low)), const(len(sizes) - 1))
    other = b.select(over, const(0), hand)
    number, place = code.local(), code.local()
    at = b.select(over, const(0), b.sub(held, const(choice.low)))
    b.store(code.look_up(_firsts(choice), at), number)
    b.store(const(0), place)
    most = max(sizes[-1], 1)  # of no card at all the loop looks none up
    below = [comb(card, n) for card in range(cards) for n in range(1, most + 1)]
    card, turn, done = code.each_bit(other)
    now = b.load(place, typ=I64)
    index = b.add(b.mul(card, const(most)), now)
    b.store(b.add(b.load(number, typ=I64), code.look_up_mask(below, index)), number)
    b.store(b.add(now, const(1)), place)
    code.go(turn)
    code.at(done)
    return b.select(over, const(choice.size), b.load(number, typ=I64))


def hand_of_number(code: Values, number: Value, choice: Choice) -> Value:
    """Return the hand of a number among those of a choice."""
    b, cards, sizes, firsts = code.b, choice.cards, _sizes(choice), _firsts(choice)
    size, rest = const(sizes[0]), number
    for first, more in zip(firsts[1:], sizes[1:], strict=True):
        reached = b.icmp_unsigned(">=", number, const(first))
        size = b.select(reached, const(more), size)
        rest = b.select(reached, b.sub(number, const(first)), rest)
    left, todo, hand = code.local(), code.local(), code.local()
    b.store(rest, left)
    b.store(size, todo)
    b.store(const(0), hand)
    most = max(sizes[-1], 1)  # of no card at all the loop looks none up
    below = [comb(card, n) if n else NEVER for card in range(cards) for n in range(most + 1)]
    turned, turn, done = code.each_number(const(0), const(cards))
    card, now = b.sub(const(cards - 1), turned), b.load(todo, typ=I64)
    fewer = code.look_up_mask(below, b.add(b.mul(card, const(most + 1)), now))
    before = b.load(left, typ=I64)
    takes = b.icmp_signed("<=", fewer, before)
    held = b.load(hand, typ=I64)
    b.store(b.select(takes, b.or_(held, code.bit(card)), held), hand)
    b.store(b.select(takes, b.sub(before, fewer), before), left)
    b.store(b.select(takes, b.sub(now, const(1)), now), todo)
    code.go(turn)
    code.at(done)
    return b.load(hand, typ=I64)


def _sizes(choice: Choice) -> list[int]:
    """Return of how many cards the hands of a choice are."""
    sizes, left = [choice.low], choice.size - comb(choice.cards, choice.low)
    while left > 0 and sizes[-1] < choice.cards:
        sizes.append(sizes[-1] + 1)
        left -= comb(choice.cards, sizes[-1])
    return sizes


def _firsts(choice: Choice) -> list[int]:
    """Return for each number of cards the number of the first hand of so many."""
    counts = [comb(choice.cards, size) for size in _sizes(choice)]
    return [sum(counts[:n]) for n in range(len(counts))]
