"""Blanks that only look like spaces, as phones and word processors write them, in YAML files."""

import pytest

from trutdsl.diagnostics import Source
from trutdsl.variant.compose_yaml import read_document

SPACE = "  help: write a plain space; this only looks like one"
UNSEEN = "  help: remove it; nobody sees it"
PLACES = {
    "behind the only key": ("variant:\u00a0house", "1:9", "00A0", SPACE),
    "behind a key": ("variant:\u00a0house\ntitle: House\n", "1:9", "00A0", SPACE),
    "behind each key": ("variant:\u202fhouse\ntitle:\u202fHouse\n", "1:9", "202F", SPACE),
    "before a colon": ("variant\u00a0: house\n", "1:8", "00A0", SPACE),
    "in the indentation": ("set:\n\u00a0\u00a0goal: 5\n", "2:1", "00A0", SPACE),
    "before a list": ("set:\n \u00a0- a\n \u00a0- b\n", "2:2", "00A0", SPACE),
    "behind a dash": ("set:\n  -\u00a0a\n  -\u00a0b\n", "2:4", "00A0", SPACE),
    "in a list of entries": ("hands:\n  - 0:\u00a07c\n  - 1:\u00a08c\n", "2:7", "00A0", SPACE),
    "in braces": ("set: {goal: \u00a05}\n", "1:13", "00A0", SPACE),
    "behind a value": ("extends: trut\u00a0\n", "1:14", "00A0", SPACE),
    "that nobody sees": ("set: \u200b{goal: 5}\n", "1:6", "200B", UNSEEN),
}


@pytest.mark.parametrize("place", PLACES)
def test_an_odd_blank_is_named_with_its_position(place, refusal):
    text, position, code, cure = PLACES[place]
    lines = refusal(read_document, Source("x", text)).splitlines()
    found = f"found the character U+{code}, expected a space [yaml-syntax]"
    assert lines[0] == f"x:{position}: error: {found}"
    assert lines[3] == cure


@pytest.mark.parametrize(
    "text",
    [
        "title: La belle\u00a0!",
        "title: Note:\u00a0la belle",
        "title: '\u00a0La belle\u00a0'",
        "rules: |\n  # \u00a0la belle\n",
        "summary: >-\n  La\u00a0: belle\n  la\u00a0belle\n",
    ],
)
def test_a_text_may_hold_them(text):
    assert read_document(Source("x", text))
