"""What each sentence does, as instructions: a rule is a function that says how it was left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import assert_never

from trutdsl.ir import nodes
from trutdsl.ir.effects import NOTHING
from trutdsl.ir.types import Kind, Number, SetOf, YesNo
from trutdsl.native import at_hand
from trutdsl.native.actions import AskPlan
from trutdsl.native.builder import known
from trutdsl.native.emit_cards import CardSentence, emit_cards
from trutdsl.native.emit_expressions import ExpressionEmitter
from trutdsl.native.emit_play import emit_deal, emit_trick, end_deal, end_match, winner_of
from trutdsl.native.in_place import Outcomes, emit_in_place
from trutdsl.native.loops import emit_loop
from trutdsl.native.luck import (
    CHANCE,
    COUNTER,
    DRAW,
    RANDOM,
    ROLL,
    Luck,
)
from trutdsl.native.questions import action_of_rank, ask_policy, emit_ask, policy_of
from trutdsl.native.unit import I1, I64, Value, const
from trutdsl.native.watch import emit_watch
from trutdsl.native.whereabouts import shuffled_later

# How a rule is left, other than at its end.
NO_MISTAKE = const(0)
DONE, END_TRICK, END_DEAL, END_MATCH, FAILED = range(5)


@dataclass
class Targets:
    """Where the sentences go that leave something; None if it is outside of this function."""

    done: Value | None = None
    stop: Value | None = None
    next: Value | None = None
    again: Value | None = None
    end_trick: Value | None = None
    end_deal: Value | None = None


class RuleEmitter(ExpressionEmitter):
    """Writes the body of one rule. Its function takes the match, the table, then the arguments.

    signals: the ways in which the rule can be left.
    """

    targets: Targets
    result: Value | None = None
    outcomes: Outcomes | None = None  # of what is written in place
    signals: set[int]
    turns_at_hand = 0  # loops around that are written as two turns, see `at_hand`
    deals_at_once = True  # whether loops that only deal look once before them
    sure: frozenset[str] = frozenset()  # zones known to have the cards or the room

    def build(self, rule: nodes.Rule) -> None:
        """Write the whole function of a rule."""
        self.targets, self.signals = Targets(), set()
        self.result = self.args[2 + len(rule.params)] if rule.result is not None else None
        self.exits: dict[int, Value] = {}
        for slot in range(len(rule.params)):
            self.bind(slot, self.args[2 + slot])
        self.block_of(rule.body)
        if not self.b.block.is_terminated:
            self.b.ret(const(DONE))
        if self.failed is not None:
            self.at(self.failed)
            self.signals.add(FAILED)
            self.b.ret(const(FAILED))

    # -------------------------------------------------------- leaving

    def leave(self, signal: int) -> None:
        """Leave the rule."""
        if signal not in self.exits:
            here = self.b.block
            self.exits[signal] = self.block("leave")
            self.at(self.exits[signal])
            self.b.ret(const(signal))
            self.at(here)
            self.signals |= {signal} - {DONE}
        self.b.branch(self.exits[signal])

    def give_back(self, value: Value | None) -> None:
        """Leave the function with what the rule returns, if it does."""
        if value is not None and self.result is not None:
            self.b.store(self.as_number(value), self.result)
        self.leave(DONE)

    def signal(self, signal: int) -> None:
        """Go where a trick or deal ends, in this rule or in one that does it."""
        target = {END_TRICK: self.targets.end_trick, END_DEAL: self.targets.end_deal}.get(signal)
        if target is not None:
            self.b.branch(target)
        else:
            self.leave(signal)

    @contextmanager
    def inside(self, **changes: Value) -> Iterator[None]:
        """Change where some sentences go, for a part of the rule."""
        before = self.targets
        self.targets = Targets(**{**vars(before), **changes})
        yield
        self.targets = before

    # -------------------------------------------------------- sentences

    def block_of(self, node: nodes.Block) -> None:
        """Write the sentences of a block; those that nothing reaches are left out."""
        loose = shuffled_later(node)
        for statement in node.statements:
            if self.b.block.is_terminated:
                return
            self.statement(statement, id(statement) in loose)

    def statement(self, node: nodes.Statement, loose: bool = False) -> None:
        """Write one sentence; loose: the pile that it lays cards on is shuffled right after."""
        if isinstance(node, nodes.Let):
            value = self.source(node.value)
            if not (isinstance(node.value, nodes.Do) and self.is_in_place(node.value)):
                self.memo.forget(self.changed_by(node.value))
            self.bind(node.slot, value)
            return
        if self.unit.unused is not None and self.unit.unused.is_idle(node):
            return
        self.span = node.span
        if self.unit.how.notes:
            path = node.span.source.name
            self.b.comment(f"{type(node).__name__} in {self.place}, {path}:{node.span.line}")
        changed = self.changed_by(node)
        match node:
            case nodes.For() | nodes.Repeat() | nodes.Ask():  # which come back to their start
                self.memo.forget(changed)
                with self.memo.scope():
                    self._sentence(node, loose)
            case nodes.DealBlock() | nodes.TrickBlock() | nodes.Setup():
                with self.memo.scope():
                    self._sentence(node, loose)
            case _:
                self._sentence(node, loose)
        # What is written in place has seen to that itself, sentence by sentence.
        known = isinstance(node, nodes.Perform) and self.is_in_place(node.do)
        self.memo.go_on(NOTHING if known else changed)

    def _sentence(self, node: nodes.Statement, loose: bool) -> None:
        match node:
            case nodes.Let():
                raise AssertionError("a name is bound elsewhere")
            case nodes.Assign():
                self._assign(node)
            case nodes.Perform(_, do):
                self.perform(do)
            case nodes.Return(_, value):
                given = None if value is None else self.source(value)
                if self.outcomes is not None:
                    self.outcomes.append((given, self.b.block))
                    self.b.branch(self.targets.done)
                else:
                    self.give_back(given)
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
            case (
                nodes.Shuffle()
                | nodes.Draw()
                | nodes.Move()
                | nodes.MoveAll()
                | nodes.Swap()
                | nodes.Gather()
            ):
                self.cards(node, loose)
            case _:
                assert_never(node)

    # -------------------------------------------------------- values

    def source(self, node: nodes.Expression) -> Value:
        """Return a value, from chance or a rule if need be."""
        b = self.b
        match node:
            case nodes.Do():
                return self.perform(node)
            case nodes.Roll(span, _, low, high):
                least, most = self.value(low), self.value(high)
                none = b.icmp_signed(">", least, most)
                self.fail_if(none, "nothing", "there is no number to roll", span)
                return self.by_chance(Luck(ROLL, least, most))
            case nodes.RandomFrom(span, _, items):
                mask = self.value(items)
                message = "there is nothing for chance to pick from"
                self.fail_if(self.is_zero(mask), "nothing", message, span)
                kind = list(Kind).index(items.type.kind) if isinstance(items.type, SetOf) else 0
                return self.by_chance(Luck(RANDOM, mask, const(kind)))
            case nodes.Chance(span, _, part, whole):
                p = self.value(part)
                n = self.value(whole) if whole is not None else const(10**6)
                wrong = b.or_(b.icmp_signed("<", p, const(0)), b.icmp_signed(">", p, n))
                self.fail_if(wrong, "nothing", "this is no chance", span)
                return b.trunc(self.by_chance(Luck(CHANCE, p, n)), I1)
        return self.value(node)

    def by_chance(self, luck: Luck) -> Value:
        """Return what chance gives."""
        b, stream = self.b, self.chance_stream()
        if luck.kind == ROLL:
            many = b.add(b.sub(luck.two, luck.one), const(1))
            return b.add(luck.one, self.below(stream, many))
        if luck.kind == CHANCE:
            return self.wide(b.icmp_signed("<", self.below(stream, luck.two), luck.one))
        many = luck.many if luck.kind == DRAW else self.count_bits(luck.one)
        return self.pick(luck.one, self.below(stream, many, luck.several))

    def answer(self, seat: Value, count: Value, words: list[Value]) -> Value:
        """Return the number of the action that the seat takes."""
        policy, data = policy_of(self, seat)
        rank = ask_policy(self, policy, data, count)
        if self.unit.how.checked:
            wrong = self.b.icmp_unsigned(">=", rank, count)
            self.check(wrong, "a strategy took an action that is none")
        return action_of_rank(self, words, rank)

    def forget_steps(self) -> None:
        """Begin to count steps anew; what was counted may be enough for somebody to look."""
        self.may_stop(self.load("#steps"))
        self.store("#steps", const(0))

    def may_stop(self, steps: Value) -> None:
        """Let whoever waits for the matches stop them, so many steps after the last time."""
        emit_watch(self, steps)

    def event(self, kind: int, *values: Value) -> None:
        """Tell of something that happened; nobody listens to a run of many matches."""

    def chosen(self, plan: AskPlan, option: int) -> None:
        """Note which option was chosen; nobody counts them here."""

    def tell(self, name: str, value: Value) -> None:
        """Keep in the match what only those look at who follow it; here nobody does."""

    @contextmanager
    def kept(self, _body: nodes.Node) -> Iterator[None]:
        """Keep what a loop needs where it outlives the function, if its body may leave it."""
        yield

    def perform(self, node: nodes.Do) -> Value:
        """Do a rule; return what it returns, or None."""
        self.step(node, node.span)
        rule = self.unit.program.rules[node.rule]
        args = [self.as_number(self.value(a)) for a in node.args]
        if self.is_in_place(node):
            return self.in_place(rule, args)
        made = self.unit.rule(node.rule, self.sure & self.unit.effects.changed_by(node))
        out = self.local() if rule.result is not None else None
        given = [*self.args[:2], *args, *([out] if out is not None else [])]
        left = self.b.call(made.function, given)
        self.memo.forget(self.changed_by(node))
        for name in sorted(self.changed_by(node)):
            at_hand.note_any(self, name)
        self.follow(left, made.signals)
        if out is None:
            return None
        found = self.b.load(out, typ=I64)
        return self.b.trunc(found, I1) if isinstance(rule.result, YesNo) else found

    def is_in_place(self, node: nodes.Do) -> bool:
        """Tell whether the sentences of a rule are written where it is done."""
        return self.inlines and self.unit.is_written_in_place(node.rule)

    def in_place(self, part: nodes.Function | nodes.Rule, args: list[Value]) -> Value:
        """Write a `define` or rule here, and return what it gives."""
        return emit_in_place(self, part, args)

    def follow(self, left: Value, signals: Iterable[int]) -> None:
        """Go where the way in which another rule was left leads; go on here if it just ended."""
        on = self.block("done")
        choice = self.b.switch(left, on)
        for number in sorted(signals):
            here = self.block("left")
            choice.add_case(const(number), here)
            self.at(here)
            self.signal(number)
        self.at(on)

    def _assign(self, node: nodes.Assign) -> None:
        b, target = self.b, node.target
        value = self.as_number(self.source(node.value))
        at = None
        if isinstance(target, nodes.Var):
            at = self.value(target.index) if target.index is not None else None
            old = self.load(target.name, at) if node.op != "=" else None
        else:
            old = self.slots[target.slot].read(self)
        if node.op != "=":
            if isinstance(target.type, SetOf):
                value = b.or_(old, value) if node.op == "+=" else self.without(old, value)
            else:
                value = b.add(old, value) if node.op == "+=" else b.sub(old, value)
        if isinstance(target.type, Number):
            low, high = target.type.low, target.type.high
            if isinstance(target, nodes.Var):
                field = self.unit.layout.fields[target.name]
                low, high = field.low, field.high
            wrong = b.or_(
                b.icmp_signed("<", value, const(low)), b.icmp_signed(">", value, const(high))
            )
            message = f"'{target.name}' would be out of its bounds, {low} to {high}"
            self.fail_if(wrong, "out-of-range", message, node.span)
        if isinstance(target, nodes.Var):
            self._store(target, value, at)
        else:
            self.slots[target.slot].write(self, value)

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
        wanted = self.value(test)
        settled = known(wanted)
        if settled:
            self.block_of(body)
            return
        if settled == 0:
            if more:
                self._if(more, last)
            else:
                self.block_of(last)
            return
        done = self.block("if.end")
        then, otherwise = self.block("then"), self.block("else")
        self.b.cbranch(wanted, then, otherwise)
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

    def before_deal(self) -> None:
        """Stand before the next deal."""

    def after_trick(self, zone: str) -> None:
        """Stand behind a trick, its cards still on this zone."""

    def _check_start(self, variable: nodes.Variable, value: Value) -> None:
        field, type_ = self.unit.layout.fields[variable.name], variable.initial.type
        if not isinstance(variable.type, Number):
            return
        if isinstance(type_, Number) and field.low <= type_.low and type_.high <= field.high:
            return
        wrong = self.b.or_(
            self.b.icmp_signed("<", value, const(field.low)),
            self.b.icmp_signed(">", value, const(field.high)),
        )
        message = f"'{variable.name}' would start out of its bounds, {field.low} to {field.high}"
        self.fail_if(wrong, "out-of-range", message, variable.initial.span)

    def start_variables(self, lifetime: str) -> None:
        """Give the variables of a lifetime what they start as."""
        for variable in self.unit.program.variables.values():
            kept = self.unit.unused is None or self.unit.unused.is_kept(variable)
            if variable.lifetime != lifetime or not kept:
                continue
            with self.other_slots(variable.slots):
                value = self.as_number(self.value(variable.initial))
                self._check_start(variable, value)
            for i in range(self.unit.setting.count(variable.index)):
                self.store(variable.name, value, const(i))
            self.memo.forget(frozenset({variable.name}))

    def cards(self, node: CardSentence, loose: bool) -> None:
        """Write a sentence that moves cards."""
        emit_cards(self, node, loose)
