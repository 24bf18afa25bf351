"""Hooks: rules that run when a deal or the match is over, however it ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from trutdsl.diagnostics import Collector, Note, Span
from trutdsl.ir import nodes
from trutdsl.ir.nodes import if_holds, put_first, rebuild, rules_from, walk, walk_calls
from trutdsl.ir.types import NOBODY, TO_TEAM, YES_NO, OneOf, Type
from trutdsl.language import say
from trutdsl.syntax import ast
from trutdsl.variant import Variant
from trutdsl.variant.words import OVER

DEAL, MATCH = (f"when {event}" for event in ast.HOOKS.values())  # the names of their rules
OPEN = "deal:open"  # whether a deal is open; no view shows a variable with such a name


def reasons_of(variant: Variant) -> dict[str, tuple[str, ...]]:
    """Return the reasons for which a deal and a match can end, in the order of the rules."""
    deal, match = dict[str, None](), dict[str, None]()
    for layer in variant.layers:
        rules = layer.rules
        for node in ast.walk((rules.rules, rules.groups, rules.additions) if rules else ()):
            if isinstance(node, ast.EndDeal):
                deal[node.reason.text] = None
            elif isinstance(node, ast.EndMatch):
                match[node.reason.text if node.reason is not None else OVER] = None
    return {DEAL: tuple(deal | match), MATCH: tuple(match)}


def params_of_hook(reasons: tuple[str, ...]) -> dict[str, Type]:
    """Return the names that a hook knows, with their types."""
    return {"winner": TO_TEAM, "reason": OneOf(reasons)}


def run_hooks(program: nodes.Program, errors: Collector) -> nodes.Program:
    """Return the program with a call of the hooks before each end of a deal or of the match.

    They run inside the deal or match, as its last part. If the match ends in a deal, the hook of
    the deal comes first. Rules that a deal's hook calls, and that may end the match, get a copy.
    That copy does not call this hook again.
    """
    hooks = {name: program.rules[name] for name in (DEAL, MATCH) if name in program.rules}
    if not hooks:
        return program
    for name in hooks:
        _refuse_second_end(program, name, errors)
    if errors.diagnostics:
        return program
    copies, of_hooks = {}, {*hooks}
    others = rules_from(program, "match")
    for name in rules_from(program, DEAL) if DEAL in hooks else ():
        parts = walk_calls(program, program.rules[name].body)
        if name not in others:
            of_hooks.add(name)
        elif any(isinstance(n, nodes.EndMatch) for n in parts):
            copies[name] = f"{name} (over)"
    writer = _HookWriter(program, hooks)
    rules = dict[str, nodes.Rule]()
    for name, rule in program.rules.items():
        if name in of_hooks or name.startswith("when "):
            rules[name] = _rename_calls(writer.rule(rule, False), copies)
            continue
        rules[name] = writer.rule(rule, True)
        if name in copies:
            own = rebuild(rule, _copy_question)
            copy = _rename_calls(writer.rule(own, False), copies)
            rules[copies[name]] = replace(copy, name=copies[name])
    variables = dict(program.variables)
    if writer.asks_whether_open:
        span = program.rules["match"].span
        no = nodes.Const(span, YES_NO, False)
        variables[OPEN] = nodes.Variable(span, OPEN, None, YES_NO, no, lifetime="deal")
    return replace(program, rules=rules, variables=variables)


class _HookWriter:
    """Writes the calls of hooks into rules.

    places: for each `end match`, whether it runs with an open deal, without one, or both.
    """

    def __init__(self, program: nodes.Program, hooks: dict[str, nodes.Rule]) -> None:
        self.hooks = hooks
        self.reasons = {name: _reasons(rule) for name, rule in hooks.items()}
        self.places = dict(_ends_of_match(program))
        both = {True, False}
        self.asks_whether_open = DEAL in hooks and both in self.places.values()

    def rule(self, rule: nodes.Rule, with_deal: bool) -> nodes.Rule:
        """Return a rule with calls; with_deal: also of the hook of a deal."""
        slot = rule.slots  # holds the winner while the hooks run

        def change(node: nodes.Node, _before: nodes.Node) -> nodes.Changed:
            if isinstance(node, nodes.DealBlock) and self.asks_whether_open:
                return replace(node, body=put_first(node.body, _assign_open(node.span, True)))
            if isinstance(node, nodes.EndDeal | nodes.EndMatch):
                return tuple(self._expand_end(node, slot, with_deal))
            return node

        body = rebuild(rule.body, change)
        return rule if body is rule.body else replace(rule, body=body, slots=slot + 1)

    def _expand_end(
        self, end: nodes.EndDeal | nodes.EndMatch, slot: int, with_deal: bool
    ) -> Iterator[nodes.Statement]:
        """Yield an end after the calls of its hooks."""
        span, calls = end.span, list[nodes.Statement]()
        winner: nodes.Expression = nodes.Const(span, NOBODY, None)
        if end.winner is not None:
            winner = nodes.Local(end.winner.span, TO_TEAM, slot, "")
        if DEAL in self.hooks and with_deal:
            call = self._call(DEAL, winner, end.reason or OVER, span)
            if isinstance(end, nodes.EndDeal):
                calls += [_assign_open(span, False)] if self.asks_whether_open else []
                calls.append(call)
            else:
                where = self.places.get(_key(end), {False})
                test = nodes.Var(span, YES_NO, OPEN, None)
                if where == {True}:
                    calls.append(call)
                elif True in where:
                    calls.append(if_holds(span, test, [call]))
        if MATCH in self.hooks and isinstance(end, nodes.EndMatch):
            calls.append(self._call(MATCH, winner, end.reason or OVER, span))
        if not calls or end.winner is None:
            yield from (*calls, end)
        else:
            yield nodes.Let(end.winner.span, slot, end.winner)
            yield from (*calls, replace(end, winner=winner))

    def _call(self, hook: str, winner: nodes.Expression, reason: str, span: Span) -> nodes.Perform:
        reasons = self.reasons[hook]
        why = nodes.Const(span, reasons, reasons.names.index(reason))
        return nodes.Perform(span, nodes.Do(span, NOBODY, hook, (winner, why)))


def _reasons(hook: nodes.Rule) -> OneOf:
    (reasons,) = (kind for kind in hook.params if isinstance(kind, OneOf))
    return reasons


def _assign_open(span: Span, is_open: bool) -> nodes.Assign:
    flag = nodes.Var(span, YES_NO, OPEN, None)
    return nodes.Assign(span, flag, "=", nodes.Const(span, YES_NO, is_open))


def _key(end: nodes.Node) -> tuple[str, int, int]:
    return end.span.source.name, end.span.line, end.span.col


def _ends_of_match(program: nodes.Program) -> Iterable[tuple[tuple[str, int, int], set[bool]]]:
    """Return for each `end match` in which places it runs: in an open deal, or outside of one."""
    result = dict[tuple[str, int, int], set[bool]]()
    for node, in_deal in nodes.walk_match(program, nodes.DealBlock):
        if isinstance(node, nodes.EndMatch):
            result.setdefault(_key(node), set()).add(in_deal)
    return result.items()


def _copy_question(node: nodes.Node, _before: nodes.Node) -> nodes.Node:
    """Return a question as a node of its own, because engines number questions by identity."""
    return replace(node) if isinstance(node, nodes.Ask) else node


def _rename_calls(rule: nodes.Rule, copies: dict[str, str]) -> nodes.Rule:
    """Return a rule that calls the copies."""

    def change(node: nodes.Node, _before: nodes.Node) -> nodes.Node:
        if isinstance(node, nodes.Do) and node.rule in copies:
            return replace(node, rule=copies[node.rule])
        return node

    return rebuild(rule, change)


def _refuse_second_end(program: nodes.Program, hook: str, errors: Collector) -> None:
    """Report an end of what is over already, in a hook or a rule that it calls."""
    ends = nodes.EndDeal if hook == DEAL else nodes.EndDeal | nodes.EndMatch
    for name in sorted(rules_from(program, hook)):
        for node in walk(program.rules[name].body):
            if isinstance(node, ends):
                what = "deal" if isinstance(node, nodes.EndDeal) else "match"
                note = Note(say("this runs `{hook}`", hook=hook), program.rules[hook].span)
                help_ = say("leave it out here: after this, the {what} ends by itself", what=what)
                message = say("this ends the {what}, which is over already", what=what)
                place, errors.place = errors.place, program.rules[name].heading
                errors.error("misplaced", message, node.span, note, help=help_)
                errors.place = place
                return
