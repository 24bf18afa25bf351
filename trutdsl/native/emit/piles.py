"""Piles and zones in memory: operations on the cards of a zone of a match.

An index selects a place of a zone, 0 if there is only one. The groups of a pile are those of the
language: cards in unknown order, ascending if an order is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from llvmlite import ir

from trutdsl.native.layout import MOST_CARDS
from trutdsl.native.llvm import I1, I64, PTR, VOID, Value, const
from trutdsl.native.llvm.function import FunctionWriter

PileBuilder = Callable[[FunctionWriter, str], None]


def cards(code: FunctionWriter, zone: str, at: Value) -> Value:
    return code.load(zone if is_set(code, zone) else f"{zone}.all", at)


def put_group(
    code: FunctionWriter, zone: str, at: Value, group: Value, under: bool = False
) -> None:
    """Put cards of unknown order (a mask) on top or under; an unordered zone adds them."""
    if is_set(code, zone):
        code.store(zone, code.b.or_(code.load(zone, at, noted=False), group), at)
    elif under:
        call(code, "tuck", zone, _build_tuck, at, group)
    else:
        call(code, "push", zone, _build_push, at, group)


def lay_out(code: FunctionWriter, zone: str, mask: int) -> None:
    """Put these cards into an empty zone, the lowest first; their order is known."""
    if is_set(code, zone):
        code.store(zone, const(mask), const(0))
        return
    in_mask = [card for card in range(MOST_CARDS) if mask >> card & 1]
    code.store(f"{zone}.all", const(mask), const(0))
    if in_mask:
        *below, top = in_mask
        set_top(code, zone, const(0), const(1 << top), const(1))
        code.store(f"{zone}.starts", const((1 << len(below)) - 1), const(0))
        code.store(f"{zone}.depth", const(len(below)), const(0))
        for position, card in enumerate(below):
            code.store(f"{zone}.below", const(card), const(position))


def put_card(code: FunctionWriter, zone: str, at: Value, card: Value, under: bool = False) -> None:
    put_group(code, zone, at, code.bit(card), under)


def take(code: FunctionWriter, zone: str, at: Value, card: Value) -> None:
    if is_set(code, zone):
        code.store(zone, code.without(code.load(zone, at, noted=False), code.bit(card)), at)
    else:
        call(code, "take", zone, _build_take, at, card)


def shuffle(code: FunctionWriter, pile: str, at: Value) -> None:
    set_top(code, pile, at, code.load(f"{pile}.all", at))
    code.store(f"{pile}.depth", const(0), at)
    code.store(f"{pile}.starts", const(0), at)


def remove_from_top(code: FunctionWriter, pile: str, at: Value, card: Value) -> None:
    bit = code.bit(card)
    left = code.without(code.load(f"{pile}.top", at), bit)
    set_top(code, pile, at, left, code.b.sub(code.load(f"{pile}.many", at), const(1)))
    code.store(f"{pile}.all", code.without(code.load(f"{pile}.all", at), bit), at)
    with code.b.if_then(code.is_zero(left), likely=False):
        call(code, "lift", pile, _build_lift, at)


def clear(code: FunctionWriter, zone: str, at: Value) -> None:
    if is_set(code, zone):
        code.store(zone, const(0), at)
        return
    for part in ("all", "top", "many", "starts", "depth"):
        code.store(f"{zone}.{part}", const(0), at)


def bottom(code: FunctionWriter, pile: str, at: Value) -> Value:
    return call(code, "bottom", pile, _build_bottom, at, result=I64)


def turn_over(code: FunctionWriter, pile: str, at: Value) -> None:
    """Reverse the cards of a pile; an unordered zone does not change."""
    if not is_set(code, pile):
        call(code, "flip", pile, _build_flip, at)


def move_all(
    code: FunctionWriter, origin: str, at: Value, target: str, to: Value, under: bool, turned: bool
) -> None:
    """Move all cards to another place, in their order or reversed."""
    if is_set(code, target):
        mask = cards(code, origin, at)
        clear(code, origin, at)
        put_group(code, target, to, mask)
    elif is_set(code, origin):
        mask = cards(code, origin, at)
        clear(code, origin, at)
        # One by one from the end that comes first: the lowest if put on top, else the uppermost.
        ascending = under == turned
        with code.bits(mask, highest_first=not ascending) as card:
            put_card(code, target, to, card, under)
    else:
        if under == turned:
            turn_over(code, origin, at)
        with _groups(code, origin, at) as group:
            put_group(code, target, to, group, under)


# ---------------------------------------------------------------- one function a pile


def set_top(
    code: FunctionWriter, pile: str, at: Value, group: Value, many: Value | None = None
) -> None:
    code.store(f"{pile}.top", group, at)
    code.store(f"{pile}.many", code.count_bits(group) if many is None else many, at)


def is_set(code: FunctionWriter, zone: str) -> bool:
    return not code.unit.program.zones[zone].ordered


def call(
    code: FunctionWriter,
    name: str,
    pile: str,
    build: PileBuilder,
    *args: Value,
    result: Value = VOID,
) -> Value:
    """Call the function of this name for a pile, built on first use; its place is the first."""
    at, *rest = args
    only = code.unit.program.zones[pile].index is None
    values = rest if only else [at, *rest]

    def build_with_place(inner: FunctionWriter) -> None:
        if only:
            inner.args.insert(1, const(0))
        build(inner, pile)

    kinds = [PTR, *[I64] * len(values)]
    function = code.small(f"{name}.{pile}", kinds, result, build_with_place)
    call_result = code.b.call(function, [code.args[0], *values])
    if not code.unit.mode.checked:
        call_result.set_metadata("tbaa", code.unit.tag(pile))  # it accesses nothing else
    return call_result


def below_at(code: FunctionWriter, at: Value, position: Value) -> Value:
    """Return the address of a card below the top group in `NAME.below`."""
    return code.b.add(code.b.mul(at, const(MOST_CARDS)), position)


def _append(code: FunctionWriter, pile: str, at: Value, group: Value) -> None:
    depth = code.load(f"{pile}.depth", at)
    starts = code.load(f"{pile}.starts", at)
    code.store(f"{pile}.starts", code.b.or_(starts, code.bit(depth)), at)
    with code.bits(group) as card:
        position = code.load(f"{pile}.depth", at)
        code.store(f"{pile}.below", card, below_at(code, at, position))
        code.store(f"{pile}.depth", code.b.add(position, const(1)), at)


def _build_push(code: FunctionWriter, pile: str) -> None:
    _, at, group = code.args
    with code.b.if_then(code.is_zero(group)):
        code.b.ret_void()
    top = code.load(f"{pile}.top", at)
    with code.b.if_then(code.b.not_(code.is_zero(top))):
        _append(code, pile, at, top)
    set_top(code, pile, at, group)
    code.store(f"{pile}.all", code.b.or_(code.load(f"{pile}.all", at), group), at)
    code.b.ret_void()


def _build_lift(code: FunctionWriter, pile: str) -> None:
    """Make the next group below the top the new top group."""
    _, at = code.args
    depth = code.load(f"{pile}.depth", at)
    with code.b.if_then(code.is_zero(depth)):
        code.b.ret_void()
    starts = code.load(f"{pile}.starts", at)
    start = code.highest_bit(starts)
    group = code.cell(const(0))
    with code.numbers(start, depth) as position:
        card = code.load(f"{pile}.below", below_at(code, at, position))
        code.b.store(code.b.or_(code.number(group), code.bit(card)), group)
    set_top(code, pile, at, code.number(group))
    code.store(f"{pile}.depth", start, at)
    code.store(f"{pile}.starts", code.without(starts, code.bit(start)), at)
    code.b.ret_void()


def _build_tuck(code: FunctionWriter, pile: str) -> None:
    _, at, group = code.args
    with code.b.if_then(code.is_zero(group)):
        code.b.ret_void()
    everything = code.load(f"{pile}.all", at)
    code.store(f"{pile}.all", code.b.or_(everything, group), at)
    with code.b.if_then(code.is_zero(everything)):
        set_top(code, pile, at, group)
        code.b.ret_void()
    size, depth = code.count_bits(group), code.load(f"{pile}.depth", at)
    _shift(code, pile, at, const(0), depth, size)
    starts = code.b.or_(code.b.shl(code.load(f"{pile}.starts", at), size), const(1))
    code.store(f"{pile}.starts", starts, at)
    code.store(f"{pile}.depth", code.b.add(depth, size), at)
    place = code.cell(const(0))
    with code.bits(group) as card:
        position = code.number(place)
        code.store(f"{pile}.below", card, below_at(code, at, position))
        code.b.store(code.b.add(position, const(1)), place)
    code.b.ret_void()


def _shift(code: FunctionWriter, pile: str, at: Value, low: Value, end: Value, by: Value) -> None:
    last = code.b.sub(end, const(1))
    with code.numbers(last, code.b.sub(low, const(1)), "shift", -1) as position:
        card = code.load(f"{pile}.below", below_at(code, at, position))
        code.store(f"{pile}.below", card, below_at(code, at, code.b.add(position, by)))


def find(code: FunctionWriter, pile: str, at: Value, card: Value) -> Value:
    result = code.cell(const(0))
    position, turn, done = code.each_number(const(0), code.load(f"{pile}.depth", at), "find")
    group = code.load(f"{pile}.below", below_at(code, at, position))
    with code.b.if_then(code.b.icmp_signed("==", group, card)):
        code.b.store(position, result)
        code.b.branch(done)
    code.go(turn)
    code.at(done)
    return code.number(result)


def _build_take(code: FunctionWriter, pile: str) -> None:
    _, at, card = code.args
    with code.b.if_then(code.has_bit(code.load(f"{pile}.top", at), card)):
        remove_from_top(code, pile, at, card)
        code.b.ret_void()
    code.store(f"{pile}.all", code.without(code.load(f"{pile}.all", at), code.bit(card)), at)
    place = find(code, pile, at, card)
    depth = code.b.sub(code.load(f"{pile}.depth", at), const(1))
    code.store(f"{pile}.depth", depth, at)
    with code.numbers(place, depth, "close") as position:
        above = code.load(f"{pile}.below", below_at(code, at, code.b.add(position, const(1))))
        code.store(f"{pile}.below", above, below_at(code, at, position))
    # The starts above move down by one; a start at the place itself stays if its group does.
    b, starts = code.b, code.load(f"{pile}.starts", at)
    low = b.and_(starts, b.sub(code.bit(place), const(1)))
    over = b.lshr(b.lshr(starts, place), const(1))
    stays = b.and_(b.lshr(starts, place), b.xor(b.and_(over, const(1)), const(1)))
    inside = b.zext(b.icmp_signed("<", place, depth), I64)
    high = b.shl(b.or_(over, b.and_(b.and_(stays, const(1)), inside)), place)
    code.store(f"{pile}.starts", b.or_(low, high), at)
    b.ret_void()


def _build_bottom(code: FunctionWriter, pile: str) -> None:
    _, at = code.args
    depth = code.load(f"{pile}.depth", at)
    with code.b.if_then(code.is_zero(depth)):
        code.b.ret(code.load(f"{pile}.top", at))
    later = code.b.and_(code.load(f"{pile}.starts", at), const(-2))
    next_start = code.b.call(code.unit.intrinsic("cttz"), [later, ir.Constant(I1, 0)])
    end = code.b.select(code.is_zero(later), depth, next_start)
    group = code.cell(const(0))
    with code.numbers(const(0), end) as position:
        card = code.load(f"{pile}.below", below_at(code, at, position))
        code.b.store(code.b.or_(code.number(group), code.bit(card)), group)
    code.b.ret(code.number(group))


def _build_flip(code: FunctionWriter, pile: str) -> None:
    """Reverse the groups of the pile."""
    _, at = code.args
    with code.b.goto_entry_block():
        groups = code.b.alloca(I64, size=const(MOST_CARDS))
    count = code.cell(const(0))
    with _groups(code, pile, at) as group:
        number = code.number(count)
        code.b.store(group, code.b.gep(groups, [number], source_etype=I64))
        code.b.store(code.b.add(number, const(1)), count)
    with code.numbers(const(0), code.number(count)) as number:
        before = code.b.load(code.b.gep(groups, [number], source_etype=I64), typ=I64)
        put_group(code, pile, at, before)
    code.b.ret_void()


@contextmanager
def _groups(code: FunctionWriter, pile: str, at: Value) -> Iterator[Value]:
    """Write a loop that removes the group on top until there is none."""
    head, body, done = code.block("group"), code.block("group.turn"), code.block("group.end")
    code.go(head)
    code.at(head)
    group = code.load(f"{pile}.top", at)
    code.b.cbranch(code.is_zero(group), done, body)
    code.at(body)
    set_top(code, pile, at, const(0), const(0))
    everything = code.load(f"{pile}.all", at)
    code.store(f"{pile}.all", code.without(everything, group), at)
    call(code, "lift", pile, _build_lift, at)
    yield group
    code.go(head)
    code.at(done)
