"""A program as a whole: its rules and defines as functions, each made when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trutdsl.diagnostics import reject
from trutdsl.interp.compile_expressions import compile_expression
from trutdsl.interp.compile_statements import compile_block
from trutdsl.interp.machine import Code, Compiled, Evaluate, Machine, Slots, Talk
from trutdsl.interp.questions import compile_ask
from trutdsl.interp.signals import Returned, Signal
from trutdsl.ir import nodes
from trutdsl.ir.analysis.cost import Work
from trutdsl.ir.types import Number
from trutdsl.ir.walk import questions_of
from trutdsl.table.passing import routes_of
from trutdsl.table.setting import Setting


class RuleCode(Code):
    """Rules, defines and questions of a program, made ready one by one."""

    def __init__(self) -> None:
        self._rules: dict[str, Compiled] = {}
        self._functions: dict[str, Evaluate] = {}

    def value(self, node: nodes.Expression) -> Evaluate:
        """Return what works an expression out."""
        return compile_expression(node, self)

    def rule(self, name: str) -> Compiled:
        """Return what a rule does; its arguments fill the first slots of its frame."""
        if name not in self._rules:
            self._rules[name] = self._compile_rule(self.program.rules[name])
        return self._rules[name]

    def _compile_rule(self, rule: nodes.Rule) -> Compiled:
        body, heading = compile_block(rule.body, self), rule.heading
        missing = rule.slots - len(rule.params)
        if body.asks:

            def talk(m: Machine, args: Slots) -> Talk:
                m.headings.append(heading)
                signal = yield from body.run(m, args + [None] * missing)
                m.headings.pop()
                return signal

            return Compiled(True, talk)

        def run(m: Machine, args: Slots) -> Any:
            m.headings.append(heading)
            signal = body.run(m, args + [None] * missing)
            m.headings.pop()
            return signal

        return Compiled(False, run)

    def function(self, name: str) -> Callable[[Machine, Slots], Any]:
        """Return what a `define` works out from its arguments."""
        if name not in self._functions:
            function = self.program.functions[name]
            missing = function.slots - len(function.params)
            if isinstance(function.body, nodes.Block):
                block = compile_block(function.body, self)

                def work(m: Machine, args: Slots) -> Any:
                    signal = block.run(m, args + [None] * missing)
                    assert isinstance(signal, Returned)
                    return signal.value
            else:
                value = compile_expression(function.body, self)

                def work(m: Machine, args: Slots) -> Any:
                    return value(m, args + [None] * missing)

            self._functions[name] = work
        return self._functions[name]

    def compile_ask(self, node: nodes.Ask) -> Compiled:
        """Return what a question does."""
        return compile_ask(node, self)


class ProgramCode(RuleCode):
    """All of a program, with what its variables and zones start as."""

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
                low = compile_expression(variable.low, self)(nowhere, [])
                high = compile_expression(variable.high, self)(nowhere, [])
                self.bounds[variable.name] = (low, high)
        self.capacity = {
            zone.name: compile_expression(zone.capacity, self)(nowhere, [])
            if zone.capacity is not None
            else len(setting.deck.texts)
            for zone in program.zones.values()
        }
        self.initial = {
            v.name: compile_expression(v.initial, self) for v in program.variables.values()
        }
        self.contents = {
            z.name: compile_expression(z.content, self)
            for z in program.zones.values()
            if z.content is not None
        }
        self.main = self.rule("match")

    def policy_value(self, node: nodes.Legal | nodes.LegalAt | nodes.Remembered) -> Evaluate:
        """Return what only a policy looks at, see `interp.policy`."""
        raise AssertionError(f"{type(node).__name__} stands outside of a policy")

    def in_sight(self, node: nodes.Builtin) -> Evaluate:
        """Return the cards of a zone as far as the seat of a policy sees them."""
        raise AssertionError(f"'{node.name}' stands outside of a policy")

    def take(self, node: nodes.Take | nodes.TakeAny) -> Compiled:
        """Return how a policy answers."""
        raise AssertionError(f"{type(node).__name__} stands outside of a policy")

    def memory_store(
        self, target: nodes.Remembered, op: str
    ) -> Callable[[Machine, Slots, Any], Signal]:
        """Return what stores a value in a policy's memory."""
        raise AssertionError(f"'{target.name}' {op} stands outside of a policy")


def compile_program(program: nodes.Program, setting: Setting) -> Code:
    """Return the program ready to be played by so many, with these parameters."""
    try:
        return ProgramCode(program, setting)
    except RecursionError:
        raise reject(
            "too-deep",
            "the rules stand too deep inside one another to be played",
            program.rules["match"].span,
            help="make them simpler: fewer rules and blocks inside one another",
        ) from None
