"""Messages for syntax errors: the unexpected text, and the expected one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lark.exceptions import UnexpectedToken

from trutdsl.diagnostics import Excerpt, did_you_mean
from trutdsl.language import quoted, say
from trutdsl.syntax.clause_messages import hint_in_clause

STATEMENTS = tuple(
    "let do return stop next again base shuffle draw move swap gather end reveal look if else for "  # noqa: SIM905
    "repeat deal trick setup ask".split()
)
COMPOUND = ("if", "for", "repeat", "ask", "deal", "trick", "setup")
QUANTIFIERS = ("count", "first", "those", "any", "every", "highest", "lowest", "total")
PLACE = r"[A-Za-z_]\w*(?:\[[^\]]*\])?"
AUDIENCES = {
    **dict.fromkeys(("player", "seat", "self", "holder", "him", "own"), "owner"),
    **dict.fromkeys(("everybody", "everyone", "players", "public", "anybody"), "all"),
    **dict.fromkeys(("partner", "partners", "side", "teams"), "team"),
    **dict.fromkeys(("none", "no"), "nobody"),
}
MOVING = re.compile(rf"^\s*(?:put|lay|place|play|give|take)\s+({PLACE}(?:\([^)]*\))?)")

# Words of other languages, and the words of this one.
SPOKEN = {
    **dict.fromkeys(("si", "wenn"), "if"),
    **dict.fromkeys(("sinon", "sino", "sonst"), "else"),
    **dict.fromkeys(("et", "und"), "and"),
    **dict.fromkeys(("ou", "oder"), "or"),
    **dict.fromkeys(("non", "pas", "nicht"), "not"),
    **dict.fromkeys(("pour", "para"), "for"),
    **dict.fromkeys(("faire", "fais"), "do"),
    **dict.fromkeys(("soit",), "let"),
    **dict.fromkeys(("dans", "en"), "in"),
    **dict.fromkeys(("alors", "entonces"), ":"),
}

ASKED_OF = "team|rank|suit|strength|size|top|bottom|special|next_seat|previous_seat"

# Patterns for the line with the mistake; a match must include the position of the mistake.
IN_LINE: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"\bfor\s*each\s+(\w+)", "write `for {1} in ...:`"),
    (r"\bbecause\s+\"(\w+)\"", "write it without quotes: `because {1}`"),
    (r"^\s*(trick|deal|match)\s+(won|tied|drawn)\b.*", "write `end {1} {2} ...`"),
    (r"\bask\s+([^\":]+?)\s+([A-Za-z_]\w*)\s*(?::|$)", 'write `ask {1} "{2}":`'),
    (r"\b(seats)\s+of\s+([A-Za-z_]\w*)", "write `seats_of({2})`"),
    (rf"\b({ASKED_OF})\s+of\s+([A-Za-z_]\w*)", "write `{1}({2})`"),
    (r"\b([A-Za-z_]\w*)\s+of\s+([A-Za-z_]\w*)", "write `{1}[{2}]`"),
    (rf"({PLACE})\s+is\s+not\s+empty\b", "write `not empty({1})`"),
    (rf"({PLACE})\s+is\s+empty\b", "write `empty({1})`"),
    (r"\bis\s+not\b", "to compare, write '!='"),
    (r"\bis\b", "to compare, write '=='"),
    (r"\bnot\s+equals?\b", "to compare, write '!='"),
    (r"(?<![\w\"])(\d+[A-Za-z]\w*)", 'write a card, rank or suit in quotes: `"{1}"`'),
    (rf"({PLACE})\s+has\s+(\"[^\"]*\"|no\b|none\b)", "write `{2} in {1}`"),
    (
        r"\b(?:tant\s+que|tantque|mientras)\s+(.+?)\s*:.*",
        "write `repeat at most 100 times while {1}:`",
    ),
    (r"\b(?:non|nicht)\s+[A-Za-z_]\w*", "write `not`"),
    (r"<>", "write `!=`"),
    (r"=<", "write `<=`"),
    (r"=>", "write `>=`"),
    (r"&&", "write `and`"),
    (r"\|\|", "write `or`"),
    (rf"({PLACE})\s*\+\+", "write `{1} += 1`"),
    (rf"({PLACE})\s*--", "write `{1} -= 1`"),
    (
        r"\b(?:deal|draw)\s+(\w+)\s+cards?\b.*",
        "write `repeat {1} times:`, and below it `draw from PILE to ZONE`",
    ),
    (r"\b(return|stop|next|again)\s+if\s+(.+)", "write `if {2}: {1}`"),
    (r"\b(?:let\s+\w+|^\s*\w+(?:\[[^\]]*\])?)\s*==", "to set it, write `=`"),
    (r"\b(?:def|function|func)\b", "write `define`"),
    (r"^\s*state\b.*", "say how long it lasts: `deal state:`, `match state:` or `trick state:`"),
    (r"\brepeat\s+((?:at\s+most\s+)?\w+)\s*:", "write `repeat {1} times:`"),
    (r"\bgather\s+(\w+)\s+(?:and\s+)?(\w+)", "put commas between the zones: `gather {1}, {2} ...`"),
    (r"\bthe\s+(\w+)", "leave out `the`"),
    (r"\bzone\b.*?(?<!up to )\b(\d+)\s+(cards?)\b", "write `up to {1} {2}`"),
    (r"\bzone\b.*\b(?:hidden|secret|face\s+down)\b", "write `seen by nobody` or `seen by owner`"),
    (r"\bzone\b.*\b(?:open|visible|public|face\s+up)\b", "write `seen by all`"),
    (r"\bask\s+\"(\w+)\"", 'say who is asked: `ask SEAT "{1}":`'),
    (r"\bdraw\s+(?!from\b)(\w+)\s+to\b", "write `draw from {1} to ...`"),
    (r"^\s*add\b.*", 'to add options to a question, write `add to ask player "turn":`'),
    (
        r"^\s*options\s+(\w+(?:\([^)]*\))?)\s*:\s*(\S.*)",
        "write the options below `options {1}:`, indented, one a line: `{2}`",
    ),
    (r"^\s*options\s+(\w+).*", "`options {1}` belongs among the options of a question"),
    (r"\bset\s+of\s+(\d+\s+to\s+\d+\s+by\s+\d+)", lambda found: _numbered("set of ", found[1], "")),
    (r"\[(\d+\s+to\s+\d+\s+by\s+\d+)\]", lambda found: _numbered("[", found[1], "]")),
    (r"\bin\s+(\d+\s+to\s+\d+\s+by\s+\d+)", lambda found: _numbered("in ", found[1], "")),
    (r":=", "to set it, write `=`"),
    (r"\bunless\s+(.+?)\s*:.*", "write `if not ({1}):`"),
    (r"\bdo\s+(\w+)\s+(\w+)", "write `do {1}({2})`"),
    (r"\bwhen\b.+\b(where|with\s+(?:lowest|highest))\b.*", "write `{1} ...` before `when`"),
    (r"\bwith\s+(?:highest|lowest)\b.+\b(where\b.*)", "write `{1}` before `with`"),
    (
        r"\bcount(\s+.+?\bwith\s+(?:highest|lowest)\b.+)",
        "count the set of them: `size(those {1})`",
    ),
    (
        r"\bany(\s+.+?\bwith\s+(?:highest|lowest)\b.*)",
        "that is `first` or `those` of a set: `first {1}`",
    ),
    (r"\b(?:first|those)\b.+\bwith\s+most\b(.*)", "write `with highest {1}`"),
    (r"\b(?:first|those)\b.+\bwith\s+(?:least|fewest)\b(.*)", "write `with lowest {1}`"),
    (r"\bwith\s+(?:chance|probability)\b.+\b(once\s+an?\s+\w+)", "write `{1}` before `with`"),
    (r"\b(with\s+(?:chance|probability))\b.+\b(where|when)\b.*", "write `{2} ...` before `{1}`"),
    (
        r"^\s*(?!if\b|else\b|for\b)(\w[\w ]*?)\s+(?:then|si|quand|wenn)\s+(.+)",
        "write `{1} when {2}`",
    ),
    (r"%", "write `mod`"),
    (r"\bseen\s+by\s+(\w+)", lambda found: say("write {names}", names=_audience(found[1]))),
)


def hint_in_line(line: str, at: int) -> str | None:
    """Return the correction for the text around column `at` (from 0) of a line."""
    bare = re.sub(r"#.*", "", line).rstrip()
    for pattern, help_ in IN_LINE:
        for found in re.finditer(pattern, bare):
            if found.start() <= at <= found.end() + 1:
                return help_(found) if callable(help_) else _filled(help_, found)
    return None


def hint_for_spoken(word: str) -> str | None:
    """Return the help for a word of another language."""
    return say("write `{spoken}`", spoken=SPOKEN[word.lower()]) if word.lower() in SPOKEN else None


def hint_for_accent(line: str, at: int) -> str:
    """Return the help for a word at column `at` (from 0) with letters that names cannot have."""
    word = next(found[0] for found in re.finditer(r"\w+", line) if found.end() > at)
    plain = unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode()
    rule = say("names are made of the letters a to z, digits and `_`")
    return say("{rule}: write `{plain}`", rule=rule, plain=plain) if plain.isidentifier() else rule


def hint_for_verb(line: str) -> str | None:
    """Return the help for a sentence that begins with an unknown verb for moving cards."""
    found = MOVING.match(line)
    return say("write `move {found} from ZONE to ZONE`", found=found[1]) if found else None


def hint_for_option(line: str, before: str) -> str | None:
    """Return the help for an option of a question that continues in a wrong way."""
    if re.search(r"\bif\b", before):
        return say("say when it is allowed with `when`, as in `pass when ...`")
    worked_out = re.search(r"\bfrom\s+((?:those|first)\s+[^:]+?)\s*(?::|\bwhen\b|$)", line)
    if worked_out:
        return say("put it in brackets: `from ({worked_out})`", worked_out=worked_out[1])
    found = re.search(r"(\w+)\s+in\s+(\w+\[[^\]]*\]|\w+)", line)
    return say("write `{name} from {set}`", name=found[1], set=found[2]) if found else None


def _audience(word: str) -> str:
    if word in AUDIENCES:
        return say("`seen by {audiences}`", audiences=AUDIENCES[word])
    return say("`seen by all`, `owner`, `team` or `nobody`")


def _numbered(before: str, steps: str, after: str) -> str:
    """Return the help for numbers by steps outside a choice: the numbers of the steps instead."""
    low, high, step = map(int, re.findall(r"\d+", steps))
    numbers = f"{before}0 to {(high - low) // max(1, step)}{after}"
    if before == "in ":
        text = "only choices have steps: write `{numbers}`, and `{low} + {step} * n` for its n"
    else:
        text = "only choices have steps: write `{numbers}`, and `(n - {low}) div {step}` for an n"
    return say(text, numbers=numbers, low=low, step=step)


def _filled(text: str, found: re.Match[str]) -> str:
    return re.sub(r"\{(\d)\}", lambda m: found[int(m[1])].strip().removesuffix(":"), say(text))


def hint_for_block(before: str) -> str | None:
    """Return the help for a sentence with a block after a `:`; `before`: the text up to there."""
    found = re.search(rf":\s*({'|'.join(COMPOUND)})\s*$", before)
    return (
        say(
            "`{found}` begins a block of its own; put it on the next line, indented", found=found[1]
        )
        if found
        else None
    )


def hint_for_choice(line: str) -> str | None:
    """Return the help for a sentence that ends in `if C` without an `else`."""
    found = re.match(r"\s*(?:.*:\s)?\s*(.+?)\s+if\s+(.+?)\s*$", re.sub(r"#.*", "", line))
    if found is None:
        return None
    if found[1].startswith("let "):
        return say(
            "say what it is otherwise: `{value} if {test} else ...`",
            value=found[1],
            test=found[2],
        )
    return say("write `if {test}: {sentence}`", test=found[2], sentence=found[1])


def hint_for_quantifier(before: str, sign: str) -> str | None:
    """Return the help for a comparison after a quantifier that extends to it."""
    inner = before
    while (shorter := re.sub(r"\([^()]*\)", "", inner)) != inner:  # closed parentheses
        inner = shorter
    kinds = [word for word in re.findall(r"\w+", inner) if word in QUANTIFIERS]
    if not kinds:
        return None
    return say(
        "put the `{kinds} ...` in brackets: `({kinds} ...) {sign} ...`", kinds=kinds[-1], sign=sign
    )


def hint_for_variable(line: str) -> str | None:
    """Return the help for a declaration of a variable without its type."""
    found = re.match(r"\s*(\w+(?:\[\w+\])?)\s*=\s*([^#]+)", line)
    if found is None:
        return None
    name, value = found[1], found[2].strip()
    if value == "none":
        return say("write `{name}: TYPE? = none`, as in `{name}: seat? = none`", name=name)
    if value in ("yes", "no"):
        return say("write `{name}: yes_no = {value}`", name=name, value=value)
    kind = "number" if value.isdecimal() else "TYPE"
    return say("write `{name}: {kind} = {value}`", name=name, kind=kind, value=value)


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


COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
SET = {"EQUALS", "ADD_TO", "TAKE_FROM"}


@dataclass(frozen=True)
class Complaint:
    """A message; `word`: two columns for the caret, if it is not at the unexpected text."""

    message: str
    help: str | None = None
    word: tuple[int, int] | None = None


def describe_unexpected(
    error: UnexpectedToken, excerpt: Excerpt, spelled: Mapping[str, str]
) -> Complaint:
    """Return the message for a token that the grammar does not allow there.

    spelled: the text of each terminal that stands for itself.
    """
    token = error.token
    expected = set(error.accepts or error.expected)
    found = {
        "_NL": say("the end of the line"),
        "_INDENT": say("a deeper indentation"),
        "_DEDENT": say("the end of the block"),
        "$END": say("the end of the rules"),
    }.get(token.type, quoted(token))
    line_no = token.line if token.type != "$END" and token.line else 0
    lines = excerpt.text.split("\n")
    line = lines[line_no - 1] if 0 < line_no <= len(lines) else ""
    if token.type == "_INDENT":
        return Complaint(
            say("this line is indented, but nothing above it starts a block"),
            say("a block starts after ':' at the end of a line"),
        )
    if token.type in ("_NL", "_DEDENT", "$END") and expected == {"_INDENT"}:
        return Complaint(say("an indented block was expected below this line"))
    at = (token.column or 1) - 1
    if expected >= SET and line.strip() and token.type != "ACCENTED":
        return _no_sentence(found, line, at, expected)
    message = say(
        "found {found}, expected {in_words}", found=found, in_words=in_words(expected, spelled)
    )
    below = next((other.strip() for other in lines[line_no:] if other.strip()), "")
    if expected == {"ELSE"} and re.match(r"else\b", below):
        return Complaint(message, say("indent the line with `else` deeper than this one"))
    return Complaint(message, _hint(str(token), token.type, line, at, expected, spelled))


def _no_sentence(found: str, line: str, at: int, expected: set[str]) -> Complaint:
    before = line[:at]
    start = re.search(r"(?:^|:)\s*([A-Za-z_]\w*)\s*([(\[].*)?$", before)
    if start is None:
        return Complaint(
            say("found {found}, expected '=', '+=' or '-='", found=found), hint_in_line(line, at)
        )
    first, more = start[1], (start[2] or "").strip()
    word = (start.start(1) + 1, start.end(1) + 1)
    message = say("no sentence begins with '{first}'", first=first)
    if help_ := hint_for_block(before):
        return Complaint(
            say("found '{first}' behind ':', expected a sentence of one line", first=first),
            help_,
            word,
        )
    help_ = hint_for_spoken(first) or hint_in_clause(line, found.strip("'"), expected)
    help_ = help_ or hint_in_line(line, at) or hint_in_line(line, word[0]) or hint_for_verb(line)
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
    if help_ is None and (not more or more.startswith("(")) and not line[at:].strip(" :"):
        help_ = say("to do a rule, write `do {first}{more}`", first=first, more=more)
    if help_ is None and more.startswith("["):
        return Complaint(say("found {found}, expected '=', '+=' or '-='", found=found), None)
    other = say("start with a word such as `do` or `if`, or set a variable: `NAME = ...`")
    if first in STATEMENTS:
        return Complaint(
            say("found '{first}', expected another sentence", first=first), help_ or other, word
        )
    return Complaint(message, help_ or did_you_mean(first, STATEMENTS, 0.7) or other, word)


def in_words(expected: set[str], spelled: Mapping[str, str]) -> str:
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
    parts += sorted(say(WORDS[t]) if t in WORDS else quoted(spelled[t]) for t in rest)
    if len(parts) > 6:
        parts = [*parts[:5], "..."]
    return say(" or ").join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def _hint(
    found: str, kind: str, line: str, at: int, expected: set[str], spelled: Mapping[str, str]
) -> str | None:
    before = line[:at].split()
    if kind == "ACCENTED":
        return hint_for_accent(line, at)
    if "WHEN" in expected and (found == "then" or SPOKEN.get(found.lower()) == "if"):
        return say("write `{spoken}`", spoken="when")
    if kind == "NAME" and (help_ := hint_for_spoken(found)):
        return help_
    if {"ZONE", "RULE"} <= expected and re.match(r"\s*when\s+rule\b", line):
        return say("write `after rule`, `before rule` or `replace rule`")
    if {"ON", "OTHERWISE"} <= expected and re.match(r"\s*(?:at|when|if|for)\s[^:]+:", line):
        return say("write `on` instead of `{found}`", found=found)
    if before == ["replace"] and found in ("on", "otherwise"):
        return say(
            "write `{found}` alone: it replaces that of what the script extends", found=found
        )
    if expected == {"REF"}:
        return say("name it as its file is named: `strategy NAME:`")
    if "elif" in (found, *before):
        return say("write `else if`")
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
        return say("`{word}` is a word of the language; give what you mean another name", word=word)
    if help_ := hint_in_clause(line, found, expected):
        return help_
    if kind == "EQUALS" and expected <= {"COLON", "LSQB"} and (help_ := hint_for_variable(line)):
        return help_
    if "WHEN" in expected and "OPENLY" in expected and (help_ := hint_for_option(line, line[:at])):
        return help_
    if help_ := hint_in_line(line, at):
        return help_
    if "PERCENT" in expected and "COLON" in expected:
        return say("put what is computed in parentheses: `(...): ...`")
    if found == "then":
        return say("write ':' instead of `then`")
    if "COLON" in expected and before and before[0] in ("if", "for", "repeat", "else"):
        if "HAS" in expected and kind == "NAME":
            return say("write `has` before `{found}`", found=found)
        if before[-1] == "do":
            return say("give it a name in a sentence of its own: `let x = do {found}`", found=found)
        if ":" not in line[at:] and (found in STATEMENTS or kind == "NAME"):
            return say("write ':' before `{found}`", found=found)
    if found in STATEMENTS and kind != "NAME" and before:
        return (
            None
            if {"NAME", "INT"} <= expected
            else say("write `{found}` on a line of its own", found=found)
        )
    if kind == "COMPARE" and any(sign in before for sign in COMPARISONS):
        return say("join two comparisons with `and`")
    if before and before[-1].strip("(") in ("first", "those", "count", "any", "every"):
        return say("put what starts with `{strip}` in parentheses", strip=before[-1].strip("("))
    if before and len(before) == 1 and before[0] not in (*STATEMENTS, *DECLARATIONS):
        return did_you_mean(before[0], [*STATEMENTS, *DECLARATIONS], 0.7)
    if {"ZONE", "RULE"} <= expected:
        if found in STATEMENTS or re.match(r"\s*\w+(\[.*\])?\s*(=|\+=|-=)", line):
            return say("write sentences inside a rule, indented")
        return did_you_mean(found, DECLARATIONS, 0.7)
    if "COLON" in expected and kind == "_NL":
        return say("end the line with ':'")
    if "BECAUSE" in expected and kind == "_NL":
        return say("say why in one word: `because WORD`")
    if kind == "EQUALS":
        return say("to compare, write '=='")
    if found in ("chance", "roll", "random", "do") and "LPAR" in expected:
        return say("give it a name in a sentence of its own: `let x = {found} ...`", found=found)
    return did_you_mean(found, [w for t in expected if (w := spelled.get(t, "")).isalpha()], 0.7)
