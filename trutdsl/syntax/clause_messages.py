"""Messages for the clauses of scripts: what is often written instead of them."""

from __future__ import annotations

import re

from trutdsl.language import say

CLAUSE = {"WHEN", "ONCE"}  # how a clause may go on behind its option
BEHIND = {"ONCE", "COLON", "_NL"}  # how it may go on behind its condition
CONDITION_FIRST = re.compile(
    r"(?:(?:when|if)\s)?(?P<condition>[^:]+?)\s*(?::|->|=>|\bthen\b)(?P<option>[^:#]+)"
)
ON = re.compile(r"\s*(?:on\s[^:]*:|otherwise:)?\s*")
OPERATORS = ("and", "or", "not")


def hint_in_clause(line: str, found: str, expected: set[str]) -> str | None:
    """Return the help for a line where a clause cannot go on, None if it is of another kind."""
    before = line.split()
    if before[:1] == ["on"] and found == "when":
        return say("end the line with ':', and write `OPTION when CONDITION` below")
    if re.match(r"\s*mix\s*:\s*\S", line):
        return say("write each part of `mix:` on a line of its own, indented: `50: OPTION`")
    if {"PROBABILITY", "HIGHEST", "LOWEST"} <= expected and re.fullmatch(r"[0-9.]+", found):
        return say("write `with probability {found}`", found=f"{found} %" if "%" in line else found)
    if expected >= BEHIND and found == "else":
        return say("a clause has no `else`: what applies otherwise is the next clause")
    if expected >= BEHIND and found == ",":
        return say("write one clause a line: the first that applies is taken")
    if not expected >= CLAUSE:
        return None
    if found == "%":
        number = re.search(r"([0-9.]+)\s*%", line)
        return say("write `with probability {found}`", found=f"{number[1]} %" if number else "P")
    if "unless" in before:
        return say("write `when not (...)` instead of `unless`")
    return instead_of_condition(line) if _begins_with_condition(line, found) else None


def instead_of_condition(line: str) -> str:
    """Return the help for a clause that begins with its condition."""
    clause = CONDITION_FIRST.match(ON.sub("", line, count=1))
    if clause is None:
        return say("write the option first, then its condition: `OPTION when CONDITION`")
    return say(
        "write the option first, then its condition: `{option} when {condition}`",
        option=clause["option"].strip(),
        condition=clause["condition"].strip(),
    )


def _begins_with_condition(line: str, found: str) -> bool:
    compares = found in ("==", "!=", "<", "<=", ">", ">=", "(", *OPERATORS)
    return compares or re.match(r"(?:when|if)\s", ON.sub("", line, count=1)) is not None
