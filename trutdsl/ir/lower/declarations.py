"""Lowers declarations of zones and variables."""

from __future__ import annotations

from dataclasses import replace

from trutdsl.diagnostics import write_instead
from trutdsl.ir import nodes
from trutdsl.ir.intervals import hull
from trutdsl.ir.lower.expressions import ExpressionBuilder
from trutdsl.ir.lower.scope import Frame, Names, help_for_no_set, mistake
from trutdsl.ir.lower.values import FunctionHead
from trutdsl.ir.nodes import walk
from trutdsl.ir.types import (
    CARDS,
    NAMED_TYPES,
    NOBODY,
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
    YesNo,
    describe_type,
    set_of,
)
from trutdsl.language import say
from trutdsl.syntax import ast
from trutdsl.syntax.ast import Audience
from trutdsl.variant import Counter

KINDS = [kind.value for kind in Kind]
MOST_PLACES = 64  # of a variable indexed by numbers; as many as a pack can have cards

CONSTANT = (
    nodes.Const,
    nodes.Parameter,
    nodes.Arithmetic,
    nodes.Choice,
    nodes.Compare,
    nodes.Logic,
)


class DeclarationBuilder:
    """Builds zones and variables, which may use parameters; variables may use earlier ones."""

    def __init__(self, names: Names, head: FunctionHead) -> None:
        self.names, self.head, self.errors = names, head, names.errors

    def type_of(self, node: ast.Type | None, default: Type) -> Type:
        """Return the written type, or the default without one."""
        match node:
            case None:
                return default
            case ast.TypeRange(_, low, high):
                return self._bounds(self._constant(low), self._constant(high))
            case ast.TypeEnum(span, values):
                texts = tuple(v.text for v in values)
                if len(set(texts)) < len(texts):
                    self.errors.error("defined-twice", say("a value is named twice"), span)
                return OneOf(texts)
            case ast.TypeSet(span, of):
                inner = self.type_of(of, UNKNOWN)
                maybe = isinstance(inner, Element) and inner.optional
                found_set = None if maybe else set_of(inner)
                if found_set is None and not isinstance(inner, Unknown):
                    help_ = help_for_no_set(inner)
                    self.errors.error("type", say("there is no set of these"), span, help=help_)
                return found_set or UNKNOWN
            case ast.TypeName(span, name, optional):
                result = NAMED_TYPES.get(name) or self.names.types.get(name)
                self.names.typed.add(name)
                if result is None:
                    self.names.unknown("type", name, span, [*NAMED_TYPES, *self.names.types])
                    return UNKNOWN
                if optional and not isinstance(result, Element):
                    message = say("a value of type `{type}` always exists", type=result)
                    self.errors.error("type", message, span, help=say("leave out `?`"))
                    return result
                return (
                    Element(result.kind, True)
                    if optional and isinstance(result, Element)
                    else result
                )
        raise AssertionError(node)

    def place(self, node: ast.Variable) -> Among | None:
        """Return the index type of a variable; numbers are counted from 0."""
        index, name = node.index, node.name.text
        if index is None or (isinstance(index, ast.Word) and index.text in KINDS):
            return self.index(index)
        if isinstance(index, ast.Word):
            if index.text not in self.names.types:
                known = [*KINDS, *self.names.types]
                self.names.unknown("type", index.text, index.span, known)
                return None
            result = self.names.types[index.text]
            self.names.typed.add(index.text)
        else:
            result = self.type_of(index, UNKNOWN)
        if isinstance(result, Number) and result.high - result.low < MOST_PLACES:
            self.names.indexed[name] = result
            return Number(0, max(0, result.high - result.low))
        if isinstance(result, OneOf) and len(result.names) <= MOST_PLACES:
            return result
        if not isinstance(result, Unknown):
            message = say("there cannot be one '{name}' for each of these", name=name)
            text = "of numbers and named values there are at most {most}"
            help_ = say(text, most=MOST_PLACES)
            self.errors.error("type", message, index.span, help=help_)
        return None

    def _bounds(self, low: nodes.Expression, high: nodes.Expression) -> Number:
        """Return the numbers between two bounds that are fixed before the match."""
        match low.type, high.type:
            case Number(least), Number(_, most) if least > most:
                first, last = low.span.text, high.span.text
                message = say("no number is from {low} to {high}", low=first, high=last)
                help_ = write_instead(f"{last} to {first}")
                self.errors.error("type", message, low.span.to(high.span), help=help_)
        widest = hull(low.type, high.type)
        fixed = all(isinstance(end.type, Number) and end.type.low == end.type.high
                    for end in (low, high))  # fmt: skip
        return widest if fixed else replace(widest, exact=(low, high))

    def zone(self, node: ast.Zone, base: nodes.Zone | None = None) -> nodes.Zone:
        """Return a zone; its capacity and content may use parameters.

        base: the zone that this one replaces, whose traits are the defaults.
        """
        index = self.index(node.index)
        capacity = self._constant(node.capacity) if node.capacity is not None else None
        content, slots = None, 0
        if node.content is not None:
            values = self._values()
            content = values.build_as(node.content, CARDS, say("the initial content of the zone"))
            slots = values.frame.size
        audience = node.audience or Audience.NOBODY
        ordered = node.ordered
        if base is not None:
            ordered = ordered or base.ordered
            capacity = capacity or base.capacity
            audience = node.audience or base.audience
            if content is None:
                content, slots = base.content, base.slots
        if audience in (Audience.OWNER, Audience.TEAM) and index not in (Kind.SEAT, Kind.TEAM):
            self._ownerless(node)
        return nodes.Zone(
            node.span, node.name.text, index, ordered, capacity, content, audience, slots
        )

    def variable(self, node: ast.Variable) -> nodes.Variable:
        type_ = self.type_of(node.type, UNKNOWN)
        index = self.place(node)
        low = high = None
        if isinstance(node.type, ast.TypeRange):
            low, high = self._constant(node.type.low), self._constant(node.type.high)
        elif isinstance(type_, Number) and type_ != NUMBER:
            ends = [nodes.number(node.span, n) for n in (type_.low, type_.high)]
            low, high = type_.exact or ends
        audience = self.audience(node)
        if audience in (Audience.OWNER, Audience.TEAM) and index not in (Kind.SEAT, Kind.TEAM):
            self._ownerless(node)
        values = self._values()
        always_there = isinstance(type_, Element) and not type_.optional
        if isinstance(node.initial, ast.Nothing) and always_there:
            initial = self._no_none(node, type_)
        elif node.initial is not None:
            what = say("the initial value of '{node}'", node=node.name.text)
            # If a number is out of bounds, the message names the variable.
            convert = values.as_type if isinstance(type_, Number) else values.convert
            initial = convert(values.build(node.initial, type_), type_, what)
        else:
            initial = self._default(node, type_, low, high)
        return nodes.Variable(
            node.span, node.name.text, index, type_, initial, audience, node.lifetime, low,
            high, slots=values.frame.size,
            first=self.names.indexed[node.name.text].low if isinstance(index, Number) else 0,
        )  # fmt: skip

    def audience(self, node: ast.Variable) -> Audience:
        """Return who sees a variable: all, or whoever saw the one that it replaces."""
        base = self.names.variables.get(node.name.text) if node.replaces else None
        return node.audience or (base.audience if base is not None else Audience.ALL)

    def _no_none(self, node: ast.Variable, type_: Type) -> nodes.Expression:
        text = "'{node}' is always {described}, so it cannot start as `none`"
        message = say(text, node=node.name.text, described=describe_type(type_))
        help_ = say("write `{node}: {type}? = none`", node=node.name.text, type=type_)
        return mistake(self.errors, message, node.span, help=help_)

    def counter(self, counter: Counter) -> nodes.Variable:
        """Return a counter: a number for each team, from 0, for the whole match, visible to all."""
        span, type_ = counter.span, Number(counter.least, 10**6)
        zero, low, high = (nodes.number(span, n) for n in (0, type_.low, type_.high))
        sign = -1 if counter.best == "lowest" else 1
        return nodes.Variable(
            span, counter.name, Kind.TEAM, type_, zero, low=low, high=high, counter=True, sign=sign
        )

    def _values(self) -> ExpressionBuilder:
        values = ExpressionBuilder(self.names, Frame(self.names), self.head)
        values.pure = True
        return values

    def index(self, word: ast.Word | None) -> Kind | None:
        if word is None:
            return None
        for kind in Kind:
            if kind.value == word.text:
                return kind
        self.names.unknown("type", word.text, word.span, [k.value for k in Kind])
        return None

    def _constant(self, node: ast.Expr) -> nodes.Expression:
        value = self._values().number(node)
        for part in walk(value):
            players = isinstance(part, nodes.Builtin) and part.name in ("players", "min", "max")
            if not isinstance(part, CONSTANT) and not players:
                message = say("this must be fixed before the match: numbers and parameters")
                return mistake(self.errors, message, node.span)
        return value

    def _ownerless(self, node: ast.Zone | ast.Variable) -> None:
        known = (*KINDS, *self.names.types)
        if isinstance(node.index, ast.Word) and node.index.text not in known:
            return
        message = say("'owner' and 'team' need a zone with an index")
        if isinstance(node, ast.Variable):
            message = say("'owner' and 'team' need a variable for each seat or team")
        help_ = say("declare it for each seat: `{node}[seat]`", node=node.name.text)
        self.errors.error("type", message, node.span, help=help_)

    def _default(
        self,
        node: ast.Variable,
        type_: Type,
        low: nodes.Expression | None,
        high: nodes.Expression | None,
    ) -> nodes.Expression:
        span = node.span
        match type_:
            case YesNo():
                return nodes.Const(span, YES_NO, False)
            case Number():
                return nodes.Const(span, NUMBER, 0) if low is None else _first_number(low, high)
            case Element(_, True):
                return nodes.Const(span, NOBODY, None)
            case SetOf():
                return nodes.SetLiteral(span, type_, ())
            case OneOf():
                return nodes.Const(span, type_, 0)
            case Unknown():
                return nodes.Const(span, UNKNOWN, 0)
        message = say("'{node}' has no initial {type}", node=node.name.text, type=type_)
        help_ = say(
            "write `{node}: {type}? = none`, or give a first value", node=node.name.text, type=type_
        )
        return mistake(self.errors, message, span, help=help_)


def _first_number(low: nodes.Expression, high: nodes.Expression | None) -> nodes.Expression:
    """Return 0, or the lower bound if the bounds exclude 0; parameters may decide this."""
    zero = nodes.Const(low.span, NUMBER, 0)
    if high is None or not (isinstance(low.type, Number) and isinstance(high.type, Number)):
        return zero
    if low.type.high <= 0 <= high.type.low:
        return zero
    if low.type.low > 0 or high.type.high < 0:
        return low
    tests = (nodes.Compare(low.span, YES_NO, "<=", *ends) for ends in ((low, zero), (zero, high)))
    return nodes.Choice(low.span, low.type, nodes.Logic(low.span, YES_NO, "and", *tests), zero, low)
