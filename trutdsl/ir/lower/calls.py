"""Lowers calls of functions, of partners and opponents, too."""

from __future__ import annotations

from dataclasses import replace

from trutdsl.diagnostics import Edit, Note, Span
from trutdsl.ir import nodes
from trutdsl.ir.intervals import extreme
from trutdsl.ir.lower.scope import (
    Head,
    mistake,
)
from trutdsl.ir.lower.values import ValueBuilder
from trutdsl.ir.types import (
    CARD,
    FUNCTIONS,
    NAMED_TYPES,
    PARTNERS,
    PRINTED,
    RANK,
    SEAT,
    SEATS,
    TEAM,
    TEAMS,
    UNKNOWN,
    Element,
    Kind,
    SetOf,
    Unknown,
    describe_type,
)
from trutdsl.language import say
from trutdsl.syntax import ast

# Partners and opponents: abbreviations for operations on sets of seats and teams.


def build_partners(values: ValueBuilder, node: ast.Call, name: str) -> nodes.Expression:
    """Return the expression for a function of `PARTNERS`."""
    span = node.span
    if len(node.args) != 1:
        (kind, *_) = PARTNERS[name]
        values.arity(name, (NAMED_TYPES[kind],), len(node.args), span)
        return nodes.Const(span, UNKNOWN, 0)
    given = values.build(node.args[0])
    if name == "other":
        return _other_team(values, given, span)
    if name in ("rank_above", "rank_below"):
        rank = values.as_type(given, RANK, say("the argument of '{name}'", name=name))
        return nodes.Builtin(span, Element(Kind.RANK, True), name, (rank,))
    is_team = isinstance(given.type, Element) and given.type.kind is Kind.TEAM
    if name == "opponents" and is_team:
        team = values.as_type(given, TEAM, say("the argument of 'opponents'"))
        alone = nodes.SetLiteral(team.span, TEAMS, (team,))
        return _without(span, nodes.Builtin(span, TEAMS, "teams", ()), alone)
    seat = values.as_type(given, SEAT, say("the argument of '{name}'", name=name))
    if seat.type == UNKNOWN:
        return seat
    side = nodes.Builtin(span, TEAM, "team", (seat,))
    own = nodes.Builtin(span, SEATS, "seats_of", (side,))
    if name == "opponents":
        return _without(span, nodes.Builtin(span, SEATS, "seats", ()), own)
    if name == "partners":
        return _without(span, own, nodes.SetLiteral(seat.span, SEATS, (seat,)))
    next_one = nodes.Domain(span, own, None, seat, True, None)
    return nodes.Quantifier(
        span, Element(Kind.SEAT, True), "first", values.frame.slot(), next_one, None
    )


def _other_team(values: ValueBuilder, given: nodes.Expression, span: Span) -> nodes.Expression:
    """Return the other one of two teams."""
    team = values.as_type(given, TEAM, say("the argument of '{name}'", name="other"))
    counts = sorted(values.names.team_counts)
    if counts != [2]:
        teams = ", ".join(map(str, counts))
        message = say("`other` needs two teams, and here can be {teams}", teams=teams)
        loop = f"for side in opponents({given.span.text}):"
        help_ = say("go through the others: `{loop}`", loop=loop)
        return mistake(values.errors, message, span, help=help_)
    others = _without(
        span, nodes.Builtin(span, TEAMS, "teams", ()), nodes.SetLiteral(span, TEAMS, (team,))
    )
    found = nodes.Quantifier(
        span, Element(Kind.TEAM, True), "first", values.frame.slot(),
        nodes.Domain(span, others, None, None, False, None), None,
    )  # fmt: skip
    return nodes.Unwrap(span, TEAM, found)


def _without(span: Span, all_: nodes.Expression, less: nodes.Expression) -> nodes.Expression:
    return nodes.SetOperation(span, all_.type, "-", all_, less)


