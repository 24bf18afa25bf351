"""Instrumentation: counts the events of `CountPlan` behind the watch at the table."""

from __future__ import annotations

from math import prod

from trutdsl.ir.intervals import MOST_DEALS
from trutdsl.ir.types import STRENGTH, WHOLE, Number
from trutdsl.native.abi import ANY, DEAL, DEAL_END, WATCH_ROOM
from trutdsl.native.emit.phases import has_choice
from trutdsl.native.emit.statements import RuleEmitter
from trutdsl.native.layout import StructField
from trutdsl.native.llvm import I64, Value, const
from trutdsl.table.actions import AskPlan
from trutdsl.table.counts import (
    BETS,
    LEADS,
    LENGTHS,
    PATH,
    SCORES,
    STEPS,
    STRENGTHS,
    VALUES,
    CountPlan,
    name_of_option,
)

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


class AllCountsEmitter(CountingEmitter):
    """Writes a rule that counts all parts of `CountPlan`."""

    def record_choice(self, plan: AskPlan, option: int) -> None:
        if self._plan.tricks:
            self._note_leader(self.load("on_lead"))
        super().record_choice(plan, option)

    def _record_choice(self, plan: AskPlan, option: int) -> None:
        super()._record_choice(plan, option)
        bets = {bet: number for number, bet in enumerate(self._plan.betting)}
        words = {
            one: bets[plan.node.decision, name_of_option(node)]
            for one, node in enumerate(plan.node.options)
            if (plan.node.decision, name_of_option(node)) in bets and not node.binders
        }
        if words:
            self._bet(plan, words, words.get(option))

    def _bet(self, plan: AskPlan, words: dict[int, int], choice_place: int | None) -> None:
        b, strength = self.b, self._strength()
        for option, bet in words.items():
            word, shift = divmod(plan.options[option].first, 64)
            legal = b.and_(b.lshr(self.load("#legal", const(word)), const(shift)), const(1))
            self.count("offered", b.add(const(bet * STRENGTHS), strength), legal)
        if choice_place is None:
            return
        note, teams = self._read_note("bets"), const(self._plan.teams)
        team = b.urem(self.load("#seat"), teams)
        place = b.add(const(choice_place * STRENGTHS), strength)
        with b.if_then(b.icmp_signed("<", note, const(BETS))):
            self._note("betting", b.add(b.mul(place, teams), team), note)
            self._note("bets", b.add(note, const(1)))

    def _strength(self) -> Value:
        function = self.unit.define(STRENGTH, False)
        both = self.b.call(function.function, [self.args[0], self.load("#seat")])
        strength = self._larger(self.b.extract_value(both, 0), const(0))
        tenths = self.b.udiv(strength, const(WHOLE // STRENGTHS))
        return self._clip(tenths, STRENGTHS)

    def tell(self, name: str, value: Value) -> None:
        if name == "#trick_leader":
            self._note("trick_leader", value)
        if name == "#trick_winner":
            nobody = self.b.icmp_signed("<", value, const(0))
            self.count("tricks", self.b.select(nobody, const(1), const(0)))
            self._note_leader(self._read_note("trick_leader"))
            self._note("tricks", const(1))

    def _note_leader(self, seat: Value) -> None:
        """Record the first leader of the deal, unless one of its tricks is finished."""
        first, known = self._read_note("first_leader"), self._read_note("tricks")
        team = self.b.urem(seat, const(self._plan.teams))
        leader = self.b.select(self.is_zero(known), self.b.add(team, const(1)), first)
        self._note("first_leader", leader)

    def event(self, kind: int, *values: Value) -> None:
        super().event(kind, *values)
        if kind == DEAL:
            self._start_deal(values[0])
        elif kind == DEAL_END:
            self._end_deal_won(values[0], values[1])

    def _start_deal(self, before: Value) -> None:
        b, teams, dealing = self.b, self._plan.teams, self._read_note("dealer")
        for name in ("first_leader", "tricks"):
            self._note(name, const(0))
        self._note("first", b.select(self.is_zero(before), dealing, self._read_note("first")))
        deals = self._read_note("deals")
        for number, counter in enumerate(self._plan.counters):
            values = [self.load(counter, const(team)) for team in range(teams)]
            scores, values = values, [self._signed(counter, value) for value in values]
            leader, first, second = const(0), values[0], const(-(2**62))
            for team, value in enumerate(values[1:], 1):
                ahead = b.icmp_signed(">", value, first)
                second = b.select(ahead, first, self._larger(value, second))
                first = b.select(ahead, value, first)
                leader = b.select(ahead, const(team), leader)
            lead = b.sub(first, second)
            place = b.add(b.mul(leader, const(LEADS)), self._clip(lead, LEADS))
            at = b.add(const(number * (teams + 1) * LEADS), place)
            self._note("led", b.add(self._read_note("led", at), const(1)), at)
            self._follow_leader(number, b.add(leader, const(1)), lead)
            for team, value in enumerate(values):
                at = const(teams * number + team)
                self._note("begun", scores[team], at)
                deficit = self._larger(b.sub(first, value), self._read_note("deepest", at))
                self._note("deepest", deficit, at)
            if teams == 2:
                self._note_score(number, deals, dealing, scores)
        more = b.add(deals, const(1))
        self._note("deals", b.call(self.unit.extreme("smin"), [more, const(PATH)]))

    def _follow_leader(self, counter: int, leader: Value, lead: Value) -> None:
        """Count a new leader; leader: 1 + the team that is ahead, if there is a lead."""
        b, at = self.b, const(counter)
        level, before = self.is_zero(lead), self._read_note("leader", at)
        same = b.or_(self.is_zero(before), b.icmp_signed("==", before, leader))
        changed = b.select(b.or_(level, same), const(0), const(1))
        self.count("lead_changes", at, changed)
        self._note("leader", b.select(level, before, leader), at)

    def _note_score(self, counter: int, deals: Value, dealing: Value, values: list[Value]) -> None:
        """Add the scores of the dealer's team and the other one to the path of the match."""
        b, first = self.b, self.is_zero(dealing)
        one, other = (self._among(value, counter, SCORES) for value in values)
        mine, theirs = b.select(first, one, other), b.select(first, other, one)
        place = b.add(b.mul(mine, const(SCORES)), theirs)
        width = const(len(self._plan.counters))
        at = b.add(b.mul(deals, width), const(counter))
        with b.if_then(b.icmp_signed("<", deals, const(PATH))):
            self._note("path", b.add(b.mul(place, const(2)), dealing), at)

    def _end_deal_won(self, winner: Value, reason: Value) -> None:
        b, teams = self.b, self._plan.teams
        nobody = b.icmp_signed("<", winner, const(0))
        if self._plan.tricks:
            led = self._read_note("first_leader")
            nobody_led = b.or_(nobody, self.is_zero(led))
            deficit = b.select(
                nobody_led, const(0), self._teams_behind(winner, b.sub(led, const(1)))
            )
            self.count("after_leader", deficit, b.select(nobody_led, const(0), const(1)))
        gains = [
            [
                b.sub(
                    self.load(counter, const(t)),
                    self._read_note("begun", const(teams * number + t)),
                )
                for t in range(teams)
            ]
            for number, counter in enumerate(self._plan.counters)
        ]
        for number, of_teams in enumerate(gains):
            most = const(0)
            for gain in of_teams:
                most = self._larger(most, gain)
            self.count("gained", const(number), most)
        if self._plan.bets:
            self._end_bets(winner, reason, gains)

    def _end_bets(self, winner: Value, reason: Value, gains: list[list[Value]]) -> None:
        """Count the results of a deal's bets, and reset them."""
        b, teams, reasons = self.b, self._plan.teams, const(len(self._plan.reasons))
        ahead = [
            self._ahead([self._signed(counter, gain) for gain in of_teams])
            for counter, of_teams in zip(self._plan.counters, gains, strict=True)
        ]
        nobody = b.icmp_signed("<", winner, const(0))
        with self.numbers(const(0), self._read_note("bets"), "bet") as number:
            note = self._read_note("betting", number)
            place, team = b.udiv(note, const(teams)), b.urem(note, const(teams))
            row = b.add(b.mul(place, reasons), reason)
            own = b.icmp_signed("==", winner, team)
            whose = b.select(nobody, const(2), b.select(own, const(0), const(1)))
            self.count("bet_ended", b.add(b.mul(row, const(3)), whose))
            for counter, of_teams in enumerate(ahead):
                mine = of_teams[0]
                for other in range(1, teams):
                    mine = b.select(b.icmp_signed("==", team, const(other)), of_teams[other], mine)
                place_of_pay = b.add(b.mul(place, const(3)), whose)
                at = b.add(b.mul(place_of_pay, const(len(ahead))), const(counter))
                self.count("bet_points", at, mine)
        self._note("bets", const(0))

    def _signed(self, counter: str, value: Value) -> Value:
        """Return a number that is greater for a team that is ahead in this counter."""
        sign = self.unit.program.variables[counter].sign
        return value if sign == 1 else self.b.sub(const(0), value)

    def _ahead(self, gains: list[Value]) -> list[Value]:
        """Return each team's gain minus the largest gain of the other teams."""
        result = []
        for team, gain in enumerate(gains):
            others = [one for other, one in enumerate(gains) if other != team]
            most = others[0]
            for other in others[1:]:
                most = self._larger(most, other)
            result.append(self.b.sub(gain, most))
        return result

    def count_match(self) -> None:
        super().count_match()
        b, plan = self.b, self._plan
        winner, deals, decisions = map(self.load, ("#winner", "#deals", "#choices"))
        is_draw = b.icmp_signed("<", winner, const(0))
        winner = b.select(is_draw, const(plan.teams), winner)
        self.count("lengths", self._length_place(deals))
        self.count("questions", self._length_place(decisions))
        distance = self._teams_behind(winner, self._read_note("first"))
        self.count("first_dealer", b.select(is_draw, winner, distance))
        for number, counter in enumerate(plan.counters):
            for team in range(plan.teams):
                value = self._among(self.load(counter, const(team)), number, VALUES)
                row = const(VALUES * (plan.teams * number + team))
                self.count("finals", b.add(row, value))
            self._count_leads(number, winner)
            self._count_deepest(number, winner, is_draw)
            self._note("leader", const(0), const(number))
        if plan.teams == 2 and plan.counters:
            self._count_path(winner)
        for name in ("first", "deals"):
            self._note(name, const(0))

    def _count_leads(self, counter: int, winner: Value) -> None:
        """Add this match's leads to the total, and reset them."""
        b, offset = self.b, counter * (self._plan.teams + 1) * LEADS
        with self.numbers(const(0), const(LEADS), "lead") as place:
            row = b.add(const(LEADS * counter), place)
            own = b.add(const(offset), b.mul(winner, const(LEADS)))
            lead = self._read_note("led", b.add(own, place))
            level = self.is_zero(place)
            self.count("held", row, b.select(level, const(0), lead))
            for team in range(self._plan.teams):
                at = b.add(const(offset + LEADS * team), place)
                self.count("led", row, self._read_note("led", at))
                self._note("led", const(0), at)

    def _count_deepest(self, counter: int, winner: Value, is_draw: Value) -> None:
        b, first = self.b, self._plan.teams * counter
        own = b.add(const(first), b.select(is_draw, const(0), winner))
        deficit = self._read_note("deepest", own)
        place = b.add(const(LEADS * counter), self._clip(deficit, LEADS))
        self.count("behind", place, b.select(is_draw, const(0), const(1)))
        self.count("deficits", const(counter), b.select(is_draw, const(0), deficit))
        for team in range(self._plan.teams):
            self._note("deepest", const(0), const(first + team))

    def _count_path(self, winner: Value) -> None:
        """Count the scores of this match, and the winner for each."""
        b, width = self.b, const(len(self._plan.counters))
        is_draw = b.icmp_signed("==", winner, const(2))
        places = b.mul(self._read_note("deals"), width)
        with self.numbers(const(0), places, "score") as number:
            note = self._read_note("path", number)
            row = b.mul(b.urem(number, width), const(SCORES * SCORES))
            at = b.add(row, b.lshr(note, const(1)))
            own = b.icmp_signed("==", winner, b.and_(note, const(1)))
            self.count("stood", at)
            self.count(
                "stood_won", at, b.select(own, const(2), b.select(is_draw, const(1), const(0)))
            )

    # ------------------------------------------------------------- places of numbers

    def _larger(self, one: Value, other: Value) -> Value:
        return self.b.select(self.b.icmp_signed(">", one, other), one, other)

    def _among(self, value: Value, counter: int, places: int) -> Value:
        """Return the place of a counter's value in a histogram."""
        kind = self.unit.program.variables[self._plan.counters[counter]].type
        below = isinstance(kind, Number) and kind.low < 0
        return self._clip(self._larger(value, const(0)) if below else value, places)

    def _length_place(self, number: Value) -> Value:
        b = self.b
        highest = self.highest_bit(b.or_(number, const(1)))
        smaller = const(STEPS.bit_length() - 1)
        octave = b.sub(self._larger(highest, smaller), smaller)
        place = b.add(b.mul(octave, const(STEPS)), b.lshr(number, octave))
        return self._clip(place, LENGTHS)

    def _clip(self, value: Value, places: int) -> Value:
        last = const(places - 1)
        return self.b.select(self.b.icmp_signed(">", value, last), last, value)
