"""Lowers expressions: names, quoted texts, sets and operators."""

from __future__ import annotations

from functools import reduce
from typing import assert_never

from trutdsl.diagnostics import Span, did_you_mean
from trutdsl.ir import nodes
from trutdsl.ir.intervals import combine, hull, joined
from trutdsl.ir.lower.scope import mistake, named_otherwise, of_no_set, of_other_kind
from trutdsl.ir.lower.values import CallBuilder, QuantifierBuilder, large_numbers
from trutdsl.ir.types import (
    CARDS,
    COUNTED,
    MOST_WRITTEN,
    NAMED_TYPES,
    NAMES,
    NOBODY,
    NUMBER,
    NUMBERS_OF,
    SEAT,
    TEAM,
    UNKNOWN,
    VARIABLES,
    WIDEST,
    YES_NO,
    Among,
    Element,
    Kind,
    Nobody,
    Number,
    OneOf,
    Probability,
    SetOf,
    Type,
    Unknown,
    described,
    element_of,
    fits,
    set_of,
    spoken,
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
                self.errors.error("unknown-name", message, node.span, help=help_)
            case Element(Kind.CARD | Kind.RANK | Kind.SUIT as kind):
                known = self.names.pack.of(kind)
                if node.value in known:
                    return self._pack_text(node, kind)
                message = say(
                    'the pack has no {kind} "{node}"', kind=say(kind.value), node=node.value
                )
                help_ = named_otherwise(node.value, kind, self.names.pack)
                self.errors.error("unknown-name", message, node.span, help=help_)
            case _:
                message = say("a quoted text names a card, rank or suit, which has no meaning here")
                help_ = say('compare it with one, as in `rank(card) == "K"`')
                self.errors.error("type", message, node.span, help=help_)
        return nodes.Const(node.span, UNKNOWN, 0)

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
            return self._stored(span, name, None)
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
            self.errors.error("unknown-name", message, span, help=did_you_mean(name, wanted.names))
        elif (
            len(of := {t for t in names.types.values() if isinstance(t, OneOf) and name in t.names})
            == 1
        ):
            only = of.pop()
            return nodes.Const(span, only, only.names.index(name))
        elif name in names.rules:
            help_ = say("write `let x = do {name}` in a line above, and `x` here", name=name)
            self.errors.error(
                "type", say("'{name}' is a rule, not a value", name=name), span, help=help_
            )
        else:
            names.unknown("name", name, span, [*names.everything(), *self.frame.bound])
        return nodes.Const(span, UNKNOWN, 0)

    def _stored(
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
            message = say("there is one '{name}' for each {among}", name=name, among=spoken(per))
            return mistake(
                self.errors, message, span, help=say("say which: `{name}[...]`", name=name)
            )
        if index is not None:
            if per is None:
                return mistake(
                    self.errors,
                    say("there is only one '{name}'", name=name),
                    span,
                    help=f"`{name}`",
                )
            index = self._place(index, name, per)
        if name in self.names.zones:
            return nodes.ZoneCards(span, CARDS, name, index)
        return nodes.Var(span, type_, name, index)

    def _place(self, index: nodes.Expression, name: str, per: Among) -> nodes.Expression:
        """Return the place of a zone or variable, of numbers counted from 0."""
        what = say("the index of '{name}'", name=name)
        if isinstance(per, Kind):
            return self.as_type(index, Element(per), what)
        if isinstance(per, OneOf):
            return self.as_type(index, per, what)
        bounds = self.names.indexed[name]
        index = self.converted(index, bounds, what)
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
            return self._stored(node.span, name, index)
        known = [*self.names.zones, *self.names.variables]
        self.names.unknown(say("zone, counter or variable"), name, node.name.span, known)
        return nodes.Const(node.span, UNKNOWN, 0)

    def _rate(self, node: ast.Rate) -> nodes.Expression:
        return mistake(self.errors, "only strategies look at how often others answer", node.span)

    def _beside(self, node: ast.Expr, other: Type) -> nodes.Expression:
        """Return one side of a comparison, possibly a card, rank or suit without quotes."""
        if isinstance(node, ast.Name) and self._needs_other_side(node):
            help_ = self.quoted(node, other)
            if help_ is not None:
                message = say("there is no name '{node}'", node=node.name)
                return mistake(self.errors, message, node.span, help=help_, code="unknown-name")
        return self.build(node, other)

    def _needs_other_side(self, node: ast.Expr) -> bool:
        if isinstance(node, ast.Name):
            bound = node.name in self.frame.bound or node.name in self.names.everything()
            return not bound and node.name not in VARIABLES
        return isinstance(node, ast.Text | ast.Nothing)


class SetBuilder(NameBuilder):
    """Builds operations on whole sets."""

    def _set_operation(
        self, node: ast.Binary, left: nodes.Expression, kind: SetOf
    ) -> nodes.Expression:
        if node.op not in ("+", "-", "&"):
            return mistake(
                self.errors, say("'{op}' has no meaning for sets", op=node.op), node.span
            )
        right = self.lifted(self.build(node.right, kind), kind)
        right = self.as_type(right, kind, say("the right side of '{op}'", op=node.op))
        if node.op == "+" and isinstance(right.type, SetOf):
            kind = joined(kind, right.type)  # type: ignore[assignment]
        return nodes.SetOperation(node.span, kind, node.op, left, right)

    def lifted(self, value: nodes.Expression, kind: SetOf) -> nodes.Expression:
        """Return an element as a set of its own; any other value as it is."""
        if isinstance(value.type, Unknown | SetOf) or not fits(value.type, element_of(kind)):
            return value
        own = set_of(value.type) if isinstance(value.type, Number) else None
        if isinstance(value.type, Number) and own is None:
            value = self.within(value, element_of(kind))
        return nodes.SetLiteral(
            value.span, own or kind, (self.item(value, kind.kind, say("this")),)
        )

    def _member(self, node: ast.Binary) -> nodes.Expression:
        if numbers := large_numbers(node.right):
            return self._one_of_numbers(self.number(node.left), numbers, node.span)
        if self._needs_other_side(node.left):
            items = self.build(node.right)
            item = self.build(node.left, element_of(items.type))
        else:
            item = self.build(node.left)
            items = self.build(
                node.right, None if isinstance(item.type, Number) else set_of(item.type)
            )
        if isinstance(items.type, SetOf) and fits(item.type, element_of(_bare_set(items, item))):
            item = self.item(item, items.type.kind, say("this"))
        elif not isinstance(item.type, Unknown) and not isinstance(items.type, Unknown):
            self.errors.error(
                "type",
                say(
                    "{element} cannot be in {set}",
                    element=described(item.type),
                    set=described(items.type),
                ),
                node.span,
            )
        return nodes.Member(node.span, YES_NO, item, items)

    def _one_of_numbers(
        self, value: nodes.Expression, numbers: tuple[int, ...], span: Span
    ) -> nodes.Expression:
        """Return whether a number is one of those that no set can hold."""
        tests: list[nodes.Expression] = [
            nodes.Compare(span, YES_NO, "==", value, nodes.number(span, number))
            for number in sorted({*numbers})
        ]
        return reduce(lambda one, other: nodes.Logic(span, YES_NO, "or", one, other), tests)

    def _set_literal(self, node: ast.SetOf, wanted: Type | None) -> nodes.Expression:
        of = element_of(wanted) if isinstance(wanted, SetOf) else None
        items: list[nodes.Expression] = []
        for written in node.items:
            items.append(self._beside(written, of) if of else self.build(written))
            of = items[-1].type if of is None and isinstance(items[-1].type, OneOf) else of
        known = [i.type.kind for i in items if isinstance(i.type, Element)]
        found = SetOf(known[0]) if known else set_of(of) if of else None
        numbers = bool(items) and all(isinstance(i.type, Number) for i in items)
        if found is None and numbers:
            widest = items[0].type
            for i in items[1:]:
                widest = hull(widest, i.type)
            found = set_of(widest)
        if found is None:
            if not any(isinstance(i.type, Unknown) for i in items):
                self.errors.error(
                    "type",
                    say("a set of numbers holds only 0 to 63, but this value may lie outside")
                    if numbers
                    else say("the element type of this set is unknown"),
                    node.span,
                    help=_without_set(items) if numbers else None,
                )
            return nodes.Const(node.span, UNKNOWN, 0)
        if not isinstance(found.kind, Kind):
            element, what = element_of(found), say("this")
            each = tuple(self.converted(i, element, what) for i in items)
            return nodes.SetLiteral(node.span, found, each)
        kind = found.kind
        for item, built in zip(node.items, items, strict=True):
            help_ = self.quoted(item, Element(kind))
            if help_ is not None and isinstance(built.type, Number):
                message = say(
                    "this must be {described}, but is a number", described=described(Element(kind))
                )
                return mistake(self.errors, message, item.span, help=help_)
        checked = tuple(self.item(i, kind, say("this")) for i in items)
        return nodes.SetLiteral(node.span, SetOf(kind), checked)

    def _whole(self, node: ast.Whole) -> nodes.Expression:
        name, span = node.name.text, node.span
        kind = self.names.types.get(name)
        self.names.typed.add(name)
        of = set_of(kind) if kind is not None else None
        ends: tuple[nodes.Expression, ...] = ()
        match kind:
            case OneOf(names):
                ends = nodes.Const(span, NUMBER, 0), nodes.Const(span, NUMBER, len(names) - 1)
            case Number(low, high, exact):
                ends = exact or (nodes.Const(span, NUMBER, low), nodes.Const(span, NUMBER, high))
        if of is not None:
            return nodes.Builtin(span, of, "whole", ends)
        if kind is None and name in NAMED_TYPES:
            message, help_ = (
                say("`all of {name}` is not written so", name=name),
                say("write `seats`, `suits`, `ranks` ..."),
            )
            self.errors.error("type", message, span, help=help_)
        elif kind is None:
            self.names.unknown("type", name, node.name.span, self.names.types)
        else:
            help_ = of_no_set(kind)
            self.errors.error("type", say("there is no set of these"), span, help=help_)
        return nodes.Const(span, UNKNOWN, 0)


def _bare_set(items: nodes.Expression, item: nodes.Expression) -> Type:
    """Return the type of a set in a test for an element, which may be none."""
    assert isinstance(items.type, SetOf)
    maybe = isinstance(item.type, Element) and item.type.kind == items.type.kind
    return SetOf(item.type.kind) if maybe and isinstance(item.type, Element) else items.type


class ExpressionBuilder(SetBuilder, QuantifierBuilder):
    """Builds the expressions of one rule or function."""

    def build(self, node: ast.Expr, wanted: Type | None = None) -> nodes.Expression:
        """Return the expression; `wanted` decides the type of quoted texts and named values."""
        match node:
            case ast.Number(span, value):
                if value > MOST_WRITTEN:
                    self.errors.error("too-large", say("this number is too large"), span)
                    value = 0
                return nodes.number(span, value)
            case ast.Decimal(span, millionths):
                if millionths is None:
                    message = say("a probability is from 0 to 1, with at most 6 places")
                    help_ = say("a number is whole: write `1`, or `3 * x > 2 * y` for 1.5")
                    return mistake(self.errors, message, span, help=help_)
                return nodes.Const(span, Probability(), millionths)
            case ast.YesNo(span, value):
                return nodes.Const(span, YES_NO, value)
            case ast.Nothing(span):
                if isinstance(wanted, OneOf) and "none" in wanted.names:
                    return nodes.Const(span, wanted, wanted.names.index("none"))
                return nodes.Const(span, NOBODY, None)
            case ast.Text():
                return self._text(node, wanted)
            case ast.Rate():
                return self._rate(node)
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
                zero = nodes.number(span, 0)
                return self.arithmetic(span, "-", zero, self.number(value))
            case ast.Binary():
                return self._binary(node, wanted)
            case ast.Choice():
                return self._choice(node, wanted)
            case ast.SetOf():
                return self._set_literal(node, wanted)
            case ast.Whole():
                return self._whole(node)
            case ast.Quantifier():
                return self._quantifier(node)
            case _:
                assert_never(node)

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
        left = self.as_type(left, NUMBER, say("the left side of '{op}'", op=op))
        right = self.as_type(right, NUMBER, say("the right side of '{op}'", op=op))
        return self.arithmetic(span, op, left, right)

    def arithmetic(
        self, span: Span, op: str, left: nodes.Expression, right: nodes.Expression
    ) -> nodes.Expression:
        if op == "&":
            return mistake(
                self.errors, say("'&' joins sets, not numbers"), span, help=say("write `and`")
            )
        if not (isinstance(left.type, Number) and isinstance(right.type, Number)):
            return nodes.Const(span, UNKNOWN, 0)
        if op in ("div", "mod") and right.type.low < 1:
            help_ = say("make sure: `max(1, ...)`")
            if isinstance(right, nodes.Local) and right.type.low == NUMBER.low:
                least, bounds = f"`max(1, {right.name})`", f"`let {right.name}: 1 to 9 = ...`"
                help_ = say(
                    "make sure here: {least}; or say what it can be where it begins: {bounds}",
                    least=least,
                    bounds=bounds,
                )
            return mistake(self.errors, say("the divisor may be 0 or less"), right.span, help=help_)
        result = combine(op, left.type, right.type)
        if max(abs(result.low), abs(result.high)) > WIDEST:
            message = say("the result of '{op}' may be too large to be exact", op=op)
            return mistake(self.errors, message, span, code="too-large")
        return nodes.Arithmetic(span, result, op, left, right)

    def _compare(self, node: ast.Binary) -> nodes.Expression:
        span, op = node.span, node.op
        if self._needs_other_side(node.left):
            right = self.build(node.right)
            left = self._beside(node.left, _bare(right.type))
        else:
            left = self.build(node.left)
            right = self._beside(node.right, _bare(left.type))
        a, b = _bare(left.type), _bare(right.type)
        same = fits(a, b) or (isinstance(a, Nobody) and isinstance(right.type, Element))
        same = same or (isinstance(b, Nobody) and isinstance(left.type, Element))
        if not same:
            message = say(
                "{left} is compared with {right}",
                left=described(left.type),
                right=described(right.type),
            )
            quoted = self.quoted(node.right, a) or self.quoted(node.left, b)
            whole = of_other_kind(*((right, a) if b == SEAT else (left, b)))
            notes, other, edits = (
                self.other_team(left, b) if b == TEAM else self.other_team(right, a)
            )
            help_ = quoted or other or whole
            self.errors.error("type", message, span, *notes, help=help_, edits=edits)
        elif op not in ("==", "!=") and not isinstance(a, Number | Probability | Unknown):
            self.errors.error(
                "type",
                say(
                    "'{op}' compares numbers, and this is {described}",
                    op=op,
                    described=described(a),
                ),
                span,
                help=_comparable(node, a),
            )
        return nodes.Compare(span, YES_NO, op, left, right)

    def _choice(self, node: ast.Choice, wanted: Type | None) -> nodes.Expression:
        test = self.yes_no(node.test)
        yes = self.build(node.yes, wanted)
        no = self.build(node.no, wanted or _bare(yes.type))
        a, b = yes.type, no.type
        result = joined(a, b)
        if result is None:
            self.errors.error(
                "type",
                say(
                    "one side is {left}, the other {right}",
                    left=described(a),
                    right=described(b),
                ),
                node.span,
            )
        return nodes.Choice(node.span, result or UNKNOWN, test, yes, no)


def _comparable(node: ast.Binary, kind: Type) -> str | None:
    """Return the help for an order of ranks or cards, which their strengths have."""
    left = node.left
    inner = left.args[0] if isinstance(left, ast.Call) and left.name.text == "rank" else left
    if not isinstance(kind, Element) or kind.kind not in (Kind.RANK, Kind.CARD):
        return None
    if isinstance(left, ast.Text):
        return say("compare the strengths of cards: `strength(c) > strength(d)`")
    text = f"strength({inner.span.text}) {node.op} ..."
    return say("compare the strength, a number: `{text}`", text=text)


def _bare(type_: Type) -> Type:
    return Element(type_.kind) if isinstance(type_, Element) else type_


def _without_set(items: list[nodes.Expression]) -> str:
    """Return the help for a set of numbers that no set can hold."""
    numbers = [int(i.value) for i in items if isinstance(i, nodes.Const) and i.value is not None]
    if len(numbers) == len(items):
        written = "{" + ", ".join(map(str, numbers)) + "}"
        return say("write such a set where it is used: `x in {set}`", set=written)
    return say(
        "compare, as in `x == 1 or x == 2`; to keep them in a set, number them, as in "
        "`(x - 80) div 10`"
    )
