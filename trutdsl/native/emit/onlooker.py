"""What a seat knows of a world: what lies where it looks, and whether all is as it saw it."""

from __future__ import annotations

from llvmlite import ir

from trutdsl.native.abi import Job
from trutdsl.native.layout import MOST_CARDS
from trutdsl.native.llvm.function import FunctionWriter
from trutdsl.native.llvm.unit import I1, I8, I64, PTR, VOID, Unit, Value, const
from trutdsl.table.sight import Places, sees

# Copies of matches: handled as blocks of memory, whatever lies in them.


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
        """Play a match up to its next stop."""
        return self.b.call(self.unit.module.get_global("advance"), [match, table])

    def at_row(self, rows: Value, width: int, row: Value, number: int = 0) -> Value:
        """Return the address of a number of a row."""
        return self.address(rows, 8 * number, row, 8 * width)

    def job(self, what: Job) -> Value:
        return self.number(self.address(self.job_at, 8 * what))

    job_at: Value

    def number(self, at: Value) -> Value:
        """Return the 64-bit number at an address, such as a local."""
        return self.b.load(at, typ=I64)


PERMUTED = 3  # where in a course the new labels of the cards stand, see `emit.course`


class OnlookerWriter(CopyWriter):
    """Writes what is asked of a world for the seat that wonders."""

    def __init__(self, unit: Unit, function: Value, size: int) -> None:
        super().__init__(unit, function, size)
        self.places = Places(unit.program, unit.setting)

    world: Value
    checks: Value
    course: Value

    def cards_at(self, place: Value) -> Value:
        """Return the mask of the cards at a place of any zone."""
        offsets = [self._mask_of(name, at) for name, at in self.places.zones]
        return self.b.load(self._byte(self.world, self.look_up(offsets, place)), typ=I64)

    def _mask_of(self, zone: str, at: int) -> int:
        pile = self.unit.program.zones[zone].ordered
        return self.unit.layout.fields[f"{zone}.all" if pile else zone].offset + 8 * at

    def sees_place(self, place: Value) -> Value:
        """Return 1 if the seat sees what lies at a place, else 0."""
        b, seat = self.b, self.job(Job.SEAT)
        always = b.lshr(self.look_up(self._seers(), place), seat)
        shown = [self._shown_at(name, at) for name, at in self.places.zones]
        if max(shown) >= 0:
            offset = self.look_up(shown, place)
            none = b.icmp_signed("<", offset, const(0))
            bits = 8 if self.unit.setting.players <= 8 else 16
            at = self._byte(self.world, b.select(none, const(0), offset))
            now = b.zext(b.load(at, typ=ir.IntType(bits)), I64)
            always = b.or_(always, b.select(none, const(0), b.lshr(now, seat)))
        return b.and_(always, const(1))

    def _shown_at(self, zone: str, at: int) -> int:
        field = self.unit.layout.fields.get(f"{zone}.shown")
        return -1 if field is None else field.offset + field.size * at

    def _seers(self) -> list[int]:
        """Return of each place the mask of seats that always see it."""
        setting, zones = self.unit.setting, self.unit.program.zones
        return [
            sum(1 << s for s in range(setting.players) if sees(zones[name], at, s, setting))
            for name, at in self.places.zones
        ]

    def same_sight(self, index: Value) -> Value:
        """Return whether all that the seat sees is as at its own question of this index.

        There lie the match as it was, and a mask of its bits that the seat sees.
        """
        b, size = self.b, self.unit.layout.size
        before = self.address(self.checks, 0, index, 2 * size)
        wrong = self.local()
        b.store(const(0), wrong)

        def note(differs: Value) -> None:
            b.store(b.or_(self.number(wrong), differs), wrong)

        word, turn, done = self.each_number(const(0), const(size // 8), "word")
        now, then = (self.number(self.address(at, 0, word, 8)) for at in (self.world, before))
        seen = self.number(self.address(before, size, word, 8))
        note(b.and_(b.xor(now, then), seen))
        self.go(turn)
        self.at(done)
        for name, at in self.places.zones:
            offset = const(self._mask_of(name, at))
            now, then = (self.number(self._byte(m, offset)) for m in (self.world, before))
            note(b.xor(self.count_bits(now), self.count_bits(then)))
        return self.is_zero(self.number(wrong))

    def _byte(self, base: Value, offset: Value) -> Value:
        return self.b.gep(base, [offset], source_etype=I8)

    def relabel(self) -> None:
        """Put in the place of each card the one that the course says."""
        for zone in self.unit.program.zones.values():
            for place in range(self.unit.setting.count(zone.index)):
                at = const(place)
                for name in (
                    [f"{zone.name}.all", f"{zone.name}.top"] if zone.ordered else [zone.name]
                ):
                    self.store(name, self._relabelled(self.load(name, at)), at)
                if zone.ordered:
                    depth = self.load(f"{zone.name}.depth", at)
                    position, turn, done = self.each_number(const(0), depth, "below")
                    where = self.b.add(const(MOST_CARDS * place), position)
                    card = self.load(f"{zone.name}.below", where)
                    self.store(f"{zone.name}.below", self._label(card), where)
                    self.go(turn)
                    self.at(done)

    def _relabelled(self, mask: Value) -> Value:
        found = self.local()
        self.b.store(const(0), found)
        card, turn, done = self.each_bit(mask)
        self.b.store(self.b.or_(self.number(found), self.bit(self._label(card))), found)
        self.go(turn)
        self.at(done)
        return self.number(found)

    def _label(self, card: Value) -> Value:
        return self.number(self.address(self.course, 8 * PERMUTED, card, 8))
