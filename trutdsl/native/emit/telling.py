"""Tracing: rules that tell what happens, as events that are laid on the table.

They are told to whoever follows the match, and what lasts (an announcement, cards that pass) also
where nobody does.
"""

from __future__ import annotations

from llvmlite import ir

from trutdsl.native.abi import (
    ANNOUNCED,
    COUNT,
    DRAW,
    EVENT,
    EVENTS,
    LASTING,
    LISTENED,
    PASSED,
    PLACES,
    RANDOMLY,
    ROOM,
    TRICK,
    TRICK_CARD,
)
from trutdsl.native.emit.chance import ChanceEvent
from trutdsl.native.emit.iteration import copy_cards
from trutdsl.native.emit.rule_writer import RuleWriter
from trutdsl.native.emit.statements import RuleEmitter
from trutdsl.native.layout import HEARD
from trutdsl.native.llvm.function import FunctionWriter
from trutdsl.native.llvm.random_numbers import emit_mixed
from trutdsl.native.llvm.unit import I64, PTR, Value, const
from trutdsl.table.match import Route
from trutdsl.table.sight import sees

# What seats are told beside questions and answers, as instructions: events, and what is kept.
#
# Of each seat the match holds a hash of what it was told in the deal: it is the same in two
# courses of a deal in which the seat was told the same.


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


class TellingEmitter(RuleEmitter):
    """Writes a rule whose events are told."""

    def event(self, kind: int, *values: Value) -> None:
        """Add an event to those at the table; one that has no room is only counted."""
        tell = self.small("tell", [PTR, *[I64] * EVENT], ir.VoidType(), self._build_tell)
        told = [self.table, const(kind), *values, *[const(0)] * (EVENT - 1 - len(values))]
        if kind in LASTING:
            self.b.call(tell, told)
            return
        heard = self.b.load(at_table(self, self.table, LISTENED), typ=I64)
        with self.b.if_then(self.b.not_(self.is_zero(heard))):
            self.b.call(tell, told)

    def may_stop(self, steps: Value) -> None:
        """Whoever plays step by step looks between two steps."""

    def tell(self, name: str, value: Value) -> None:
        """Keep in the match what those look at who follow it."""
        self.store(name, value)

    def announce(self, number: int, who: Value, value: Value, seats: Value) -> None:
        """Tell seats a value, and the one that says it, if any does."""
        announce(self, number, who, value, seats)

    def passed(self, route: Route, at: Value, to: Value, cards: Value) -> None:
        """Tell of cards that went from one seat or team to another, where not all see that."""
        if route in self.unit.layout.routes:
            passed(self, route, at, to, cards)

    def forget_heard(self) -> None:
        """Begin a deal, in which no seat has been told anything yet."""
        forget(self)

    @property
    def table(self) -> Value:
        return self.args[1]

    def _build_tell(self, code: FunctionWriter) -> None:
        table, *values = code.args
        at = at_table(code, table, COUNT)
        count = code.b.load(at, typ=I64)
        code.b.store(code.b.add(count, const(1)), at)
        room = code.b.load(at_table(code, table, ROOM), typ=I64)
        with code.b.if_then(code.b.icmp_signed("<", count, room)):
            first = code.b.add(const(EVENTS), code.b.mul(count, const(EVENT)))
            for number, value in enumerate(values):
                place = code.b.add(first, const(number))
                at = code.address(table, code.unit.behind_seats, place, 8)
                code.b.store(value, at)
        code.b.ret_void()

    def after_trick(self, zone: str) -> None:
        """Tell of the trick: its cards in play order, who led, who won."""
        leader = self.load("#trick_leader")
        players = self.unit.setting.players
        for turn in range(players):
            seat = self.wrapped(self.b.add(leader, const(turn)), players)
            card, following, done = self._each_card(zone, seat)
            self.event(TRICK_CARD, seat, card)
            self.go(following)
            self.at(done)
        self.event(TRICK, leader, self.load("#trick_winner"))

    def _each_card(self, zone: str, at: Value) -> tuple[Value, Value, Value]:
        """Begin a loop over the cards of a zone as they lie; as `each_bit`."""
        if not self.unit.program.zones[zone].ordered:
            return self.each_bit(self.load(zone, at))
        order = self.local_array(64)
        count = copy_cards(self, zone, at, order)
        number, following, done = self.each_number(const(0), count)
        return self.b.load(self.b.gep(order, [number], source_etype=I64), typ=I64), following, done

    def by_chance(self, luck: ChanceEvent) -> Value:
        """Return what chance gives, and tell of it unless it is a drawn card."""
        found = super().by_chance(luck)
        self.tell_luck(luck, found)
        return found

    def tell_luck(self, luck: ChanceEvent, found: Value) -> None:
        if luck.kind != DRAW:
            self.event(RANDOMLY, const(luck.kind), found, luck.two)


def at_table(code: FunctionWriter, table: Value, number: int) -> Value:
    """Return the address of one of the numbers at the table behind those of the seats."""
    return code.address(table, code.unit.behind_seats + 8 * number)
