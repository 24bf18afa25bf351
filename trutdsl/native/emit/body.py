"""The body of a rule or define under construction: its values, names, errors and counted steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.effects import FEW, NOTHING, CountedNode, Names, slot_name
from trutdsl.ir.intervals import MOST_STEPS
from trutdsl.native.abi import CALL, ENGINE, LEFT, NONE
from trutdsl.native.llvm import I1, I64, PTR, Unit, Value, const, constant_of
from trutdsl.native.llvm.function import FunctionWriter

# Available values: valid results of earlier computations are reused (common subexpressions).
# For two players, sets of seats are pairs of flags.

ValuesByKey = dict[Hashable, tuple[Any, Names]]


class ValueTable:
    """Values by key, each with the names that it depends on.

    Names are those of zones and variables, and of the rule's own slots, see `slot_name`.
    """

    def __init__(self) -> None:
        self._scopes: list[ValuesByKey] = [{}]

    def find(self, key: Hashable) -> Any:
        for scope in reversed(self._scopes):
            if key in scope:
                return scope[key][0]
        return None

    def keep(self, key: Hashable, value: Any, rests_on: Names) -> None:
        """Store a value until one of its dependencies changes or this scope ends."""
        self._scopes[-1][key] = value, rests_on

    def lower(self, flags: Names) -> None:
        """Record that all of these yes/no variables are no."""
        for name in flags:
            self.keep(("no", name), True, frozenset({name}))

    def is_lowered(self, name: str) -> bool:
        return bool(self.find(("no", name)))

    def forget(self, names: Names) -> None:
        for scope in self._scopes:
            for key in [k for k, (_, rests_on) in scope.items() if rests_on & names]:
                del scope[key]

    @contextmanager
    def scope(self) -> Iterator[ValuesByKey]:
        """Drop at the end the values stored since, because only some paths compute them.

        Yields the stored values, which can be read after the scope has ended.
        """
        before: ValuesByKey = {}
        self._scopes.append(before)
        yield before
        self._scopes.pop()


class NoMemo(ValueTable):
    """Stores nothing: for rules that can be suspended."""

    def keep(self, _key: Hashable, _value: Any, _rests_on: Names) -> None:
        """Store nothing."""


def value_key(value: Any) -> tuple[str, int]:
    """Return a unique key of a value of llvmlite in its function."""
    return ("const", value.constant) if isinstance(value, ir.Constant) else ("made", id(value))


def of_frame(name: str, frame: int) -> str:
    """Return the name of a slot in a frame; other names stay."""
    return f"{name} of {frame}" if name.startswith("#slot") else name


Pair = tuple[Value, Value]


def uses_pairs(code: ValueWriter) -> bool:
    return code.unit.setting.players == 2 and code.unit.mode.fast


def seats_from(code: ValueWriter, start: Value) -> Pair:
    other: Value | None = code.memo.find(_other(start))
    if other is None:
        other = code.b.xor(start, const(1))
        code.memo.keep(_other(start), other, NOTHING)
    return start, other


def _other(start: Value) -> tuple[object, ...]:
    return ("other seat", *value_key(start))


def pair_of(code: ValueWriter, mask: Value, start: Value) -> Pair:
    if isinstance(mask, ir.Constant) and mask.constant & 3 in (0, 3):
        both = ir.Constant(I1, int(bool(mask.constant & 3)))
        return both, both
    pair = find_pair(code, mask)
    if pair is not None and value_key(pair[1]) == value_key(start):
        return pair[0]
    first, second = (code.has_bit(mask, seat) for seat in seats_from(code, start))
    keep_pair(code, mask, (first, second), start)
    return first, second


def keep_pair(code: ValueWriter, mask: Value, pair: Pair, start: Value) -> None:
    code.memo.keep(("pair", *value_key(mask)), (pair, start), NOTHING)


def find_pair(code: ValueWriter, mask: Value) -> tuple[Pair, Value] | None:
    """Return a set as a pair of flags, and the first seat, if known."""
    result: tuple[Pair, Value] | None = code.memo.find(("pair", *value_key(mask)))
    return result


def first_of_pair(code: ValueWriter, pair: Pair, start: Value) -> Value:
    """Return the first seat of the set in play order, or none."""
    b, (seat, other) = code.b, seats_from(code, start)
    return b.select(pair[0], seat, b.select(pair[1], other, const(NONE)))


def is_empty_set(code: ValueWriter, mask: Value) -> Value:
    """Tell whether a set is empty, from its flags if these are known."""
    pair = find_pair(code, mask)
    return code.is_zero(mask) if pair is None else code.b.not_(code.b.or_(*pair[0]))


CHEAP = 24  # nodes that are computed rather than branched around
CHEAP_ONCE = 200  # such nodes if the value is needed soon after anyway


class ValueWriter(FunctionWriter, ABC):
    """Writes values into the body of one rule or define, the common part of all emitters.

    slots:  the address of each bound name's number.
    place:  the heading of the rule, for messages.
    failed: the block for errors, created on first use.
    guard:  whether the current value is needed, None if it is; errors in other values are ignored.
    """

    guard: Value | None = None
    inlines = True  # small defines are inlined
    span: Span  # of the current sentence
    counts_steps = True
    frame = 0  # 0 for the slots of the rule itself
    cheap = CHEAP
    around: Value | None = None  # the seat that iteration starts from, if any
    in_rule = True  # and not in the function of a define

    def __init__(self, unit: Unit, function: Value, slots: int, place: str | None) -> None:
        super().__init__(unit, function)
        self.slots = self.new_slots(slots)
        self.place = place
        self.memo, self.span = ValueTable(), unit.program.rules["match"].span
        self.failed: Value | None = None

    # -------------------------------------------------------- errors

    def check(self, wrong: Value, message: str) -> None:
        """Leave the rule with an internal error of the engine."""
        guard, self.guard = self.guard, None
        self.fail_if(wrong, ENGINE, message, self.span)
        self.guard = guard

    def fail_if(self, wrong: Value, code: str, message: str, span: Span) -> None:
        number = const(self.unit.mistake(code, message, span, self.place))
        self.leave_if(wrong, number)

    @contextmanager
    def on_some_paths(self) -> Iterator[None]:
        """Write code of some paths only: its values are not available afterwards."""
        with self.memo.scope():
            yield

    def leave_if(self, wrong: Value, mistake: Value) -> None:
        if self.guard is not None:
            wrong = self.b.and_(self.guard, wrong)
        if constant_of(wrong) == 0:
            return
        bad, good = self.block("bad"), self.block("good")
        self.b.cbranch(wrong, bad, good).set_weights([1, 1 << 20])
        self.at(bad)
        self.give_up(mistake)
        self.at(good)

    def give_up(self, mistake: Value) -> None:
        self.store("#error", mistake)
        if self.failed is None:
            self.failed = self.block("failed")
        self.b.branch(self.failed)

    def step(self, node: CountedNode, span: Span) -> None:
        """Count the steps of something long, and stop rules that do not terminate."""
        cost = self.unit.work.cost(node) if self.counts_steps else 0
        if not cost:
            return
        steps = self.b.add(self.load("#steps"), const(cost))
        self.store("#steps", steps)
        message = f"after {MOST_STEPS:,} steps the rules reached no question or deal"
        many = self.b.icmp_signed(">", steps, const(MOST_STEPS))
        self.fail_if(many, "too-long", message, span)

    # -------------------------------------------------------- names

    def bind(self, slot: int, value: Value) -> None:
        name = frozenset({slot_name(slot, self.frame)})
        number = self.as_number(value)
        self.b.store(number, self.slots[slot])
        self.memo.forget(name)
        self.memo.keep(name, number, name)

    def writes_of(self, node: nodes.Node) -> Names:
        """Return the names that a part of the rule can change; its own slots have names, too."""
        writes = self.unit.effects.writes_of(node)
        if self.frame == 0:
            return writes
        return frozenset(of_frame(name, self.frame) for name in writes)

    def new_slots(self, count: int) -> list[Value]:
        return [self.local() for _ in range(count)]

    @contextmanager
    def other_slots(self, count: int) -> Iterator[None]:
        """Bind names separately from those of the rule."""
        before = self.slots, self.frame
        self.slots = self.new_slots(count)
        self.unit.frames += 1
        self.frame = self.unit.frames
        yield
        self.slots, self.frame = before

    def as_number(self, value: Value) -> Value:
        return self.wide(value) if value.type == I1 else value

    def wrap_seat(self, seat: Value, players: int) -> Value:
        """Return a number below twice the players modulo the players."""
        if players & (players - 1) == 0:
            return self.b.and_(seat, const(players - 1))
        over = self.b.icmp_signed(">=", seat, const(players))
        return self.b.select(over, self.b.sub(seat, const(players)), seat)

    def local_array(self, count: int) -> Value:
        with self.b.goto_entry_block():
            return self.b.alloca(I64, size=const(count))

    # -------------------------------------------------------- values

    @abstractmethod
    def value(self, node: nodes.Expression) -> Value:
        """Write the instructions for an expression and return its value."""

    @abstractmethod
    def call_function(self, define: nodes.Function, args: list[Value]) -> Value:
        """Return the result of a call of a define's function."""

    @abstractmethod
    def in_place(self, part: nodes.Function | nodes.Rule, args: list[Value]) -> Value:
        """Inline a `define` or rule, and return its value."""

    def compute_fully(self, node: nodes.Expression) -> Value:
        """Return a completely computed value, because it will be needed again soon."""
        self.cheap = CHEAP_ONCE
        result = self.value(node)
        self.cheap = CHEAP
        return result

    def note_place(self, slot: int, zone: nodes.ZoneCards) -> None:
        name = slot_name(slot, self.frame)
        card = self.memo.find(frozenset({name}))
        if card is not None:
            key = ("lies", zone.name, *value_key(self.place_of(zone)), *value_key(card))
            self.memo.keep(key, True, frozenset({zone.name, name}))

    def lies_in(self, card: Value, zone: str, at: Value) -> bool:
        return bool(self.memo.find(("lies", zone, *value_key(at), *value_key(card))))

    def place_of(self, node: nodes.ZoneCards) -> Value:
        return const(0) if node.index is None else self.value(node.index)

    @contextmanager
    def going_round(self, start: Value) -> Iterator[None]:
        """Iterate over all seats from this one on within the block."""
        before, self.around = self.around, start
        yield
        self.around = before

    def value_under_guard(
        self, condition: Value, guard: Value | None, node: nodes.Expression
    ) -> Value:
        """Return a value that is needed only if `condition` holds and its parent is needed."""
        before = self.guard
        self.guard = condition if guard is None else self.b.and_(guard, condition)
        value = self.value(node)
        self.guard = before
        return value

    def is_safe(self, node: nodes.Node) -> bool:
        """Tell whether a part of a rule can neither fail nor count steps."""
        return not self.unit.effects.can_fail(node) and self.unit.work.of(node) <= FEW


