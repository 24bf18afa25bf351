"""Guided draws in machine code; `trutdsl.strategy.match_history` explains them."""

from __future__ import annotations

from llvmlite import ir

from trutdsl.native.emit.onlooker import OnlookerWriter
from trutdsl.native.llvm.random_numbers import emit_below
from trutdsl.native.llvm.unit import I64, Value, const
from trutdsl.table.sight import ASKED, DRAWN, LAY, LEAST_LIKELY, LEVEL_BITS, UNGUIDED

DOUBLE = ir.DoubleType()
MARK = 6  # numbers of a mark: its own five, and the cards that were noticed before it


class GuideWriter(OnlookerWriter):
    """Writes the draws of a course, and how much likelier they make it to be drawn than to be."""

    marks: Value
    stream: Value
    mark: Value  # where the number of the next mark stands

    def begin_draws(self) -> None:
        """Begin a course, in which nothing has been drawn yet."""
        b, places = self.b, len(self.places.zones)
        with b.goto_entry_block():
            self.to, self.off = (b.alloca(I64, places) for _ in range(2))
            self.guided, self.plain, self.before, self.found = (b.alloca(DOUBLE) for _ in range(4))
        self.due, self.rest, self.unnamed, self.picked = (self.local() for _ in range(4))
        for likelier in (self.guided, self.plain):
            b.store(_real(1.0), likelier)
        for place in range(places):
            for counts in (self.to, self.off):
                b.store(const(0), self._count_at(counts, const(place)))

    def origin(self) -> Value:
        firsts = [self.places.first[name] for name in self.unit.program.zones]
        return self.b.add(self.look_up(firsts, self.load("#luck_origin")), self.load("#luck_place"))

    def add_draw(self, target: Value) -> None:
        for counts, place in ((self.to, target), (self.off, self.origin())):
            at = self._count_at(counts, place)
            self.b.store(self.b.add(self.number(at), const(1)), at)

    def guided_draw(self, group: Value, target: Value) -> Value:
        """Return a card that is drawn as the marks say."""
        b, done = self.b, self.block("picked")
        row, left, end = self._each_due(group, target)
        with b.if_then(self.is_zero(emit_below(self, self.stream, left))):
            b.store(self.of(row, 2), self.picked)
            b.branch(done)
        self._close(end)
        rest = self.number(self.rest)
        b.store(self.pick_any(rest), self.picked)
        b.branch(done)
        self.at(done)
        return self.number(self.picked)

    def count_draw(self, group: Value, target: Value, card: Value) -> None:
        """Note how likely the guide makes this card of the group."""
        b = self.b
        b.store(_real(1.0), self.before)
        b.store(_real(0.0), self.found)
        row, left, end = self._each_due(group, target)
        whole, before = self._real_of(left), self._real_at(self.before)
        with b.if_then(b.icmp_signed("==", self.of(row, 2), card)):
            b.store(b.fdiv(before, whole), self.found)
        less = self._real_of(b.sub(left, const(1)))
        b.store(b.fdiv(b.fmul(before, less), whole), self.before)
        self._close(end)
        rest = self.number(self.rest)
        with b.if_then(self.has_bit(rest, card)):
            share = b.fdiv(self._real_at(self.before), self._real_of(self.count_bits(rest)))
            b.store(b.fadd(self._real_at(self.found), share), self.found)
        guided = b.fmul(self._real_at(self.guided), self._real_at(self.found))
        b.store(b.fmul(guided, self._real_of(self.count_bits(group))), self.guided)

    def count_both(self, over: Value, under: Value) -> None:
        """Note that the course is so much likelier drawn than it is, however draws are made."""
        ratio = self.b.fdiv(self._real_of(over), self._real_of(under))
        for likelier in (self.guided, self.plain):
            self.b.store(self.b.fmul(self._real_at(likelier), ratio), likelier)

    def weight(self) -> Value:
        """Return the bits of the course's weight."""
        b, whole = self.b, _real(float(UNGUIDED))
        guided = b.fdiv(b.fmul(self._real_at(self.guided), _real(UNGUIDED - 1.0)), whole)
        by_rules = b.fdiv(self._real_at(self.plain), whole)
        likely = b.fadd(b.fadd(guided, by_rules), _real(LEAST_LIKELY))
        return b.bitcast(b.fdiv(_real(1.0), likely), I64)

    def _each_due(self, group: Value, target: Value) -> tuple[Value, Value, tuple[Value, Value]]:
        """Begin a loop over the cards due at a place; return the mark, draws left, and the end.

        Behind the loop `rest` holds the mask of the cards of which one is drawn else.
        """
        b, size = self.b, self.count_bits(group)
        off = self.number(self._count_at(self.off, self.origin()))
        level = b.shl(self.origin(), const(LEVEL_BITS))
        level = b.add(level, b.add(size, off))
        b.store(const(0), self.due)
        b.store(group, self.rest)
        b.store(group, self.unnamed)
        number, turn, done = self.each_number(self.number(self.mark), const(1 << 62), "due")
        row = self.row(number)
        kind, card = self.of(row, 0), self.of(row, 2)
        last = b.and_(b.icmp_signed("==", kind, const(ASKED)), b.icmp_signed("<", card, const(0)))
        on, names = self.block("mark"), self.block("names")
        b.cbranch(last, done, on)
        self.at(on)
        is_card = b.or_(
            b.icmp_signed("==", kind, const(LAY)), b.icmp_signed("==", kind, const(DRAWN))
        )
        bit = b.select(is_card, self.bit(b.and_(card, const(63))), const(0))
        named = b.and_(self.number(self.unnamed), bit)
        b.store(self.without(self.number(self.unnamed), bit), self.unnamed)
        counts = b.and_(b.not_(self.is_zero(named)), b.icmp_signed("==", self.of(row, 4), level))
        b.cbranch(counts, names, turn)
        self.at(names)
        place = self.of(row, 1)
        left = b.sub(self.of(row, 3), self.number(self._count_at(self.to, place)))
        drawn = b.icmp_signed("==", kind, const(DRAWN))
        here = b.and_(b.not_(drawn), b.icmp_signed("==", place, target))
        earlier = b.select(here, self.number(self.due), const(0))
        left = b.sub(left, earlier)
        out = b.or_(drawn, b.icmp_signed(">", left, const(0)))
        gone = b.select(out, bit, const(0))
        b.store(self.without(self.number(self.rest), gone), self.rest)
        due = self.block("is_due")
        b.cbranch(b.and_(here, out), due, turn)
        self.at(due)
        b.store(b.add(self.number(self.due), const(1)), self.due)
        return row, left, (turn, self._behind(done, group))

    def _behind(self, done: Value, group: Value) -> Value:
        """Return the block behind the loop, where anything may come if nothing else can."""
        b, body = self.b, self.b.block
        self.at(done)
        rest = self.number(self.rest)
        b.store(b.select(self.is_zero(rest), group, rest), self.rest)
        behind = self.block("behind")
        b.branch(behind)
        self.at(body)
        return behind

    def _close(self, end: tuple[Value, Value]) -> None:
        turn, behind = end
        self.go(turn)
        self.at(behind)

    # -------------------------------------------------------- marks and numbers

    def row(self, number: Value) -> Value:
        return self.at_row(self.marks, MARK, number)

    def of(self, row: Value, part: int) -> Value:
        return self.number(self.address(row, 8 * part))

    def pick_any(self, mask: Value) -> Value:
        """Return one of the cards of a mask, all equally likely."""
        return self.pick(mask, emit_below(self, self.stream, self.count_bits(mask)))

    def _count_at(self, counts: Value, place: Value) -> Value:
        return self.address(counts, 0, place, 8)

    def _real_of(self, number: Value) -> Value:
        return self.b.sitofp(number, DOUBLE)

    def _real_at(self, at: Value) -> Value:
        return self.b.load(at, typ=DOUBLE)


def _real(number: float) -> Value:
    return ir.Constant(DOUBLE, number)
