"""Searches: `search` draws worlds of a deal and plays each out once for each legal action."""

from __future__ import annotations

from llvmlite import ir

from trutdsl.native.abi import A_TRY, BEFORE_DEAL, PLAIN, STREAM, Job, record_fields
from trutdsl.native.emit.chance import emit_below, emit_mix, emit_start
from trutdsl.native.emit.course import AGAIN, FITS, GUIDE, WEIGHT, CourseWriter
from trutdsl.native.emit.guide import NEW_LABELS, CopyWriter
from trutdsl.native.emit.phases import prepare_deal
from trutdsl.native.layout import MOST_CARDS
from trutdsl.native.llvm import I64, PTR, Unit, Value, const
from trutdsl.table.sight import MOST_EXCHANGES, UNGUIDED


def build_search(unit: Unit, size: int) -> None:
    """Write `search(world, table, copy, plays, start, marks, checks, job, course, rows)`.

    It returns the number of worlds, or -1 if the callback stops it. Each legal action in each world
    has a row of `rows`: the bits of the world's weight, whether the match was over, its winner, the
    next dealer, and all counters.
    size: bytes of a match.
    """
    course = CourseWriter(unit, size).build()
    SearchWriter(unit, size, course).build()


class SearchWriter(CopyWriter):
    """Writes `search`: draws world after world, and plays each out once for each legal action."""

    def __init__(self, unit: Unit, size: int, course: Value) -> None:
        function = unit.export("search", ir.FunctionType(I64, [PTR] * 10))
        super().__init__(unit, function, size)
        self.play_course = course
        self.world, self.table, self.twin, self.plays, *rest = self.args
        self.start, self.marks, self.checks, self.job_at, self.course, self.rows = rest

    def build(self) -> None:
        """Write the function."""
        b = self.b
        self.stream, self.row, left, tries, mends = (self.local() for _ in range(5))
        b.store(const(0), mends)
        b.store(const(0), self.row)
        b.store(self.job(Job.TRIES), tries)
        world, turn, done = self.each_number(const(0), self.job(Job.WORLDS), "world")
        b.store(emit_mix(self, self.job(Job.SEED), [world]), self.stream)
        fresh, again, enough, fits = map(self.block, ("fresh", "again", "enough", "fits"))
        b.branch(fresh)
        self.at(fresh)
        self._may_stop()
        with b.if_then(self.is_zero(self.number(tries))):
            with b.if_then(b.not_(self.is_zero(self.number(mends)))):
                b.branch(enough)
            b.store(const(1), mends)
            b.store(self.job(Job.TRIES), tries)
        b.store(b.sub(self.number(tries), const(1)), tries)
        b.store(const(0), self.course)
        with b.if_then(b.not_(self.is_zero(self.job(Job.PERMUTES)))):
            self._permute()
        by_rules = self.is_zero(emit_below(self, self.stream, const(UNGUIDED)))
        b.store(self.wide(b.not_(by_rules)), self.address(self.course, 8 * GUIDE))
        b.store(const(MOST_EXCHANGES), left)
        b.branch(again)
        self.at(again)
        args = [self.world, self.table, self.start, self.marks, self.checks, self.job_at]
        came = b.call(self.play_course, [*args, self.course, self.stream, mends])
        ways = b.switch(came, fresh)
        exchanged = self.block("exchanged")
        ways.add_case(const(FITS), fits)
        ways.add_case(const(AGAIN), exchanged)
        self.at(exchanged)
        b.store(b.sub(self.number(left), const(1)), left)
        b.cbranch(self.is_zero(self.number(left)), fresh, again)
        self.at(fits)
        self._play_out()
        self.go(turn)
        self.at(enough)
        b.ret(world)
        self.at(done)
        b.ret(self.job(Job.WORLDS))

    def _may_stop(self) -> None:
        """Write a safepoint, see `emit.body`; a try with its play-outs has many steps."""
        b, at = self.b, self.address(self.job_at, 8 * Job.STEPS_LEFT)
        left = b.sub(self.number(at), const(A_TRY))
        b.store(left, at)
        with b.if_then(b.icmp_signed("<", left, const(0)), likely=False):
            kind = ir.FunctionType(I64, []).as_pointer()
            look = b.load(self.address(self.job_at, 8 * Job.LOOK), typ=kind)
            steps = b.call(look, [])
            b.store(steps, at)
            with b.if_then(self.is_zero(steps)):
                b.ret(const(-1))

    def _permute(self) -> None:
        """Permute the labels of the hidden cards within their classes, uniformly."""
        b, hidden_cards = self.b, self.local()
        b.store(self.job(Job.HIDDEN), hidden_cards)
        with self.numbers(const(0), const(MOST_CARDS), "label") as label:
            b.store(label, self.address(self.course, 8 * NEW_LABELS, label, 8))
        with self.bits(self.job(Job.HIDDEN)) as card:
            alike = self.number(self.address(self.job_at, 8 * Job.CLASSES, card, 8))
            free = b.and_(self.number(hidden_cards), alike)
            next_card = self.pick(free, emit_below(self, self.stream, self.count_bits(free)))
            b.store(next_card, self.address(self.course, 8 * NEW_LABELS, card, 8))
            b.store(self.without(self.number(hidden_cards), self.bit(next_card)), hidden_cards)

    def _play_out(self) -> None:
        """Play a copy of the world to its deal's end for each legal action, with equal luck."""
        b, state = self.b, self.number(self.stream)
        self.store("#chance", emit_mix(self, state, [const(1)]))
        self.store("#key", emit_mix(self, state, [const(2)]))
        prepare_deal(self, self.load("#deals"))
        seats = range(self.unit.setting.players)
        luck = [emit_mix(self, state, [const(3 + seat)]) for seat in seats]
        with (
            self.numbers(const(0), self.job(Job.WORDS), "word") as word,
            self.bits(self.load("#legal", word)) as action,
        ):
            number = b.add(b.mul(word, const(64)), action)
            self.copy(self.twin, self.world)
            answer = self.unit.layout.fields["#answer"].offset
            b.store(number, self.address(self.twin, answer))
            for seat in seats:
                entry = self.unit.entry_size * seat
                emit_start(self, luck[seat], self.address(self.plays, entry + 8 * STREAM))
                for at in range(entry + 8 * PLAIN, entry + self.unit.entry_size, 8):
                    b.store(const(0), self.address(self.plays, at))
            deals, on, over = self.local(), self.block("on"), self.block("over")
            b.store(self.job(Job.OPENING), deals)
            b.branch(on)
            self.at(on)
            why = self.advance(self.twin, self.plays)
            more = b.icmp_signed("==", why, const(BEFORE_DEAL))
            more = b.and_(more, b.icmp_signed(">", self.number(deals), const(0)))
            b.store(b.sub(self.number(deals), const(1)), deals)
            b.cbranch(more, on, over)
            self.at(over)
            self._note(why)

    def _note(self, why: Value) -> None:
        b, counters = self.b, record_fields(self.unit.counters, self.unit.setting)[3:]
        over = self.wide(b.icmp_signed("!=", why, const(BEFORE_DEAL)))
        values = [self.number(self.address(self.course, 8 * WEIGHT)), over]
        for name, at in (("#winner", 0), ("dealer", 0), *counters):
            field = self.unit.layout.fields[name]
            kind = ir.IntType(field.bits)
            number = b.load(self.address(self.twin, field.offset + field.size * at), typ=kind)
            values.append(b.sext(number, I64) if field.bits < 64 else number)
        row = self.number(self.row)
        for part, value in enumerate(values):
            b.store(value, self.at_row(self.rows, len(values), row, part))
        b.store(b.add(row, const(1)), self.row)
