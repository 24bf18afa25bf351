"""Lowers references: names, quoted texts, and calls of functions."""

from __future__ import annotations

from dataclasses import replace

from trutdsl.diagnostics import Edit, Note, Span, did_you_mean
from trutdsl.ir import nodes
from trutdsl.ir.intervals import extreme
from trutdsl.ir.lower.scope import Head, help_for_text, mistake
from trutdsl.ir.lower.values import ValueBuilder
from trutdsl.ir.types import (
    A_KIND,
    CARD,
    CARDS,
    FUNCTIONS,
    NAMED_TYPES,
    NAMES,
    NATURAL,
    NUMBERS_OF,
    PARTNERS,
    PRINTED_NUMBER,
    RANK,
    SEAT,
    SEATS,
    TEAM,
    TEAMS,
    TO_TEAM,
    UNKNOWN,
    VARIABLES,
    Among,
    Element,
    Kind,
    Number,
    OneOf,
    SetOf,
    Type,
    Unknown,
    describe_type,
    element_words,
)
from trutdsl.language import say
from trutdsl.syntax import ast
from trutdsl.variant.pack import suit_meant_by


class ReferenceBuilder(ValueBuilder):
    """Builds names, quoted texts and calls in one rule or function.

    counts: naming the number of the deal or trick makes the rules count it.
    is_set: the present name gets a value.
    """

    counts = True
    is_set = False

    def _text(self, node: ast.Text, expected: Type | None) -> nodes.Expression:
        if expected is None:
            kinds = (Kind.CARD, Kind.RANK, Kind.SUIT)
            candidates = [k for k in kinds if node.value in self.names.pack.of(k)]
            if candidates:
                return self._pack_text(node, candidates[0])
        match expected:
            case OneOf(names) if node.value in names:
                return nodes.Const(node.span, expected, names.index(node.value))
            case OneOf(names):
                message = say(
                    '"{node}" is not one of {names}', node=node.value, names=", ".join(names)
                )
                help_ = did_you_mean(node.value, names)
                return mistake(self.errors, message, node.span, help=help_, code="unknown-name")
            case Element(Kind.CARD | Kind.RANK | Kind.SUIT as kind):
                known = self.names.pack.of(kind)
                if node.value in known:
                    return self._pack_text(node, kind)
                message = say(
                    'the pack has no {kind} "{node}"', kind=say(kind.value), node=node.value
                )
                help_ = help_for_text(node.value, kind, self.names.pack)
                return mistake(self.errors, message, node.span, help=help_, code="unknown-name")
            case SetOf(Kind.CARD | Kind.RANK | Kind.SUIT as kind):
                message = say("this must be {many}", many=say(A_KIND[kind][1]))
                help_ = say("write `{spoken}`", spoken=f'{{"{node.value}"}}')
                return mistake(self.errors, message, node.span, help=help_)
        message = say("a quoted text names a card, rank or suit, which has no meaning here")
        help_ = say('compare it with one, as in `rank(card) == "K"`')
        if letter := suit_meant_by(node.value, self.names.pack.suit_names):
            help_ = say('write `"{letter}"`', letter=letter)
        return mistake(self.errors, message, node.span, help=help_)

    def _pack_text(self, node: ast.Text, kind: Kind) -> nodes.PackText:
        """Return a card, rank or suit; it is optional if some pack of the variant lacks it."""
        missing = node.value not in self.names.pack.everywhere(kind)
        return nodes.PackText(node.span, Element(kind, missing), kind, node.value)

    def _name(self, node: ast.Name, expected: Type | None) -> nodes.Expression:
        name, span = node.name, node.span
        if name in self.frame.bound:
            slot, type_ = self.frame.bound[name]
            return nodes.Local(span, type_, slot, name)
        one = expected.kind if isinstance(expected, SetOf) else expected
        if isinstance(one, OneOf) and name in one.names:
            return nodes.Const(span, one, one.names.index(name))
        names = self.names
        if name in names.zones or name in names.variables or name in VARIABLES:
            return self._reference(span, name, None)
        if name in names.functions:
            return self._call(ast.Call(span, ast.Word(span, name), ()))
        if name in names.parameters:
            return nodes.Parameter(span, names.parameters[name], name)
        if name in NAMES:
            return nodes.Builtin(span, NAMES[name][0], name, ())
        if name in NUMBERS_OF:
            if not self.counts:
                message = say("the rules of this variant do not use '{name}'", name=name)
                help_ = say("a strategy can use it if a rule does")
                return mistake(self.errors, message, span, help=help_, code="unknown-name")
            names.numbers.add(name)
            return nodes.Var(span, NATURAL, name, None)
        if isinstance(expected, OneOf):
            message = say(
                "'{name}' is not one of {names}", name=name, names=", ".join(expected.names)
            )
            hint = did_you_mean(name, expected.names)
            return mistake(self.errors, message, span, help=hint, code="unknown-name")
        of = {t for t in names.types.values() if isinstance(t, OneOf) and name in t.names}
        if len(of) == 1:
            only = of.pop()
            return nodes.Const(span, only, only.names.index(name))
        if name in names.pack.cards:
            card = f'{{"{name}"}}' if isinstance(expected, SetOf) else f'"{name}"'
            message = say("there is no name '{node}'", node=name)
            help_ = say("write `{spoken}`", spoken=card)
            return mistake(self.errors, message, span, help=help_, code="unknown-name")
        if name in names.rules:
            message = say("'{name}' is a rule, not a value", name=name)
            help_ = say("write `let x = do {name}` in a line above, and `x` here", name=name)
            given = names.rules[name].result is not None
            return mistake(self.errors, message, span, help=help_ if given else None)
        params = FUNCTIONS[name].params if name in FUNCTIONS else ()
        asked = (
            SEAT if "seat" in PARTNERS.get(name, ()) else params[0] if len(params) == 1 else None
        )
        known = [*names.everything(), *self.frame.bound]
        what = "variable" if self.is_set else "name"
        return names.unknown(what, name, span, known, of=self._some(asked))

    def _reference(
        self, span: Span, name: str, index: nodes.Expression | None
    ) -> nodes.ZoneCards | nodes.Var | nodes.Const:
        """Return a zone, variable or counter, after a check of its index."""
        per: Among | None
        type_: Type
        if name in VARIABLES:
            type_, per = VARIABLES[name][0], None
        elif name in self.names.zones:
            type_, per = CARDS, self.names.zones[name].index
        else:
            variable = self.names.variables[name]
            type_, per = variable.type, variable.index
        if per is not None and index is None:
            message = say(
                "there is one '{name}' for each {among}", name=name, among=element_words(per)
            )
            help_ = say("say which: `{name}[{place}]`", name=name, place=self._some(per))
            return mistake(self.errors, message, span, help=help_)
        if per is None and index is not None:
            message = say("there is only one '{name}'", name=name)
            text = "write `{name}` alone, or declare one for each: `{name}[{kind}]`"
            kind = index.type.kind.value if isinstance(index.type, Element) else "..."
            help_ = say(text, name=name, kind=kind)
            return mistake(self.errors, message, span, help=help_)
        if per is not None and index is not None:
            index = self._place(index, name, per)
        if name in self.names.zones:
            return nodes.ZoneCards(span, CARDS, name, index)
        return nodes.Var(span, type_, name, index)

    def _some(self, kind: Among | Type | None) -> str:
        """Return how to write a seat or team that is known here, else `...`."""
        seat = next((name for name, (_, t) in self.frame.bound.items() if t == SEAT), None)
        of = {Kind.SEAT: f"{seat}", Kind.TEAM: f"team({seat})"}
        kind = kind.kind if isinstance(kind, Element) else kind
        return of.get(kind, "...") if seat and isinstance(kind, Kind) else "..."

    def _place(self, index: nodes.Expression, name: str, per: Among) -> nodes.Expression:
        """Return the place of a zone or variable, of numbers counted from 0."""
        what = say("the index of '{name}'", name=name)
        if not isinstance(per, Number):
            return self.as_type(index, Element(per) if isinstance(per, Kind) else per, what)
        bounds = self.names.indexed[name]
        index = self.convert(index, bounds, what)
        low: nodes.Expression = nodes.number(index.span, bounds.low)
        if bounds.low == 0 or isinstance(index.type, Unknown):
            return index
        return nodes.Arithmetic(index.span, per, "-", index, low)

    def _index(self, node: ast.Index) -> nodes.Expression:
        name = node.name.text
        known_variable = self.names.variables.get(name)
        per = known_variable.index if known_variable is not None else None
        index = self.build(node.index, per if isinstance(per, OneOf) else None)
        if name in self.names.zones or name in self.names.variables or name in VARIABLES:
            return self._reference(node.span, name, index)
        known = [*self.names.zones, *self.names.variables]
        what, of = say("zone, counter or variable"), node.index.span.text
        return self.names.unknown(what, name, node.name.span, known, of=of)

    def _rate(self, node: ast.Rate) -> nodes.Expression:
        message = say("only strategies look at how often others answer")
        return mistake(self.errors, message, node.span)

    def _beside(self, node: ast.Expr, other: Type) -> nodes.Expression:
        """Return one side of a comparison, possibly a card, rank or suit without quotes."""
        if isinstance(node, ast.Name) and self._needs_other_side(node):
            help_ = self.help_for_quotes(node, other)
            if help_ is not None:
                message = say("there is no name '{node}'", node=node.name)
                return mistake(self.errors, message, node.span, help=help_, code="unknown-name")
        return self.build(node, other)

    def _needs_other_side(self, node: ast.Expr) -> bool:
        return isinstance(node, ast.Text | ast.Nothing) or self.is_unknown(node)

    def is_unknown(self, node: ast.Expr) -> bool:
        """Return whether this is a name that nothing declares; another side may explain it."""
        if not isinstance(node, ast.Name):
            return False
        bound = node.name in self.frame.bound or node.name in self.names.everything()
        return not bound and node.name not in VARIABLES

    def _call(self, node: ast.Call) -> nodes.Expression:
        name, span = node.name.text, node.span
        if name == "openly" and len(node.args) == 1:
            if self.pure:
                message = say("`openly` belongs in a rule; a computed value reveals nothing")
                text = "write `{inner}` here; to make it known, set it in a rule: `... = {spoken}`"
                help_ = say("leave out `openly`")
                if inner := node.args[0].span.text:
                    help_ = say(text, inner=inner, spoken=span.text)
                if self.call:
                    text = "leave it out here, and write `openly({call})` in the rule that uses it"
                    help_ = say(text, call=self.call)
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
            return nodes.CardValue(span, PRINTED_NUMBER, name, card)
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
            of = node.args[0].span.text if len(node.args) == 1 else "..."
            self.names.unknown("function", name, node.name.span, known, of=of)
        for arg in node.args:
            self.build(arg)
        return nodes.Const(span, UNKNOWN, 0)

    def _base(self, node: ast.Base) -> nodes.Expression:
        base = self.base_define
        if base is None:
            message = say("there is nothing here that `base` could mean")
            help_ = say("in a rule write `do base`; in a `define` it needs `replace define`")
            return mistake(self.errors, message, node.span, help=help_, code="unknown-name")
        args: tuple[nodes.Expression, ...] = self.params
        if node.args is not None:
            head = Head("base", base.params, base.result, node.span)
            args = self.arguments(head, node.args, node.span)
        return nodes.Call(node.span, base.result, base.name, args)

    def _builtin(self, name: str, node: ast.Call) -> nodes.Expression:
        signature = FUNCTIONS[name]
        if len(node.args) != len(signature.params):
            self.arity(name, signature.params, len(node.args), node.span)
            return nodes.Const(node.span, UNKNOWN, 0)
        args: list[nodes.Expression] = []
        for expected, arg in zip(signature.params, node.args, strict=True):
            if expected is not None:
                args.append(
                    self.build_as(arg, expected, say("the argument of '{name}'", name=name))
                )
                continue
            value = self.build(arg)
            args.append(value)
            if not isinstance(value.type, SetOf | Unknown):
                kind = describe_type(value.type)
                text = "'{name}' is asked of a set or zone, not {described}"
                self.errors.error("type", say(text, name=name, described=kind), arg.span)
        result = signature.result
        if name in ("top", "bottom") and not isinstance(args[0], nodes.ZoneCards):
            text = "only a zone has a {name} card, not {described}"
            message = say(text, name=name, described=describe_type(args[0].type))
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
        expected = [*head.params, *[UNKNOWN] * len(args)]
        result = []
        for number, (arg, type_) in enumerate(zip(args, expected, strict=False)):
            value = self.build(arg, type_)
            before = len(self.errors.diagnostics)
            result.append(self.convert(value, type_, what))
            errors = self.names.argument_errors.setdefault((head.name, number), [])
            errors += self.errors.diagnostics[before:]
        return tuple(result)


