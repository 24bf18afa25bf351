"""Entry in the middle of a deal: the program of a game that can be put in a given state there.

A sentence `setup` is where whoever plays a match may put things in place. So the state is given at
setups that are written in where the deal is to go on: at the start of a rule, or of the deal. What
follows is played as it is written, by every engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from trutdsl.ir import nodes
from trutdsl.ir.rebuild import rebuild_program
from trutdsl.ir.types import YES_NO
from trutdsl.ir.walk import walk
from trutdsl.syntax.ast import Audience

ENTRY = "deal:entry"


def add_entry(program: nodes.Program, rule: str | None, names: Iterable[str]) -> nodes.Program:
    """Return the program with setups where a rule begins, or each deal if there is none.

    The first of them, `ENTRY`, holds all of the rule: whoever plays the match leaves out the rule
    by settling it. In it comes one for each of the names of zones and variables.
    """

    names = tuple(names)

    def entered(body: nodes.Block) -> nodes.Block:
        empty = nodes.Block(body.span, ())
        given = [nodes.Setup(body.span, name, empty) for name in names]
        whole = nodes.Block(body.span, (*given, *body.statements))
        return replace(body, statements=(nodes.Setup(body.span, ENTRY, whole),))

    def change(node: nodes.Node, _before: nodes.Node) -> nodes.Node:
        return replace(node, body=entered(node.body)) if isinstance(node, nodes.DealBlock) else node

    span = program.rules["match"].span
    no = nodes.Const(span, YES_NO, False)
    entry = nodes.Variable(
        span, ENTRY, None, YES_NO, None, None, no, Audience.ALL, "match", False, 0
    )
    with_entry = replace(program, variables={**program.variables, ENTRY: entry})
    if rule is None:
        return rebuild_program(with_entry, change)
    changed = replace(program.rules[rule], body=entered(program.rules[rule].body))
    return replace(with_entry, rules={**program.rules, rule: changed})


def rules_with_tricks(program: nodes.Program) -> list[str]:
    """Return the rules that hold a `trick`."""
    return [
        name
        for name, rule in program.rules.items()
        if any(isinstance(node, nodes.TrickBlock) for node in walk(rule.body))
    ]
