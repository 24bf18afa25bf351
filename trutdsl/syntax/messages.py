"""Messages for syntax errors: the unexpected text, and the expected one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lark.exceptions import UnexpectedToken

from trutdsl.diagnostics import Excerpt, did_you_mean
from trutdsl.language import quote_name, say
from trutdsl.syntax.hints import (
    STATEMENTS,
    hint_for_block,
    hint_for_empty_block,
    hint_for_spoken,
    hint_for_verb,
    hint_in_clause,
    instead_of_condition,
)
from trutdsl.syntax.phrases import code_of, hint_in_line
from trutdsl.syntax.phrases.sentences import hint_for_each
from trutdsl.syntax.unexpected import OPERATORS, Unexpected, help_for

WORDS = {
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a text in quotes",
    "CITES": "a source in [ ]",
    "ACCENTED": "a word",
    "AT_MOST": "'at most'",
    "AS_PASS": "'as pass'",
    "AT_RANDOM": "'at random'",
    "ONCE": "'once a'",
    "RATE_OF": "'rate of'",
    "MIX": "'mix'",
    "HANDS_OF": "'hands of'",
    "SET_OF": "'set of'",
    "ALL_OF": "'all of'",
    "PLACED": "'options'",
    "CARDS_OF": "'cards of'",
    "LOOK_AT": "'look at'",
    "DEAL_OVER": "'when a deal is over'",
    "MATCH_OVER": "'when the match is over'",
    "DECIMAL": "a decimal",
    "REF": "a name",
    "COMPARE": "a comparison",
    "$END": "the end of the rules",
}
VALUES = {"NAME", "INT", "DECIMAL", "STRING", "YES", "NO", "NONE", "LPAR", "LBRACE", "ALL_OF"}
LONGEST_HELPED = 400  # characters of a line; some phrases need seconds for more
SET = {"EQUALS", "ADD_TO", "TAKE_FROM"}
DECLARED = re.compile(r"\s*(?:(?:replace|before|after)\s+)?(define|rule|options|add|when)\b")


@dataclass(frozen=True)
class Complaint:
    """A message; `word`: two columns for the caret, if it is not at the unexpected text."""

    message: str
    help: str | None = None
    word: tuple[int, int] | None = None


def describe_unexpected(
    error: UnexpectedToken, excerpt: Excerpt, spellings: Mapping[str, str]
) -> Complaint:
    """Return the message for a token that the grammar does not allow there.

    spellings: the text of each terminal that stands for itself.
    """
    token = error.token
    expected = set(error.accepts or error.expected)
    result = {
        "_NL": say("the end of the line"),
        "_INDENT": say("a deeper indentation"),
        "_DEDENT": say("the end of the block"),
        "$END": say("the end of the rules"),
    }.get(token.type, quote_name(token))
    line_no = token.line if token.type != "$END" and token.line else 0
    lines = excerpt.text.split("\n")
    line = code_of(lines[line_no - 1]) if 0 < line_no <= len(lines) else ""
    if token.type == "_INDENT":
        message = say("this line is indented, but nothing above it starts a block")
        text = "begin it in the column of the line above, or end that line with ':'"
        return Complaint(message, _help_to_go_on(line) or say(text))
    if token.type in ("_NL", "_DEDENT", "$END") and expected == {"_INDENT"}:
        head = next((one for one in reversed(lines[: line_no or None]) if one.strip()), "")
        message = say("an indented block was expected below this line")
        return Complaint(message, hint_for_empty_block(head))
    at = (token.column or 1) - 1
    is_long = len(line) > LONGEST_HELPED
    if expected >= SET and line.strip() and token.type != "ACCENTED" and not is_long:
        return _no_sentence(result, line, at, expected, _has_result(lines[:line_no]))
    message = say(
        "found {found}, expected {in_words}", found=result, in_words=in_words(expected, spellings)
    )
    word = None
    if token.type == "ACCENTED" and (plain := re.search(r"[A-Za-z0-9_]+$", line[:at])):
        word = plain.start() + 1, token.end_column or 0  # its plain letters were read as a name
        name = line[plain.start() : word[1] - 1]
        message = say("there is no {what} '{name}'", what=say("name"), name=name)
    next_line = next((other.strip() for other in lines[line_no:] if other.strip()), "")
    if expected == {"ELSE"} and re.match(r"else\b", next_line):
        return Complaint(message, say("indent the line with `else` deeper than this one"))
    if token.type == "_NL" and (help_text := _help_to_go_on(next_line)):
        return Complaint(message, help_text)
    if is_long:
        return Complaint(message, None, word)
    found = Unexpected(str(token), token.type, line, at, expected, spellings)
    return Complaint(message, help_for(found), word)


def _help_to_go_on(line: str) -> str | None:
    """Return the help for a line that begins with what should end the line above."""
    word = re.match(r"\s*(and|or|in|not in|where|has|with|[-+*&]|[<>=!]=?)(?!\w)", line)
    text = "end a line with `{word}`: then the sentence goes on in the next one"
    return say(text, word=word[1]) if word else None


def _has_result(lines: Sequence[str]) -> bool:
    """Return whether the last line stands in a define, or in a rule that returns a value."""
    heads = filter(None, map(DECLARED.match, reversed(lines)))
    head = next(heads, None)
    return head is not None and (head[1] == "define" or "->" in head.string)


def _no_sentence(token: str, line: str, at: int, expected: set[str], has_result: bool) -> Complaint:
    """Return the message for a line that begins as no sentence does."""
    head = line[:at]
    start = re.search(r"(?:^|:)\s*([A-Za-z_]\w*)\s*([(\[].*)?$", head)
    other = say("start with a word such as `do` or `if`, or set a variable: `NAME = ...`")
    if start is None:
        text = say("found {found}, expected '=', '+=' or '-='", found=token)
        return Complaint(text, hint_in_line(line, at) or other)
    first, more = start[1], (start[2] or "").strip()
    word = (start.start(1) + 1, start.end(1) + 1)
    message = say("no sentence begins with '{first}'", first=first)
    if help_ := hint_for_block(head):
        return Complaint(
            say("found '{first}' behind ':', expected a sentence of one line", first=first),
            help_,
            word,
        )
    if re.match(r"\s*(?:sinon|sonst)\s+(?:si|wenn)\b", line):
        return Complaint(message, say("write `{spoken}`", spoken="else if"), word)
    help_ = (
        hint_for_each(line)
        or hint_for_spoken(first)
        or hint_in_clause(line, token.strip("'"), expected)
    )
    help_ = help_ or hint_in_line(line, at) or hint_in_line(line, word[0]) or hint_for_verb(line)
    if help_ is None and re.match(r"\s*on\s[^:]*:\s*if\s[^:]+:", line):
        help_ = instead_of_condition(line)
    if help_ is None and first == "openly":
        help_ = say("to show a card to a seat, write `look at CARD by SEAT`")
    if help_ is None and first in ("while", "until"):
        help_ = say("write `repeat at most 100 times {first} ...:`", first=first)
    if help_ is None and first == "else":
        help_ = say("write `else` below an `if`, in the same column")
    if help_ is None and first == "when":
        help_ = say("in an option, write `when` before the ':'")
    if help_ is None and first == "elif":
        help_ = say("write `else if`")
    if help_ is None and first == "otherwise" and "ANY" not in expected:
        help_ = say("write `{spoken}`", spoken="else")
    near = did_you_mean(first, STATEMENTS, 0.7)
    if help_ is None and has_result and near is None:
        help_ = say("to give a value, write `return {value}`", value=line[start.start(1) :].strip())
    if help_ is None and (not more or more.startswith("(")) and not line[at:].strip(" :"):
        help_ = say("to do a rule, write `do {first}{more}`", first=first, more=more)
    if more.startswith("["):
        return Complaint(say("found {found}, expected '=', '+=' or '-='", found=token), help_)
    if first in STATEMENTS:
        return Complaint(
            say("found '{first}', expected another sentence", first=first), help_ or other, word
        )
    return Complaint(message, help_ or near or other, word)


def in_words(expected: set[str], spellings: Mapping[str, str]) -> str:
    """Return the expected texts as a message lists them."""
    parts: list[str] = []
    rest = set(expected)
    if {"LET", "IF"} <= rest:
        return say("a clause") if "ANY" in rest else say("a statement")
    if {"PARAMETER", "OTHERWISE"} <= rest:
        kinds = "'parameter', '... memory', 'define', 'table', 'rule', 'on', 'after deal'"
        return say("{kinds} or 'otherwise'", kinds=kinds)
    if {"EQUALS", "ADD_TO"} <= rest:
        return say("'=', '+=' or '-='")
    if {"ZONE", "RULE"} <= rest:
        return say("'zone', 'match/deal/trick state', 'type', 'define' or 'rule'")
    if {"NAME", "INT"} <= rest and "LPAR" in rest:
        parts.append(say("a value"))
        rest -= VALUES | {"MINUS", "NOT", "COUNT", "FIRST", "THOSE", "ANY", "EVERY", "HIGHEST"}
        rest -= {"LOWEST", "TOTAL", "RATE_OF", "ROLL", "RANDOM", "CHANCE", "DO", "BASE"}
    if len(rest & OPERATORS) >= 3:
        rest -= OPERATORS | {"LPAR", "LSQB", "IF"}
        parts.append(say("an operator"))
    parts += sorted(_word(WORDS[t]) if t in WORDS else quote_name(spellings[t]) for t in rest)
    if len(parts) > 6:
        parts = [*parts[:5], "..."]
    return say(" or ").join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def _word(text: str) -> str:
    """Return the words of a terminal; what is written as it stands, in the language's quotes."""
    return quote_name(text[1:-1]) if text.startswith("'") else say(text)
