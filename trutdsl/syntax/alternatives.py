"""Alternatives of the grammar that are more than a node with their children as its fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from unicodedata import normalize

from lark import Token

from trutdsl.diagnostics import Span, reject
from trutdsl.language import say
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script
from trutdsl.syntax.from_tree import NodeBuilder, text_of

TRAITS = {"ordered": "pile", "capacity": "up to", "content": "starts with", "audience": "seen by"}


class TreeBuilder(NodeBuilder):
    """Has a method `on_NAME` for each alternative that `NODES`, `INLINE` and `PARTS` lack."""

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
        return ast.Number(span, int(token))

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
        _at_most, times, test, condition, body = parts
        how = str(test) if test else None
        return ast.Repeat(span, times, how, condition, body)

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
        condition: Any = conditions[0] if conditions else None
        openly, passes = "OPENLY" in marks, "AS_PASS" in marks
        return ast.Option(span, tuple(words), tuple(binders), condition, openly, body, passes)

    def on_start(self, _span: Span, *items: Any) -> ast.Rules:
        kinds = ast.Zone, ast.Variable, ast.Define, ast.Rule, ast.Group, ast.Addition
        return ast.Rules(*_by_kind(items, *kinds, ast.NamedType))

    on_vocabulary = on_start

    def on_audience(self, _span: Span, token: Token) -> ast.Audience:
        return ast.Audience(str(token))

    def on_zone(
        self, span: Span, mark: Token | None, name: Token, index: Token | None, *rest: Any
    ) -> ast.Zone:
        traits: dict[str, Any] = {}
        for key, value in (one for one in rest if isinstance(one, tuple)):
            if key in traits:
                message = say("zone '{zone}' says '{trait}' twice", zone=name, trait=TRAITS[key])
                raise reject("defined-twice", message, span, help=say("delete one of them"))
            traits[key] = value
        return ast.Zone(
            span,
            mark is not None,
            self.word(name),
            self.word(index) if index else None,
            traits.get("ordered", False),
            traits.get("capacity"),
            traits.get("content"),
            traits.get("audience"),
        )

    def on_state(self, _span: Span, lifetime: Token, *rest: Any) -> tuple[Any, ...]:
        return tuple(replace(one, lifetime=str(lifetime)) for one in rest)

    on_memory = on_state

    def on_type_optional(self, span: Span, name: Token) -> ast.TypeName:
        return ast.TypeName(span, str(name), True)

    def on_params(self, _span: Span, *params: Any) -> tuple[ast.Param, ...]:
        return tuple(p for p in params if p is not None)

    def on_rule(self, span: Span, *parts: Any) -> ast.Rule:
        how, name, params, result, help_, cites, body = parts
        texts = text_of(help_), text_of(cites)
        piece = str(how) if how in ("before", "after") else None
        replaces = how == "replace"
        return ast.Rule(span, replaces, self.word(name), params or (), result, *texts, body, piece)

    def on_hook(self, span: Span, event: Token, *parts: Any) -> ast.Rule:
        help_, cites, body = parts
        what = "deal" if event.type == "DEAL_OVER" else "match"
        name = ast.Word(self.word(event).span, ast.HOOKS[what])
        texts = text_of(help_), text_of(cites)
        return ast.Rule(span, False, name, (), None, *texts, body, "when")

    def on_strategy(self, span: Span, name: Token, *rest: Any) -> script.StrategyTree:
        base, help_, cites, variants, *parts = rest
        kinds = (
            script.ParameterDeclaration,
            script.MemoryDeclaration,
            ast.Define,
            script.TableDeclaration,
            script.SubRule,
            script.On,
            script.AfterDeal,
        )
        texts = text_of(help_), text_of(cites)
        head = self.word(name), base[0] if base else None, *texts, variants or ()
        return script.StrategyTree(span, *head, *_by_kind(parts, *kinds))

    def on_extends(self, _span: Span, *refs: Token) -> tuple[ast.Word, ...]:
        return tuple(map(self.word, refs))

    on_meant = on_extends

    def on_on(self, span: Span, *parts: Any) -> script.On:
        words = tuple(self.word(p) for p in parts if isinstance(p, Token) and p.type == "NAME")
        return script.On(span, words, parts[-1])

    on_otherwise = on_on

    def on_set_memory(
        self, span: Span, name: Token, index: ast.Expr | None, op: Token, value: Any
    ) -> ast.Assign:
        word = self.word(name)
        target: ast.Expr = ast.Name(word.span, word.text)
        if index is not None:
            target = ast.Index(word.span.to(index.span), word, index)
        return ast.Assign(span, target, str(op), value)

    def on_if_choice(self, span: Span, *parts: Any) -> script.IfChoice:
        return script.IfChoice(span, *self.branches(parts))

    def on_clause(self, span: Span, *parts: Any) -> script.Clause:
        words = tuple(p for p in parts if isinstance(p, ast.Word))
        tails: dict[str, Any] = dict(p for p in parts if isinstance(p, tuple))
        body = next((p for p in parts if isinstance(p, ast.Block)), ast.Block(span, ()))
        first = self.word(parts[0]) if isinstance(parts[0], Token) else words[0]
        head = first.span.to(words[-1].span) if words else first.span
        keys, drawn = tails.get("key", ((), False))
        once, odds = tails.get("odds", (None, None))
        return script.Clause(
            head, words, tails.get("where"), keys, drawn, tails.get("when"), odds, once, body
        )

    on_any_clause = on_clause

    def on_key(self, _span: Span, *parts: Any) -> tuple[str, Any]:
        if parts[0].type == "AT_RANDOM":
            return "key", ((), True)
        orders = (self.word(token) for token in parts[::2])
        pairs = zip(orders, parts[1::2], strict=True)
        return "key", (tuple(script.Key(o.span.to(v.span), o.text, v) for o, v in pairs), False)

    def on_once(self, _span: Span, _once: Token, lifetime: Token) -> str:
        return str(lifetime)

    def on_odds(self, _span: Span, once: str | None, odds: ast.Chance) -> tuple[str, Any]:
        return "odds", (once, odds)

    def on_percent(self, span: Span, part: ast.Expr) -> ast.Chance:
        return ast.Chance(span, *hundredths(part))


def hundredths(part: ast.Expr) -> tuple[ast.Expr, ast.Expr | None]:
    """Return part and whole of a number of percent; one with places in millionths."""
    if not isinstance(part, ast.Decimal):
        return part, ast.Number(part.span, 100)
    whole, places = part.span.text.split(".")
    exact = len(whole) <= 2 and len(places) <= 4
    millionths = int(whole + places.ljust(4, "0")) if exact else None
    return ast.Decimal(part.span, millionths), None


def _by_kind(items: Iterable[Any], *kinds: type) -> list[tuple[Any, ...]]:
    """Return the items of each kind; a tuple stands for the items in it."""
    flat = [one for item in items for one in (item if isinstance(item, tuple) else (item,))]
    return [tuple(one for one in flat if isinstance(one, kind)) for kind in kinds]
