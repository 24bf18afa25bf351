"""The body of a rule: its exits, its events, and the interface of its sentences."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from llvmlite import ir

from trutdsl.ir import nodes
from trutdsl.ir.types import Number, SetOf, Type
from trutdsl.native.abi import ANY, CHANCE, ROLL
from trutdsl.native.emit import chance
from trutdsl.native.emit.body import emit_watch, value_key
from trutdsl.native.emit.chance import ChanceEvent, emit_below
from trutdsl.native.emit.expressions import ExpressionEmitter
from trutdsl.native.llvm import I64, PTR, Value, const
from trutdsl.native.llvm.function import FunctionWriter
from trutdsl.table.actions import AskPlan
from trutdsl.table.match import Route

# Calls of policies: the functions that answer for a seat, and their actions.

POLICY = ir.FunctionType(I64, [PTR, PTR, I64])  # the seat's data, the match, the number of actions


def policy_of(code: FunctionWriter, seat: Value) -> tuple[Value, Value]:
    entry = code.address(code.args[1], 0, seat, code.unit.entry_size)
    return code.b.load(entry, typ=POLICY.as_pointer()), entry


def ask_policy(code: FunctionWriter, policy: Value, data: Value, count: Value) -> Value:
    """Return the legal action that a policy takes.

    It may read the match, but changes nothing in it, and at the table only its own entry.
    """
    aside = {1: ("noalias", "captures(none)")}
    if code.unit.mode.checked:
        return code.b.call(policy, [data, code.args[0], count])
    rank = code.b.call(policy, [data, code.args[0], count], attrs=("nounwind",), arg_attrs=aside)
    # LLVM knows these attributes, but llvmlite's lists do not have them.
    set.add(rank.attributes, "inaccessiblemem_or_argmemonly")
    set.add(rank.arg_attributes[1], "readonly")
    return rank


def note_any(code: FunctionWriter, entry: Value) -> None:
    """Record in a seat's entry that its policy takes any action, if answers are counted."""
    if code.unit.mode.counts:
        code.b.store(const(1), code.address(entry, 8 * ANY))


def action_of_rank(code: FunctionWriter, words: list[Value], rank: Value) -> Value:
    """Return the number of the action after `rank` legal ones."""
    if len(words) == 1:
        return code.pick(words[0], rank)
    b = code.b
    result = code.local()
    left = code.cell(rank)
    done = code.block("found")
    for number, word in enumerate(words):
        block, more = code.block("here"), code.block("more")
        before, size = code.number(left), code.count_bits(word)
        b.cbranch(b.icmp_signed("<", before, size), block, more)
        code.at(block)
        b.store(b.add(const(64 * number), code.pick(word, before)), result)
        b.branch(done)
        code.at(more)
        b.store(b.sub(before, size), left)
    b.unreachable()
    code.at(done)
    return code.number(result)


Outcomes = list[tuple[Value, Value]]  # the value of a part, and the block that computes it

# The exits of a rule, other than its end.
NO_MISTAKE = const(0)
DONE, END_TRICK, END_DEAL, END_MATCH, FAILED = range(5)


@dataclass
class Targets:
    """The targets of sentences that leave something; None if it is outside of this function."""

    done: Value | None = None
    stop: Value | None = None
    next: Value | None = None
    again: Value | None = None
    end_trick: Value | None = None
    end_deal: Value | None = None


