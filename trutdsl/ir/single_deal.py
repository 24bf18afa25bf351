"""Single deals: the program of a game of which one deal is played, from a stated score.

It is a program like any other, so that every engine plays it: before a deal the counters are set,
and the match ends where the next deal would begin. No view or transcript tells of what it adds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from trutdsl.ir import nodes
from trutdsl.ir.rebuild import rebuild_program
from trutdsl.ir.types import TEAM, YES_NO, Number
from trutdsl.source import Span
from trutdsl.syntax.ast import Audience

DEALT = "deal:dealt"

Score = Mapping[str, Sequence[int]]  # counter -> its value for each team


def add_single_deal(program: nodes.Program, score: Score) -> nodes.Program:
    """Return the program of one deal from these counters; those that are not named start as ever.

    The match is drawn if nothing else ends it before the next deal.
    """
    span = program.rules["match"].span
    no, yes = (nodes.Const(span, YES_NO, value) for value in (False, True))
    dealt = nodes.Variable(
        span, DEALT, None, YES_NO, None, None, no, Audience.ALL, "match", False, 0
    )
    was_dealt = nodes.Var(span, YES_NO, DEALT, None)
    over = nodes.Block(span, (nodes.EndMatch(span, None, None),))
    go_on = nodes.Block(span, ())
    before: tuple[nodes.Statement, ...] = (
        nodes.If(span, ((was_dealt, over),), go_on),
        nodes.Assign(span, was_dealt, "=", yes),
        *_settings(program, score, span),
    )

    def change(node: nodes.Node, _before: nodes.Node) -> nodes.Node:
        if not isinstance(node, nodes.Block):
            return node
        found: list[nodes.Statement] = []
        for statement in node.statements:
            found += [*before, statement] if isinstance(statement, nodes.DealBlock) else [statement]
        return replace(node, statements=tuple(found))

    variables = {**program.variables, DEALT: dealt}
    return replace(rebuild_program(program, change), variables=variables)


def _settings(program: nodes.Program, score: Score, span: Span) -> list[nodes.Assign]:
    """Return the sentences that set the counters."""
    found = []
    for name, values in score.items():
        kind = program.variables[name].type
        for team, value in enumerate(values):
            index = nodes.Const(span, TEAM, team)
            target = nodes.Var(span, kind, name, index)
            number = nodes.Const(span, Number(value, value), value)
            found.append(nodes.Assign(span, target, "=", number))
    return found
