"""A seat's knowledge of a world, and guided draws; see `trutdsl.strategy.match_history`."""

from __future__ import annotations

from llvmlite import ir

from trutdsl.native.abi import Job
from trutdsl.native.emit.chance import emit_below
from trutdsl.native.layout import MOST_CARDS
from trutdsl.native.llvm import I1, I8, I64, PTR, VOID, Unit, Value, const
from trutdsl.native.llvm.function import FunctionWriter
from trutdsl.table.sight import (
    ASKED,
    DRAWN,
    LAY,
    LEAST_LIKELY,
    LEVEL_BITS,
    SAID,
    UNGUIDED,
    Places,
    sees,
)

# Copies of matches: plain blocks of memory.


class CopyWriter(FunctionWriter):
    """Writes a function that handles matches as blocks of memory."""

    def __init__(self, unit: Unit, function: Value, size: int) -> None:
        super().__init__(unit, function)
        self.size = size

    def copy(self, to: Value, of: Value) -> None:
        kind = ir.FunctionType(VOID, [PTR, PTR, I64, I1])
        memcpy = self.unit.module.declare_intrinsic("llvm.memcpy", [PTR, PTR, I64], kind)
        self.b.call(memcpy, [to, of, const(self.size), ir.Constant(I1, 0)])

    def advance(self, match: Value, table: Value) -> Value:
        return self.b.call(self.unit.module.get_global("advance"), [match, table])

    def at_row(self, rows: Value, width: int, row: Value, number: int = 0) -> Value:
        return self.address(rows, 8 * number, row, 8 * width)

    def job(self, what: Job) -> Value:
        return self.number(self.address(self.job_at, 8 * what))

    job_at: Value


NEW_LABELS = 3  # the place in a course of the new labels of the cards, see `emit.course`


DOUBLE = ir.DoubleType()
MARK = 6  # numbers of a mark: its own five, and the cards noticed before it


