"""Gives names, calls and texts in expressions their meaning."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from trutdsl.diagnostics import Note, counted, did_you_mean
from trutdsl.ir import builtins, nodes
from trutdsl.ir.build.scope import Frame, Head, Names
from trutdsl.ir.build.suggestions import named_otherwise, of_other_kind
from trutdsl.ir.intervals import extreme
from trutdsl.ir.types import (
    CARD,
    CARDS,
    NUMBER,
    UNKNOWN,
    YES_NO,
    Among,
    Element,
    Kind,
    Number,
    OneOf,
    SetOf,
    Type,
    Unknown,
    among,
    described,
    fits,
)
from trutdsl.source import Span
from trutdsl.syntax import ast

FunctionHead = Callable[[str], Head]


class NameBuilder(ABC):
    """Builds what stands for itself in the expressions of one rule or function.

    head:     gives a function's types, building it first if need be.
    replaced: the `define` that the one being built replaces, with its own parameters in `params`.
    pure:     in a `define` or a start, which make nothing known.
    """

    def __init__(self, names: Names, frame: Frame, head: FunctionHead) -> None:
        self.names, self.frame, self.head = names, frame, head
        self.errors = names.errors
        self.replaced: nodes.Function | None = None
        self.params: tuple[nodes.Local, ...] = ()
        self.pure = False

    @abstractmethod
    def partners(self, name: str, node: ast.Call) -> nodes.Expression:
        """Return the partners or opponents of a seat or team."""

    @abstractmethod
    def build(self, node: ast.Expr, wanted: Type | None = None) -> nodes.Expression:
        """Return any expression; what builds them all says how."""

    def typed(self, node: ast.Expr, wanted: Type, what: str) -> nodes.Expression:
        """Return the expression as a value of the wanted type, or report that it is none."""
        return self.as_type(self.build(node, wanted), wanted, what)

    def as_type(self, value: nodes.Expression, wanted: Type, what: str) -> nodes.Expression:
        """Return the value as one of the wanted type, or report that it is none."""
        if (
            isinstance(wanted, Element)
            and not wanted.optional
            and value.type == Element(wanted.kind, True)
        ):
            return nodes.Unwrap(value.span, wanted, value)
        if isinstance(wanted, Element) and wanted.optional and value.type == Element(wanted.kind):
            return value
        if not fits(value.type, wanted):
            self.errors.error(
                "type",
                f"{what} must be {described(wanted)}, but this is {described(value.type)}",
                value.span,
                help=of_other_kind(value, wanted),
            )
            return nodes.Const(value.span, UNKNOWN, 0)
        return value

    def within(self, value: nodes.Expression, wanted: Type) -> nodes.Expression:
        """Return a number within the wanted bounds, to be checked in play if it may lie outside."""
        match value.type, wanted:
            case Number(), Number(exact=(low, high)):
                return nodes.Within(value.span, wanted, value, low, high)
            case Number(low, high), Number(least, most) if low < least or high > most:
                return nodes.Within(value.span, wanted, value)
            case SetOf(Number()), SetOf(Number(exact=(low, high))):
                return nodes.Within(value.span, wanted, value, low, high)
            case SetOf(Number(low, high)), SetOf(Number(least, most)):
                if low < least or high > most:
                    return nodes.Within(value.span, wanted, value)
        return value

    def yes_no(self, node: ast.Expr) -> nodes.Expression:
        """Return the expression as a condition."""
        return self.typed(node, YES_NO, "a condition")

    def number(self, node: ast.Expr) -> nodes.Expression:
        """Return the expression as a number."""
        return self.typed(node, NUMBER, "this")

    def cards_in(self, node: ast.Expr, what: str) -> nodes.ZoneCards | None:
        """Return the zone that an expression names, or report that it names none."""
        value = self.build(node)
        if isinstance(value, nodes.ZoneCards):
            return value
        if not isinstance(value.type, Unknown):
            self.errors.error("type", f"{what} must be a zone", value.span)
        return None

    # -------------------------------------------------------- names

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

    def item(self, value: nodes.Expression, kind: Among, what: str) -> nodes.Expression:
        """Return what may be in a set; what a pack does not have is in none."""
        if not isinstance(kind, Kind):
            return self.as_type(value, kind, what)
        if isinstance(value, nodes.PackText) and value.kind is kind:
            return value
        return self.as_type(value, Element(kind), what)

    def quoted(self, node: ast.Expr, wanted: Type) -> str | None:
        """Return the help for a card, rank or suit of the pack that stands without its quotes."""
        if not isinstance(wanted, Element) or not isinstance(node, ast.Name | ast.Number):
            return None
        text = node.name if isinstance(node, ast.Name) else str(node.value)
        known = self.names.pack.of(wanted.kind)
        if wanted.kind is Kind.SUIT:
            text = self.names.pack.suit_names.get(text, text)
        return f'write `"{text}"`' if text in known else None

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
        index = self.within(self.as_type(index, bounds, what), bounds)
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

    def _call(self, node: ast.Call) -> nodes.Expression:
        name, span = node.name.text, node.span
        if name == "openly" and len(node.args) == 1:
            if self.pure:
                self.errors.error(
                    "misplaced",
                    "`openly` stands in what is worked out and shows nothing; only rules do",
                    span,
                    help="write it in the rule that makes this known, around what is worked out",
                )
            value = self.build(node.args[0])
            return nodes.Builtin(span, value.type, "openly", (value,))
        if name in self.names.functions:
            head = self.head(name)
            args = self.arguments(head, node.args, span)
            return nodes.Call(span, head.result or UNKNOWN, name, args)
        if name in self.names.pack.values:
            if len(node.args) != 1:
                self.errors.error("type", f"'{name}' is read off one card", span)
                return nodes.Const(span, UNKNOWN, 0)
            card = self.typed(node.args[0], CARD, f"what '{name}' is read off")
            return nodes.CardValue(span, builtins.PRINTED, name, card)
        if name in builtins.FUNCTIONS:
            return self._builtin(name, node)
        if name in builtins.PARTNERS:
            return self.partners(name, node)
        if name in self.names.rules:
            self.errors.error(
                "type",
                f"'{name}' is a rule; a rule is done by a sentence of its own",
                node.name.span,
                help=f"write `do {name}(...)`, or `let x = do {name}(...)` for what it returns",
            )
        else:
            known = [*self.names.functions, *builtins.FUNCTIONS, *builtins.PARTNERS]
            known += self.names.pack.values
            self.names.unknown("function", name, node.name.span, known)
        for arg in node.args:
            self.build(arg)
        return nodes.Const(span, UNKNOWN, 0)

    def _base(self, node: ast.Base) -> nodes.Expression:
        replaced = self.replaced
        if replaced is None:
            self.errors.error(
                "unknown-name",
                "there is nothing here that `base` could stand for",
                node.span,
                help="in a rule write `do base`; in a `define` it needs `replace define`",
            )
            return nodes.Const(node.span, UNKNOWN, 0)
        args: tuple[nodes.Expression, ...] = self.params
        if node.args is not None:
            head = Head("define", "base", replaced.params, replaced.result, node.span)
            args = self.arguments(head, node.args, node.span)
        return nodes.Call(node.span, replaced.result, replaced.name, args)

    def _builtin(self, name: str, node: ast.Call) -> nodes.Expression:
        signature = builtins.FUNCTIONS[name]
        if len(node.args) != len(signature.params):
            self.arity(name, signature.params, len(node.args), node.span)
            return nodes.Const(node.span, UNKNOWN, 0)
        args: list[nodes.Expression] = []
        for wanted, arg in zip(signature.params, node.args, strict=True):
            if wanted is None:
                value = self.build(arg)
                if not isinstance(value.type, SetOf | Unknown):
                    self.errors.error(
                        "type",
                        f"'{name}' is asked of a set or zone, not {described(value.type)}",
                        arg.span,
                    )
                args.append(value)
            else:
                args.append(self.typed(arg, wanted, f"what '{name}' is asked of"))
        result = signature.result
        if name in ("top", "bottom") and not isinstance(args[0], nodes.ZoneCards):
            self.errors.error(
                "type",
                f"only a zone has a {name} card, not {described(args[0].type)}",
                node.span,
                help="write `first c in ...` for the first in the order of the pack",
            )
        if name in ("min", "max"):
            result = extreme(name, args[0].type, args[1].type)
        return nodes.Builtin(node.span, result, name, tuple(args))

    def arguments(
        self, head: Head, args: tuple[ast.Expr, ...], span: Span
    ) -> tuple[nodes.Expression, ...]:
        """Return the arguments of a rule or function, checked against its parameters."""
        if len(args) != len(head.params):
            where = [] if head.span == span else [Note("it stands here", head.span)]
            self.arity(head.name, head.params, len(args), span, *where)
        what = f"this argument of '{head.name}'"
        wanted = [*head.params, *[UNKNOWN] * len(args)]
        return tuple(
            self.within(self.typed(a, t, what), t) for a, t in zip(args, wanted, strict=False)
        )

    def arity(
        self, name: str, params: Sequence[Type | None], found: int, span: Span, *where: Note
    ) -> None:
        """Report that something is given other than as many arguments as it takes."""
        takes = counted(len(params), "argument")
        kinds = ", ".join("set" if kind is None else str(kind) for kind in params)
        self.errors.error(
            "type",
            f"'{name}' takes {takes}, but is given {found}",
            span,
            *where,
            help=f"`{name}({kinds})`" if kinds else f"write `{name}` alone",
        )
