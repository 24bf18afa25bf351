"""The base of code generation: an LLVM module with tables and errors, and an instruction builder.

The builder folds constants. A fixed table makes most conditions constant, and LLVM would need
longer to find them.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, partialmethod
from typing import Any

from llvmlite import ir

from trutdsl.diagnostics import Span
from trutdsl.ir import Program, nodes
from trutdsl.ir.effects import CountedNode, Effects, Work
from trutdsl.ir.nodes import rebuild_program, walk, walk_calls
from trutdsl.ir.types import VARIABLES
from trutdsl.native.abi import TAPE, Form, Mistake, Mode, entry_size, tape_index
from trutdsl.native.layout import Layout, StructField
from trutdsl.table.actions import COMPARE, AskPlan, fold
from trutdsl.table.counts import declare_counts
from trutdsl.table.setting import Setting

# Lookup tables: computed from the index if a formula fits, else read from memory.


@dataclass(frozen=True)
class Formula:
    """The numbers start + step * ((index >> shift) & mask)."""

    start: int
    step: int
    shift: int
    mask: int

    def at(self, index: int) -> int:
        return self.start + self.step * ((index >> self.shift) & self.mask)


def as_formula(numbers: Sequence[int]) -> Formula | None:
    """Return a formula for all numbers of a table, or None if there is none.

    The ranks and suits of a pack of 8 cards a suit are such tables; a computation is faster than a
    memory access.
    """
    bits = (len(numbers) - 1).bit_length()
    for shift in range(bits):
        step = numbers[1 << shift] - numbers[0]
        for wide in range(1, bits - shift + 1):
            formula = Formula(numbers[0], step, shift, (1 << wide) - 1)
            if all(number == formula.at(index) for index, number in enumerate(numbers)):
                return formula
    return None


Value = Any  # a value of llvmlite, which has no types of its own

NEUTRAL = {"add": 0, "sub": 0, "mul": 1, "and_": -1, "or_": 0, "xor": 0, "shl": 0, "lshr": 0}
ABSORBING = {"mul": 0, "and_": 0, "or_": -1}
COMMUTATIVE = ("add", "mul", "and_", "or_", "xor")
COMPUTE: dict[str, Callable[[int, int], int]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "and_": operator.and_,
    "or_": operator.or_, "xor": operator.xor, "shl": operator.lshift, "lshr": operator.rshift,
}  # fmt: skip


def constant_of(value: Value) -> int | None:
    """Return the number of a constant value, as a signed one; None if it is not constant."""
    if not isinstance(value, ir.Constant) or not isinstance(value.type, ir.IntType):
        return None
    if not isinstance(value.constant, int):
        return None
    return _to_signed(int(value.constant), value.type.width)


def _constant(kind: Value, number: int) -> Value:
    number = number & 1 if kind.width == 1 else _to_signed(number, kind.width)
    return ir.Constant(kind, number)


def _to_signed(number: int, bits: int) -> int:
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


class Builder(ir.IRBuilder):  # type: ignore[misc]
    """Writes instructions into blocks."""

    def _binary(self, name: str, left: Value, right: Value) -> Value:
        one, two = constant_of(left), constant_of(right)
        bits = left.type.width
        if name in ("shl", "lshr") and two is not None and not 0 <= two < bits:
            two = None
        if one is not None and two is not None:
            one = one & ((1 << bits) - 1) if name == "lshr" else one
            return _constant(left.type, COMPUTE[name](one, two))
        if name in COMMUTATIVE and one is not None:
            left, right, two = right, left, one
        if two is not None and two == NEUTRAL[name]:
            return left
        if two is not None and two == ABSORBING.get(name):
            return right
        return getattr(super(), name)(left, right)

    add, sub, mul = map(partial(partialmethod, _binary), ("add", "sub", "mul"))
    and_, or_, xor = map(partial(partialmethod, _binary), ("and_", "or_", "xor"))
    shl, lshr = map(partial(partialmethod, _binary), ("shl", "lshr"))

    def not_(self, value: Value) -> Value:
        return self.xor(value, ir.Constant(value.type, -1))

    def icmp_signed(self, order: str, left: Value, right: Value) -> Value:
        one, two = constant_of(left), constant_of(right)
        if one is None or two is None:
            return super().icmp_signed(order, left, right)
        return _constant(ir.IntType(1), int(COMPARE[order](one, two)))

    def select(self, test: Value, yes: Value, no: Value) -> Value:
        constant = constant_of(test)
        if constant is not None:
            return yes if constant else no
        return yes if yes is no else super().select(test, yes, no)

    def trunc(self, value: Value, kind: Value) -> Value:
        number = constant_of(value)
        if number is None:
            return super().trunc(value, kind)
        return _constant(kind, number)

    def zext(self, value: Value, kind: Value) -> Value:
        number = constant_of(value)
        if number is None:
            return super().zext(value, kind)
        return _constant(kind, number & ((1 << value.type.width) - 1))

    def sext(self, value: Value, kind: Value) -> Value:
        number = constant_of(value)
        return super().sext(value, kind) if number is None else _constant(kind, number)

    def join_paths(self, ways: Iterable[tuple[Value, Value]]) -> Value:
        """Return the phi of some paths; each path has its value and its last block."""
        (first, block), *others = ways
        result = self.phi(first.type)
        result.add_incoming(first, block)
        for value, other in others:
            result.add_incoming(value, other)
        return result

    def cbranch(self, test: Value, yes: Value, no: Value) -> Value:
        constant = constant_of(test)
        if constant is None:
            return super().cbranch(test, yes, no)
        self.branch(yes if constant else no)
        return _Settled()


class _Settled:
    """A branch with a constant condition."""

    def set_weights(self, _weights: object) -> None:
        """Do nothing: the branch has one target."""


I1, I8, I32, I64, PTR, VOID = (
    ir.IntType(1), ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.PointerType(), ir.VoidType(),
)  # fmt: skip
RESULT = ir.LiteralStructType([I64, I64])  # of a `define`: its value, 0 or an error's number


INLINE_LIMIT = 125  # additional nodes of a program for a rule to be inlined at all calls


def const(value: int) -> Value:
    return ir.Constant(I64, value)


@dataclass(frozen=True)
class EmittedRule:
    """The function of a rule or define, and the exits of a rule other than its end."""

    function: Value
    signals: frozenset[int]
    may_fail: bool


class Unit:
    """The module of one program at one table.

    mistakes: filled during code generation; a failed match has the number of its error.
    write_rule, write_define: write the function of a rule, or of a `define`, see `define`.
    frame_kinds: the kind of each 64-bit number behind the layout, a letter: `c` a card, `s` cards,
                 `n` neither, `?` perhaps one of these.
    """

    def __init__(
        self,
        program: Program,
        setting: Setting,
        plans: dict[int, AskPlan],
        layout: Layout,
        mode: Mode,
        write_rule: Callable[[Unit, nodes.Rule], EmittedRule],
        write_define: Callable[[Unit, nodes.Function, bool], EmittedRule],
    ) -> None:
        self.program, self.setting, self.layout = program, setting, layout
        self.plans, self._write_rule, self._write_define = plans, write_rule, write_define
        self.effects = Effects(program)
        self.frames, self.frame_kinds = 0, ""
        self.addresses: dict[str, dict[int, Value]] = {}  # of parts of the match, by function
        self.work = Work(program, setting.count)
        self.mode = mode
        self.module = ir.Module(name="rules")
        self.mistakes: list[Mistake] = []
        self._tables: dict[tuple[int, ...], Value] = {}
        self.small_functions: dict[str, Value] = {}  # the small functions, by name
        self._rules: dict[str, EmittedRule] = {}
        self._sizes: dict[str, int] = {}
        self._defines: dict[tuple[str, bool], EmittedRule] = {}
        self._tags: dict[str, Value] = {}
        self._kinds: dict[str, Value] = {}
        self._ends: dict[tuple[int, int, int], Value] = {}
        self.setups = [*program.zones, *VARIABLES, *program.variables]
        self.counters = [v.name for v in program.variables.values() if v.counter]
        self.counts = declare_counts(program, setting, mode.form is Form.BRIEF)

    @cached_property
    def entry_size(self) -> int:
        """The number of bytes of a seat's entry at the table."""
        if self.mode.form is Form.EXACT:
            return 8 * tape_index(self.program, TAPE)
        return 8 * entry_size(self.program)

    @property
    def behind_seats(self) -> int:
        """The number of bytes of the seats' entries in the table."""
        return self.entry_size * self.setting.players

    def tag(self, name: str) -> Value:
        """Return the alias metadata of a part of a match; no two parts overlap.

        name: of a field; or of a pile, for all its fields.
        """
        if name not in self._tags:
            kind = self._kind(name)
            self._tags[name] = self.module.add_metadata([kind, kind, const(0)])
        return self._tags[name]

    def _kind(self, name: str) -> Value:
        if name not in self._kinds:
            add = self.module.add_metadata
            whole, _, part = name.rpartition(".")
            around = self._kind(whole) if part and whole else add(["match"])
            self._kinds[name] = add([name, around, const(0)])
        return self._kinds[name]

    def ends(self, field: StructField) -> Value:
        """Return the range metadata of a field, or None if it can have any value."""
        kind, end = ir.IntType(field.bits), field.high + 1
        if end - field.low >= 1 << field.bits:
            return None
        end = (end + (1 << (field.bits - 1))) % (1 << field.bits) - (1 << (field.bits - 1))
        key = field.bits, field.low, end
        if key not in self._ends:
            ends = [ir.Constant(kind, field.low), ir.Constant(kind, end)]
            self._ends[key] = self.module.add_metadata(ends)
        return self._ends[key]

    def capacity(self, name: str) -> int:
        capacity = self.program.zones[name].capacity
        return len(self.setting.deck.texts) if capacity is None else fold(capacity, self.setting)

    def reason(self, text: str) -> int:
        return self.counts.reasons.index(text)

    def shown(self) -> list[tuple[str, int]]:
        return self.layout.revealable

    def rule(self, name: str) -> EmittedRule:
        """Return the function of a rule, made on first use."""
        if name not in self._rules:
            self._rules[name] = self._write_rule(self, self.program.rules[name])
        return self._rules[name]

    def is_written_in_place(self, name: str) -> bool:
        """Tell whether a rule is inlined: it has one call, or it is small."""
        return (self.sites[name] - 1) * self.size_of(name) <= INLINE_LIMIT

    @cached_property
    def sites(self) -> Counter[str]:
        """The number of calls of each rule and `define` that a match or policy can reach."""
        program, result = self.program, Counter[str]()
        roots: list[nodes.Node] = [v.initial for v in program.variables.values()]
        roots += [zone.content for zone in program.zones.values() if zone.content is not None]
        roots.append(program.rules["match"].body)
        for policy in program.policies.values():
            roots += [answer.body for answer in policy.answers]
            roots += [memory.initial for memory in policy.memory]
        for node in walk_calls(program, *roots):
            if isinstance(node, nodes.Do):
                result[node.rule] += 1
            elif isinstance(node, nodes.Call):
                result[node.function] += 1
        return result

    @cached_property
    def questions_without_steps(self) -> frozenset[int]:
        """The questions, by `id`, before which no step is counted since their deal began."""
        program = self.program
        every = walk_calls(program, program.rules["match"].body)
        deals = [one for one in every if isinstance(one, nodes.DealBlock)]
        starts = [v.initial for v in program.variables.values() if v.lifetime != "match"]
        inside = list(walk_calls(program, *starts, *deals))
        if any(isinstance(one, CountedNode) and self.work.cost(one) for one in inside):
            return frozenset()
        rest = rebuild_program(program, lambda n, _: () if isinstance(n, nodes.DealBlock) else n)
        outside = {id(one) for one in walk_calls(rest, rest.rules["match"].body)}
        return frozenset(id(one) for one in inside if isinstance(one, nodes.Ask)) - outside

    def size_of(self, name: str) -> int:
        """Return the number of nodes of a rule and all rules that it calls."""
        if name not in self._sizes:
            self._sizes[name] = sum(
                1 + (self.size_of(node.rule) if isinstance(node, nodes.Do) else 0)
                for node in walk(self.program.rules[name].body)
            )
        return self._sizes[name]

    def define(self, name: str, is_counted: bool = True) -> EmittedRule:
        """Return the function of a `define`, made on first use.

        is_counted: it counts its steps in the match, where it can be long.
        """
        key = name, is_counted
        if key not in self._defines:
            self._defines[key] = self._write_define(self, self.program.functions[name], is_counted)
        return self._defines[key]

    def private(self, name: str, kind: Any) -> Value:
        """Return a new function that only this module calls."""
        function = self.export(name, kind)
        function.linkage = "internal"
        return function

    def export(self, name: str, kind: Any) -> Value:
        """Return a new function; its pointer arguments do not alias."""
        function = ir.Function(self.module, kind, name)
        function.attributes.add("nounwind")
        if self.mode.checked:
            return function
        for arg in function.args:
            if arg.type == PTR:
                arg.add_attribute("noalias")
        return function

    def mistake(self, code: str, message: str, span: Span, place: str | None) -> int:
        """Return the number of this error for `#error`."""
        self.mistakes.append(Mistake(code, message, span, place))
        return len(self.mistakes)

    def take_text(self) -> str:
        """Return the text of the module, and free its instructions.

        They refer to each other, so they would otherwise wait for a slow garbage collection.
        """
        text = str(self.module)
        for function in self.module.functions:
            for block in function.blocks:
                vars(block).clear()
            vars(function).clear()
        self.addresses.clear()
        return text

    def table(self, numbers: Sequence[int], bits: int = 32) -> Value:
        """Return a constant array of numbers of so many bits."""
        key = bits, *numbers
        if key not in self._tables:
            kind = ir.ArrayType(ir.IntType(bits), max(1, len(numbers)))
            table = ir.GlobalVariable(self.module, kind, f"table.{len(self._tables)}")
            table.linkage, table.global_constant = "internal", True
            table.initializer = ir.Constant(kind, list(numbers) or [0])
            self._tables[key] = table
        return self._tables[key]

    def intrinsic(self, name: str) -> Value:
        """Return an intrinsic of one or two 64-bit numbers, such as `ctpop`."""
        flag = name in ("cttz", "ctlz")
        params = [I64, I1] if flag else [I64]
        return self.module.declare_intrinsic(f"llvm.{name}", [I64], ir.FunctionType(I64, params))

    def extreme(self, name: str) -> Value:
        """Return the intrinsic for the maximum or minimum of two numbers."""
        return self.module.declare_intrinsic(
            f"llvm.{name}", [I64], ir.FunctionType(I64, [I64, I64])
        )

    def overflowing(self, name: str) -> Value:
        """Return the intrinsic that adds, subtracts or multiplies with an overflow flag."""
        kind = ir.FunctionType(ir.LiteralStructType([I64, I1]), [I64, I64])
        return self.module.declare_intrinsic(f"llvm.{name}.with.overflow", [I64], kind)
