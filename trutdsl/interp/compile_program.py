"""Compiles a program: its rules, defines and questions become functions on first use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from trutdsl.diagnostics import reject
from trutdsl.interp.compile_expressions import compile_expression
from trutdsl.interp.compile_statements import compile_block
from trutdsl.interp.machine import (
    CompiledProgram,
    CompiledStatement,
    Evaluate,
    Leave,
    Machine,
    ReturnSignal,
    Slots,
    Talk,
)
from trutdsl.ir import nodes
from trutdsl.ir.effects import Work
from trutdsl.ir.intervals import MOST_REPEATS, window_of
from trutdsl.ir.nodes import questions_of
from trutdsl.ir.types import Number
from trutdsl.language import say
from trutdsl.syntax.ast import Audience
from trutdsl.table.match import Action, Question, action_of, routes_of
from trutdsl.table.setting import Setting


@dataclass(frozen=True)
class _Binder:
    slot: int
    items: Evaluate
    hands: bool = False


@dataclass(frozen=True)
class _Option:
    node: nodes.Option
    binders: tuple[_Binder, ...]
    condition: Evaluate | None
    body: CompiledStatement


def compile_ask(node: nodes.Ask, code: CompiledProgram) -> CompiledStatement:
    """Compile a question: legal actions in the order of the text, each by ascending index."""
    seat_of, number = code.value(node.seat), code.questions[id(node)]
    options = [_compile_option(o, code) for o in node.options]
    cure = "no-option" if any(o.condition for o in options) else "no-choice"

    def talk(m: Machine, f: Slots) -> Talk:
        seat = seat_of(m, f)
        for _ in range(MOST_REPEATS):
            m.count_question(node.span)
            actions = tuple(_legal(m, f, options))
            if not actions:
                text = "player {player} has no legal action for '{decision}'"
                message = say(text, player=seat + 1, decision=node.decision)
                raise m.error("no-option", message, node.span, cure)
            texts = tuple([action.text for action in actions])
            if len(set(texts)) < len(texts):
                often = Counter(texts)
                double = next(text for text, times in often.items() if times > 1)
                text = "two options of '{decision}' read '{option}'"
                message = say(text, decision=node.decision, option=double)
                raise m.error("same-option", message, node.span)
            question = Question(seat, node.decision, node.audience, actions, texts, number)
            action = actions[(yield question)]
            option = options[action.option]
            m.note_action(question, action, Audience.ALL if option.node.openly else node.audience)
            for binder, value in zip(option.binders, action.values, strict=True):
                f[binder.slot] = _cards_of(value) if binder.hands else value
            body = option.body
            signal = (yield from body.run(m, f)) if body.asks else body.run(m, f)
            if signal is not Leave.AGAIN:
                return signal
        text = "'{decision}' was asked {times} times"
        message = say(text, decision=node.decision, times=MOST_REPEATS)
        raise m.error("too-long", message, node.span, "repeated")

    return CompiledStatement(True, talk)


def _compile_option(node: nodes.Option, code: CompiledProgram) -> _Option:
    condition = code.value(node.condition) if node.condition is not None else None
    binders = tuple(_compile_binder(b, code) for b in node.binders)
    return _Option(node, binders, condition, compile_block(node.body, code))


def _compile_binder(node: nodes.Binder, code: CompiledProgram) -> _Binder:
    if isinstance(node.items, nodes.Hands):
        return _Binder(node.slot, _compile_hands(node.items, code), True)
    last = code.value(node.last) if node.last is not None else None
    items = code.value(node.items)
    if last is None or node.last is None:
        return _Binder(node.slot, items)
    window = window_of(node.items.type, node.last.type)

    def numbers(m: Machine, f: Slots) -> range:
        low, high = items(m, f), last(m, f)
        if window.cut and not (window.low <= low and high <= window.high):
            raise m.error("too-long", window.message, node.span, "far-numbers")
        return range(low, high + 1)

    return _Binder(node.slot, numbers)


def _compile_hands(node: nodes.Hands, code: CompiledProgram) -> Evaluate:
    """Return the choices of several cards as masks: fewer cards first, then ascending."""
    low, cards = code.value(node.size), code.value(node.cards)
    high = code.value(node.last) if node.last is not None else low

    def hands(m: Machine, f: Slots) -> list[int]:
        from_cards, fewest, most = cards(m, f), low(m, f), high(m, f)
        sizes = range(max(0, fewest), min(len(from_cards), most) + 1)
        return [mask for n in sizes for mask in sorted(map(_mask, combinations(from_cards, n)))]

    return hands


def _mask(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)


def _cards_of(mask: int) -> frozenset[int]:
    return frozenset(card for card in range(mask.bit_length()) if mask >> card & 1)


def _legal(m: Machine, f: Slots, options: list[_Option]) -> Iterator[Action]:
    for number, option in enumerate(options):
        condition = option.condition
        if condition is not None and option.node.early:
            if not condition(m, f):
                continue
            condition = None
        for values in _choices(m, f, option.binders):
            if condition is None or condition(m, f):
                yield action_of(m.code.setting, option.node, number, values)


def _choices(m: Machine, f: Slots, binders: tuple[_Binder, ...]) -> Iterator[tuple[int, ...]]:
    """Yield every combination of values, each bound to its slot during its turn."""
    if not binders:
        yield ()
        return
    first, rest = binders[0], binders[1:]
    values = first.items(m, f)
    for value in values if first.hands else sorted(values):
        bound = _cards_of(value) if first.hands else value
        f[first.slot] = bound
        for others in _choices(m, f, rest):
            f[first.slot] = bound
            yield (value, *others)


class RuleCode(CompiledProgram):
    """The rules, defines and questions of a program, each compiled on first use."""

    def __init__(self) -> None:
        self._rules: dict[str, CompiledStatement] = {}
        self._functions: dict[str, Evaluate] = {}

    def value(self, node: nodes.Expression) -> Evaluate:
        return compile_expression(node, self)

    def rule(self, name: str) -> CompiledStatement:
        if name not in self._rules:
            self._rules[name] = self._compile_rule(self.program.rules[name])
        return self._rules[name]

    def _compile_rule(self, rule: nodes.Rule) -> CompiledStatement:
        body, heading = compile_block(rule.body, self), rule.heading
        missing = rule.slots - len(rule.params)
        if body.asks:

            def talk(m: Machine, args: Slots) -> Talk:
                m.headings.append(heading)
                signal = yield from body.run(m, args + [None] * missing)
                m.headings.pop()
                return signal

            return CompiledStatement(True, talk)

        def run(m: Machine, args: Slots) -> Any:
            m.headings.append(heading)
            signal = body.run(m, args + [None] * missing)
            m.headings.pop()
            return signal

        return CompiledStatement(False, run)

    def function(self, name: str) -> Callable[[Machine, Slots], Any]:
        if name not in self._functions:
            function = self.program.functions[name]
            missing = function.slots - len(function.params)
            if isinstance(function.body, nodes.Block):
                block = compile_block(function.body, self)

                def work(m: Machine, args: Slots) -> Any:
                    signal = block.run(m, args + [None] * missing)
                    assert isinstance(signal, ReturnSignal)
                    return signal.value
            else:
                value = self.value(function.body)

                def work(m: Machine, args: Slots) -> Any:
                    return value(m, args + [None] * missing)

            self._functions[name] = work
        return self._functions[name]

    def compile_ask(self, node: nodes.Ask) -> CompiledStatement:
        return compile_ask(node, self)


class ProgramCode(RuleCode):
    """A whole program, with the initial values of its variables and zones."""

    def __init__(self, program: nodes.Program, setting: Setting) -> None:
        self.program, self.setting = program, setting
        self.cost = Work(program, setting.count).cost
        self.questions = {id(node): n for n, node in enumerate(questions_of(program))}
        self.bounds = {}
        self.routes = frozenset(routes_of(program))
        super().__init__()
        nowhere: Any = None
        for variable in program.variables.values():
            if isinstance(variable.type, Number):
                self.bounds[variable.name] = (variable.type.low, variable.type.high)
            if variable.low is not None and variable.high is not None:
                low = self.value(variable.low)(nowhere, [])
                high = self.value(variable.high)(nowhere, [])
                self.bounds[variable.name] = (low, high)
        self.capacity = {
            zone.name: self.value(zone.capacity)(nowhere, [])
            if zone.capacity is not None
            else len(setting.deck.texts)
            for zone in program.zones.values()
        }
        self.initial = {v.name: self.value(v.initial) for v in program.variables.values()}
        self.contents = {
            z.name: self.value(z.content) for z in program.zones.values() if z.content is not None
        }
        self.main = self.rule("match")


def compile_program(program: nodes.Program, setting: Setting) -> CompiledProgram:
    """Compile a program for a number of players and these parameters."""
    try:
        return ProgramCode(program, setting)
    except RecursionError:
        message = say("the rules are nested too deeply to be played")
        help_ = say("make them simpler: fewer rules and blocks inside one another")
        raise reject("too-deep", message, program.rules["match"].span, help=help_) from None
