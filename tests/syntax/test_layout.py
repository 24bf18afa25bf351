"""Lines, indentation and comments of rules, and the places where keywords are allowed."""

from __future__ import annotations

from dataclasses import fields

import pytest

from trutdsl.diagnostics import Excerpt, Rejected, Source
from trutdsl.syntax import ast
from trutdsl.syntax.parse import parse_rules


def parse(text, indent=0, line=1):
    """Parse rules that start in a file at this line, with this indentation."""
    shifted = "\n" * (line - 1) + "\n".join(" " * indent + part for part in text.split("\n"))
    return parse_rules(Excerpt(Source("x", shifted), text, line, indent))


def rejection(text):
    with pytest.raises(Rejected) as caught:
        parse(text)
    (found,) = caught.value.diagnostics
    return found.span.line, found.span.col, found.code, found.message


def shape_of(node):
    """Return a node without positions, as nested tuples."""
    if isinstance(node, ast.Node):
        kept = [getattr(node, f.name) for f in fields(node) if f.name != "span"]
        return (type(node).__name__, *map(shape_of, kept))
    return tuple(map(shape_of, node)) if isinstance(node, tuple) else node


def assert_same_nodes(*texts):
    shapes = [[shape_of(r) for r in parse(text).rules] for text in texts]
    assert all(found == shapes[0] for found in shapes)


def test_a_value_continues_after_its_else():
    one = "rule match:\n    let x = 1 if yes else 2\n    next\n"
    after = "rule match:\n    let x = 1 if yes else\n        2\n    next\n"
    before = "rule match:\n    let x = 1 if yes\n        else 2\n    next\n"
    assert_same_nodes(one, after, before)
    assert rejection("rule match:\n    if yes:\n        stop\n    else\n        next\n")[:2] == (
        4,
        9,
    )
    assert rejection("rule match:\n    let x = 1 if yes else\n    next\n")[:2] == (2, 26)


RULE = "rule match:\n    if yes:\n        stop\n    next\n"


@pytest.mark.parametrize("text", {
    "two spaces": "rule match:\n  if yes:\n    stop\n  next\n",
    "each block as deep as it likes": "rule match:\n   if yes:\n     stop\n   next\n",
    "a block on its line": "rule match:\n    if yes: stop\n    next\n",
    "blank lines": "\n\nrule match:\n\n    if yes:\n\n\n        stop\n\n    next\n\n\n",
    "lines of spaces": "   \nrule match:\n  \n    if yes:\n            \n        stop\n    next\n",
    "comments": "# a\nrule match:  # b\n# c\n    if yes: # d\n          # e\n        stop#f\n #g\n"
    "    next\n    # h",
    "no last line end": RULE.rstrip(),
    "spaces at line ends": RULE.replace("\n", "   \n"),
    "spaces between words": "rule   match :\n    if   yes :\n        stop\n    next\n",
    "line ends of another system": RULE.replace("\n", "\r\n"),
}.items(), ids=lambda item: item[0])  # fmt: skip
def test_different_layouts_have_the_same_nodes(text):
    assert_same_nodes(RULE, text[1])


SUM = "rule match:\n    let x = 1 + 2 * size({dealer, on_lead})\n    stop\n"


@pytest.mark.parametrize("text", [
    "rule match:\n    let x = (1\n+ 2 *\n                size({dealer,\n  on_lead}))\n    stop\n",
    "rule match:\n    let x = 1 +\n        2 *\n        size({dealer, on_lead})\n    stop\n",
    "rule match:\n    let x =\n      1 + 2 * size({dealer, # one\n\n  # 2\non_lead})\n    stop\n",
])  # fmt: skip
def test_brackets_and_unfinished_lines_join_lines(text):
    assert_same_nodes(SUM, text)


def test_an_unfinished_line_does_not_include_the_next_statement():
    assert rejection("rule match:\n    let x = 1 +\n    stop\n")[:3] == (2, 16, "syntax")


