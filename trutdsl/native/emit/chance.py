"""What chance decides, as instructions know it."""

from __future__ import annotations

from dataclasses import dataclass

from trutdsl.ir.types import Kind
from trutdsl.native.layout import MOST_CARDS
from trutdsl.native.llvm.function import FunctionWriter
from trutdsl.native.llvm.random_numbers import emit_below
from trutdsl.native.llvm.unit import I64, PTR, Value, const


@dataclass(frozen=True)
class ChanceEvent:
    """Something that chance decides.

    one, two: of a draw the cards that can come and the place they go to; of `roll` the least and
    the most; of `random` the set and its kind; of `chance` the part and the whole.
    draw: what else there is to a draw.
    """

    kind: int
    one: Value
    two: Value
    draw: NativeDraw | None = None


@dataclass(frozen=True)
class NativeDraw:
    """A draw off a pile at a place of it, to a zone.

    shown: all see which card it is; many: how many cards can come.
    """

    origin: str
    place: Value
    target: str
    shown: bool
    many: Value


# What lies aside of a pile for seats, as instructions: `table.chance` says what is meant.
#
# Where every seat gets a card anyway, one after the other, nothing need be laid aside: the cards
# are drawn in the order of the seats (`loop_versioning`).


def forget(code: FunctionWriter) -> None:
    """Begin a part of a match, in which nothing lies aside."""
    for pile in sorted(code.unit.layout.for_seats):
        for at in range(code.unit.layout.fields[f"{pile}.left"].count):
            code.store(f"{pile}.left", const(0), const(at))


def drawn(code: FunctionWriter, top: Value, to: Value, draw: NativeDraw) -> Value:
    """Return which card of the group on top is drawn to a place."""
    pile = draw.origin
    if pile not in code.unit.layout.for_seats:
        return code.pick(top, emit_below(code, code.chance_stream(), draw.many))
    seats = code.unit.program.zones[draw.target].index is Kind.SEAT
    name, build = (f"draw_for.{pile}", _build_draw_for) if seats else (f"draw.{pile}", _build_draw)
    given = [draw.place, *([to] if seats else [])]
    function = code.small(name, [PTR, *[I64] * len(given)], I64, lambda c: build(c, pile))
    return code.b.call(function, [code.args[0], *given])


def _build_draw_for(code: FunctionWriter, pile: str) -> None:
    """As `Aside.draw_for`."""
    b, players = code.b, code.unit.setting.players
    _, at, seat = code.args
    free = _free(code, pile, at)
    own = b.add(b.mul(at, const(players)), seat)
    taken, rounds = code.load(f"{pile}.taken", own), code.load(f"{pile}.rounds", at)
    lies, none, enough, few = map(code.block, ("lies", "none", "enough", "few"))
    b.cbranch(b.icmp_signed("<", taken, rounds), lies, none)
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
    card = code.load(f"{pile}.order", b.add(_first_of(code, at, taken), seat))
    code.store(f"{pile}.taken", b.add(taken, const(1)), own)
    aside = code.without(code.load(f"{pile}.aside", at), code.bit(card))
    code.store(f"{pile}.aside", aside, at)
    _take(code, pile, at, card)


def _build_draw(code: FunctionWriter, pile: str) -> None:
    """As `Aside.draw`."""
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
    """Return the cards of the group on top that do not lie aside."""
    top = code.load(f"{pile}.top", at)
    changed = code.b.icmp_signed("!=", code.load(f"{pile}.left", at), top)
    with code.b.if_then(changed):
        _forget(code, pile, at)
    return code.without(top, code.load(f"{pile}.aside", at))


def _forget(code: FunctionWriter, pile: str, at: Value) -> None:
    """Lay nothing aside any more."""
    players = code.unit.setting.players
    code.store(f"{pile}.aside", const(0), at)
    code.store(f"{pile}.rounds", const(0), at)
    for seat in range(players):
        own = code.b.add(code.b.mul(at, const(players)), const(seat))
        code.store(f"{pile}.taken", const(0), own)


def _first_of(code: FunctionWriter, at: Value, number: Value) -> Value:
    """Return where in `NAME.order` the cards of a round stand."""
    b = code.b
    before = b.mul(number, const(code.unit.setting.players))
    return b.add(b.mul(at, const(MOST_CARDS)), before)


def _any_of(code: FunctionWriter, group: Value) -> Value:
    """Return any card of a group, all equally likely."""
    return code.pick(group, emit_below(code, code.chance_stream(), code.count_bits(group)))


def _take(code: FunctionWriter, pile: str, at: Value, card: Value) -> None:
    """Give back the card that is drawn; what then is left tells whether anything lies aside."""
    left = code.without(code.load(f"{pile}.top", at), code.bit(card))
    nothing = code.is_zero(code.load(f"{pile}.aside", at))
    code.store(f"{pile}.left", code.b.select(nothing, const(0), left), at)
    code.b.ret(card)
