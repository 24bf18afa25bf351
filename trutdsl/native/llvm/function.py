"""Writes instructions into a function: numbers, memory, and control flow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from llvmlite import ir

from trutdsl.native.abi import ENGINE, Form
from trutdsl.native.layout import READ, StructField
from trutdsl.native.llvm import (
    I1,
    I8,
    I32,
    I64,
    Builder,
    Unit,
    Value,
    as_formula,
    const,
    constant_of,
)


class FunctionWriter:
    """Writes instructions into one function, whose first argument is the match in memory."""

    def __init__(self, unit: Unit, function: Value) -> None:
        self.resume(unit, function, function.append_basic_block("entry"))

    def resume(self, unit: Unit, function: Value, block: Value) -> None:
        """Continue in a block of a function that others write, too."""
        self.unit, self.function = unit, function
        self.args = list(function.args)
        self.b = Builder(block)

    # -------------------------------------------------------- numbers

    def count_bits(self, mask: Value) -> Value:
        return self.b.call(self.unit.intrinsic("ctpop"), [mask])

    def lowest_bit(self, mask: Value) -> Value:
        """Return the index of the lowest set bit; there must be one."""
        trusted = ir.Constant(I1, int(not self.unit.mode.checked))
        return self.b.call(self.unit.intrinsic("cttz"), [mask, trusted])

    def lowest_or_any(self, mask: Value) -> Value:
        """Return the index of the lowest set bit; undefined for 0."""
        return self.b.and_(self.lowest_or_none(mask), const(63))

    def lowest_or_none(self, mask: Value) -> Value:
        """Return the index of the lowest set bit; 64 for 0."""
        return self.b.call(self.unit.intrinsic("cttz"), [mask, ir.Constant(I1, 0)])

    def highest_bit(self, mask: Value) -> Value:
        """Return the index of the highest set bit; there must be one."""
        zeros = self.b.call(self.unit.intrinsic("ctlz"), [mask, ir.Constant(I1, 1)])
        return self.b.sub(const(63), zeros)

    def bit(self, index: Value) -> Value:
        return self.b.shl(const(1), index)

    def without(self, mask: Value, other: Value) -> Value:
        return self.b.and_(mask, self.b.not_(other))

    def has_bit(self, mask: Value, index: Value) -> Value:
        """Return whether the bit of an index (0 to 63) is set."""
        return self.b.trunc(self.b.lshr(mask, index), I1)

    def is_zero(self, value: Value) -> Value:
        return self.b.icmp_signed("==", value, const(0))

    def is_outside(self, value: Value, low: int, high: int) -> Value:
        below = self.b.icmp_signed("<", value, const(low))
        return self.b.or_(below, self.b.icmp_signed(">", value, const(high)))

    def wide(self, flag: Value) -> Value:
        return self.b.zext(flag, I64)

    # -------------------------------------------------------- memory

    def address(self, base: Value, offset: int, index: Value | None = None, size: int = 1) -> Value:
        at = const(offset)
        if index is not None:
            at = self.b.add(at, self.b.mul(index, const(size)))
        return self.b.gep(base, [at], inbounds=True, source_etype=I8)

    def load(self, name: str, index: Value | None = None, noted: bool = True) -> Value:
        """Return a number of the match.

        noted: record it as read, in the form that records this; not if it only changes itself.
        """
        field = self.unit.layout.fields[name]
        if noted and self.unit.mode.form is Form.EXACT:
            self._note_read(field)
        kind = ir.IntType(field.bits)
        at = self._place(field, index)
        result = self.b.load(at, typ=kind)
        ends = self.unit.ends(field)
        if not self.unit.mode.checked:
            result.set_metadata("tbaa", self.unit.tag(field.name))
            if ends is not None:
                result.set_metadata("range", ends)
        if field.bits < 64:
            result = self.b.sext(result, I64) if field.signed else self.b.zext(result, I64)
        self._check_value(field, result)
        return result

    def store(self, name: str, value: Value, index: Value | None = None) -> None:
        field = self.unit.layout.fields[name]
        if index is not None and constant_of(index) is None and self._both_at_once(field):
            for place in (const(0), const(1)):
                is_place = self.b.icmp_signed("==", index, place)
                new_value = self.b.select(is_place, value, self.load(name, place))
                new_value.set_metadata("unpredictable", self.unit.module.add_metadata([]))
                self.store(name, new_value, place)
            return
        at = self._place(field, index)
        self._check_value(field, value)
        if field.bits < 64:
            value = self.b.trunc(value, ir.IntType(field.bits))
        instruction = self.b.store(value, at)
        if not self.unit.mode.checked:
            instruction.set_metadata("tbaa", self.unit.tag(field.name))

    def _both_at_once(self, field: StructField) -> bool:
        """Tell whether to write both numbers of a pair, also the unchanged one.

        Otherwise a load that follows must wait until the processor knows the store's address.
        """
        return self.unit.mode.fast and field.count == 2 and field.bits < 64

    def _note_read(self, field: StructField) -> None:
        """Record in the match that this part of it was read."""
        layout = self.unit.layout
        word, bit = divmod(layout.bits[field.name], 64)
        at = self._part(layout.fields[READ].offset + 8 * word)
        self.b.store(self.b.or_(self.b.load(at, typ=I64), const(1 << bit)), at)

    def _place(self, field: StructField, index: Value | None) -> Value:
        if index is not None and self.unit.mode.checked:
            index = self.check_index(index, field.count, field.name)
        number = 0 if index is None else constant_of(index)
        if number is not None:
            return self._part(field.offset + number * field.size)
        kind = ir.IntType(field.bits)
        return self.b.gep(self._part(field.offset), [index], inbounds=True, source_etype=kind)

    def _part(self, offset: int) -> Value:
        """Return the address of a part of the match, computed once a function."""
        parts = self.unit.addresses.setdefault(self.function.name, {})
        if offset not in parts:
            with self.b.goto_entry_block():
                parts[offset] = self.address(self.args[0], offset)
        return parts[offset]

    # -------------------------------------------------------- checks, in checked mode

    def check(self, wrong: Value, message: str) -> None:
        """Record an internal error of the engine; subclasses that can leave here do so."""
        span = self.unit.program.rules["match"].span
        number = const(self.unit.mistake(ENGINE, message, span, None))
        at = self.address(self.args[0], self.unit.layout.fields["#error"].offset)
        kind = ir.IntType(32)
        old_or_new = self.b.select(wrong, self.b.trunc(number, kind), self.b.load(at, typ=kind))
        self.b.store(old_or_new, at)

    def check_index(self, index: Value, count: int, name: str) -> Value:
        """Return an index below a number, and record an error if it was not."""
        if not self.unit.mode.checked:
            return index
        wrong = self.b.icmp_unsigned(">=", index, const(count))
        self.check(wrong, f"'{name}' has {count} places, and another was asked for")
        return self.b.select(wrong, const(0), index)

    def _check_value(self, field: StructField, value: Value) -> None:
        if not self.unit.mode.checked or field.name.startswith("#"):
            return
        order = self.b.icmp_signed if field.signed else self.b.icmp_unsigned
        wrong = order(">", value, const(field.high))
        if field.low or field.signed:
            wrong = self.b.or_(wrong, order("<", value, const(field.low)))
        self.check(wrong, f"'{field.name}' holds what is not from {field.low} to {field.high}")

    def local(self, _kind: str = "") -> Value:
        """Return the address of a new 64-bit number, allocated for the function's lifetime."""
        with self.b.goto_entry_block():
            return self.b.alloca(I64)

    def cell(self, value: Value) -> Value:
        at = self.local()
        self.b.store(value, at)
        return at

    def number(self, at: Value) -> Value:
        return self.b.load(at, typ=I64)

    def hold(self, value: Value) -> Callable[[], Value]:
        """Return a function that returns a value again later, across suspensions."""
        return lambda: value

    def look_up(self, numbers: Sequence[int], index: Value) -> Value:
        """Return an element of a constant table; one of questions is empty if none is asked."""
        if len(set(numbers)) <= 1:
            return const(*numbers[:1] or (0,))
        index = self.check_index(index, len(numbers), "a table")
        formula = as_formula(numbers)
        if formula is not None and self.unit.mode.fast:
            index = self.b.lshr(index, const(formula.shift))
            if formula.mask < (len(numbers) - 1) >> formula.shift:
                index = self.b.and_(index, const(formula.mask))
            return self.b.add(self.b.mul(index, const(formula.step)), const(formula.start))
        at = self.b.gep(self.unit.table(numbers), [index], inbounds=True, source_etype=I32)
        return self.b.sext(self.b.load(at, typ=I32), I64)

    def look_up_mask(self, masks: Sequence[int], index: Value) -> Value:
        """Return a mask of a constant table; shifts of one mask are computed."""
        if len(set(masks)) <= 1:
            return const(*masks[:1] or (0,))
        index = self.check_index(index, len(masks), "a table of masks")
        step = masks[1].bit_length() - masks[0].bit_length()
        if step > 0 and all(mask == masks[0] << at * step for at, mask in enumerate(masks)):
            return self.b.shl(const(masks[0]), self.b.mul(index, const(step)))
        at = self.b.gep(self.unit.table(masks, 64), [index], inbounds=True, source_etype=I64)
        return self.b.load(at, typ=I64)

    def small(
        self,
        name: str,
        params: Sequence[Value],
        result: Value,
        build: Callable[[FunctionWriter], None],
    ) -> Value:
        """Return the small function of this name, building it on first use."""
        functions = self.unit.small_functions
        if name not in functions:
            functions[name] = self.unit.private(name, ir.FunctionType(result, list(params)))
            build(FunctionWriter(self.unit, functions[name]))
        return functions[name]

    # -------------------------------------------------------- flow

    def block(self, name: str) -> Value:
        return self.function.append_basic_block(name)

    def go(self, block: Value) -> None:
        """Jump, unless this block has ended already."""
        if not self.b.block.is_terminated:
            self.b.branch(block)

    def at(self, block: Value) -> None:
        self.b.position_at_end(block)

    def each_bit(self, mask: Value, highest_first: bool = False) -> tuple[Value, Value, Value]:
        """Begin a loop over the set bits, lowest first; return (index, next turn, exit)."""
        left = self.cell(mask)
        head, body, done = (self.block(name) for name in ("each", "each.turn", "each.end"))
        self.go(head)
        self.at(head)
        bits = self.b.load(left, typ=I64)
        self.b.cbranch(self.is_zero(bits), done, body)
        self.at(body)
        index = self.highest_bit(bits) if highest_first else self.lowest_bit(bits)
        others = self.b.not_(self.bit(index)) if highest_first else self.b.sub(bits, const(1))
        self.b.store(self.b.and_(bits, others), left)
        return index, head, done

    def each_number(
        self, low: Value, stop: Value, name: str = "count", step: int = 1
    ) -> tuple[Value, Value, Value]:
        """Begin a loop from low to the number before `stop`; as `each_bit`."""
        counter, end = self.local(), self.hold(stop)
        self.b.store(low, counter)
        head, body, done = self.block(name), self.block(f"{name}.turn"), self.block(f"{name}.end")
        self.go(head)
        self.at(head)
        number = self.b.load(counter, typ=I64)
        compare = "<" if step > 0 else ">"
        self.b.cbranch(self.b.icmp_signed(compare, number, end()), body, done)
        self.at(body)
        self.b.store(self.b.add(number, const(step)), counter)
        return number, head, done

    @contextmanager
    def bits(self, mask: Value, highest_first: bool = False) -> Iterator[Value]:
        index, turn, done = self.each_bit(mask, highest_first)
        yield index
        self.go(turn)
        self.at(done)

    @contextmanager
    def numbers(
        self, low: Value, stop: Value, name: str = "count", step: int = 1
    ) -> Iterator[Value]:
        """Write a loop from low to the number before `stop`."""
        number, turn, done = self.each_number(low, stop, name, step)
        yield number
        self.go(turn)
        self.at(done)

    # -------------------------------------------------------- chance

    def chance_stream(self) -> Value:
        """Return the address of the match's own stream."""
        return self.address(self.args[0], self.unit.layout.fields["#chance"].offset)

    def pick(self, mask: Value, rank: Value) -> Value:
        """Return the index of the set bit with `rank` set bits below it."""
        return self.lowest_bit(self.pick_bit(mask, rank))

    def pick_bit(self, mask: Value, rank: Value) -> Value:
        """Return the set bit with `rank` set bits below it, as a mask."""
        function = self.small("pick", [I64, I64], I64, _build_pick)
        return self.b.call(function, [mask, rank])


def _build_pick(code: FunctionWriter) -> None:
    """Use a deposit instruction if there is one, else clear the lowest bits."""
    code.function.attributes.add("alwaysinline")
    b, (mask, rank) = code.b, code.args
    if code.unit.mode.deposits:
        kind = ir.FunctionType(I64, [I64, I64])
        deposit = code.unit.module.declare_intrinsic("llvm.x86.bmi.pdep.64", [], kind)
        b.ret(b.call(deposit, [code.bit(rank), mask]))
        return
    left = code.cell(mask)
    with code.numbers(const(0), rank):
        bits = b.load(left, typ=I64)
        b.store(b.and_(bits, b.sub(bits, const(1))), left)
    bits = b.load(left, typ=I64)
    b.ret(b.and_(bits, b.sub(const(0), bits)))
