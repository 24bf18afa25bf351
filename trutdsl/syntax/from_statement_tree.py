"""Builds the sentences of the syntax tree from Lark's parse tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from unicodedata import normalize

from lark import Token

from trutdsl.source import Span
from trutdsl.syntax import ast
from trutdsl.syntax.from_expression_tree import ExpressionTreeBuilder


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
        target, face, name = (
            p for p in rest if not (isinstance(p, Token) and p.type in ("TO", "FROM"))
        )
        bound = self.word(name) if name else None
        return ast.Draw(span, origin, target, face is not None, bound)

    def on_move(self, span: Span, card: Any, *rest: Any) -> ast.Move:
        origin, how, target = (p for p in rest if not (isinstance(p, Token) and p.type == "FROM"))
        return ast.Move(span, card, origin, target, how.type == "UNDER")

    def on_move_all(self, span: Span, *parts: Any) -> ast.MoveAll:
        origin, how, target, turned, openly = (
            p for p in parts if not (isinstance(p, Token) and p.type in ("FROM", "ALL"))
        )
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
        winner, reason = (p for p in parts if not (isinstance(p, Token) and p.type == "DEAL"))
        return ast.EndDeal(span, winner, self.word(reason))

    def on_end_match(self, span: Span, *parts: Any) -> ast.EndMatch:
        winner, reason = parts[-2:]
        return ast.EndMatch(span, winner, self.word(reason) if reason else None)

    def on_end_match_drawn(self, span: Span, *parts: Any) -> ast.EndMatch:
        return ast.EndMatch(span, None, self.word(parts[-1]) if parts[-1] else None)

    def on_reveal(self, span: Span, what: Any, *rest: Any) -> ast.Reveal:
        return ast.Reveal(span, what, rest[-1])

    def on_announce(self, span: Span, value: Any, *rest: Any) -> ast.Announce:
        words, speaker, hearers = (p for p in rest if not (isinstance(p, Token) and p.type == "TO"))
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
