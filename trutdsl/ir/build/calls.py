"""Calls of functions: of `define`s, of what is built in, and of what is printed on cards."""

from __future__ import annotations

from trutdsl.diagnostics import Note
from trutdsl.ir import builtins, nodes
from trutdsl.ir.build.partners import build_partners
from trutdsl.ir.build.scope import Head
from trutdsl.ir.build.values import ValueBuilder
from trutdsl.ir.intervals import extreme
from trutdsl.ir.types import (
    CARD,
    UNKNOWN,
    SetOf,
    Unknown,
    described,
)
from trutdsl.source import Span
from trutdsl.syntax import ast


class CallBuilder(ValueBuilder):
    """Builds calls in the expressions of one rule or function."""

    def _call(self, node: ast.Call) -> nodes.Expression:
        name, span = node.name.text, node.span
        if name == "openly" and len(node.args) == 1:
            if self.pure:
                self.errors.error(
                    "misplaced",
                    "`openly` stands in what is worked out and shows nothing; only rules do",
                    span,
                    help="write it in the rule that makes this known, around what is worked out",
                )
            value = self.build(node.args[0])
            return nodes.Builtin(span, value.type, "openly", (value,))
        if name in self.names.functions:
            head = self.head(name)
            args = self.arguments(head, node.args, span)
            return nodes.Call(span, head.result or UNKNOWN, name, args)
        if name in self.names.pack.values:
            if len(node.args) != 1:
                self.errors.error("type", f"'{name}' is read off one card", span)
                return nodes.Const(span, UNKNOWN, 0)
            card = self.typed(node.args[0], CARD, f"what '{name}' is read off")
            return nodes.CardValue(span, builtins.PRINTED, name, card)
        if name in builtins.FUNCTIONS:
            return self._builtin(name, node)
        if name in builtins.PARTNERS:
            return build_partners(self, node, name)
        if name in self.names.rules:
            self.errors.error(
                "type",
                f"'{name}' is a rule; a rule is done by a sentence of its own",
                node.name.span,
                help=f"write `do {name}(...)`, or `let x = do {name}(...)` for what it returns",
            )
        else:
            known = [*self.names.functions, *builtins.FUNCTIONS, *builtins.PARTNERS]
            known += self.names.pack.values
            self.names.unknown("function", name, node.name.span, known)
        for arg in node.args:
            self.build(arg)
        return nodes.Const(span, UNKNOWN, 0)

    def _base(self, node: ast.Base) -> nodes.Expression:
        replaced = self.replaced
        if replaced is None:
            self.errors.error(
                "unknown-name",
                "there is nothing here that `base` could stand for",
                node.span,
                help="in a rule write `do base`; in a `define` it needs `replace define`",
            )
            return nodes.Const(node.span, UNKNOWN, 0)
        args: tuple[nodes.Expression, ...] = self.params
        if node.args is not None:
            head = Head("define", "base", replaced.params, replaced.result, node.span)
            args = self.arguments(head, node.args, node.span)
        return nodes.Call(node.span, replaced.result, replaced.name, args)

    def _builtin(self, name: str, node: ast.Call) -> nodes.Expression:
        signature = builtins.FUNCTIONS[name]
        if len(node.args) != len(signature.params):
            self.arity(name, signature.params, len(node.args), node.span)
            return nodes.Const(node.span, UNKNOWN, 0)
        args: list[nodes.Expression] = []
        for wanted, arg in zip(signature.params, node.args, strict=True):
            if wanted is None:
                value = self.build(arg)
                if not isinstance(value.type, SetOf | Unknown):
                    self.errors.error(
                        "type",
                        f"'{name}' is asked of a set or zone, not {described(value.type)}",
                        arg.span,
                    )
                args.append(value)
            else:
                args.append(self.typed(arg, wanted, f"what '{name}' is asked of"))
        result = signature.result
        if name in ("top", "bottom") and not isinstance(args[0], nodes.ZoneCards):
            self.errors.error(
                "type",
                f"only a zone has a {name} card, not {described(args[0].type)}",
                node.span,
                help="write `first c in ...` for the first in the order of the pack",
            )
        if name in ("min", "max"):
            result = extreme(name, args[0].type, args[1].type)
        return nodes.Builtin(node.span, result, name, tuple(args))

    def arguments(
        self, head: Head, args: tuple[ast.Expr, ...], span: Span
    ) -> tuple[nodes.Expression, ...]:
        """Return the arguments of a rule or function, checked against its parameters."""
        if len(args) != len(head.params):
            where = [] if head.span == span else [Note("it stands here", head.span)]
            self.arity(head.name, head.params, len(args), span, *where)
        what = f"this argument of '{head.name}'"
        wanted = [*head.params, *[UNKNOWN] * len(args)]
        return tuple(
            self.converted(self.build(a, t), t, what) for a, t in zip(args, wanted, strict=False)
        )
