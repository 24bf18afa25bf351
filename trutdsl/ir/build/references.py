"""References: what names and quoted texts in expressions stand for."""

from __future__ import annotations

from trutdsl.diagnostics import did_you_mean
from trutdsl.ir import builtins, nodes
from trutdsl.ir.build.calls import CallBuilder
from trutdsl.ir.build.suggestions import named_otherwise
from trutdsl.ir.types import (
    CARDS,
    UNKNOWN,
    Among,
    Element,
    Kind,
    Number,
    OneOf,
    SetOf,
    Type,
    Unknown,
    among,
)
from trutdsl.source import Span
from trutdsl.syntax import ast


class NameBuilder(CallBuilder):
    """Builds what names and quoted texts stand for, in one rule or function."""

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
                self.errors.error(
                    "unknown-name",
                    f'"{node.value}" is not one of {", ".join(names)}',
                    node.span,
                    help=did_you_mean(node.value, names),
                )
            case Element(Kind.CARD | Kind.RANK | Kind.SUIT as kind):
                known = self.names.pack.of(kind)
                if node.value in known:
                    return self._pack_text(node, kind)
                self.errors.error(
                    "unknown-name",
                    f'the pack has no {kind.value} "{node.value}"',
                    node.span,
                    help=named_otherwise(node.value, kind, self.names.pack),
                )
            case _:
                self.errors.error(
                    "type",
                    "a quoted text names a card, rank or suit, which has no meaning here",
                    node.span,
                    help='compare it with one, as in `rank(card) == "K"`',
                )
        return nodes.Const(node.span, UNKNOWN, 0)

    def _pack_text(self, node: ast.Text, kind: Kind) -> nodes.PackText:
        """Return what is named; there may be none, if some pack of the variant does not have it."""
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
        if name in names.zones or name in names.variables or name in builtins.VARIABLES:
            return self._stored(span, name, None)
        if name in names.functions:
            return self._call(ast.Call(span, ast.Word(span, name), ()))
        if name in names.parameters:
            return nodes.Parameter(span, names.parameters[name], name)
        if name in builtins.NAMES:
            return nodes.Builtin(span, builtins.NAMES[name][0], name, ())
        if isinstance(wanted, OneOf):
            self.errors.error(
                "unknown-name",
                f"'{name}' is not one of {', '.join(wanted.names)}",
                span,
                help=did_you_mean(name, wanted.names),
            )
        elif (
            len(of := {t for t in names.types.values() if isinstance(t, OneOf) and name in t.names})
            == 1
        ):
            only = of.pop()
            return nodes.Const(span, only, only.names.index(name))
        elif name in names.rules:
            self.errors.error(
                "type",
                f"'{name}' is a rule, not a value",
                span,
                help=f"write `let x = do {name}` in a line above, and `x` here",
            )
        else:
            names.unknown("name", name, span, [*names.everything(), *self.frame.bound])
        return nodes.Const(span, UNKNOWN, 0)

    def _stored(
        self, span: Span, name: str, index: nodes.Expression | None
    ) -> nodes.ZoneCards | nodes.Var | nodes.Const:
        """Return a zone, variable or counter, having seen whether it needs an index."""
        per: Among | None
        type_: Type
        if name in builtins.VARIABLES:
            type_, per = builtins.VARIABLES[name][0], None
        elif name in self.names.zones:
            type_, per = CARDS, self.names.zones[name].index
        else:
            variable = self.names.variables[name]
            type_, per = variable.type, variable.index
        if per is not None and index is None:
            self.errors.error(
                "type",
                f"there is one '{name}' for each {among(per)}",
                span,
                help=f"say which: `{name}[...]`",
            )
            return nodes.Const(span, UNKNOWN, 0)
        if index is not None:
            if per is None:
                self.errors.error("type", f"there is only one '{name}'", span, help=f"`{name}`")
                return nodes.Const(span, UNKNOWN, 0)
            index = self._place(index, name, per)
        if name in self.names.zones:
            return nodes.ZoneCards(span, CARDS, name, index)
        return nodes.Var(span, type_, name, index)

    def _place(self, index: nodes.Expression, name: str, per: Among) -> nodes.Expression:
        """Return which place of a zone or variable is meant, of numbers counted from 0."""
        what = f"what '{name}' belongs to"
        if isinstance(per, Kind):
            return self.as_type(index, Element(per), what)
        if isinstance(per, OneOf):
            return self.as_type(index, per, what)
        bounds = self.names.indexed[name]
        index = self.converted(index, bounds, what)
        low: nodes.Expression = nodes.Const(index.span, Number(bounds.low, bounds.low), bounds.low)
        if bounds.low == 0 or isinstance(index.type, Unknown):
            return index
        return nodes.Arithmetic(index.span, per, "-", index, low)

    def _index(self, node: ast.Index) -> nodes.Expression:
        name = node.name.text
        known_variable = self.names.variables.get(name)
        per = known_variable.index if known_variable is not None else None
        index = self.build(node.index, per if isinstance(per, OneOf) else None)
        if name in self.names.zones or name in self.names.variables or name in builtins.VARIABLES:
            return self._stored(node.span, name, index)
        known = [*self.names.zones, *self.names.variables]
        self.names.unknown("zone, counter or variable", name, node.name.span, known)
        return nodes.Const(node.span, UNKNOWN, 0)

    def _beside(self, node: ast.Expr, other: Type) -> nodes.Expression:
        """Return one side of a comparison, which may lack the quotes of a card, rank or suit."""
        if isinstance(node, ast.Name) and self._needs_other_side(node):
            help_ = self.quoted(node, other)
            if help_ is not None:
                message = f"there is no name '{node.name}'"
                self.errors.error("unknown-name", message, node.span, help=help_)
                return nodes.Const(node.span, UNKNOWN, 0)
        return self.build(node, other)

    def _needs_other_side(self, node: ast.Expr) -> bool:
        if isinstance(node, ast.Name):
            bound = node.name in self.frame.bound or node.name in self.names.everything()
            return not bound and node.name not in builtins.VARIABLES
        return isinstance(node, ast.Text | ast.Nothing)
