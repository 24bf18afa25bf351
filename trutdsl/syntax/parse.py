"""Parses a rules text: layout, grammar, tree; the one entry of this package."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternRE, PatternStr, TerminalDef

from trutdsl.diagnostics import Excerpt, Rejected, Span, reject
from trutdsl.files import hash_of, read_cache, write_cache
from trutdsl.language import figure, say
from trutdsl.syntax.alternatives import TreeBuilder
from trutdsl.syntax.ast import Rules
from trutdsl.syntax.from_tree import TooDeep, build_tree
from trutdsl.syntax.hints import hint_for_accent
from trutdsl.syntax.messages import describe_unexpected
from trutdsl.syntax.phrases import code_of, hint_in_line
from trutdsl.syntax.phrases.shared import PLACE_OF, SEAT_NAMES, TEAM_NAMES, hint_for_part
from trutdsl.syntax.strategy_ast import StrategyTree

DEEPEST_LAYOUT = 24
DEEPEST_PARENTHESES = 40


class LayoutError(Exception):
    """Indentation or parentheses that do not match.

    token: its position. help: the correction, if there is one.
    """

    def __init__(self, code: str, message: str, token: Token, help: str | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.token, self.help = code, message, token, help


class MisindentedError(LayoutError):
    """A line whose indentation matches no block.

    column: its columns from the left edge of the rules.
    blocks: the blocks around it, outermost first: the line that begins one, and its columns.
    """

    def __init__(self, token: Token, column: int, blocks: list[tuple[int, int]]) -> None:
        super().__init__("indentation", "", token)
        self.column, self.blocks = column, blocks

    def explain(self, indent: int, offset: int) -> tuple[str, str]:
        """Return message and help, if the rules begin `indent` columns and `offset` lines in."""
        message = say("this line is indented by {found} spaces", found=self.column + indent)
        line, less = next(b for b in reversed(self.blocks) if b[1] < self.column)
        inner, more = next(b for b in self.blocks if b[1] > self.column)
        outer = say("the block of line {line}", line=line + offset) if line else say("a new rule")
        text = "indent it by {less} spaces for {outer}, or by {more} for the block of line {inner}"
        return say("{message}, which fits no block above it", message=message), (
            say(text, less=less + indent, outer=outer, more=more + indent, inner=inner + offset)
        )


class IndentLexer:
    """The post-lexer that Lark runs over the tokens.

    Line ends inside brackets do not count. If the next line is indented, a line end does not count
    after a word or sign that needs more, after the `else` of a value, or before it.
    """

    always_accept = ("_NL",)
    OPEN = frozenset({"LPAR", "LBRACE", "LSQB"})
    UNFINISHED = frozenset(
        "AND OR NOT PLUS MINUS TIMES DIV MOD COMMON COMPARE IN COMMA EQUALS ADD_TO TAKE_FROM "  # noqa: SIM905
        "WHERE HAS WHEN WITH".split()
    )
    CLOSE = frozenset({"RPAR", "RBRACE", "RSQB"})
    SENTENCE_BEGINS = frozenset({"_NL", "_INDENT", "_DEDENT", "COLON", "ELSE"})  # after these

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Yield the tokens with indentation made explicit; raises `LayoutError`."""
        columns = [(0, 0)]
        open_brackets: list[Token] = []
        last: Token | None = None
        choices = 0  # values with an `if` on this line that still need an `else`
        other: Token | None = None  # the latest `else` of a value
        for token in stream:
            previous, last = last, token
            if token.type == "IF" and previous and previous.type not in self.SENTENCE_BEGINS:
                choices += 1
            elif token.type == "ELSE" and choices:
                choices -= 1
                other = token
            if token.type == "_NL":
                deeper = len(token.rsplit("\n", 1)[1]) > columns[-1][1]
                unfinished = previous is not None and (
                    previous.type in self.UNFINISHED or previous is other
                )
                if not open_brackets and not (deeper and (unfinished or choices)):
                    choices = 0
                    yield from self._line_end(
                        token, columns, (previous.line if previous else 0) or 0
                    )
                continue
            if token.type in self.OPEN:
                open_brackets.append(token)
                if len(open_brackets) > DEEPEST_PARENTHESES:
                    text = "brackets are nested more than {deepest} deep"
                    message = say(text, deepest=DEEPEST_PARENTHESES)
                    raise LayoutError(
                        "too-deep", message, token, say("give the inner part a name with `define`")
                    )
            elif token.type in self.CLOSE and open_brackets:
                open_brackets.pop()
            yield token
        if open_brackets:
            message = say("'{bracket}' is never closed", bracket=open_brackets[-1])
            pairs = {"(": ")", "[": "]", "{": "}"}
            help_ = say("write `{spoken}` where it ends", spoken=pairs[str(open_brackets[-1])])
            raise LayoutError("syntax", message, open_brackets[-1], help_)
        for _ in columns[1:]:
            yield Token.new_borrow_pos("_DEDENT", "", last) if last else Token("_DEDENT", "")

    def _line_end(self, token: Token, columns: list[tuple[int, int]], line: int) -> Iterator[Token]:
        """Yield the tokens for a line end.

        columns: for each open block the line that begins it, and its indentation.
        """
        yield token
        column = len(token.rsplit("\n", 1)[1])
        indent = Token("_INDENT", "", line=token.end_line, column=column + 1,
                     end_line=token.end_line, end_column=column + 1)  # fmt: skip
        if column > columns[-1][1]:
            columns.append((line, column))
            if len(columns) > DEEPEST_LAYOUT:
                text = "blocks are nested more than {deepest} deep"
                message = say(text, deepest=DEEPEST_LAYOUT)
                raise LayoutError(
                    "too-deep", message, indent, say("move the inner block into a rule of its own")
                )
            yield indent
            return
        blocks = list(columns)
        while column < columns[-1][1]:
            columns.pop()
            yield indent.update(type="_DEDENT")
        if column != columns[-1][1]:
            raise MisindentedError(indent, column, blocks)


