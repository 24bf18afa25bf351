"""Phrases in values: comparisons, sets, parts of things and single words; tried last."""

from __future__ import annotations

from trutdsl.language import say
from trutdsl.syntax.phrases.shared import (
    ASKED_OF,
    PLACE,
    PLACE_OF,
    Phrase,
    cards_of,
    hint_for_part,
    write,
)

SIGNS = {"<>": "!=", "=<": "<=", "=>": ">=", "&&": "and", "||": "or"}
ORDER = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
PHRASES: tuple[Phrase, ...] = (
    (
        rf"\b(?:(?:it|this)\s+is\s+)?(?:the\s+)?({'|'.join(ORDER)})\s+(trick|deal)\b",
        lambda hit: write(f"{hit[2]}_number == {ORDER[hit[1]]}"),
    ),
    (r"\b(trick|deal)\s+(\d+)(?=\s*[:)]|\s+(?:and|or|then)\b)", "`{1}_number == {2}`"),
    (
        r"\b(?:player|seat|one|card)\s+(?:who|which|that)\b.*",
        "write `first x in SET where ...`, or `first x in SET with highest ...`",
    ),
    (
        rf"\b(?:the\s+)?(?:player|seat)\s+(?:to\s+the\s+)?(left|right|after|before)\s+(?:of\s+)?"
        rf"(?:the\s+)?({PLACE_OF})",
        lambda hit: hint_for_part("next" if hit[1] in ("left", "after") else "previous", hit[2]),
    ),
    (
        rf"({PLACE_OF})\s+is\s+(?:an?|the)\s+(\d+|[AKQJ])\b",
        '`rank({1}) == "{2}"`',
    ),
    (r"\bis\s+(?:less|smaller|lower|fewer|weaker)\s+than\s+(\S+?)(?=[:)]|\s|$)", "`< {1}`"),
    (
        r"\bis\s+(?:more|greater|bigger|higher|larger|stronger)\s+than\s+(\S+?)(?=[:)]|\s|$)",
        "`> {1}`",
    ),
    (r"\bis\s+at\s+least\s+(\S+?)(?=[:)]|\s|$)", "`>= {1}`"),
    (r"\bis\s+at\s+most\s+(\S+?)(?=[:)]|\s|$)", "`<= {1}`"),
    (
        r"(?:\bdefine\b.*?:|[-+*=(])\s*if\s+(.+?)\s+then\s+(.+?)\s+(?:else|sinon)\s+(.+)$",
        "`{2} if {1} else {3}`",
    ),
    (r"\bin\s+\(([^()]*,[^()]*)\)", "write the set in braces: `in {{1}}`"),
    (r"\bin\s+\[([^\[\]]*)\]", "write the set in braces: `in {{1}}`"),
    (
        rf"\b((?:left|right|next|previous)(?=\s+(?:to|after)\b)|[A-Za-z_]\w*(?=\s+of\b))\s+\w+\s+"
        rf"(?:the\s+)?({PLACE_OF})",
        lambda hit: hint_for_part(hit[1], hit[2]),
    ),
    (r"\bmy\s+(\w+)", "`{1}[me]`"),
    (rf"\b({PLACE_OF})\s+(?:without|except|but)\s+([^\s:]+)", "`{1} - {{2}}`"),
    (rf"\b({PLACE_OF})\s+minus\s+([^\s:]+)", "`{1} - {2}`"),
    (rf"\b({PLACE_OF})\s+(?:union|plus)\s+([^\s:]+)", "`{1} + {2}`"),
    (r"(?<![=!<>])=\s*([^=?][^?]*?)\s*\?\s*(.+?)\s*:\s*(.+)$", "`{2} if {1} else {3}`"),
    (
        rf"\b(?:if|when|where|has|while|until)\s+({PLACE_OF})\s+(?:in|between)\s+(\w+)\s+(?:to|and)\s+"
        r"(\w+)",
        "`{1} >= {2} and {1} <= {3}`",
    ),
    (
        r"^\s*(?:each|every|all|chaque)\s+\w+(?:\s.*)?$",
        "write `for player in seats:`, and below it what each of them does",
    ),
    (r"(\d+),(\d+)", "write decimals with a point: `{1}.{2}`"),
    (rf"({PLACE})\s+is\s+not\s+empty\b", "`not empty({1})`"),
    (rf"({PLACE})\s+is\s+empty\b", "`empty({1})`"),
    (r"\b(?:is\s+not|n['\s]?est\s+pas|not\s+equals?)\b", "to compare, write '!='"),
    (r"\b(?:is|est|equals?)\b", "to compare, write '=='"),
    (r"(?<![\w\"])(\d+[A-Za-z]\w*)", 'write a card, rank or suit in quotes: `"{1}"`'),
    (rf"({PLACE})\s+(?:has|contains?|holds?|contient)\s+(\"[^\"]*\"|no\b|none\b)", "`{2} in {1}`"),
    (
        rf"(?<!\bin\s)\b({PLACE})\s+(?:has|contains?|holds?|contient)\b",
        lambda hit: write(f"any x in {cards_of(hit[1])} has ..."),
    ),
    (r"\b(?:non|nicht)\s+[A-Za-z_]\w*", "`not`"),
    (r"<>|=<|=>|&&|\|\|", lambda hit: write(SIGNS[hit[0]])),
    (
        rf"({PLACE_OF})\s*([=!<>]=|[<>])\s*([^\s:]+)\s+(and|or)\s+([=!<>]=|[<>])\s*([^\s:]+)",
        "`{1} {2} {3} {4} {1} {5} {6}`",
    ),
    (r"\bthe\s+(\w+)", "leave out `the`"),
    (r"\bdo\s+(\w+)\s+(\w[^:]*?)\s*$", "`do {1}({2})`"),
    (r"\bwhen\b.+\b(where|with\s+(?:lowest|highest))\b.*", "write `{1} ...` before `when`"),
    (r"\bwith\s+(?:highest|lowest)\b.+\b(where\b.*)", "write `{1}` before `with`"),
    (r"\bcount(\s+.+?\bwith\s+(?:highest|lowest)\b.+)", "count the set of them: `size(those {1})`"),
    (
        r"\bany(\s+.+?\bwith\s+(?:highest|lowest)\b.*)",
        "that is `first` or `those` of a set: `first {1}`",
    ),
    (r"\b(?:some|exists?)\s+(\w+)\s+in\b", "`any {1} in ...`"),
    (r"\b(?:all|each|forall)\s+(\w+)\s+in\b", "`every {1} in ...`"),
    (
        rf"\ball\s+(?:of\s+)?({PLACE})\s*(?:[=!]=|\b(?:is|are|has|have)\b)",
        "`every c in {1} has ...`",
    ),
    (rf"(?<!\bin\s)\b({PLACE})\s+with\s+(highest|lowest)\b", "`those x in {1} with {2} ...`"),
    (r"^\s*(?!if\b|else\b|for\b)(\w[\w ]*?)\s+(?:then|si|quand|wenn)\s+(.+)", "`{1} when {2}`"),
    (r"\b(?:first|those)\b.+\bwith\s+most\b(.*)", "`with highest {1}`"),
    (r"\b(?:first|those)\b.+\bwith\s+(?:least|fewest)\b(.*)", "`with lowest {1}`"),
    (r"^\s*(\d+)\s*%\s*([a-z]\w*)", "`{1}: {2}`"),
    (
        r"\bprobability\s*=\s*(\d+(?:\.\d+)?)\s*%",
        lambda hit: say("write the decimal: `{decimal}`", decimal=float(hit[1]) / 100),
    ),
    (
        r"\b(\d+)\s*%\s*(?=$|and\b|or\b|\)|:)",
        "write `{1}0`: shares and rates are numbers of a thousand",
    ),
    (r"%", "`mod`"),
    (r"\bteam\s+\d+", "teams have no numbers: write `team(SEAT)`, such as `team(dealer)`"),
    (
        r"\b(?:player|seat|joueur|place)\s+\d+",
        "seats have no numbers: write `dealer`, or `next_seat(dealer)`",
    ),
    (
        rf"\b(?!(?:partners?|opponents|other)\s+\w+(?:ed|s)\b)({ASKED_OF})\s+"
        rf"(?!(?:in|is|has|where|with|when|and|or|to|from|by|for)\b)({PLACE_OF})",
        "`{1}({2})`",
    ),
)
