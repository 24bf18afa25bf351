"""Signs and blanks of other keyboards, of word processors and of Git, in YAML files."""

import pytest

from trutdsl.cli.app import run
from trutdsl.diagnostics import Source
from trutdsl.variant import read_source
from trutdsl.variant.compose_yaml import read_document

SPACE = "write a plain space; this only looks like one"
UNSEEN = "remove it; nobody sees it"
# Where it stands: the text, its position, and the sign and what it means, or the code and the cure.
PLACES = {
    "a sign behind the only key": ("variant：house", "1:8", "：", ":"),
    "a sign behind each key": ("variant：house\ntitle：House\n", "1:8", "：", ":"),
    "a sign behind a key": ("variant: house\nset：{goal: 5}\n", "2:4", "：", ":"),
    "a sign before a list": ("variant: house\nplayers：[2, 4]\n", "2:8", "：", ":"),
    "a sign with a blank": ("experiment： evening\nvariant: trut\n", "1:11", "：", ":"),
    "a sign in braces": ("set: {goal：5}\n", "1:11", "：", ":"),
    "a sign between entries": ("set: {goal: 5，leader: dealer}\n", "1:14", "，", ","),
    "signs around a text": ("title: “Trut: a game”\n", "1:8", "“", '"'),
    "a blank behind the only key": ("variant:\u00a0house", "1:9", "00A0", SPACE),
    "a blank behind a key": ("variant:\u00a0house\ntitle: House\n", "1:9", "00A0", SPACE),
    "a blank behind each key": ("variant:\u202fhouse\ntitle:\u202fHouse\n", "1:9", "202F", SPACE),
    "a blank before a colon": ("variant\u00a0: house\n", "1:8", "00A0", SPACE),
    "a blank in the indentation": ("set:\n\u00a0\u00a0goal: 5\n", "2:1", "00A0", SPACE),
    "a blank before a list": ("set:\n \u00a0- a\n \u00a0- b\n", "2:2", "00A0", SPACE),
    "a blank behind a dash": ("set:\n  -\u00a0a\n  -\u00a0b\n", "2:4", "00A0", SPACE),
    "a blank in entries": (
        "hands:\n  - 0:\u00a07c\n  - 1:\u00a08c\n",
        "2:7",
        "00A0",
        SPACE,
    ),
    "a blank in braces": ("set: {goal: \u00a05}\n", "1:13", "00A0", SPACE),
    "a blank behind a colon in braces": ("set: {goal:\u00a05}\n", "1:12", "00A0", SPACE),
    "a blank behind a value": ("extends: trut\u00a0\n", "1:14", "00A0", SPACE),
    "a blank that nobody sees": ("set: \u200b{goal: 5}\n", "1:6", "200B", UNSEEN),
}


@pytest.mark.parametrize("place", PLACES)
def test_an_odd_sign_or_blank_is_named_with_its_position(place, refusal):
    text, position, found, meant = PLACES[place]
    lines = refusal(read_document, Source("x", text)).splitlines()
    if meant in (SPACE, UNSEEN):
        message, cure = f"found the character U+{found}, expected a space", meant
    else:
        message = f"found the sign '{found}', expected '{meant}'"
        cure = f"write `{meant}` instead of `{found}`"
    assert lines[0] == f"x:{position}: error: {message} [yaml-syntax]"
    assert lines[3] == f"  help: {cure}"


@pytest.mark.parametrize(
    ("line", "sign", "meant"),
    [
        ("players: [2，4]", "，", ","),
        ("players: ［2, 4］", "［", "["),
        ("title: {“Trut”}", "“", '"'),
        ("rules: |\n  rule play（）:", "（", "("),
    ],
)
def test_a_value_with_such_a_sign_has_its_help(line, sign, meant, tmp_path, capsys):
    file = tmp_path / "house.yaml"
    file.write_text(f"variant: house\nextends: trut\n{line}\n", encoding="utf-8")
    assert run(["check", str(file)]) == 2
    assert f"  help: write `{meant}` instead of `{sign}`\n" in capsys.readouterr().err


def test_a_quoted_text_may_have_the_sign_in_a_mistake_of_another_kind(tmp_path, capsys):
    words = 'words: {ja: {options: {"trutt！": x}}}\n'
    choices = '{type: choice, choices: ["a！", b], default: b, help: H}'
    (tmp_path / "house.yaml").write_text(
        f"variant: house\ntitle: T\nextends: trut\n{words}parameters: {{bad: {choices}}}\n"
    )
    assert run(["check", str(tmp_path / "house.yaml")]) == 2
    err = capsys.readouterr().err
    assert err.count(": error: ") == 1 and "instead of" not in err


@pytest.mark.parametrize(
    "text",
    [
        "title: 中文：好",
        "title: l’autre «jeu»",
        "summary: |\n  规则：好\n",
        "a: [你好，世界]",
        "title: La belle\u00a0!",
        "title: Note:\u00a0la belle",
        "title: '\u00a0La belle\u00a0'",
        "rules: |\n  # \u00a0la belle\n",
        "summary: >-\n  La\u00a0: belle\n  la\u00a0belle\n",
    ],
)
def test_a_text_may_hold_them(text):
    assert read_document(Source("x", text))


CONFLICT = "<<<<<<< HEAD\nset: {goal: 5}\n=======\nset: {goal: 4}\n>>>>>>> other\n"


@pytest.mark.parametrize("name", ["x.yaml", "x.strategy", "x.py"])
def test_marks_of_a_merge_conflict_are_named(name, tmp_path, refusal):
    file = tmp_path / name
    file.write_text(f"variant: house\n{CONFLICT}", encoding="utf-8")
    lines = refusal(read_source, file, "x").splitlines()
    assert lines[0] == "x:2:1: error: found a mark of a merge conflict [merge-conflict]"
    assert lines[3].startswith("  help: keep one of both versions, and delete the lines that begin")


def test_the_last_mark_of_a_merge_conflict_is_named(refusal, tmp_path):
    text = "variant: house\n=======\nset: {goal: 4}\n"
    lines = refusal(read_document, Source("x", text)).splitlines()
    assert lines[0] == "x:2:1: error: found a mark of a merge conflict [yaml-syntax]"
    underlined = tmp_path / "x.py"
    underlined.write_text('"""\nProgram\n=======\n"""\n')
    assert read_source(underlined, "x")
