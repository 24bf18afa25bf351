"""Chance as instructions: random number streams, and cards reserved for seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from llvmlite import ir

from trutdsl.ir.types import Kind
from trutdsl.native.layout import MOST_CARDS
from trutdsl.native.llvm import I64, PTR, RESULT, Value, const
from trutdsl.native.llvm.function import FunctionWriter
from trutdsl.streams import GAMMA, SIP_START


def emit_below(code: FunctionWriter, stream: Value, bound: Value, several: bool = False) -> Value:
    """Return a number from 0 to bound-1 from the stream whose state is at an address.

    several: the bound is known to be above 1.
    """
    name = "below_several" if several else "below"
    function = code.small(name, [PTR, I64], I64, lambda inner: _build_below(inner, several))
    return code.b.call(function, [stream, bound])


def emit_below_ahead(code: FunctionWriter, stream: Value, bound: Value) -> Value:
    """Return a number as `emit_below` does, of a stream whose next number is precomputed.

    If an unpredictable branch depends on the number, the wait is hardly longer than one
    multiplication.
    """
    function = code.small("below.ahead", [PTR, I64], I64, _build_below_ahead)
    return code.b.call(function, [stream, bound])


def emit_start(code: FunctionWriter, state: Value, stream: Value) -> None:
    """Begin a stream, at an address, whose next number is precomputed: see `emit_below_ahead`."""
    code.b.store(state, stream)
    code.b.store(_mix(code, code.b.add(state, const(GAMMA))), code.address(stream, 8))


def emit_mix(code: FunctionWriter, start: Value, parts: Sequence[Value]) -> Value:
    """Write `trutdsl.streams.mix_in`."""
    for part in parts:
        start = _mix(code, code.b.add(code.b.add(start, const(GAMMA)), part))
    return start


def emit_siphash(code: FunctionWriter, key: Sequence[Value], words: Sequence[Value]) -> Value:
    """Write `trutdsl.streams.siphash` for 64-bit numbers; `key` is its two halves."""
    parts = [*key, *words]
    function = code.small(f"siphash_{len(words)}", [I64] * len(parts), I64, _build_siphash)
    return code.b.call(function, parts)


def _mix(code: FunctionWriter, z: Value) -> Value:
    """Return the 64 bits of SplitMix64's finalizer, as `trutdsl.streams.mix`."""
    b = code.b
    z = b.mul(b.xor(z, b.lshr(z, const(30))), const(0xBF58476D1CE4E5B9))
    z = b.mul(b.xor(z, b.lshr(z, const(27))), const(0x94D049BB133111EB))
    return b.xor(z, b.lshr(z, const(31)))


def _build_siphash(code: FunctionWriter) -> None:
    """Write SipHash-2-4 of some words; the hashes of all seats run in parallel."""
    code.function.attributes.add("alwaysinline")
    b, (low, high, *words) = code.b, code.args
    v = [b.xor(const(s), half) for s, half in zip(SIP_START, (low, high, low, high), strict=True)]
    for word in (*words, const(8 * len(words) << 56)):
        v[3] = b.xor(v[3], word)
        v = _sip_round(code, *_sip_round(code, *v))
        v[0] = b.xor(v[0], word)
    v[2] = b.xor(v[2], const(0xFF))
    for _ in range(4):
        v = _sip_round(code, *v)
    b.ret(b.xor(b.xor(v[0], v[1]), b.xor(v[2], v[3])))


def _sip_round(code: FunctionWriter, v0: Value, v1: Value, v2: Value, v3: Value) -> list[Value]:
    b = code.b

    def rotate(word: Value, by: int) -> Value:
        return b.or_(b.shl(word, const(by)), b.lshr(word, const(64 - by)))

    v0, v2 = b.add(v0, v1), b.add(v2, v3)
    v1, v3 = b.xor(rotate(v1, 13), v0), b.xor(rotate(v3, 16), v2)
    v0, v2 = b.add(rotate(v0, 32), v3), b.add(v2, v1)
    v1, v3 = b.xor(rotate(v1, 17), v2), b.xor(rotate(v3, 21), v0)
    return [v0, v1, rotate(v2, 32), v3]


def _times(code: FunctionWriter, number: Value, bound: Value) -> tuple[Value, Value]:
    """Return the product of a stream's number and the bound, the upper half first."""
    b, wide = code.b, ir.IntType(128)
    product = b.mul(b.zext(number, wide), b.zext(bound, wide))
    return b.trunc(b.lshr(product, ir.Constant(wide, 64)), I64), b.trunc(product, I64)


def _begin_below(code: FunctionWriter, bound: Value) -> None:
    draw, only = code.block("draw"), code.block("only")
    code.b.cbranch(code.b.icmp_unsigned("<=", bound, const(1)), only, draw)
    code.at(only)
    code.b.ret(const(0))
    code.at(draw)


