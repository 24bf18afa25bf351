"""Lowers the body of a rule: its names, sources of values, and statements without a block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from trutdsl.ir import nodes
from trutdsl.ir.intervals import combine, common_type, hull, is_exact, of_name
from trutdsl.ir.lower.declarations import DeclarationBuilder
from trutdsl.ir.lower.expressions import STEPS, ExpressionBuilder
from trutdsl.ir.lower.scope import Frame, Head, mistake
from trutdsl.ir.nodes import walk
from trutdsl.ir.types import (
    CARD,
    NOBODY,
    NUMBER,
    SEAT,
    SEATS,
    UNKNOWN,
    YES_NO,
    Element,
    Kind,
    Nobody,
    Number,
    OneOf,
    Probability,
    SetOf,
    Type,
    Unknown,
    YesNo,
    describe_type,
    element_of,
)
from trutdsl.language import quote_name, say
from trutdsl.syntax import ast

Change = Callable[[nodes.Expression], nodes.Expression]


class BodyBuilder(ABC):
    """The body of one rule, or of a `define` with sentences, under construction.

    base_rule:        the rule that this one replaces, if any.
    pure:             in a `define`, whose sentences may only change their own names.
    values:           the builder of its expressions, by default that of rules.
    loops, questions: the numbers of those around the present sentence.
    handing_on:       the sentences before `next` in a question to any of some seats.
    type_so_far:      the common type of the `return`s of a `define` until here.
    before:           the sentences that must run before the one under construction.
    plays:            it is a part of the game, so it can call rules; otherwise of a strategy.
    """

    def __init__(
        self,
        declarations: DeclarationBuilder,
        frame: Frame,
        result: Type | None = None,
        base: nodes.Rule | None = None,
        pure: bool = False,
        values: ExpressionBuilder | None = None,
    ) -> None:
        self.names, self.type_of = declarations.names, declarations.type_of
        self.frame, self.result, self.base_rule, self.pure = frame, result, base, pure
        self.errors = self.names.errors
        self.values = values or ExpressionBuilder(self.names, frame, declarations.head)
        self.params: tuple[nodes.Local, ...] = ()
        self.loops = 0
        self.questions = 0
        self.handing_on: tuple[nodes.Statement, ...] = ()
        self.type_so_far: Type | None = None
        self.before: list[nodes.Statement] = []
        self.plays = True

    def convert(self, value: nodes.Expression, expected: Type, what: str) -> nodes.Expression:
        return self.change(value, lambda v: self.values.convert(v, expected, what))

    def change(self, value: nodes.Expression, change: Change) -> nodes.Expression:
        """Build a value that may come from chance or a rule.

        Such a value is no part of an expression, so it gets a name before the sentence.
        """
        result = change(value)
        if (
            result is value
            or not isinstance(value, nodes.Source)
            or not any(part is value for part in walk(result))
        ):
            return result
        name = nodes.Local(value.span, value.type, self.frame.slot(), "")
        self.before.append(nodes.Let(value.span, name.slot, value))
        return change(name)

    @abstractmethod
    def block(self, node: ast.Block) -> nodes.Block:
        """Return a block; names bound in it end with it."""

    def source(self, node: ast.Value, expected: Type | None) -> nodes.Expression:
        """Build the value of a `let` or an assignment."""
        match node:
            case ast.Roll(span, low, high):
                a, b = (self._end_of_roll(end) for end in (low, high))
                result: nodes.Expression = nodes.Roll(span, hull(a.type, b.type), a, b)
            case ast.Random(span, items):
                domain = self.values.build(items)
                if not isinstance(domain.type, SetOf | Unknown):
                    text = "chance picks from a set or zone, not {described}"
                    message = say(text, described=describe_type(domain.type))
                    is_number = isinstance(domain.type, Number)
                    help_ = say("roll a number: `roll 1 to 6`") if is_number else None
                    self.errors.error("type", message, items.span, help=help_)
                result = nodes.RandomFrom(span, element_of(domain.type), domain)
            case ast.Chance():
                result = self._chance(node)
            case ast.Do(span) if not self.plays:
                help_ = say("a `define` does; only a game's own rules do its rules")
                return mistake(
                    self.errors, say("a rule gives a strategy no value"), span, help=help_
                )
            case ast.Do(span):
                result = do = self.do(node)
                if isinstance(do.type, Nobody):
                    message = say("the rule '{node}' returns nothing", node=node.name.text)
                    help_ = say("give it a result: `rule NAME(...) -> TYPE`")
                    self.errors.error("type", message, span, help=help_)
                    result = nodes.Const(span, UNKNOWN, 0)
            case _:
                return self.values.build(node, expected)
        if self.pure:
            self.errors.error("type", say("a `define` cannot use chance or call a rule"), node.span)
        return result

    def _end_of_roll(self, node: ast.Expr) -> nodes.Expression:
        value = self.values.number(node)
        return self.values.within(
            value, of_name(value.type) if isinstance(value.type, Number) else UNKNOWN
        )

    def do(self, node: ast.Do) -> nodes.Do:
        """Build a call of a rule; its type is `none` if it returns nothing."""
        if node.name.text == "base":
            return self._do_base(node)
        head = self.names.rules.get(node.name.text)
        if head is None:
            if node.name.text in self.names.functions:
                text = "'{node}' is a `define`: it computes a value and is not a statement"
                message = say(text, node=node.name.text)
                text = "use its value: `let x = {node}{what}`"
                help_ = say(text, node=node.name.text, what="(...)" if node.args else "")
                self.errors.error("type", message, node.name.span, help=help_)
            else:
                self.names.unknown("rule", node.name.text, node.name.span, self.names.rules)
            for arg in node.args or ():
                self.values.build(arg)
            return nodes.Do(node.span, UNKNOWN, node.name.text, ())
        args = self.values.arguments(head, node.args or (), node.span)
        return nodes.Do(node.span, head.result or NOBODY, head.name, args)

    def _do_base(self, node: ast.Do) -> nodes.Do:
        base = self.base_rule
        if base is None:
            message = say("this rule replaces none, so it has no `base`")
            help_ = say("write `base` in a `replace rule`; it means the replaced rule")
            self.errors.error("unknown-name", message, node.span, help=help_)
            return nodes.Do(node.span, UNKNOWN, "base", ())
        args: tuple[nodes.Expression, ...] = self.params
        if node.args is not None:
            head = Head("base", base.params, base.result, node.span)
            args = self.values.arguments(head, node.args, node.span)
        return nodes.Do(node.span, base.result or NOBODY, base.name, args)

    def _chance(self, node: ast.Chance) -> nodes.Expression:
        part = self.values.build(node.part)
        if node.whole is None:
            if not isinstance(part.type, Probability | Unknown):
                message = say("a chance is a probability parameter, or a part of a whole")
                help_ = say("write `chance 1 out of 4`")
                if (percent := node.part.span.text).isdecimal() and 1 < int(percent) <= 100:
                    help_ = say("write the decimal: `{decimal}`", decimal=int(percent) / 100)
                self.errors.error("type", message, node.part.span, help=help_)
            return nodes.Chance(node.span, YES_NO, part, None)
        part = self.values.as_type(part, NUMBER, say("the part"))
        whole = self.values.number(node.whole)
        if isinstance(whole.type, Number) and whole.type.low < 1:
            help_ = say("make sure: `max(1, ...)`")
            self.errors.error(
                "type", say("the whole may be 0 or less"), node.whole.span, help=help_
            )
        return nodes.Chance(node.span, YES_NO, part, whole)

    def _announce(self, node: ast.Announce) -> nodes.Announce | None:
        """Build an announcement, or None after a mistake."""
        values, errors = self.values, self.errors
        plain = node.value if node.words is None and isinstance(node.value, ast.Text) else None
        value = values.build(node.value) if plain is None else nodes.Const(plain.span, YES_NO, True)
        seats = self._hearers(node)
        speaker = None
        if node.speaker is not None:
            speaker = values.build_as(node.speaker, SEAT, say("the speaker of `announce`"))
        words = node.words if plain is None else plain.value
        if words is None and isinstance(node.value, ast.Name):
            words = node.value.name
        elif words is None and isinstance(node.value, ast.Call | ast.Index):
            words = node.value.name.text
        if not words:
            message = say("the announcement has no name")
            help_ = say('write `announce ... as "points" to all`')
            errors.error("type", message, node.value.span, help=help_)
        if isinstance(value.type, Unknown) or not words:
            return None
        if not isinstance(value.type, YesNo | Number | Element | SetOf | OneOf):
            message = say("{described} cannot be announced", described=describe_type(value.type))
            errors.error("type", message, node.value.span)
            return None
        type_: Type = value.type
        if isinstance(type_, Number):
            type_ = of_name(type_)
            value = values.convert(value, type_, say("the announced value"))
        return nodes.Announce(node.span, value, type_, words, speaker, seats)

    def _look(self, node: ast.Look) -> nodes.Announce:
        """Build a look at a card: an announcement to one seat, which no other seat notices."""
        card = self.convert(
            self.source(node.card, CARD), CARD, say("the card that a seat looks at")
        )
        seat = self.values.build_as(node.seat, SEAT, say("the seat that looks at a card"))
        slot = self.frame.bind(node.name, CARD) if node.name else self.frame.slot()
        self.before.append(nodes.Let(card.span, slot, card))
        seen = nodes.Local(card.span, CARD, slot, node.name.text if node.name else "")
        seats = nodes.SetLiteral(node.seat.span, SEATS, (seat,))
        return nodes.Announce(node.span, seen, CARD, "look", None, seats)

    def _hearers(self, node: ast.Announce) -> nodes.Expression:
        if node.to is None:
            return nodes.Builtin(node.span, SEATS, "seats", ())
        to = self.values.build(node.to)
        if isinstance(to.type, Element):
            expected = Element(Kind.TEAM) if to.type.kind is Kind.TEAM else SEAT
            one = self.values.as_type(to, expected, say("the audience of `announce`"))
            if to.type.kind is Kind.TEAM:
                return nodes.Builtin(node.to.span, SEATS, "seats_of", (one,))
            return nodes.SetLiteral(node.to.span, SEATS, (one,))
        return self.values.as_type(to, SEATS, say("the audience of `announce`"))

    def _let(self, node: ast.Let) -> nodes.Let:
        name, annotation, value = node.name, node.type, node.value
        expected = self.type_of(annotation, UNKNOWN) if annotation is not None else None
        result = self.source(value, expected)
        type_ = expected or (
            of_name(result.type) if isinstance(result.type, Number) else result.type
        )
        result = self.convert(result, type_, say("the value of '{name}'", name=name.text))
        if isinstance(type_, Nobody):
            message = say("the type of this value is unknown")
            help_ = say("say what else it may be, as in `let {name}: seat? = none`", name=name.text)
            self.errors.error("type", message, node.span, help=help_)
            type_ = UNKNOWN
        elif isinstance(type_, Probability):
            self.errors.error("type", say("only `chance` can use a probability"), value.span)
        slot = self.frame.bind(name, type_)
        if value.span.text.startswith("opponents("):
            self.frame.opponents[slot] = value.span
        return nodes.Let(node.span, slot, result)

    def _moved_to(self, target: nodes.Expression) -> str | None:
        """Return the help for a zone that is set as if it were a variable."""
        sentence = f"move CARD from ZONE to {target.span.text}"
        moved = isinstance(target, nodes.ZoneCards)
        return say("write `{sentence}`", sentence=sentence) if moved else None

    def _assign(self, node: ast.Assign) -> nodes.Assign | None:
        """Build an assignment to a variable or name, or None after a mistake."""
        self.values.is_set = isinstance(node.target, ast.Name)
        target = self.values.build(node.target)
        self.values.is_set = False
        if not isinstance(target, nodes.Var | nodes.Local | nodes.Remembered):
            if not isinstance(target.type, Unknown):
                what = (
                    say("cards are moved")
                    if isinstance(target, nodes.ZoneCards)
                    else say("this is fixed")
                )
                message = say("only a variable or counter can be set; {what}", what=what)
                self.errors.error("type", message, node.target.span, help=self._moved_to(target))
            self.source(node.value, None)
            return None
        is_counted = isinstance(target, nodes.Var) and target.name in self.names.numbers
        if is_counted:
            message = say("'{name}' counts by itself, and cannot be set", name=target.span.text)
            self.errors.error("type", message, node.target.span)
        if self.pure and isinstance(target, nodes.Var):
            self.errors.error("type", say("a `define` cannot change the game"), node.span)
        if isinstance(target, nodes.Local) and target.slot in self.frame.fixed_slots:
            name = quote_name(target.name)
            message = say(
                "{name} gets its value from a loop or option, and cannot be set", name=name
            )
            help_ = say("give another name its value: `let other = ...`")
            self.errors.error("type", message, node.span, help=help_)
        value = self.source(node.value, target.type)
        if node.op != "=":
            if isinstance(kind := target.type, SetOf):
                value = self.change(value, lambda v: self.values.lift(v, kind))
            if not isinstance(target.type, Number | SetOf | Unknown):
                text = "'{op}' has no meaning for {described}"
                message = say(text, op=node.op, described=describe_type(target.type))
                name = node.target.span.text
                to = f"{STEPS[node.op[0]]}({name})" if target.type == SEAT else "..."
                help_ = say("write `{spoken}`", spoken=f"{name} = {to}")
                self.errors.error("type", message, node.span, help=help_)
                return None
        return self._store(node, target, value)

    def _store(
        self,
        node: ast.Assign,
        target: nodes.Var | nodes.Local | nodes.Remembered,
        value: nodes.Expression,
    ) -> nodes.Assign:
        """Return the assignment of a value to a target of its kind; report another kind.

        Messages name a variable, memory or `number` that leaves its bounds, so the assignment
        checks these. For any other target, the value is converted.
        """
        op, kind, values = node.op, target.type, self.values
        value = self.change(value, lambda v: values.as_type(v, kind, say("the new value")))
        if isinstance(kind, SetOf) and op != "-=":
            value = self.change(value, lambda v: values.within(v, kind))
        elif isinstance(kind, Number) and isinstance(target, nodes.Local) and kind != NUMBER:
            if op != "=":
                sign, op = op[0], "="
                value = self.change(value, lambda v: values.arithmetic(node.span, sign, target, v))
            value = self.change(value, lambda v: values.within(v, kind))
        elif (
            op != "="
            and isinstance(kind, Number)
            and isinstance(value.type, Number)
            and not is_exact(combine(op[0], kind, value.type))
        ):
            message = say("the result of '{op}' may be too large to be exact", op=op)
            help_ = say("give a part narrower bounds above: `let few: 0 to 1000 = ...`")
            self.errors.error("too-large", message, node.span, help=help_)
        return nodes.Assign(node.span, target, op, value)

    def _return(self, node: ast.Return) -> nodes.Return:
        if self.pure:
            if node.value is None:
                self.errors.error("type", say("a `define` returns a value"), node.span)
                return nodes.Return(node.span, None)
            value = self.source(node.value, self.result or self.type_so_far)
            if self.result is not None:
                value = self.convert(value, self.result, say("the result"))
            else:
                self._join_result(value)
            return nodes.Return(node.span, value)
        if self.result is None:
            if node.value is not None:
                help_ = say("say what it returns: `rule NAME(...) -> TYPE`")
                self.errors.error(
                    "type", say("this rule returns nothing"), node.value.span, help=help_
                )
            return nodes.Return(node.span, None)
        if node.value is None:
            message = say("this rule returns {described}", described=describe_type(self.result))
            self.errors.error("type", message, node.span)
            return nodes.Return(node.span, None)
        value = self.source(node.value, self.result)
        return nodes.Return(node.span, self.convert(value, self.result, say("the result")))

    def _join_result(self, value: nodes.Expression) -> None:
        """Add the result of one more `return` of a `define`, or report that its type differs."""
        old = value.type if self.type_so_far is None else self.type_so_far
        self.type_so_far = common_type(old, value.type)
        if self.type_so_far is None:
            other = describe_type(old)
            text = "this returns {described}, and a `return` before it {other}"
            message = say(text, described=describe_type(value.type), other=other)
            help_ = say("return the same kind everywhere, or make two defines of it")
            self.errors.error("type", message, value.span, help=help_)
            self.type_so_far = UNKNOWN
