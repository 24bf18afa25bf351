"""Phrases for questions and other sentences, and for the clauses of scripts."""

from __future__ import annotations

import re

from trutdsl.language import say
from trutdsl.syntax.phrases.shared import (
    NUMBERS,
    PLACE,
    PLACE_OF,
    SEAT_NAMES,
    Phrase,
    cards_of,
    write,
)

WHO = rf"^\s*(?:the\s+)?({SEAT_NAMES}|winner|leader)\s+"  # at the start of a line

# What people name when they go through all of them, in the singular -> the set.
SETS = {
    **dict.fromkeys(("player", "seat", "joueur", "place", "spieler"), "seats"),
    **dict.fromkeys(("team", "side", "équipe", "equipe"), "teams"),
    **dict.fromkeys(("suit", "couleur"), "suits"),
    **dict.fromkeys(("rank",), "ranks"),
}
EACH = re.compile(
    r"\b(?:for|pour)\s*(?:each|every|all|any|the|chaque|tou(?:s|tes)\s+les)\s+(\w+?)s?\s*:"
)


def hint_for_each(line: str) -> str | None:
    """Return the help for a loop over each of something that is not named as a set."""
    hit = EACH.search(line)
    if hit is None or hit[1].lower() not in SETS:
        return None
    return write(f"for {hit[1]} in {SETS[hit[1].lower()]}:")


def _gains(hit: re.Match[str]) -> str:
    number, name = NUMBERS.get(hit[3], hit[3]), hit[4]
    sign = "-" if hit[2] in ("loses", "perd") else "+"
    name = f"{name}s" if str(number) == "1" and not name.endswith("s") else name
    whose = f"team({hit[1]})" if hit[1] in SEAT_NAMES.split("|") else hit[1]
    return write(f"{name}[{whose}] {sign}= {number}")


def _without_steps(hit: re.Match[str]) -> str:
    """Return the help for numbers by steps outside a choice: the numbers of the steps instead."""
    low, high, step = int(hit[2]), int(hit[3]), int(hit[4])
    head = " ".join(hit[1].split())
    space = "" if head == "[" else " "
    numbers = f"{head}{space}0 to {(high - low) // max(1, step)}{hit[5]}"
    if head == "in":
        text = "only choices have steps: write `{numbers}`, and `{low} + {step} * n` for its n"
    else:
        text = "only choices have steps: write `{numbers}`, and `(n - {low}) div {step}` for an n"
    return say(text, numbers=numbers, low=low, step=step)


# Who acts, as players say it -> the seat in rules.
ACTORS = {"dealer": "dealer", "leader": "on_lead", "partner": "partner(me)", "i": "me", "me": "me"}
DOERS = {"wins": "winner", "won": "winner", "calls": "caller", "bids": "bidder"}
CONDITION = r"\b(if|where|while|until|unless|and|or|not|(?<=\S\s)when)"
ACTS = (
    r"wins|won|loses|lost|calls?|called|bids?|folds?|folded|plays|played|accepts?|accepted|"
    r"raises?|raised|passes|passed|announces|announced|sings|sang"
)


def _compare_actor(hit: re.Match[str]) -> str:
    """Return the help for a condition on what somebody does."""
    me = "me" if hit[1].endswith("when") else "player"
    name, seat = DOERS.get(hit[3], "who"), ACTORS.get(hit[2].lower())
    code = f"{name} == {seat}" if seat else f"team({name}) != team(me)"
    code = re.sub(r"\bme\b", me, code)
    text = "compare a variable of the rules that says who did it, such as `{code}`"
    return say(text, code=code)


def _parameter(hit: re.Match[str]) -> str:
    name, number = hit[1], hit[2]
    if hit[3]:
        number = f"{float(number) / 100:g}"
    kind = "probability" if "." in number or hit[3] else "0 to 100"
    return write(f"parameter {name}: {kind} = {number}")


