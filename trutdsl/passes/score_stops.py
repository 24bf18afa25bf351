"""Stops at the score: a deal is cut in two where rules use what lasts between deals.

Exact solving plays a deal at many scores. What comes before a stop is the same at every score, and
what comes after it depends on little of the deal. A stop is a roll with one possible number, so
a match waits there as it does for chance.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.nodes import Block, Changed, Node, Program, if_holds, put_first, rebuild, walk
from trutdsl.ir.types import YES_NO, Number
from trutdsl.syntax.ast import Audience

# A variable of the deal: whether there are stops. There are none once the score has changed.
STOPS = "#stops"
ONE = Number(1, 1)


def add_score_stops(program: Program) -> Program:
    """Return the program with a stop before each statement that uses the score, and after it.

    The score is every counter and every variable that keeps its value between deals.
    """
    score = {v.name for v in program.variables.values() if v.counter or v.lifetime == "match"}
    effects = Effects(program)

    def uses(parts: Iterable[Node | None]) -> bool:
        return any(part is not None and effects.reads_of(part) & score for part in parts)

    def changes(statement: Node) -> bool:
        target = statement.target if isinstance(statement, nodes.Assign) else None
        return isinstance(target, nodes.Var) and target.name in score

    def in_rule(rule: nodes.Rule) -> nodes.Rule:
        slot = rule.slots

        def stop(span: Span) -> nodes.Statement:
            one = nodes.number(span, 1)
            roll = nodes.Let(span, slot, nodes.Roll(span, ONE, one, one))
            condition = nodes.Var(span, YES_NO, STOPS, None)
            return if_holds(span, condition, [roll])

        def within(block: Block) -> Block:
            return put_first(block, stop(block.span))

        def cut(statement: nodes.Statement) -> tuple[nodes.Statement, ...]:
            """Return a statement, its blocks already cut, with its stops."""
            if not uses(_head(statement)):
                return (statement,)
            pause = stop(statement.span)
            if changes(statement):
                return pause, _set(statement.span, on=False), statement
            match statement:
                case nodes.If(span, branches, otherwise):
                    cases = tuple((test, within(block)) for test, block in branches)
                    return pause, nodes.If(span, cases, within(otherwise))
                case nodes.For() | nodes.Repeat():
                    return pause, replace(statement, body=within(statement.body)), pause
            if isinstance(statement, nodes.Ask | nodes.Exit):
                return pause, statement
            return pause, statement, pause

        def change(node: Node, _: Node) -> Changed:
            if isinstance(node, nodes.DealBlock):
                return replace(node, body=put_first(node.body, _set(node.span, on=True)))
            return cut(node) if isinstance(node, nodes.Statement) else node

        body = rebuild(rule.body, change)
        has_stop = any(isinstance(node, nodes.Let) and node.slot == slot for node in walk(body))
        return replace(rule, body=body, slots=slot + has_stop)

    rules = {name: in_rule(rule) for name, rule in program.rules.items()}
    span = program.rules["match"].span
    no = nodes.Const(span, YES_NO, False)
    variable = nodes.Variable(span, STOPS, None, YES_NO, no, Audience.NOBODY, "deal")
    return replace(program, rules=rules, variables={**program.variables, STOPS: variable})


def _set(span: Span, on: bool) -> nodes.Assign:
    return nodes.Assign(
        span, nodes.Var(span, YES_NO, STOPS, None), "=", nodes.Const(span, YES_NO, on)
    )


def _head(statement: nodes.Statement) -> list[Node | None]:
    """Return what a statement evaluates itself, without its blocks and the rules it calls."""
    match statement:
        case nodes.If(_, branches):
            return [test for test, _ in branches]
        case nodes.For(_, _, domain):
            return [domain]
        case nodes.Repeat(_, times, _, condition):
            return [times, condition]
        case nodes.Ask(_, seat, _, _, options):
            parts: list[Node | None] = [seat]
            for option in options:
                parts += [option.condition, *option.binders]
            return parts
        case nodes.DealBlock() | nodes.TrickBlock() | nodes.Setup():
            return []
    result: list[Node | None] = []
    for part in statement.children:
        result += part.args if isinstance(part, nodes.Do) else [part]
    return result