class CallBuilder(ValueBuilder):
    """Builds calls in the expressions of one rule or function."""

    def _call(self, node: ast.Call) -> nodes.Expression:
        name, span = node.name.text, node.span
        if name == "openly" and len(node.args) == 1:
            if self.pure:
                message = say("`openly` belongs in a rule; a computed value reveals nothing")
                help_ = say("write it in the rule that makes this known, around the computed value")
                start = replace(span, end_line=span.line, end_col=span.col + len("openly("))
                end = replace(span, line=span.end_line, col=span.end_col - 1)
                edits = Edit(start, ""), Edit(end, "")
                self.errors.error("misplaced", message, span, help=help_, edits=edits)
            value = self.build(node.args[0])
            return nodes.Builtin(span, value.type, "openly", (value,))
        if name in self.names.functions:
            head = self.head(name)
            args = self.arguments(head, node.args, span)
            return nodes.Call(span, head.result or UNKNOWN, name, args)
        if name in self.names.pack.values:
            if len(node.args) != 1:
                return mistake(self.errors, say("'{name}' is read off one card", name=name), span)
            card = self.build_as(node.args[0], CARD, say("the argument of '{name}'", name=name))
            return nodes.CardValue(span, PRINTED, name, card)
        if name in FUNCTIONS:
            return self._builtin(name, node)
        if name == "abs" and len(node.args) == 1:
            less = ast.Negate(span, node.args[0])
            return self._builtin("max", ast.Call(span, node.name, (node.args[0], less)))
        if name in PARTNERS:
            return build_partners(self, node, name)
        if name in self.names.rules:
            message = say(
                "'{name}' is a rule; a rule is called by a sentence of its own", name=name
            )
            help_ = say(
                "write `do {name}(...)`, or `let x = do {name}(...)` for what it returns", name=name
            )
            self.errors.error("type", message, node.name.span, help=help_)
        else:
            known = [*self.names.functions, *FUNCTIONS, *PARTNERS]
            known += self.names.pack.values
            self.names.unknown("function", name, node.name.span, known)
        for arg in node.args:
            self.build(arg)
        return nodes.Const(span, UNKNOWN, 0)

    def _base(self, node: ast.Base) -> nodes.Expression:
        replaced = self.replaced
        if replaced is None:
            message = say("there is nothing here that `base` could mean")
            help_ = say("in a rule write `do base`; in a `define` it needs `replace define`")
            return mistake(self.errors, message, node.span, help=help_, code="unknown-name")
        args: tuple[nodes.Expression, ...] = self.params
        if node.args is not None:
            head = Head("base", replaced.params, replaced.result, node.span)
            args = self.arguments(head, node.args, node.span)
        return nodes.Call(node.span, replaced.result, replaced.name, args)

    def _builtin(self, name: str, node: ast.Call) -> nodes.Expression:
        signature = FUNCTIONS[name]
        if len(node.args) != len(signature.params):
            self.arity(name, signature.params, len(node.args), node.span)
            return nodes.Const(node.span, UNKNOWN, 0)
        args: list[nodes.Expression] = []
        for wanted, arg in zip(signature.params, node.args, strict=True):
            if wanted is not None:
                args.append(self.build_as(arg, wanted, say("the argument of '{name}'", name=name)))
                continue
            value = self.build(arg)
            args.append(value)
            if not isinstance(value.type, SetOf | Unknown):
                kind = describe_type(value.type)
                text = "'{name}' is asked of a set or zone, not {described}"
                self.errors.error("type", say(text, name=name, described=kind), arg.span)
        result = signature.result
        if name in ("top", "bottom") and not isinstance(args[0], nodes.ZoneCards):
            message = say(
                "only a zone has a {name} card, not {described}",
                name=name,
                described=describe_type(args[0].type),
            )
            help_ = say("write `first c in ...` for the first in the order of the pack")
            self.errors.error("type", message, node.span, help=help_)
        if name in ("min", "max"):
            result = extreme(name, args[0].type, args[1].type)
        return nodes.Builtin(node.span, result, name, tuple(args))

    def arguments(
        self, head: Head, args: tuple[ast.Expr, ...], span: Span
    ) -> tuple[nodes.Expression, ...]:
        """Return the arguments of a rule or function, checked against its parameters."""
        if len(args) != len(head.params):
            where = [] if head.span == span else [Note(say("it is here"), head.span)]
            self.arity(head.name, head.params, len(args), span, *where)
        what = say("this argument of '{head}'", head=head.name)
        wanted = [*head.params, *[UNKNOWN] * len(args)]
        return tuple(
            self.convert(self.build(a, t), t, what) for a, t in zip(args, wanted, strict=False)
        )
