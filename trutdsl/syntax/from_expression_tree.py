"""Builds the expressions of the syntax tree from Lark's parse tree."""

from __future__ import annotations

from typing import Any

from lark import Token, Tree

from trutdsl.source import Excerpt, Span
from trutdsl.syntax import ast


class ExpressionTreeBuilder:
    """One method per alternative of an expression, named `on_` and its name."""

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
        return ast.Word(self.excerpt.span(line, col, end_line, end_col), str(token))

    def quoted(self, token: Token) -> ast.Word:
        return ast.Word(self.word(token).span, str(token)[1:-1])

    def on_choice(self, span: Span, yes: Any, test: Any, no: Any) -> ast.Choice:
        return ast.Choice(span, test, yes, no)

    def on_domain(self, span: Span, items: Any, *rest: Any) -> ast.Domain:
        parts = [p for p in rest if not (isinstance(p, Token) and p.type == "TO")]
        last, how, start, where = parts
        after = how is not None and how.type == "AFTER"
        return ast.Domain(span, items, last, start, after, where)

    def on_hands(self, span: Span, _words: Token, size: Any, *rest: Any) -> ast.Hands:
        return ast.Hands(span, size, rest[-1])

    def on_hand_domain(self, span: Span, hands: ast.Hands, where: Any) -> ast.Domain:
        return ast.Domain(span, hands, None, None, False, where)

    def _quantifier(self, span: Span, parts: tuple[Any, ...]) -> ast.Quantifier:
        kind = parts[0]
        name = next(p for p in parts if isinstance(p, Token) and p.type == "NAME")
        domain = next(p for p in parts if isinstance(p, ast.Domain))
        value = next((p for p in parts[1:] if p not in (name, domain, None) and
                      not isinstance(p, Token)), None)  # fmt: skip
        if isinstance(value, ast.Extreme):
            return ast.Quantifier(span, str(kind), self.word(name), domain, value.of, value.order)
        return ast.Quantifier(span, str(kind), self.word(name), domain, value)

    def on_extreme(self, span: Span, order: Token, of: Any) -> ast.Extreme:
        return ast.Extreme(span, str(order), of)

    def on_count(self, span: Span, *parts: Any) -> ast.Quantifier:
        return self._quantifier(span, parts)

    on_first = on_those = on_any_ = on_every = on_highest = on_lowest = on_total = on_count

    def on_binary(self, span: Span, left: Any, op: Token, right: Any) -> ast.Binary:
        return ast.Binary(span, str(op), left, right)

    def on_not_in(self, span: Span, left: Any, *rest: Any) -> ast.Not:
        return ast.Not(span, ast.Binary(span, "in", left, rest[-1]))

    def on_not_(self, span: Span, *parts: Any) -> ast.Not:
        return ast.Not(span, parts[-1])

    def on_negate(self, span: Span, *parts: Any) -> ast.Negate:
        return ast.Negate(span, parts[-1])

    def on_number(self, span: Span, token: Token) -> ast.Number:
        return ast.Number(span, int(token[:12]))

    def on_decimal(self, span: Span, token: Token) -> ast.Decimal:
        whole, places = str(token).split(".")
        exact = whole in ("0", "1") and len(places) <= 6
        value = int(whole) * 10**6 + int(places.ljust(6, "0")) if exact else None
        return ast.Decimal(span, value if value is not None and value <= 10**6 else None)

    def on_text(self, span: Span, token: Token) -> ast.Text:
        return ast.Text(span, str(token)[1:-1])

    def on_yes(self, span: Span, _token: Token) -> ast.YesNo:
        return ast.YesNo(span, True)

    def on_no(self, span: Span, _token: Token) -> ast.YesNo:
        return ast.YesNo(span, False)

    def on_none(self, span: Span, _token: Token) -> ast.Nothing:
        return ast.Nothing(span)

    def on_name(self, span: Span, token: Token) -> ast.Name:
        return ast.Name(span, str(token))

    def on_call(self, span: Span, name: Token, *args: Any) -> ast.Call:
        return ast.Call(span, self.word(name), tuple(a for a in args if a is not None))

    def on_index(self, span: Span, name: Token, index: Any) -> ast.Index:
        return ast.Index(span, self.word(name), index)

    def on_set_of(self, span: Span, *items: Any) -> ast.SetOf:
        return ast.SetOf(span, tuple(i for i in items if i is not None))

    def on_whole(self, span: Span, _all: Token, name: Token) -> ast.Whole:
        return ast.Whole(span, self.word(name))

    def on_parenthesis(self, _span: Span, value: Any) -> Any:
        return value
