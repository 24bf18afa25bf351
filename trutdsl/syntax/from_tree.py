"""Builds the syntax tree from Lark's parse tree, bottom up and without recursion."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark import Token, Tree

from trutdsl.source import Excerpt, Span
from trutdsl.syntax import ast
from trutdsl.syntax.ast import Audience

DEEPEST_TREE = 120


class TooDeep(Exception):  # noqa: N818 - it is an outcome, not a fault
    """An expression nested deeper than `DEEPEST_TREE`."""

    def __init__(self, span: Span) -> None:
        super().__init__()
        self.span = span


def build_rules(tree: Tree[Token], excerpt: Excerpt) -> ast.Rules:
    """Return the syntax tree of a whole text; raises `TooDeep`."""
    builder = _Builder(excerpt)
    built: dict[int, Any] = {}
    depth: dict[int, int] = {}
    for node in tree.iter_subtrees():
        below = [depth[id(c)] for c in node.children if isinstance(c, Tree)]
        depth[id(node)] = 1 + max(below, default=0)
        span = builder.span_of(node)
        if depth[id(node)] > DEEPEST_TREE:
            raise TooDeep(span)
        children = [built[id(c)] if isinstance(c, Tree) else c for c in node.children]
        built[id(node)] = getattr(builder, "on_" + str(node.data))(span, *children)
    items = built[id(tree)]
    assert isinstance(items, ast.Rules)
    return items


class _Builder:
    """One method per alternative of the grammar, named `on_` and its name."""

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

    # -------------------------------------------------------- declarations

    def on_start(self, _span: Span, *items: Any) -> ast.Rules:
        flat: list[Any] = []
        for item in items:
            if isinstance(item, tuple):
                flat += item
            elif not isinstance(item, Token):
                flat.append(item)

        def of(kind: type) -> tuple[Any, ...]:
            return tuple(i for i in flat if isinstance(i, kind))

        return ast.Rules(of(ast.Zone), of(ast.Variable), of(ast.Define), of(ast.Rule))

    def on_audience(self, _span: Span, token: Token) -> Audience:
        return Audience(str(token))

    def on_trait_pile(self, _span: Span) -> tuple[str, Any]:
        return "ordered", True

    def on_trait_capacity(self, _span: Span, value: Any) -> tuple[str, Any]:
        return "capacity", value

    def on_trait_content(self, _span: Span, value: Any) -> tuple[str, Any]:
        return "content", value

    def on_trait_audience(self, _span: Span, value: Audience) -> tuple[str, Any]:
        return "audience", value

    def on_zone(
        self, span: Span, replace: Token | None, name: Token, index: Token | None, *rest: Any
    ) -> ast.Zone:
        traits: dict[str, Any] = dict(t for t in rest if isinstance(t, tuple))
        return ast.Zone(
            span,
            self.word(name),
            self.word(index) if index else None,
            traits.get("ordered", False),
            traits.get("capacity"),
            traits.get("content"),
            traits.get("audience"),
            replace is not None,
        )

    def on_variable(
        self,
        span: Span,
        replace: Token | None,
        name: Token,
        index: Token | None,
        type_: ast.Type,
        initial: Any,
        audience: Audience | None,
        *_rest: Token,
    ) -> ast.Variable:
        who = audience or Audience.ALL
        at = self.word(index) if index else None
        return ast.Variable(span, self.word(name), at, type_, initial, who, "", replace is not None)

    def on_state(self, _span: Span, lifetime: Token, *rest: Any) -> tuple[ast.Variable, ...]:
        variables = [v for v in rest if isinstance(v, ast.Variable)]
        return tuple(replace(v, lifetime=str(lifetime)) for v in variables)

    def on_type_name(self, span: Span, name: Token) -> ast.TypeName:
        return ast.TypeName(span, str(name), False)

    def on_type_optional(self, span: Span, name: Token) -> ast.TypeName:
        return ast.TypeName(span, str(name), True)

    def on_type_range(self, span: Span, low: Any, high: Any) -> ast.TypeRange:
        return ast.TypeRange(span, low, high)

    def on_type_enum(self, span: Span, *names: Token) -> ast.TypeEnum:
        return ast.TypeEnum(span, tuple(self.word(n) for n in names))

    def on_params(self, _span: Span, *params: Any) -> tuple[ast.Param, ...]:
        return tuple(p for p in params if p is not None)

    def on_param(self, span: Span, name: Token, type_: Any) -> ast.Param:
        return ast.Param(span, self.word(name), type_)

    def on_define_expr(self, _span: Span, value: Any, *_rest: Any) -> Any:
        return value

    def on_define(self, span: Span, *parts: Any) -> ast.Define:
        return ast.Define(span, *self._signature(parts), parts[0] is not None)

    def on_rule(self, span: Span, *parts: Any) -> ast.Rule:
        how = str(parts[0]) if parts[0] else None
        piece = how if how in ("before", "after") else None
        return ast.Rule(span, *self._signature(parts), how == "replace", piece)

    def _signature(
        self, parts: tuple[Any, ...]
    ) -> tuple[ast.Word, tuple[ast.Param, ...], Any, str | None, str | None, Any]:
        _, name, params, result, help_, cites, *rest = parts
        body = next(b for b in rest if not isinstance(b, Token))
        return (
            self.word(name),
            params or (),
            result,
            str(help_)[1:-1] if help_ else None,
            str(cites)[1:-1].strip() if cites else None,
            body,
        )

    # -------------------------------------------------------- statements

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

    def on_roll(self, span: Span, low: Any, *rest: Any) -> ast.Roll:
        return ast.Roll(span, low, rest[-1])

    def on_random(self, span: Span, *parts: Any) -> ast.Random:
        return ast.Random(span, parts[-1])

    def on_chance(self, span: Span, part: Any, whole: Any) -> ast.Chance:
        return ast.Chance(span, part, whole)

    def on_else_(self, _span: Span, block: Any) -> tuple[str, Any]:
        return "else", block

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
        options = tuple(o for o in rest if isinstance(o, ast.Option))
        return ast.Ask(span, seat, self.quoted(decision), who or Audience.ALL, options)

    def on_word(self, _span: Span, token: Token) -> ast.Word:
        return self.quoted(token) if token.type == "STRING" else self.word(token)

    def on_binder(self, span: Span, *parts: Any) -> ast.Binder:
        words = tuple(self.quoted(p) for p in parts if isinstance(p, Token) and p.type == "STRING")
        items, last = (p for p in parts if not isinstance(p, Token))
        return ast.Binder(span, ast.Word(span, ""), items, last, words)

    def on_option(self, span: Span, *parts: Any) -> ast.Option:
        words = [p for p in parts if isinstance(p, ast.Word)]
        binders: list[ast.Binder] = []
        name: ast.Word | None = None
        rest: list[Any] = []
        openly = False
        for part in parts:
            if isinstance(part, ast.Word):
                continue
            if isinstance(part, Token) and part.type == "NAME":
                name = self.word(part)
            elif isinstance(part, ast.Binder):
                bound = name or words.pop()
                binders.append(ast.Binder(part.span, bound, part.items, part.last, part.words))
            elif isinstance(part, Token):
                openly = openly or part.type == "OPENLY"
            else:
                rest.append(part)
        # The first binder may be absent (a placeholder), then come condition and body.
        body = rest[-1] if rest and isinstance(rest[-1], ast.Block) else ast.Block(span, ())
        conditions = [p for p in rest if p is not None and not isinstance(p, ast.Block)]
        condition = conditions[0] if conditions else None
        return ast.Option(span, tuple(words), tuple(binders), condition, openly, body)

    # -------------------------------------------------------- expressions

    def on_choice(self, span: Span, yes: Any, test: Any, no: Any) -> ast.Choice:
        return ast.Choice(span, test, yes, no)

    def on_domain(self, span: Span, items: Any, *rest: Any) -> ast.Domain:
        parts = [p for p in rest if not (isinstance(p, Token) and p.type == "TO")]
        last, how, start, where = parts
        after = how is not None and how.type == "AFTER"
        return ast.Domain(span, items, last, start, after, where)

    def _quantifier(self, span: Span, parts: tuple[Any, ...]) -> ast.Quantifier:
        kind = parts[0]
        name = next(p for p in parts if isinstance(p, Token) and p.type == "NAME")
        domain = next(p for p in parts if isinstance(p, ast.Domain))
        value = next((p for p in parts[1:] if p not in (name, domain, None) and
                      not isinstance(p, Token)), None)  # fmt: skip
        return ast.Quantifier(span, str(kind), self.word(name), domain, value)

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

    def on_parenthesis(self, _span: Span, value: Any) -> Any:
        return value
