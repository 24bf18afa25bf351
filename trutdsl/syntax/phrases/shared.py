"""The parts that tables of phrases share: patterns of places and names, and forms of help."""

from __future__ import annotations

import re
from collections.abc import Callable

from trutdsl.language import say

# A pattern for the line with the mistake, which must match at its position, and the help. In a help
# `{1}` is the text of the first group. A help that is only a code in backquotes is what to write.
Phrase = tuple[str, str | Callable[[re.Match[str]], str]]

PLACE = r"[A-Za-z_]\w*(?:\[[^\]]*\])?"
PLACE_OF = rf"{PLACE}(?:\([^()]*\))?"
SEAT_NAMES = "dealer|on_lead|player|seat|me|I"
TEAM_NAMES = "winner|loser|side|other|us|them"
ASKED_OF = (
    "team|rank|suit|strength|size|top|bottom|special|next_seat|previous_seat|partner|partners|"
    "opponents|other|seats_of|rank_above|rank_below"
)
# What players call a function of one argument -> the function.
FUNCTION_WORDS = {
    **{name: name for name in ASKED_OF.split("|")},
    **dict.fromkeys(("left", "next"), "next_seat"),
    **dict.fromkeys(("right", "previous"), "previous_seat"),
    **dict.fromkeys(("length", "count"), "size"),
    "seats": "seats_of",
}
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
CODE = re.compile(r"`[^`]*`")


def write(code: str) -> str:
    """Return the help that tells to write a code."""
    return say("write `{spoken}`", spoken=code)


def fill(text: str, hit: re.Match[str]) -> str:
    """Return the help with the texts of the groups."""

    def group(number: re.Match[str]) -> str:
        return hit[int(number[1])].strip().removesuffix(":")

    if CODE.fullmatch(text):
        return write(re.sub(r"\{(\d)\}", group, text[1:-1]))
    return re.sub(r"\{(\d)\}", group, say(text))


def hint_for_part(what: str, whose: str) -> str:
    """Return the help for what belongs to something: a function of it, or its place."""
    function = FUNCTION_WORDS.get(what)
    return write(f"{function}({whose})" if function else f"{what}[{whose}]")


def cards_of(place: str) -> str:
    """Return the zone that is meant by a seat: its hand; or by a zone: itself."""
    return f"hand[{place.replace('I', 'me')}]" if place in SEAT_NAMES.split("|") else place
