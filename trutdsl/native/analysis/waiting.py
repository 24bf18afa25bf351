"""Suspension points: the rules in which a match can wait for a seat, a deal or chance."""

from __future__ import annotations

from trutdsl.ir import Program, nodes
from trutdsl.ir.walk import walk

WAITS = (
    nodes.Ask
    | nodes.DealBlock
    | nodes.Setup
    | nodes.Draw
    | nodes.Roll
    | nodes.RandomFrom
    | nodes.Chance
)


def waiting_rules(program: Program) -> frozenset[str]:
    """Return the rules in which a match can wait, also in a rule that they do."""
    found: set[str] = set()
    grown = True
    while grown:
        grown = False
        for name, rule in program.rules.items():
            if name not in found and may_wait(rule.body, found):
                found.add(name)
                grown = True
    return frozenset(found)


def may_wait(node: nodes.Node, waiting: set[str] | frozenset[str]) -> bool:
    """Tell whether a match can wait in a part of a rule; waiting: the rules in which it can."""
    return any(
        isinstance(n, WAITS) or (isinstance(n, nodes.Do) and n.rule in waiting) for n in walk(node)
    )
