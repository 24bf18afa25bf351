"""Statements as instructions, and inlining: a rule is a function that returns its exit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from llvmlite import ir

from trutdsl.ir import nodes
from trutdsl.ir.effects import NOTHING
from trutdsl.ir.types import Number, SetOf, YesNo, among
from trutdsl.native.abi import CHANCE, COUNTER, NONE, RANDOM, ROLL
from trutdsl.native.emit.cards import emit_cards
from trutdsl.native.emit.chance import ChanceEvent
from trutdsl.native.emit.loops import emit_loop
from trutdsl.native.emit.phases import (
    emit_ask,
    emit_deal,
    emit_trick,
    end_deal,
    end_match,
    winner_of,
)
from trutdsl.native.emit.rule_writer import (
    DONE,
    END_DEAL,
    END_MATCH,
    END_TRICK,
    FAILED,
    Outcomes,
    RuleWriter,
    Targets,
)
from trutdsl.native.llvm import I1, I64, Value, const, constant_of

MOST_LOOPS = 6  # around an inlined rule; LLVM takes very long for deeper nests


def emit_in_place(code: RuleWriter, part: nodes.Function | nodes.Rule, args: list[Value]) -> Value:
    """Inline a `define` or rule, and return its value.

    Its values stay available if it has only one exit, at its last line.
    """
    with code.other_slots(part.slots):
        for slot, value in enumerate(args):
            code.bind(slot, value)
        if not isinstance(part.body, nodes.Block):
            return code.value(part.body)
        with code.memo.scope() as values:
            outcomes, last = _write_body(code, part)
    if not outcomes:
        if _gives(part):  # unreachable, but the following code needs a block
            return ir.Constant(I1 if isinstance(part.result, YesNo) else I64, 0)
        code.b.unreachable()
        return None
    result, left = outcomes[0]
    if len(outcomes) == 1:
        for key, (value, rests_on) in values.items() if left is last else ():
            code.memo.keep(key, value, rests_on)
    elif result is not None:
        result = code.b.join_paths(outcomes)
    return result


def _write_body(code: RuleWriter, part: nodes.Function | nodes.Rule) -> tuple[Outcomes, Value]:
    """Write the sentences; continue where all exits join. Return the exits, and the last block."""
    assert isinstance(part.body, nodes.Block)
    before, outcomes, done = (code.outcomes, code.place), Outcomes(), code.block(f"{part.name}.end")
    code.outcomes = outcomes
    if isinstance(part, nodes.Rule):
        code.place = part.heading
    with code.inside(done=done, stop=None, next=None, again=None):
        code.block_of(part.body)
    code.outcomes, code.place = before
    last = code.b.block
    if not last.is_terminated:
        if _gives(part):
            code.b.unreachable()
        else:
            outcomes.append((None, last))
            code.b.branch(done)
    code.at(done)
    return outcomes, last


def _gives(part: nodes.Function | nodes.Rule) -> bool:
    return isinstance(part, nodes.Function) or part.result is not None


def cards_shuffled_next(block: nodes.Block) -> frozenset[int]:
    """Return the sentences, by `id`, that put cards on a shared pile shuffled right after."""
    result: set[int] = set()
    for number, statement in enumerate(block.statements):
        if not isinstance(statement, nodes.Shuffle) or statement.zone.index is not None:
            continue
        for earlier in reversed(block.statements[:number]):
            if not isinstance(earlier, nodes.Gather | nodes.MoveAll):
                break
            if earlier.target.name != statement.zone.name:
                break
            result.add(id(earlier))
    return frozenset(result)


class RuleEmitter(RuleWriter):
    """Writes the body of one rule. Its function takes the match, the table, then the arguments."""

    def build(self, rule: nodes.Rule) -> None:
        self.targets, self.signals = Targets(), set()
        self.result = self.args[2 + len(rule.params)] if rule.result is not None else None
        self.exits = {}
        for slot in range(len(rule.params)):
            self.bind(slot, self.args[2 + slot])
        self.block_of(rule.body)
        if not self.b.block.is_terminated:
            self.b.ret(const(DONE))
        if self.failed is not None:
            self.at(self.failed)
            self.signals.add(FAILED)
            self.b.ret(const(FAILED))

    # -------------------------------------------------------- sentences

    def block_of(self, node: nodes.Block) -> None:
        loose = cards_shuffled_next(node)
        for statement in node.statements:
            if self.b.block.is_terminated:
                return
            self.statement(statement, id(statement) in loose)

    def statement(self, node: nodes.Statement, loose: bool = False) -> None:
        """Write one sentence; loose: the pile that it puts cards on is shuffled right after."""
        if isinstance(node, nodes.Let):
            self.bind(node.slot, self.source(node.value))
            return
        self.span = node.span
        if self.unit.mode.notes:
            path = node.span.source.name
            self.b.comment(f"{type(node).__name__} in {self.place}, {path}:{node.span.line}")
        writes = self.writes_of(node)
        match node:
            case (
                nodes.For()
                | nodes.Repeat()
                | nodes.Ask()
                | nodes.DealBlock()
                | nodes.TrickBlock()
                | nodes.Setup()
            ):
                with self.memo.scope():
                    self._sentence(node, loose)
            case _:
                self._sentence(node, loose)
        # The caller of a rule has already done this.
        self.memo.forget(NOTHING if isinstance(node, nodes.Perform) else writes)

    def _sentence(self, node: nodes.Statement, loose: bool) -> None:
        match node:
            case nodes.Let():
                raise AssertionError("a name is bound elsewhere")
            case nodes.Assign():
                self._assign(node)
            case nodes.Perform(_, do):
                self.perform(do)
            case nodes.Return(_, value):
                source = None if value is None else self.source(value)
                if self.outcomes is not None:
                    self.outcomes.append((source, self.b.block))
                    self.b.branch(self.targets.done)
                else:
                    self.give_back(source)
            case nodes.Stop():
                self.b.branch(self.targets.stop)
            case nodes.Next():
                self.b.branch(self.targets.next)
            case nodes.Again():
                self.b.branch(self.targets.again)
            case nodes.If():
                self._if(node.branches, node.otherwise)
            case nodes.For() | nodes.Repeat():
                emit_loop(self, node)
            case nodes.DealBlock():
                emit_deal(self, node)
            case nodes.TrickBlock():
                emit_trick(self, node)
            case nodes.Setup(_, _, body):
                self.block_of(body)
            case nodes.Ask():
                emit_ask(self, node)
            case nodes.EndTrick(_, winner):
                self.tell("#trick_winner", winner_of(self, winner))
                self.signal(END_TRICK)
            case nodes.EndDeal(_, winner, reason):
                end_deal(self, winner_of(self, winner), reason)
                self.signal(END_DEAL)
            case nodes.EndMatch(_, winner, reason):
                end_match(self, winner_of(self, winner), reason)
                self.leave(END_MATCH)
            case nodes.Reveal(_, what, seats):
                at = const(0) if what.index is None else self.value(what.index)
                name = f"{what.name}.shown"
                self.store(name, self.b.or_(self.load(name, at), self.value(seats)), at)
            case nodes.Announce():
                value = self.as_number(self.value(node.value))
                who = const(NONE) if node.speaker is None else self.value(node.speaker)
                number = self.unit.layout.announcements.index((node.words, node.type))
                self.announce(number, who, value, self.value(node.seats))
            case (
                nodes.Shuffle()
                | nodes.Draw()
                | nodes.Move()
                | nodes.MoveAll()
                | nodes.Swap()
                | nodes.Gather()
            ):
                self.cards(node, loose)
            case nodes.Take() | nodes.TakeAny():
                raise AssertionError("only a policy takes an action")
            case _:
                assert_never(node)

    # -------------------------------------------------------- values

    def source(self, node: nodes.Expression) -> Value:
        b = self.b
        match node:
            case nodes.Do():
                return self.perform(node)
            case nodes.Roll(span, _, low, high):
                least, most = self.value(low), self.value(high)
                none = b.icmp_signed(">", least, most)
                self.fail_if(none, "nothing", "there is no number to roll", span)
                return self.by_chance(ChanceEvent(ROLL, least, most))
            case nodes.RandomFrom(span, _, items):
                mask = self.value(items)
                message = "there is nothing for chance to pick from"
                self.fail_if(self.is_zero(mask), "nothing", message, span)
                of = items.type.kind if isinstance(items.type, SetOf) else None
                sets = [*self.unit.layout.chance_sets]
                name = among(of) if of is not None else ""
                kind = sets.index(name) if name in sets else 0
                return self.by_chance(ChanceEvent(RANDOM, mask, const(kind)))
            case nodes.Chance(span, _, part, whole):
                p = self.value(part)
                n = self.value(whole) if whole is not None else const(10**6)
                wrong = b.or_(b.icmp_signed("<", p, const(0)), b.icmp_signed(">", p, n))
                self.fail_if(wrong, "nothing", "this is not a chance", span)
                return b.trunc(self.by_chance(ChanceEvent(CHANCE, p, n)), I1)
        return self.value(node)

    def perform(self, node: nodes.Do) -> Value:
        self.step(node, node.span)
        rule = self.unit.program.rules[node.rule]
        args = [self.as_number(self.value(a)) for a in node.args]
        if self.is_in_place(node):
            return self.in_place(rule, args)
        function = self.unit.rule(node.rule)
        if self.loops >= MOST_LOOPS:
            function.function.attributes.add("noinline")
        out = self.local() if rule.result is not None else None
        all_args = [*self.args[:2], *args, *([out] if out is not None else [])]
        left = self.b.call(function.function, all_args)
        self.memo.forget(self.writes_of(node))
        self.follow(left, function.signals)
        if out is None:
            return None
        result = self.number(out)
        return self.b.trunc(result, I1) if isinstance(rule.result, YesNo) else result

    def is_in_place(self, node: nodes.Do) -> bool:
        few_loops = self.loops < MOST_LOOPS
        return self.inlines and few_loops and self.unit.is_written_in_place(node.rule)

    def in_place(self, part: nodes.Function | nodes.Rule, args: list[Value]) -> Value:
        return emit_in_place(self, part, args)

    def follow(self, left: Value, signals: Iterable[int]) -> None:
        """Branch to the targets of another rule's exits; continue here if it just ended."""
        on = self.block("done")
        choice = self.b.switch(left, on)
        for number in sorted(signals):
            block = self.block("left")
            choice.add_case(const(number), block)
            self.at(block)
            self.signal(number)
        self.at(on)

    def _assign(self, node: nodes.Assign) -> None:
        target = node.target
        assert not isinstance(target, nodes.Remembered), "only a policy remembers"
        value = self.as_number(self.source(node.value))
        at = None
        if isinstance(target, nodes.Var):
            at = self.value(target.index) if target.index is not None else None
            old = self.load(target.name, at) if node.op != "=" else None
        else:
            old = self.number(self.slots[target.slot])
        if node.op != "=":
            value = self.new_value(node.op, target.type, old, value)
        if isinstance(target.type, Number):
            low, high = target.type.low, target.type.high
            if isinstance(target, nodes.Var):
                field = self.unit.layout.fields[target.name]
                low, high = field.low, field.high
            wrong = self.is_outside(value, low, high)
            message = f"'{target.name}' would be out of its bounds, {low} to {high}"
            self.fail_if(wrong, "out-of-range", message, node.span)
        if isinstance(target, nodes.Var):
            self._store(target, value, at)
        else:
            self.b.store(value, self.slots[target.slot])

    def _store(self, target: nodes.Var, value: Value, at: Value | None) -> None:
        variable = self.unit.program.variables.get(target.name)
        if variable is None or not variable.counter:
            self.store(target.name, value, at)
            return
        old = self.load(target.name, at)
        self.store(target.name, value, at)
        number = self.unit.counters.index(target.name)
        self.event(COUNTER, const(number), at, old, value)

    # -------------------------------------------------------- order of play

    def _if(
        self, branches: Sequence[tuple[nodes.Expression, nodes.Block]], last: nodes.Block
    ) -> None:
        (test, body), *more = branches
        holds = self.value(test)
        constant = constant_of(holds)
        if constant:
            self.block_of(body)
            return
        if constant == 0:
            if more:
                self._if(more, last)
            else:
                self.block_of(last)
            return
        done = self.block("if.end")
        then, otherwise = self.block("then"), self.block("else")
        self.b.cbranch(holds, then, otherwise)
        self.at(then)
        with self.memo.scope():
            self.block_of(body)
        self.go(done)
        self.at(otherwise)
        with self.memo.scope():
            if more:
                self._if(more, last)
            else:
                self.block_of(last)
        self.go(done)
        self.at(done)

    def cards(self, node: nodes.CardSentence, loose: bool) -> None:
        emit_cards(self, node, loose)
