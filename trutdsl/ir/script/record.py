"""Records of a match for scripts: what seats chose and could choose, how the last deal ended."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.intervals import MOST_DEALS
from trutdsl.ir.nodes import if_holds, put_first, questions_of, rules_from, walk, walk_calls
from trutdsl.ir.script.history import (
    HISTORY,
    Past,
    RuleRewriter,
    Words,
    add_history,
    audience_of,
    words_of,
)
from trutdsl.ir.types import NOBODY, SEAT, SEATS, TO_TEAM, Kind, Number, OneOf, Type
from trutdsl.syntax.ast import Audience

MOST_ANSWERS = 1_000_000  # of one seat in a match that are counted
LAST = "last "  # before what is kept of the last deal
DEALS_OVER, WINNER, REASON = (f"{HISTORY}{name}" for name in ("deals over", "winner", "reason"))


def rate_names(words: Words, decision: str) -> tuple[str, str]:
    """Return the variables that count an option of each seat: how often chosen, how often legal."""
    what = " ".join(words) + (f" at {decision}" if decision else "")
    return f"{HISTORY}chose {what}", f"{HISTORY}could {what}"


def last_name(name: str) -> str:
    """Return the variable that keeps a variable of the deal when the deal is over."""
    return f"{HISTORY}{LAST}{name.removeprefix(HISTORY)}"


def reasons_in(program: nodes.Program) -> tuple[str, ...]:
    """Return the reasons for which deals end, in the order of the rules."""
    rules = (program.rules[name] for name in rules_from(program, "match"))
    ends = (node for rule in rules for node in walk(rule.body) if isinstance(node, nodes.EndDeal))
    return tuple(dict.fromkeys(end.reason for end in ends)) or ("over",)


def asks_of_match(program: nodes.Program, policy: nodes.Policy) -> bool:
    """Return whether a script asks for records that outlast a deal, also through a `define`."""
    return any(
        program.variables[node.name].lifetime == "match"
        for node in walk_calls(program, policy)
        if isinstance(node, nodes.Var) and node.name.startswith(HISTORY)
    )


def add_past(program: nodes.Program, past: Past) -> nodes.Program:
    """Return a program that records all that scripts ask about the deal and about the match."""
    return add_record(add_history(program, past), past)


def add_record(program: nodes.Program, past: Past) -> nodes.Program:
    """Return a program that also records what scripts ask about the match.

    It has the history of deals already (`add_history`).
    """
    span = program.rules["match"].span
    zero, most = nodes.number(span, 0), nodes.number(span, MOST_ANSWERS)
    additions: list[nodes.Variable] = []
    rates = set[tuple[Words, str]]()
    for words, decision in sorted(past.rates):
        if rate_names(words, decision)[0] not in program.variables:
            rates.add((words, decision))
            asks = [ask for ask in questions_of(program) if _offers(ask, words, decision)]
            audience = audience_of(ask.audience for ask in asks)
            additions += (
                nodes.Variable(
                    span, name, Kind.SEAT, Number(0, MOST_ANSWERS), zero, audience, "match",
                    zero, most,
                )
                for name in rate_names(words, decision)
            )  # fmt: skip
    names = (name for name in sorted(past.kept) if last_name(name) not in program.variables)
    copies = [program.variables[name] for name in names]
    additions += (replace(one, name=last_name(one.name), lifetime="match") for one in copies)
    ends = past.over and DEALS_OVER not in program.variables
    if ends:
        deals, reasons = Number(0, MOST_DEALS), OneOf(reasons_in(program))
        limit, nobody = nodes.number(span, MOST_DEALS), nodes.Const(span, NOBODY, None)
        additions += (
            nodes.Variable(span, DEALS_OVER, None, deals, zero, low=zero, high=limit),
            nodes.Variable(span, WINNER, None, TO_TEAM, nobody),
            nodes.Variable(span, REASON, None, reasons, nodes.Const(span, reasons, 0)),
        )
    if not additions:
        return program
    variables = dict(program.variables) | {one.name: one for one in additions}
    rules, writer = dict(program.rules), _RecordWriter(program, rates, copies, ends)
    for name in rules_from(program, "match"):  # others may end deals for reasons of their own
        rules[name] = writer.rewrite(rules[name])
    return replace(program, variables=variables, rules=rules)


def _offers(ask: nodes.Ask, words: Words, decision: str) -> bool:
    known = [words_of(one, ask.decision) for one in ask.options]
    return decision in ("", ask.decision) and words in known


@dataclass
class _RecordWriter(RuleRewriter):
    program: nodes.Program
    rates: Collection[tuple[Words, str]]
    copies: Collection[nodes.Variable]
    ends: bool

    def change(self, node: nodes.Node, _before: nodes.Node) -> nodes.Changed:
        if isinstance(node, nodes.Ask):
            for words, decision in self.rates:
                if _offers(node, words, decision):
                    node = self._count_option(node, words, decision)
        return tuple(self._over(node)) if isinstance(node, nodes.EndDeal) else node

    def _count_option(self, ask: nodes.Ask, words: Words, decision: str) -> nodes.Ask:
        """Return a question whose answers count an option, as far as all know it to be legal."""
        chose, could = rate_names(words, decision)
        option = next(one for one in ask.options if words_of(one, ask.decision) == words)
        test = option.condition
        if test is not None and not self._is_public(test, ask):
            test = None
        options = []
        for one in ask.options:
            increment: nodes.Statement = self._plus_one(could, ask.seat, ask.span)
            if test is not None:
                increment = if_holds(ask.span, test, [increment])
            first = [increment]
            if words_of(one, ask.decision) == words:
                first = [self._plus_one(name, ask.seat, ask.span) for name in (could, chose)]
            options.append(replace(one, body=put_first(one.body, *first)))
        return replace(ask, options=tuple(options))

    def _plus_one(self, name: str, seat: nodes.Expression, span: Span) -> nodes.Statement:
        target = nodes.Var(span, Number(0, MOST_ANSWERS), name, seat)
        return nodes.Assign(span, target, "+=", nodes.number(span, 1))

    def _is_public(self, test: nodes.Expression, ask: nodes.Ask) -> bool:
        """Return whether all seats know if a condition holds, without a proof of the whole rule.

        So it must depend on values that all see, and on the asked seat only.
        """
        own = ask.seat.slot if isinstance(ask.seat, nodes.Local) else None
        for node in walk(test):
            if isinstance(node, nodes.Local) and node.slot != own:
                return False
        places, names = self.program.declarations, Effects(self.program).reads_of(test)
        return all(one.audience is Audience.ALL for one in places if one.name in names)

    def _over(self, end: nodes.EndDeal) -> Iterator[nodes.Statement]:
        """Yield assignments that keep how a deal ended, and its end."""
        span = end.span
        if self.ends:
            one = nodes.number(span, 1)
            counter = nodes.Var(span, Number(0, MOST_DEALS), DEALS_OVER, None)
            yield nodes.Assign(span, counter, "+=", one)
            winner = end.winner or nodes.Const(span, NOBODY, None)
            yield nodes.Assign(span, nodes.Var(span, TO_TEAM, WINNER, None), "=", winner)
            reasons = reasons_in(self.program)
            reason = nodes.Const(span, OneOf(reasons), reasons.index(end.reason))
            target = nodes.Var(span, OneOf(reasons), REASON, None)
            yield nodes.Assign(span, target, "=", reason)
        for variable in self.copies:
            yield self._copy(variable, variable.type, span)
        yield end

    def _copy(self, variable: nodes.Variable, type_: Type, span: Span) -> nodes.Statement:
        last = last_name(variable.name)
        if variable.index is None:
            value = nodes.Var(span, type_, variable.name, None)
            return nodes.Assign(span, nodes.Var(span, type_, last, None), "=", value)
        seat = nodes.Local(span, SEAT, self.slots, "")
        self.slots += 1
        target = nodes.Var(span, type_, last, seat)
        assign = nodes.Assign(span, target, "=", nodes.Var(span, type_, variable.name, seat))
        seats = nodes.Domain(span, nodes.Builtin(span, SEATS, "seats", ()))
        return nodes.For(span, seat.slot, seats, nodes.Block(span, (assign,)))