def _check_fair(code: FunctionWriter, low: Value, bound: Value) -> tuple[Value, Value]:
    """Branch to one of two blocks: if a number may be biased, which is very rare, or else."""
    check, done = code.block("check"), code.block("done")
    unsure = code.b.icmp_unsigned("<", low, bound)
    code.b.cbranch(unsure, check, done).set_weights([1, 1 << 20])
    return check, done


def _build_below(code: FunctionWriter, several: bool) -> None:
    """Write `trutdsl.streams.Stream.below`: 1 draws nothing; exact by rejection."""
    code.function.attributes.add("alwaysinline")
    b, (stream, bound) = code.b, code.args
    if not several:
        _begin_below(code, bound)
    state = b.add(code.number(stream), const(GAMMA))
    high, low = _times(code, _mix(code, state), bound)
    draw = b.block
    check, done = _check_fair(code, low, bound)
    code.at(check)
    again = code.small("redraw", [I64, I64, I64, I64], RESULT, _build_redraw)
    both = b.call(again, [state, bound, high, low])
    later, redrawn = b.extract_value(both, 0), b.extract_value(both, 1)
    b.branch(done)
    code.at(done)
    state_now, high_now = b.phi(I64), b.phi(I64)
    for phi, first, second in ((state_now, state, later), (high_now, high, redrawn)):
        phi.add_incoming(first, draw)
        phi.add_incoming(second, check)
    b.store(state_now, stream)
    b.ret(high_now)


def _build_below_ahead(code: FunctionWriter) -> None:
    """Write `_build_below` with a precomputed number; the rare case is a call.

    So this function need not save registers.
    """
    code.function.attributes.add("alwaysinline")
    b, (stream, bound) = code.b, code.args
    _begin_below(code, bound)
    high, low = _times(code, b.load(code.address(stream, 8), typ=I64), bound)
    check, done = _check_fair(code, low, bound)
    code.at(check)
    again = code.small("redraw.ahead", [PTR, I64, I64, I64], I64, _build_redraw_ahead)
    b.ret(b.call(again, [stream, bound, high, low]))
    code.at(done)
    emit_start(code, b.add(code.number(stream), const(GAMMA)), stream)
    b.ret(high)


def _build_redraw_ahead(code: FunctionWriter) -> None:
    for word in ("noinline", "cold"):
        code.function.attributes.add(word)
    b, (stream, bound, high, low) = code.b, code.args
    state = b.add(code.number(stream), const(GAMMA))
    again = code.small("redraw", [I64, I64, I64, I64], RESULT, _build_redraw)
    both = b.call(again, [state, bound, high, low])
    emit_start(code, b.extract_value(both, 0), stream)
    b.ret(b.extract_value(both, 1))


def _build_redraw(code: FunctionWriter) -> None:
    """Return the state and the drawn number, or a later one if that is biased: very rare.

    It accesses no memory, so that values of the match stay available.
    """
    for word in ("noinline", "cold"):
        code.function.attributes.add(word)
    # LLVM knows this attribute, but llvmlite's list does not have it.
    set.add(code.function.attributes, "willreturn")
    b, (state, bound, high, low) = code.b, code.args
    least = b.urem(b.sub(const(0), bound), bound)
    entry, check, again, done = b.block, *map(code.block, ("check", "again", "done"))
    b.branch(check)
    code.at(check)
    state_now, low_now, high_now = b.phi(I64), b.phi(I64), b.phi(I64)
    b.cbranch(b.icmp_unsigned("<", low_now, least), again, done)
    code.at(again)
    next_state = b.add(state_now, const(GAMMA))
    next_high, next_low = _times(code, _mix(code, next_state), bound)
    b.branch(check)
    for phi, first, later in (
        (state_now, state, next_state), (low_now, low, next_low), (high_now, high, next_high),
    ):  # fmt: skip
        phi.add_incoming(first, entry)
        phi.add_incoming(later, again)
    code.at(done)
    both = b.insert_value(ir.Constant(RESULT, ir.Undefined), state_now, 0)
    b.ret(b.insert_value(both, high_now, 1))


@dataclass(frozen=True)
class ChanceEvent:
    """A chance event.

    one, two: of a draw the candidates and their target place; of `roll` the least and greatest
              number; of `random` the set and its kind; of `chance` the part and the whole.
    draw: the other data of a draw.
    """

    kind: int
    one: Value
    two: Value
    draw: NativeDraw | None = None


@dataclass(frozen=True)
class NativeDraw:
    """A draw from a pile at one of its places, to a zone.

    shown: all see the card; many: the number of candidates.
    """

    origin: str
    place: Value
    target: str
    shown: bool
    many: Value


# The reserved cards of a pile, as instructions: `table.chance` defines them.
#
# If every seat gets a card in turn, no reservation is needed: the cards
# are drawn in the order of the seats (`loops`).