LARGEST_TEXT, LONGEST_LINE = 300_000, 2_000
GRAMMAR, TABLES = "rules.lark", "rules.tables"
WORD_END = r"(?![A-Za-z0-9_])"
QUOTES = 'write texts in double quotes: "..."'
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

    The tables come with the program, or from the cache if its grammar was changed since.
    """
    tables = _shipped_tables()
    if tables is not None:
        return Lark.load(BytesIO(tables))
    key = hash_of("grammar", _grammar_hash())
    data = read_cache(key)
    if data is not None:
        return Lark.load(BytesIO(data))
    parser = _build_parser()
    write_cache(key, _tables_of(parser))
    return parser


def write_tables(path: Path) -> None:
    """Write the parser's tables for `grammar`; called when the program is built."""
    path.write_bytes(_grammar_hash().encode() + b"\n" + _tables_of(_build_parser()))


def _shipped_tables() -> bytes | None:
    """Return the tables from the build of the program, None if they are of another grammar."""
    try:
        made_from, _, tables = (files("trutdsl.syntax") / TABLES).read_bytes().partition(b"\n")
    except OSError:
        return None
    return tables if made_from == _grammar_hash().encode() else None


def _grammar_hash() -> str:
    folder = files("trutdsl.syntax")
    sources = [(folder / name).read_bytes() for name in (GRAMMAR, "parse.py")]
    return sha256(b"\0".join([*sources, lark.__version__.encode()])).hexdigest()


def _build_parser() -> Lark:
    """Build the parser from the grammar, which takes long."""
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
    out = BytesIO()
    parser.save(out, exclude_options=("edit_terminals",))  # it has done its work
    return out.getvalue()


@cache
def spellings() -> dict[str, str]:
    """Return the text of each terminal that stands for itself."""
    return {
        terminal.name: terminal.pattern.value.removesuffix(WORD_END)
        for terminal in grammar().terminals
        if isinstance(terminal.pattern, PatternStr) or terminal.pattern.value.endswith(WORD_END)
    }


def _whole_words_only(terminal: TerminalDef) -> None:
    """Prevent a match of a reserved word at the start of a longer word."""
    if isinstance(terminal.pattern, PatternStr) and terminal.pattern.value.isalpha():
        terminal.pattern = PatternRE(terminal.pattern.value + WORD_END)
        terminal.priority = 1


def parse_rules(excerpt: Excerpt, is_vocabulary: bool = False) -> Rules:
    """Return the syntax tree of a rules text; raises `Rejected` with one diagnostic.

    is_vocabulary: the text holds only `define`s for strategies.
    """
    rules = _parse(excerpt, "vocabulary" if is_vocabulary else "start")
    assert isinstance(rules, Rules)
    return rules


def parse_strategy(excerpt: Excerpt) -> StrategyTree:
    """Return the syntax tree of a strategy's script; raises as `parse_rules` does."""
    strategy = _parse(excerpt, "strategy")
    assert isinstance(strategy, StrategyTree)
    return strategy


