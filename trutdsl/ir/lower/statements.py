"""Lowers statements: those with blocks, and those that move cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from trutdsl.diagnostics import Collector, Note, Span
from trutdsl.ir import nodes
from trutdsl.ir.intervals import DEEPEST_DEFINES
from trutdsl.ir.lower.body import BodyBuilder
from trutdsl.ir.lower.questions import build_ask
from trutdsl.ir.types import (
    CARD,
    CARDS,
    NOBODY,
    SEAT,
    SEATS,
    SHOW,
    TEAM,
    UNKNOWN,
    VARIABLES,
    YES_NO,
    Element,
    Kind,
    Nobody,
    Type,
    Unknown,
    describe_type,
)
from trutdsl.language import say
from trutdsl.syntax import ast

Branches = Sequence[tuple[ast.Expr | ast.Given, ast.Block]]


class StatementBuilder(BodyBuilder):
    """Builds sentences of every kind."""

    def block(self, node: ast.Block) -> nodes.Block:
        """Return a block; names bound in it end with it."""
        with self.frame.inner():
            statements: list[nodes.Statement] = []
            end: ast.Node | None = None
            for statement in node.statements:
                if end is not None:
                    message = say("this is never reached")
                    self.errors.error("unreachable", message, statement.span, help=say("delete it"))
                    end = None
                if isinstance(statement, ast.If):
                    statements += self._branches(statement, statement.branches)
                elif isinstance(statement, ast.Ask) and not self.pure:
                    statements += build_ask(self, statement)
                elif isinstance(statement, ast.Next) and self.handing_on:
                    first = (replace(one, span=statement.span) for one in self.handing_on)
                    statements += (*first, nodes.Next(statement.span))
                else:
                    statements += self.sentences(statement)
                if isinstance(statement, LEAVES):
                    end = statement
        return nodes.Block(node.span, tuple(statements))

    def sentences(self, node: ast.Statement) -> list[nodes.Statement]:
        """Return a statement after the sentences that it needs; nothing after a mistake."""
        statement = self.statement(node)
        first, self.before = self.before, []
        return [*first, *([statement] if statement is not None else [])]

    def statement(self, node: ast.Statement) -> nodes.Statement | None:
        """Return one statement, or None after a reported mistake."""
        if self.pure and not isinstance(node, PURE):
            message = say("a `define` only computes a value; this would change the game")
            self.errors.error("type", message, node.span, help=say("make it a `rule`"))
            return None
        match node:
            case ast.Let():
                return self._let(node)
            case ast.Assign():
                return self._assign(node)
            case ast.Do():
                return nodes.Perform(node.span, self.do(node))
            case ast.Return():
                return self._return(node)
            case ast.Stop(span):
                self._inside(
                    self.loops, "stop", say("a loop"), node, STOPS if self.handing_on else None
                )
                return nodes.Stop(span)
            case ast.Next(span):
                self._inside(self.loops, "next", say("a loop"), node)
                return nodes.Next(span)
            case ast.Again(span):
                self._inside(self.questions, "again", say("an option of a question"), node)
                return nodes.Again(span)
            case ast.For(span, name, domain, body):
                with self.frame.inner():
                    slot, built_domain = self.values.domain(domain, name)
                    inner = self._loop(body)
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
                        "type", say("the cards of a trick lie on a zone of each seat"), zone.span
                    )
                return nodes.TrickBlock(span, zone.text, self.block(body))
            case ast.Setup(span, name, body):
                known_names = [*self.names.zones, *self.names.variables, *VARIABLES]
                if name.text not in known_names:
                    self.names.unknown(say("zone or variable"), name.text, name.span, known_names)
                return nodes.Setup(span, name.text, self.block(body))
            case ast.EndTrick(span, winner):
                return nodes.EndTrick(span, self._winner(winner, SEAT))
            case ast.EndDeal(span, winner, reason):
                return nodes.EndDeal(span, self._winner(winner, TEAM), reason.text)
            case ast.EndMatch(span, winner, because):
                why = because.text if because is not None else None
                return nodes.EndMatch(span, self._winner(winner, TEAM), why)
            case ast.Reveal(span, what, seats):
                value = self.values.build(what)
                to = self._seats(seats)
                if isinstance(value, nodes.ZoneCards | nodes.Var):
                    return nodes.Reveal(span, value, to)
                if not isinstance(value.type, Unknown):
                    one = isinstance(value.type, Element) and value.type.kind is Kind.CARD
                    message = say("only a zone or variable can be revealed")
                    self.errors.error("type", message, what.span, help=SHOW if one else None)
                return None
            case ast.Announce():
                return self._announce(node)
            case ast.Look():
                return self._look(node)
            case (
                ast.Shuffle() | ast.Draw() | ast.Move() | ast.MoveAll() | ast.Swap() | ast.Gather()
            ):
                return build_cards(self, node)
            case ast.If() | ast.Ask():
                raise AssertionError("a block builds it, as it may be several sentences")
            case _:
                assert_never(node)

    def _seats(self, node: ast.Expr) -> nodes.Expression:
        value = self.values.build(node)
        if isinstance(value.type, Element):
            one = self.values.as_type(value, SEAT, say("the recipient of `reveal`"))
            return nodes.SetLiteral(node.span, SEATS, (one,))
        return self.values.as_type(value, SEATS, say("the recipient of `reveal`"))

    def _winner(self, node: ast.Expr | None, expected: Element) -> nodes.Expression | None:
        if node is None:
            return None
        return self.values.build_as(node, Element(expected.kind, True), say("the winner"))

    def _inside(
        self, depth: int, word: str, what: str, node: ast.Node, help: str | None = None
    ) -> None:
        if not depth:
            message = say("'{word}' belongs inside {what}", word=word, what=what)
            self.errors.error("misplaced", message, node.span, help=help)

    def _loop(self, body: ast.Block) -> nodes.Block:
        old, self.handing_on = self.handing_on, ()
        self.loops += 1
        block = self.block(body)
        self.loops -= 1
        self.handing_on = old
        return block

    def _repeat(self, node: ast.Repeat) -> nodes.Statement | None:
        if node.times is None:
            message = say("this repetition has no bound")
            help_ = say("write `repeat at most 100 times") + (
                f" {node.test} ...:`" if node.test else ":`"
            )
            self.errors.error("unbounded", message, node.span, help=help_)
            if node.condition is not None:
                self.values.yes_no(node.condition)
            self._loop(node.body)
            return None
        times = self.values.number(node.times)
        condition = self.values.yes_no(node.condition) if node.condition is not None else None
        return nodes.Repeat(node.span, times, node.test, condition, self._loop(node.body))

    def _branches(self, node: ast.If, branches: Branches) -> Iterator[nodes.Statement]:
        """Yield the sentences of some branches, and those of the `else`."""
        plain: list[tuple[nodes.Expression, nodes.Block]] = []
        for number, (condition, block) in enumerate(branches):
            if isinstance(condition, ast.Given):
                sentences = self._build_given(node, condition, block, branches[number + 1 :])
                if plain:
                    yield nodes.If(
                        node.span, tuple(plain), nodes.Block(node.span, tuple(sentences))
                    )
                else:
                    yield from sentences
                return
            plain.append((self.values.yes_no(condition), self.block(block)))
        if plain:
            nothing = nodes.Block(node.span, ())
            last = self.block(node.otherwise) if node.otherwise else nothing
            yield nodes.If(node.span, tuple(plain), last)
        elif node.otherwise is not None:
            yield from self.block(node.otherwise).statements

    def _build_given(
        self, node: ast.If, condition: ast.Given, block: ast.Block, others: Branches
    ) -> Iterator[nodes.Statement]:
        """Yield a value under a hidden name, and the branches for a value and for none."""
        value, test, name = self.open_given(condition)
        yield value
        with self.frame.inner():
            let = name()
            body = self.block(block)
        inner = nodes.Block(body.span, (let, *body.statements))
        last = nodes.Block(node.span, tuple(self._branches(node, others)))
        yield nodes.If(node.span, ((test, inner),), last)

    def open_given(
        self, condition: ast.Given
    ) -> tuple[nodes.Let, nodes.Expression, Callable[[], nodes.Let]]:
        """Return the value of `let x = VALUE` under a hidden name, whether it exists, and `x`.

        The caller binds `x` inside the block of the `if`.
        """
        value = self.source(condition.value, None)
        kind = value.type
        if not isinstance(kind, Unknown) and not (isinstance(kind, Element) and kind.optional):
            text = "`if let` asks whether there is one, and this is always {described}"
            message = say(text, described=describe_type(kind))
            help_ = say("write `let {given} = ...` on a line of its own", given=condition.name.text)
            self.errors.error("type", message, condition.value.span, help=help_)
            kind = UNKNOWN
        slot = self.frame.slot()
        local = nodes.Local(condition.value.span, kind, slot, condition.name.text)
        nobody = nodes.Const(condition.span, NOBODY, None)
        test = nodes.Compare(condition.span, YES_NO, "!=", local, nobody)

        def name() -> nodes.Let:
            type_ = Element(kind.kind) if isinstance(kind, Element) else UNKNOWN
            one = nodes.Unwrap(condition.value.span, type_, local)
            return nodes.Let(condition.span, self.frame.bind(condition.name, type_), one)

        return nodes.Let(condition.span, slot, value), test, name


# Sentences that move cards: shuffle, draw, move, swap and gather.


def build_cards(
    builder: BodyBuilder,
    node: ast.Shuffle | ast.Draw | ast.Move | ast.MoveAll | ast.Swap | ast.Gather,
) -> nodes.Statement | None:
    """Build a sentence that moves cards, or None after a mistake."""
    zone = builder.values.cards_in
    if isinstance(node, ast.Move | ast.MoveAll) and node.under:
        target_zone = zone(node.target, say("the target of the cards"))
        if target_zone is not None and not builder.names.zones[target_zone.name].ordered:
            message = say(
                "'{below}' is not a pile, so nothing lies under its cards", below=target_zone.name
            )
            help_ = say("declare it `pile`, or write `to`")
            builder.errors.error("type", message, node.target.span, help=help_)
    match node:
        case ast.Shuffle(span, where):
            pile = zone(where, say("the argument of `shuffle`"))
            _check_pile(builder, pile, where)
            return nodes.Shuffle(span, pile) if pile else None
        case ast.Draw(span, origin, target, face_up, name):
            a = zone(origin, say("the source of `draw`"))
            b = zone(target, say("the target of the card"))
            _check_pile(builder, a, origin)
            slot = builder.frame.bind(name, CARD) if name is not None else None
            return nodes.Draw(span, a, b, face_up, slot) if a and b else None
        case ast.Move(span, card, origin, target, under):
            value = builder.values.build(card, CARD)
            if value.type == CARDS:
                message = say("the moved value must be a card, but this is a set of cards")
                help_ = _move_each(value, origin, target)
                builder.errors.error("type", message, card.span, help=help_)
                return None
            value = builder.values.as_type(value, CARD, say("the moved value"))
            b = zone(target, say("the target of the card"))
            a = zone(origin, say("the source of the card")) if origin is not None else None
            inner = value
            if isinstance(value, nodes.Builtin) and value.name == "openly":
                (inner,) = value.args
            if origin is None and isinstance(inner, nodes.Local):
                a = builder.frame.origins.get(inner.slot)
            if origin is None and a is None and not isinstance(value.type, Unknown):
                message = say("the zone of this card is unknown")
                help_ = _move_from(builder, card, inner, target)
                builder.errors.error("type", message, card.span, help=help_)
            return nodes.Move(span, value, a, b, under) if a and b else None
        case ast.MoveAll(span, origin, target, under, turned, openly):
            a = zone(origin, say("the source of the cards"))
            b = zone(target, say("the target of the cards"))
            return nodes.MoveAll(span, a, b, under, turned, openly) if a and b else None
        case ast.Swap(span, card, origin, other, target):
            one = builder.values.build_as(card, CARD, say("the swapped value"))
            two = builder.values.build_as(other, CARD, say("the other swapped value"))
            a = zone(origin, say("the source of the card"))
            b = zone(target, say("the source of the other card"))
            return nodes.Swap(span, one, a, two, b) if a and b else None
        case ast.Gather(span, names, start, target, openly):
            for name in names:
                if name.text not in builder.names.zones:
                    builder.names.unknown("zone", name.text, name.span, builder.names.zones)
            b = zone(target, say("the target of the cards"))
            by = None
            if start is not None:
                by = builder.values.build_as(start, SEAT, say("the first seat of `gather`"))
            zones = tuple(n.text for n in names)
            return nodes.Gather(span, zones, by, b, openly) if b else None
        case _:
            assert_never(node)


def _move_each(value: nodes.Expression, origin: ast.Expr | None, target: ast.Expr) -> str:
    """Return the help for a zone or set that is moved as if it were one card."""
    text, place = value.span.text, "ZONE" if origin is None else origin.span.text
    if isinstance(value, nodes.ZoneCards):
        sentence = f"move all from {text} to {target.span.text}"
    else:
        one = "c" if text != "c" else "one"
        sentence = f"for {one} in {text}: move {one} from {place} to {target.span.text}"
    return say("write `{sentence}`", sentence=sentence)


def _move_from(
    builder: BodyBuilder, card: ast.Expr, inner: nodes.Expression, target: ast.Expr
) -> str:
    """Return the help for a card of unknown zone; it names the one zone of its set, if any."""
    names, frame = builder.names, builder.frame
    known = isinstance(inner, nodes.Local) and inner.slot in frame.sets
    parts: list[object] = [frame.sets[inner.slot]] if known else []  # type: ignore[attr-defined]
    zones = set[str]()
    seen = set[str]()
    while parts:
        for part in ast.walk(parts.pop()):
            text = part.text if isinstance(part, ast.Word) else getattr(part, "name", "")
            if text in names.zones:
                zones.add(text)
            elif text in names.functions and text not in seen:
                seen.add(text)
                parts.append(names.functions[text])
    if len(zones) != 1:
        return say("write `move ... from ZONE to ZONE`")
    (zone,) = zones
    place = f"{zone}[...]" if names.zones[zone].index is not None else zone
    sentence = f"move {card.span.text} from {place} to {target.span.text}"
    return say("write `{sentence}`", sentence=sentence)


def _check_pile(builder: BodyBuilder, zone: nodes.ZoneCards | None, node: ast.Expr) -> None:
    if zone is not None and not builder.names.zones[zone.name].ordered:
        message = say("'{zone}' is not a pile", zone=zone.name)
        builder.errors.error("type", message, node.span, help=say("declare it `pile`"))


STOPS = "any answer ends this question; where the others may add something, write `next`"
PURE = ast.Let | ast.Assign | ast.Return | ast.Stop | ast.Next | ast.If | ast.For | ast.Repeat
LEAVES = ast.Return | ast.Stop | ast.Next | ast.Again | ast.EndTrick | ast.EndDeal | ast.EndMatch


def without_return(node: nodes.Block) -> Span | None:
    """Return where a path through a block reaches neither a `return` nor an end, or None.

    It is an option of the question at the end of the block, else the block.
    """
    if not node.statements:
        return node.span
    match node.statements[-1]:
        case nodes.Return() | nodes.EndTrick() | nodes.EndDeal() | nodes.EndMatch():
            return None
        case nodes.If(_, branches, otherwise):
            blocks = [*(block for _, block in branches), otherwise]
            return next(filter(None, map(without_return, blocks)), None)
        case nodes.Ask(_, _, _, _, options):
            return next((o.span for o in options if _goes_on(o.body)), None)
    return node.span


def _goes_on(body: nodes.Block) -> bool:
    again = bool(body.statements) and isinstance(body.statements[-1], nodes.Again)
    return not again and without_return(body) is not None


# Lowers `define`s: an expression, or statements that only change their own names.


def build_define(
    node: ast.Define, builder: StatementBuilder
) -> tuple[nodes.Expression | nodes.Block, Type]:
    """Return the body of a `define`, and the type of its value."""
    expected, errors = builder.result, builder.errors
    body: nodes.Expression | nodes.Block
    if isinstance(node.body, ast.Block):
        mistakes = len(errors.diagnostics)
        body = builder.block(node.body)
        if len(errors.diagnostics) == mistakes:
            check_returns(node, body, errors)
        result = expected or builder.type_so_far or UNKNOWN
    else:
        body = builder.values.build(node.body, expected)
        if expected is not None:
            body = builder.values.convert(body, expected, say("the result"))
        result = expected or body.type
    if isinstance(result, Nobody):
        errors.error("type", say("this is always none"), node.name.span)
    return body, result


def can_be_built(node: ast.Define, stack: Sequence[str], errors: Collector, at: Span) -> bool:
    """Report a `define` that uses itself or is nested too deep in others, which are `stack`.

    at: where to report a cycle.
    """
    name, span = node.name.text, node.name.span
    if name in stack:
        cycle = " -> ".join([*stack[stack.index(name) :], name])
        message = say("'{name}' depends on itself: {cycle}", name=name, cycle=cycle)
        help_ = say("use a loop or a quantifier")
        errors.error("recursion", message, at, help=help_)
    elif len(stack) >= DEEPEST_DEFINES:
        message = say("more than {deepest} defines are nested", deepest=DEEPEST_DEFINES)
        errors.error("too-deep", message, span, help=say("join some of them"))
    return name not in stack and len(stack) < DEEPEST_DEFINES


def check_returns(node: ast.Rule | ast.Define, body: nodes.Block, errors: Collector) -> None:
    """Report a path through a rule or `define` without a value."""
    gap, help_ = without_return(body), say("end every way through it with `return`")
    if gap is None:
        return
    if gap.source is not node.span.source:
        message = say("this option returns no value, as '{node}' has to", node=node.name.text)
        note = Note(say("it is an option here"), node.name.span)
        errors.error("type", message, gap, note, help=help_)
    else:
        message = say("'{node}' does not always return a value", node=node.name.text)
        errors.error("type", message, node.name.span, help=help_)
