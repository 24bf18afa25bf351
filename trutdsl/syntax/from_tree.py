"""Builds the syntax tree from Lark's parse tree, bottom up and without recursion."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from lark import Token, Tree

from trutdsl.diagnostics import Span
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script
from trutdsl.syntax.from_rules_tree import INLINE, NODES, RulesTreeBuilder, text_of

DEEPEST_TREE = 120
KINDS = {
    **NODES,
    "after_deal": script.AfterDeal,
    "choices": script.Choices,
    "for_choice": script.ForChoice,
    "lookup": script.TableDeclaration,
    "mix": script.Mix,
    "parameter": script.ParameterDeclaration,
    "remembered": script.MemoryDeclaration,
    "share": script.MixPart,
    "sub_rule": script.SubRule,
}
# Alternatives that are a part, with this name, of the node around them.
PARTS = {
    "trait_pile": "ordered",
    "trait_capacity": "capacity",
    "trait_content": "content",
    "trait_audience": "audience",
    "where": "where",
    "when": "when",
}


class TooDeep(Exception):  # noqa: N818 - it is an outcome, not a fault
    """An expression nested deeper than `DEEPEST_TREE`."""

    def __init__(self, span: Span) -> None:
        super().__init__()
        self.span = span


def build_tree(tree: Tree[Token], builder: TreeBuilder) -> Any:
    """Return the syntax tree of a whole text; raises `TooDeep`."""
    results: dict[int, Any] = {}
    depth: dict[int, int] = {}
    for node in tree.iter_subtrees():
        depths = [depth[id(c)] for c in node.children if isinstance(c, Tree)]
        depth[id(node)] = 1 + max(depths, default=0)
        span = builder.span_of(node)
        if depth[id(node)] > DEEPEST_TREE:
            raise TooDeep(span)
        children = [results[id(c)] if isinstance(c, Tree) else c for c in node.children]
        name = str(node.data)
        if name in KINDS:
            results[id(node)] = builder.node(KINDS[name], span, children)
        elif name in INLINE:
            (results[id(node)],) = children
        elif name in PARTS:
            results[id(node)] = PARTS[name], children[-1] if children else True
        else:
            results[id(node)] = getattr(builder, "on_" + name)(span, *children)
    return results[id(tree)]


class TreeBuilder(RulesTreeBuilder):
    """Has a method `on_NAME` for each other alternative of the grammar."""

    def on_start(self, _span: Span, *items: Any) -> ast.Rules:
        kinds = ast.Zone, ast.Variable, ast.Define, ast.Rule, ast.Group, ast.Addition
        return ast.Rules(*_by_kind(items, *kinds, ast.NamedType))

    on_vocabulary = on_start

    def on_audience(self, _span: Span, token: Token) -> ast.Audience:
        return ast.Audience(str(token))

    def on_zone(
        self, span: Span, mark: Token | None, name: Token, index: Token | None, *rest: Any
    ) -> ast.Zone:
        traits: dict[str, Any] = dict(t for t in rest if isinstance(t, tuple))
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
