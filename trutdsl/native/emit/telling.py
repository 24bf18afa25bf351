"""Events of step-by-step play, and stored hashes of what seats have been told.

The match stores a hash of each seat's information in the deal. If a seat has the same information
in two courses of a deal, its hashes are the same.
"""

from __future__ import annotations

from llvmlite import ir

from trutdsl.native import abi
from trutdsl.native.emit.chance import ChanceEvent, emit_mix
from trutdsl.native.emit.quantifiers import copy_cards
from trutdsl.native.emit.statements import RuleEmitter
from trutdsl.native.layout import HEARD
from trutdsl.native.llvm import I64, PTR, Value, const
from trutdsl.native.llvm.function import FunctionWriter
from trutdsl.table.match import Route, turns_up
from trutdsl.table.sight import sees


class TellingEmitter(RuleEmitter):
    """Writes a rule and the events that it reports."""

    def event(self, kind: int, *values: Value) -> None:
        tell = self.small("tell", [PTR, *[I64] * abi.EVENT], ir.VoidType(), self._build_tell)
        args = [self.table, const(kind), *values, *[const(0)] * (abi.EVENT - 1 - len(values))]
        if kind in abi.LASTING:
            self.b.call(tell, args)
            return
        listeners = self.number(at_table(self, self.table, abi.LISTENED))
        with self.b.if_then(self.b.not_(self.is_zero(listeners))):
            self.b.call(tell, args)

    def may_stop(self, steps: Value) -> None:
        """Do nothing: step-by-step play can stop between two steps."""

    def tell(self, name: str, value: Value) -> None:
        self.store(name, value)

    def announce(self, number: int, who: Value, value: Value, seats: Value) -> None:
        b = self.b
        nobody = b.icmp_signed("<", who, const(0))
        speaker = b.select(nobody, const(0), self.bit(b.select(nobody, const(0), who)))
        hearers = b.or_(seats, speaker)
        self.event(abi.ANNOUNCED, const(number), who, value, hearers)
        self._hear([const(number), who, value], hearers)

    def report_passing(self, route: Route, at: Value, to: Value, cards: Value) -> None:
        """Report cards that went from one place to another, to the seats that see them."""
        b, layout = self.b, self.unit.layout
        if turns_up(self.unit.program, route):
            with self.bits(cards) as card:
                self.event(abi.TURNED_BY_RULES, card)
            return
        if route not in layout.routes:
            return
        number = layout.routes.index(route)
        goes = b.and_(b.icmp_signed("!=", at, to), b.not_(self.is_zero(cards)))
        with b.if_then(goes):
            seers = b.or_(self._seers(route.origin, at), self._seers(route.target, to))
            places = b.add(b.mul(at, const(abi.PLACES)), to)
            self.event(abi.PASSED, const(number), places, cards, seers)
            everybody = const((1 << self.unit.setting.players) - 1)
            which = const(len(layout.announcements) + number)
            self._hear([which, places, cards], seers)
            self._hear([which, places, self.count_bits(cards)], self.without(everybody, seers))

    def forget_heard(self) -> None:
        if HEARD in self.unit.layout.fields:
            for seat in range(self.unit.setting.players):
                self.store(HEARD, const(0), const(seat))

    def _hear(self, what: list[Value], hearers: Value) -> None:
        """Add information to the hashes of seats."""
        b = self.b
        for seat in range(self.unit.setting.players):
            before = self.load(HEARD, const(seat))
            hears = b.not_(self.is_zero(b.and_(hearers, const(1 << seat))))
            self.store(HEARD, b.select(hears, emit_mix(self, before, what), before), const(seat))

    def _seers(self, zone: str, at: Value) -> Value:
        """Return the mask of the seats that see the cards of a place."""
        b, setting, declaration = self.b, self.unit.setting, self.unit.program.zones[zone]
        result = const(0)
        for place in range(setting.count(declaration.index)):
            seats = (s for s in range(setting.players) if sees(declaration, place, s, setting))
            always = const(sum(1 << seat for seat in seats))
            result = b.select(b.icmp_signed("==", at, const(place)), always, result)
        if f"{zone}.shown" in self.unit.layout.fields:
            result = b.or_(result, self.load(f"{zone}.shown", at))
        return result

    @property
    def table(self) -> Value:
        return self.args[1]

    def _build_tell(self, code: FunctionWriter) -> None:
        table, *values = code.args
        at = at_table(code, table, abi.COUNT)
        count = code.number(at)
        code.b.store(code.b.add(count, const(1)), at)
        room = code.number(at_table(code, table, abi.ROOM))
        with code.b.if_then(code.b.icmp_signed("<", count, room)):
            first = code.b.add(const(abi.EVENTS), code.b.mul(count, const(abi.EVENT)))
            for number, value in enumerate(values):
                place = code.b.add(first, const(number))
                at = code.address(table, code.unit.behind_seats, place, 8)
                code.b.store(value, at)
        code.b.ret_void()

    def after_trick(self, zone: str) -> None:
        """Report the trick: its cards in play order, the leader, the winner."""
        leader = self.load("#trick_leader")
        players = self.unit.setting.players
        for turn in range(players):
            seat = self.wrap_seat(self.b.add(leader, const(turn)), players)
            card, following, done = self._each_card(zone, seat)
            self.event(abi.TRICK_CARD, seat, card)
            self.go(following)
            self.at(done)
        self.event(abi.TRICK, leader, self.load("#trick_winner"))

    def _each_card(self, zone: str, at: Value) -> tuple[Value, Value, Value]:
        if not self.unit.program.zones[zone].ordered:
            return self.each_bit(self.load(zone, at))
        order = self.local_array(64)
        count = copy_cards(self, zone, at, order)
        number, following, done = self.each_number(const(0), count)
        return self.b.load(self.b.gep(order, [number], source_etype=I64), typ=I64), following, done

    def by_chance(self, luck: ChanceEvent) -> Value:
        result = super().by_chance(luck)
        self.tell_luck(luck, result)
        return result

    def tell_luck(self, luck: ChanceEvent, outcome: Value) -> None:
        if luck.kind != abi.DRAW:
            self.event(abi.RANDOMLY, const(luck.kind), outcome, luck.two)


def at_table(code: FunctionWriter, table: Value, number: int) -> Value:
    return code.address(table, code.unit.behind_seats + 8 * number)
