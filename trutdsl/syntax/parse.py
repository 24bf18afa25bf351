"""Parses a rules text; the one entry of this package."""

from __future__ import annotations

import marshal
import re
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.grammar import Rule
from lark.lexer import PatternRE, PatternStr, TerminalDef

from trutdsl.cache import hash_of, read_kept, write_kept
from trutdsl.diagnostics import Excerpt, Rejected, Span, reject
from trutdsl.syntax.ast import Rules
from trutdsl.syntax.from_tree import StrategyTreeBuilder, TooDeep, TreeBuilder, build_tree
from trutdsl.syntax.hints import PLACE
from trutdsl.syntax.layout import IndentLexer, LayoutError, MisindentedError
from trutdsl.syntax.messages import describe_unexpected
from trutdsl.syntax.strategy_ast import Strategy

LARGEST_TEXT = 300_000
GRAMMAR, TABLES = "rules.lark", "rules.tables"
MARSHAL = 4  # a form that every Python since 3.4 reads
WORD_END = r"(?![A-Za-z0-9_])"
QUOTES = 'texts stand in double quotes: "..."'
INSTEAD = {
    **dict.fromkeys("'`“”„«»‘’", QUOTES),
    ".": "for bounds write `to`, as in `0 to 5`",
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
    **dict.fromkeys("\u00a0\u202f", "write a plain space; this only looks like one"),
}


@cache
def grammar() -> Lark:
    """Return the LALR parser of the rule language, made once a process from its tables.

    These come with the program, or are kept from an earlier time if its grammar was changed since.
    """
    shipped = _shipped_tables()
    if shipped is not None:
        return _from_tables(shipped)
    key = hash_of("grammar", _made_from())
    kept = read_kept(key)
    if kept is not None:
        return _from_tables(kept)
    made = _made()
    write_kept(key, _tables_of(made))
    return made


def write_tables(path: Path) -> None:
    """Write the parser's tables where `grammar` looks for them; done when the program is built."""
    path.write_bytes(_made_from().encode() + b"\n" + _tables_of(_made()))


def _shipped_tables() -> bytes | None:
    """Return the tables that were made when the program was built, None if of another grammar."""
    try:
        made_from, _, tables = (files("trutdsl.syntax") / TABLES).read_bytes().partition(b"\n")
    except OSError:
        return None
    return tables if made_from == _made_from().encode() else None


def _made_from() -> str:
    """Return a hash of all that the tables are made from."""
    here = files("trutdsl.syntax")
    sources = [(here / name).read_bytes() for name in (GRAMMAR, "parse.py")]
    return sha256(b"\0".join([*sources, lark.__version__.encode()])).hexdigest()


def _made() -> Lark:
    """Return the parser, made from the grammar, which takes long."""
    return Lark(
        (files("trutdsl.syntax") / GRAMMAR).read_text(encoding="utf-8"),
        start=["start", "vocabulary", "strategy"],
        parser="lalr",
        lexer="contextual",
        postlex=IndentLexer(),
        maybe_placeholders=True,
        propagate_positions=True,
        edit_terminals=_whole_words_only,
    )


def _tables_of(parser: Lark) -> bytes:
    """Return the tables of a parser, without the functions that it calls."""
    data, terms = parser.memo_serialize([TerminalDef, Rule])
    kept = data["options"].items()
    data["options"] = {k: v for k, v in kept if k not in ("postlex", "edit_terminals")}
    return marshal.dumps((data, terms), MARSHAL)


def _from_tables(kept: bytes) -> Lark:
    load: Any = Lark._load_from_dict  # without types; what Lark's generated parsers call
    parser: Lark = load(*marshal.loads(kept), postlex=IndentLexer())
    return parser


@cache
def spellings() -> dict[str, str]:
    """Return what is written for each terminal that stands for itself."""
    return {
        terminal.name: terminal.pattern.value.removesuffix(WORD_END)
        for terminal in grammar().terminals
        if isinstance(terminal.pattern, PatternStr) or terminal.pattern.value.endswith(WORD_END)
    }


def _whole_words_only(terminal: TerminalDef) -> None:
    """Keep a word of the language from being found at the start of a longer word."""
    if isinstance(terminal.pattern, PatternStr) and terminal.pattern.value.isalpha():
        terminal.pattern = PatternRE(terminal.pattern.value + WORD_END)
        terminal.priority = 1


def parse_rules(excerpt: Excerpt) -> Rules:
    """Return the syntax tree of a rules text; raises `Rejected` with one diagnostic."""
    rules = _parse(excerpt, "start", TreeBuilder(excerpt))
    assert isinstance(rules, Rules)
    return rules


def parse_vocabulary(excerpt: Excerpt) -> Rules:
    """Return the syntax tree of defines for strategies; raises as `parse_rules` does."""
    rules = _parse(excerpt, "vocabulary", TreeBuilder(excerpt))
    assert isinstance(rules, Rules)
    return rules


def parse_strategy(excerpt: Excerpt) -> Strategy:
    """Return the syntax tree of a strategy's script; raises as `parse_rules` does."""
    strategy = _parse(excerpt, "strategy", StrategyTreeBuilder(excerpt))
    assert isinstance(strategy, Strategy)
    return strategy


def _parse(excerpt: Excerpt, start: str, builder: TreeBuilder) -> Any:
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
        return build_tree(grammar().parse(text, start), builder)
    except UnexpectedToken as e:
        found = describe_unexpected(e, excerpt, spellings())
        at = _token_span(e.token, excerpt)
        if found.word is not None:
            at = excerpt.span(e.token.line or 1, found.word[0], e.token.line or 1, found.word[1])
        raise reject("syntax", found.message, at, help=found.help) from None
    except UnexpectedCharacters as e:
        raise _unknown_character(e, excerpt) from None
    except UnexpectedInput as e:
        at = excerpt.span(e.line, e.column, e.line, e.column + 1)
        raise reject("syntax", "the rules end in the middle of a sentence", at) from None
    except MisindentedError as e:
        message, help_ = e.told(excerpt.indent, excerpt.line - 1)
        raise reject("indentation", message, _token_span(e.token, excerpt), help=help_) from None
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
    line = excerpt.text.split("\n")[error.line - 1]
    if found == "/" and "//" in line:
        comment = "`#` starts a comment; to divide, write `div`"
        return reject("syntax", f"{shown} cannot stand here", at, help=comment)
    asked = re.search(rf"({PLACE})\.(?:size|length|count)\b", line)
    if found == "." and asked is not None:
        size = f"write `size({asked[1]})`"
        return reject("syntax", f"{shown} cannot stand here", at, help=size)
    if found == "." and ".." not in line:
        return reject("syntax", f"{shown} cannot stand here", at)
    help_ = INSTEAD.get(found)
    return reject("syntax", f"{shown} cannot stand here", at, help=help_)
