"""Says in words what was found where the grammar expected something else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lark.exceptions import UnexpectedToken

from trutdsl.diagnostics import Excerpt, did_you_mean
from trutdsl.syntax.hints import (
    QUANTIFIERS,
    STATEMENTS,
    hint_for_accent,
    hint_for_block,
    hint_for_choice,
    hint_for_option,
    hint_for_quantifier,
    hint_for_spoken,
    hint_for_variable,
    hint_for_verb,
    hint_in_line,
)

DECLARATIONS = (
    "zone", "match", "deal", "trick", "define", "rule", "replace", "state", "before", "after",
    "options", "add",
)  # fmt: skip
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
    "HANDS_OF": "'hands of'",
    "SET_OF": "'set of'",
    "ALL_OF": "'all of'",
    "PLACED": "'options'",
    "CARDS_OF": "'cards of'",
    "DECIMAL": "a decimal",
    "REF": "a name",
    "COMPARE": "a comparison",
    "$END": "the end of the rules",
}
OPERATORS = {"PLUS", "MINUS", "TIMES", "DIV", "MOD", "AND", "OR", "IN", "COMPARE", "COMMON", "NOT"}
VALUES = {"NAME", "INT", "DECIMAL", "STRING", "YES", "NO", "NONE", "LPAR", "LBRACE", "ALL_OF"}


COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
SET = {"EQUALS", "ADD_TO", "TAKE_FROM"}


@dataclass(frozen=True)
class Complaint:
    """What is wrong; `word` is where its caret stands if not at what was found: two columns."""

    message: str
    help: str | None = None
    word: tuple[int, int] | None = None


def describe_unexpected(
    error: UnexpectedToken, excerpt: Excerpt, spelled: Mapping[str, str]
) -> Complaint:
    """Return what to say of a token that the grammar does not allow there.

    spelled: for each terminal that stands for itself, what is written.
    """
    token = error.token
    expected = set(error.accepts or error.expected)
    found = {
        "_NL": "the end of the line",
        "_INDENT": "a deeper indentation",
        "_DEDENT": "the end of the block",
        "$END": "the end of the rules",
    }.get(token.type, f"'{token}'")
    line_no = token.line if token.type != "$END" and token.line else 0
    lines = excerpt.text.split("\n")
    line = lines[line_no - 1] if 0 < line_no <= len(lines) else ""
    if token.type == "_INDENT":
        return Complaint(
            "this line is indented, but nothing above it starts a block",
            "a block starts after ':' at the end of a line",
        )
    if token.type in ("_NL", "_DEDENT", "$END") and expected == {"_INDENT"}:
        return Complaint("an indented block was expected below this line")
    at = (token.column or 1) - 1
    if expected >= SET and line.strip() and token.type != "ACCENTED":
        return _no_sentence(found, line, at)
    message = f"found {found}, expected {in_words(expected, spelled)}"
    below = next((other.strip() for other in lines[line_no:] if other.strip()), "")
    if expected == {"ELSE"} and re.match(r"else\b", below):
        return Complaint(message, "indent the line with `else` deeper than this one")
    return Complaint(message, _hint(str(token), token.type, line, at, expected, spelled))


def _no_sentence(found: str, line: str, at: int) -> Complaint:
    """Return what to say of a sentence that begins like none."""
    before = line[:at]
    start = re.search(r"(?:^|:)\s*([A-Za-z_]\w*)\s*([(\[].*)?$", before)
    if start is None:
        return Complaint(f"found {found}, expected '=', '+=' or '-='", hint_in_line(line, at))
    first, more = start[1], (start[2] or "").strip()
    word = (start.start(1) + 1, start.end(1) + 1)
    message = f"no sentence begins with '{first}'"
    if help_ := hint_for_block(before):
        return Complaint(
            f"found '{first}' behind ':', expected a sentence of one line", help_, word
        )
    help_ = hint_for_spoken(first)
    help_ = help_ or hint_in_line(line, at) or hint_in_line(line, word[0]) or hint_for_verb(line)
    if help_ is None and first in ("while", "until"):
        help_ = f"write `repeat at most 100 times {first} ...:`"
    if help_ is None and first == "else":
        help_ = "`else` stands below an `if`, in the same column"
    if help_ is None and first == "when":
        help_ = "in an option, `when` stands before its ':'"
    if help_ is None and first == "elif":
        help_ = "write `else if`"
    if help_ is None and (not more or more.startswith("(")) and not line[at:].strip(" :"):
        help_ = f"to do a rule, write `do {first}{more}`"
    if help_ is None and more.startswith("["):
        return Complaint(f"found {found}, expected '=', '+=' or '-='", None)
    other = "start with a word such as `do` or `if`, or set a variable: `NAME = ...`"
    if first in STATEMENTS:
        return Complaint(f"found '{first}', expected another sentence", help_ or other, word)
    return Complaint(message, help_ or did_you_mean(first, STATEMENTS, 0.7) or other, word)


def in_words(expected: set[str], spelled: Mapping[str, str]) -> str:
    """Return what could stand there, as a message lists it."""
    parts: list[str] = []
    rest = set(expected)
    if {"LET", "IF"} <= rest:
        return "a clause" if "ANY" in rest else "a statement"
    if {"PARAMETER", "OTHERWISE"} <= rest:
        return "'parameter', 'match/deal/trick memory', 'define', 'rule', 'on' or 'otherwise'"
    if {"EQUALS", "ADD_TO"} <= rest:
        return "'=', '+=' or '-='"
    if {"ZONE", "RULE"} <= rest:
        return "'zone', 'match/deal/trick state', 'type', 'define' or 'rule'"
    if {"NAME", "INT"} <= rest and "LPAR" in rest:
        parts.append("a value")
        rest -= VALUES | {"MINUS", "NOT", "COUNT", "FIRST", "THOSE", "ANY", "EVERY", "HIGHEST"}
        rest -= {"LOWEST", "TOTAL", "ROLL", "RANDOM", "CHANCE", "DO", "BASE"}
    if len(rest & OPERATORS) >= 3:
        rest -= OPERATORS | {"LPAR", "LSQB", "IF"}
        parts.append("an operator")
    parts += sorted(WORDS.get(t) or f"'{spelled[t]}'" for t in rest)
    if len(parts) > 6:
        parts = [*parts[:5], "..."]
    return " or ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def _hint(
    found: str, kind: str, line: str, at: int, expected: set[str], spelled: Mapping[str, str]
) -> str | None:
    before = line[:at].split()
    if kind == "ACCENTED":
        return hint_for_accent(line, at)
    if kind == "NAME" and (help_ := hint_for_spoken(found)):
        return help_
    if before == ["replace"] and found in ("on", "otherwise"):
        return f"write `{found}` alone: it replaces that of what the script extends"
    if expected == {"REF"}:
        return "name it as its file is named: `strategy NAME:`"
    if "elif" in (found, *before):
        return "write `else if`"
    if help_ := hint_for_block(line[:at]):
        return help_
    if (expected == {"ELSE"} or (found == "if" and "_NL" in expected)) and (
        help_ := hint_for_choice(line)
    ):
        return help_
    if kind == "COMPARE" and (help_ := hint_for_quantifier(line[:at], found)):
        return help_
    if expected == {"NAME"} and before and re.split(r"\W", before[-1])[-1] in QUANTIFIERS:
        word = re.split(r"\W", before[-1])[-1]
        return f"`{word}` is a word of the language; give what you mean another name"
    if kind == "EQUALS" and expected <= {"COLON", "LSQB"} and (help_ := hint_for_variable(line)):
        return help_
    if "WHEN" in expected and "OPENLY" in expected and (help_ := hint_for_option(line, line[:at])):
        return help_
    if help_ := hint_in_line(line, at):
        return help_
    if found == "then":
        return "write ':' instead of `then`"
    if "COLON" in expected and before and before[0] in ("if", "for", "repeat", "else"):
        if "HAS" in expected and kind == "NAME":
            return f"write `has` before `{found}`"
        if before[-1] == "do":
            return f"give it a name in a sentence of its own: `let x = do {found}`"
        if ":" not in line[at:] and (found in STATEMENTS or kind == "NAME"):
            return f"write ':' before `{found}`"
    if found in STATEMENTS and kind != "NAME" and before:
        return None if {"NAME", "INT"} <= expected else f"write `{found}` on a line of its own"
    if kind == "COMPARE" and any(sign in before for sign in COMPARISONS):
        return "join two comparisons with `and`"
    if before and before[-1].strip("(") in ("first", "those", "count", "any", "every"):
        return f"put what starts with `{before[-1].strip('(')}` in parentheses"
    if before and len(before) == 1 and before[0] not in (*STATEMENTS, *DECLARATIONS):
        return did_you_mean(before[0], [*STATEMENTS, *DECLARATIONS], 0.7)
    if {"ZONE", "RULE"} <= expected:
        if found in STATEMENTS or re.match(r"\s*\w+(\[.*\])?\s*(=|\+=|-=)", line):
            return "sentences stand inside a rule, indented"
        return did_you_mean(found, DECLARATIONS, 0.7)
    if "COLON" in expected and kind == "_NL":
        return "end the line with ':'"
    if "BECAUSE" in expected and kind == "_NL":
        return "say why in one word: `because WORD`"
    if kind == "EQUALS":
        return "to compare, write '=='"
    if found in ("chance", "roll", "random", "do") and "LPAR" in expected:
        return f"give it a name in a sentence of its own: `let x = {found} ...`"
    return did_you_mean(found, [w for t in expected if (w := spelled.get(t, "")).isalpha()], 0.7)
