"""Gives expressions their types, and names their meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from trutdsl.diagnostics import did_you_mean
from trutdsl.ir import builtins, nodes
from trutdsl.ir.intervals import combine, hull
from trutdsl.ir.scope import Frame, Head, Names
from trutdsl.ir.types import (
    CARD,
    CARDS,
    NOBODY,
    NUMBER,
    SEAT,
    SEATS,
    UNKNOWN,
    WIDEST,
    YES_NO,
    Element,
    Kind,
    Nobody,
    Number,
    OneOf,
    SetOf,
    Type,
    Unknown,
    described,
    fits,
)
from trutdsl.source import Span
from trutdsl.syntax import ast

FunctionHead = Callable[[str], Head]


class ExpressionBuilder:
    """Builds the expressions of one rule or function.

    head:     gives a function's types, building it first if need be.
    replaced: the `define` that the one being built replaces, with its own parameters in `params`.
    """

    def __init__(self, names: Names, frame: Frame, head: FunctionHead) -> None:
        self.names, self.frame, self.head = names, frame, head
        self.errors = names.errors
        self.replaced: nodes.Function | None = None
        self.params: tuple[nodes.Local, ...] = ()

    # -------------------------------------------------------- entry points

    def build(self, node: ast.Expr, wanted: Type | None = None) -> nodes.Expression:
        """Return the expression; `wanted` settles what quoted texts and named values stand for."""
        match node:
            case ast.Number(span, value):
                if value > WIDEST // 2**8 or value >= 10**10:
                    self.errors.error("too-large", "this number is too large", span)
                    value = 0
                return nodes.Const(span, Number(value, value), value)
            case ast.YesNo(span, value):
                return nodes.Const(span, YES_NO, value)
            case ast.Nothing(span):
                if isinstance(wanted, OneOf) and "none" in wanted.names:
                    return nodes.Const(span, wanted, wanted.names.index("none"))
                return nodes.Const(span, NOBODY, None)
            case ast.Text():
                return self._text(node, wanted)
            case ast.Name():
                return self._name(node, wanted)
            case ast.Call():
                return self._call(node)
            case ast.Base():
                return self._base(node)
            case ast.Index():
                return self._index(node)
            case ast.Not(span, value):
                return nodes.Not(span, YES_NO, self.yes_no(value))
            case ast.Negate(span, value):
                zero = nodes.Const(span, Number(0, 0), 0)
                return self._arithmetic(span, "-", zero, self.number(value))
            case ast.Binary():
                return self._binary(node, wanted)
            case ast.Choice():
                return self._choice(node, wanted)
            case ast.SetOf():
                return self._set_literal(node, wanted)
            case ast.Quantifier():
                return self._quantifier(node)
            case _:
                assert_never(node)

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
            )
            return nodes.Const(value.span, UNKNOWN, 0)
        return value

    def within(self, value: nodes.Expression, wanted: Type) -> nodes.Expression:
        """Return a number within the wanted bounds, to be checked in play if it may lie outside."""
        match value.type, wanted:
            case Number(low, high), Number(least, most) if low < least or high > most:
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
                return nodes.PackText(node.span, Element(named[0]), named[0], node.value)
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
                    return nodes.PackText(node.span, Element(kind), kind, node.value)
                self.errors.error(
                    "unknown-name",
                    f'the pack has no {kind.value} "{node.value}"',
                    node.span,
                    help=did_you_mean(node.value, known) or _few(known),
                )
            case _:
                self.errors.error(
                    "type",
                    "a quoted text names a card, rank or suit, which has no meaning here",
                    node.span,
                    help='compare it with one, as in `rank(card) == "K"`',
                )
        return nodes.Const(node.span, UNKNOWN, 0)

    def _name(self, node: ast.Name, wanted: Type | None) -> nodes.Expression:
        name, span = node.name, node.span
        if name in self.frame.bound:
            slot, type_ = self.frame.bound[name]
            return nodes.Local(span, type_, slot, name)
        if isinstance(wanted, OneOf) and name in wanted.names:
            return nodes.Const(span, wanted, wanted.names.index(name))
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
        per: Kind | None
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
                f"there is one '{name}' for each {per.value}",
                span,
                help=f"say which: `{name}[...]`",
            )
            return nodes.Const(span, UNKNOWN, 0)
        if index is not None:
            if per is None:
                self.errors.error("type", f"there is only one '{name}'", span, help=f"`{name}`")
                return nodes.Const(span, UNKNOWN, 0)
            index = self.as_type(index, Element(per), f"what '{name}' belongs to")
        if name in self.names.zones:
            return nodes.ZoneCards(span, CARDS, name, index)
        return nodes.Var(span, type_, name, index)

    def _index(self, node: ast.Index) -> nodes.Expression:
        name = node.name.text
        index = self.build(node.index)
        if name in self.names.zones or name in self.names.variables or name in builtins.VARIABLES:
            return self._stored(node.span, name, index)
        known = [*self.names.zones, *self.names.variables]
        self.names.unknown("zone, counter or variable", name, node.name.span, known)
        return nodes.Const(node.span, UNKNOWN, 0)

    def _call(self, node: ast.Call) -> nodes.Expression:
        name, span = node.name.text, node.span
        if name == "openly" and len(node.args) == 1:
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
        if name in self.names.rules:
            self.errors.error(
                "type",
                f"'{name}' is a rule; a rule is done by a sentence of its own",
                node.name.span,
                help=f"write `do {name}(...)`, or `let x = do {name}(...)` for what it returns",
            )
        else:
            known = [*self.names.functions, *builtins.FUNCTIONS, *self.names.pack.values]
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
            self._arity(name, len(signature.params), len(node.args), node.span)
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
            result = hull(args[0].type, args[1].type)
        return nodes.Builtin(node.span, result, name, tuple(args))

    def arguments(
        self, head: Head, args: tuple[ast.Expr, ...], span: Span
    ) -> tuple[nodes.Expression, ...]:
        """Return the arguments of a rule or function, checked against its parameters."""
        if len(args) != len(head.params):
            self._arity(head.name, len(head.params), len(args), span)
        what = f"this argument of '{head.name}'"
        wanted = [*head.params, *[UNKNOWN] * len(args)]
        return tuple(
            self.within(self.typed(a, t, what), t) for a, t in zip(args, wanted, strict=False)
        )

    def _arity(self, name: str, wanted: int, found: int, span: Span) -> None:
        plural = "argument" if wanted == 1 else "arguments"
        self.errors.error("type", f"'{name}' takes {wanted} {plural}, but is given {found}", span)

    # -------------------------------------------------------- operators

    def _binary(self, node: ast.Binary, wanted: Type | None) -> nodes.Expression:
        span, op = node.span, node.op
        match op:
            case "and" | "or":
                left, right = self.yes_no(node.left), self.yes_no(node.right)
                return nodes.Logic(span, YES_NO, op, left, right)
            case "in":
                return self._member(node)
            case "==" | "!=" | "<" | "<=" | ">" | ">=":
                return self._compare(node)
        left = self.build(node.left, wanted)
        if isinstance(left.type, SetOf):
            return self._set_operation(node, left, left.type)
        right = self.build(node.right, wanted)
        if isinstance(right.type, SetOf) and isinstance(left.type, Element):
            lifted = nodes.SetLiteral(left.span, right.type, (left,))
            return self._set_operation(node, lifted, right.type)
        left = self.as_type(left, NUMBER, f"the left side of '{op}'")
        right = self.as_type(right, NUMBER, f"the right side of '{op}'")
        return self._arithmetic(span, op, left, right)

    def _arithmetic(
        self, span: Span, op: str, left: nodes.Expression, right: nodes.Expression
    ) -> nodes.Expression:
        if op == "&":
            self.errors.error("type", "'&' joins sets, not numbers", span, help="write `and`")
            return nodes.Const(span, UNKNOWN, 0)
        if not (isinstance(left.type, Number) and isinstance(right.type, Number)):
            return nodes.Const(span, UNKNOWN, 0)
        if op in ("div", "mod") and right.type.low < 1:
            self.errors.error(
                "type", "the divisor may be 0 or less", right.span, help="make sure: `max(1, ...)`"
            )
            return nodes.Const(span, UNKNOWN, 0)
        result = combine(op, left.type, right.type)
        if max(abs(result.low), abs(result.high)) > WIDEST:
            self.errors.error(
                "too-large", f"the result of '{op}' may be too large to be exact", span
            )
            return nodes.Const(span, UNKNOWN, 0)
        return nodes.Arithmetic(span, result, op, left, right)

    def _set_operation(
        self, node: ast.Binary, left: nodes.Expression, kind: SetOf
    ) -> nodes.Expression:
        if node.op not in ("+", "-", "&"):
            self.errors.error("type", f"'{node.op}' has no meaning for sets", node.span)
            return nodes.Const(node.span, UNKNOWN, 0)
        right = self.build(node.right, kind)
        if isinstance(right.type, Element) and right.type.kind == kind.kind:
            item = self.as_type(right, Element(kind.kind), "this")
            right = nodes.SetLiteral(right.span, kind, (item,))
        right = self.as_type(right, kind, f"the right side of '{node.op}'")
        return nodes.SetOperation(node.span, kind, node.op, left, right)

    def _member(self, node: ast.Binary) -> nodes.Expression:
        if isinstance(node.left, ast.Text):
            items = self.build(node.right)
            kind = items.type.kind if isinstance(items.type, SetOf) else Kind.CARD
            item = self.build(node.left, Element(kind))
        else:
            item = self.build(node.left)
            of = SetOf(item.type.kind) if isinstance(item.type, Element) else None
            items = self.build(node.right, of)
        if isinstance(item.type, Element) and items.type == SetOf(item.type.kind):
            item = self.as_type(item, Element(item.type.kind), "this")
        elif not isinstance(item.type, Unknown) and not isinstance(items.type, Unknown):
            self.errors.error(
                "type", f"{described(item.type)} cannot be in {described(items.type)}", node.span
            )
        return nodes.Member(node.span, YES_NO, item, items)

    def _compare(self, node: ast.Binary) -> nodes.Expression:
        span, op = node.span, node.op
        if self._needs_other_side(node.left):
            right = self.build(node.right)
            left = self.build(node.left, _bare(right.type))
        else:
            left = self.build(node.left)
            right = self.build(node.right, _bare(left.type))
        a, b = _bare(left.type), _bare(right.type)
        same = fits(a, b) or (isinstance(a, Nobody) and isinstance(right.type, Element))
        same = same or (isinstance(b, Nobody) and isinstance(left.type, Element))
        if not same:
            message = f"{described(left.type)} is compared with {described(right.type)}"
            self.errors.error("type", message, span)
        elif op not in ("==", "!=") and not isinstance(a, Number | Unknown):
            self.errors.error("type", f"'{op}' compares numbers, and this is {described(a)}", span)
        return nodes.Compare(span, YES_NO, op, left, right)

    def _needs_other_side(self, node: ast.Expr) -> bool:
        if isinstance(node, ast.Name):
            bound = node.name in self.frame.bound or node.name in self.names.everything()
            return not bound and node.name not in builtins.VARIABLES
        return isinstance(node, ast.Text | ast.Nothing)

    def _choice(self, node: ast.Choice, wanted: Type | None) -> nodes.Expression:
        test = self.yes_no(node.test)
        yes = self.build(node.yes, wanted)
        no = self.build(node.no, wanted or _bare(yes.type))
        a, b = yes.type, no.type
        result: Type
        match a, b:
            case (Unknown(), _) | (_, Unknown()):
                result = UNKNOWN
            case Number(), Number():
                result = hull(a, b)
            case (Element(kind), Nobody()) | (Nobody(), Element(kind)):
                result = Element(kind, True)
            case (Element(kind), Element(other)) if kind == other:
                result = Element(kind, a.optional or b.optional)
            case _ if a == b:
                result = a
            case _:
                self.errors.error(
                    "type", f"one side is {described(a)}, the other {described(b)}", node.span
                )
                result = UNKNOWN
        return nodes.Choice(node.span, result, test, yes, no)

    def _set_literal(self, node: ast.SetOf, wanted: Type | None) -> nodes.Expression:
        of = Element(wanted.kind) if isinstance(wanted, SetOf) else None
        items = [self.build(item, of) for item in node.items]
        known = [i.type.kind for i in items if isinstance(i.type, Element)]
        kind = known[0] if known else of.kind if of else None
        if kind is None:
            if not any(isinstance(i.type, Unknown) for i in items):
                self.errors.error("type", "it is not clear what this set holds", node.span)
            return nodes.Const(node.span, UNKNOWN, 0)
        checked = tuple(self.as_type(i, Element(kind), "this") for i in items)
        return nodes.SetLiteral(node.span, SetOf(kind), checked)

    # -------------------------------------------------------- going through sets

    def domain(self, node: ast.Domain, name: ast.Word) -> tuple[int, nodes.Domain]:
        """Return the slot bound to each element in turn, and the domain."""
        last = None
        element: Type = UNKNOWN
        if node.last is not None:
            items, last = self.number(node.items), self.number(node.last)
            element = hull(items.type, last.type)
        else:
            items = self.build(node.items)
            if isinstance(items.type, SetOf):
                element = Element(items.type.kind)
            elif not isinstance(items.type, Unknown):
                self.errors.error(
                    "type",
                    f"one can only go through a set or zone, not {described(items.type)}",
                    items.span,
                )
        start = None
        if node.start is not None:
            start = self.typed(node.start, SEAT, "where the turn starts")
            if items.type not in (SEATS, UNKNOWN) or last is not None:
                self.errors.error("type", "only seats have an order of play", node.start.span)
        slot = self.frame.bind(name, element)
        self.frame.fixed.add(slot)
        if isinstance(items, nodes.ZoneCards):
            self.frame.origins[slot] = items
        where = self.yes_no(node.where) if node.where is not None else None
        return slot, nodes.Domain(node.span, items, last, start, node.after, where)

    def _quantifier(self, node: ast.Quantifier) -> nodes.Expression:
        outer = self.frame.inner()
        slot, domain = self.domain(node.domain, node.name)
        element = self.frame.bound[node.name.text][1]
        value: nodes.Expression | None = None
        result: Type
        match node.kind:
            case "count":
                result = Number(0, 64)
            case "any" | "every":
                value = self.yes_no(node.value) if node.value is not None else None
                result = YES_NO
            case "first" | "those":
                result = UNKNOWN
                if isinstance(element, Element):
                    result = (
                        SetOf(element.kind) if node.kind == "those" else Element(element.kind, True)
                    )
                elif not isinstance(element, Unknown):
                    self.errors.error("type", f"'{node.kind}' is asked of a set", node.span)
            case _:
                assert node.value is not None
                value = self.number(node.value)
                result = value.type
                if node.kind == "total" and isinstance(value.type, Number):
                    result = combine("*", value.type, Number(0, 64))
                    if max(abs(result.low), abs(result.high)) > WIDEST:
                        self.errors.error("too-large", "this total may be too large", node.span)
        self.frame.leave(outer)
        return nodes.Quantifier(node.span, result, node.kind, slot, domain, value)


def _few(known: frozenset[str]) -> str | None:
    return f"it has {', '.join(sorted(known))}" if len(known) <= 16 else None


def _bare(type_: Type) -> Type:
    return Element(type_.kind) if isinstance(type_, Element) else type_
