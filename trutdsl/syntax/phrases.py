"""Phrases of rule books and of other languages, and what to write instead of them."""

from __future__ import annotations

import re
from collections.abc import Callable

from trutdsl.language import say

PLACE = r"[A-Za-z_]\w*(?:\[[^\]]*\])?"
COUNT_OF_NOTHING = r"\bcount\s+(\w+)\s*(?:$|[)=<>!:])"
PLACE_OF = rf"{PLACE}(?:\([^()]*\))?"
YES_NO = "(?:yes|no|true|false|oui|non)"
AUDIENCES = {
    **dict.fromkeys(("owner", "player", "seat", "self", "holder", "him", "own"), "owner"),
    **dict.fromkeys(("everybody", "everyone", "players", "public", "anybody"), "all"),
    **dict.fromkeys(("partner", "partners", "side", "teams"), "team"),
    **dict.fromkeys(("none", "no"), "nobody"),
}
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
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
SEAT_NAMES = "dealer|on_lead|player|seat|me|I"
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
# Patterns for the line with the mistake; a match must include the position of the mistake.
IN_LINE: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (
        r"^\s*(?:when|at|after)\s(?!rule\b).*\b(?:trick|pli|levée)\b.*:",
        "write `after rule NAME(...):` with the rule that holds `trick on`",
    ),
    (
        rf"\b(?:the\s+)?({SEAT_NAMES})\s+(?:has|have|holds?)\s+(?:an?\s+|the\s+)?"
        r"((?:\d+|[AKQJ])[a-z])\b",
        lambda hit: _fill('write `"{2}" in hand[{1}]`', hit).replace("hand[I]", "hand[me]"),
    ),
    (
        r"\b(?:nobody|no\s*one|none|personne)\s+(?:has|holds|is)\b.*",
        "say of whom: `every p in seats has not ...`",
    ),
    (
        r"\b(?:somebody|someone|anybody|anyone|quelqu'un)\s+(?:has|holds|is)\b.*",
        "say of whom: `any p in seats has ...`",
    ),
    (
        rf"^\s*(?:the\s+)?({SEAT_NAMES})\s+(?:has|holds)\s+(?![\"\d])",
        "write `any c in hand[{1}] has ...`",
    ),
    (
        r"\b(?:for|pour)\s*(?:each|every|all)\s+(?:players?|seats?)\s+(\w+)\s*:",
        "write `for {1} in seats:`",
    ),
    (
        r"^\s*(?:remove|delete|drop|without)\s+(?:the\s+)?rule\s+(\w+).*",
        "write `replace rule {1}:`, and below it `return`",
    ),
    (
        r"\bbecause\s+((?:(?!(?:if|else|and|or)\b)\w+\s+)+(?!(?:if|else|and|or)\b)\w+)\s*$",
        lambda hit: say("write `{spoken}`", spoken=f"because {'_'.join(hit[1].split())}"),
    ),
    (
        rf"\b(count|first|those)\s*\(\s*({PLACE})\s+where\b.*",
        "write `{1} c in {2} where ...`",
    ),
    (rf"\bcount\s*\(\s*({PLACE})\s*\)", "write `size({1})`"),
    (
        rf"\bcount\s+of\s+(?:the\s+)?\"?(\d+|[AKQJ])\"?s?\s+in\s+({PLACE})",
        'write `count c in {2} where rank(c) == "{1}"`',
    ),
    (r"\blet\s+(\w+)\s+(?:be|is|to)\s+(\S.*)$", "write `let {1} = {2}`"),
    (r"^\s*set\s+(\w+)\s*=\s*(\S.*)$", "leave out `set`: `{1} = {2}`"),
    (rf"^\s*(?:add|ajoute)\s+(\d+)\s+(?:to|à)\s+({PLACE_OF})", "write `{2} += {1}`"),
    (rf"^\s*(?:increase|raise)\s+({PLACE_OF})\s+by\s+(\w+)", "write `{1} += {2}`"),
    (rf"^\s*(?:decrease|lower|reduce)\s+({PLACE_OF})\s+by\s+(\w+)", "write `{1} -= {2}`"),
    (
        r"\b(?:any|every)\s+\w+\s+in\s+\S+\s+(?:is|are|est|sont)\b.*",
        "write `has`, then a condition",
    ),
    (
        rf"\b({ASKED_OF})\s+of\s+(?:the\s+)?({ASKED_OF})\s+(?:card\s+)?of\s+(?:the\s+)?"
        rf"({PLACE_OF})",
        "write `{1}({2}({3}))`",
    ),
    (
        rf"\b(top|bottom)\s+card\s+of\s+(?:the\s+)?({PLACE_OF})",
        "write `{1}({2})`",
    ),
    (r"^\s*(?:turn\s+over|flip)\b.*", "write `draw from PILE to ZONE face up`"),
    (r"^\s*(?:skip|continue)\s*$", "write `next`, or leave it out"),
    (r"^\s*(?:break|exit|leave)\s*$", "write `stop`"),
    (
        r"(?:^|:)\s*(?:pass|wait|nothing)\s*$",
        "where nothing happens, leave the block out; a rule without effect has `return`",
    ),
    (
        r"\bask\s+(?:all|every|each)\s+(?:the\s+)?(?:players?|seats?|\w+\s+in\s+\w+)\b.*",
        "write `for p in seats:`, and below it `ask p ...`",
    ),
    (
        r"^\s*(?!define\b|rule\b|replace\b)[a-z]\w*(?:\s\w+)*\s*(->|=>)\s*\S.*",
        "write `:` instead of `{1}`",
    ),
    (
        r"^\s*(?:var|variable|int|number|const|local|global)\s+(\w+)\s*=?\s*(\S*).*",
        "write `let {1} = ...`, or declare it: `{1}: TYPE` below `deal state:`",
    ),
    (
        r"\b(?:rule|define)\b[^{]*:\s*\{.*",
        "a block has no braces: write its lines below the `:`, indented",
    ),
    (
        r"^\s*on\s+(\w+)\s+(?:and|or|et|ou)\s+(\w+)\s*:",
        "write `on {1}, {2}:`",
    ),
    (r"^\s*on\s+(?:any|every|all|each)\b.*:", "write `otherwise:`"),
    (r"^(strategy\s+\w+)\s+(for\s+[^\":]+?)\s+(\"[^\"]*\")", "write `{1} {3} {2}:`"),
    (
        rf"\b(?:an?|any|some|{SEAT_NAMES})\s+(?:player\s+)?has\s+(?:no|not\s+an?y?)\s+[a-z].*",
        "say which cards: `any p in seats has not any c in hand[p] has ...`",
    ),
    (
        r"\b(?:an?|some)\s+(?:player|seat|joueur)\b.*",
        "say which cards: `any p in seats has any c in hand[p] has ...`",
    ),
    (rf"^\s*({PLACE})\s+plus\s+(\w+)", "write `{1} += {2}`"),
    (rf"^\s*({PLACE})\s+(?:minus|moins)\s+(\w+)", "write `{1} -= {2}`"),
    (
        r"\b(\w+)\s+(?:gains|wins|scores|gets|earns|gagne|marque)\s+(\d+)\s+(\w+)",
        "write `{3}[{1}] += {2}`",
    ),
    (
        r"\bis\s+(?:less|smaller|lower|fewer|weaker)\s+than\s+(\S+?)(?=[:)]|\s|$)",
        "write `< {1}`",
    ),
    (
        r"\bis\s+(?:more|greater|bigger|higher|larger|stronger)\s+than\s+(\S+?)(?=[:)]|\s|$)",
        "write `> {1}`",
    ),
    (r"\bis\s+at\s+least\s+(\S+?)(?=[:)]|\s|$)", "write `>= {1}`"),
    (r"\bis\s+at\s+most\s+(\S+?)(?=[:)]|\s|$)", "write `<= {1}`"),
    (rf"\bis\s+the\s+({ASKED_OF})\s+of\s+(?:the\s+)?(\w+)", "write `== {1}({2})`"),
    (EACH.pattern, lambda hit: hint_for_each(hit[0]) or say("write `for player in seats:`")),
    (
        r"(?:\bdefine\b.*?:|[-+*=(])\s*if\s+(.+?)\s+then\s+(.+?)\s+(?:else|sinon)\s+(.+)$",
        "write `{2} if {1} else {3}`",
    ),
    (
        r"\brule\b[^\":]*(?:\"[^\"]*\")?[^\":]*:\s*base\s+\S.*",
        "a rule does something: write `do base`; what has a value is a `define`",
    ),
    (
        r"\b(count|first|those)\s+(\"[^\"]*\")\s+in\s+([^\s:]+)",
        "write `{1} c in {3} where c == {2}`",
    ),
    (
        r"\b(?:any|some)\s+\"?(\d+|[AKQJ])\"?\s+in\s+([^\s:]+)",
        'write `any c in {2} has rank(c) == "{1}"`',
    ),
    (r"\b(?:any|some)\s+(\"[^\"]*\")\s+in\s+([^\s:]+)", "write `{1} in {2}`"),
    (
        r"\bwhen\s+random\s+(?:from\s+)?(\d+)\s+to\s+(\d+)\s*==\s*\d+",
        "write `with probability 1 out of {2}`",
    ),
    (r"\brandom\s*\(?(?:\s*from)?\s*(\d+)\s*(?:to|-|\.\.|,)\s*(\d+)", "write `roll {1} to {2}`"),
    (
        r"\bif\s+((?:roll|random)\s+[^:=<>!]+[^:=<>!\s]).*",
        "give it a name in a line above: `let x = {1}`",
    ),
    (
        r"\b(?:swap|exchange)\s+([^\s:]+)\s+(?:with|against)\s+(?!.*\bfrom\b).*",
        "say where both lie: `swap {1} from ZONE with CARD from ZONE`",
    ),
    (r"\bask\s+([^\":]+?)\s*:\s*(\"\w+\")\s*:?\s*$", "write `ask {1} {2}:`"),
    (r"\bask\s+([^\":]+?)\s+to\s+(\w+)\s*:", 'write `ask {1} "{2}":`'),
    (
        r"\b(?:draw|deal|move)\s+(?:(?:an?|one|the|1)\s+)?(?:(?:top|first|next)\s+)?cards?\s+"
        r"from\s+(?:the\s+)?(\S+)\s+to\s+(\S+)",
        "write `draw from {1} to {2}`",
    ),
    (
        r"\bend\s+(match|deal)\s*,?\s*(\w+)\s+(?:wins|gagne|gewinnt)\b.*",
        "write `end {1} won by {2} ...`",
    ),
    (
        r"^\s*\w+(?:\[\w+\])?\s*:\s*(?:(?:number|integer|int)\s+)?(?:(?:from|between)\s+)?(\d+)"
        r"\s*(?:-|–|\b(?:to|and|à|bis)\b)\s*(\d+)\s*$",
        "write `{1} to {2}`",
    ),
    (r"\b(?:any|every)\s+\w+\s+in\s+\S+\s+(?:have|a|hat|ont)\b.*", "write `has`"),
    (
        rf"\b({SEAT_NAMES})\s+(?:has|have|holds?|contains?)\s+(\"[^\"]*\")",
        lambda hit: say(
            "write `{card} in {zone}`",
            card=hit[2],
            zone=f"hand[{hit[1].replace('I', 'me')}]",
        ),
    ),
    (
        r"^\s*(?:when|at|on)\s(?!rule\b).*\b(?:begins?|starts?|commence)\b.*:",
        "write `before rule NAME(...):` with the rule that begins it",
    ),
    (
        r"^\s*(?:when|at|after|on)\s(?!rule\b).*\b(?:match|game|partie)\b.*:",
        "write `when the match is over:`",
    ),
    (
        r"^\s*(?:when|at|after|on)\s(?!rule\b).*\b(?:deal|hand|round|manche)\b.*:",
        "write `when a deal is over:`",
    ),
    (r"\bzone\b.*\b(?:commence|begins)\b.*", "write `starts with`"),
    (r"\bzone\b.*\b(?:vue?|visible)\s+par\s.*", "write `seen by all`, `owner`, `team` or `nobody`"),
    (r"\brepeat\s+(?:forever|always|toujours)\b.*", "write `repeat at most 100 times:`"),
    (
        r"^\s*(?:print|say|tell|dire|affiche)\s+(\"[^\"]*\").*",
        "write `announce {1} by SEAT to all`",
    ),
    (r"^\s*announce\s+(\"[^\"]*\")\s*$", "write `announce {1} by SEAT to all`"),
    (r"^\s*(announce\s.+\sby\s+\S+)\s*$", "say who hears it: `{1} to all`"),
    (r"^\s*(announce\s+[^\s\"]+)\s*$", "say who says it, and who hears it: `{1} by SEAT to all`"),
    (COUNT_OF_NOTHING, "a `count` goes through a set: `count c in SET where ...`, or `size({1})`"),
    (r"\bin\s+\(([^()]*,[^()]*)\)", "write the set in braces: `in {{1}}`"),
    (r"\bin\s+\[([^\[\]]*)\]", "write the set in braces: `in {{1}}`"),
    (r"^\s*\w+(?:\[\w+\])?\s*:\s*(\w+(?:\s*\|\s*\w+)+)", "write `one of {1}`"),
    (
        r"\b(any|every)\s+(\w+)\s+in\s+(\S+)\s+with\s+(?!highest|lowest|most|least|fewest)",
        "write `{1} {2} in {3} has ...`",
    ),
    (
        r"\b(count|first|those)\s+(\w+)\s+in\s+(\S+)\s+with\s+(?!highest|lowest|most|least|fewest)",
        "write `{1} {2} in {3} where ...`",
    ),
    (r"\"(\w+)\"\s+of\s+(\w+)", 'write `any c in ZONE has rank(c) == "{1}" and suit(c) == {2}`'),
    (
        r"\bif\s+chance\s+(\d+)\s*%.*",
        "give it a name in a line above: `let lucky = chance {1} out of 100`",
    ),
    (r"\b(chance|probability)\s+(\d+)\s*(?:/|in|sur)\s*(\d+)", "write `{1} {2} out of {3}`"),
    (
        r"\bif\s+chance\s+([\d.]+(?:\s+out\s+of\s+\d+)?).*",
        "give it a name in a line above: `let lucky = chance {1}`",
    ),
    (r"^\s*let\s+(\w+)\s*,\s*(\w+)\b", "write two sentences: `let {1} = ...` and `let {2} = ...`"),
    (r"\brandom\s+(?!from\b)(\w+(?:\[[^\]]*\])?)", "write `random from {1}`"),
    (r"\broll\s+(\d+)\s*$", "write `roll 1 to {1}`"),
    (r"\broll\s+(?:a|the|one)\s+di[ce]e?\b", "write `roll 1 to 6`"),
    (r"^\s*(\w+)\s*,\s*(do\b.+)", "write `{1}: {2}`"),
    (r"^\s*next\s+(dealer|player|\w+)\s*$", "write `{1} = next_seat({1})`"),
    (rf"\b(?:count|size|number\s+of\s+cards)\s+(?:in|of)\s+({PLACE})", "write `size({1})`"),
    (r"\bif\s+for\s+(?:all|each|every)\s+(\w+)\s+in\b", "write `every {1} in ...`"),
    (r"^\s*move\s+(\w+(?:\s*,\s*\w+)+)\s+(?:in)?to\s+(\S+)", "write `gather {1} into {2}`"),
    (
        r"^\s*move\s+all\s+(?!cards?\b|in\b|of\b)(\w+)\s+from\s+(\S+)\s+(?:in)?to\s+(\S+)",
        "write `for c in {1}: move c from {2} to {3}`",
    ),
    (rf"^\s*move\s+all\s+\w+\s+(?:in|of|from)\s+({PLACE})", "write `move all from {1} to ...`"),
    (r"^\s*gather\s+all\s+\w+\s+(?:in|of|from)\s+(\w+)", "write `gather {1} into ...`"),
    (r"\bfor\s*each\s+(\w+)", "write `for {1} in ...:`"),
    (r"\bbecause\s+\"([a-zA-Z]\w*)\"", "write it without quotes: `because {1}`"),
    (r"\bbecause\s+\"", "say why in one word: `because WORD`"),
    (r"(?:^|:)\s*(trick|deal|match)\s+(won|tied|drawn)\b.*", "write `end {1} {2} ...`"),
    (r"\bask\s+([^\":]+?)\s+([A-Za-z_]\w*)\s*(?::|$)", 'write `ask {1} "{2}":`'),
    (
        rf"\b(?:sum\s*\(?|total\s*\()\s*(?!total\b|count\b)([^:]+?)\s+for\s+(\w+\s+in\s+{PLACE})\)?",
        "write `total {1} for {2}`",
    ),
    (
        rf"\b(?:sum|total)\s*(?:\(|of\b)\s*(?:the\s+)?(\w+)\s*(?:\(|in\b|of\b)\s*({PLACE})\)*",
        "write `total {1}(c) for c in {2}`",
    ),
    (
        rf"^\s*(\w+)\s+(\d+(?:\s+to\s+\d+)?)\s+cards?\s+of\s+({PLACE_OF})",
        "write `{1} them from {2} cards of {3}`",
    ),
    (r"\b(?:list|array)s?\s+of\s+(\w+)", "write `{1}`"),
    (
        r"\bone\s+of\s+(\w+(?:\s*,\s*\w+)+)",
        lambda hit: say("write `one of {names}`", names=" | ".join(re.split(r"\s*,\s*", hit[1]))),
    ),
    (
        rf"\b(rank|suit)s\s+(?:of|in)\s+({PLACE_OF})",
        "write `(those x in {1}s where any c in {2} has {1}(c) == x)`",
    ),
    (
        rf"\b((?:left|right|next|previous)(?=\s+(?:to|after)\b)|[A-Za-z_]\w*(?=\s+of\b))\s+\w+\s+"
        rf"(?:the\s+)?({PLACE_OF})",
        lambda hit: hint_for_part(hit[1], hit[2]),
    ),
    (r"\bmy\s+(\w+)", "write `{1}[me]`"),
    (
        rf"\bfrom\s+at\s+most\s+(\d+)\s+cards?\s+(?:from|in|of)\s+({PLACE_OF})",
        "write `from 0 to {1} cards of {2}`",
    ),
    (
        rf"\bfrom\s+(\d+(?:\s+to\s+\d+)?)\s+cards?\s+(?:from|in)\s+({PLACE_OF})",
        "write `from {1} cards of {2}`",
    ),
    (rf"\b({PLACE_OF})\s+(?:without|except|but)\s+([^\s:]+)", "write `{1} - {{2}}`"),
    (rf"\b({PLACE_OF})\s+minus\s+([^\s:]+)", "write `{1} - {2}`"),
    (rf"\b({PLACE_OF})\s+(?:union|plus)\s+([^\s:]+)", "write `{1} + {2}`"),
    (
        r"=\s*ask\b.*",
        "`ask` is a sentence of its own; the blocks of its options set variables",
    ),
    (r"^\s*(?:call|run|execute)\s+(\w+(?:\([^)]*\))?)", "write `do {1}`"),
    (r"\bfor\s*\((\w+\s+in\s.+?)\)\s*:?", "write `for {1}:`"),
    (
        r"^\s*(?:if|else|for|repeat)\b[^{]*(?<!\bin)(?<![-=+&,(])\s\{.*",
        "a block has no braces: write its lines below the `:`, indented",
    ),
    (r"(?<![=!<>])=\s*([^=?][^?]*?)\s*\?\s*(.+?)\s*:\s*(.+)$", "write `{2} if {1} else {3}`"),
    (
        rf"\b(?:if|when|where|has|while|until)\s+({PLACE_OF})\s+(?:in|between)\s+(\w+)\s+(?:to|and)\s+"
        r"(\w+)",
        "write `{1} >= {2} and {1} <= {3}`",
    ),
    (r"\b(?:no|none)\s+(\w+)\s+in\b", "write `not any {1} in ...`"),
    (
        rf"\b(highest|lowest)\s+\w+\s+(?:in|of)\s+({PLACE})\s*$",
        "write `first c in {2} with {1} strength(c)`",
    ),
    (r"\b(?:ordered|sorted)\s+by\s+(\S.*)$", "write `with highest {1}`, or `with lowest {1}`"),
    (rf"[\[{{(]\s*(\w+)\s+for\s+\w+\s+in\s+({PLACE})", "write `those {1} in {2} where ...`"),
    (rf"\bcount\s+({PLACE_OF})\s*$", "write `size({1})`"),
    (
        r"^\s*(?:import|include|use|using|require)\s+\"?([\w/-]+)\"?",
        "write `uses: [{1}]` in the first column, above `rules: |`",
    ),
    (r"\bask\b.*\"\s*,\s*(seen\s+by\s+\w+)", "write `{1}` without a comma before it"),
    (
        r"\bask\s+[^\":]+\"[^\"]*\"\s*(?:or|and|,)",
        "a question has one name; its options stand below, one a line",
    ),
    (r"^\s*parameter\s+(\w+)\s*=\s*(\d+)", "write `parameter {1}: 0 to 100 = {2}`"),
    (
        r"\b(count|first|those|any|every|total|highest|lowest)\s+(.+?)\s+for\s+(\w+\s+in\s+.+?)"
        r"\s+for\s+(\w+\s+in\s+[^\s:]+)",
        "put the inner one in brackets: `{1} ({1} {2} for {4}) for {3}`",
    ),
    (r"\bfor\s+(\w+)\s*=\s*(.+?)\s*:", "write `for {1} in {2}:`"),
    (r"\bfor\s+(?:every|all|each|any)\s+(.+?\sin\s.+?)\s*:", "write `for {1}:`"),
    (
        r"^\s*(?:each|every|all|chaque)\s+\w+(?:\s.*)?$",
        "write `for player in seats:`, and below it what each of them does",
    ),
    (r"(\d+),(\d+)", "write decimals with a point: `{1}.{2}`"),
    (
        r"^\s*(?:before|after)\s+define\s+(\w+).*",
        "write `replace define {1}: ...`, with `base` for the original",
    ),
    (
        r"^\s*replace\s+(?!rule\b|define\b|zone\b|type\b|options\b)(\w+)",
        "say what it is: `replace rule {1}` or `replace define {1}`",
    ),
    (
        r"^\s*(?:define|rule|(?:replace|before|after)\s+(?:rule|define))\s+(\w+)-(\w+)",
        "a name has no hyphen: write `{1}_{2}`",
    ),
    (
        r"^\s*(?:(?:replace|before|after)\s+)?(define|rule)\s+(\w+)\s+(\w+)\s*(?=[(\":-]|$)",
        "a name is one word: `{1} {2}_{3}`",
    ),
    (r"^\s*(match|deal|trick)\s+state\s*:\s*(\S.*)", "write `{2}` on the next line, indented"),
    (
        r"^\s*ask\b.*\"\s*:\s*(\S.*)",
        "write each option on a line of its own, indented, below `ask ...:`",
    ),
    (r"^\s*-\s+(\S.*)", "leave out the hyphen: `{1}`"),
    (r"\s--\s.*", "`#` starts a comment"),
    (
        r"^\s*(?:before|after|replace)?\s*(?:rule|define)\b[^:\"]*:\s*(\"[^\"]*\")\s*$",
        "write the text before the colon: `... {1}:`",
    ),
    (r"\bend\s+deal\s+winner\s*=?\s*(\w+)", "write `end deal won by team({1}) because WORD`"),
    (r"\bend\s+match\s+winner\s*=?\s*(\w+)", "write `end match won by team({1})`"),
    (
        r"\b(?:draw|deal|move)\s+(\d+)\s+(?:cards?\s+)?from\s+(\S+)\s+to\s+(\S+)",
        "write `repeat {1} times:`, and below it `draw from {2} to {3}`",
    ),
    (r"(?:^|:)\s*reveal\s+(\S+)\s*$", "say to whom: `reveal {1} to seats`"),
    (r"^\s*(?:show|display|montre|montrer)\s+(\S+)\s+to\s+(\S+)", "write `reveal {1} to {2}`"),
    (
        rf"({PLACE})\s+has\s+(?:at\s+least\s+)?(\d+)\s+cards?\b",
        lambda hit: _held(hit[1], hit[2]),
    ),
    (r"\b(?:dealer|player|seat|\w+)\s+has\s+(\d+)\s+(\w+)", "write `{2}[...] >= {1}`"),
    (r"^\s*(?:sinon\s+si|else\s*if|elsif|elseif)\b(.*?):", "write `else if {1}:`"),
    (r"^\s*(\w+(?:\[[^\]]*(?:\([^)]*\))?[^\]]*\])?)\s*([+-])\s*(\w+)\s*$", "write `{1} {2}= {3}`"),
    (r"\bdefine\b[^:]*(?::.*)?:\s*return\s+(\S.*)", "leave out `return`: `define ...: {1}`"),
    (rf"({PLACE})\s+is\s+not\s+empty\b", "write `not empty({1})`"),
    (rf"({PLACE})\s+is\s+empty\b", "write `empty({1})`"),
    (r"\b(?:is\s+not|n['\s]?est\s+pas)\b", "to compare, write '!='"),
    (r"\b(?:is|est)\b", "to compare, write '=='"),
    (r"\bnot\s+equals?\b", "to compare, write '!='"),
    (r"\bequals?\b", "to compare, write '=='"),
    (r"(?<![\w\"])(\d+[A-Za-z]\w*)", 'write a card, rank or suit in quotes: `"{1}"`'),
    (rf"(?<!\bin\s)\b({PLACE})\s+has\b(?!\s+(?:\"|no\b|none\b))", "write `any x in {1} has ...`"),
    (
        rf"({PLACE})\s+(?:has|contains?|holds?|contient)\s+(\"[^\"]*\"|no\b|none\b)",
        "write `{2} in {1}`",
    ),
    (rf"({PLACE})\s+(?:contains?|holds?|contient)\b", "write `any x in {1} has ...`"),
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
    (rf"({PLACE_OF})\s*\*=\s*(\S.*)", "write `{1} = {1} * {2}`"),
    (rf"({PLACE_OF})\s*/=\s*(\S.*)", "write `{1} = {1} div {2}`"),
    (r"\b(dealer|on_lead)\s*\+\+", "write `{1} = next_seat({1})`"),
    (r"\b(dealer|on_lead)\s*--", "write `{1} = previous_seat({1})`"),
    (rf"({PLACE})\s*\+\+", "write `{1} += 1`"),
    (rf"({PLACE})\s*--", "write `{1} -= 1`"),
    (
        rf"({PLACE_OF})\s*([=!<>]=|[<>])\s*([^\s:]+)\s+(and|or)\s+([=!<>]=|[<>])\s*([^\s:]+)",
        "write `{1} {2} {3} {4} {1} {5} {6}`",
    ),
    (
        r"\b(?:deal|draw)\s+(\w+)\s+cards?\b.*",
        lambda hit: _draws(hit[1]),
    ),
    (r"\b(return|stop|next|again)\s+if\s+(.+)", "write `if {2}: {1}`"),
    (r"\b(?:let\s+\w+|^\s*\w+(?:\[[^\]]*\])?)\s*==", "to set it, write `=`"),
    (r"\b(?:def|function|func)\b", "write `define`"),
    (r"^\s*state\b.*", "say how long it lasts: `deal state:`, `match state:` or `trick state:`"),
    (r"\brepeat\s+((?:at\s+most\s+)?\w+)\s*:", "write `repeat {1} times:`"),
    (r"^\s*(?:(?:loop|do|for)\s+)?(\w+)\s+times\s*:", "write `repeat {1} times:`"),
    (r"\bgather\s+(\w+)\s+(?:and\s+)?(\w+)", "put commas between the zones: `gather {1}, {2} ...`"),
    (r"\bthe\s+(\w+)", "leave out `the`"),
    (r"\bzone\b.*?(?<!up to )\b(\d+)\s+(cards?)\b", "write `up to {1} {2}`"),
    (r"\bzone\b.*\b(?:hidden|secret|face\s+down)\b", "write `seen by nobody` or `seen by owner`"),
    (
        r"\bface\s+down\b|^\s*hide\b.*",
        "what nobody may see lies in a zone `seen by nobody`: `draw from PILE to ZONE`",
    ),
    (rf"^\s*(?:pick|take)\s+up\s+({PLACE})", "write `move all from {1} to ZONE openly`"),
    (r"^\s*(?:switch|case|match\s+(?!state\b))\b.*", "write `if ...:` and `else if ...:`"),
    (
        r"\bzone\b.*\b(?:open|visible|known|shown)\s+(?:to|for)\s+(\w+)",
        lambda hit: say("write {names}", names=_audience(hit[1])),
    ),
    (r"\bzone\b.*\b(?:open|visible|public|face\s+up)\b", "write `seen by all`"),
    (r"\bask\s+\"(\w+)\"", 'say who is asked: `ask SEAT "{1}":`'),
    (r"\bdraw\s+(?!from\b)(\w+)\s+to\b", "write `draw from {1} to ...`"),
    (r"^\s*add\b.*", 'to add options to a question, write `add to ask player "turn":`'),
    (
        r"^\s*options\s+(\w+(?:\([^)]*\))?)\s*:\s*(\S.*)",
        "write the options below `options {1}:`, indented, one a line: `{2}`",
    ),
    (r"^\s*options\s+(\w+).*", "`options {1}` belongs among the options of a question"),
    (r"^\s*(\w+\([^:]*\)\s*(?:[=!<>]=|[<>]|and\b|or\b).*)", "to give a value, write `return {1}`"),
    (r"\bset\s+of\s+(\d+\s+to\s+\d+\s+by\s+\d+)", lambda hit: _number("set of ", hit[1], "")),
    (r"\[(\d+\s+to\s+\d+\s+by\s+\d+)\]", lambda hit: _number("[", hit[1], "]")),
    (r"\bin\s+(\d+\s+to\s+\d+\s+by\s+\d+)", lambda hit: _number("in ", hit[1], "")),
    (r":=", "to set it, write `=`"),
    (r"\bunless\s+(.+?)\s*:.*", "write `if not ({1}):`"),
    (r"\bdo\s+(\w+)\s+(\w[^:]*?)\s*$", "write `do {1}({2})`"),
    (r"\b(openly|as\s+pass)\s+when\b.*", "write `when ...` before `{1}`"),
    (r"\bwhen\b.+\b(where|with\s+(?:lowest|highest))\b.*", "write `{1} ...` before `when`"),
    (r"\bwith\s+(?:highest|lowest)\b.+\b(where\b.*)", "write `{1}` before `with`"),
    (r"\bcount(\s+.+?\bwith\s+(?:highest|lowest)\b.+)", "count the set of them: `size(those {1})`"),
    (
        r"\bany(\s+.+?\bwith\s+(?:highest|lowest)\b.*)",
        "that is `first` or `those` of a set: `first {1}`",
    ),
    (r"\b(?:some|exists?)\s+(\w+)\s+in\b", "write `any {1} in ...`"),
    (r"\b(?:all|each|forall)\s+(\w+)\s+in\b", "write `every {1} in ...`"),
    (
        rf"\ball\s+(?:of\s+)?({PLACE})\s*(?:[=!]=|\b(?:is|are|has|have)\b)",
        "write `every c in {1} has ...`",
    ),
    (
        rf"(?<!\bin\s)\b({PLACE})\s+with\s+(highest|lowest)\b",
        "write `those x in {1} with {2} ...`",
    ),
    (r"\b(?:first|those)\b.+\bwith\s+most\b(.*)", "write `with highest {1}`"),
    (r"\b(?:first|those)\b.+\bwith\s+(?:least|fewest)\b(.*)", "write `with lowest {1}`"),
    (r"\bwith\s+(?:chance|probability)\b.+\b(once\s+an?\s+\w+)", "write `{1}` before `with`"),
    (r"\b(with\s+(?:chance|probability))\b.+\b(where|when)\b.*", "write `{2} ...` before `{1}`"),
    (
        r"^\s*(?!if\b|else\b|for\b)(\w[\w ]*?)\s+(?:then|si|quand|wenn)\s+(.+)",
        "write `{1} when {2}`",
    ),
    (r"^\s*(\d+)\s*%\s*([a-z]\w*)", "write `{1}: {2}`"),
    (
        r"\bprobability\s*=\s*(\d+(?:\.\d+)?)\s*%",
        lambda hit: say("write the decimal: `{decimal}`", decimal=float(hit[1]) / 100),
    ),
    (
        r"\b(\d+)\s*%\s*(?=$|and\b|or\b|\)|:)",
        "write `{1}0`: shares and rates are numbers of a thousand",
    ),
    (r"%", "write `mod`"),
    (
        r"^\s*(\w+)\s*:\s*(.+?)\s+(?:per|(?:for|of)\s+each)\s+(seat|team|card|suit|rank)\b.*",
        "write `{1}[{3}]: {2}`",
    ),
    (rf":\s*{YES_NO}\s*(?:/|or|ou)\s*{YES_NO}\b", "write `yes_no`"),
    (
        r"^\s*(before|after)\s+(?!rule\b|define\b|deal\b)([a-z_]\w*)\s*[(\":]",
        "write `{1} rule {2}`",
    ),
    (r"\bteam\s+\d+", "teams have no numbers: write `team(SEAT)`, such as `team(dealer)`"),
    (
        rf"\b({ASKED_OF})\s+(?!(?:in|is|has|where|with|when|and|or|to|from|by|for)\b)({PLACE_OF})",
        "write `{1}({2})`",
    ),
    (r"\bseen\s+by\s+(\w+)", lambda hit: say("write {names}", names=_audience(hit[1]))),
)


