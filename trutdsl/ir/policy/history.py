"""Instrumentation: what a match keeps for strategies that ask what was said and shown in a deal.

Both are variables that the rules set as any other, so that every engine keeps them; no rule looks
at them, and no view or transcript tells of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import cast

from trutdsl.ir import nodes
from trutdsl.ir.policy.names import MOST_TIMES, SHOWN, said_name
from trutdsl.ir.rebuild import rebuild
from trutdsl.ir.types import CARD, CARDS, Kind, Number
from trutdsl.ir.walk import questions_of
from trutdsl.syntax.ast import Audience

CARD_SENTENCES = nodes.Draw | nodes.Move | nodes.MoveAll | nodes.Swap | nodes.Gather
Words = tuple[str, ...]


def add_history(program: nodes.Program, said: Collection[Words], shown: bool) -> nodes.Program:
    """Return a program that keeps how often options of these words were chosen, and what is shown.

    Its events, questions and mistakes are the same as before.
    """
    variables = dict(program.variables)
    wanted = {words for words in said if said_name(words) not in variables}
    shown = shown and SHOWN not in variables
    if not wanted and not shown:
        return program
    for words in sorted(wanted):
        variables[said_name(words)] = _counter(program, words)
    if shown:
        span = program.rules["match"].span
        empty = nodes.SetLiteral(span, CARDS, ())
        variables[SHOWN] = nodes.Variable(
            span, SHOWN, None, CARDS, None, None, empty, Audience.ALL, "deal", False, 0
        )
    rules = {
        name: _Instrumented(program.zones, wanted, shown, rule).rule()
        for name, rule in program.rules.items()
    }
    return replace(program, variables=variables, rules=rules)


def _counter(program: nodes.Program, words: Words) -> nodes.Variable:
    """Return the variable that counts an option; all see it who notice the option."""
    span = program.rules["match"].span
    audiences = {
        Audience.ALL if option.openly else ask.audience
        for ask in questions_of(program)
        for option in ask.options
        if option.words == words
    }
    order = (Audience.NOBODY, Audience.OWNER, Audience.TEAM, Audience.ALL)
    least = next((one for one in order if one in audiences), Audience.ALL)
    zero = nodes.Const(span, Number(0, 0), 0)
    most = nodes.Const(span, Number(MOST_TIMES, MOST_TIMES), MOST_TIMES)
    audience = Audience.OWNER if least is Audience.NOBODY else least
    return nodes.Variable(
        span, said_name(words), Kind.SEAT, Number(0, MOST_TIMES), zero, most, zero, audience,
        "deal", False, 0,
    )  # fmt: skip


class _Instrumented:
    """Rewrites one rule."""

    def __init__(
        self,
        zones: Mapping[str, nodes.Zone],
        said: Collection[Words],
        shown: bool,
        rule: nodes.Rule,
    ) -> None:
        self.zones, self.said, self.shown, self.before = zones, said, shown, rule
        self.slots = rule.slots

    def rule(self) -> nodes.Rule:
        """Return the rule with what keeps the history."""
        body = cast(nodes.Block, rebuild(self.before.body, self._change))
        return replace(self.before, body=body, slots=self.slots)

    def _change(self, node: nodes.Node, _before: nodes.Node) -> nodes.Node:
        if isinstance(node, nodes.Ask) and any(o.words in self.said for o in node.options):
            return replace(node, options=tuple(self._counted(o, node) for o in node.options))
        if self.shown and isinstance(node, nodes.Block):
            found: list[nodes.Statement] = []
            for statement in node.statements:
                found += self._seen(statement)
            if len(found) > len(node.statements):
                return replace(node, statements=tuple(found))
        return node

    def _counted(self, option: nodes.Option, ask: nodes.Ask) -> nodes.Option:
        if option.words not in self.said:
            return option
        span = option.span
        target = nodes.Var(span, Number(0, MOST_TIMES), said_name(option.words), ask.seat)
        one = nodes.Const(span, Number(1, 1), 1)
        counting = nodes.Assign(span, target, "+=", one)
        body = replace(option.body, statements=(counting, *option.body.statements))
        return replace(option, body=body)

    def _seen(self, node: nodes.Statement) -> list[nodes.Statement]:
        """Return a sentence and, if it brings cards to where all see them, what notes them."""
        cards: list[nodes.Expression] = []
        if isinstance(node, CARD_SENTENCES) and self._is_open(node.target):
            cards.append(node.target)
        elif isinstance(node, nodes.Draw) and node.face_up:
            slot = node.slot
            if slot is None:
                slot, self.slots = self.slots, self.slots + 1
                node = replace(node, slot=slot)
            drawn = nodes.Local(node.span, CARD, slot, "")
            cards.append(nodes.SetLiteral(node.span, CARDS, (drawn,)))
        if isinstance(node, nodes.Swap) and self._is_open(node.origin):
            cards.append(node.origin)
        if isinstance(node, nodes.Reveal) and isinstance(node.what, nodes.ZoneCards):
            to = node.seats
            if isinstance(to, nodes.Builtin) and to.name == "seats":
                cards.append(node.what)
        target = nodes.Var(node.span, CARDS, SHOWN, None)
        return [node, *(nodes.Assign(node.span, target, "+=", found) for found in cards)]

    def _is_open(self, zone: nodes.ZoneCards) -> bool:
        return self.zones[zone.name].audience is Audience.ALL