class RuleWriter(ExpressionEmitter):
    """Writes sentences into the body of one rule or define.

    signals: the exits of the rule.
    """

    targets: Targets
    result: Value | None = None
    outcomes: Outcomes | None = None  # of inlined parts
    signals: set[int]
    exits: dict[int, Value]  # early exits of the rule
    loops = 0  # around the current sentence, in this function
    deals_at_once = True  # whether loops that deal rounds check once before them
    by_rounds = False  # whether the current loop deals in rounds, with no card reserved

    @abstractmethod
    def block_of(self, node: nodes.Block) -> None:
        """Write the sentences of a block, without unreachable ones."""

    # -------------------------------------------------------- leaving

    def leave(self, signal: int) -> None:
        if signal not in self.exits:
            block = self.b.block
            self.exits[signal] = self.block("leave")
            self.at(self.exits[signal])
            self.b.ret(const(signal))
            self.at(block)
            self.signals |= {signal} - {DONE}
        self.b.branch(self.exits[signal])

    def give_back(self, value: Value | None) -> None:
        if value is not None and self.result is not None:
            self.b.store(self.as_number(value), self.result)
        self.leave(DONE)

    def signal(self, signal: int) -> None:
        """Jump to the end of a trick or deal, in this rule or in a caller."""
        target = {END_TRICK: self.targets.end_trick, END_DEAL: self.targets.end_deal}.get(signal)
        if target is not None:
            self.b.branch(target)
        else:
            self.leave(signal)

    @contextmanager
    def inside(self, **changes: Value) -> Iterator[None]:
        """Change the targets of some sentences, for a part of the rule."""
        before = self.targets
        self.targets = Targets(**{**vars(before), **changes})
        yield
        self.targets = before

    # -------------------------------------------------------- actions and events

    def below(self, bound: Value) -> Value:
        return emit_below(self, self.chance_stream(), bound)

    def by_chance(self, luck: ChanceEvent) -> Value:
        """Return the outcome of a chance event."""
        b = self.b
        if luck.kind == ROLL:
            many = b.add(b.sub(luck.two, luck.one), const(1))
            return b.add(luck.one, self.below(many))
        if luck.kind == CHANCE:
            return self.wide(b.icmp_signed("<", self.below(luck.two), luck.one))
        if luck.draw is not None:
            return chance.draw_card(self, luck.one, luck.two, luck.draw)
        return self.pick(luck.one, self.below(self.count_bits(luck.one)))

    def answer(self, seat: Value, count: Value, words: list[Value]) -> tuple[Value, Value | None]:
        """Return the number of the action that the seat takes, and its rank among the legal ones.

        The rank is None if the action need not come from a policy.
        """
        policy, data = policy_of(self, seat)
        rank = ask_policy(self, policy, data, count)
        if self.unit.mode.checked:
            wrong = self.b.icmp_unsigned(">=", rank, count)
            self.check(wrong, "a strategy took an action that is none")
        return action_of_rank(self, words, rank), rank

    def forget_steps(self) -> None:
        self.may_stop(self.load("#steps"))
        self.store("#steps", const(0))

    def may_stop(self, steps: Value) -> None:
        """Let the caller stop the matches, so many steps after the last time."""
        emit_watch(self, steps)

    def event(self, kind: int, *values: Value) -> None:
        """Report an event; a run of many matches has no observer."""

    def record_choice(self, plan: AskPlan, option: int) -> None:
        """Record the chosen option; does nothing without counts."""

    def tell(self, name: str, value: Value) -> None:
        """Store in the match a value that only observers read; here there are none."""

    def announce(self, number: int, who: Value, value: Value, seats: Value) -> None:
        """Announce a value to seats, with its speaker, if any; here without observers."""

    def report_passing(self, route: Route, at: Value, to: Value, cards: Value) -> None:
        """Report cards that went from one seat or team to another; here without observers."""

    def forget_heard(self) -> None:
        """Begin a deal, in which no seat has heard anything."""

    @contextmanager
    def keep_values(self, _body: nodes.Node, of_cards: bool = False) -> Iterator[None]:  # noqa: ARG002
        """Store the loop's values in the match, if its body may suspend."""
        yield

    def before_deal(self) -> None:
        """Run before the next deal."""

    def after_trick(self, zone: str) -> None:
        """Run after a trick, its cards still in this zone."""

    def new_value(self, op: str, type_: Type, old: Value, value: Value) -> Value:
        """Return the result of `+=` or `-=` on a number or a set."""
        if isinstance(type_, SetOf):
            return self.b.or_(old, value) if op == "+=" else self.without(old, value)
        return self.b.add(old, value) if op == "+=" else self.b.sub(old, value)

    def _check_start(self, variable: nodes.Variable, value: Value) -> None:
        field, type_ = self.unit.layout.fields[variable.name], variable.initial.type
        if not isinstance(variable.type, Number):
            return
        if isinstance(type_, Number) and field.low <= type_.low and type_.high <= field.high:
            return
        wrong = self.is_outside(value, field.low, field.high)
        message = f"'{variable.name}' would start out of its bounds, {field.low} to {field.high}"
        self.fail_if(wrong, "out-of-range", message, variable.initial.span)

    def start_variables(self, lifetime: str) -> None:
        """Initialize the variables of a lifetime."""
        for variable in self.unit.program.variables.values():
            if variable.lifetime != lifetime:
                continue
            with self.other_slots(variable.slots):
                value = self.as_number(self.value(variable.initial))
                self._check_start(variable, value)
            name = frozenset({variable.name})
            self.memo.forget(name)
            for i in range(self.unit.setting.count(variable.index)):
                self.store(variable.name, value, const(i))
                place = () if variable.index is None else value_key(const(i))
                self.memo.keep(("variable", variable.name, *place), value, name)
