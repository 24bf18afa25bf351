"""The parser's tables come with the program, and only those of its own grammar are used."""

from pathlib import Path

from lark import Tree

from trutdsl.syntax import parse


def fresh(monkeypatch, tmp_path):
    """Have tables looked for in an empty place, and none kept; return the parser's function."""
    monkeypatch.setenv("TRUTDSL_CACHE", "")
    monkeypatch.setattr(parse, "TABLES", str(tmp_path / "tables"))
    return parse.grammar.__wrapped__


def test_tables_that_came_with_the_program_are_used(monkeypatch, tmp_path):
    grammar = fresh(monkeypatch, tmp_path)
    made = grammar()
    parse.write_tables(tmp_path / "tables")
    monkeypatch.setattr(
        parse, "_build_parser", None
    )  # it would be called where no tables are found
    text = Path("strategies/steady.strategy").read_text()
    one, two = (one.parse(text, start="strategy") for one in (made, grammar()))
    assert isinstance(one, Tree) and one == two


def test_tables_of_another_grammar_are_not_used(monkeypatch, tmp_path):
    grammar = fresh(monkeypatch, tmp_path)
    (tmp_path / "tables").write_bytes(b"0" * 64 + b"\n{}")
    assert grammar().terminals
