"""Builds the syntax tree of a strategy's script from Lark's parse tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark import Token

from trutdsl.source import Span
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script
from trutdsl.syntax.from_tree import TreeBuilder


class StrategyTreeBuilder(TreeBuilder):
    """One method per alternative of the grammar that only strategies have."""

    def on_strategy(self, span: Span, name: Token, *rest: Any) -> script.Strategy:
        base, help_, cites, meant, *others = rest
        parts: list[Any] = []
        for part in others:
            if not isinstance(part, Token):
                parts += part if isinstance(part, tuple) else [part]

        def of(kind: type) -> tuple[Any, ...]:
            return tuple(p for p in parts if isinstance(p, kind))

        return script.Strategy(
            span,
            self.word(name),
            base[0] if base else None,
            str(help_)[1:-1] if help_ else None,
            str(cites)[1:-1].strip() if cites else None,
            meant or (),
            of(script.Parameter),
            of(script.Memory),
            of(ast.Define),
            of(script.SubRule),
            of(script.On),
        )

    def on_extends(self, _span: Span, *refs: Token) -> tuple[ast.Word, ...]:
        return tuple(self.quoted(r) if r.type == "STRING" else self.word(r) for r in refs)

    def on_meant(self, span: Span, *refs: Token) -> tuple[ast.Word, ...]:
        return self.on_extends(span, *(r for r in refs if r.type != "FOR"))

    def on_parameter(
        self, span: Span, replaced: Token | None, name: Token, *rest: Any
    ) -> script.Parameter:
        type_, default, help_ = (
            r for r in rest if not (isinstance(r, Token) and r.type in ("EQUALS", "_NL"))
        )
        text = str(help_)[1:-1] if help_ else None
        return script.Parameter(span, self.word(name), type_, default, text, replaced is not None)

    def on_memory(self, _span: Span, lifetime: Token, *rest: Any) -> tuple[script.Memory, ...]:
        found = [one for one in rest if isinstance(one, script.Memory)]
        return tuple(replace(one, lifetime=str(lifetime)) for one in found)

    def on_remembered(
        self, span: Span, replaced: Token | None, name: Token, *rest: Any
    ) -> script.Memory:
        type_, *initial = (r for r in rest if r is not None and not isinstance(r, Token))
        value = initial[0] if initial else None
        return script.Memory(span, self.word(name), type_, value, "", replaced is not None)

    def on_sub_rule(
        self, span: Span, replaced: Token | None, name: Token, *rest: Any
    ) -> script.SubRule:
        params, help_, body = (r for r in rest if not (isinstance(r, Token) and r.type == "_NL"))
        text = str(help_)[1:-1] if help_ else None
        return script.SubRule(span, self.word(name), params or (), text, body, replaced is not None)

    def on_on(self, span: Span, *parts: Any) -> script.On:
        words = tuple(self.word(p) for p in parts if isinstance(p, Token) and p.type == "NAME")
        return script.On(span, words, parts[-1])

    def on_otherwise(self, span: Span, *parts: Any) -> script.On:
        return script.On(span, (), parts[-1])

    # -------------------------------------------------------- clauses

    def on_choices(self, span: Span, *choices: Any) -> script.Choices:
        return script.Choices(span, tuple(c for c in choices if not isinstance(c, Token)))

    def on_step(self, _span: Span, step: Any, *_rest: Any) -> Any:
        return step

    def on_set_memory(self, span: Span, name: Token, op: Token, value: Any) -> ast.Assign:
        target = ast.Name(self.word(name).span, str(name))
        return ast.Assign(span, target, str(op), value)

    def on_else_choices(self, _span: Span, body: Any) -> tuple[str, Any]:
        return "else", body

    def on_if_choice(self, span: Span, *parts: Any) -> script.IfChoice:
        *pairs, last = (p for p in parts if not isinstance(p, Token))
        branches = tuple(zip(pairs[0::2], pairs[1::2], strict=True))
        return script.IfChoice(span, branches, last[1] if last else None)

    def on_for_choice(self, span: Span, name: Token, *rest: Any) -> script.ForChoice:
        domain, body = (p for p in rest if not isinstance(p, Token))
        return script.ForChoice(span, self.word(name), domain, body)

    def on_clause(self, span: Span, *parts: Any) -> script.Clause:
        words = tuple(p for p in parts if isinstance(p, ast.Word))
        tails: dict[str, Any] = dict(p for p in parts if isinstance(p, tuple))
        body = next((p for p in parts if isinstance(p, ast.Block)), ast.Block(span, ()))
        first = self.word(parts[0]) if isinstance(parts[0], Token) else words[0]
        head = first.span.to(words[-1].span) if words else first.span
        order, key = tails.get("key", (None, None))
        return script.Clause(
            head, words, tails.get("where"), order, key, tails.get("when"), tails.get("odds"), body
        )

    on_any_clause = on_clause

    def on_where(self, _span: Span, *parts: Any) -> tuple[str, Any]:
        return "where", parts[-1]

    def on_key(self, _span: Span, *parts: Any) -> tuple[str, Any]:
        if parts[0].type == "AT_RANDOM":
            return "key", ("random", None)
        return "key", (str(parts[0]), parts[-1])

    def on_when(self, _span: Span, *parts: Any) -> tuple[str, Any]:
        return "when", parts[-1]

    def on_odds(self, _span: Span, *parts: Any) -> tuple[str, Any]:
        return "odds", parts[-1]
