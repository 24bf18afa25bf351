"""What seats are told beside questions and answers, as instructions: events, and what is kept.

Of each seat the match holds a hash of what it was told in the deal: it is the same in two courses
of a deal in which the seat was told the same.
"""

from __future__ import annotations

from trutdsl.native.abi import ANNOUNCED, PASSED, PLACES
from trutdsl.native.emit.rule_writer import RuleWriter
from trutdsl.native.layout import HEARD
from trutdsl.native.llvm.random_numbers import emit_mixed
from trutdsl.native.llvm.unit import Value, const
from trutdsl.table.passing import Route
from trutdsl.table.sight import sees


def announce(code: RuleWriter, number: int, who: Value, value: Value, seats: Value) -> None:
    """Tell seats a value, and the one that says it, if any does."""
    b = code.b
    nobody = b.icmp_signed("<", who, const(0))
    speaker = b.select(nobody, const(0), code.bit(b.select(nobody, const(0), who)))
    hearers = b.or_(seats, speaker)
    code.event(ANNOUNCED, const(number), who, value, hearers)
    _hear(code, [const(number), who, value], hearers)


def passed(code: RuleWriter, route: Route, at: Value, to: Value, cards: Value) -> None:
    """Tell of cards that went from one place to another one, to those who see them which."""
    b, layout = code.b, code.unit.layout
    number = layout.routes.index(route)
    goes = b.and_(b.icmp_signed("!=", at, to), b.not_(code.is_zero(cards)))
    with b.if_then(goes):
        seers = b.or_(_seers(code, route.origin, at), _seers(code, route.target, to))
        places = b.add(b.mul(at, const(PLACES)), to)
        code.event(PASSED, const(number), places, cards, seers)
        everybody = const((1 << code.unit.setting.players) - 1)
        which = const(len(layout.announcements) + number)
        _hear(code, [which, places, cards], seers)
        _hear(code, [which, places, code.count_bits(cards)], code.without(everybody, seers))


def forget(code: RuleWriter) -> None:
    """Begin a deal, in which no seat has been told anything yet."""
    if HEARD in code.unit.layout.fields:
        for seat in range(code.unit.setting.players):
            code.store(HEARD, const(0), const(seat))


def _hear(code: RuleWriter, what: list[Value], hearers: Value) -> None:
    """Remember of seats that they were told so, after all that they were told before."""
    b = code.b
    for seat in range(code.unit.setting.players):
        before = code.load(HEARD, const(seat))
        hears = b.not_(code.is_zero(b.and_(hearers, const(1 << seat))))
        code.store(HEARD, b.select(hears, emit_mixed(code, before, what), before), const(seat))


def _seers(code: RuleWriter, zone: str, at: Value) -> Value:
    """Return the mask of the seats that see what lies in a place."""
    b, setting, declared = code.b, code.unit.setting, code.unit.program.zones[zone]
    found = const(0)
    for place in range(setting.count(declared.index)):
        seats = (s for s in range(setting.players) if sees(declared, place, s, setting))
        always = const(sum(1 << seat for seat in seats))
        found = b.select(b.icmp_signed("==", at, const(place)), always, found)
    if f"{zone}.shown" in code.unit.layout.fields:
        found = b.or_(found, code.load(f"{zone}.shown", at))
    return found
