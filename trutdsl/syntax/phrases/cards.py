"""Phrases about cards: what is counted and held, moved, shown and left to chance."""

from __future__ import annotations

import re

from trutdsl.language import say
from trutdsl.syntax.phrases.shared import (
    ASKED_OF,
    NUMBERS,
    PLACE,
    PLACE_OF,
    SEAT_NAMES,
    Phrase,
    cards_of,
    write,
)

COUNT_OF_NOTHING = r"\bcount\s+(\w+)\s*(?:$|[)=<>!:])"
EXTREMES = {"min": "lowest", "max": "highest"}

SUITS = "hearts?|spades?|clubs?|diamonds?"
RANKS = {"ace": "A", "king": "K", "queen": "Q", "jack": "J"}
ALIKE = {"pair": 2, "three": 3, "four": 4}


def _draws(hit: re.Match[str]) -> str:
    times = NUMBERS.get(hit[1], hit[1])
    if times == 1:
        return write("draw from PILE to ZONE")
    return say("write `repeat {times} times:`, and below it `draw from PILE to ZONE`", times=times)


def _draws_of(hit: re.Match[str]) -> str:
    """Return the help for cards that one seat or each of them gets."""
    times = NUMBERS.get(hit["number"], hit["number"])
    sentence = f"draw from PILE to {cards_of(hit['seat'] or 'player')}"
    sentence = sentence if times == 1 else f"repeat {times} times: {sentence}"
    if hit["seat"]:
        return write(sentence)
    return say("write `for player in seats:`, and below it `{sentence}`", sentence=sentence)


def _card(hit: re.Match[str]) -> str:
    card = f'"{RANKS.get(hit[2].lower(), hit[2])}{hit[3][0]}"'
    return write(f"{card} in {cards_of(hit[1])}" if hit[1] else card)


def _alike(hit: re.Match[str]) -> str:
    cards, least = cards_of(hit[1]), ALIKE[hit[2].split()[0]]
    return write(f"any r in ranks has (count c in {cards} where rank(c) == r) >= {least}")


