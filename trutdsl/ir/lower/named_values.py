"""Lowers names and quoted texts: of zones, variables, parameters, and parts of the pack."""

from __future__ import annotations

from trutdsl.diagnostics import Span, did_you_mean
from trutdsl.ir import nodes
from trutdsl.ir.lower.calls import CallBuilder
from trutdsl.ir.lower.scope import help_for_text, mistake
from trutdsl.ir.types import (
    CARDS,
    COUNTED,
    NAMES,
    NUMBERS_OF,
    VARIABLES,
    Among,
    Element,
    Kind,
    Number,
    OneOf,
    SetOf,
    Type,
    Unknown,
    element_words,
)
from trutdsl.language import say
from trutdsl.syntax import ast


class NameBuilder(CallBuilder):
    """Builds names and quoted texts in one rule or function.

    counts: naming the number of the deal or trick makes the rules count it.
    """

    counts = True

    def _text(self, node: ast.Text, wanted: Type | None) -> nodes.Expression:
        if wanted is None:
            kinds = (Kind.CARD, Kind.RANK, Kind.SUIT)
            named = [k for k in kinds if node.value in self.names.pack.of(k)]
            if named:
                return self._pack_text(node, named[0])
        match wanted:
            case OneOf(names) if node.value in names:
                return nodes.Const(node.span, wanted, names.index(node.value))
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
        message = say("a quoted text names a card, rank or suit, which has no meaning here")
        help_ = say('compare it with one, as in `rank(card) == "K"`')
        return mistake(self.errors, message, node.span, help=help_)

    def _pack_text(self, node: ast.Text, kind: Kind) -> nodes.PackText:
        """Return a card, rank or suit; it is optional if some pack of the variant lacks it."""
        missing = node.value not in self.names.pack.everywhere(kind)
        return nodes.PackText(node.span, Element(kind, missing), kind, node.value)

    def _name(self, node: ast.Name, wanted: Type | None) -> nodes.Expression:
        name, span = node.name, node.span
        if name in self.frame.bound:
            slot, type_ = self.frame.bound[name]
            return nodes.Local(span, type_, slot, name)
        one = wanted.kind if isinstance(wanted, SetOf) else wanted
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
            return nodes.Var(span, COUNTED, name, None)
        if isinstance(wanted, OneOf):
            message = say(
                "'{name}' is not one of {names}", name=name, names=", ".join(wanted.names)
            )
            near = did_you_mean(name, wanted.names)
            return mistake(self.errors, message, span, help=near, code="unknown-name")
        of = {t for t in names.types.values() if isinstance(t, OneOf) and name in t.names}
        if len(of) == 1:
            only = of.pop()
            return nodes.Const(span, only, only.names.index(name))
        if name in names.rules:
            message = say("'{name}' is a rule, not a value", name=name)
            help_ = say("write `let x = do {name}` in a line above, and `x` here", name=name)
            return mistake(self.errors, message, span, help=help_)
        return names.unknown("name", name, span, [*names.everything(), *self.frame.bound])

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
            help_ = say("say which: `{name}[...]`", name=name)
            return mistake(self.errors, message, span, help=help_)
        if per is None and index is not None:
            message = say("there is only one '{name}'", name=name)
            return mistake(self.errors, message, span, help=f"`{name}`")
        if per is not None and index is not None:
            index = self._place(index, name, per)
        if name in self.names.zones:
            return nodes.ZoneCards(span, CARDS, name, index)
        return nodes.Var(span, type_, name, index)

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
        return self.names.unknown(say("zone, counter or variable"), name, node.name.span, known)

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
        if isinstance(node, ast.Name):
            bound = node.name in self.frame.bound or node.name in self.names.everything()
            return not bound and node.name not in VARIABLES
        return isinstance(node, ast.Text | ast.Nothing)
