"""Too large scripts are refused soon with one message; just below the bound they compile soon."""

from pathlib import Path
from time import process_time

import pytest

from trutdsl.cli.app import BAD_INPUT, DONE, run
from trutdsl.strategy.script import load_script

MOST_SECONDS, MOST_TO_COMPILE = 10, 20  # processor time
ANY = "    otherwise:\n        any\n"


def repeat_lines(line, count):
    return "".join(line.format(i, i + 1) for i in range(count))


def repeat_clauses(count):
    held = "(total strength(c) for c in hand[me])"
    weaker = "any c in hand[me] has strength(c) < strength(card)"
    play = f"play card where {weaker} with lowest strength(card) when {held} > 5"
    decisions = {"turn": play, "respond, interrupt": f"accept when {held} > 9"}
    blocks = (f"    on {d}:\n" + f"        {c}\n" * count for d, c in decisions.items())
    return "".join(f"{block}        any\n" for block in blocks) + ANY


def nest_rules(deep):
    """Return rules that each call the next one twice."""
    last = f"    rule r{deep}:\n        sing when no\n    otherwise:\n        do r0\n        any\n"
    return repeat_lines("    rule r{0}:\n        do r{1}\n        do r{1}\n", deep) + last


TOO_LARGE = {
    "rules": nest_rules(18),
    "clauses": repeat_clauses(500),
    "answer": repeat_clauses(150),
    "defines": repeat_lines("    define d{0}: size(hand[me]) == {0}\n", 301) + ANY,
    "memory": "    deal memory:\n" + repeat_lines("        w{0}: number = 0\n", 121) + ANY,
    "parameters": repeat_lines('    parameter p{0}: 0 to 9 = 1 "help"\n', 81) + ANY,
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_too_large_script_is_refused_soon(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = f'strategy {name} "Too much." for trut:\n{TOO_LARGE[name]}'
    (tmp_path / f"{name}.strategy").write_text(text, encoding="utf-8")
    start = process_time()
    assert run(["check", f"{name}.strategy", "--for", "trut"]) == BAD_INPUT
    assert process_time() - start < MOST_SECONDS
    error = capsys.readouterr().err
    assert error.startswith(f"{name}.strategy:1:10: error: ") and "[too-large]" in error


def test_the_bound_includes_extended_scripts(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("trutdsl.syntax.parse.LARGEST_TEXT", 2_000)
    for number in range(3):
        base = f' extends "s{number + 1}.strategy"' if number < 2 else ""
        text = "#" * 800 + f'\nstrategy s{number}{base} "Long.":\n{ANY}'
        (tmp_path / f"s{number}.strategy").write_text(text, encoding="utf-8")
    assert load_script(Path("s1.strategy"), "s1.strategy").name == "s1"
    assert run(["check", "s0.strategy"]) == BAD_INPUT
    error = capsys.readouterr().err
    assert error.startswith("s2.strategy:1:1: error: with what extends it") and "too-large" in error


def test_a_large_script_is_compiled_soon(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = 'strategy large "Just below the bound." for trut:\n' + repeat_clauses(60)
    (tmp_path / "large.strategy").write_text(text, encoding="utf-8")
    start = process_time()
    options = ["--players", "2", "--matches", "2", "--no-cache"]
    assert run(["simulate", "trut", "--strategies", "large.strategy,uniform", *options]) == DONE
    assert process_time() - start < MOST_TO_COMPILE


ROWS = {
    "just enough": ("".join(f"{n},1\n" for n in range(10_000)), DONE),
    "a row too many": ("".join(f"{n},1\n" for n in range(10_001)), BAD_INPUT),
    "keys too far apart": ("0,1\n100000,1\n", BAD_INPUT),
    "a row twice": ("5,1\n5,2\n", BAD_INPUT),
    "a key written in two ways": ("5,1\n05,2\n", BAD_INPUT),
    "a cell that never ends": ('"' + "x" * 200_000, BAD_INPUT),
    "a number too large": ("5,1000001\n", BAD_INPUT),
    "digits of other scripts": ("5,\u0661\n", BAD_INPUT),
    "no number": ("5\n", BAD_INPUT),
}


@pytest.mark.parametrize("what", ROWS)
def test_a_bad_table_is_refused_soon_with_its_position(what, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows, code = ROWS[what]
    (tmp_path / "t.csv").write_text(f"key,number\n{rows}", encoding="utf-8")
    use = "on turn: play card with lowest rate(strength(card))"
    text = f'strategy s "Reads." for trut:\n    table rate from "t.csv" else 0\n    {use}\n{ANY}'
    (tmp_path / "s.strategy").write_text(text, encoding="utf-8")
    start = process_time()
    assert run(["check", "s.strategy", "--for", "trut"]) == code
    assert process_time() - start < MOST_SECONDS
    if code == BAD_INPUT:
        assert capsys.readouterr().err.startswith(("t.csv:", "s.strategy:2:"))


def test_a_table_behind_a_link_is_not_read(tmp_path, monkeypatch, capsys):
    (tmp_path / "inside").mkdir()
    monkeypatch.chdir(tmp_path / "inside")
    (tmp_path / "secret.csv").write_text("key,number\n1,7\n", encoding="utf-8")
    (tmp_path / "inside" / "t.csv").symlink_to(tmp_path / "secret.csv")
    text = f'strategy s "Reads." for trut:\n    table rate from "t.csv" else 0\n{ANY}'
    (tmp_path / "inside" / "s.strategy").write_text(text, encoding="utf-8")
    assert run(["check", "s.strategy", "--for", "trut"]) == BAD_INPUT
    assert "[table]" in capsys.readouterr().err
