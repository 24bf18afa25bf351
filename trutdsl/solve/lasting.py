"""What lasts from one deal to the next: the state of a match between two deals.

Exact evaluation treats a match as a chain of deals. So it needs to know all that a deal can depend
on: who deals, and the variables that keep their values. Rules must not remember anything else, such
as the turn of a loop around the deals.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from trutdsl.diagnostics import BadUsage, Span
from trutdsl.ir import nodes
from trutdsl.ir.nodes import Program
from trutdsl.ir.types import Element, Kind, SetOf

LIMIT = 1000  # a loop with at least so many turns only bounds the number of deals


def lasting_variables(program: Program) -> list[str]:
    """Return the variables that keep their values from deal to deal, counters first.

    Raises `BadUsage` if one of them can hold cards.
    """
    found = [v for v in program.variables.values() if v.counter or v.lifetime == "match"]
    for variable in found:
        if isinstance(variable.type, Element | SetOf) and variable.type.kind is Kind.CARD:
            raise _refuse(f"'{variable.name}' keeps cards from deal to deal", variable.span)
    return [v.name for v in sorted(found, key=lambda v: not v.counter)]


def check_rules(program: Program) -> None:
    """Raise `BadUsage` if rules remember more than variables from deal to deal."""
    around = _rules_around_deals(program)
    deals = list(islice(_deals(program, program.rules["match"].body, around), 2))
    if len(deals) > 1:
        raise _refuse("this game deals in more than one place", deals[1])


def _rules_around_deals(program: Program) -> frozenset[str]:
    """Return the rules that play deals, also by way of other rules."""
    found: set[str] = set()
    before = -1
    while len(found) > before:
        before = len(found)
        for name, rule in program.rules.items():
            if any(
                isinstance(node, nodes.DealBlock)
                or (isinstance(node, nodes.Do) and node.rule in found)
                for node in nodes.walk(rule.body)
            ):
                found.add(name)
    return frozenset(found)


def _deals(program: Program, block: nodes.Block, around: frozenset[str]) -> Iterator[Span]:
    """Yield where deals are played, in the order of the rules."""
    remembered: Span | None = None
    for statement in block.statements:
        for deal in _deals_of(program, statement, around):
            if remembered is not None:
                raise _refuse("a rule remembers something from deal to deal", remembered)
            yield deal
        if isinstance(statement, nodes.Let):
            remembered = statement.span


def _deals_of(program: Program, node: nodes.Node, around: frozenset[str]) -> Iterator[Span]:
    """Yield where a statement plays deals; refuse what remembers something around them."""
    if isinstance(node, nodes.DealBlock):
        yield node.span
        return
    if isinstance(node, nodes.Do) and node.rule in around:
        rule = program.rules[node.rule]
        for deal in _deals(program, rule.body, around):
            if rule.params:
                raise _refuse(f"{rule.heading} has arguments and plays deals", node.span)
            yield deal
        return
    for child in node.children:
        parts = (
            _deals(program, child, around)
            if isinstance(child, nodes.Block)
            else _deals_of(program, child, around)
        )
        for deal in parts:
            if isinstance(node, nodes.For) or (
                isinstance(node, nodes.Repeat) and not _only_bounds(node)
            ):
                raise _refuse("a loop counts the deals", node.span)
            yield deal


def _only_bounds(loop: nodes.Repeat) -> bool:
    return isinstance(loop.times, nodes.Const) and int(loop.times.value or 0) >= LIMIT


def _refuse(reason: str, at: Span) -> BadUsage:
    return BadUsage(f"{reason} ({at}): exact evaluation needs deals that depend on the score only")