def code_of(line: str) -> str:
    """Return a line of rules without its comment."""
    return re.sub(r"^((?:[^\"#]|\"[^\"]*\")*)#.*", r"\1", line).rstrip()


def hint_in_line(line: str, at: int) -> str | None:
    """Return the correction for the text around column `at` (from 0) of a line of code."""
    for pattern, help_ in IN_LINE:
        for result in re.finditer(pattern, line):
            if result.start() <= at <= result.end() + 1:
                return help_(result) if callable(help_) else _fill(help_, result)
    return None


def hint_for_part(what: str, whose: str) -> str:
    """Return the help for what belongs to something: a function of it, or its place."""
    function = FUNCTION_WORDS.get(what)
    return say(
        "write `{spoken}`", spoken=f"{function}({whose})" if function else f"{what}[{whose}]"
    )


def hint_for_each(line: str) -> str | None:
    """Return the help for a loop over each of something that is not named as a set."""
    hit = EACH.search(line)
    if hit is None or hit[1].lower() not in SETS:
        return None
    return say("write `for {name} in {set}:`", name=hit[1], set=SETS[hit[1].lower()])


def _draws(number: str) -> str:
    times = NUMBERS.get(number, number)
    if times == 1:
        return say("write `draw from PILE to ZONE`")
    return say("write `repeat {times} times:`, and below it `draw from PILE to ZONE`", times=times)


def _held(place: str, number: str) -> str:
    zone = f"hand[{place.replace('I', 'me')}]" if place in SEAT_NAMES.split("|") else place
    return say("write `{spoken}`", spoken=f"size({zone}) >= {number}")


def _audience(word: str) -> str:
    if word in AUDIENCES:
        return say("`seen by {audiences}`", audiences=AUDIENCES[word])
    return say("`seen by all`, `owner`, `team` or `nobody`")


def _number(head: str, steps: str, tail: str) -> str:
    """Return the help for numbers by steps outside a choice: the numbers of the steps instead."""
    low, high, step = map(int, re.findall(r"\d+", steps))
    numbers = f"{head}0 to {(high - low) // max(1, step)}{tail}"
    if head == "in ":
        text = "only choices have steps: write `{numbers}`, and `{low} + {step} * n` for its n"
    else:
        text = "only choices have steps: write `{numbers}`, and `(n - {low}) div {step}` for an n"
    return say(text, numbers=numbers, low=low, step=step)


def _fill(text: str, hit: re.Match[str]) -> str:
    return re.sub(r"\{(\d)\}", lambda m: hit[int(m[1])].strip().removesuffix(":"), say(text))