# Safepoints: at intervals, machine code asks a callback whether to continue.
#
# Long operations count their steps anyway (`ir.effects`). After enough steps machine
# code calls back, and leaves the match if the callback says so. Steps are bounds, often far above
# the real work: if so many of them took hardly any time, the interval to the next call is
# doubled. An exception meanwhile, such as Ctrl-C, is stored and raised by the caller of the
# machine code.


def emit_watch(code: ValueWriter, steps: Value) -> None:
    """Write a safepoint after enough steps, these included; the callback can end the match."""
    b, at = code.b, code.address(code.args[1], code.unit.behind_seats + 8 * LEFT)
    left = b.sub(code.number(at), b.add(steps, const(1)))
    b.store(left, at)
    with b.if_then(b.icmp_signed("<", left, const(0)), likely=False):
        look = code.small("look", [PTR], I64, _build_look)
        stops = code.is_zero(b.call(look, [code.args[1]]))
        code.fail_if(stops, ENGINE, "the matches were stopped", code.span)


def _build_look(code: FunctionWriter) -> None:
    for word in ("noinline", "cold"):
        code.function.attributes.add(word)
    b, (table,) = code.b, code.args
    start = code.unit.behind_seats
    kind = ir.FunctionType(I64, [])
    call = b.load(code.address(table, start + 8 * CALL), typ=kind.as_pointer())
    steps = b.call(call, [])
    b.store(steps, code.address(table, start + 8 * LEFT))
    b.ret(steps)
