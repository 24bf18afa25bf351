"""Parses a rules text; the one entry of this package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternRE, PatternStr, TerminalDef

from trutdsl.diagnostics import Rejected, reject
from trutdsl.source import Excerpt, Span
from trutdsl.syntax.ast import Rules
from trutdsl.syntax.from_tree import TooDeep, build_rules
from trutdsl.syntax.layout import Layout, LayoutError
from trutdsl.syntax.messages import describe_unexpected

LARGEST_TEXT = 300_000
QUOTES = 'texts stand in double quotes: "..."'
INSTEAD = {
    **dict.fromkeys("'`“”„«»‘’", QUOTES),
    ";": "one sentence a line, without `;`",
    "!": "write `not`",
    "≠": "write `!=`",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "–": "write `-`",
    "−": "write `-`",
    "×": "write `*`",
    "/": "write `div`, which rounds down",
    "%": "write `mod`",
}


@cache
def grammar() -> Lark:
    """Return the LALR parser of the rule language, built once a process."""
    text = files("trutdsl.syntax").joinpath("rules.lark").read_text(encoding="utf-8")
    return Lark(
        text,
        parser="lalr",
        lexer="contextual",
        postlex=Layout(),
        maybe_placeholders=True,
        propagate_positions=True,
        edit_terminals=_whole_words_only,
    )


def _whole_words_only(terminal: TerminalDef) -> None:
    """Keep a word of the language from being found at the start of a longer word."""
    if isinstance(terminal.pattern, PatternStr) and terminal.pattern.value.isalpha():
        terminal.pattern = PatternRE(terminal.pattern.value + r"(?![A-Za-z0-9_])")
        terminal.priority = 1


def parse_rules(excerpt: Excerpt) -> Rules:
    """Return the syntax tree of a rules text; raises `Rejected` with one diagnostic."""
    if len(excerpt.text) > LARGEST_TEXT:
        raise reject(
            "too-large",
            f"the rules have {len(excerpt.text):,} characters; at most {LARGEST_TEXT:,} are read",
            excerpt.span(1, 1, 1, 1),
            help="put parts of it into modules",
        )
    _reject_odd_characters(excerpt)
    text = excerpt.text.rstrip() + "\n"
    try:
        return build_rules(grammar().parse(text), excerpt)
    except UnexpectedToken as e:
        message, help_ = describe_unexpected(e, excerpt)
        raise reject("syntax", message, _token_span(e.token, excerpt), help=help_) from None
    except UnexpectedCharacters as e:
        raise _unknown_character(e, excerpt) from None
    except UnexpectedInput as e:
        at = excerpt.span(e.line, e.column, e.line, e.column + 1)
        raise reject("syntax", "the rules end in the middle of a sentence", at) from None
    except LayoutError as e:
        at = _token_span(e.token, excerpt)
        raise reject(e.code, e.message, at, help=e.help) from None
    except TooDeep as e:
        raise reject(
            "too-deep",
            "this expression is nested too deeply",
            e.span,
            help="give a part of it a name with `define`",
        ) from None


def _reject_odd_characters(excerpt: Excerpt) -> None:
    for number, line in enumerate(excerpt.text.split("\n"), 1):
        blank = line[: len(line) - len(line.lstrip())]
        at = next((i for i, c in enumerate(line) if c == "\t" and i < len(blank)), None)
        if at is not None:
            raise reject(
                "tab",
                "a tab stands in the indentation",
                excerpt.span(number, at + 1, number, at + 2),
                help="indent with spaces only",
            )
        if len(line) > 2000:
            raise reject(
                "too-large",
                f"this line is {len(line):,} characters long; at most 2,000 are read",
                excerpt.span(number, 2001, number, 2002),
            )


def _token_span(token: Token, excerpt: Excerpt) -> Span:
    last = excerpt.text.rstrip().count("\n") + 1
    if token.type == "$END" or token.line is None or token.line > last:
        col = len(excerpt.text.rstrip().rsplit("\n", 1)[-1]) + 1
        return excerpt.span(last, col, last, col + 1)
    if token.type == "_NL":
        return excerpt.span(token.line, token.column or 1, token.line, (token.column or 1) + 1)
    column = token.column or 1
    return excerpt.span(
        token.line, column, token.end_line or token.line, token.end_column or column
    )


def _unknown_character(error: UnexpectedCharacters, excerpt: Excerpt) -> Rejected:
    at = excerpt.span(error.line, error.column, error.line, error.column + 1)
    found = error.char
    if found == '"':
        return reject("syntax", "this text is not closed on its line", at, help='end it with `"`')
    shown = f"the sign {found}" if found.isprintable() else f"the character U+{ord(found):04X}"
    return reject("syntax", f"{shown} cannot stand here", at, help=INSTEAD.get(found))
