"""The spans of nodes in the shipped files are the positions of their texts."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from trutdsl.syntax import ast
from trutdsl.variant import load_file

VARIANTS = Path(__file__).parent.parent.parent / "variants"
FILES = sorted(path.relative_to(VARIANTS).as_posix() for path in VARIANTS.glob("**/*.yaml"))


def nodes_of(node):
    if isinstance(node, tuple):
        for part in node:
            yield from nodes_of(part)
    elif isinstance(node, ast.Node):
        yield node
        for field in fields(node):
            yield from nodes_of(getattr(node, field.name))
    elif isinstance(node, ast.Rules):
        for field in fields(node):
            yield from nodes_of(getattr(node, field.name))


def text_of(span):
    lines = span.source.lines[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_col - 1]
    lines[0] = lines[0][span.col - 1 :]
    return "\n".join(lines)


@pytest.fixture(params=FILES)
def all_nodes(request):
    return list(nodes_of(load_file(VARIANTS / request.param)[1]))


def test_every_span_covers_text_without_leading_gaps(all_nodes):
    for node in all_nodes:
        text = text_of(node.span)
        assert text.strip(), node
        assert not text.startswith((" ", "#", ",", ")", "]")), text
        assert (node.span.line, node.span.col) < (node.span.end_line, node.span.end_col)


def test_the_span_of_a_small_node_is_exactly_its_text(all_nodes):
    for node in all_nodes:
        text = text_of(node.span)
        match node:
            case ast.Name(_, name):
                assert text == name
            case ast.Word(_, word):
                assert text in (word, f'"{word}"')
            case ast.Number(_, value):
                assert text == str(value)
            case ast.Text(_, value):
                assert text == f'"{value}"'
            case ast.YesNo(_, value):
                assert text == ("yes" if value else "no")
            case ast.Call(_, name):
                assert text.startswith(name.text + "(")
                assert text.endswith(")")
            case ast.Index(_, name):
                assert text.startswith(name.text + "[")
                assert text.endswith("]")
            case ast.Ask():
                assert text.startswith("ask ")
            case ast.For():
                assert text.startswith("for ")
            case ast.If():
                assert text.startswith("if ")
            case ast.Let():
                assert text.startswith("let ")
            case ast.Do():
                assert text.startswith("do ")
            case ast.Rule():
                assert text.startswith(("rule ", "replace rule ", "before rule ", "after rule "))


def texts_of(file, kind):
    nodes = nodes_of(load_file(VARIANTS / file)[1])
    return [text_of(node.span) for node in nodes if isinstance(node, kind)]


def test_some_nodes_of_trut():
    conditions = texts_of("trut.yaml", ast.Choice)
    assert "dealer if leader == dealer else next_seat(dealer)" in conditions
    assert "end match won by side" in texts_of("trut.yaml", ast.EndMatch)
    assert "end deal because void" in texts_of("trut.yaml", ast.EndDeal)
    assert "petits[side] -= 3 * amount" in texts_of("trut.yaml", ast.Assign)
    assert "play card from hand[player] when may_play(player, card): do lay(player, card)" in [
        text.strip() for text in texts_of("trut.yaml", ast.Option)
    ]
    assert "zone hand[seat]: seen by owner" in [
        text.strip() for text in texts_of("lib/dealing.yaml", ast.Zone)
    ]
