"""Step-by-step play: rules as resumable functions (coroutines).

All rules that may suspend become parts of one function, `advance`. It returns before each deal, and
at each question to a seat without a policy. If the table says so, it also returns at each chance
event. The next call continues at the place that `#pc` gives. The match stores the local values and
the return address of such a rule in a frame, after its other parts. Rules are not recursive, so
each rule has one frame. Frames of rules that never run at the same time share memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from graphlib import TopologicalSorter

from llvmlite import ir

from trutdsl.ir import Program, nodes
from trutdsl.ir.nodes import walk
from trutdsl.ir.types import Element, Hands, Kind, SetOf, Type, Unknown, YesNo, element_of
from trutdsl.native import abi
from trutdsl.native.emit.body import NoMemo
from trutdsl.native.emit.chance import ChanceEvent
from trutdsl.native.emit.rule_writer import (
    DONE,
    END_MATCH,
    FAILED,
    Targets,
    action_of_rank,
    ask_policy,
    policy_of,
)
from trutdsl.native.emit.statements import RuleEmitter
from trutdsl.native.emit.telling import TellingEmitter, at_table
from trutdsl.native.llvm import I1, I8, I64, PTR, Unit, Value, const
from trutdsl.native.llvm.function import FunctionWriter

# Suspension points: the rules in which a match can wait for a seat, a deal or chance.

WAITS = (
    nodes.Ask
    | nodes.DealBlock
    | nodes.Setup
    | nodes.Draw
    | nodes.Roll
    | nodes.RandomFrom
    | nodes.Chance
)


def waiting_rules(program: Program) -> frozenset[str]:
    result: set[str] = set()
    grown = True
    while grown:
        grown = False
        for name, rule in program.rules.items():
            if name not in result and may_wait(rule.body, result):
                result.add(name)
                grown = True
    return frozenset(result)


def may_wait(node: nodes.Node, waiting: set[str] | frozenset[str]) -> bool:
    """Tell whether a part of a rule can suspend the match; waiting: the rules that can."""
    return any(
        isinstance(n, WAITS) or (isinstance(n, nodes.Do) and n.rule in waiting) for n in walk(node)
    )


FRAME_KINDS = "cs?n"  # see `Unit.frame_kinds`


@dataclass
class RuleFrame:
    """The numbers that the match stores for a rule while the rule runs.

    numbers: by kind, see `Unit.frame_kinds`, their offsets in the match, constants that
             `Advance` sets at last. callers: the rules that call this one.
    """

    callers: set[str] = field(default_factory=set)
    numbers: dict[str, list[ir.Constant]] = field(
        default_factory=lambda: {kind: [] for kind in FRAME_KINDS}
    )


class Advance:
    """The function `advance(match, table)` under construction."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.function = unit.export("advance", ir.FunctionType(I64, [PTR, PTR]))
        self.entry = self.function.append_basic_block("entry")
        self.waiting = waiting_rules(unit.program)
        self.parts: dict[str, StepEmitter] = {}
        code = FunctionWriter.__new__(FunctionWriter)
        code.resume(unit, self.function, self.entry)
        wrong = self.function.append_basic_block("nowhere")
        self.places = code.b.switch(code.load("#pc"), wrong)
        code.at(wrong)
        code.b.unreachable()
        begin, stop = map(self.function.append_basic_block, ("begin", "stop"))
        self.places.add_case(const(0), begin)
        self.next_place = 1
        main = self.part("match")
        code.at(begin)  # stops if a variable's initial value was an error
        code.b.cbranch(code.is_zero(code.load("#error")), main.start, stop)
        code.at(stop)
        code.b.ret(const(abi.OVER))
        main.close()
        self.size = self._place_frames()

    def part(self, name: str) -> StepEmitter:
        if name not in self.parts:
            emitter = StepEmitter(self, self.unit.program.rules[name])
            emitter.build_part()
            self.parts[name] = emitter
        return self.parts[name]

    def _place_frames(self) -> int:
        """Set the offsets of all numbers in frames; return the size of a match in bytes.

        There is a stack of frames for each kind of number. A rule's frame lies above those of all
        rules that call it.
        """
        frames = {name: part.stored for name, part in self.parts.items()}
        callers = {name: frame.callers for name, frame in frames.items()}
        order = list(TopologicalSorter(callers).static_order())
        size = self.unit.layout.size
        for kind in FRAME_KINDS:
            above = dict[str, int]()  # by rule, the numbers of this kind below and in its frame
            for name in order:
                numbers = frames[name].numbers[kind]
                below = max((above[caller] for caller in callers[name]), default=0)
                above[name] = below + len(numbers)
                for place, number in enumerate(numbers, below):
                    number.constant = size + 8 * place
            highest = max(above.values())
            self.unit.frame_kinds += kind * highest
            size += 8 * highest
        return size


