"""Finds what a match at one table never makes use of, so that nothing is done for it.

A variable that only rules remember, and that none looks at with these parameters, need not be kept
when nobody follows the match.
"""

from __future__ import annotations

from trutdsl.ir import Program, nodes
from trutdsl.ir.builtins import VARIABLES
from trutdsl.ir.effects import Effects
from trutdsl.ir.types import Number
from trutdsl.ir.walk import children, walk
from trutdsl.ir.work import FEW, Counted, Work
from trutdsl.native.fold import settled
from trutdsl.table.setting import Setting


def parts_in_use(program: Program) -> list[nodes.Node]:
    """Return what a match starts from, and each rule and `define` that it leads to, once."""
    waiting: list[nodes.Node] = [v.initial for v in program.variables.values()]
    waiting += [zone.content for zone in program.zones.values() if zone.content is not None]
    waiting.append(program.rules["match"].body)
    found, seen = [], set()
    while waiting:
        part = waiting.pop()
        found.append(part)
        for node in walk(part):
            match node:
                case nodes.Do(_, _, name) if f"rule {name}" not in seen:
                    seen.add(f"rule {name}")
                    waiting.append(program.rules[name].body)
                case nodes.Call(_, _, name) if f"define {name}" not in seen:
                    seen.add(f"define {name}")
                    waiting.append(program.functions[name].body)
    return found


class Unused:
    """The variables that nothing looks at, and the rules that change nothing else.

    Found by assuming that no variable is looked at, and going on from what is done in any case to
    what that looks at, until nothing is added.
    """

    def __init__(self, program: Program, setting: Setting, effects: Effects, work: Work) -> None:
        self.program, self.setting, self.effects, self.work = program, setting, effects, work
        self.used: set[str] = {v.name for v in program.variables.values() if v.counter}
        self.used.update(VARIABLES)
        before = -1
        while len(self.used) > before:
            before = len(self.used)
            self._idle: dict[str, bool] = {}
            self._seen: set[str] = set()
            self._look(program.rules["match"].body)
            for zone in program.zones.values():
                if zone.content is not None:
                    self._look(zone.content)
            for variable in program.variables.values():
                if self.is_kept(variable):
                    self._look(variable.initial)

    def is_kept(self, variable: nodes.Variable) -> bool:
        """Tell whether a variable has to be given what it starts as."""
        return variable.name in self.used or not self._starts_safely(variable)

    def _starts_safely(self, variable: nodes.Variable) -> bool:
        """Tell whether what a variable starts as cannot be a mistake."""
        type_, value = variable.type, variable.initial.type
        inside = not isinstance(type_, Number) or (
            variable.low is None
            and isinstance(value, Number)
            and type_.low <= value.low <= value.high <= type_.high
        )
        return inside and self._is_safe(variable.initial)

    def is_idle(self, node: nodes.Node) -> bool:
        """Tell whether a sentence does nothing that matters."""
        match node:
            case nodes.Assign(_, nodes.Var(_, _, name, index), _, value):
                if name in self.used or not self._is_safe(value) or isinstance(value, nodes.Do):
                    return False
                return (index is None or self._is_safe(index)) and self._fits(name, node)
            case nodes.Perform(_, do):
                return all(map(self._is_safe, do.args)) and self._is_idle_rule(do.rule)
        return False

    def _fits(self, name: str, node: nodes.Assign) -> bool:
        """Tell whether storing cannot go beyond a number's bounds."""
        type_, value = self.program.variables[name].type, node.value.type
        if not isinstance(type_, Number):
            return True
        inside = isinstance(value, Number) and type_.low <= value.low <= value.high <= type_.high
        return node.op == "=" and inside and self.program.variables[name].low is None

    def _is_idle_rule(self, name: str) -> bool:
        if name not in self._idle:
            self._idle[name] = self._does_nothing(self.program.rules[name].body)
        return self._idle[name]

    def _does_nothing(self, node: nodes.Node) -> bool:
        """Tell whether a part of a rule, all of which does nothing else, does nothing."""
        match node:
            case nodes.Block(_, statements):
                return all(map(self._does_nothing, statements))
            case nodes.Return(_, None):
                return True
            case nodes.If(_, branches, otherwise):
                tests = all(self._is_safe(test) for test, _ in branches)
                return tests and all(
                    map(self._does_nothing, [b for _, b in branches] + [otherwise])
                )
        return self.is_idle(node)

    def _is_safe(self, node: nodes.Expression) -> bool:
        chance = isinstance(node, nodes.Do | nodes.Roll | nodes.RandomFrom | nodes.Chance)
        return not chance and not self.effects.can_fail(node) and self.work.of(node) <= FEW

    def _look(self, node: nodes.Node) -> None:
        """Note what a part of the rules looks at, whatever else it does or uses included."""
        if self.is_idle(node):
            return
        match node:
            case nodes.Var(_, _, name):
                self.used.add(name)
            case nodes.If(_, branches, otherwise):
                for test, body in branches:
                    fixed = settled(test, self.setting, self.program.functions)
                    if fixed is None:
                        self._look(test)
                    if fixed is not False:
                        self._look(body)
                self._look(otherwise)
                return
            case nodes.Assign(_, nodes.Var(_, _, _, index), op, value) if op == "=":
                self._look(value)
                if index is not None:
                    self._look(index)
                return
            case nodes.Call(_, _, name):
                self._look_into(f"define {name}", self.program.functions[name].body)
            case nodes.Do(_, _, name):
                self._look_into(f"rule {name}", self.program.rules[name].body)
        for part in children(node):
            self._look(part)

    def _look_into(self, name: str, body: nodes.Node) -> None:
        if name not in self._seen:
            self._seen.add(name)
            self._look(body)


def uncounted_questions(program: Program, work: Work) -> frozenset[int]:
    """Return the questions, by `id`, before which no step is counted since their deal began."""
    inside: set[int] = set()
    outside: set[int] = set()
    seen: set[tuple[str, bool]] = set()
    starts = [v.initial for v in program.variables.values() if v.lifetime != "match"]
    waiting: list[tuple[nodes.Node, bool]] = [(start, True) for start in starts]
    waiting.append((program.rules["match"].body, False))
    while waiting:
        node, dealing = waiting.pop()
        match node:
            case nodes.DealBlock():
                dealing = True
            case nodes.Ask():
                (inside if dealing else outside).add(id(node))
            case nodes.Do(_, _, name) if (f"rule {name}", dealing) not in seen:
                seen.add((f"rule {name}", dealing))
                waiting.append((program.rules[name].body, dealing))
            case nodes.Call(_, _, name) if (f"define {name}", dealing) not in seen:
                seen.add((f"define {name}", dealing))
                waiting.append((program.functions[name].body, dealing))
        if dealing and isinstance(node, Counted) and work.cost(node):
            return frozenset()
        waiting += [(part, dealing) for part in children(node)]
    return frozenset(inside - outside)
