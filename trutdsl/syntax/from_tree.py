"""Builds the syntax tree from Lark's parse tree, bottom up and without recursion."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lark import Token, Tree

from trutdsl.diagnostics import Excerpt, Span
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script

DEEPEST_TREE = 120
# Alternatives of the grammar whose children are the fields of a node, in their order.
NODES: dict[str, type[ast.Node]] = {
    "addition": ast.Addition,
    "after_deal": script.AfterDeal,
    "again": ast.Again,
    "ask": ast.Ask,
    "assign": ast.Assign,
    "base_with": ast.Base,
    "block": ast.Block,
    "call": ast.Call,
    "chance": ast.Chance,
    "choices": script.Choices,
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
    "for_choice": script.ForChoice,
    "given": ast.Given,
    "group": ast.Group,
    "hands": ast.Hands,
    "index": ast.Index,
    "let": ast.Let,
    "look": ast.Look,
    "lookup": script.TableDeclaration,
    "mix": script.Mix,
    "name": ast.Name,
    "named_type": ast.NamedType,
    "negate": ast.Negate,
    "next_": ast.Next,
    "none": ast.Nothing,
    "not_": ast.Not,
    "param": ast.Param,
    "parameter": script.ParameterDeclaration,
    "random": ast.Random,
    "remembered": script.MemoryDeclaration,
    "return_": ast.Return,
    "reveal": ast.Reveal,
    "roll": ast.Roll,
    "set_of": ast.SetOf,
    "setup": ast.Setup,
    "share": script.MixPart,
    "shuffle": ast.Shuffle,
    "stop": ast.Stop,
    "sub_rule": script.SubRule,
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
# Alternatives that are a part, with this name, of the node around them.
PARTS = {
    "trait_pile": "ordered",
    "trait_capacity": "capacity",
    "trait_content": "content",
    "trait_audience": "audience",
    "where": "where",
    "when": "when",
}


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


class TooDeep(Exception):  # noqa: N818 - it is an outcome, not a fault
    """An expression nested deeper than `DEEPEST_TREE`."""

    def __init__(self, span: Span) -> None:
        super().__init__()
        self.span = span


def build_tree(tree: Tree[Token], builder: NodeBuilder) -> Any:
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
        if name in NODES:
            results[id(node)] = builder.node(NODES[name], span, children)
        elif name in INLINE:
            (results[id(node)],) = children
        elif name in PARTS:
            results[id(node)] = PARTS[name], children[-1] if children else True
        else:
            results[id(node)] = getattr(builder, "on_" + name)(span, *children)
    return results[id(tree)]


class NodeBuilder:
    """Builds the nodes of `NODES`; a derived class has a method `on_NAME` for each other one."""

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
