"""Gives the sentences of a rule their meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from trutdsl.ir import nodes
from trutdsl.ir.build_cards import build_cards
from trutdsl.ir.build_expressions import ExpressionBuilder
from trutdsl.ir.build_names import FunctionHead
from trutdsl.ir.build_questions import build_ask
from trutdsl.ir.builtins import SHOW, VARIABLES
from trutdsl.ir.intervals import hull
from trutdsl.ir.scope import Frame, Head, Names
from trutdsl.ir.types import (
    NOBODY,
    NUMBER,
    SEAT,
    SEATS,
    TEAM,
    UNKNOWN,
    YES_NO,
    Element,
    Kind,
    Nobody,
    Number,
    Probability,
    SetOf,
    Type,
    Unknown,
    described,
)
from trutdsl.syntax import ast

TypeOf = Callable[[ast.Type | None, Type], Type]


class StatementBuilder:
    """Builds the body of one rule, or of a `define` with sentences.

    type_of:  gives the type that is written, or a default.
    replaced: the rule that this one replaces, if it does.
    pure:     in a `define`, whose sentences may change nothing but their own names.
    """

    def __init__(
        self,
        names: Names,
        frame: Frame,
        head: FunctionHead,
        type_of: TypeOf,
        result: Type | None,
        replaced: nodes.Rule | None = None,
        pure: bool = False,
    ) -> None:
        self.names, self.frame, self.type_of, self.result = names, frame, type_of, result
        self.replaced, self.pure = replaced, pure
        self.errors = names.errors
        self.values = ExpressionBuilder(names, frame, head)
        self.params: tuple[nodes.Local, ...] = ()
        self.loops = 0
        self.questions = 0
        self.found: Type | None = None  # what the `return`s of a `define` give

    def block(self, node: ast.Block) -> nodes.Block:
        """Return a block; names bound in it end with it."""
        outer = self.frame.inner()
        statements: list[nodes.Statement] = []
        ended: ast.Node | None = None
        for statement in node.statements:
            if ended is not None:
                self.errors.error(
                    "unreachable", "this is never reached", statement.span, help="delete it"
                )
                ended = None
            built = self.statement(statement)
            if built is not None:
                statements.append(built)
            if isinstance(statement, LEAVES):
                ended = statement
        self.frame.leave(outer)
        return nodes.Block(node.span, tuple(statements))

    def statement(self, node: ast.Statement) -> nodes.Statement | None:
        """Return one statement, or None if it could not be understood (which was reported)."""
        if self.pure and not isinstance(node, PURE):
            self.errors.error(
                "type",
                "a `define` only works something out; this would change the game",
                node.span,
                help="make it a `rule`",
            )
            return None
        match node:
            case ast.Let(span, name, written, value):
                wanted = self.type_of(written, UNKNOWN) if written is not None else None
                built = self.source(value, wanted)
                if wanted is not None:
                    built = self.values.as_type(built, wanted, f"what '{name.text}' stands for")
                type_ = wanted or built.type
                if isinstance(type_, Number):
                    type_ = NUMBER
                    built = self.values.within(built, NUMBER)
                elif isinstance(type_, Nobody):
                    kind = f"`let {name.text}: seat? = none`"
                    self.errors.error(
                        "type",
                        "it is not clear what this will be",
                        span,
                        help=f"say what else it may be, as in {kind}",
                    )
                    type_ = UNKNOWN
                elif isinstance(type_, Probability):
                    self.errors.error("type", "only `chance` can use a probability", value.span)
                return nodes.Let(span, self.frame.bind(name, type_), built)
            case ast.Assign():
                return self._assign(node)
            case ast.Do():
                return nodes.Perform(node.span, self._do(node))
            case ast.Return():
                return self._return(node)
            case ast.Stop(span):
                self._inside(self.loops, "stop", "a loop", node)
                return nodes.Stop(span)
            case ast.Next(span):
                self._inside(self.loops, "next", "a loop", node)
                return nodes.Next(span)
            case ast.Again(span):
                self._inside(self.questions, "again", "an option of a question", node)
                return nodes.Again(span)
            case ast.If():
                branches = tuple((self.values.yes_no(c), self.block(b)) for c, b in node.branches)
                empty = nodes.Block(node.span, ())
                otherwise = self.block(node.otherwise) if node.otherwise else empty
                return nodes.If(node.span, branches, otherwise)
            case ast.For(span, name, domain, body):
                outer = self.frame.inner()
                slot, built_domain = self.values.domain(domain, name)
                inner = self._loop(body)
                self.frame.leave(outer)
                return nodes.For(span, slot, built_domain, inner)
            case ast.Repeat():
                return self._repeat(node)
            case ast.DealBlock(span, body):
                return nodes.DealBlock(span, self.block(body))
            case ast.TrickBlock(span, zone, body):
                known = self.names.zones.get(zone.text)
                if known is None:
                    self.names.unknown("zone", zone.text, zone.span, self.names.zones)
                elif known.index is not Kind.SEAT:
                    self.errors.error(
                        "type", "the cards of a trick lie on a zone of each seat", zone.span
                    )
                return nodes.TrickBlock(span, zone.text, self.block(body))
            case ast.Setup(span, name, body):
                known_names = [*self.names.zones, *self.names.variables, *VARIABLES]
                if name.text not in known_names:
                    self.names.unknown("zone or variable", name.text, name.span, known_names)
                return nodes.Setup(span, name.text, self.block(body))
            case ast.Ask():
                return build_ask(self, node)
            case ast.EndTrick(span, winner):
                return nodes.EndTrick(span, self._winner(winner, SEAT))
            case ast.EndDeal(span, winner, reason):
                return nodes.EndDeal(span, self._winner(winner, TEAM), reason.text)
            case ast.EndMatch(span, winner, because):
                why = because.text if because is not None else None
                return nodes.EndMatch(span, self._winner(winner, TEAM), why)
            case ast.Reveal(span, what, seats):
                shown = self.values.build(what)
                to = self._seats(seats)
                if isinstance(shown, nodes.ZoneCards | nodes.Var):
                    return nodes.Reveal(span, shown, to)
                if not isinstance(shown.type, Unknown):
                    one = isinstance(shown, nodes.Builtin) and shown.name in ("top", "bottom")
                    message = "only a zone or variable can be revealed"
                    self.errors.error("type", message, what.span, help=SHOW if one else None)
                return None
            case (
                ast.Shuffle() | ast.Draw() | ast.Move() | ast.MoveAll() | ast.Swap() | ast.Gather()
            ):
                return build_cards(self, node)
            case _:
                assert_never(node)

    def source(self, node: ast.Value, wanted: Type | None) -> nodes.Expression:
        """Return what a `let` or an assignment takes its value from."""
        match node:
            case ast.Roll(span, low, high):
                a, b = (self.values.within(self.values.number(n), NUMBER) for n in (low, high))
                result: nodes.Expression = nodes.Roll(span, hull(a.type, b.type), a, b)
            case ast.Random(span, items):
                built = self.values.build(items)
                kind = built.type.kind if isinstance(built.type, SetOf) else None
                if kind is None and not isinstance(built.type, Unknown):
                    message = f"chance picks from a set or zone, not {described(built.type)}"
                    self.errors.error("type", message, items.span)
                result = nodes.RandomFrom(span, Element(kind) if kind else UNKNOWN, built)
            case ast.Chance():
                result = self._chance(node)
            case ast.Do(span):
                result = do = self._do(node)
                if isinstance(do.type, Nobody):
                    self.errors.error(
                        "type",
                        f"the rule '{node.name.text}' returns nothing",
                        span,
                        help="give it a result: `rule NAME(...) -> TYPE`",
                    )
                    result = nodes.Const(span, UNKNOWN, 0)
            case _:
                return self.values.build(node, wanted)
        if self.pure:
            self.errors.error("type", "a `define` cannot ask for chance or do a rule", node.span)
        return result

    # -------------------------------------------------------- one each

    def _chance(self, node: ast.Chance) -> nodes.Expression:
        part = self.values.build(node.part)
        if node.whole is None:
            if not isinstance(part.type, Probability | Unknown):
                self.errors.error(
                    "type",
                    "a chance is a probability parameter, or a part of a whole",
                    node.part.span,
                    help="write `chance 1 out of 4`",
                )
            return nodes.Chance(node.span, YES_NO, part, None)
        part = self.values.as_type(part, NUMBER, "the part")
        whole = self.values.number(node.whole)
        if isinstance(whole.type, Number) and whole.type.low < 1:
            self.errors.error(
                "type",
                "the whole may be 0 or less",
                node.whole.span,
                help="make sure: `max(1, ...)`",
            )
        return nodes.Chance(node.span, YES_NO, part, whole)

    def _seats(self, node: ast.Expr) -> nodes.Expression:
        value = self.values.build(node)
        if isinstance(value.type, Element):
            one = self.values.as_type(value, SEAT, "whom it is revealed to")
            return nodes.SetLiteral(node.span, SEATS, (one,))
        return self.values.as_type(value, SEATS, "whom it is revealed to")

    def _winner(self, node: ast.Expr | None, wanted: Element) -> nodes.Expression | None:
        if node is None:
            return None
        return self.values.typed(node, Element(wanted.kind, True), "the winner")

    def _inside(self, depth: int, word: str, what: str, node: ast.Node) -> None:
        if not depth:
            self.errors.error("misplaced", f"'{word}' belongs inside {what}", node.span)

    def _loop(self, body: ast.Block) -> nodes.Block:
        self.loops += 1
        built = self.block(body)
        self.loops -= 1
        return built

    def _do(self, node: ast.Do) -> nodes.Do:
        """Return a rule with its arguments; of type `none` if it returns nothing."""
        if node.name.text == "base":
            return self._do_base(node)
        head = self.names.rules.get(node.name.text)
        if head is None:
            if node.name.text in self.names.functions:
                self.errors.error(
                    "type",
                    f"'{node.name.text}' is a `define`: it has a value, and nothing to do",
                    node.name.span,
                )
            else:
                self.names.unknown("rule", node.name.text, node.name.span, self.names.rules)
            for arg in node.args or ():
                self.values.build(arg)
            return nodes.Do(node.span, UNKNOWN, node.name.text, ())
        args = self.values.arguments(head, node.args or (), node.span)
        return nodes.Do(node.span, head.result or NOBODY, head.name, args)

    def _do_base(self, node: ast.Do) -> nodes.Do:
        replaced = self.replaced
        if replaced is None:
            self.errors.error(
                "unknown-name",
                "this rule replaces none, so it has no `base`",
                node.span,
                help="`base` stands in a `replace rule`, for the rule that was there before",
            )
            return nodes.Do(node.span, UNKNOWN, "base", ())
        args: tuple[nodes.Expression, ...] = self.params
        if node.args is not None:
            head = Head("rule", "base", replaced.params, replaced.result, node.span)
            args = self.values.arguments(head, node.args, node.span)
        return nodes.Do(node.span, replaced.result or NOBODY, replaced.name, args)

    def _assign(self, node: ast.Assign) -> nodes.Statement | None:
        target = self.values.build(node.target)
        if not isinstance(target, nodes.Var | nodes.Local):
            if not isinstance(target.type, Unknown):
                what = "cards are moved" if isinstance(target, nodes.ZoneCards) else "this is fixed"
                self.errors.error(
                    "type", f"only a variable or counter can be set; {what}", node.target.span
                )
            self.source(node.value, None)
            return None
        if self.pure and isinstance(target, nodes.Var):
            self.errors.error("type", "a `define` cannot change the game", node.span)
        if isinstance(target, nodes.Local) and target.slot in self.frame.fixed:
            self.errors.error(
                "type",
                f"'{target.name}' stands for what a loop or option gives it, and cannot be set",
                node.span,
                help="give another name its value: `let other = ...`",
            )
        value = self.source(node.value, target.type)
        if node.op != "=":
            if isinstance(target.type, SetOf) and isinstance(value.type, Element):
                item = self.values.item(value, target.type.kind, "this")
                value = nodes.SetLiteral(value.span, target.type, (item,))
            if not isinstance(target.type, Number | SetOf | Unknown):
                self.errors.error(
                    "type", f"'{node.op}' has no meaning for {described(target.type)}", node.span
                )
                return None
        value = self.values.as_type(value, target.type, "the new value")
        return nodes.Assign(node.span, target, node.op, value)

    def _return(self, node: ast.Return) -> nodes.Statement:
        if self.pure:
            if node.value is None:
                self.errors.error("type", "a `define` returns a value", node.span)
                return nodes.Return(node.span, None)
            value = self.source(node.value, self.result or self.found)
            if self.result is not None:
                value = self.values.as_type(value, self.result, "the result")
                value = self.values.within(value, self.result)
            elif self.found is None or isinstance(self.found, Nobody):
                self.found = value.type
            else:
                self.found = _joined(self.found, value.type)
            return nodes.Return(node.span, value)
        if self.result is None:
            if node.value is not None:
                self.errors.error(
                    "type",
                    "this rule returns nothing",
                    node.value.span,
                    help="say what it returns: `rule NAME(...) -> TYPE`",
                )
            return nodes.Return(node.span, None)
        if node.value is None:
            self.errors.error("type", f"this rule returns {described(self.result)}", node.span)
            return nodes.Return(node.span, None)
        value = self.source(node.value, self.result)
        value = self.values.as_type(value, self.result, "the result")
        return nodes.Return(node.span, self.values.within(value, self.result))

    def _repeat(self, node: ast.Repeat) -> nodes.Statement | None:
        if node.times is None:
            self.errors.error(
                "unbounded",
                "this repetition has no bound",
                node.span,
                help="write `repeat at most 100 times"
                + (f" {node.test} ...:`" if node.test else ":`"),
            )
            if node.condition is not None:
                self.values.yes_no(node.condition)
            self._loop(node.body)
            return None
        times = self.values.number(node.times)
        condition = self.values.yes_no(node.condition) if node.condition is not None else None
        return nodes.Repeat(node.span, times, node.test, condition, self._loop(node.body))


PURE = ast.Let | ast.Assign | ast.Return | ast.Stop | ast.Next | ast.If | ast.For | ast.Repeat
LEAVES = ast.Return | ast.Stop | ast.Next | ast.Again | ast.EndTrick | ast.EndDeal | ast.EndMatch


def always_returns(node: ast.Block) -> bool:
    """Tell whether every way through the block ends in `return` (or ends the deal or match)."""
    if not node.statements:
        return False
    match node.statements[-1]:
        case ast.Return() | ast.EndTrick() | ast.EndDeal() | ast.EndMatch():
            return True
        case ast.If(_, branches, otherwise):
            return all(always_returns(b) for _, b in branches) and (
                otherwise is not None and always_returns(otherwise)
            )
        case ast.Ask(_, _, _, _, options):
            return all(
                bool(o.body.statements)
                and (always_returns(o.body) or isinstance(o.body.statements[-1], ast.Again))
                for o in options
            )
    return False


def _joined(left: Type, right: Type) -> Type:
    if isinstance(left, Number) and isinstance(right, Number):
        return hull(left, right)
    if isinstance(left, Element) and isinstance(right, Nobody):
        return Element(left.kind, True)
    if isinstance(left, Element) and isinstance(right, Element) and left.kind == right.kind:
        return Element(left.kind, left.optional or right.optional)
    return left
