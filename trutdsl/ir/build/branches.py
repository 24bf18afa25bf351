"""Gives `if` its meaning, also where it asks whether there is one: `if let x = VALUE`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from trutdsl.ir import nodes
from trutdsl.ir.build.body import BodyBuilder
from trutdsl.ir.build.sources import build_source
from trutdsl.ir.types import NOBODY, UNKNOWN, YES_NO, Element, Unknown, described
from trutdsl.syntax import ast

Branches = Sequence[tuple[ast.Expr | ast.Given, ast.Block]]


def build_if(body: BodyBuilder, node: ast.If) -> Iterator[nodes.Statement]:
    """Yield the sentences of an `if`; a value that may be none is named before it is asked."""
    return _branches(body, node, node.branches)


def _branches(body: BodyBuilder, node: ast.If, branches: Branches) -> Iterator[nodes.Statement]:
    """Yield the sentences of some branches, and of what is done if none of them applies."""
    plain: list[tuple[nodes.Expression, nodes.Block]] = []
    for number, (condition, block) in enumerate(branches):
        if isinstance(condition, ast.Given):
            given = _given(body, node, condition, block, branches[number + 1 :])
            if plain:
                yield nodes.If(node.span, tuple(plain), nodes.Block(node.span, tuple(given)))
            else:
                yield from given
            return
        plain.append((body.values.yes_no(condition), body.block(block)))
    if plain:
        yield nodes.If(node.span, tuple(plain), _otherwise(body, node))
    elif node.otherwise is not None:
        yield from body.block(node.otherwise).statements


def _otherwise(body: BodyBuilder, node: ast.If) -> nodes.Block:
    return body.block(node.otherwise) if node.otherwise else nodes.Block(node.span, ())


def _given(
    body: BodyBuilder, node: ast.If, given: ast.Given, block: ast.Block, others: Branches
) -> Iterator[nodes.Statement]:
    """Yield a value under a name that nobody can write, and what is done if there is one or not."""
    value, test, name = open_given(body, given)
    yield value
    outer = body.frame.inner()
    named = name()
    done = body.block(block)
    body.frame.leave(outer)
    inner = nodes.Block(done.span, (named, *done.statements))
    last = nodes.Block(node.span, tuple(_branches(body, node, others)))
    yield nodes.If(node.span, ((test, inner),), last)


def open_given(
    body: BodyBuilder, given: ast.Given
) -> tuple[nodes.Let, nodes.Expression, Callable[[], nodes.Let]]:
    """Return the value of `let x = VALUE` under a hidden name, whether it is there, and `x`.

    `x` is bound when it is asked for, in the frame of that moment: in the block behind the `if`.
    """
    value = build_source(body, given.value, None)
    kind = value.type
    if not isinstance(kind, Unknown) and not (isinstance(kind, Element) and kind.optional):
        body.errors.error(
            "type",
            f"`if let` asks whether there is one, and this is always {described(kind)}",
            given.value.span,
            help=f"write `let {given.name.text} = ...` on a line of its own",
        )
        kind = UNKNOWN
    slot = body.frame.slot()
    found = nodes.Local(given.value.span, kind, slot, given.name.text)
    nobody = nodes.Const(given.span, NOBODY, None)
    test = nodes.Compare(given.span, YES_NO, "!=", found, nobody)

    def name() -> nodes.Let:
        there = Element(kind.kind) if isinstance(kind, Element) else UNKNOWN
        one = nodes.Unwrap(given.value.span, there, found)
        return nodes.Let(given.span, body.frame.bind(given.name, there), one)

    return nodes.Let(given.span, slot, value), test, name