# Partners and opponents: abbreviations for operations on sets of seats and teams.


def build_partners(values: ValueBuilder, node: ast.Call, name: str) -> nodes.Expression:
    """Return the expression for a function of `PARTNERS`."""
    span = node.span
    if len(node.args) != 1:
        (kind, *_) = PARTNERS[name]
        values.arity(name, (NAMED_TYPES[kind],), len(node.args), span)
        return nodes.Const(span, UNKNOWN, 0)
    argument = values.build(node.args[0])
    if name == "other":
        return _other_team(values, argument, span)
    if name in ("rank_above", "rank_below"):
        rank = values.as_type(argument, RANK, say("the argument of '{name}'", name=name))
        return nodes.Builtin(span, Element(Kind.RANK, True), name, (rank,))
    is_team = isinstance(argument.type, Element) and argument.type.kind is Kind.TEAM
    if name == "opponents" and is_team:
        team = values.as_type(argument, TEAM, say("the argument of 'opponents'"))
        single = nodes.SetLiteral(team.span, TEAMS, (team,))
        return _without(span, nodes.Builtin(span, TEAMS, "teams", ()), single)
    seat = values.as_type(argument, SEAT, say("the argument of '{name}'", name=name))
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


def _other_team(values: ValueBuilder, argument: nodes.Expression, span: Span) -> nodes.Expression:
    """Return the other one of two teams."""
    team = values.as_type(argument, TEAM, say("the argument of '{name}'", name="other"))
    counts = sorted(values.names.team_counts)
    if counts != [2]:
        teams = ", ".join(map(str, counts))
        message = say("`other` needs two teams, and here can be {teams}", teams=teams)
        loop = f"for side in opponents({argument.span.text}):"
        help_ = say("go through the others: `{loop}`", loop=loop)
        return mistake(values.errors, message, span, help=help_)
    others = _without(
        span, nodes.Builtin(span, TEAMS, "teams", ()), nodes.SetLiteral(span, TEAMS, (team,))
    )
    result = nodes.Quantifier(
        span, TO_TEAM, "first", values.frame.slot(),
        nodes.Domain(span, others, None, None, False, None), None,
    )  # fmt: skip
    return nodes.Unwrap(span, TEAM, result)


def _without(span: Span, all_: nodes.Expression, less: nodes.Expression) -> nodes.Expression:
    return nodes.SetOperation(span, all_.type, "-", all_, less)