def forget(code: FunctionWriter) -> None:
    for pile in sorted(code.unit.layout.for_seats):
        for at in range(code.unit.layout.fields[f"{pile}.left"].count):
            code.store(f"{pile}.left", const(0), const(at))


def draw_card(code: FunctionWriter, top: Value, to: Value, draw: NativeDraw) -> Value:
    """Return the card of the top group that is drawn to a place."""
    pile = draw.origin
    if pile not in code.unit.layout.for_seats:
        return code.pick(top, emit_below(code, code.chance_stream(), draw.many))
    seats = code.unit.program.zones[draw.target].index is Kind.SEAT
    name, build = (f"draw_for.{pile}", _build_draw_for) if seats else (f"draw.{pile}", _build_draw)
    args = [draw.place, *([to] if seats else [])]
    function = code.small(name, [PTR, *[I64] * len(args)], I64, lambda c: build(c, pile))
    return code.b.call(function, [code.args[0], *args])


def _build_draw_for(code: FunctionWriter, pile: str) -> None:
    """Write `Reserve.draw_for`."""
    b, players = code.b, code.unit.setting.players
    _, at, seat = code.args
    free = _free(code, pile, at)
    own = b.add(b.mul(at, const(players)), seat)
    cards_taken, rounds = code.load(f"{pile}.taken", own), code.load(f"{pile}.rounds", at)
    lies, none, enough, few = map(code.block, ("lies", "none", "enough", "few"))
    b.cbranch(b.icmp_signed("<", cards_taken, rounds), lies, none)
    code.at(none)
    many = code.count_bits(free)
    b.cbranch(b.icmp_signed(">=", many, const(players)), enough, few)
    code.at(few)
    _forget(code, pile, at)
    _take(code, pile, at, _any_of(code, code.load(f"{pile}.top", at)))
    code.at(enough)
    first, rest = _first_of(code, at, rounds), free
    for other in range(players):
        several = other < players - 1
        rank = emit_below(code, code.chance_stream(), b.sub(many, const(other)), several)
        card = code.pick(rest, rank)
        code.store(f"{pile}.order", card, b.add(first, const(other)))
        rest = code.without(rest, code.bit(card))
    code.store(f"{pile}.aside", code.without(code.load(f"{pile}.top", at), rest), at)
    code.store(f"{pile}.rounds", b.add(rounds, const(1)), at)
    b.branch(lies)
    code.at(lies)
    card = code.load(f"{pile}.order", b.add(_first_of(code, at, cards_taken), seat))
    code.store(f"{pile}.taken", b.add(cards_taken, const(1)), own)
    aside = code.without(code.load(f"{pile}.aside", at), code.bit(card))
    code.store(f"{pile}.aside", aside, at)
    _take(code, pile, at, card)


def _build_draw(code: FunctionWriter, pile: str) -> None:
    _, at = code.args
    free = _free(code, pile, at)
    some, none = map(code.block, ("some", "none"))
    code.b.cbranch(code.is_zero(free), none, some)
    code.at(none)
    _forget(code, pile, at)
    _take(code, pile, at, _any_of(code, code.load(f"{pile}.top", at)))
    code.at(some)
    _take(code, pile, at, _any_of(code, free))


def _free(code: FunctionWriter, pile: str, at: Value) -> Value:
    top = code.load(f"{pile}.top", at)
    changed = code.b.icmp_signed("!=", code.load(f"{pile}.left", at), top)
    with code.b.if_then(changed):
        _forget(code, pile, at)
    return code.without(top, code.load(f"{pile}.aside", at))


def _forget(code: FunctionWriter, pile: str, at: Value) -> None:
    players = code.unit.setting.players
    code.store(f"{pile}.aside", const(0), at)
    code.store(f"{pile}.rounds", const(0), at)
    for seat in range(players):
        own = code.b.add(code.b.mul(at, const(players)), const(seat))
        code.store(f"{pile}.taken", const(0), own)


def _first_of(code: FunctionWriter, at: Value, number: Value) -> Value:
    """Return the position in `NAME.order` of the cards of a round."""
    b = code.b
    before = b.mul(number, const(code.unit.setting.players))
    return b.add(b.mul(at, const(MOST_CARDS)), before)


def _any_of(code: FunctionWriter, group: Value) -> Value:
    return code.pick(group, emit_below(code, code.chance_stream(), code.count_bits(group)))


def _take(code: FunctionWriter, pile: str, at: Value, card: Value) -> None:
    """Remove the drawn card; the remaining group shows whether any card is reserved."""
    left = code.without(code.load(f"{pile}.top", at), code.bit(card))
    nothing = code.is_zero(code.load(f"{pile}.aside", at))
    code.store(f"{pile}.left", code.b.select(nothing, const(0), left), at)
    code.b.ret(card)
