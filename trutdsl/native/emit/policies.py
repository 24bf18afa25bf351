"""Policies: a script's answer, as a function of the match and the seat's own entry.

A policy only reads the match. Its random stream, memory and errors are in the entry of its seat at
the table. Machine code around a question can therefore assume that nothing else changes.
"""

from __future__ import annotations

from collections.abc import Mapping

from llvmlite import ir

from trutdsl.ir import nodes
from trutdsl.ir.types import Number, YesNo
from trutdsl.native.abi import (
    CHANCE,
    FAULT,
    STREAM,
    TAPE,
    TAPE_PARTS,
    Form,
    memory_index,
    tape_index,
)
from trutdsl.native.emit.builtins import number_of_hand
from trutdsl.native.emit.chance import ChanceEvent, emit_below_ahead
from trutdsl.native.emit.rule_writer import NO_MISTAKE, POLICY, Targets, note_any
from trutdsl.native.emit.statements import RuleEmitter
from trutdsl.native.layout import TRICKS
from trutdsl.native.llvm import I1, I64, RESULT, Unit, Value, const
from trutdsl.native.llvm.function import FunctionWriter
from trutdsl.table.actions import AskPlan, OptionPlan

# The result of a `define`, as a function of the match and its arguments.


class DefineEmitter(RuleEmitter):
    """Writes a `define`, whose function takes the match and the arguments.

    It returns its value, and 0 or the number of its error. It changes nothing in the match, so that
    LLVM can eliminate repeated calls.
    """

    may_fail = False
    in_rule = False

    def build_define(self, define: nodes.Function) -> None:
        self.targets, self.signals, self.exits = Targets(), set(), {}
        self.place, self.span = f"define '{define.name}'", define.span
        for word in ("mustprogress", "willreturn"):
            set.add(self.function.attributes, word)  # which llvmlite's own list does not have
        for slot in range(len(define.params)):
            self.b.store(self.args[1 + slot], self.slots[slot])
        if isinstance(define.body, nodes.Block):
            self.block_of(define.body)
            if not self.b.block.is_terminated:
                self.b.unreachable()
        else:
            self.give(self.value(define.body))

    def give(self, value: Value, mistake: Value = NO_MISTAKE) -> None:
        both = self.b.insert_value(ir.Constant(RESULT, ir.Undefined), self.as_number(value), 0)
        self.b.ret(self.b.insert_value(both, mistake, 1))

    def give_up(self, mistake: Value) -> None:
        self.may_fail = True
        self.give(const(0), mistake)

    def give_back(self, value: Value | None) -> None:
        self.give(value)


ALL = const(-1)
SHORT = 25  # instructions of an answer that is inlined at its question


def build_policies(unit: Unit) -> None:
    """Write a function for each policy of the program, called `policy.KEY`."""
    plans = {plan.number: plan for plan in unit.plans.values()}
    for key, policy in unit.program.policies.items():
        code = PolicyEmitter(unit, unit.export(f"policy.{key}", POLICY), policy)
        answers = {}
        for answer in policy.answers:
            plan = plans[answer.question]
            function = unit.private(f"answer.{key}.{plan.number}", POLICY)
            PolicyEmitter(unit, function, policy).build_answer(answer, plan)
            if sum(len(block.instructions) for block in function.blocks) > SHORT:
                function.attributes.add("noinline")
            answers[plan.number] = function
        code.build_policy(answers)


def stop_at_mistake(code: FunctionWriter, answer: Value) -> None:
    """Return from a run of matches if the last one has an error, of the rules or of a script."""
    wrong = code.wide(code.b.not_(code.is_zero(code.load("#error"))))
    if code.unit.program.policies:
        for seat in range(code.unit.setting.players):
            at = code.address(code.args[1], code.unit.entry_size * seat + 8 * FAULT)
            wrong = code.b.or_(wrong, code.number(at))
    with code.b.if_then(code.b.not_(code.is_zero(wrong)), likely=False):
        code.b.ret(answer)


