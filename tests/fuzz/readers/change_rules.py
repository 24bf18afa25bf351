"""Changes to rules: words of the grammar, blocks, odd characters, deep nesting."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from random import Random

from trutdsl.syntax.parse import spellings

from . import change_yaml
from .change_yaml import TextChange

TOKEN = re.compile(r"[A-Za-z_]+|[0-9]+|\"[^\"\n]*\"|[^\sA-Za-z0-9_]")
ODD_TEXTS = (
    "é", "ſ", "ａ", "\u0301", "\u200b", "\u00a0", "\u202e", "\u2066", "\u2028", "\x00", "\x0b",
    "\x0c", "\r", "\x85", "\ufeff", "\ud800", "🂡", "≥", "“", "”", "–", "٣", "²", "..", "::",
    ";", "!", "'", '"', "\\", "#", "\t", "9" * 30, "9" * 5_000, "a" * 300, "a" * 2_100,
)  # fmt: skip
BUILT_IN_NAMES = (
    "seats", "teams", "dealer", "team", "size", "top", "strength", "hand", "stock", "card", "rank",
    "suit", "match", "deal", "trick", "base", "all", "none", "true", "false", "next_seat",
    "opponents",
)  # fmt: skip
WRAPPERS = (
    ("(", ")"), ("not ", ""), ("-", ""), ("total 1 for x in seats where ", ""), ("[", "]"),
    ("{", "}"), ("size(", ")"), ("some p in seats has ", ""), ("if 1 == 1: ", ""),
)  # fmt: skip


@cache
def words() -> tuple[str, ...]:
    """Return the words of the grammar, and built-in names."""
    return (*(s for s in spellings().values() if s.isprintable()), *BUILT_IN_NAMES)


def _rules_start(text: str) -> int:
    """Return the start of the rules in a variant's file; 0 in a file of rules alone."""
    at = text.find("rules: |")
    return at + len("rules: |") if at >= 0 else 0


def _pick_token(text: str, rng: Random) -> re.Match[str] | None:
    found = list(TOKEN.finditer(text, _rules_start(text)))
    return rng.choice(found) if found else None


def replace_token(text: str, rng: Random, others: Sequence[str]) -> str:
    """Replace a token by one of this or another file."""
    old = _pick_token(text, rng)
    new = _pick_token(rng.choice((text, rng.choice(others))), rng)
    return text if old is None or new is None else text[: old.start()] + new[0] + text[old.end() :]


def replace_by_similar_token(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Replace a name by another name, or a number by another number."""
    old = _pick_token(text, rng)
    if old is None:
        return text
    kind = str.isdecimal if old[0].isdecimal() else str.isidentifier
    like = [t[0] for t in TOKEN.finditer(text, _rules_start(text)) if kind(t[0])]
    return text[: old.start()] + rng.choice(like or [old[0]]) + text[old.end() :]


def insert_grammar_word(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Insert a word of the grammar after a token, or replace the token by it."""
    old = _pick_token(text, rng)
    if old is None:
        return text
    kept = rng.choice(("", old[0] + " "))
    return text[: old.start()] + kept + rng.choice(words()) + text[old.end() :]


def drop_token(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Delete a token."""
    old = _pick_token(text, rng)
    return text if old is None else text[: old.start()] + text[old.end() :]


def insert_odd_text(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Insert a text that is not part of the language."""
    at = rng.randint(_rules_start(text), len(text))
    return text[:at] + rng.choice(ODD_TEXTS) + text[at:]


def replace_by_number(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Replace a token by an extreme number."""
    old = _pick_token(text, rng)
    new = rng.choice(("0", "-1", "1", "2", "64", "65", "1000000", "999999999", "9" * 19, "007"))
    return text if old is None else text[: old.start()] + new + text[old.end() :]


def wrap(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Put a token inside brackets or after operators, often many."""
    old = _pick_token(text, rng)
    if old is None:
        return text
    before, after = rng.choice(WRAPPERS)
    depth = rng.choice((1, 2, 5, 23, 24, 25, 39, 40, 41, 100))
    new = before * depth + old[0] + after * depth
    return text[: old.start()] + new + text[old.end() :]


def copy_block(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Copy some lines to another place, with the same or another indentation."""
    start = text.count("\n", 0, _rules_start(text)) + 1
    lines = text.split("\n")
    if start >= len(lines):
        return text
    at = rng.randrange(start, len(lines))
    part = lines[at : at + rng.choice((1, 2, 5, 12))]
    by = rng.choice((0, 0, 4, 8, -4))
    new = [" " * by + line if by > 0 else line[-by:] for line in part]
    to = rng.randrange(start, len(lines))
    return "\n".join([*lines[:to], *new, *lines[to:]])


CHANGES: tuple[TextChange, ...] = (
    replace_token, replace_token,
    replace_by_similar_token, replace_by_similar_token, replace_by_similar_token,
    insert_grammar_word, insert_grammar_word,
    drop_token, insert_odd_text,
    replace_by_number, wrap, copy_block, change_yaml.move_lines, change_yaml.indent,
)  # fmt: skip
RARE: tuple[TextChange, ...] = (change_yaml.repeat_line,)
