"""Nodes of YAML: their texts and positions, and functions that read typed values."""

from __future__ import annotations

import pickle

import pytest

from trutdsl.diagnostics import Collector, Source
from trutdsl.variant import Scalar, Sequence, YamlMapping
from trutdsl.variant.compose_yaml import read_document, read_documents
from trutdsl.variant.manifest import excerpt_of
from trutdsl.variant.read_values import read_boolean, read_integer, read_line, read_name, read_text


def place_of(node):
    return node.span.line, node.span.col, node.span.end_line, node.span.end_col


def test_every_node_has_its_position(document):
    root = document("# first\na: 'x y'\nbé: [1, {c: d}]\n")
    (a, x), (b, items) = root.entries
    assert [place_of(node) for node in (root, a, x, b, items)] == [
        (2, 1, 4, 1),
        (2, 1, 2, 2),
        (2, 4, 2, 9),
        (3, 1, 3, 3),
        (3, 5, 3, 16),
    ]
    one, inner = items.items
    assert (place_of(one), place_of(inner)) == ((3, 6, 3, 7), (3, 9, 3, 15))
    assert (x.text, x.style, one.text, one.style) == ("x y", "quoted", "1", "plain")


def test_scalars_keep_their_text(document):
    texts = ["on", "7", "012", "1_000", "0x1F", "1e3", "null", "~", "2001-01-01", "1:30", ".5"]
    root = document("[" + ", ".join(texts) + "]")
    assert [item.text for item in root.items] == texts


def test_scalars_have_a_style(document):
    root = document("- a\n- 'a'\n- \"a\"\n- |\n  a\n- >\n  a\n")
    styles = [item.style for item in root.items]
    assert styles == ["plain", "quoted", "quoted", "literal", "folded"]


def test_an_alias_is_the_node_of_its_anchor(document):
    root = document("- &a [x]\n- *a\n")
    assert root.items[0] is root.items[1]


def test_each_document_has_its_own_anchors():
    found = read_documents(Source("x", "a: &t 1\n---\nb: &t 2\n...\n---\n[c]\n"))
    assert [type(node) for node in found] == [YamlMapping, YamlMapping, Sequence]


def test_an_empty_document_among_others_is_refused(refusal):
    assert refusal(read_documents, Source("x", "a: 1\n---\n---\nb: 2\n")) == (
        "x:2:1: error: found nothing, expected 'key: value' lines [empty-file]\n"
        "    2 | ---\n"
        "      | ^^^"
    )


@pytest.mark.parametrize("end", ["---\n", "---\n# no more\n", "...\n---\n...\n"])
def test_behind_the_last_document_may_be_another_separator(end):
    assert len(read_documents(Source("x", f"a: 1\n---\nb: 2\n{end}"))) == 2


def test_nodes_can_be_pickled(document):
    root = document("a: [1, 2]\n")
    again = pickle.loads(pickle.dumps(root))
    assert again.entries[0][1].items[1].text == "2"
    assert str(again.entries[0][1].span) == "x.yaml:1:4"


