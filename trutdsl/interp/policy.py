"""Policies in the reference engine: a script's answer to the open question of a match.

A policy reads a match through the interface of all engines, so it can answer in either engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trutdsl.diagnostics import Diagnostic, Span
from trutdsl.interp.compile_expressions import compile_chance, compile_expression, new_value
from trutdsl.interp.compile_program import RuleCode
from trutdsl.interp.compile_statements import compile_block
from trutdsl.interp.machine import CompiledStatement, Evaluate, ReturnSignal, Signal, Slots
from trutdsl.interp.table import Pile
from trutdsl.ir import nodes
from trutdsl.ir.types import SEAT, STRENGTH, Number
from trutdsl.language import say
from trutdsl.streams import Stream
from trutdsl.table.chance import Luck
from trutdsl.table.faults import CURES, PolicyError
from trutdsl.table.match import Match, Question
from trutdsl.table.setting import Setting
from trutdsl.table.sight import number_of, sees


class PolicyCode(RuleCode):
    """A policy compiled for one table.

    The check of a script bounds the work of a decision, so no step is counted.
    """

    def __init__(self, program: nodes.Program, policy: nodes.Policy, setting: Setting) -> None:
        self.program, self.setting, self.policy = program, setting, policy
        self.cost = lambda _node: 0
        self.bounds = {}
        super().__init__()
        self.memory = {one.name: one for one in policy.memory}
        self.initial = {one.name: self._initial(one) for one in policy.memory}
        self.answers = {
            answer.question: (answer.slots, compile_block(answer.body, self))
            for answer in policy.answers
        }

    def _initial(self, memory: nodes.Memory) -> Evaluate:
        if isinstance(memory.initial, nodes.Roll | nodes.RandomFrom | nodes.Chance):
            return compile_chance(memory.initial, self)
        return self.value(memory.initial)

    def policy_value(self, node: nodes.Legal | nodes.LegalAt | nodes.Remembered) -> Evaluate:
        match node:
            case nodes.Legal(_, _, option):
                return lambda m, _f: _as_player(m).choices(option)
            case nodes.LegalAt(_, _, option, values):
                parts = [self.value(value) for value in values]
                return lambda m, f: (option, _action_values(parts, m, f)) in _as_player(m).legal
            case nodes.Remembered(_, _, name):
                return lambda m, _f: _as_player(m).recall(name)

    def in_sight(self, node: nodes.Builtin) -> Evaluate:
        zone = node.args[0]
        assert isinstance(zone, nodes.ZoneCards)
        where, cards = self.place(zone), self.value(zone)
        nothing: frozenset[int] = frozenset()
        return lambda m, f: cards(m, f) if _as_player(m).sees(zone.name, where(m, f)) else nothing

    def take(self, node: nodes.Take | nodes.TakeAny) -> CompiledStatement:
        if isinstance(node, nodes.TakeAny):
            return CompiledStatement(False, lambda m, _f: ReturnSignal(_as_player(m).any_action()))
        parts = [self.value(value) for value in node.values]
        return CompiledStatement(
            False,
            lambda m, f: ReturnSignal(
                _as_player(m).legal[node.option, _action_values(parts, m, f)]
            ),
        )

    def memory_store(
        self, target: nodes.Remembered, op: str
    ) -> Callable[[Any, Slots, Any], Signal]:

        def store(m: Any, _f: Slots, value: Any) -> None:
            old = _as_player(m).recall(target.name) if op != "=" else None
            _as_player(m).store(target.name, new_value(old, op, value), target.span)

        return store


def _action_values(parts: Sequence[Evaluate], m: Any, f: Slots) -> tuple[int, ...]:
    """Return the values of an action, several cards as a mask."""
    values = (value(m, f) for value in parts)
    return tuple(number_of(v) if isinstance(v, frozenset) else v for v in values)


def _as_player(m: Any) -> Player:
    assert isinstance(m, Player)
    return m


class Player:
    """One seat in one match, played by a policy; expressions use it in place of the match.

    stream: the random stream of the strategy. took_any: whether a clause `any` gave its last
    answer.
    """

    def __init__(self, code: PolicyCode, match: Match, seat: int, stream: Stream) -> None:
        self.code, self.match, self.seat, self.stream = code, match, seat, stream
        self.chance = Luck(stream)
        self.legal: Mapping[tuple[int, tuple[int, ...]], int] = {}
        self.took_any = False
        self._values: dict[str, Any] = {}
        self._stamps: dict[str, tuple[int, ...]] = {}

    def choose(self, question: Question) -> int:
        """Return the index of the action that the policy takes; raises `PolicyError`."""
        self.legal = {(a.option, a.values): i for i, a in enumerate(question.actions)}
        self.took_any = False
        self._look()
        for memory in self.code.policy.memory:
            self._settle(memory)
        slots, body = self.code.answers[question.number]
        match: Any = self
        signal = body.run(match, [self.seat, *[None] * (slots - 1)])
        assert isinstance(signal, ReturnSignal), "some way through the policy takes nothing"
        return int(signal.value)

    def copy(self, stream: Stream, chance: Luck | None = None) -> Player:
        """Return a player with the same memory and other luck."""
        other = Player(self.code, self.match, self.seat, stream)
        other.chance = chance or other.chance
        other._values, other._stamps = dict(self._values), dict(self._stamps)
        return other

    def value(self, expression: Evaluate) -> Any:
        """Return the value of an expression about the current match, the seat in slot 0."""
        self._look()
        match: Any = self
        return expression(match, [self.seat])

    def _look(self) -> None:
        self.zones = _ReadOnDemand(self._piles)
        self.variables = _ReadOnDemand(self.match.values)

    def _piles(self, zone: str) -> list[Pile]:
        zone_node = self.code.program.zones[zone]
        places = range(self.code.setting.count(zone_node.index))
        return [Pile(zone_node.ordered, self.match.groups(zone, i)) for i in places]

    def choices(self, option: int) -> frozenset[int]:
        return frozenset(values[0] for number, values in self.legal if number == option)

    def any_action(self) -> int:
        self.took_any = True
        return self.stream.below(len(self.legal))

    def _settle(self, memory: nodes.Memory) -> None:
        lifetime = self._lifetime(memory.lifetime)
        if self._stamps.get(memory.name) == lifetime:
            return
        frame = [self.seat, *[None] * (memory.slots - 1)]
        match: Any = self
        self.store(memory.name, self.code.initial[memory.name](match, frame), memory.initial.span)
        self._stamps[memory.name] = lifetime

    def recall(self, name: str) -> Any:
        return self._values[name]

    def store(self, name: str, value: Any, span: Span) -> None:
        """Store a value for the memory's lifetime."""
        memory = self.code.memory[name]
        if isinstance(memory.type, Number) and not memory.type.low <= value <= memory.type.high:
            text = "'{name}' would be {value}, but is from {low} to {high}"
            ends = {"low": memory.type.low, "high": memory.type.high}
            raise self.error("out-of-range", say(text, name=name, value=value, **ends), span)
        self._values[name] = value

    def remember(self, name: str, value: Any) -> None:
        """Set memory of the match before the first answer."""
        self._values[name], self._stamps[name] = value, ()

    def _lifetime(self, lifetime: str) -> tuple[int, ...]:
        """Return a stamp that stays the same during a trick, deal or match."""
        match lifetime:
            case "match":
                return ()
            case "deal":
                return (self.match.deals,)
        return (self.match.deals, len(self.match.tricks))

    def sees(self, name: str, at: int) -> bool:
        """Return whether the seat may see a zone, by its declaration or because it was revealed."""
        zone, setting = self.code.program.zones[name], self.code.setting
        return sees(zone, at, self.seat, setting) or self.seat in self.match.may_see(name, at)

    def emit_random(self, _what: str, _value: object) -> None:
        """Do nothing: a strategy's random outcomes are not reported."""

    def error(self, code: str, message: str, span: Span, cure: str | None = None) -> PolicyError:
        """Return the error for an impossible step of a script."""
        help = CURES.get(cure or code)
        diagnostic = Diagnostic(code, message, span, help=help and say(help))
        return PolicyError(diagnostic, self.seat)


class _ReadOnDemand(dict[str, Any]):
    """The zones or variables of a match, each read on first use."""

    def __init__(self, read: Callable[[str], Any]) -> None:
        super().__init__()
        self.read = read

    def __missing__(self, name: str) -> Any:
        result = self[name] = self.read(name)
        return result


class Probe:
    """The program's function `STRENGTH`, compiled for one table."""

    def __init__(self, program: nodes.Program, setting: Setting) -> None:
        define = program.functions[STRENGTH]
        nobody = nodes.Policy(define.span, "measure", None, (), ())
        self._code = PolicyCode(program, nobody, setting)
        seat = nodes.Local(define.span, SEAT, 0, "")
        call = nodes.Call(define.span, define.result, STRENGTH, (seat,))
        self._value = compile_expression(call, self._code)

    def strength(self, match: Match, seat: int) -> int:
        """Return how many of a thousand hands the seat's hand beats now."""
        return int(Player(self._code, match, seat, Stream(0)).value(self._value))
