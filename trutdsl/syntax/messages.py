"""Messages for syntax errors: the unexpected text, and the expected one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lark.exceptions import UnexpectedToken

from trutdsl.diagnostics import Excerpt, did_you_mean
from trutdsl.language import quote_name, say
from trutdsl.syntax.hints import (
    COMMON_WORDS,
    QUANTIFIERS,
    STATEMENTS,
    hint_for_accent,
    hint_for_block,
    hint_for_choice,
    hint_for_declaration,
    hint_for_key,
    hint_for_option,
    hint_for_quantifier,
    hint_for_spoken,
    hint_for_variable,
    hint_for_verb,
    hint_in_clause,
    instead_of_condition,
)
from trutdsl.syntax.phrases import code_of, hint_in_line
from trutdsl.syntax.phrases.sentences import hint_for_each

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
OPERATORS = {"PLUS", "MINUS", "TIMES", "DIV", "MOD", "AND", "OR", "IN", "COMPARE", "COMMON", "NOT"}
VALUES = {"NAME", "INT", "DECIMAL", "STRING", "YES", "NO", "NONE", "LPAR", "LBRACE", "ALL_OF"}


QUANTIFIED = r".*\b(any|every|count|first|those)\s+\w+\s+in\s[^:]*$"
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
DECLARED = r"\s*\w+\s*(?:\([^)]*\)\s*)?:\s*\S"  # a name and its value
SET = {"EQUALS", "ADD_TO", "TAKE_FROM"}


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
        return Complaint(message, say(text))
    if token.type in ("_NL", "_DEDENT", "$END") and expected == {"_INDENT"}:
        text = "write what happens below it, indented; a rule without effect has `return`"
        head = next((one for one in reversed(lines[: line_no or None]) if one.strip()), "")
        help_text = say(text) if re.match(r"\s*(?:\w+\s+)?rule\b", head) else None
        return Complaint(say("an indented block was expected below this line"), help_text)
    at = (token.column or 1) - 1
    if expected >= SET and line.strip() and token.type != "ACCENTED":
        return _no_sentence(result, line, at, expected)
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
    return Complaint(message, _hint(str(token), token.type, line, at, expected, spellings), word)


def _no_sentence(token: str, line: str, at: int, expected: set[str]) -> Complaint:
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
    if help_ is None and (not more or more.startswith("(")) and not line[at:].strip(" :"):
        help_ = say("to do a rule, write `do {first}{more}`", first=first, more=more)
    if more.startswith("["):
        return Complaint(say("found {found}, expected '=', '+=' or '-='", found=token), help_)
    if first in STATEMENTS:
        return Complaint(
            say("found '{first}', expected another sentence", first=first), help_ or other, word
        )
    return Complaint(message, help_ or did_you_mean(first, STATEMENTS, 0.7) or other, word)


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


def _hint_in_script(token: str, line: str) -> str | None:
    """Return the help for a line that begins none of the parts of a script."""
    if re.match(r"\s*(?:\w+\s+)?memory\s*:", line):
        return say("say how long it lasts: `deal memory:`, `match memory:` or `trick memory:`")
    if token in ("import", "include", "use", "uses", "extends", "extend"):
        return say("write it in the first line: `strategy NAME extends OTHER:`")
    if token == "for" and " in " not in line and not line.endswith(":"):
        return say("write it in the first line: `strategy NAME for VARIANT:`")
    if token in ("mix", "let", "do", "stop", "next", "set"):
        return say("write it below `on DECISION:`, indented")
    if re.match(r"\s*\w+\s*:", line):
        return say("write `on {found}:`", found=token)
    if re.match(r"\s*(?:at|when|if|for)\s+[\w,\s\"]+:", line) and " in " not in line:
        return say("write `on` instead of `{found}`", found=token)
    return None


def _hint(
    token: str, kind: str, line: str, at: int, expected: set[str], spellings: Mapping[str, str]
) -> str | None:
    words = line[:at].split()
    if expected == {"_INDENT"} and words == []:
        return say(
            "indent this line deeper than the one above, or write between them what belongs there"
        )
    if expected <= {"COLON", "LSQB"} and kind == "_NL" and "zone" in words[:2]:
        return say("say who sees its cards: `{zone}: seen by nobody`", zone=line.strip())
    if expected == {"COLON", "LSQB"} and kind == "_NL" and words:
        return say("say its type, as in `{found}: number`", found=words[-1])
    if token == "parameter" and {"ZONE", "RULE"} <= expected:
        example = "parameters: {bonus: {type: integer, min: 0, max: 9, default: 1, help: TEXT}}"
        return say("write it in the first column, above `rules: |`: `{example}`", example=example)
    if "COLON" in expected and words == ["otherwise"]:
        return say("write ':' before `{found}`", found=token)
    if not words and (help_ := hint_for_declaration(token, expected)):
        return help_
    if {"ZONE", "RULE"} <= expected and (help_ := hint_for_key(line)):
        return help_
    if "DEFINE" in expected and "ON" not in expected and re.match(DECLARED, line):
        text = "write `define` or `rule` before `{found}`"
        return say(text if "RULE" in expected else "write `define` before `{found}`", found=token)
    if "STRATEGY" in expected and token in ("import", "from", "class", "def"):
        return say("a strategy in Python is a file whose name ends in .py")
    if {"ON", "OTHERWISE"} <= expected and (help_ := _hint_in_script(token, line)):
        return help_
    if words == ["after"] and expected == {"DEAL"}:
        return say("write `{spoken}`", spoken="after deal:")
    if token == "else" and "ANY" in expected and {"LET", "IF"} <= expected:
        return say("a clause has no `else`: what applies otherwise is the next clause")
    if token == "->" and {"COLON", "CITES"} <= expected:
        return say("write `-> TYPE` before the text in quotes")
    if {"COLON", "CITES"} <= expected and line[:at].rstrip().endswith('"') and kind != "_NL":
        return say("write ':' before `{found}`", found=token)
    if "STRATEGY" in expected:
        return say("a script begins with `strategy NAME:`; the file of a variant ends in .yaml")
    if kind == "ACCENTED":
        return hint_for_accent(line, at)
    if "WHEN" in expected and (token in ("if", "then") or COMMON_WORDS.get(token.lower()) == "if"):
        return say("write `{spoken}`", spoken="when")
    if kind == "NAME" and (help_ := hint_for_spoken(token)):
        return help_
    if {"ZONE", "RULE"} <= expected and re.match(r"\s*when\s+rule\b", line):
        return say("write `after rule`, `before rule` or `replace rule`")
    if words == ["replace"] and token in ("on", "otherwise"):
        return say(
            "write `{found}` alone: it replaces that of what the script extends", found=token
        )
    if expected == {"REF"}:
        return say("name it as its file is named: `strategy NAME:`")
    if "elif" in (token, *words):
        return say("write `else if`")
    if re.search(r"\bthen\b", line) and (help_ := hint_in_line(line, at)):
        return help_
    if help_ := hint_for_block(line[:at]):
        return help_
    if (expected == {"ELSE"} or (token == "if" and "_NL" in expected)) and (
        help_ := hint_for_choice(line)
    ):
        return help_
    if kind == "COMPARE" and (help_ := hint_for_quantifier(line[:at], token)):
        return help_
    if (
        expected == {"NAME"}
        and kind not in ("STRING", "INT")
        and token != "("
        and words
        and re.split(r"\W", words[-1])[-1] in QUANTIFIERS
    ):
        word = re.split(r"\W", words[-1])[-1]
        return say("`{word}` is a word of the language; give what you mean another name", word=word)
    if help_ := hint_in_clause(line, token, expected):
        return help_
    if kind == "EQUALS" and expected <= {"COLON", "LSQB"} and (help_ := hint_for_variable(line)):
        return help_
    if "WHEN" in expected and "OPENLY" in expected and (help_ := hint_for_option(line, line[:at])):
        return help_
    if help_ := hint_in_line(line, at):
        return help_
    if expected & {"HAS", "WHERE"} and kind == "NAME" and (of := re.search(QUANTIFIED, line[:at])):
        word = "has" if of[1] in ("any", "every") else "where"
        return say("write `{word}` before `{found}`", word=word, found=token)
    if "PERCENT" in expected and "COLON" in expected:
        return say("put what is computed in parentheses: `(...): ...`")
    if token == "then":
        return say("write ':' instead of `then`")
    if "COLON" in expected and words and words[0] in ("if", "for", "repeat", "else"):
        if words[-1] == "do":
            return say("give it a name in a sentence of its own: `let x = do {found}`", found=token)
        if ":" not in line[at:] and (token in STATEMENTS or kind == "NAME"):
            return say("write ':' before `{found}`", found=token)
    if token in STATEMENTS and kind != "NAME" and words:
        return (
            None
            if {"NAME", "INT"} <= expected
            else say("write `{found}` on a line of its own", found=token)
        )
    if kind == "COMPARE" and any(sign in words for sign in COMPARISONS):
        return say("join two comparisons with `and`")
    if words and words[-1].strip("(") in ("first", "those", "count", "any", "every"):
        return say("put what starts with `{strip}` in parentheses", strip=words[-1].strip("("))
    if words and len(words) == 1 and words[0] not in (*STATEMENTS, *DECLARATIONS):
        return did_you_mean(words[0], [*STATEMENTS, *DECLARATIONS], 0.7)
    if {"ZONE", "RULE"} <= expected:
        if token in STATEMENTS or re.match(r"\s*\w+(\[.*\])?\s*(=|\+=|-=)", line):
            return say("write sentences inside a rule, indented")
        near = did_you_mean(token, DECLARATIONS, 0.7)
        head = re.match(r"\s*\w+\s*(?:\([^)]*\)\s*)?\"", line)
        return near or (say("write `{spoken}`", spoken=f"rule {token} ...") if head else None)
    if "COLON" in expected and kind == "_NL":
        return say("end the line with ':'")
    if "BECAUSE" in expected and kind == "_NL":
        return say("say why in one word: `because WORD`")
    if kind == "EQUALS" and len(expected & OPERATORS) >= 3:
        return say("to compare, write '=='")
    if kind == "EQUALS" and "COLON" in expected:
        return say("write ':' instead of `{found}`", found=token)
    if token in ("chance", "roll", "random", "do") and "LPAR" in expected:
        return say("give it a name in a sentence of its own: `let x = {found} ...`", found=token)
    if kind == "_NL" and {"NAME", "INT"} <= expected and words:
        return say("write what stands behind `{last}`, or leave it out", last=words[-1])
    hint = did_you_mean(token, [w for t in expected if (w := spellings.get(t, "")).isalpha()], 0.7)
    if hint is None and kind == "NAME" and len(expected & OPERATORS) >= 3:
        return say("a name is one word: join its words with `_`, or write an operator between")
    return hint