PHRASES: tuple[Phrase, ...] = (
    (r"\bcount\s+of\s+([a-z]\s+in\s.+)$", "`count {1}`"),
    # What is counted and held.
    (
        rf"(?:\b({PLACE})\s+(?:has|have|holds?|contains?)\s+(?:the\s+)?)?"
        rf"\b(\d+|[AKQJ]|{'|'.join(RANKS)})\s+of\s+({SUITS})\b",
        _card,
    ),
    (
        rf"\b({PLACE})\s+(?:has|have|holds?|contains?)\s+(?:an?\s+)?"
        r"(pair|three\s+of\s+a\s+kind|four\s+of\s+a\s+kind)\b",
        _alike,
    ),
    (
        r"\bthere\s+(?:is|are)\s+no\s+(?:more\s+)?cards?\s+(?:left\s+)?in\s+(?:the\s+)?"
        rf"({PLACE})",
        "`empty({1})`",
    ),
    (
        rf"\b(?:the\s+)?({SEAT_NAMES})\s+(?:has|have|holds?|contains?)\s+(?:an?\s+|the\s+)?"
        r"(\"[^\"]*\"|(?:\d+|[AKQJ])[a-z]\b)",
        lambda hit: write(f'"{hit[2].strip(chr(34))}" in {cards_of(hit[1])}'),
    ),
    (
        r"\b(?:nobody|no\s*one|none|personne)\s+(?:has|holds|is)\b.*",
        "say of whom: `every p in seats has not ...`",
    ),
    (
        r"\b(?:somebody|someone|anybody|anyone|quelqu'un)\s+(?:has|holds|is)\b.*",
        "say of whom: `any p in seats has ...`",
    ),
    (rf"\b(count|first|those)\s*\(\s*({PLACE})\s+where\b.*", "`{1} c in {2} where ...`"),
    (rf"\bcount\s*\(\s*({PLACE})\s*\)", "`size({1})`"),
    (
        rf"\bcount\s*\(\s*({PLACE})\s*,\s*\"?(\w+)\"?\s*\)",
        '`(count c in {1} where rank(c) == "{2}")`',
    ),
    (
        rf"\bcount\s+(?:of\s+)?(?:the\s+)?\"?(\d+|[AKQJ])\"?s?\s+in\s+({PLACE})",
        '`count c in {2} where rank(c) == "{1}"`',
    ),
    (
        r"\b(?:any|every)\s+\w+\s+in\s+\S+\s+(?:is|are|have|holds?|contains?|est|sont|a|ont|hat)\b.*",
        "write `has`, then a condition",
    ),
    (
        rf"\b({ASKED_OF})\s+of\s+(?:the\s+)?({ASKED_OF})\s+(?:card\s+)?of\s+(?:the\s+)?"
        rf"({PLACE_OF})",
        "`{1}({2}({3}))`",
    ),
    (rf"\b(top|bottom)\s+card\s+of\s+(?:the\s+)?({PLACE_OF})", "`{1}({2})`"),
    (
        rf"\b(?:an?|any|some|{SEAT_NAMES})\s+(?:player\s+)?has\s+(?:no|not\s+an?y?)\s+[a-z].*",
        "say which cards: `any p in seats has not any c in hand[p] has ...`",
    ),
    (
        r"\b(?:an?|any|some)\s+(?:player|team|side)\s+has\s+(?:at\s+least\s+)?(\d+)\s+"
        r"(?!cards?\b)([a-z]\w*)",
        "`any side in teams has {2}[side] >= {1}`",
    ),
    (
        r"^(?!\s*(?:\w+\s+)?(?:rule|define)\b).*\b(?:an?|some)\s+(?:player|seat|joueur)\b.*",
        "say which cards: `any p in seats has any c in hand[p] has ...`",
    ),
    (rf"\bis\s+the\s+({ASKED_OF})\s+of\s+(?:the\s+)?(\w+)", "`== {1}({2})`"),
    (r"\b(count|first|those)\s+(\"[^\"]*\")\s+in\s+([^\s:]+)", "`{1} c in {3} where c == {2}`"),
    (
        r"\b(?:any|some)\s+\"?(\d+|[AKQJ])\"?\s+in\s+([^\s:]+)",
        '`any c in {2} has rank(c) == "{1}"`',
    ),
    (r"\b(?:any|some)\s+(\"[^\"]*\")\s+in\s+([^\s:]+)", "`{1} in {2}`"),
    (COUNT_OF_NOTHING, "a `count` goes through a set: `count c in SET where ...`, or `size({1})`"),
    (
        r"\b(any|every)\s+(\w+)\s+in\s+(\S+)\s+with\s+(?!highest|lowest|most|least|fewest)",
        "`{1} {2} in {3} has ...`",
    ),
    (
        r"\b(count|first|those)\s+(\w+)\s+in\s+(\S+)\s+with\s+(?!highest|lowest|most|least|fewest)",
        "`{1} {2} in {3} where ...`",
    ),
    (r"\"(\w+)\"\s+of\s+(\w+)", '`any c in ZONE has rank(c) == "{1}" and suit(c) == {2}`'),
    (rf"\b(?:count|size|number\s+of\s+cards)\s+(?:in|of)\s+({PLACE})", "`size({1})`"),
    (r"\bif\s+for\s+(?:all|each|every)\s+(\w+)\s+in\b", "`every {1} in ...`"),
    (
        rf"\b(?:sum\s*\(?|total\s*\()\s*(?!total\b|count\b)([^:]+?)\s+for\s+(\w+\s+in\s+{PLACE})\)?",
        "`total {1} for {2}`",
    ),
    (
        rf"\b(?:sum|total)\s*(?:\(|of\b)\s*(?:the\s+)?(\w+)\s*(?:\(|in\b|of\b)\s*({PLACE})\)*",
        "`total {1}(c) for c in {2}`",
    ),
    (
        rf"\b(highest|lowest|min|max)\s*\(\s*([^:,]+?)\s+for\s+(\w+\s+in\s+{PLACE_OF})\)?",
        lambda hit: write(f"{EXTREMES.get(hit[1], hit[1])} {hit[2]} for {hit[3]}"),
    ),
    (
        rf"\b(count|first|those|any|every)\s*\(\s*(\w+\s+in\s+{PLACE_OF})",
        "`({1} {2} ...)`",
    ),
    (
        rf"\b(rank|suit)s\s+(?:of|in)\s+({PLACE_OF})",
        "`(those x in {1}s where any c in {2} has {1}(c) == x)`",
    ),
    (r"\b(?:no|none)\s+(\w+)\s+in\b", "`not any {1} in ...`"),
    (
        rf"\b(highest|lowest)\s+\w+\s+(?:in|of)\s+({PLACE})\s*$",
        "`first c in {2} with {1} strength(c)`",
    ),
    (r"\b(?:ordered|sorted)\s+by\s+(\S.*)$", "write `with highest {1}`, or `with lowest {1}`"),
    (rf"[\[{{(]\s*(\w+)\s+for\s+\w+\s+in\s+({PLACE})", "`those {1} in {2} where ...`"),
    (rf"\bcount\s+({PLACE_OF})\s*$", "`size({1})`"),
    (
        r"\b(count|first|those|any|every|total|highest|lowest)\s+(.+?)\s+for\s+(\w+\s+in\s+.+?)"
        r"\s+for\s+(\w+\s+in\s+[^\s:]+)",
        "put the inner one in brackets: `{1} ({1} {2} for {4}) for {3}`",
    ),
    (
        rf"({PLACE})\s+has\s+(?:at\s+least\s+)?(\d+)\s+cards?\b",
        lambda hit: write(f"size({cards_of(hit[1])}) >= {hit[2]}"),
    ),
    (r"\b(?:dealer|player|seat|\w+)\s+has\s+(\d+)\s+(\w+)", "`{2}[...] >= {1}`"),
    # What is moved, shown, said and left to chance.
    (r"^\s*(?:turn\s+(?:over|up)|flip)\b.*", "`draw from PILE to ZONE face up`"),
    (
        r"\bwhen\s+random\s+(?:from\s+)?(\d+)\s+to\s+(\d+)\s*==\s*\d+",
        "`with probability 1 out of {2}`",
    ),
    (r"\brandom\s*\(?(?:\s*from)?\s*(\d+)\s*(?:to|-|\.\.|,)\s*(\d+)", "`roll {1} to {2}`"),
    (
        r"\bif\s+((?:roll|random)\s+[^:=<>!]+[^:=<>!\s]).*",
        "give it a name in a line above: `let x = {1}`",
    ),
    (
        r"\b(?:swap|exchange)\s+([^\s:]+)\s+(?:with|against)\s+(?!.*\bfrom\b).*",
        "say where both lie: `swap {1} from ZONE with CARD from ZONE`",
    ),
    (
        r"\b(?:draw|deal|move)\s+(?:(?:an?|one|the|1)\s+)?(?:(?:top|first|next)\s+)?cards?\s+"
        r"from\s+(?:the\s+)?(\S+)\s+to\s+(\S+)",
        "`draw from {1} to {2}`",
    ),
    (r"^\s*(?:print|say|tell|dire|affiche)\s+(\"[^\"]*\").*", "`announce {1} by SEAT to all`"),
    (r"^\s*announce\s+(\"[^\"]*\")\s*$", "`announce {1} by SEAT to all`"),
    (r"^\s*(announce\s.+\sby\s+\S+)\s*$", "say who hears it: `{1} to all`"),
    (r"^\s*(announce\s+[^\s\"]+)\s*$", "say who says it, and who hears it: `{1} by SEAT to all`"),
    (
        r"\bif\s+chance\s+(\d+)\s*%.*",
        "give it a name in a line above: `let lucky = chance {1} out of 100`",
    ),
    (r"\b(chance|probability)\s+(\d+)\s*(?:/|in|sur)\s*(\d+)", "`{1} {2} out of {3}`"),
    (
        r"\bif\s+chance\s+([\d.]+(?:\s+out\s+of\s+\d+)?).*",
        "give it a name in a line above: `let lucky = chance {1}`",
    ),
    (r"\brandom\s+(?!from\b)(\w+(?:\[[^\]]*\])?)", "`random from {1}`"),
    (r"\broll\s+(\d+)\s*$", "`roll 1 to {1}`"),
    (r"\broll\s+(?:a|the|one)\s+di[ce]e?\b", "`roll 1 to 6`"),
    (r"^\s*move\s+(\w+(?:\s*,\s*\w+)+)\s+(?:in)?to\s+(\S+)", "`gather {1} into {2}`"),
    (
        r"^\s*move\s+all\s+(?!cards?\b|in\b|of\b)(\w+)\s+from\s+(\S+)\s+(?:in)?to\s+(\S+)",
        "`for c in {1}: move c from {2} to {3}`",
    ),
    (rf"^\s*move\s+all\s+\w+\s+(?:in|of|from)\s+({PLACE})", "`move all from {1} to ...`"),
    (r"^\s*gather\s+all\s+\w+\s+(?:in|of|from)\s+(\w+)", "`gather {1} into ...`"),
    (
        r"\b(?:draw|deal|move)\s+(\d+)\s+(?:cards?\s+)?from\s+(\S+)\s+to\s+(\S+)",
        "write `repeat {1} times:`, and below it `draw from {2} to {3}`",
    ),
    (r"(?:^|:)\s*reveal\s+(\S+)\s*$", "say to whom: `reveal {1} to seats`"),
    (r"^\s*(?:show|display|montre|montrer)\s+(\S+)\s+to\s+(\S+)", "`reveal {1} to {2}`"),
    (
        rf"^\s*(?:(?:the\s+)?(?P<seat>{SEAT_NAMES})|(?:each|every)\s+(?:player|seat))\s+"
        r"(?:takes|draws|gets|receives)\s+(?P<number>\w+)\s+cards?\b.*",
        _draws_of,
    ),
    (r"\b(?:deal|draw|give|distribute|pick|take)\s+(\w+)\s+cards?\b.*", _draws),
    (r"\bgather\s+(\w[\w, ]*?)\s+(?:back\s+)?(?:to|in|onto|dans)\s+(\w+)", "`gather {1} into {2}`"),
    (r"\bgather\s+(\w+)\s+(?:and\s+)?(\w+)", "put commas between the zones: `gather {1}, {2} ...`"),
    (
        r"^(?!\s*(?:replace\s+)?zone\b).*\bface\s+down\b|^\s*hide\s.*",
        "what nobody may see lies in a zone `seen by nobody`: `draw from PILE to ZONE`",
    ),
    (rf"^\s*(?:pick|take)\s+up\s+({PLACE})", "`move all from {1} to ZONE openly`"),
    (r"\bdraw\s+(?!from\b)(\w+)\s+to\b", "`draw from {1} to ...`"),
)