class StepEmitter(TellingEmitter):
    """Writes one rule as a part of `advance`."""

    inlines = False
    deals_at_once = False

    def __init__(self, advance: Advance, rule: nodes.Rule) -> None:
        self.advance, self.rule = advance, rule
        self.keeping, self.kept_kind = False, "n"
        self.own: list[Value] = []  # where the match has what this rule remembers
        unit = advance.unit
        self.resume(unit, advance.function, advance.entry)
        self.place, self.failed, self.memo = rule.heading, None, NoMemo()
        self.span = rule.span
        self.start = self.block(f"rule.{rule.name}")
        self.exit = self.block("exit")
        self.stored = RuleFrame()
        self.slots = [self.remember(kind) for kind in _slot_kinds(rule)]
        self.named = dict[int, frozenset[int]]()  # see `find_named`
        find_named(rule.body, frozenset(range(len(rule.params))), self.named)
        self.sentence: nodes.Node = rule.body
        self.back = self.remember("n")
        self.left = self._reserve("n")
        self.result_field = (
            self._reserve(_kind_of(rule.result)) if rule.result is not None else None
        )
        self.at(self.start)

    def remember(self, kind: str) -> Value:
        """Return the address of a new number in the match, until the rule is left."""
        self.own.append(self._reserve(kind))
        return self.own[-1]

    def _reserve(self, kind: str) -> Value:
        entry = ir.IRBuilder(self.advance.entry)
        if self.advance.entry.instructions:
            entry.position_before(self.advance.entry.instructions[0])
        offset = const(0)
        self.stored.numbers[kind].append(offset)
        return entry.gep(self.args[0], [offset], inbounds=True, source_etype=I8)

    def build_part(self) -> None:
        """Write the rule's sentences; each caller adds its return address."""
        self.targets, self.signals, self.exits = Targets(), set(), {}
        self.result = self.result_field
        self.block_of(self.rule.body)
        if not self.b.block.is_terminated:
            self.leave(DONE)
        if self.failed is not None:
            self.at(self.failed)
            self.signals.add(FAILED)
            self.b.store(const(FAILED), self.left)
            self.b.branch(self.exit)
        self.at(self.exit)
        back = self.number(self.back)
        for place in self.own:  # equal matches have equal bytes, however they came here
            self.b.store(const(-1), place)
        self.nowhere = self.block("nowhere")
        self.returns = self.b.switch(back, self.nowhere)
        self.at(self.nowhere)
        self.b.unreachable()
        self.calls = 0

    def close(self) -> None:
        over = self.block("over")
        self.returns.add_case(const(0), over)
        self.at(over)
        left = self.number(self.left)
        fine = self.b.or_(
            self.b.icmp_signed("==", left, const(END_MATCH)),
            self.b.icmp_signed("==", left, const(FAILED)),
        )
        with self.b.if_then(self.b.not_(fine)):
            message = "the match never reaches an `end match`"
            number = self.unit.mistake("no-end", message, self.rule.span, "rule 'match'")
            self.store("#error", const(number))
        self.b.ret(const(abi.OVER))

    # -------------------------------------------------------- values across suspension points

    def local(self, kind: str = "") -> Value:
        """Return the address of a new number; in a loop that can wait, it lies in the match."""
        return self.remember(kind or self.kept_kind) if self.keeping else super().local()

    def local_array(self, count: int) -> Value:
        """Return the address of new numbers; in a loop that can wait, they lie in the match."""
        if not self.keeping:
            return super().local_array(count)
        first, *_ = [self.remember(self.kept_kind) for _ in range(count)]
        return first

    def hold(self, value: Value) -> Callable[[], Value]:
        """Return a function that loads this value when it is called."""
        if not self.keeping:
            return super().hold(value)
        at = self.remember(self.kept_kind)
        self.b.store(value, at)
        return lambda: self.number(at)

    @contextmanager
    def keep_values(self, body: nodes.Node, of_cards: bool = False) -> Iterator[None]:
        """Store a loop's values in the match, if its body can suspend."""
        before = self.keeping, self.kept_kind
        self.keeping = may_wait(body, self.advance.waiting)
        self.kept_kind = "?" if of_cards else "n"
        yield
        self.keeping, self.kept_kind = before

    # -------------------------------------------------------- suspension

    def forget_names(self) -> None:
        """Clear slots whose name has ended: what they held must not distinguish positions."""
        for slot in sorted({*range(len(self.slots))} - self.named[id(self.sentence)]):
            self.b.store(const(-1), self.slots[slot])

    def wait(self, why: int) -> None:
        """Return from `advance`; the next call continues with the code that is written next."""
        self.forget_names()
        number = self.advance.next_place
        self.advance.next_place += 1
        self.store("#pc", const(number))
        self.b.ret(const(why))
        on = self.block("on")
        self.advance.places.add_case(const(number), on)
        self.at(on)

    def answer(self, seat: Value, count: Value, words: list[Value]) -> tuple[Value, None]:
        policy, data = policy_of(self, seat)
        asks, waits, answered = self.block("policy"), self.block("wait"), self.block("chosen")
        none = self.b.icmp_unsigned("==", self.b.ptrtoint(policy, I64), const(0))
        self.b.cbranch(none, waits, asks)
        self.at(asks)
        rank = ask_policy(self, policy, data, count)
        first = action_of_rank(self, words, rank)
        self.event(abi.ANSWERED, seat, self.load("#decision"), first)
        came_from = self.b.block
        self.b.branch(answered)
        self.at(waits)
        for number in range(len(words), self.unit.layout.words):
            self.store("#legal", const(0), const(number))
        self.wait(abi.QUESTION)
        second = self.load("#answer")
        waited = self.b.block
        self.b.branch(answered)
        self.at(answered)
        return self.b.join_paths([(first, came_from), (second, waited)]), None

    def before_deal(self) -> None:
        self.wait(abi.BEFORE_DEAL)

    def by_chance(self, luck: ChanceEvent) -> Value:
        stops = self.number(at_table(self, self.table, abi.STOPS))
        waits, draws, decided = self.block("wait"), self.block("draw"), self.block("decided")
        two = self.remember("n")
        self.b.store(luck.two, two)
        self.b.cbranch(self.is_zero(stops), draws, waits)
        self.at(draws)
        first = RuleEmitter.by_chance(self, luck)
        block = self.b.block
        self.b.branch(decided)
        self.at(waits)
        self.store("#luck", const(luck.kind))
        self.store("#luck_one", luck.one)
        self.store("#luck_two", luck.two)
        if luck.draw is not None:
            zones = list(self.unit.program.zones)
            self.store("#luck_zone", const(zones.index(luck.draw.target)))
            self.store("#luck_shown", const(int(luck.draw.shown)))
            self.store("#luck_origin", const(zones.index(luck.draw.origin)))
            self.store("#luck_place", luck.draw.place)
        self.wait(abi.LUCK)
        second = self.load("#answer")
        waited = self.b.block
        self.b.branch(decided)
        self.at(decided)
        result = self.b.join_paths([(first, block), (second, waited)])
        self.tell_luck(ChanceEvent(luck.kind, luck.one, self.number(two)), result)
        return result

    def statement(self, node: nodes.Statement, loose: bool = False) -> None:
        """Write one sentence; for a `setup`, the caller may arrange the match instead."""
        self.sentence = node
        if not isinstance(node, nodes.Setup):
            super().statement(node, loose)
            return
        asks, settles, done = self.block("setup"), self.block("settle"), self.block("settled")
        stops = self.number(at_table(self, self.table, abi.STOPS))
        self.b.cbranch(self.is_zero(stops), settles, asks)
        self.at(asks)
        self.store("#luck_zone", const(self.unit.setups.index(node.name)))
        self.wait(abi.SETTLED)
        self.b.cbranch(self.is_zero(self.load("#answer")), settles, done)
        self.at(settles)
        self.block_of(node.body)
        self.go(done)
        self.at(done)

    def cards(self, node: nodes.CardSentence, loose: bool) -> None:
        with self.keep_values(node):
            super().cards(node, loose)

    # -------------------------------------------------------- other rules

    def perform(self, node: nodes.Do) -> Value:
        """Call a rule: jump to its part, with the return address."""
        if node.rule not in self.advance.waiting:
            return super().perform(node)
        self.step(node, node.span)
        part = self.advance.part(node.rule)
        part.stored.callers.add(self.rule.name)
        values = [self.as_number(self.value(a)) for a in node.args]
        self.forget_names()
        for slot, value in zip(part.slots, values, strict=False):
            self.b.store(value, slot)
        part.calls += 1
        self.b.store(const(part.calls), part.back)
        self.b.branch(part.start)
        on = self.block("back")
        part.returns.add_case(const(part.calls), on)
        self.at(on)
        left = self.number(part.left)
        self.b.store(const(-1), part.left)
        self.follow(left, part.signals)
        if part.result_field is None:
            return None
        result = self.number(part.result_field)
        self.b.store(const(-1), part.result_field)
        return self.b.trunc(result, I1) if isinstance(part.rule.result, YesNo) else result

    def leave(self, signal: int) -> None:
        self.b.store(const(signal), self.left)
        self.signals |= {signal} - {DONE}
        self.b.branch(self.exit)


