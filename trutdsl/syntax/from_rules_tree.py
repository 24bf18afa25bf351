"""Builds the expressions and statements of the syntax tree from Lark's parse tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from unicodedata import normalize

from lark import Token, Tree

from trutdsl.diagnostics import Excerpt, Span
from trutdsl.syntax import ast

# Alternatives of the grammar whose children are the fields of a node, in their order.
NODES: dict[str, type[ast.Node]] = {
    "addition": ast.Addition,
    "again": ast.Again,
    "ask": ast.Ask,
    "assign": ast.Assign,
    "base_with": ast.Base,
    "block": ast.Block,
    "call": ast.Call,
    "chance": ast.Chance,
    "deal": ast.DealBlock,
    "define": ast.Define,
    "do": ast.Do,
    "draw": ast.Draw,
    "end_deal": ast.EndDeal,
    "end_match": ast.EndMatch,
    "end_trick": ast.EndTrick,
    "end_trick_tied": ast.EndTrick,
    "extreme": ast.Extreme,
    "for_": ast.For,
    "given": ast.Given,
    "group": ast.Group,
    "hands": ast.Hands,
    "index": ast.Index,
    "let": ast.Let,
    "look": ast.Look,
    "name": ast.Name,
    "named_type": ast.NamedType,
    "negate": ast.Negate,
    "next_": ast.Next,
    "none": ast.Nothing,
    "not_": ast.Not,
    "param": ast.Param,
    "random": ast.Random,
    "return_": ast.Return,
    "reveal": ast.Reveal,
    "roll": ast.Roll,
    "set_of": ast.SetOf,
    "setup": ast.Setup,
    "shuffle": ast.Shuffle,
    "stop": ast.Stop,
    "swap": ast.Swap,
    "text": ast.Text,
    "trick": ast.TrickBlock,
    "type_enum": ast.TypeEnum,
    "type_name": ast.TypeName,
    "type_range": ast.TypeRange,
    "type_set": ast.TypeSet,
    "variable": ast.Variable,
    "whole": ast.Whole,
}
# Tokens that begin such an alternative, and are no field.
BEGINNINGS = frozenset({"AFTER", "ALL_OF", "DEAL", "HANDS_OF", "LOOK_AT", "MIX", "NONE", "SET_OF"})
# Alternatives that stand for their only child.
INLINE = frozenset({"define_expr", "else_", "else_choices", "parenthesis"})


def text_of(token: Token | None) -> str | None:
    """Return the text of a token, without the quotes or brackets around it; None for none."""
    match token:
        case None:
            return None
        case Token(type="STRING"):
            return token[1:-1]
        case Token(type="CITES"):
            return token[1:-1].strip()
    return str(token)


class RulesTreeBuilder:
    """Has a method `on_NAME` for each other alternative of the grammar of rules."""

    def __init__(self, excerpt: Excerpt) -> None:
        self.excerpt = excerpt

    def span_of(self, node: Tree[Token]) -> Span:
        meta = node.meta
        if meta.empty:
            return self.excerpt.span(1, 1, 1, 1)
        return self.excerpt.span(meta.line, meta.column, meta.end_line, meta.end_column)

    def word(self, token: Token) -> ast.Word:
        line, col = token.line or 1, token.column or 1
        end_line, end_col = token.end_line or line, token.end_column or col
        span = self.excerpt.span(line, col, end_line, end_col)
        return ast.Word(span, text_of(token) or "")

    def node(self, kind: type[ast.Node], span: Span, parts: Iterable[Any]) -> ast.Node:
        """Return a node with these parts as fields; a tuple as the last field has all others."""
        left = [p for p in parts if not (isinstance(p, Token) and p.type in BEGINNINGS)]
        types = kind.field_types[1:]  # without its position
        if types and types[-1].startswith("tuple["):
            own = len(types) - 1
            left[own:] = [tuple(self._field("Word", part) for part in left[own:])]
        return kind(span, *map(self._field, types, left))

    def _field(self, type_: str, part: Any) -> Any:
        """Return a part for a field of this type: a token is a word, a text, or just there."""
        if type_ == "bool":
            return part is not None
        if isinstance(part, Token):
            return text_of(part) if type_ in ("str", "str | None") else self.word(part)
        if part is None and type_ == "Audience":
            return ast.Audience.ALL
        return () if part is None and type_.startswith("tuple[") else part

    def on_choice(self, span: Span, yes: Any, test: Any, no: Any) -> ast.Choice:
        return ast.Choice(span, test, yes, no)

    def on_domain(
        self, span: Span, items: Any, last: Any, how: Token | None, start: Any, where: Any
    ) -> ast.Domain:
        after = how is not None and how.type == "AFTER"
        return ast.Domain(span, items, last, start, after, where)

    def on_rate(
        self, span: Span, kind: Token, words: Token, seat: Any, decision: Any, part: Any, whole: Any
    ) -> ast.Rate:
        prior = (part, whole) if part is not None else ()
        at = self.word(decision) if decision is not None else None
        return ast.Rate(span, str(kind).split()[0], self.word(words), seat, at, prior)

    def on_hand_domain(self, span: Span, hands: ast.Hands, where: Any) -> ast.Domain:
        return ast.Domain(span, hands, None, None, False, where)

    def on_count(
        self, span: Span, kind: Token, name: Token, domain: ast.Domain, value: Any = None
    ) -> ast.Quantifier:
        order = None
        if isinstance(value, ast.Extreme):
            value, order = value.of, value.order
        return ast.Quantifier(span, str(kind), self.word(name), domain, value, order)

    on_first = on_those = on_any_ = on_every = on_count

    def on_highest(
        self, span: Span, kind: Token, value: Any, name: Token, domain: ast.Domain
    ) -> ast.Quantifier:
        return self.on_count(span, kind, name, domain, value)

    on_lowest = on_total = on_highest

    def on_binary(self, span: Span, left: Any, op: Token, right: Any) -> ast.Binary:
        return ast.Binary(span, str(op), left, right)

    def on_not_in(self, span: Span, left: Any, right: Any) -> ast.Not:
        return ast.Not(span, ast.Binary(span, "in", left, right))

    def on_number(self, span: Span, token: Token) -> ast.Number:
        return ast.Number(span, int(token[:12]))

    def on_decimal(self, span: Span, token: Token) -> ast.Decimal:
        whole, places = str(token).split(".")
        exact = whole in ("0", "1") and len(places) <= 6
        value = int(whole) * 10**6 + int(places.ljust(6, "0")) if exact else None
        return ast.Decimal(span, value if value is not None and value <= 10**6 else None)

    def on_yes(self, span: Span, _token: Token) -> ast.YesNo:
        return ast.YesNo(span, True)

    def on_no(self, span: Span, _token: Token) -> ast.YesNo:
        return ast.YesNo(span, False)

    def on_base(self, span: Span) -> ast.Base:
        return ast.Base(span, None)

    def on_do_base(self, span: Span, base: ast.Base) -> ast.Do:
        return ast.Do(span, ast.Word(base.span, "base"), base.args)

    def on_move(self, span: Span, card: Any, origin: Any, how: Token, target: Any) -> ast.Move:
        return ast.Move(span, card, origin, target, how.type == "UNDER")

    def on_move_all(self, span: Span, *parts: Any) -> ast.MoveAll:
        origin, how, target, turned, openly = parts
        under = how.type == "UNDER"
        return ast.MoveAll(span, origin, target, under, turned is not None, openly is not None)

    def on_gather(self, span: Span, *parts: Any) -> ast.Gather:
        names = tuple(
            self.word(p) for p in parts if isinstance(p, Token) and p.type not in ("FROM", "OPENLY")
        )
        *start, target = (p for p in parts if p is not None and not isinstance(p, Token))
        openly = isinstance(parts[-1], Token)
        return ast.Gather(span, names, start[0] if start else None, target, openly)

    def on_end_match_drawn(self, span: Span, reason: Token | None) -> ast.EndMatch:
        return ast.EndMatch(span, None, self.word(reason) if reason else None)

    def on_announce(
        self, span: Span, value: Any, words: Token | None, speaker: Any, hearers: Any
    ) -> ast.Announce:
        all_of_them = isinstance(hearers, Token)
        return ast.Announce(span, value, text_of(words), speaker, None if all_of_them else hearers)

    def on_if_(self, span: Span, *parts: Any) -> ast.If:
        return ast.If(span, *self.branches(parts))

    def branches(self, parts: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any]:
        *pairs, last = parts
        return tuple(zip(pairs[0::2], pairs[1::2], strict=True)), last

    def on_repeat(self, span: Span, *parts: Any) -> ast.Repeat:
        at_most, times, test, condition, body = parts
        how = str(test) if test else None
        return ast.Repeat(span, times, at_most is not None, how, condition, body)

    def on_repeat_forever(self, span: Span, *parts: Any) -> ast.Repeat:
        *test, body = parts
        return self.on_repeat(span, None, None, *(test or (None, None)), body)

    def on_placed(self, span: Span, _word: Token, name: Token, *rest: Any) -> ast.Placed:
        return self._make_placed(span, self.word(name), rest)

    def on_placed_base(self, span: Span, word: Token, *rest: Any) -> ast.Placed:
        return self._make_placed(span, ast.Word(self.word(word).span, "base"), rest)

    def _make_placed(self, span: Span, name: ast.Word, rest: tuple[Any, ...]) -> ast.Placed:
        body = next((p for p in rest if isinstance(p, ast.Block)), ast.Block(span, ()))
        args = tuple(p for p in rest if p is not None and not isinstance(p, Token | ast.Block))
        return ast.Placed(span, name, args or None, body)

    def on_word(self, _span: Span, token: Token) -> ast.Word:
        if token.type == "ACCENTED":  # a letter and its accent can be one character or two
            return ast.Word(self.word(token).span, normalize("NFC", token))
        return self.word(token)

    def on_binder(self, span: Span, *parts: Any) -> ast.Binder:
        words = tuple(self.word(p) for p in parts if isinstance(p, Token) and p.type == "STRING")
        items, last, step, *_, of = (p for p in parts if not isinstance(p, Token))
        return ast.Binder(span, ast.Word(span, ""), items, last, of, words, step)

    def on_option(self, span: Span, *parts: Any) -> ast.Option:
        words = [p for p in parts if isinstance(p, ast.Word)]
        binders: list[ast.Binder] = []
        name: ast.Word | None = None
        rest: list[Any] = []
        marks: set[str] = set()
        for part in parts:
            if isinstance(part, ast.Word):
                continue
            if isinstance(part, Token) and part.type == "NAME":
                name = self.word(part)
            elif isinstance(part, ast.Binder):
                word = name or words.pop()
                binders.append(replace(part, name=word))
            elif isinstance(part, Token):
                marks.add(part.type)
            else:
                rest.append(part)
        # The first binder may be absent (a placeholder), then come condition and body.
        body = rest[-1] if rest and isinstance(rest[-1], ast.Block) else ast.Block(span, ())
        conditions = [p for p in rest if p is not None and not isinstance(p, ast.Block)]
        conditions += [_by_step(binder) for binder in binders if binder.step is not None]
        condition: Any = conditions[0] if conditions else None
        for more in conditions[1:]:
            condition = ast.Binary(span, "and", condition, more)
        openly, passes = "OPENLY" in marks, "AS_PASS" in marks
        return ast.Option(span, tuple(words), tuple(binders), condition, openly, body, passes)


def _by_step(binder: ast.Binder) -> ast.Expr:
    """Return the condition that a choice is a whole number of steps above the lowest."""
    assert binder.step is not None
    span = binder.step.span
    steps = ast.Binary(span, "-", ast.Name(binder.name.span, binder.name.text), binder.items)
    rest = ast.Binary(span, "mod", steps, binder.step)
    return ast.Binary(span, "==", rest, ast.Number(span, 0))
