"""The body of a rule or define while it is written: its names, its mistakes, its counted steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from llvmlite import ir

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.effects import FEW, CountedNode, Names, slot_name
from trutdsl.ir.intervals import MOST_STEPS
from trutdsl.native.abi import CALL, ENGINE, LEFT
from trutdsl.native.emit.available_values import (
    ValueCache,
    ValueTable,
    copy_of,
    note_store,
    of_frame,
    value_key,
)
from trutdsl.native.llvm import I1, I64, PTR, Unit, Value, const, known
from trutdsl.native.llvm.function import FunctionWriter, Slot


class Body(ValueCache):
    """Writes the body of one rule or define: what its expressions and sentences have in common.

    slots:  where each bound name lies.
    place:  the heading of the rule, for messages.
    failed: where to go when something goes wrong, made when first needed.
    guard:  whether what is worked out is wanted, or None if it is; a mistake in what is not wanted
    is none.
    """

    guard: Value | None = None
    inlines = True  # small defines are written where they are used
    span: Span  # of the sentence being written
    counts_steps = True
    frame = 0  # 0 for the slots of the rule itself

    def __init__(self, unit: Unit, function: Value, slots: int, place: str | None) -> None:
        super().__init__(unit, function)
        self.slots = self.new_slots(slots)
        self.place = place
        self.memo, self.span = ValueTable(), unit.program.rules["match"].span
        self.failed: Value | None = None

    # -------------------------------------------------------- mistakes

    def check(self, wrong: Value, message: str) -> None:
        """Leave the rule with a mistake of the engine itself."""
        guard, self.guard = self.guard, None
        self.fail_if(wrong, ENGINE, message, self.span)
        self.guard = guard

    def fail_if(self, wrong: Value, code: str, message: str, span: Span) -> None:
        number = const(self.unit.mistake(code, message, span, self.place))
        self.leave_if(wrong, number)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Write what is done only on some of the ways: what is known there is not known behind."""
        with self.memo.scope():
            yield

    def leave_if(self, wrong: Value, mistake: Value) -> None:
        if self.guard is not None:
            wrong = self.b.and_(self.guard, wrong)
        if known(wrong) == 0:
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
        """Count the steps of something long, and stop rules that come to no end."""
        cost = self.unit.work.cost(node) if self.counts_steps else 0
        if not cost:
            return
        steps = self.b.add(self.load("#steps"), const(cost))
        self.store("#steps", steps)
        message = f"after {MOST_STEPS:,} steps the rules came to no question or deal"
        many = self.b.icmp_signed(">", steps, const(MOST_STEPS))
        self.fail_if(many, "too-long", message, span)

    # -------------------------------------------------------- memory

    def load(self, name: str, index: Value | None = None) -> Value:
        """Return a number of the match; from what is at hand if it is there."""
        copy = copy_of(self, name, index)
        return super().load(name, index) if copy is None else self.number(copy.mask)

    def store(self, name: str, value: Value, index: Value | None = None) -> None:
        """Change a number of the match, and what is at hand of it."""
        super().store(name, value, index)
        note_store(self, name, index, value)

    # -------------------------------------------------------- names

    def bind(self, slot: int, value: Value) -> None:
        name = frozenset({slot_name(slot, self.frame)})
        number = self.as_number(value)
        self.slots[slot].write(self, number)
        self.memo.forget(name)
        self.memo.keep(name, number, name)

    def changed_by(self, node: nodes.Node) -> Names:
        """Return what a part of the rule can change, its own names as they are called here."""
        changed = self.unit.effects.changed_by(node)
        if self.frame == 0:
            return changed
        return frozenset(of_frame(name, self.frame) for name in changed)

    def new_slots(self, count: int) -> list[Slot]:
        late = self.unit.mode.fast
        return [Slot(None if late else self.local()) for _ in range(count)]

    @contextmanager
    def other_slots(self, count: int) -> Iterator[None]:
        """Bind names apart from those of the rule."""
        kept = self.slots, self.frame
        self.slots = self.new_slots(count)
        self.unit.frames += 1
        self.frame = self.unit.frames
        yield
        self.slots, self.frame = kept

    def as_number(self, value: Value) -> Value:
        return self.wide(value) if value.type == I1 else value

    def wrapped(self, seat: Value, players: int) -> Value:
        """Return the seat that a number below twice the players stands for."""
        if players & (players - 1) == 0:
            return self.b.and_(seat, const(players - 1))
        over = self.b.icmp_signed(">=", seat, const(players))
        return self.b.select(over, self.b.sub(seat, const(players)), seat)

    def local_array(self, count: int) -> Value:
        with self.b.goto_entry_block():
            return self.b.alloca(I64, size=const(count))


# Values: what is asked of whoever writes expressions, by those who write one kind of them.

CHEAP = 24  # nodes that are rather worked out than stepped around
CHEAP_ONCE = 200  # such nodes of what is wanted in any case soon after


class ValueWriter(Body, ABC):
    """Writes values into the body of one rule or define."""

    cheap = CHEAP
    around: Value | None = None  # the seat from which all are looked at, if any
    in_rule = True  # and not in the function of a define

    @abstractmethod
    def value(self, node: nodes.Expression) -> Value:
        """Write the instructions for an expression and return its value."""

    @abstractmethod
    def call_function(self, define: nodes.Function, args: list[Value]) -> Value:
        """Return what the function of a define gives."""

    @abstractmethod
    def in_place(self, part: nodes.Function | nodes.Rule, args: list[Value]) -> Value:
        """Write a `define` or rule here, and return what it gives."""

    def worked_out(self, node: nodes.Expression) -> Value:
        """Return a value, worked out whole as it will be wanted again soon."""
        self.cheap = CHEAP_ONCE
        found = self.value(node)
        self.cheap = CHEAP
        return found

    def note_place(self, slot: int, zone: nodes.ZoneCards) -> None:
        """Note that the card in a slot lies in a zone."""
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
        """Look at the seats from this one on meanwhile, wherever all are looked at."""
        before, self.around = self.around, start
        yield
        self.around = before

    def guarded(self, wanted: Value, guard: Value | None, node: nodes.Expression) -> Value:
        """Return a value that is of use only if it is wanted, and so is what it is a part of."""
        before = self.guard
        self.guard = wanted if guard is None else self.b.and_(guard, wanted)
        value = self.value(node)
        self.guard = before
        return value

    def is_safe(self, node: nodes.Node) -> bool:
        """Tell whether a part of a rule cannot run into a mistake, and needs no counting."""
        return not self.unit.effects.can_fail(node) and self.unit.work.of(node) <= FEW


# Safepoints: now and then machine code lets somebody look whether play shall go on.
#
# What is long in the rules counts its steps anyway (`ir.effects`). After so many of them
# machine code calls back, and leaves the match if it is told to. Steps are bounds, often far above
# what is done: where so many of them took hardly any time, the next look comes after twice as
# many. What is raised meanwhile, as by Ctrl-C, is kept and comes out where the machine code was
# called.


def emit_watch(code: Body, steps: Value) -> None:
    """Write a look after enough steps, these among them; whoever says stop ends the match."""
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
