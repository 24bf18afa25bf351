"""Help for a token that the grammar does not allow: one function for each kind of place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from trutdsl.diagnostics import did_you_mean
from trutdsl.language import say
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
    hint_in_clause,
)
from trutdsl.syntax.phrases import hint_in_line

DECLARATIONS = (
    "zone", "match", "deal", "trick", "define", "rule", "replace", "state", "before", "after",
    "options", "add",
)  # fmt: skip
OPERATORS = {"PLUS", "MINUS", "TIMES", "DIV", "MOD", "AND", "OR", "IN", "COMPARE", "COMMON", "NOT"}
QUANTIFIED = r".*\b(any|every|count|first|those)\s+\w+\s+in\s[^:]*$"
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
DECLARED = r"\s*\w+\s*(?:\([^)]*\)\s*)?:\s*\S"  # a name and its value
NO_HELP = ""  # what no later function can help with, either


@dataclass(frozen=True)
class Unexpected:
    """A token where the grammar allows others.

    token, kind: its text and its terminal. line, at: its line, and its column there, from 0.
    expected:    the terminals that could stand there.
    spellings:   the text of each terminal that stands for itself.
    """

    token: str
    kind: str
    line: str
    at: int
    expected: set[str]
    spellings: Mapping[str, str]

    @property
    def head(self) -> str:
        """The line before the token."""
        return self.line[: self.at]

    @cached_property
    def words(self) -> list[str]:
        return self.head.split()

    @property
    def ends_line(self) -> bool:
        return self.kind == "_NL"

    @property
    def is_declared(self) -> bool:
        """Whether a declaration of the rules could stand there."""
        return {"ZONE", "RULE"} <= self.expected

    @property
    def is_valued(self) -> bool:
        """Whether a value could stand there."""
        return {"NAME", "INT"} <= self.expected

    @property
    def is_behind_value(self) -> bool:
        return len(self.expected & OPERATORS) >= 3


def help_for(found: Unexpected) -> str | None:
    """Return what to write instead, by the first function that knows it."""
    for help_of_place in HELPS:
        if (help_ := help_of_place(found)) is not None:
            return help_ or None
    return None


def _at_block(found: Unexpected) -> str | None:
    """Help where a block, a type or who sees a zone is missing."""
    words, expected = found.words, found.expected
    if expected == {"_INDENT"} and words == []:
        return say(
            "indent this line deeper than the one above, or write between them what belongs there"
        )
    if expected <= {"COLON", "LSQB"} and found.ends_line and "zone" in words[:2]:
        return say("say who sees its cards: `{zone}: seen by nobody`", zone=found.line.strip())
    if expected == {"COLON", "LSQB"} and found.ends_line and words:
        return say("say its type, as in `{found}: number`", found=words[-1])
    if found.token == "parameter" and found.is_declared:
        example = "parameters: {bonus: {type: integer, min: 0, max: 9, default: 1, help: TEXT}}"
        return say("write it in the first column, above `rules: |`: `{example}`", example=example)
    if "COLON" in expected and words == ["otherwise"]:
        return say("write ':' before `{found}`", found=found.token)
    return None


def _at_declaration(found: Unexpected) -> str | None:
    """Help for a line that should begin with a declaration, or with a part of a script."""
    token, line, expected = found.token, found.line, found.expected
    if not found.words and (help_ := hint_for_declaration(token, expected)):
        return help_
    if found.is_declared and (help_ := hint_for_key(line)):
        return help_
    if "DEFINE" in expected and "ON" not in expected and re.match(DECLARED, line):
        text = "write `define` or `rule` before `{found}`"
        return say(text if "RULE" in expected else "write `define` before `{found}`", found=token)
    if token == "rule" and "DEFINE" in expected and "RULE" not in expected:
        return say(
            "a vocabulary holds values for scripts: write `define`, or `rule` below `rules: |`"
        )
    if "STRATEGY" in expected and token in ("import", "from", "class", "def"):
        return say("a strategy in Python is a file whose name ends in .py")
    if {"ON", "OTHERWISE"} <= expected and (help_ := _hint_in_script(token, line)):
        return help_
    if found.words == ["after"] and expected == {"DEAL"}:
        return say("write `{spoken}`", spoken="after deal:")
    return None


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


def _at_heading(found: Unexpected) -> str | None:
    """Help in the first line of a rule, define or script, and for `else` among clauses."""
    token, expected = found.token, found.expected
    if token == "else" and "ANY" in expected and {"LET", "IF"} <= expected:
        return say("a clause has no `else`: what applies otherwise is the next clause")
    if token == "->" and {"COLON", "CITES"} <= expected:
        return say("write `-> TYPE` before the text in quotes")
    behind_text = found.head.rstrip().endswith('"') and not found.ends_line
    if {"COLON", "CITES"} <= expected and behind_text and token != "extends":
        return say("write ':' before `{found}`", found=token)
    if "STRATEGY" in expected:
        return say("a script begins with `strategy NAME:`; the file of a variant ends in .yaml")
    return None


def _at_other_word(found: Unexpected) -> str | None:
    """Help for a word of another language, or of another place."""
    token, line, expected = found.token, found.line, found.expected
    if found.kind == "ACCENTED":
        return hint_for_accent(line, found.at)
    if "WHEN" in expected and (token in ("if", "then") or COMMON_WORDS.get(token.lower()) == "if"):
        return say("write `{spoken}`", spoken="when")
    if found.kind == "NAME" and (help_ := hint_for_spoken(token)):
        return help_
    if found.is_declared and re.match(r"\s*when\s+rule\b", line):
        return say("write `after rule`, `before rule` or `replace rule`")
    if found.words == ["replace"] and token in ("on", "otherwise"):
        text = "write `{found}` alone: it replaces that of what the script extends"
        return say(text, found=token)
    if expected == {"REF"}:
        return say("name it as its file is named: `strategy NAME:`")
    if "elif" in (token, *found.words):
        return say("write `else if`")
    return None


def _at_condition(found: Unexpected) -> str | None:
    """Help for conditions, for blocks behind them, and for words that no name can be."""
    line, expected = found.line, found.expected
    if re.search(r"\bthen\b", line) and (help_ := hint_in_line(line, found.at)):
        return help_
    if help_ := hint_for_block(found.head):
        return help_
    if (expected == {"ELSE"} or (found.token == "if" and "_NL" in expected)) and (
        help_ := hint_for_choice(line)
    ):
        return help_
    if found.kind == "COMPARE" and (help_ := hint_for_quantifier(found.head, found.token)):
        return help_
    if expected == {"NAME"} and found.kind not in ("STRING", "INT") and found.token != "(":
        word = re.split(r"\W", found.words[-1])[-1] if found.words else ""
        if word in QUANTIFIERS:
            text = "`{word}` is a word of the language; give what you mean another name"
            return say(text, word=word)
    return None


def _at_phrase(found: Unexpected) -> str | None:
    """Help for phrases of rule books and of other languages."""
    token, line, expected = found.token, found.line, found.expected
    if help_ := hint_in_clause(line, token, expected):
        return help_
    if found.kind == "EQUALS" and expected <= {"COLON", "LSQB"}:
        help_ = hint_for_variable(line)
    elif "WHEN" in expected and "OPENLY" in expected:
        help_ = hint_for_option(line, found.head)
    if help_ := help_ or hint_in_line(line, found.at):
        return help_
    of = re.search(QUANTIFIED, found.head)
    if expected & {"HAS", "WHERE"} and found.kind == "NAME" and of:
        word = "has" if of[1] in ("any", "every") else "where"
        return say("write `{word}` before `{found}`", word=word, found=token)
    if "PERCENT" in expected and "COLON" in expected:
        return say("put what is computed in parentheses: `(...): ...`")
    if token == "then":
        return say("write ':' instead of `then`")
    return None


def _at_sentence(found: Unexpected) -> str | None:
    """Help where one sentence should end before another begins."""
    token, words, expected = found.token, found.words, found.expected
    if "COLON" in expected and words and words[0] in ("if", "for", "repeat", "else"):
        if words[-1] == "do":
            return say("give it a name in a sentence of its own: `let x = do {found}`", found=token)
        if ":" not in found.line[found.at :] and (token in STATEMENTS or found.kind == "NAME"):
            return say("write ':' before `{found}`", found=token)
    if token in STATEMENTS and found.kind != "NAME" and words:
        own_line = say("write `{found}` on a line of its own", found=token)
        return NO_HELP if found.is_valued else own_line
    if found.kind == "COMPARE" and any(sign in words for sign in COMPARISONS):
        return say("join two comparisons with `and`")
    if words and words[-1].strip("(") in ("first", "those", "count", "any", "every"):
        return say("put what starts with `{strip}` in parentheses", strip=words[-1].strip("("))
    if len(words) == 1 and words[0] not in (*STATEMENTS, *DECLARATIONS):
        return did_you_mean(words[0], [*STATEMENTS, *DECLARATIONS], 0.7) or NO_HELP
    return None


def _among_declarations(found: Unexpected) -> str | None:
    """Help for a line that is no declaration: a sentence, or a misspelt word."""
    if not found.is_declared:
        return None
    token, line = found.token, found.line
    if token in STATEMENTS or re.match(r"\s*\w+(\[.*\])?\s*(=|\+=|-=)", line):
        return say("write sentences inside a rule, indented")
    if near := did_you_mean(token, DECLARATIONS, 0.7):
        return near
    is_rule = re.match(r"\s*\w+\s*(?:\([^)]*\)\s*)?\"", line)
    return say("write `{spoken}`", spoken=f"rule {token} ...") if is_rule else NO_HELP


def _at_sign(found: Unexpected) -> str | None:
    """Help for a sign or a value that is missing, or another one than meant."""
    token, expected = found.token, found.expected
    if "COLON" in expected and found.ends_line:
        return say("end the line with ':'")
    if "BECAUSE" in expected and found.ends_line:
        return say("say why in one word: `because WORD`")
    if found.kind == "EQUALS" and found.is_behind_value:
        return say("to compare, write '=='")
    if found.kind == "EQUALS" and "COLON" in expected:
        return say("write ':' instead of `{found}`", found=token)
    if token in ("chance", "roll", "random", "do") and "LPAR" in expected:
        return say("give it a name in a sentence of its own: `let x = {found} ...`", found=token)
    if found.ends_line and found.is_valued and found.words:
        text = "write what stands behind `{last}`, or leave it out"
        return say(text, last=found.words[-1])
    return None


def _near_word(found: Unexpected) -> str | None:
    """Help for a misspelt word of the language, and for a name of several words."""
    texts = [found.spellings.get(one, "") for one in found.expected]
    near = did_you_mean(found.token, [text for text in texts if text.isalpha()], 0.7)
    if near is None and found.kind == "NAME" and found.is_behind_value:
        return say("a name is one word: join its words with `_`, or write an operator between")
    return near


HELPS = (
    _at_block,
    _at_declaration,
    _at_heading,
    _at_other_word,
    _at_condition,
    _at_phrase,
    _at_sentence,
    _among_declarations,
    _at_sign,
    _near_word,
)
