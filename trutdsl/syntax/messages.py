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
    line = excerpt.text.split("\n")[line_no - 1] if line_no else ""
    if token.type == "_INDENT":
        return "this line is indented, but nothing above it starts a block", (
            "a block starts after ':' at the end of a line"
        )
    if token.type == "_NL" and expected == {"_INDENT"}:
        return "an indented block was expected below this line", None
    message = f"found {found}, expected {_in_words(expected)}"
    return message, _hint(str(token), token.type, line, (token.column or 1) - 1, expected)


def _in_words(expected: set[str]) -> str:
    parts: list[str] = []
    rest = set(expected)
    if {"LET", "IF"} <= rest:
        return "a statement"
    if {"ZONE", "RULE"} <= rest:
        return "'zone', 'match/deal/trick state', 'define' or 'rule'"
    if {"NAME", "INT"} <= rest and "LPAR" in rest:
        parts.append("a value")
        rest -= VALUES | {"MINUS", "NOT", "COUNT", "FIRST", "THOSE", "ANY", "EVERY", "HIGHEST"}
        rest -= {"LOWEST", "TOTAL", "ROLL", "RANDOM", "CHANCE", "DO"}
    if len(rest & OPERATORS) >= 5:
        rest -= OPERATORS | {"LPAR", "LSQB"}
        parts.append("an operator")
    parts += sorted(WORDS.get(t, f"'{t.lower().replace('_', ' ')}'") for t in rest)
    if len(parts) > 6:
        parts = [*parts[:5], "..."]
    return " or ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def _hint(found: str, kind: str, line: str, at: int, expected: set[str]) -> str | None:
    before = line[:at].split()
    if "elif" in (found, *before):
        return "write `else if`"
    if before and len(before) == 1:
        near = did_you_mean(before[0], [*STATEMENTS, *DECLARATIONS])
        if near and before[0] not in STATEMENTS:
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
