"""Says in words what was found where the grammar expected something else."""

from __future__ import annotations

from lark.exceptions import UnexpectedToken

from trutdsl.diagnostics import did_you_mean
from trutdsl.source import Excerpt

STATEMENTS = tuple(
    "let do return stop next again base shuffle draw move gather end reveal if else for repeat "  # noqa: SIM905
    "deal trick setup ask".split()
)
DECLARATIONS = ("zone", "match", "deal", "trick", "define", "rule", "replace", "state")
WORDS = {
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "COLON": "':'",
    "COMMA": "','",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a text in quotes",
    "CITES": "a source in [ ]",
    "EQUALS": "'='",
    "ADD_TO": "'+='",
    "TAKE_FROM": "'-='",
    "QMARK": "'?'",
    "VBAR": "'|'",
    "AT_MOST": "'at most'",
    "PLUS": "'+'",
    "MINUS": "'-'",
    "TIMES": "'*'",
    "COMMON": "'&'",
    "COMPARE": "a comparison",
    "__ANON_0": "'->'",
}
OPERATORS = {"PLUS", "MINUS", "TIMES", "DIV", "MOD", "AND", "OR", "IN", "COMPARE", "COMMON", "NOT"}
VALUES = {"NAME", "INT", "STRING", "YES", "NO", "NONE", "LPAR", "LBRACE"}


def describe_unexpected(error: UnexpectedToken, excerpt: Excerpt) -> tuple[str, str | None]:
    """Return the message and the help for a token that the grammar does not allow there."""
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
        return "this line is indented, but nothing above it starts a block", (
            "a block starts after ':' at the end of a line"
        )
    if token.type in ("_NL", "_DEDENT", "$END") and expected == {"_INDENT"}:
        return "an indented block was expected below this line", None
    message = f"found {found}, expected {_in_words(expected)}"
    return message, _hint(str(token), token.type, line, (token.column or 1) - 1, expected)


COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def _start_hint(line: str) -> str | None:
    """Return what to write instead of a line that starts like none."""
    first = line.split(None, 1)[0]
    if first in ("while", "until"):
        return f"write `repeat at most 100 times {first} ...:`"
    if first.startswith("else"):
        return "`else` stands below an `if`, in the same column"
    if "(" in first and line.rstrip().endswith(")"):
        return f"to do a rule, write `do {line.strip()}`"
    near = did_you_mean(first, STATEMENTS)
    return near or "start with a word such as `do` or `if`, or set a variable: `NAME = ...`"


def _in_words(expected: set[str]) -> str:
    parts: list[str] = []
    rest = set(expected)
    if {"LET", "IF"} <= rest:
        return "a statement"
    if {"EQUALS", "ADD_TO"} <= rest:
        return "'=', '+=' or '-='"
    if {"ZONE", "RULE"} <= rest:
        return "'zone', 'match/deal/trick state', 'define' or 'rule'"
    if {"NAME", "INT"} <= rest and "LPAR" in rest:
        parts.append("a value")
        rest -= VALUES | {"MINUS", "NOT", "COUNT", "FIRST", "THOSE", "ANY", "EVERY", "HIGHEST"}
        rest -= {"LOWEST", "TOTAL", "ROLL", "RANDOM", "CHANCE", "DO", "BASE"}
    if len(rest & OPERATORS) >= 3:
        rest -= OPERATORS | {"LPAR", "LSQB", "IF"}
        parts.append("an operator")
    parts += sorted(WORDS.get(t, f"'{t.lower().replace('_', ' ')}'") for t in rest)
    if len(parts) > 6:
        parts = [*parts[:5], "..."]
    return " or ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def _hint(found: str, kind: str, line: str, at: int, expected: set[str]) -> str | None:
    before = line[:at].split()
    if "elif" in (found, *before):
        return "write `else if`"
    if expected >= {"EQUALS", "ADD_TO"} and line.strip() and (help_ := _start_hint(line)):
        return help_
    if found in STATEMENTS and kind != "NAME" and before:
        return None if {"NAME", "INT"} <= expected else f"write `{found}` on a line of its own"
    if kind == "COMPARE" and any(sign in before for sign in COMPARISONS):
        return "join two comparisons with `and`"
    if found == "then":
        return "write ':' instead of `then`"
    if before and before[-1].strip("(") in ("first", "those", "count", "any", "every"):
        return f"put what starts with `{before[-1].strip('(')}` in parentheses"
    if before and len(before) == 1:
        near = did_you_mean(before[0], [*STATEMENTS, *DECLARATIONS])
        if near and before[0] not in (*STATEMENTS, *DECLARATIONS):
            return near
    if {"ZONE", "RULE"} <= expected:
        return did_you_mean(found, DECLARATIONS)
    if "COLON" in expected and kind == "_NL":
        return "end the line with ':'"
    if kind == "EQUALS":
        return "to compare, write '=='"
    if found in ("chance", "roll", "random", "do") and "LPAR" in expected:
        return f"give it a name in a sentence of its own: `let x = {found} ...`"
    return did_you_mean(found, [t.lower() for t in expected if t.isalpha()])