@pytest.mark.parametrize(("text", "place", "code"), [
    ("rule match:\n\tstop", (2, 1), "tab"),
    ("rule match:\n    if yes:\n    \tstop", (3, 5), "tab"),
    ("rule match:\n    if yes:\n        stop\n      next", (4, 7), "indentation"),
    ("rule match:\n    stop\n  next", (3, 3), "indentation"),
    ("rule match:\n    stop\n        next", (3, 9), "syntax"),
    ("rule match:\nstop", (2, 1), "syntax"),
    ("rule match:", (1, 12), "syntax"),
    ("rule match:\n    if yes:\n", (2, 12), "syntax"),
    ('rule match:\n    ask dealer "a":\n        b:', (3, 11), "syntax"),
    ('rule match:\n    ask dealer "a":\n        b:\n\n', (3, 11), "syntax"),
    ("rule match:\n    for x in seats:\n        if yes:", (3, 16), "syntax"),
    ("define a:\n", (1, 10), "syntax"),
    ("rule match:\n    if (yes:\n        stop\n", (2, 12), "syntax"),
    ("rule match:\n    let x = (1 + 2\n    stop\n", (3, 5), "syntax"),
    ('rule match:\n    ask dealer "a:\n', (2, 16), "syntax"),
    ("rule\u00a0match: stop", (1, 5), "syntax"),
    ("rule match:\n    let x = 1 2\n", (2, 15), "syntax"),
    ("orrule match:\n    stop\n", (1, 1), "syntax"),
    ("rule match:\n    if yes orno: stop\n", (2, 12), "syntax"),
])  # fmt: skip
def test_a_mistake_has_a_position_and_a_code(text, place, code):
    line, col, found, _ = rejection(text)
    assert ((line, col), found) == (place, code)


def options_of(text):
    (rule,) = parse('rule match:\n    ask dealer "say":\n' + text).rules
    return [tuple(w.text for w in option.words) for option in rule.body.statements[0].options]


WORDS = """
play pass all deal trick match rule zone define end move draw swap shuffle stop next again let do if
for repeat ask return reveal setup base none yes no count first any every not in times state because
won by tied over up pile cards owner team nobody one of out
"""


@pytest.mark.parametrize("body", ["", ": stop", ":\n            stop"])
def test_any_keyword_can_be_an_option(body):
    lines = "".join(f"        {word}{body}\n" for word in WORDS.split())
    assert options_of(lines) == [(word,) for word in WORDS.split()]


def test_most_keywords_can_be_the_second_word_of_an_option():
    free = [w for w in WORDS.split() if w not in ("when", "from")]
    assert options_of("".join(f"        say {w}\n" for w in free)) == [("say", w) for w in free]


def test_numbers_and_texts_can_be_words_of_an_option():
    assert options_of('        take 2\n        "When the moon" rises\n') == [
        ("take", "2"),
        ("When the moon", "rises"),
    ]


def test_keywords_can_be_named_values():
    (variable,) = parse("match state:\n    mood: one of all | none | first | trick\n").variables
    assert [w.text for w in variable.type.values] == ["all", "none", "first", "trick"]


def test_positions_are_those_in_the_file():
    for indent, line in [(0, 1), (2, 7), (5, 100)]:
        (rule,) = parse(RULE, indent, line).rules
        assert (rule.name.span.line, rule.name.span.col) == (line, 6 + indent)
        inner = rule.body.statements[0].branches[0][1].statements[0]
        assert (inner.span.line, inner.span.col) == (line + 2, 9 + indent)
        assert (inner.span.end_line, inner.span.end_col) == (line + 2, 13 + indent)


def test_rules_may_be_empty():
    for text in ["", "\n", "   ", "# nothing", "\n# nothing\n\n"]:
        assert parse(text) == ast.Rules((), (), (), (), (), ())
