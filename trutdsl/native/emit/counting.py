"""Instrumentation: counts answers, ends of deals and matches behind the watch at the table."""

from __future__ import annotations

from math import prod

from trutdsl.ir.intervals import MOST_DEALS
from trutdsl.native.abi import ANY, DEAL, DEAL_END, WATCH_ROOM
from trutdsl.native.emit.phases import has_choice
from trutdsl.native.emit.statements import RuleEmitter
from trutdsl.native.layout import StructField
from trutdsl.native.llvm import I64, Value, const
from trutdsl.table.actions import AskPlan
from trutdsl.table.counts import CountPlan, name_of_option

TAG = StructField("#counts", 64, 1, True, 0, 0)


class CountingEmitter(RuleEmitter):
    """Writes a rule that counts what `simulate` prints, the parts `BRIEF` of `CountPlan`."""

    def record_choice(self, plan: AskPlan, option: int) -> None:
        forced, chose, done = self.block("forced"), self.block("chose"), self.block("counted")
        self.b.cbranch(has_choice(self, plan.words), chose, forced)
        self.at(forced)
        self.count("forced")
        self._took_any()
        self.b.branch(done)
        self.at(chose)
        self._record_choice(plan, option)
        self.b.branch(done)
        self.at(done)

    def _record_choice(self, plan: AskPlan, option: int) -> None:
        name = name_of_option(plan.node.options[option])
        row = self.b.mul(self.load("#seat"), const(len(self._plan.options)))
        place = self.b.add(row, const(self._plan.options[plan.node.decision, name]))
        self.count("chosen", place)
        self.count("taken_any", place, self._took_any())

    def _took_any(self) -> Value:
        """Return 1 if the policy of the asked seat took any action, else 0; and reset the flag."""
        entry = self.address(self.args[1], 0, self.load("#seat"), self.unit.entry_size)
        at = self.address(entry, 8 * ANY)
        result = self.number(at)
        self.b.store(const(0), at)
        return result

    def event(self, kind: int, *values: Value) -> None:
        if kind == DEAL:
            self._note("dealer", self.b.urem(values[1], const(self._plan.teams)))
        elif kind == DEAL_END:
            self._count_end(values[0], values[1])

    def _count_end(self, winner: Value, reason: Value) -> None:
        b, teams = self.b, self._plan.teams
        nobody = b.icmp_signed("<", winner, const(0))
        row = b.mul(reason, const(teams + 1))
        self.count("ended", b.add(row, b.select(nobody, const(teams), winner)))
        some = b.select(nobody, const(0), const(1))
        distance = self._teams_behind(winner, self._read_note("dealer"))
        self.count("after_dealer", b.select(nobody, const(0), distance), some)

    def _teams_behind(self, team: Value, other: Value) -> Value:
        """Return how many teams a team is behind the other one, in play order."""
        distance = self.b.sub(team, other)
        wrapped = self.b.add(distance, const(self._plan.teams))
        return self.b.select(self.b.icmp_signed("<", distance, const(0)), wrapped, distance)

    def count_match(self) -> None:
        b, plan = self.b, self._plan
        winner, deals, decisions = map(self.load, ("#winner", "#deals", "#choices"))
        is_draw = b.icmp_signed("<", winner, const(0))
        winner = b.select(is_draw, const(plan.teams), winner)
        self.count("matches")
        self.count("winners", winner)
        endless = b.and_(is_draw, b.icmp_signed(">=", deals, const(MOST_DEALS)))
        self.count("unfinished", amount=b.select(endless, const(1), const(0)))
        for part, value in (
            ("deals", deals),
            ("decisions", decisions),
            ("deals_sq", b.mul(deals, deals)),
            ("decisions_sq", b.mul(decisions, decisions)),
            ("deals_decisions", b.mul(deals, decisions)),
        ):
            self.count(part, amount=value)

    # -------------------------------------------------------- counts after the watch

    @property
    def _plan(self) -> CountPlan:
        return self.unit.counts

    def count(self, part: str, place: Value = None, amount: Value = None) -> None:
        """Add to a number of a part, by default 1."""
        place = const(0) if place is None else place
        place = self.check_index(place, prod(self._plan.shapes[part]), part)
        at = self.b.add(const(self._plan.offsets[part]), place)
        self._write(at, self.b.add(self._read(at), const(1) if amount is None else amount))

    def _read_note(self, name: str, place: Value = None) -> Value:
        return self._read(self._at_note(name, place))

    def _note(self, name: str, value: Value, place: Value = None) -> None:
        self._write(self._at_note(name, place), value)

    def _at_note(self, name: str, place: Value) -> Value:
        names = list(self._plan.scratch)
        begin = self._plan.scratch[name]
        room = self._plan.scratch[names[names.index(name) + 1]] - begin
        place = self.check_index(const(0) if place is None else place, room, name)
        return self.b.add(const(self._plan.size + begin), place)

    def _place_of(self, at: Value) -> Value:
        behind = self.unit.behind_seats + 8 * WATCH_ROOM
        return self.address(self.args[1], behind, at, 8)

    def _read(self, at: Value) -> Value:
        result = self.b.load(self._place_of(at), typ=I64)
        result.set_metadata("tbaa", self.unit.tag(TAG.name))
        return result

    def _write(self, at: Value, value: Value) -> None:
        store = self.b.store(value, self._place_of(at))
        store.set_metadata("tbaa", self.unit.tag(TAG.name))