class PolicyEmitter(DefineEmitter):
    """Writes a policy, whose function takes the seat's entry, the match, and how many are legal.

    It returns the rank of an action among the legal ones; after an error, which it records, any.
    """

    counts_steps = False

    def __init__(self, unit: Unit, function: Value, policy: nodes.Policy) -> None:
        super().__init__(unit, function, 0, f"strategy '{policy.name}'")
        self.policy = policy
        self.entry, match, self.count = self.args
        self.args = [match]
        self.targets, self.signals, self.exits = Targets(), set(), {}
        self.span, self.seat = policy.span, self.load("#seat")

    def build_policy(self, answers: Mapping[int, Value]) -> None:
        """Write the function that calls the answer function of each question.

        Each answer function saves only the registers that it needs.
        """
        for place, memory in enumerate(self.policy.memory):
            self._settle(memory, place)
        nowhere = self.block("nowhere")
        # A table of addresses would cost an extra indirect jump, which is hard to predict.
        set.add(self.function.attributes, '"no-jump-tables"="true"')
        switch = self.b.switch(self.load("#decision"), nowhere)
        for number, function in answers.items():
            block = self.block("answer")
            switch.add_case(const(number), block)
            self.at(block)
            self.b.ret(self.b.call(function, self.function.args, tail=True))
        self.at(nowhere)
        self.b.unreachable()

    def build_answer(self, answer: nodes.Answer, plan: AskPlan) -> None:
        self.plan = plan
        with self.other_slots(answer.slots), self.memo.scope():
            self.bind(0, self.seat)
            self.block_of(answer.body)
        if not self.b.block.is_terminated:
            self.b.unreachable()

    # -------------------------------------------------------- own stream, own errors

    def by_chance(self, luck: ChanceEvent) -> Value:
        """Return a random outcome for the strategy."""
        if luck.kind != CHANCE or self.unit.mode.form is not Form.EXACT:
            return super().by_chance(luck)
        b = self.b
        never = b.icmp_signed("<=", luck.one, const(0))
        sure = b.or_(never, b.icmp_signed(">=", luck.one, luck.two))
        return self._take_outcome(sure, self.wide(b.not_(never)), luck.two, luck.one)

    def _take_outcome(self, sure: Value, alone: Value, outcomes: Value, part: Value) -> Value:
        """Return the given outcome; record how many are possible. A certain one is not given."""
        b, result = self.b, self.cell(alone)
        start = tape_index(self.unit.program)
        with b.if_then(b.not_(sure)):
            used = self.address(self.entry, 8 * (start - 1))
            time = self.number(used)
            b.store(b.add(time, const(1)), used)
            with b.if_then(b.icmp_signed("<", time, const(TAPE))):
                outcome, many, share = (
                    self.address(self.entry, 8 * (start + at), time, 8 * TAPE_PARTS)
                    for at in range(TAPE_PARTS)
                )
                b.store(outcomes, many)
                b.store(part, share)
                b.store(self.number(outcome), result)
        return self.number(result)

    def below(self, bound: Value) -> Value:
        if self.unit.mode.form is Form.EXACT:
            sure = self.b.icmp_signed("<=", bound, const(1))
            return self._take_outcome(sure, const(0), bound, const(-1))
        return emit_below_ahead(self, self.address(self.entry, 8 * STREAM), bound)

    def give_up(self, mistake: Value) -> None:
        self.may_fail = True
        self.b.store(mistake, self.address(self.entry, 8 * FAULT))
        self.b.ret(const(0))

    # -------------------------------------------------------- memory

    def _settle(self, memory: nodes.Memory, place: int) -> None:
        """Initialize a memory if its trick, deal or match has begun anew."""
        stamp, value = (self.address(self.entry, 8 * at) for at in memory_index(place))
        current = self._stamp(memory.lifetime)
        fresh, settled = self.block("fresh"), self.block("settled")
        same = self.b.icmp_signed("==", self.number(stamp), current)
        self.b.cbranch(same, settled, fresh)
        self.at(fresh)
        with self.other_slots(memory.slots), self.on_some_paths():
            self.bind(0, self.seat)
            self._keep(memory, self.as_number(self.source(memory.initial)), value, memory.initial)
        self.b.store(current, stamp)
        self.b.branch(settled)
        self.at(settled)

    def _stamp(self, lifetime: str) -> Value:
        """Return a number that differs from trick to trick, deal to deal; never 0."""
        if lifetime == "match":
            return const(1)
        deal = self.b.add(self.load("#deals"), const(1))
        if lifetime == "deal":
            return deal
        return self.b.or_(self.b.shl(deal, const(32)), self.load(TRICKS))

    def _keep(self, memory: nodes.Memory, number: Value, at: Value, node: nodes.Node) -> None:
        if isinstance(memory.type, Number):
            low, high = memory.type.low, memory.type.high
            wrong = self.is_outside(number, low, high)
            message = f"'{memory.name}' would be out of its bounds, {low} to {high}"
            self.fail_if(wrong, "out-of-range", message, node.span)
        self.b.store(number, at)

    def _memory(self, name: str) -> tuple[nodes.Memory, Value]:
        place = next(i for i, m in enumerate(self.policy.memory) if m.name == name)
        _, value = memory_index(place)
        return self.policy.memory[place], self.address(self.entry, 8 * value)

    # -------------------------------------------------------- the question

    def value(self, node: nodes.Expression) -> Value:
        match node:
            case nodes.Legal(_, _, option):
                return self._legal(self.plan.options[option])
            case nodes.LegalAt(_, _, option, values):
                return self._is_legal(self.plan.options[option], values)
            case nodes.Remembered(_, type_, name):
                result = self.b.load(self._memory(name)[1], typ=I64)
                return self.b.trunc(result, I1) if isinstance(type_, YesNo) else result
        return super().value(node)

    def _legal(self, option: OptionPlan) -> Value:
        word, shift = divmod(option.first, 64)
        mask = self.b.lshr(self.load("#legal", const(word)), const(shift))
        return self.b.and_(mask, const((1 << option.size) - 1)) if option.size < 64 else mask

    def _is_legal(self, option: OptionPlan, values: tuple[nodes.Expression, ...]) -> Value:
        number, inside = self._number(option, values)
        word = self.load("#legal", self.b.lshr(number, const(6)))
        return self.b.and_(inside, self.has_bit(word, self.b.and_(number, const(63))))

    def _number(
        self, option: OptionPlan, values: tuple[nodes.Expression, ...]
    ) -> tuple[Value, Value]:
        """Return an action's number, and whether it exists; if not, another action's number."""
        number, inside = const(0), ir.Constant(I1, 1)
        for choice, node in zip(option.choices, values, strict=True):
            value = self.as_number(self.value(node))
            if choice.cards:
                digit = number_of_hand(self, value, choice)
            else:
                digit = self.b.sub(value, const(choice.low))
            inside = self.b.and_(inside, self.b.icmp_unsigned("<", digit, const(choice.size)))
            number = self.b.add(self.b.mul(number, const(choice.size)), digit)
        number = self.b.select(inside, number, const(0))
        return self.b.add(number, const(option.first)), inside

    # -------------------------------------------------------- sentences

    def _sentence(self, node: nodes.Statement, loose: bool) -> None:
        match node:
            case nodes.Take(_, option, values):
                number, _ = self._number(self.plan.options[option], values)
                self.b.ret(self._rank(self.plan, number))
            case nodes.TakeAny():
                note_any(self, self.entry)
                self.b.ret(self.below(self.count))
            case nodes.Assign(_, nodes.Remembered(_, type_, name), op, value):
                memory, at = self._memory(name)
                new = self.as_number(self.source(value))
                if op != "=":
                    old = self.number(at)
                    new = self.new_value(op, type_, old, new)
                self._keep(memory, new, at, node)
            case _:
                super()._sentence(node, loose)

    def _rank(self, plan: AskPlan, number: Value) -> Value:
        """Return the number of legal actions below the one with this number."""
        b, rank = self.b, const(0)
        place = b.lshr(number, const(6))
        below = b.sub(self.bit(b.and_(number, const(63))), const(1))
        for word in range(plan.words):
            mask = b.select(b.icmp_signed("==", place, const(word)), below, ALL)
            mask = b.select(b.icmp_signed("<", place, const(word)), const(0), mask)
            rank = b.add(rank, self.count_bits(b.and_(self.load("#legal", const(word)), mask)))
        return rank
