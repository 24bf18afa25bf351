"""Files of the second edition are migrated: in memory with a warning, or by `migrate`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from trutdsl.cli.app import BAD_INPUT, DONE, run
from trutdsl.diagnostics import Excerpt, Source
from trutdsl.variant.editions import mark, rename_taken

ROOT = Path(__file__).parents[1]
OLD_FILES = sorted(path.stem for path in (ROOT / "editions").glob("*.yaml"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Copy the old files and their bases into a folder."""
    shutil.copytree(ROOT / "editions", tmp_path / "editions")
    shutil.copytree(ROOT / "good" / "base", tmp_path / "good" / "base")
    monkeypatch.chdir(tmp_path / "editions")
    return tmp_path / "editions"


def simulate(name, capsys):
    capsys.readouterr()
    assert run(["simulate", f"{name}.yaml", "--matches", "3", "--transcript", "-"]) == DONE
    return capsys.readouterr()


@pytest.mark.parametrize("name", OLD_FILES)
def test_an_old_file_plays_the_same_before_and_after_migration(name, folder, capsys):
    before = simulate(name, capsys)
    assert "[older-language]" in before.err
    path, old = folder / f"{name}.yaml", (folder / f"{name}.yaml").read_text()
    assert run(["migrate", path.name]) == DONE
    output = capsys.readouterr().out
    assert path.read_text() == old
    assert run(["migrate", path.name, "--write"]) == DONE
    new = path.read_text()
    assert [line for line in new.splitlines() if line not in old.splitlines()] == [
        line[1:] for line in output.splitlines() if line[:1] == "+" and line[:3] != "+++"
    ]
    assert [line.partition("#")[2] for line in new.splitlines() if "#" in line] == [
        line.partition("#")[2] for line in old.splitlines() if "#" in line
    ]
    after = simulate(name, capsys)
    assert (after.out, after.err) == (before.out, "")
    assert run(["migrate", path.name, "--write"]) == DONE
    assert path.read_text() == new


@pytest.mark.parametrize("name", OLD_FILES)
def test_the_third_edition_refuses_what_the_second_allowed(name, folder, capsys):
    path = folder / f"{name}.yaml"
    path.write_text(path.read_text().replace("title:", "language: 3\ntitle:", 1))
    assert run(["check", path.name]) == BAD_INPUT
    assert "older-language" not in capsys.readouterr().err


def test_a_file_that_both_editions_allow_gives_no_warning(capsys):
    assert run(["check", str(ROOT / "good" / "hooks.yaml")]) == DONE
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("variant: own\ntitle: T", "variant: own\nlanguage: 3\ntitle: T"),
        ("variant: own # A\nlanguage : 2  # B", "variant: own # A\nlanguage : 3  # B"),
        ('"variant": own\ntitle: T', '"variant": own\n"language": 3\ntitle: T'),
        ("  module:\n    own", "  module:\n    own\n  language: 3"),
        ("{variant: own,\ntitle: T}", "{variant: own, language: 3,\ntitle: T}"),
    ],
)
def test_the_mark_of_the_edition_keeps_the_rest_of_the_file(old, new):
    assert mark(Source("own.yaml", old)).text == new
    assert mark(Source("own.yaml", new)).text == new


@pytest.mark.parametrize("edition", ["1", "4"])
def test_an_unknown_edition_is_refused(edition, folder, capsys):
    path = folder / "shown.yaml"
    path.write_text(path.read_text().replace("title:", f"language: {edition}\ntitle:", 1))
    assert run(["check", path.name]) == BAD_INPUT
    assert "3" in capsys.readouterr().err


def test_an_option_keeps_its_words():
    lines = ["let announce = 1", "announce += 2", 'ask dealer "turn":', "    announce: do announce"]
    text = "\n".join(lines)
    new, _ = rename_taken(Excerpt(Source("old.yaml", text), text))
    lines[3] = "    announce: do announce_it"
    assert new.text.split("\n") == ["let announce_it = 1", "announce_it += 2", *lines[2:]]


def test_a_rule_of_a_base_is_done_by_its_new_name():
    text = "rule turn:\n    let sum = do announce(1)\n    announce sum to all"
    new, _ = rename_taken(Excerpt(Source("x", text), text))
    assert new.text == text.replace("announce(", "announce_it(")
