"""The tables of the parser are shipped, and only those of its own grammar are used."""

from pathlib import Path

from lark import Tree

from trutdsl.syntax import parse


def without_tables(monkeypatch, tmp_path):
    """Look for tables in an empty folder, without a cache; return the function `grammar`."""
    monkeypatch.setenv("TRUTDSL_CACHE", "")
    monkeypatch.setattr(parse, "TABLES", str(tmp_path / "tables"))
    return parse.grammar.__wrapped__


def test_shipped_tables_are_used(monkeypatch, tmp_path):
    grammar = without_tables(monkeypatch, tmp_path)
    built = grammar()
    parse.write_tables(tmp_path / "tables")
    monkeypatch.setattr(parse, "_build_parser", None)  # a call without tables would fail
    text = Path("strategies/steady.strategy").read_text()
    one, two = (one.parse(text, start="strategy") for one in (built, grammar()))
    assert isinstance(one, Tree) and one == two


def test_tables_of_another_grammar_are_not_used(monkeypatch, tmp_path):
    grammar = without_tables(monkeypatch, tmp_path)
    (tmp_path / "tables").write_bytes(b"0" * 64 + b"\n{}")
    assert grammar().terminals
