"""The kind of each word of a file's rules, by which an editor colours it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from lark import Token
from lark.exceptions import LarkError

from trutdsl.api.rewrite import excerpts_of
from trutdsl.diagnostics import Excerpt, Rejected
from trutdsl.syntax.formatter import LAYOUT, Start
from trutdsl.syntax.parse import LayoutError, check_size, grammar
from trutdsl.variant.source import read_source

KINDS = ("keyword", "variable", "string", "number", "comment")
KIND_OF = {
    "NAME": "variable", "REF": "variable", "ACCENTED": "variable", "STRING": "string",
    "INT": "number", "DECIMAL": "number", "CITES": "comment",
}  # fmt: skip


class ColouredWord(NamedTuple):
    """A word from one column of a line to another, all from 0; kind: one of `KINDS`."""

    line: int
    col: int
    end: int
    kind: str


def colour_words(path: str) -> list[ColouredWord]:
    """Return the words of the rules of a file in their order, as far as they can be read."""
    try:
        excerpts = sorted(excerpts_of(read_source(Path(path), path)), key=lambda part: part[0].line)
        for excerpt, _ in excerpts:
            check_size(excerpt)
    except Rejected:
        return []
    return [word for excerpt, start in excerpts for word in _words_of(excerpt, start)]


def _words_of(excerpt: Excerpt, start: Start) -> Iterator[ColouredWord]:
    lines = excerpt.text.split("\n")
    ends = [0] * len(lines)  # of the last word on each line
    words = []
    for token in _tokens_of(excerpt, start):
        line, col = (token.line or 1) - 1, (token.column or 1) - 1
        ends[line] = col + len(token)
        kind = _kind_of(token)
        if kind is not None:
            words.append(ColouredWord(line, col, col + len(token), kind))
    for number, text in enumerate(lines):
        at = text.find("#", ends[number])
        if at >= 0 and not text[ends[number] : at].strip():
            words.append(ColouredWord(number, at, len(text), "comment"))
    down, right = excerpt.line - 1, excerpt.indent
    for line, col, end, kind in sorted(words):
        yield ColouredWord(line + down, col + right, end + right, kind)


def _tokens_of(excerpt: Excerpt, start: Start) -> Iterable[Token]:
    """Yield the words of a text up to its first mistake."""
    parser = grammar().parse_interactive(excerpt.text.rstrip() + "\n", start)
    try:
        for token in parser.iter_parse():
            if token.type not in LAYOUT:
                yield token
    except (LarkError, LayoutError):
        return


def _kind_of(token: Token) -> str | None:
    """Return the kind of a word, None for brackets and operators."""
    return KIND_OF.get(token.type) or ("keyword" if token[:1].isalpha() else None)
