"""Reachable parts at a table: the questions that its rules ask, and the parameters they read."""

from __future__ import annotations

from collections.abc import Iterable

from trutdsl.ir import Program, nodes
from trutdsl.ir.nodes import rules_from, walk, walk_calls
from trutdsl.ir.types import SEATS
from trutdsl.table.actions import COMPARE, NotFixedError, fold
from trutdsl.table.setting import Setting

OF_NOTHING = {"count": 0, "total": 0, "any": 0, "every": 1}  # over a domain without elements


class InPlay:
    """Follows the rules from `match` at some tables, without the branches that no table can take.

    questions:  the options that can be taken, by decision, in the order of play.
    parameters: the names of those whose values the rules read.
    """

    def __init__(self, program: Program, tables: Iterable[Setting]) -> None:
        self.program = program
        self.questions: dict[str, list[nodes.Option]] = {}
        self.parameters = set[str]()
        for setting in tables:
            self.setting = setting
            self.seen = {"rule match"}
            self.visit(program.rules["match"].body)
            for one in program.declarations:
                self.visit(one)

    def unused_parameters(self) -> set[str]:
        """Return parameters that only branches outside these tables read."""
        program = self.program
        bodies = [one.body for one in program.callables]
        names = {n.name for n in walk(bodies) if isinstance(n, nodes.Parameter)}
        return names - self.parameters

    def visit(self, node: nodes.Node) -> bool:
        """Visit a part of the rules; return whether it always leaves its block."""
        match node:
            case nodes.Parameter(_, _, name):
                self.parameters.add(name)
            case nodes.Return() | nodes.Stop() | nodes.Next():
                self._children(node)
                return True
            case nodes.Block(_, statements):
                return any(self.visit(one) for one in statements)
            case nodes.If(_, branches, otherwise):
                return self._visit_branches(branches, otherwise)
            case nodes.Logic(_, _, op, left, right):
                self.visit(left)
                if self.value(left) != (0 if op == "and" else 1):
                    self.visit(right)
            case nodes.Choice(_, _, test, yes, no):
                self._visit_branches(((test, yes),), no)
            case nodes.For(domain=domain, body=body):
                self.visit(domain)
                if domain.where is None or self.value(domain.where) != 0:
                    self.visit(body)
            case nodes.Repeat(times=times, body=body):
                if node.condition is not None:
                    self.visit(node.condition)
                self.visit(times)
                if self.value(times) != 0:
                    self.visit(body)
            case nodes.Ask(decision=decision, options=options):
                self._visit_options(decision, options)
                self.visit(node.seat)
            case nodes.Do(rule=rule):
                self._children(node)
                self._visit_once(f"rule {rule}", self.program.rules[rule].body)
            case nodes.Call(function=function):
                self._children(node)
                self._visit_once(f"define {function}", self.program.functions[function].body)
            case _:
                self._children(node)
        return False

    def _children(self, node: nodes.Node) -> None:
        for one in node.children:
            self.visit(one)

    def _visit_once(self, name: str, body: nodes.Node) -> None:
        if name not in self.seen:
            self.seen.add(name)
            self.visit(body)

    def _visit_branches(
        self, branches: Iterable[tuple[nodes.Expression, nodes.Node]], otherwise: nodes.Node
    ) -> bool:
        leave = True
        for test, body in branches:
            self.visit(test)
            value = self.value(test)
            if value != 0:
                leave = self.visit(body) and leave
            if value:
                return leave
        return self.visit(otherwise) and leave

    def _visit_options(self, decision: str, options: Iterable[nodes.Option]) -> None:
        known = self.questions.setdefault(decision, [])
        for option in options:
            if option.condition is not None and self.value(option.condition) == 0:
                self.visit(option.condition)
                continue
            if option not in known:
                known.append(option)
            self.visit(option)

    def value(self, node: nodes.Expression) -> int | None:
        """Return the constant value of an expression at this table, None if it depends on play."""
        match node:
            case nodes.Not(_, _, inner):
                known = self.value(inner)
                return None if known is None else int(not known)
            case nodes.Logic(_, _, op, left, right):
                both = self.value(left), self.value(right)
                settles = 0 if op == "and" else 1
                return settles if settles in both else None if None in both else 1 - settles
            case nodes.Compare(_, _, op, left, right):
                one, two = self.value(left), self.value(right)
                return None if one is None or two is None else int(COMPARE[op](one, two))
            case nodes.Call(function=function):
                body = self.program.functions[function].body
                return self.value(body) if isinstance(body, nodes.Expression) else None
            case nodes.Quantifier(kind=kind, domain=domain, value=value) if kind in OF_NOTHING:
                if domain.where is not None and self.value(domain.where) == 0:
                    return OF_NOTHING[kind]
                if kind in ("any", "every") and value is not None:
                    same = self.value(value) == OF_NOTHING[kind]
                    return OF_NOTHING[kind] if same else None
                return None
            case nodes.Builtin(_, _, "size", (nodes.Builtin(_, _, "teams"),)):
                return self.setting.teams
        try:
            return fold(node, self.setting)
        except NotFixedError:
            return None


def deals_to_some(program: Program) -> bool:
    """Tell whether each loop through seats that deals cards leaves out seats by some test.

    So does a game whose players drop out of the match.
    """
    bodies = (program.rules[name].body for name in rules_from(program, "match"))
    loops = [
        one
        for body in bodies
        for one in walk(body)
        if isinstance(one, nodes.For) and one.domain.items.type == SEATS
        if any(isinstance(part, nodes.Draw) for part in walk_calls(program, one.body))
    ]
    return bool(loops) and all(
        one.domain.where is not None
        or all(isinstance(inner, nodes.If) for inner in one.body.statements)
        for one in loops
    )