PHRASES: tuple[Phrase, ...] = (
    # Questions.
    (
        r"\bask\s+(?:all|every|each)\s+(?:the\s+)?(?:players?|seats?|\w+\s+in\s+\w+)\b.*",
        "write `for p in seats:`, and below it `ask p ...`",
    ),
    (
        r"^\s*(?!.*\b(?:define|rule|if|when|where|while|until|let|return)\b)[a-z]\w*(?:\s\w+)*\s*"
        r"(->|=>).*",
        "write `:` instead of `{1}`",
    ),
    (r"\bask\s+([^\":]+?)\s*:\s*(\"\w+\")\s*:?\s*$", "`ask {1} {2}:`"),
    (r"\bask\s+([^\":]+?)\s+to\s+(\w+)\s*:", '`ask {1} "{2}":`'),
    (r"^\s*(\w+)\s*,\s*(do\b.+)", "`{1}: {2}`"),
    (r"\bask\s+([^\":]+?)\s+([A-Za-z_]\w*)\s*(?::|$)", '`ask {1} "{2}":`'),
    (
        rf"^\s*(\w+)\s+(\d+(?:\s+to\s+\d+)?)\s+cards?\s+of\s+({PLACE_OF})",
        "`{1} them from {2} cards of {3}`",
    ),
    (
        rf"\bfrom\s+at\s+most\s+(\d+)\s+cards?\s+(?:from|in|of)\s+({PLACE_OF})",
        "`from 0 to {1} cards of {2}`",
    ),
    (
        rf"\bfrom\s+(\d+(?:\s+to\s+\d+)?)\s+cards?\s+(?:from|in)\s+({PLACE_OF})",
        "`from {1} cards of {2}`",
    ),
    (r"\bask\b.*\"\s*,\s*(seen\s+by\s+\w+)", "write `{1}` without a comma before it"),
    (
        r"\bask\s+[^\":]+\"[^\"]*\"\s*(?:or|and|,)",
        "a question has one name; its options stand below, one a line",
    ),
    (
        r"^\s*(?:add\s+to\s+)?ask\b.*\"\s*:\s*(\S.*)",
        "write each option on a line of its own, indented, below `ask ...:`",
    ),
    (r"\bask\s+\"(\w+)\"", 'say who is asked: `ask SEAT "{1}":`'),
    (
        r"\bask\b.*\"\s+(?:with|to|for|if|when|whether|who)\b.*",
        "end the line with ':'; its options stand below, one a line",
    ),
    (r"\bask\s+([^\":]+?)\s*:\s*$", '`ask {1} "NAME":`'),
    (r"(\bset\s+of\s+|\[|\bin\s+)(\d+)\s+to\s+(\d+)\s+by\s+(\d+)(\]?)", _without_steps),
    (r"\b(openly|as\s+pass)\s+when\b.*", "write `when ...` before `{1}`"),
    (r"^\s*add\s+to\s+ask\s+(\w+)\s*:.*", '`add to ask player "{1}":`'),
    # Sentences that begin with who does something.
    (
        rf"{WHO}(?:wins|gagne)\s+(?:the\s+|la\s+)?(?:match|game|partie)\b.*",
        "`end match won by team({1})`",
    ),
    (
        rf"{WHO}(?:wins|gagne)\s+(?:the\s+|la\s+)?(?:deal|hand|round|manche|donne)\b.*",
        "`end deal won by team({1}) because WORD`",
    ),
    (rf"{WHO}(?:wins|takes|gagne)\s+(?:the\s+|le\s+)?(?:trick|pli)\b.*", "`end trick won by {1}`"),
    (rf"{WHO}(?:leads|starts|begins|commence|entame)\b.*", "`on_lead = {1}`"),
    (
        rf"{WHO}(?:shows|reveals|montre)\b.*",
        lambda hit: write(f"reveal {cards_of(hit[1])} to seats"),
    ),
    (
        rf"{WHO}(?:may|can|must|chooses|decides|peut|doit|choisit)\b.*",
        'write `ask {1} "NAME":`, and below it one option a line',
    ),
    # Conditions on what somebody does.
    (
        rf"{CONDITION}\s+(?:the\s+|my\s+)?"
        rf"(dealer|leader|partner|opponents?|them|I|me)\s+(?:has\s+|have\s+)?({ACTS})\b",
        _compare_actor,
    ),
    (
        rf"{CONDITION}\s+(?:a\s+|the\s+)?\w+\s+(?:is|was|has\s+been)\s+"
        r"(called|played|accepted|refused|folded|announced|doubled|raised|bid|led|won|lost)\b",
        "name a variable of the rules that says so, such as `{2}`",
    ),
    # Other sentences.
    (
        r"^\s*(?:the\s+)?(?:match|game)\s+(?:is\s+over|is\s+finished|ends)\b.*|\bend\s+match\s*$",
        "write `end match won by TEAM`, or `end match drawn`",
    ),
    (r"^\s*(?:the\s+)?deal\s+(?:is\s+over|is\s+finished|ends)\b.*", "`end deal because WORD`"),
    (r"\bend\s+the\s+(deal|match|trick)\b.*", "`end {1} ...`"),
    (
        r"\bfor\s+(?:each|every|all)\s+(?:the\s+)?others?(?:\s+(?:player|seat)s?)?\s*:",
        "`for p in seats where p != SEAT:`",
    ),
    (
        r"\bin\s+(?:all|every)\s+(?:the\s+)?(player|seat|team|suit|rank)s?\b",
        lambda hit: write(f"in {SETS[hit[1]]}"),
    ),
    (
        r"\b(?:for|pour)\s*(?:each|every|all)\s+(?:players?|seats?)\s+(\w+)\s*:",
        "`for {1} in seats:`",
    ),
    (
        r"\bbecause\s+((?:(?!(?:if|else|and|or)\b)\w+\s+)+(?!(?:if|else|and|or)\b)\w+)\s*$",
        lambda hit: write(f"because {'_'.join(hit[1].split())}"),
    ),
    (r"\blet\s+(\w+)\s+(?:be|is|to)\s+(\S.*)$", "`let {1} = {2}`"),
    (r"^\s*set\s+(\w+)\s*=\s*(\S.*)$", "leave out `set`: `{1} = {2}`"),
    (rf"^\s*(?:set|mets|met|mettre)\s+({PLACE_OF})\s+(?:to|à)\s+(\S.*)$", "`{1} = {2}`"),
    (
        rf"^\s*({PLACE_OF}\s*[-+]?=\s*.+?|(?:do|draw|end|move|reveal)\b.+?)\s+when\s+(.+)$",
        "`if {2}: {1}`",
    ),
    (rf"^\s*(?:add|ajoute)\s+(\d+)\s+(?:to|à)\s+({PLACE_OF})", "`{2} += {1}`"),
    (rf"^\s*(?:increase|raise)\s+({PLACE_OF})\s+by\s+(\w+)", "`{1} += {2}`"),
    (rf"^\s*(?:decrease|lower|reduce)\s+({PLACE_OF})\s+by\s+(\w+)", "`{1} -= {2}`"),
    (r"^\s*(?:skip|continue)\s*$", "write `next`, or leave it out"),
    (r"^\s*(?:break|exit|leave)\s*$", "`stop`"),
    (
        r"(?:^|:)\s*(?:pass|wait|nothing)\s*$",
        "where nothing happens, leave the block out; a rule without effect has `return`",
    ),
    (
        r"^\s*(?:var|variable|int|number|const|local|global)\s+(\w+)\s*=?\s*(\S*).*",
        "write `let {1} = ...`, or declare it: `{1}: TYPE` below `deal state:`",
    ),
    (rf"^\s*({PLACE})\s+plus\s+(\w+)", "`{1} += {2}`"),
    (rf"^\s*({PLACE})\s+(?:minus|moins)\s+(\w+)", "`{1} -= {2}`"),
    (
        r"\b(\w+)\s+(gains|wins|scores|gets|earns|gagne|marque|loses|perd)\s+"
        rf"(\d+|{'|'.join(NUMBERS)})\s+(?!cards?\b)(\w+)",
        _gains,
    ),
    (EACH.pattern, lambda hit: hint_for_each(hit[0]) or write("for player in seats:")),
    (r"\bend\s+(match|deal)\s*,?\s*(\w+)\s+(?:wins|gagne|gewinnt)\b.*", "`end {1} won by {2} ...`"),
    (r"\brepeat\s+(?:forever|always|toujours)\b.*", "`repeat at most 100 times:`"),
    (r"^\s*let\s+(\w+)\s*,\s*(\w+)\b", "write two sentences: `let {1} = ...` and `let {2} = ...`"),
    (r"^\s*next\s+(dealer|player|\w+)\s*$", "`{1} = next_seat({1})`"),
    (r"\bfor\s*each\s+(\w+)", "`for {1} in ...:`"),
    (r"\bbecause\s+\"([a-zA-Z]\w*)\"", "write it without quotes: `because {1}`"),
    (r"\bbecause\s+\"", "say why in one word: `because WORD`"),
    (r"(?:^|:)\s*(trick|deal|match)\s+(won|tied|drawn)\b.*", "`end {1} {2} ...`"),
    (r"=\s*ask\b.*", "`ask` is a sentence of its own; the blocks of its options set variables"),
    (r"^\s*(?:call|run|execute|go\s*to)\s+(\w+(?:\([^)]*\))?)", "`do {1}`"),
    (r"\bfor\s*\((\w+\s+in\s.+?)\)\s*:?", "`for {1}:`"),
    (
        r"^\s*(?:if|else|for|repeat)\b[^{]*(?<!\bin)(?<![-=+&,(])\s\{.*",
        "a block has no braces: write its lines below the `:`, indented",
    ),
    (r"\bfor\s+(\w+)\s*(?:=|\bfrom\b)\s*(.+?)\s*:", "`for {1} in {2}:`"),
    (r"\bfor\s+(?:every|all|each|any)\s+(.+?\sin\s.+?)\s*:", "`for {1}:`"),
    (r"^\s*-\s+(\S.*)", "leave out the hyphen: `{1}`"),
    (r"\s--\s.*", "`#` starts a comment"),
    (r"\bend\s+deal\s+winner\s*=?\s*(\w+)", "`end deal won by team({1}) because WORD`"),
    (r"\bend\s+match\s+winner\s*=?\s*(\w+)", "`end match won by team({1})`"),
    (r"^\s*(?:sinon\s+si|else\s*if|elsif|elseif)\b(.*?):", "`else if {1}:`"),
    (r"^\s*(\w+(?:\[[^\]]*(?:\([^)]*\))?[^\]]*\])?)\s*([+-])\s*(\w+)\s*$", "`{1} {2}= {3}`"),
    (r"\b(?:tant\s+que|tantque|mientras)\s+(.+?)\s*:.*", "`repeat at most 100 times while {1}:`"),
    (rf"({PLACE_OF})\s*\*=\s*(\S.*)", "`{1} = {1} * {2}`"),
    (rf"({PLACE_OF})\s*/=\s*(\S.*)", "`{1} = {1} div {2}`"),
    (r"\b(dealer|on_lead)\s*\+\+", "`{1} = next_seat({1})`"),
    (r"\b(dealer|on_lead)\s*--", "`{1} = previous_seat({1})`"),
    (rf"({PLACE})\s*\+\+", "`{1} += 1`"),
    (rf"({PLACE})\s*--", "`{1} -= 1`"),
    (r"\b(return|stop|next|again)\s+if\s+(.+)", "`if {2}: {1}`"),
    (r"\b(?:let\s+\w+|^\s*\w+(?:\[[^\]]*\])?)\s*==", "to set it, write `=`"),
    (r"\brepeat\s+((?:at\s+most\s+)?\w+)\s*:", "`repeat {1} times:`"),
    (r"^\s*(?:(?:loop|do|for)\s+)?(\w+)\s+times\s*:", "`repeat {1} times:`"),
    (r"^\s*(?:switch|case|match\s+(?!state\b))\b.*", "write `if ...:` and `else if ...:`"),
    (r"^\s*add\b.*", 'to add options to a question, write `add to ask player "turn":`'),
    (r":=", "to set it, write `=`"),
    (r"\bunless\s+(.+?)\s*:.*", "`if not ({1}):`"),
    # Clauses of scripts.
    (r"^\s*on\s+(\w+)\s+(?:and|or|et|ou)\s+(\w+)\s*:", "`on {1}, {2}:`"),
    (r"^\s*on\s+(?:any|every|all|each)\b.*:", "`otherwise:`"),
    (
        r"^(strategy\s+[\w-]+(?:\s+extends\s+\S+)?)\s+(for\s+.+?[^,\s])\s+(\"[^\"]*\")\s*:",
        "`{1} {3} {2}:`",
    ),
    (r"^(strategy\s+[\w-]+)\s+(\"[^\"]*\")\s+(extends\s+\S+)", "`{1} {3} {2}`"),
    (
        r"^\s*(?:random|randomly|either|hasard|au\s+hasard)\s*:.*",
        "write `mix:`, and below it each part with its weight, as in `50: OPTION`",
    ),
    (
        r"\bwith\s+(lowest|highest)\s+(.+?)\s*(?:,|\band)\s*(?:then\s+)?(lowest|highest)\s+(.+)",
        "`with {1} {2} then {3} {4}`",
    ),
    (
        r"\bonce\s+an?\s+(game|partie|hand|round|manche|turn)\b",
        lambda hit: write(f"once a {'match' if hit[1] in ('game', 'partie') else 'deal'}"),
    ),
    (r"^strategy\s+(\w+)\s*\(([\w, -]+)\)\s*:", "`strategy {1} for {2}:`"),
    (r"^\s*parameter\s+(\w+)\s*[:=]\s*(\d+(?:\.\d+)?)\s*(%?)\s*$", _parameter),
    (r"\bwith\s+(?:chance|probability)\b.+\b(once\s+an?\s+\w+)", "write `{1}` before `with`"),
    (r"\b(with\s+(?:chance|probability))\b.+\b(where|when)\b.*", "write `{2} ...` before `{1}`"),
)