def find_named(node: nodes.Node, names: frozenset[int], found: dict[int, frozenset[int]]) -> None:
    """Find for each sentence, by its `id`, the slots with a name there; names: those around it."""
    found[id(node)] = names
    match node:
        case nodes.For(_, slot):
            names |= {slot}
        case nodes.Option(_, _, binders):
            names |= {binder.slot for binder in binders}
    for child in node.children:
        find_named(child, names, found)
        match child:
            case nodes.Let(_, slot) | nodes.Draw(_, _, _, _, int(slot)):
                names |= {slot}


def _kind_of(type_: Type) -> str:
    """Return the letter of a type, see `Unit.frame_kinds`."""
    match type_:
        case Element(Kind.CARD):
            return "c"
        case SetOf(Kind.CARD):
            return "s"
        case Hands() | Unknown():
            return "?"
    return "n"


def _slot_kinds(rule: nodes.Rule) -> list[str]:
    """Return the letter of the type in each slot of a rule; `?` if a slot holds several types."""
    result: list[set[str]] = [set() for _ in range(rule.slots)]
    for slot, type_ in enumerate(rule.params):
        result[slot].add(_kind_of(type_))
    for node in walk(rule.body):
        match node:
            case nodes.Let(_, slot, value):
                result[slot].add(_kind_of(value.type))
            case nodes.Draw(_, _, _, _, int(slot)):
                result[slot].add("c")
            case nodes.Binder(_, slot, _, last) if last is not None:
                result[slot].add("n")
            case (
                nodes.For(_, slot, nodes.Domain(_, items))
                | nodes.Quantifier(_, _, _, slot, nodes.Domain(_, items))
                | nodes.Binder(_, slot, items)
            ):
                result[slot].add(_kind_of(element_of(items.type)))
    return [kinds.pop() if len(kinds) == 1 else "?" for kinds in result]