class MarkWriter(CopyWriter):
    """Writes the draws of a course, and its comparisons with the marks of the searching seat.

    mark:     the place of the number of the next mark.
    misfit:   the target if the course does not fit.
    exchange: the target if the label of `card` must be exchanged with one of `free`.
    used:     the cards that the course has drawn.
    """

    world: Value
    checks: Value
    course: Value
    marks: Value
    stream: Value
    mark: Value
    misfit: Value
    exchange: Value
    card: Value
    free: Value
    used: Value

    def __init__(self, unit: Unit, function: Value, size: int) -> None:
        super().__init__(unit, function, size)
        self.places = Places(unit.program, unit.setting)

    # -------------------------------------------------------- what the seat sees of a world

    def cards_at(self, place: Value) -> Value:
        offsets = [self._mask_of(name, at) for name, at in self.places.zones]
        return self.b.load(self._byte(self.world, self.look_up(offsets, place)), typ=I64)

    def _mask_of(self, zone: str, at: int) -> int:
        pile = self.unit.program.zones[zone].ordered
        return self.unit.layout.fields[f"{zone}.all" if pile else zone].offset + 8 * at

    def sees_place(self, place: Value) -> Value:
        """Return 1 if the seat sees the cards of a place, else 0."""
        b, seat = self.b, self.job(Job.SEAT)
        always = b.lshr(self.look_up(self._seers(), place), seat)
        offsets = [self._reveal_offset(name, at) for name, at in self.places.zones]
        if max(offsets, default=-1) >= 0:
            offset = self.look_up(offsets, place)
            none = b.icmp_signed("<", offset, const(0))
            bits = 8 if self.unit.setting.players <= 8 else 16
            at = self._byte(self.world, b.select(none, const(0), offset))
            bit_mask = b.zext(b.load(at, typ=ir.IntType(bits)), I64)
            always = b.or_(always, b.select(none, const(0), b.lshr(bit_mask, seat)))
        return b.and_(always, const(1))

    def _reveal_offset(self, zone: str, at: int) -> int:
        field = self.unit.layout.fields.get(f"{zone}.shown")
        return -1 if field is None else field.offset + field.size * at

    def _seers(self) -> list[int]:
        setting, zones = self.unit.setting, self.unit.program.zones
        return [
            sum(1 << s for s in range(setting.players) if sees(zones[name], at, s, setting))
            for name, at in self.places.zones
        ]

    def same_sight(self, index: Value) -> Value:
        """Return whether the seat sees exactly the same as at its own question of this index.

        The check data are the match at that time and a mask of its visible bits.
        """
        b, size = self.b, self.unit.layout.size
        before = self.address(self.checks, 0, index, 2 * size)
        wrong = self.cell(const(0))

        def note(differs: Value) -> None:
            b.store(b.or_(self.number(wrong), differs), wrong)

        with self.numbers(const(0), const(size // 8), "word") as word:
            one, other = (self.number(self.address(at, 0, word, 8)) for at in (self.world, before))
            seen = self.number(self.address(before, size, word, 8))
            note(b.and_(b.xor(one, other), seen))
        for name, at in self.places.zones:
            offset = const(self._mask_of(name, at))
            one, other = (self.number(self._byte(m, offset)) for m in (self.world, before))
            note(b.xor(self.count_bits(one), self.count_bits(other)))
        return self.is_zero(self.number(wrong))

    def _byte(self, base: Value, offset: Value) -> Value:
        return self.b.gep(base, [offset], source_etype=I8)

    def relabel(self) -> None:
        for zone in self.unit.program.zones.values():
            for place in range(self.unit.setting.count(zone.index)):
                at = const(place)
                for name in (
                    [f"{zone.name}.all", f"{zone.name}.top"] if zone.ordered else [zone.name]
                ):
                    self.store(name, self._relabel(self.load(name, at)), at)
                if zone.ordered:
                    depth = self.load(f"{zone.name}.depth", at)
                    with self.numbers(const(0), depth, "below") as position:
                        where = self.b.add(const(MOST_CARDS * place), position)
                        card = self.load(f"{zone.name}.below", where)
                        self.store(f"{zone.name}.below", self._label(card), where)

    def _relabel(self, mask: Value) -> Value:
        result = self.cell(const(0))
        with self.bits(mask) as card:
            self.b.store(self.b.or_(self.number(result), self.bit(self._label(card))), result)
        return self.number(result)

    def _label(self, card: Value) -> Value:
        return self.number(self.address(self.course, 8 * NEW_LABELS, card, 8))

    # ------------------------- draws, and the ratio of their drawing probability to the true one

    def begin_draws(self) -> None:
        b, places = self.b, len(self.places.zones)
        with b.goto_entry_block():
            self.to, self.off = (b.alloca(I64, places) for _ in range(2))
            self.guided, self.plain, self.before, self.factor = (b.alloca(DOUBLE) for _ in range(4))
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

    def draw_guided(self, group: Value, target: Value) -> Value:
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
        """Record the probability of this card of the group under the guide."""
        b = self.b
        b.store(_real(1.0), self.before)
        b.store(_real(0.0), self.factor)
        row, left, end = self._each_due(group, target)
        whole, before = self._real_of(left), self._real_at(self.before)
        with b.if_then(b.icmp_signed("==", self.of(row, 2), card)):
            b.store(b.fdiv(before, whole), self.factor)
        less = self._real_of(b.sub(left, const(1)))
        b.store(b.fdiv(b.fmul(before, less), whole), self.before)
        self._close(end)
        rest = self.number(self.rest)
        with b.if_then(self.has_bit(rest, card)):
            share = b.fdiv(self._real_at(self.before), self._real_of(self.count_bits(rest)))
            b.store(b.fadd(self._real_at(self.factor), share), self.factor)
        guided = b.fmul(self._real_at(self.guided), self._real_at(self.factor))
        b.store(b.fmul(guided, self._real_of(self.count_bits(group))), self.guided)

    def count_both(self, over: Value, under: Value) -> None:
        """Multiply the ratio of the course, for either way to draw."""
        ratio = self.b.fdiv(self._real_of(over), self._real_of(under))
        for likelier in (self.guided, self.plain):
            self.b.store(self.b.fmul(self._real_at(likelier), ratio), likelier)

    def weight(self) -> Value:
        b, whole = self.b, _real(float(UNGUIDED))
        guided = b.fdiv(b.fmul(self._real_at(self.guided), _real(UNGUIDED - 1.0)), whole)
        by_rules = b.fdiv(self._real_at(self.plain), whole)
        likely = b.fadd(b.fadd(guided, by_rules), _real(LEAST_LIKELY))
        return b.bitcast(b.fdiv(_real(1.0), likely), I64)

    def _each_due(self, group: Value, target: Value) -> tuple[Value, Value, tuple[Value, Value]]:
        """Begin a loop over the cards due at a place; return the mark, draws left, and the end.

        After the loop `rest` is the mask of the other candidates.
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
        is_due = b.and_(b.not_(drawn), b.icmp_signed("==", place, target))
        earlier = b.select(is_due, self.number(self.due), const(0))
        left = b.sub(left, earlier)
        out = b.or_(drawn, b.icmp_signed(">", left, const(0)))
        gone = b.select(out, bit, const(0))
        b.store(self.without(self.number(self.rest), gone), self.rest)
        due = self.block("is_due")
        b.cbranch(b.and_(is_due, out), due, turn)
        self.at(due)
        b.store(b.add(self.number(self.due), const(1)), self.due)
        return row, left, (turn, self._behind(done, group))

    def _behind(self, done: Value, group: Value) -> Value:
        """Return the block after the loop, where any card may come if no other can."""
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
        return self.pick(mask, emit_below(self, self.stream, self.count_bits(mask)))

    def _count_at(self, counts: Value, place: Value) -> Value:
        return self.address(counts, 0, place, 8)

    def _real_of(self, number: Value) -> Value:
        return self.b.sitofp(number, DOUBLE)

    def _real_at(self, at: Value) -> Value:
        return self.b.load(at, typ=DOUBLE)

    # -------------------------------------------------------- comparisons with marks

    def _is(self, row: Value, part: int, value: Value) -> Value:
        return self.b.icmp_signed("==", self.of(row, part), value)

    def _is_said(self, row: Value, seat: Value, decision: Value, number: Value) -> Value:
        same = self.b.and_(self._is(row, 0, const(SAID)), self._is(row, 1, seat))
        same = self.b.and_(same, self._is(row, 2, decision))
        return self.b.and_(same, self._is(row, 3, number))

    def _all_lie(self, end: Value) -> None:
        with self.numbers(self.number(self.mark), end, "lies") as number:
            row = self.row(number)
            self._lies(row, self.cards_at(self.of(row, 1)))

    def _lies(self, row: Value, among: Value) -> None:
        """Continue if the card of a mark is one of these, or exchange its label with one."""
        b, card, alike = self.b, self.of(row, 2), self.local()
        b.store(const(0), alike)
        with b.if_then(b.not_(self.is_zero(self.job(Job.PERMUTES)))):
            of_class = self.number(self.address(self.job_at, 8 * Job.CLASSES, card, 8))
            fixed_cards = b.or_(self.of(row, MARK - 1), self.number(self.used))
            hidden_cards = self.without(b.and_(of_class, self.job(Job.HIDDEN)), fixed_cards)
            b.store(b.select(self.has_bit(hidden_cards, card), hidden_cards, const(0)), alike)
        free = b.and_(self.number(alike), among)
        block, off, on = self.block("here"), self.block("elsewhere"), self.block("lies")
        b.cbranch(self.has_bit(among, card), block, off)
        self.at(off)
        self._or_misfit(b.not_(self.is_zero(free)))
        b.store(card, self.card)
        b.store(free, self.free)
        b.branch(self.exchange)
        self.at(block)
        with b.if_then(b.not_(self.is_zero(free))):
            self.count_both(self.count_bits(self.number(alike)), self.count_bits(free))
        b.branch(on)
        self.at(on)

    def _or_misfit(self, fits: Value) -> None:
        on = self.block("fits")
        self.b.cbranch(fits, on, self.misfit)
        self.at(on)


def _real(number: float) -> Value:
    return ir.Constant(DOUBLE, number)
