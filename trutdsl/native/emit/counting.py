"""Instrumentation: what happens is added to numbers that lie behind the watch at the table."""

from __future__ import annotations

from math import prod

from llvmlite import ir

from trutdsl.native.abi import DEAL, DEAL_END, WATCH_ROOM
from trutdsl.native.emit.policies import stop_at_mistake
from trutdsl.native.emit.statements import RuleEmitter
from trutdsl.native.layout import Field
from trutdsl.native.llvm.unit import I64, PTR, Value, const
from trutdsl.table.actions import AskPlan
from trutdsl.table.counts import LEADS, LENGTHS, VALUES, CountPlan, name_of_option

TAG = Field("#counts", 64, 1, True, 0, 0)


class CountingEmitter(RuleEmitter):
    """Writes a rule whose answers and deals are counted, in the parts of `CountPlan`."""

    def chosen(self, plan: AskPlan, option: int) -> None:
        """Count an answer."""
        name = name_of_option(plan.node.options[option])
        row = self.b.mul(self.load("#seat"), const(len(self._plan.options)))
        place = const(self._plan.options[plan.node.decision, name])
        self.count("chosen", self.b.add(row, place))

    def event(self, kind: int, *values: Value) -> None:
        """Count the end of a deal; note how things stood at its start."""
        if kind == DEAL:
            self._start_deal(values[1])
        elif kind == DEAL_END:
            self._end_deal_won(values[0], values[1])

    def _start_deal(self, dealer: Value) -> None:
        b, teams = self.b, self._plan.teams
        self._write(const(self._plan.size), b.urem(dealer, const(teams)))
        for number, counter in enumerate(self._plan.counters):
            leader, first, second = const(0), self.load(counter, const(0)), const(-(2**62))
            for team in range(1, teams):
                value = self.load(counter, const(team))
                ahead = b.icmp_signed(">", value, first)
                second = b.select(ahead, first, self._larger(value, second))
                first = b.select(ahead, value, first)
                leader = b.select(ahead, const(team), leader)
            place = b.add(b.mul(leader, const(LEADS)), self._clipped(b.sub(first, second), LEADS))
            at = b.add(const(self._led_now(number)), place)
            self._write(at, b.add(self._read(at), const(1)))

    def _end_deal_won(self, winner: Value, reason: Value) -> None:
        b, teams = self.b, self._plan.teams
        nobody = b.icmp_signed("<", winner, const(0))
        row = b.mul(reason, const(teams + 1))
        self.count("ended", b.add(row, b.select(nobody, const(teams), winner)))
        behind = b.sub(winner, self._read(const(self._plan.size)))
        behind = b.select(b.icmp_signed("<", behind, const(0)), b.add(behind, const(teams)), behind)
        some = b.select(nobody, const(0), const(1))
        self.count("after_dealer", b.select(nobody, const(0), behind), some)

    def count_match(self) -> None:
        """Count a match that is over."""
        b, plan = self.b, self._plan
        winner, deals, decisions = map(self.load, ("#winner", "#deals", "#decisions"))
        winner = b.select(b.icmp_signed("<", winner, const(0)), const(plan.teams), winner)
        self.count("matches")
        self.count("winners", winner)
        self.count("lengths", self._clipped(deals, LENGTHS))
        for part, value in (
            ("deals", deals),
            ("decisions", decisions),
            ("deals_sq", b.mul(deals, deals)),
            ("decisions_sq", b.mul(decisions, decisions)),
            ("deals_decisions", b.mul(deals, decisions)),
        ):
            self.count(part, amount=value)
        for number, counter in enumerate(plan.counters):
            for team in range(plan.teams):
                value = self._clipped(self.load(counter, const(team)), VALUES)
                row = const(VALUES * (plan.teams * number + team))
                self.count("finals", b.add(row, value))
            self._count_leads(number, winner)

    def _count_leads(self, counter: int, winner: Value) -> None:
        """Add this match's leads to those of all, and begin anew."""
        b, now = self.b, const(self._led_now(counter))
        place, turn, done = self.each_number(const(0), const(LEADS), "lead")
        row = b.add(const(LEADS * counter), place)
        held = self._read(b.add(b.add(now, b.mul(winner, const(LEADS))), place))
        level = self.is_zero(place)
        self.count("held", row, b.select(level, const(0), held))
        for team in range(self._plan.teams):
            at = b.add(b.add(now, const(LEADS * team)), place)
            self.count("led", row, self._read(at))
            self._write(at, const(0))
        self.go(turn)
        self.at(done)

    # -------------------------------------------------------- numbers behind the watch

    @property
    def _plan(self) -> CountPlan:
        return self.unit.counts

    def _led_now(self, counter: int) -> int:
        return self._plan.size + 1 + counter * (self._plan.teams + 1) * LEADS

    def count(self, part: str, place: Value = None, amount: Value = None) -> None:
        """Add to a number of a part, 1 if not said otherwise."""
        place = const(0) if place is None else place
        place = self.checked_index(place, prod(self._plan.shapes[part]), part)
        at = self.b.add(const(self._plan.offsets[part]), place)
        self._write(at, self.b.add(self._read(at), const(1) if amount is None else amount))

    def _place_of(self, at: Value) -> Value:
        behind = self.unit.behind_seats + 8 * WATCH_ROOM
        return self.address(self.args[1], behind, at, 8)

    def _read(self, at: Value) -> Value:
        found = self.b.load(self._place_of(at), typ=I64)
        found.set_metadata("tbaa", self.unit.tag(TAG.name))
        return found

    def _write(self, at: Value, value: Value) -> None:
        stored = self.b.store(value, self._place_of(at))
        stored.set_metadata("tbaa", self.unit.tag(TAG.name))

    def _larger(self, one: Value, other: Value) -> Value:
        return self.b.select(self.b.icmp_signed(">", one, other), one, other)

    def _clipped(self, value: Value, places: int) -> Value:
        """Return a number, which is not negative, as a place of a histogram."""
        last = const(places - 1)
        return self.b.select(self.b.icmp_signed(">", value, last), last, value)


def build_run_counted(code: CountingEmitter) -> None:
    """run_counted(match, table, key, key, first, beyond) -> how many were played.

    Counts what happens in these matches; stops at the first one with a mistake, which then lies at
    `match`.
    """
    state, table, *key, first, beyond = code.args
    b = code.b
    play = code.unit.module.get_global("play_match")
    number, turn, done = code.each_number(first, beyond, "match")
    b.call(play, [state, table, *key, number])
    stop_at_mistake(code, b.sub(number, first))
    code.count_match()
    code.go(turn)
    code.at(done)
    b.ret(b.sub(beyond, first))
    if code.failed is not None:
        code.at(code.failed)
        b.ret(const(0))


RUN_COUNTED = ir.FunctionType(I64, [PTR, PTR, I64, I64, I64, I64])