BLOCKS = {
    "two spaces": ("rules: |\n  one\n    two\n", 2, 2, "one\n  two\n"),
    "blank lines first": ("rules: |\n\n\n    one\n", 2, 4, "\n\none\n"),
    "a comment behind": ("rules: |  # these\n   one\n", 2, 3, "one\n"),
    "an indicator": ("rules: |2\n      one\n  two\n", 2, 2, "    one\ntwo\n"),
    "no end": ("rules: |-\n  one", 2, 2, "one"),
    "all ends": ("rules: |+\n  one\n\n", 2, 2, "one\n\n"),
    "in a list": ("- - |\n     one\n", 2, 5, "one\n"),
    "a flush line later": ("a: 1\nrules: |\n  one\n\n  two\nb: 2\n", 3, 2, "one\n\ntwo\n"),
    "key on its own line": ("rules:\n  |\n  one\n", 3, 2, "one\n"),
    "blank line with spaces": ("rules: |\n  \n    one\n", 2, 4, "\none\n"),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_positions_in_a_block_are_those_in_the_file(name, document):
    text, line, indent, content = BLOCKS[name]
    node = document(text)
    while not (isinstance(node, Scalar) and node.style == "literal"):
        node = (
            node.items[0]
            if isinstance(node, Sequence)
            else next(v for k, v in node.entries if k.text == "rules")
        )
    block = excerpt_of(node)
    assert (block.line, block.indent, block.text) == (line, indent, content)
    for number, text_of_line in enumerate(block.text.split("\n"), 1):
        for column, sign in enumerate(text_of_line, 1):
            span = block.span(number, column, number, column + 1)
            assert node.span.source.line(span.line)[span.col - 1] == sign


@pytest.mark.parametrize(
    ("text", "value"), [("0", 0), ("7", 7), ("-3", -3), ("999999999", 999_999_999)]
)
def test_whole_numbers_are_read(text, value, document):
    assert read_integer(document(text), "it", Collector()) == value


@pytest.mark.parametrize(
    ("text", "help_text"),
    [
        ("012", "write it in plain digits, such as 12"),
        ("1_000", "write it in plain digits, such as 12"),
        ("0x1F", "write it in plain digits, such as 12"),
        ("1e3", "write it in plain digits, such as 12"),
        ("1.0", "write it in plain digits, such as 12"),
        ("+1", "write it in plain digits, such as 12"),
        ("-0", "write it in plain digits, such as 12"),
        ("٣", None),
        ("9" * 10_000, None),
        ("'7'", "write it without quotes"),
        ("seven", None),
        ("[7]", "write `7`"),
    ],
)
def test_other_texts_are_no_whole_numbers(text, help_text, document):
    errors = Collector()
    assert read_integer(document(text), "it", errors) is None
    (found,) = errors.diagnostics
    assert found.message.startswith("it must be a whole number, found ")
    assert (found.code, found.help) == ("wrong-type", help_text)


def test_a_whole_number_has_bounds(document):
    errors = Collector()
    assert read_integer(document("1"), "it", errors, 1, 9) == 1
    assert read_integer(document("9"), "it", errors, 1, 9) == 9
    assert read_integer(document("0"), "it", errors, 1, 9) is None
    assert read_integer(document("10"), "it", errors, 1, 9) is None
    assert read_integer(document("1000000001"), "it", errors) is None
    assert [found.message for found in errors.diagnostics] == [
        "it must be a whole number from 1 to 9, found 0",
        "it must be a whole number from 1 to 9, found 10",
        "it must be a whole number from -1000000000 to 1000000000, found 1000000001",
    ]


def test_booleans_are_read(document):
    words = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
    for word, value in words.items():
        assert read_boolean(document(word), "it", Collector()) is value


@pytest.mark.parametrize("text", ["True", "'on'", "ON", "1", "y", "[on]"])
def test_other_texts_are_no_booleans(text, document):
    errors = Collector()
    assert read_boolean(document(text), "it", errors) is None
    (found,) = errors.diagnostics
    assert found.message.startswith("it must be true or false, found ")


def test_texts_of_one_line_and_of_several_lines(document):
    assert read_line(document("on"), "it", Collector()) == "on"
    assert read_line(document("|\n  one\n"), "it", Collector()) == "one"
    assert read_text(document("|\n  one\n  two\n"), "it", Collector()) == "one\ntwo"
    for text in ("''", "[a]", "|\n  one\n  two\n"):
        errors = Collector()
        assert read_line(document(text), "it", errors) is None
        assert len(errors.diagnostics) == 1


def test_a_name_has_at_most_forty_letters(document):
    assert read_name(document("a" * 40), "it", Collector()) is not None
    errors = Collector()
    assert read_name(document("a" * 41), "it", errors) is None
    assert errors.diagnostics[0].code == "bad-name"


def test_several_mistakes_are_reported_together(refusal):
    shown = refusal(read_document, Source("x", "a: !t 1\na: 2\n<<: 3\n"))
    assert [line.split(": error")[0] for line in shown.split("\n") if "error" in line] == [
        "x:1:4",
        "x:2:1",
        "x:3:1",
    ]
