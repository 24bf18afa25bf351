"""Phrases for questions and other sentences, and for the clauses of scripts."""

from __future__ import annotations

import re

from trutdsl.language import say
from trutdsl.syntax.phrases.shared import PLACE, PLACE_OF, Phrase, write

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


PHRASES: tuple[Phrase, ...] = (
    # Questions.
    (
        r"\bask\s+(?:all|every|each)\s+(?:the\s+)?(?:players?|seats?|\w+\s+in\s+\w+)\b.*",
        "write `for p in seats:`, and below it `ask p ...`",
    ),
    (
        r"^\s*(?!define\b|rule\b|replace\b)[a-z]\w*(?:\s\w+)*\s*(->|=>)\s*\S.*",
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
        r"^\s*ask\b.*\"\s*:\s*(\S.*)",
        "write each option on a line of its own, indented, below `ask ...:`",
    ),
    (r"\bask\s+\"(\w+)\"", 'say who is asked: `ask SEAT "{1}":`'),
    (r"(\bset\s+of\s+|\[|\bin\s+)(\d+)\s+to\s+(\d+)\s+by\s+(\d+)(\]?)", _without_steps),
    (r"\b(openly|as\s+pass)\s+when\b.*", "write `when ...` before `{1}`"),
    # Other sentences.
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
        r"\b(\w+)\s+(?:gains|wins|scores|gets|earns|gagne|marque)\s+(\d+)\s+(\w+)",
        "`{3}[{1}] += {2}`",
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
    (r"^\s*(?:call|run|execute)\s+(\w+(?:\([^)]*\))?)", "`do {1}`"),
    (r"\bfor\s*\((\w+\s+in\s.+?)\)\s*:?", "`for {1}:`"),
    (
        r"^\s*(?:if|else|for|repeat)\b[^{]*(?<!\bin)(?<![-=+&,(])\s\{.*",
        "a block has no braces: write its lines below the `:`, indented",
    ),
    (r"\bfor\s+(\w+)\s*=\s*(.+?)\s*:", "`for {1} in {2}:`"),
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
    (r"^(strategy\s+[\w-]+)\s+(for\s+.+?[^,\s])\s+(\"[^\"]*\")\s*:", "`{1} {3} {2}:`"),
    (r"^\s*parameter\s+(\w+)\s*=\s*(\d+)", "`parameter {1}: 0 to 100 = {2}`"),
    (r"\bwith\s+(?:chance|probability)\b.+\b(once\s+an?\s+\w+)", "write `{1}` before `with`"),
    (r"\b(with\s+(?:chance|probability))\b.+\b(where|when)\b.*", "write `{2} ...` before `{1}`"),
)
