"""Signs of other keyboards, of word processors and of Git, in YAML files."""

import pytest

from trutdsl.cli.app import run
from trutdsl.diagnostics import Source
from trutdsl.variant import read_source
from trutdsl.variant.compose_yaml import read_document

WIDE = {
    "behind the only key": ("variant：house", "1:8", "：", ":"),
    "behind each key": ("variant：house\ntitle：House\n", "1:8", "：", ":"),
    "behind a key": ("variant: house\nset：{goal: 5}\n", "2:4", "：", ":"),
    "before a list": ("variant: house\nplayers：[2, 4]\n", "2:8", "：", ":"),
    "with a blank": ("experiment： evening\nvariant: trut\n", "1:11", "：", ":"),
    "in braces": ("set: {goal：5}\n", "1:11", "：", ":"),
    "between entries": ("set: {goal: 5，leader: dealer}\n", "1:14", "，", ","),
    "around a text": ("title: “Trut: a game”\n", "1:8", "“", '"'),
}


@pytest.mark.parametrize("place", WIDE)
def test_a_sign_of_another_keyboard_is_named(place, refusal):
    text, position, sign, meant = WIDE[place]
    lines = refusal(read_document, Source("x", text)).splitlines()
    found = f"found the sign '{sign}', expected '{meant}' [yaml-syntax]"
    assert lines[0] == f"x:{position}: error: {found}"
    assert lines[3] == f"  help: write `{meant}` instead of `{sign}`"


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


@pytest.mark.parametrize(
    "text",
    ["title: 中文：好", "title: l’autre «jeu»", "summary: |\n  规则：好\n", "a: [你好，世界]"],
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