def check_size(excerpt: Excerpt) -> None:
    """Refuse a text, or a line of it, that is too large to be read; raises `Rejected`."""
    if len(excerpt.text) > LARGEST_TEXT:
        message = say(
            "the rules have {number} characters; at most {largest} are read",
            number=figure(len(excerpt.text), ","),
            largest=figure(LARGEST_TEXT, ","),
        )
        help_ = say("put parts of it into modules")
        raise reject("too-large", message, excerpt.span(1, 1, 1, 1), help=help_)
    for number, line in enumerate(excerpt.text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            text = "this line is {number} characters long; at most 2,000 are read"
            message = say(text, number=figure(len(line), ","))
            at = excerpt.span(number, LONGEST_LINE + 1, number, LONGEST_LINE + 2)
            raise reject("too-large", message, at)


def _parse(excerpt: Excerpt, start: str) -> Any:
    check_size(excerpt)
    _reject_odd_characters(excerpt)
    text = excerpt.text.rstrip() + "\n"
    try:
        return build_tree(grammar().parse(text, start), TreeBuilder(excerpt))
    except UnexpectedToken as e:
        complaint = describe_unexpected(e, excerpt, spellings())
        at = _token_span(e.token, excerpt)
        if complaint.word is not None:
            at = excerpt.span(
                e.token.line or 1, complaint.word[0], e.token.line or 1, complaint.word[1]
            )
        raise reject("syntax", complaint.message, at, help=complaint.help) from None
    except UnexpectedCharacters as e:
        raise _unknown_character(e, excerpt) from None
    except UnexpectedInput as e:
        at = excerpt.span(e.line, e.column, e.line, e.column + 1)
        raise reject("syntax", say("the rules end in the middle of a sentence"), at) from None
    except MisindentedError as e:
        message, help_ = e.explain(excerpt.indent, excerpt.line - 1)
        raise reject("indentation", message, _token_span(e.token, excerpt), help=help_) from None
    except LayoutError as e:
        at = _token_span(e.token, excerpt)
        raise reject(e.code, e.message, at, help=e.help) from None
    except TooDeep as e:
        message = say("this expression is nested too deeply")
        help_ = say("give a part of it a name with `define`")
        raise reject("too-deep", message, e.span, help=help_) from None


def _reject_odd_characters(excerpt: Excerpt) -> None:
    for number, line in enumerate(excerpt.text.split("\n"), 1):
        blank = line[: len(line) - len(line.lstrip())]
        at = next((i for i, c in enumerate(line) if c == "\t" and i < len(blank)), None)
        if at is not None:
            message = say("the indentation contains a tab")
            help_ = say("indent with spaces only")
            raise reject("tab", message, excerpt.span(number, at + 1, number, at + 2), help=help_)


def _token_span(token: Token, excerpt: Excerpt) -> Span:
    last = excerpt.text.rstrip().count("\n") + 1
    if token.type == "$END" or token.line is None or token.line > last:
        col = len(excerpt.text.rstrip().rsplit("\n", 1)[-1]) + 1
        return excerpt.span(last, col, last, col + 1)
    if token.type == "_NL":
        end = len(code_of(excerpt.text.split("\n")[token.line - 1])) + 1
        return excerpt.span(token.line, end, token.line, end + 1)
    column = token.column or 1
    return excerpt.span(
        token.line, column, token.end_line or token.line, token.end_column or column
    )


def _unknown_character(error: UnexpectedCharacters, excerpt: Excerpt) -> Rejected:
    at = excerpt.span(error.line, error.column, error.line, error.column + 1)
    sign = error.char
    if sign == '"':
        return reject(
            "syntax", say("this text is not closed on its line"), at, help=say('end it with `"`')
        )
    what = (
        say("the sign {found}", found=sign)
        if sign.isprintable()
        else say("the character U+{ord}", ord=f"{ord(sign):04X}")
    )
    line = code_of(excerpt.text.split("\n")[error.line - 1])
    help_ = _help_for_sign(sign, line, error.column)
    return reject("syntax", say("{shown} is not allowed here", shown=what), at, help=help_)


def _help_for_sign(sign: str, line: str, column: int) -> str | None:
    """Return what to write instead of a sign that the language does not have; line: its code."""
    head = unicodedata.normalize("NFC", line[:column])
    if unicodedata.combining(sign) and head[-1:].isalpha():  # an accent that follows its letter
        return hint_for_accent(unicodedata.normalize("NFC", line), len(head) - 1)
    if sign == "/" and "//" in line:
        return say("`#` starts a comment; to divide, write `div`")
    if sign in "'’" and (owner := re.search(r"(\w+)['’]s\s+(\w+)", line)):
        return hint_for_part(owner[2], owner[1])
    if sign in "'’" and (word := re.match(r"\s*(\w+(?: \w+)*)['’](\w+)(?!['’])\b", line)):
        text = "leave it out: `{option}`; the key `words` of the file can say how it is written"
        return say(text, option=f"{word[1]} {word[2]}")
    if sign == "." and (path := re.search(r"[\w./-]+\.(?:yaml|strategy|csv)\b", line)):
        return say("put the path of a file in quotes: `{path}`", path=f'"{path[0]}"')
    if sign == "." and re.match(r"\s*\d{1,2}\.\s", line):
        return say("leave out the number; the lines are tried from the first on")
    if sign == "." and (member := re.search(rf"({PLACE_OF})\.([a-z]\w*)", line)):
        if re.fullmatch(f"{SEAT_NAMES}|{TEAM_NAMES}", member[2]):  # `points.winner`
            return hint_for_part(member[1], member[2])
        return hint_for_part(member[2], member[1])
    if sign == "." and ".." not in line:
        return None
    if sign == "!" and re.search(r"^\s*(?:on\b.*:\s*)?\w+!", line):
        return say("write the name of the option, which `trutdsl show VARIANT` has in brackets")
    return (hint_in_line(line, column - 1) if sign == "/" else None) or INSTEAD.get(sign)
