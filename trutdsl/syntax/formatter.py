"""Formats rules and scripts: their indentation, blanks and blank lines, never their words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Literal

from lark import Token

from trutdsl.diagnostics import Excerpt
from trutdsl.syntax.parse import check_size, grammar, parse_rules, parse_strategy

STEP = 4  # columns of a level
LAYOUT = {"_NL": 0, "_INDENT": 1, "_DEDENT": -1}  # by how many levels each changes the indentation
AS_WRITTEN = frozenset({"STRING", "CITES"})  # the blanks in them are theirs
SIGN = "SIGN"  # a minus before a value
OPENING = frozenset({"LPAR", "LSQB", "LBRACE"})
CLOSING = frozenset({"RPAR", "RSQB", "RBRACE"})
NO_BLANK_BEFORE = CLOSING | {"COMMA", "COLON", "QMARK"}
BLANK_AFTER = CLOSING | {"COMMA", "COLON"}
BLANKS_AROUND = AS_WRITTEN | {
    "PLUS", "MINUS", SIGN, "TIMES", "COMMON", "COMPARE", "EQUALS", "ADD_TO", "TAKE_FROM", "VBAR",
    "PERCENT", "LBRACE", "ARROW",
}  # fmt: skip
VALUE_ENDS = CLOSING | {"NAME", "INT", "DECIMAL", "STRING", "YES", "NO", "NONE", "BASE"}

Start = Literal["start", "vocabulary", "strategy"]


def format_excerpt(excerpt: Excerpt, start: Start) -> str:
    """Return a text with four columns a level, one blank between words, and few blank lines.

    start: the text has rules, `define`s for strategies, or a script.
    Words, comments and line ends stay. Raises `Rejected` for a text that does not parse, or
    would be too large.
    """
    if start == "strategy":
        parse_strategy(excerpt)
    else:
        parse_rules(excerpt, is_vocabulary=start == "vocabulary")
    text = excerpt.text.rstrip() + "\n"
    tokens = _tokens_of(text, start)
    result = "".join(f"{line}\n" for line in _format_lines(text.split("\n")[:-1], tokens))
    check_size(replace(excerpt, text=result))
    assert _spellings(tokens) == _spellings(_tokens_of(result, start)), "a word has changed"
    return result


def _tokens_of(text: str, start: Start) -> list[Token]:
    result: list[Token] = []
    for token in grammar().parse_interactive(text, start).iter_parse():
        is_sign = token.type == "MINUS" and not (result and result[-1].type in VALUE_ENDS)
        result.append(token.update(type=SIGN) if is_sign else token)
    return result


def _spellings(tokens: Sequence[Token]) -> list[tuple[str, str]]:
    words = [(one.type, "" if one.type in LAYOUT else _spell(one)) for one in tokens]
    return words[words[:1] == [("_NL", "")] :]  # blank lines at the start are not kept


def _spell(token: Token) -> str:
    return str(token) if token.type in AS_WRITTEN else " ".join(token.split())


def _format_lines(lines: Sequence[str], tokens: Sequence[Token]) -> list[str]:
    levels, words = _read_lines(tokens)
    result: list[str] = []
    columns: list[int] = []  # of each open block, as written
    waiting: list[str] = []  # comments and blank lines since the last words
    level = shift = 0
    for number, line in enumerate(lines, 1):
        if number not in words:
            waiting.append(line)
            continue
        column = _column_of(line)
        if number in levels:  # a sentence begins
            below = levels[number]
            open_columns = [*columns[:below], column, *columns[below + 1 :]]
            result += _format_comments(
                waiting,
                partial(_block_indent, open_columns, below),
                below <= level and bool(result),
            )
            level, columns = below, open_columns[: below + 1]
            shift = level * STEP - column
            indent = level * STEP
        else:  # it goes on
            result += _format_comments(waiting, partial(_shift, shift, level + 1), True)
            least = level if words[number][0].type in CLOSING else level + 1
            indent = _shift(shift, least, column)
        waiting = []
        result.append(" " * indent + _format_line(line, words[number]))
    return [*result, *_format_comments(waiting, partial(_block_indent, columns, 0), bool(result))]


def _block_indent(columns: Sequence[int], least: int, column: int) -> int:
    """Return the new column of a comment: that of the deepest block whose column it reaches.

    columns: of the blocks that were open before, as written. least: the level of what follows.
    """
    reached = [level for level, start in enumerate(columns) if start <= column]
    return max([least, *reached]) * STEP


def _shift(shift: int, least: int, column: int) -> int:
    """Return the new column of a line of a sentence, which moves with the first one."""
    return max(column + shift, least * STEP)


def _read_lines(tokens: Sequence[Token]) -> tuple[dict[int, int], dict[int, list[Token]]]:
    """Return the level of each line that begins a sentence, and the words of each line."""
    levels: dict[int, int] = {}
    words: dict[int, list[Token]] = {}
    level, begins = 0, True
    for token in tokens:
        if token.type in LAYOUT:
            level, begins = level + LAYOUT[token.type], True
            continue
        assert token.line is not None
        if begins and token.line not in words:
            levels[token.line] = level
        words.setdefault(token.line, []).append(token)
        begins = False
    return levels, words


def _format_comments(
    lines: Sequence[str], indent: Callable[[int], int], after_words: bool
) -> Iterator[str]:
    """Yield comments and blank lines. indent: returns the new column for the one as written."""
    blank = False
    for line in lines:
        if not line.strip():
            blank = after_words
            continue
        if blank:
            yield ""
        blank, after_words = False, True
        yield " " * indent(_column_of(line)) + line.strip()
    if blank:
        yield ""


def _format_line(line: str, words: Sequence[Token]) -> str:
    """Return the words of a line with their blanks, and its comment."""
    text = _spell(words[0])
    for before, word in pairwise(words):
        text += _blank_between(line, before, word) + _spell(word)
    end = _end_of(words[-1])
    comment = line[end:].strip()
    gap = max(2, len(line[end:]) - len(line[end:].lstrip()))
    return text + " " * gap + comment if comment else text


def _blank_between(line: str, before: Token, word: Token) -> str:
    if before.type in OPENING | {SIGN} or word.type in NO_BLANK_BEFORE:
        return ""
    if word.type in {"LPAR", "LSQB"}:  # behind a name they hold its arguments
        return "" if before.type in {"NAME", "BASE"} else " "
    if before.type in BLANK_AFTER or {before.type, word.type} & BLANKS_AROUND:
        return " "
    return " " if line[_end_of(before) : _start_of(word)] else ""


def _start_of(token: Token) -> int:
    assert token.column is not None
    return token.column - 1


def _end_of(token: Token) -> int:
    assert token.end_column is not None
    return token.end_column - 1


def _column_of(line: str) -> int:
    return len(line) - len(line.lstrip())
