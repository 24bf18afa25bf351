"""Mutated shipped files: they are refused with positions, or they play."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from extent import extent
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_play import play

from trutdsl.diagnostics import Rejected, render_all
from trutdsl.game import load_game
from trutdsl.variant import Library

ROOT = Path(__file__).parent.parent
SHIPPED = {
    path.relative_to(ROOT / "variants").as_posix(): path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "variants").glob("**/*.yaml"))
}
GOOD = {
    f"good/{path.relative_to(ROOT / 'tests/good').as_posix()}": path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "tests/good").glob("**/*.yaml"))
}
FILES = SHIPPED | GOOD
ODD_CHARACTERS = " \t\n\"'#:,.()[]{}=+-*<>|&?!0179aZ_é≥“\u00a0\u200b\u202e\u2028\x00\x1b\x85\ufeff🂡"
TOKEN = re.compile(r"[A-Za-z_]+|[0-9]+|\"[^\"\n]*\"|[^\sA-Za-z0-9_]")
MOST_STEPS = 400


def truncate(text, draw):
    return text[: draw(st.integers(0, len(text)))]


def insert_odd_characters(text, draw):
    at = draw(st.integers(0, len(text)))
    end = min(len(text), at + draw(st.integers(0, 6)))
    return text[:at] + draw(st.text(ODD_CHARACTERS, max_size=4)) + text[end:]


def replace_token(text, draw):
    tokens = list(TOKEN.finditer(text))
    if not tokens:
        return text
    old, new = draw(st.sampled_from(tokens)), draw(st.sampled_from(tokens))
    return text[: old.start()] + new[0] + text[old.end() :]


def change_lines(text, draw):
    lines = text.split("\n")
    a, b = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    match draw(st.sampled_from(["delete", "double", "swap", "move"])):
        case "delete":
            del lines[a]
        case "double":
            lines.insert(b, lines[a])
        case "swap":
            lines[a], lines[b] = lines[b], lines[a]
        case _:
            lines.insert(b, lines.pop(a))
    return "\n".join(lines)


def change_indentation(text, draw):
    lines = text.split("\n")
    at = draw(st.integers(0, len(lines) - 1))
    kept = lines[at].lstrip(" ")
    lines[at] = draw(st.sampled_from([" " * n for n in (0, 1, 2, 4, 6, 8, 10, 14)] + ["\t"])) + kept
    return "\n".join(lines)


@st.composite
def mutated_files(draw):
    """Draw the name of a file, and its text with one to three changes, most of them small."""
    name = draw(st.sampled_from(sorted(FILES)))
    text = FILES[name]
    changes = [
        replace_token,
        replace_token,
        change_lines,
        change_indentation,
        insert_odd_characters,
        truncate,
    ]
    for _ in range(draw(st.integers(1, 3))):
        text = draw(st.sampled_from(changes))(text, draw)
    return name, text


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with all files, in the layout of the shipped ones."""
    folder = tmp_path_factory.mktemp("mutations")
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def variant_using(name):
    """Return a variant that uses this file."""
    if not name.startswith("good/"):
        return name if "/" not in name else "trut.yaml"
    return name if "/base/" not in name else "good/replaced-rule.yaml"


def test_mutated_files_are_refused_with_positions_or_play(folder, monkeypatch):
    outcomes = Counter()

    @settings(
        derandomize=True,
        database=None,
        deadline=None,
        max_examples=extent(60, 300),
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(case=mutated_files())
    def play_one(case):
        outcomes[play_mutated(*case, folder)] += 1

    monkeypatch.setattr("trutdsl.variant.load.shipped_library", lambda: Library(folder, "variants"))
    monkeypatch.setattr("trutdsl.interp.compile_statements.MOST_TURNS", 1_000)
    monkeypatch.setattr("trutdsl.interp.compile_builtins.MOST_TURNS", 1_000)
    play_one()
    assert outcomes["refused"] > extent(17, 50)
    assert outcomes["played"] > extent(1, 5)


def play_mutated(name, text, folder):
    """Play a variant with a mutated file; return the stage that it reached."""
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    stage = "refused"
    try:
        game = load_game(folder / variant_using(name), engine="reference")
        stage = "wrong in play"
        play(game, 0, most=MOST_STEPS)
        stage = "played"
    except Rejected as rejected:
        assert rejected.diagnostics
        assert render_all(rejected)
        for found in rejected.diagnostics:
            assert 1 <= found.span.line <= len(found.span.source.lines)
            assert 1 <= found.span.col <= len(found.span.source.line(found.span.line)) + 1
    finally:
        path.write_text(FILES[name], encoding="utf-8")
    return stage
