"""Lasting state: the state of a match between two deals.

Exact evaluation treats a match as a chain of deals. So it needs all state that a deal can depend
on: the dealer, and the variables that keep their values. Rules must not keep any other state, such
as the turn of a loop around the deals.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from trutdsl.diagnostics import BadUsage, Span
from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.nodes import Program
from trutdsl.ir.types import Element, Kind, SetOf
from trutdsl.language import say
from trutdsl.table.setting import Setting

LIMIT = 1000  # a loop with at least so many turns only bounds the number of deals


def lasting_variables(program: Program) -> list[str]:
    """Return the variables that keep their values from deal to deal, counters first.

    Raises `BadUsage` if one of them can hold cards.
    """
    variables = [v for v in program.variables.values() if v.counter or v.lifetime == "match"]
    for variable in variables:
        if isinstance(variable.type, Element | SetOf) and variable.type.kind is Kind.CARD:
            raise _refuse(
                say("'{variable}' keeps cards from deal to deal", variable=variable.name),
                variable.span,
            )
    return [v.name for v in sorted(variables, key=lambda v: not v.counter)]


def check_rules(program: Program, setting: Setting) -> None:
    """Raise `BadUsage` if rules keep more than variables from deal to deal."""
    deals = list(islice(_deals(Effects(program), setting, program.rules["match"].body), 2))
    if len(deals) > 1:
        raise _refuse(say("this game deals in more than one place"), deals[1])


def changes_between_deals(program: Program) -> frozenset[str]:
    """Return the variables that rules can change before, between or after deals."""
    effects = Effects(program)

    def changed(node: nodes.Node) -> frozenset[str]:
        if isinstance(node, nodes.DealBlock):
            return frozenset()
        if isinstance(node, nodes.Do) and effects.plays_deals(node.rule):
            return changed(program.rules[node.rule].body)
        parts = nodes.walk(node)
        if any(isinstance(n, nodes.DealBlock | nodes.Do) and _plays(effects, n) for n in parts):
            return frozenset[str]().union(*map(changed, node.children))
        return effects.writes_of(node)

    return changed(program.rules["match"].body)


def _plays(effects: Effects, node: nodes.DealBlock | nodes.Do) -> bool:
    return isinstance(node, nodes.DealBlock) or effects.plays_deals(node.rule)


def _deals(effects: Effects, setting: Setting, block: nodes.Block) -> Iterator[Span]:
    """Yield the deals in a block, in the order of the rules."""
    remembered: Span | None = None
    for statement in block.statements:
        for deal in _deals_of(effects, setting, statement):
            if remembered is not None:
                raise _refuse(say("a rule remembers something from deal to deal"), remembered)
            yield deal
        if isinstance(statement, nodes.Let):
            remembered = statement.span


def _deals_of(effects: Effects, setting: Setting, node: nodes.Node) -> Iterator[Span]:
    """Yield the deals in a statement; refuse a statement that keeps state around them."""
    if isinstance(node, nodes.DealBlock):
        yield node.span
        return
    if isinstance(node, nodes.Do) and effects.plays_deals(node.rule):
        rule = effects.program.rules[node.rule]
        for deal in _deals(effects, setting, rule.body):
            if rule.params:
                raise _refuse(
                    say("{heading} has arguments and plays deals", heading=rule.heading), node.span
                )
            yield deal
        return
    for child in node.children:
        parts = (
            _deals(effects, setting, child)
            if isinstance(child, nodes.Block)
            else _deals_of(effects, setting, child)
        )
        for deal in parts:
            if isinstance(node, nodes.For) or (
                isinstance(node, nodes.Repeat) and not _only_bounds(node, setting)
            ):
                text = (
                    "a loop counts the deals; count them in a variable of `match state`, or, if the"
                    " number is only a limit, write {limit} or more"
                )
                raise _refuse(say(text, limit=LIMIT), node.span)
            yield deal


def _only_bounds(loop: nodes.Repeat, setting: Setting) -> bool:
    times = loop.times
    if isinstance(times, nodes.Parameter):
        value = setting.parameters[times.name]
    elif isinstance(times, nodes.Const):
        value = times.value or 0
    else:
        return False
    return isinstance(value, int) and value >= LIMIT


def _refuse(reason: str, at: Span) -> BadUsage:
    text = "{reason} ({at}): exact evaluation needs deals that depend on the score only"
    return BadUsage(say(text, reason=reason, at=at))
