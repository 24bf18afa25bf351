"""Small games with one mistake each, and the exact expected text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from extent import THOROUGH

import trutdsl
from trutdsl.cli.app import BAD_INPUT, run

BAD = Path(__file__).parent / "bad"
CHECKED = sorted(path.stem for path in BAD.glob("*.yaml"))
FAILING_IN_PLAY = sorted(path.stem for path in (BAD / "runtime").glob("*.yaml"))
# Except in a thorough run, each file is played in one engine, and no file is played for long.
LONG = ("too-long-defines", "too-long-idle", "too-long-nested")
RUNS = [
    (name, engine)
    for name in FAILING_IN_PLAY
    for engine in ("reference", "native")
    if THOROUGH or (name not in LONG and (engine == "native") == (name in FAILING_IN_PLAY[::4]))
]
SEVERAL = "several-mistakes"
CODE = re.compile(r": error: .* \[([a-z-]+)\]$", re.MULTILINE)
CODE_IN_SOURCE = re.compile(
    r'(?:(?:\berror|\breject|LayoutError)\(\s*|\bcode=)"([a-z]+(?:-[a-z]+)*)"'
)


def codes_in(*folders):
    package = Path(trutdsl.__file__).parent
    texts = [
        path.read_text(encoding="utf-8") for f in folders for path in package.glob(f"{f}/**/*.py")
    ]
    return {code for text in texts for code in CODE_IN_SOURCE.findall(text)}


def seen_codes(stems):
    return {
        code for code in codes_in("syntax", "ir", "interp") for s in stems if starts_with(s, code)
    }


def starts_with(stem, code):
    return f"{stem}-".startswith(f"{code}-")


@pytest.mark.parametrize("name", CHECKED)
def test_a_bad_file_is_refused_with_the_expected_text(name, expect_file, monkeypatch, capsys):
    monkeypatch.chdir(BAD)
    assert run(["check", f"{name}.yaml"]) == BAD_INPUT
    captured = capsys.readouterr()
    assert captured.out == ""
    expect_file(BAD / f"{name}.txt", captured.err)
    codes = CODE.findall(captured.err)
    if name == SEVERAL:
        assert len(set(codes)) > 3
    else:
        assert all(starts_with(name, code) for code in codes)


@pytest.mark.parametrize(("name", "engine"), RUNS)
def test_an_error_of_rules_in_play_is_bad_input(name, engine, expect_file, monkeypatch, capsys):
    monkeypatch.chdir(BAD / "runtime")
    assert run(["check", f"{name}.yaml"]) == 0
    capsys.readouterr()
    command = ["simulate", f"{name}.yaml", "--matches", "1", "--seed", "1", "--engine", engine]
    assert run(command) == BAD_INPUT
    captured = capsys.readouterr()
    assert captured.out == ""
    expect_file(BAD / "runtime" / f"{name}.txt", captured.err)
    assert [starts_with(name, code) for code in CODE.findall(captured.err)] == [True]
    assert "  note: at this point: " in captured.err
    assert "\n  help: " in captured.err


@pytest.mark.parametrize("folder", [BAD, BAD / "runtime"], ids=["checked", "played"])
def test_bad_files_and_expected_texts_correspond(folder):
    texts = {path.stem for path in folder.glob("*.txt")}
    assert texts == {path.stem for path in folder.glob("*.yaml")}


def test_every_code_of_the_language_has_a_file():
    codes = codes_in("syntax", "ir")
    assert len(codes) >= 18
    scripts = Path(__file__).parent / "strategy" / "bad"
    seen = seen_codes([*CHECKED, *(path.stem for path in scripts.glob("*.strategy"))])
    assert codes - seen == set()


def test_every_code_of_the_engine_has_a_file():
    codes = codes_in("interp") - {"too-deep"}  # seen in test_bounds.py
    assert len(codes) >= 8
    assert codes - seen_codes(FAILING_IN_PLAY) == set()


def test_messages_contain_no_programming_terms():
    """They also contain no braces of an unfilled placeholder."""
    odd = re.compile(r"\b(None|null|token|parse|AST|exception|Traceback|int|bool|str)\b|\{|\}")
    for path in sorted(BAD.glob("**/*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if ": error: " in line or line.startswith(("  note: ", "  help: ")):
                said = re.sub(r"`[^`]*`|'[^']*'|\"[^\"]*\"", "", line)
                assert not odd.search(said), f"{path.name}: {line}"
