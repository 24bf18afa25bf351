"""Builds the expressions and statements of the syntax tree from Lark's parse tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from unicodedata import normalize

from lark import Token, Tree

from trutdsl.diagnostics import Excerpt, Span
from trutdsl.syntax import ast

# Builds the expressions of the syntax tree from Lark's parse tree.


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
        last, how, start, where = rest
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


# Builds the sentences of the syntax tree from Lark's parse tree.


class StatementTreeBuilder(ExpressionTreeBuilder):
    """One method per alternative of a sentence, named `on_` and its name."""

    def on_block(self, span: Span, *statements: Any) -> ast.Block:
        return ast.Block(span, tuple(s for s in statements if not isinstance(s, Token)))

    def on_statement(self, _span: Span, statement: Any, *_rest: Any) -> Any:
        return statement

    def on_let(self, span: Span, name: Token, type_: Any, value: Any) -> ast.Let:
        return ast.Let(span, self.word(name), type_, value)

    def on_assign(self, span: Span, target: Any, op: Token, value: Any) -> ast.Assign:
        return ast.Assign(span, target, str(op), value)

    def on__source(self, _span: Span, value: Any) -> Any:
        return value

    def on_do(self, span: Span, name: Token, *args: Any) -> ast.Do:
        return ast.Do(span, self.word(name), tuple(a for a in args if a is not None))

    def on_return_(self, span: Span, *value: Any) -> ast.Return:
        return ast.Return(span, value[0] if value else None)

    def on_stop(self, span: Span) -> ast.Stop:
        return ast.Stop(span)

    def on_next_(self, span: Span) -> ast.Next:
        return ast.Next(span)

    def on_again(self, span: Span) -> ast.Again:
        return ast.Again(span)

    def on_do_base(self, span: Span, base: ast.Base) -> ast.Do:
        return ast.Do(span, ast.Word(base.span, "base"), base.args)

    def on_base(self, span: Span) -> ast.Base:
        return ast.Base(span, None)

    def on_base_with(self, span: Span, *args: Any) -> ast.Base:
        return ast.Base(span, tuple(a for a in args if a is not None))

    def on_shuffle(self, span: Span, zone: Any) -> ast.Shuffle:
        return ast.Shuffle(span, zone)

    def on_draw(self, span: Span, origin: Any, *rest: Any) -> ast.Draw:
        target, face, name = rest
        bound = self.word(name) if name else None
        return ast.Draw(span, origin, target, face is not None, bound)

    def on_move(self, span: Span, card: Any, *rest: Any) -> ast.Move:
        origin, how, target = rest
        return ast.Move(span, card, origin, target, how.type == "UNDER")

    def on_move_all(self, span: Span, *parts: Any) -> ast.MoveAll:
        origin, how, target, turned, openly = parts
        under = how.type == "UNDER"
        return ast.MoveAll(span, origin, target, under, turned is not None, openly is not None)

    def on_swap(self, span: Span, *parts: Any) -> ast.Swap:
        return ast.Swap(span, *(p for p in parts if not isinstance(p, Token)))

    def on_gather(self, span: Span, *parts: Any) -> ast.Gather:
        names = tuple(
            self.word(p) for p in parts if isinstance(p, Token) and p.type not in ("FROM", "OPENLY")
        )
        *start, target = (p for p in parts if p is not None and not isinstance(p, Token))
        openly = isinstance(parts[-1], Token)
        return ast.Gather(span, names, start[0] if start else None, target, openly)

    def on_end_trick(self, span: Span, *parts: Any) -> ast.EndTrick:
        return ast.EndTrick(span, parts[-1])

    def on_end_trick_tied(self, span: Span, *_parts: Any) -> ast.EndTrick:
        return ast.EndTrick(span, None)

    def on_end_deal(self, span: Span, *parts: Any) -> ast.EndDeal:
        winner, reason = parts
        return ast.EndDeal(span, winner, self.word(reason))

    def on_end_match(self, span: Span, *parts: Any) -> ast.EndMatch:
        winner, reason = parts[-2:]
        return ast.EndMatch(span, winner, self.word(reason) if reason else None)

    def on_end_match_drawn(self, span: Span, *parts: Any) -> ast.EndMatch:
        return ast.EndMatch(span, None, self.word(parts[-1]) if parts[-1] else None)

    def on_reveal(self, span: Span, what: Any, *rest: Any) -> ast.Reveal:
        return ast.Reveal(span, what, rest[-1])

    def on_announce(self, span: Span, value: Any, *rest: Any) -> ast.Announce:
        words, speaker, hearers = rest
        given = self.quoted(words).text if words else None
        all_of_them = isinstance(hearers, Token)
        return ast.Announce(span, value, given, speaker, None if all_of_them else hearers)

    def on_roll(self, span: Span, low: Any, *rest: Any) -> ast.Roll:
        return ast.Roll(span, low, rest[-1])

    def on_random(self, span: Span, *parts: Any) -> ast.Random:
        return ast.Random(span, parts[-1])

    def on_chance(self, span: Span, part: Any, whole: Any) -> ast.Chance:
        return ast.Chance(span, part, whole)

    def on_else_(self, _span: Span, block: Any) -> tuple[str, Any]:
        return "else", block

    def on_given(self, span: Span, name: Token, value: Any) -> ast.Given:
        return ast.Given(span, self.word(name), value)

    def on_if_(self, span: Span, *parts: Any) -> ast.If:
        *pairs, last = parts
        branches = tuple(zip(pairs[0::2], pairs[1::2], strict=True))
        return ast.If(span, branches, last[1] if last else None)

    def on_for_(self, span: Span, name: Token, *rest: Any) -> ast.For:
        domain, body = (p for p in rest if not isinstance(p, Token))
        return ast.For(span, self.word(name), domain, body)

    def on_repeat(self, span: Span, *parts: Any) -> ast.Repeat:
        at_most, times, test, condition, body = parts
        how = str(test) if test else None
        return ast.Repeat(span, times, at_most is not None, how, condition, body)

    def on_repeat_forever(self, span: Span, *parts: Any) -> ast.Repeat:
        if len(parts) == 1:
            return ast.Repeat(span, None, False, None, None, parts[0])
        test, condition, body = parts
        return ast.Repeat(span, None, False, str(test), condition, body)

    def on_deal(self, span: Span, *parts: Any) -> ast.DealBlock:
        return ast.DealBlock(span, parts[-1])

    def on_trick(self, span: Span, *parts: Any) -> ast.TrickBlock:
        return ast.TrickBlock(span, self.word(parts[-2]), parts[-1])

    def on_setup(self, span: Span, name: Token, body: ast.Block) -> ast.Setup:
        return ast.Setup(span, self.word(name), body)

    def on_ask(self, span: Span, seat: Any, decision: Token, who: Any, *rest: Any) -> ast.Ask:
        audience = who or ast.Audience.ALL
        return ast.Ask(span, seat, self.quoted(decision), audience, self.offers(rest))

    def offers(self, parts: Iterable[Any]) -> tuple[ast.Option | ast.Placed, ...]:
        """Return the options among the parts of a question, and where those of a group stand."""
        return tuple(p for p in parts if isinstance(p, ast.Option | ast.Placed))

    def on_placed(self, span: Span, _word: Token, name: Token, *rest: Any) -> ast.Placed:
        return self._placed(span, self.word(name), rest)

    def on_placed_base(self, span: Span, word: Token, *rest: Any) -> ast.Placed:
        return self._placed(span, ast.Word(self.word(word).span, "base"), rest)

    def _placed(self, span: Span, name: ast.Word, rest: tuple[Any, ...]) -> ast.Placed:
        body = next((p for p in rest if isinstance(p, ast.Block)), ast.Block(span, ()))
        args = tuple(p for p in rest if p is not None and not isinstance(p, Token | ast.Block))
        return ast.Placed(span, name, args or None, body)

    def on_word(self, _span: Span, token: Token) -> ast.Word:
        if token.type == "ACCENTED":  # a letter and its accent may be written as one or as two
            return ast.Word(self.word(token).span, normalize("NFC", token))
        return self.quoted(token) if token.type == "STRING" else self.word(token)

    def on_binder(self, span: Span, *parts: Any) -> ast.Binder:
        words = tuple(self.quoted(p) for p in parts if isinstance(p, Token) and p.type == "STRING")
        items, last, *_, of = (p for p in parts if not isinstance(p, Token))
        return ast.Binder(span, ast.Word(span, ""), items, last, of, words)

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
                bound = name or words.pop()
                binders.append(replace(part, name=bound))
            elif isinstance(part, Token):
                marks.add(part.type)
            else:
                rest.append(part)
        # The first binder may be absent (a placeholder), then come condition and body.
        body = rest[-1] if rest and isinstance(rest[-1], ast.Block) else ast.Block(span, ())
        conditions = [p for p in rest if p is not None and not isinstance(p, ast.Block)]
        condition = conditions[0] if conditions else None
        openly, passes = "OPENLY" in marks, "AS_PASS" in marks
        return ast.Option(span, tuple(words), tuple(binders), condition, openly, body, passes)
