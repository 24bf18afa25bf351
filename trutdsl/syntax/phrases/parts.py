"""Phrases in declarations and in values; tried last, in this order."""

from __future__ import annotations

import re

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

YES_NO = "(?:yes|no|true|false|oui|non)"
AUDIENCES = {
    **dict.fromkeys(("owner", "player", "seat", "self", "holder", "him", "own"), "owner"),
    **dict.fromkeys(("everybody", "everyone", "players", "public", "anybody"), "all"),
    **dict.fromkeys(("partner", "partners", "side", "teams"), "team"),
    **dict.fromkeys(("none", "no"), "nobody"),
}


def _audience(hit: re.Match[str]) -> str:
    known = AUDIENCES.get(hit[1])
    return (
        write(f"seen by {known}")
        if known
        else say("write `seen by all`, `owner`, `team` or `nobody`")
    )


def _typed_parameter(name: str, word: str) -> str:
    kind = {"player": "seat", "int": "number"}.get(word, word)
    return say("a parameter is a name and its type: `{code}`", code=f"{name}: {kind}")


DECLARATIONS: tuple[Phrase, ...] = (
    (
        r"^\s*(?:when|at|after)\s(?!rule\b).*\b(?:trick|pli|levée)\b.*:",
        "write `after rule NAME(...):` with the rule that holds `trick on`",
    ),
    (
        r"^\s*(?:remove|delete|drop|without)\s+(?:the\s+)?rule\s+(\w+).*",
        "write `replace rule {1}:`, and below it `return`",
    ),
    (
        r"\b(?:rule|define)\b[^{]*:\s*\{.*",
        "a block has no braces: write its lines below the `:`, indented",
    ),
    (
        r"\brule\b[^\":]*(?:\"[^\"]*\")?[^\":]*:\s*base\s+\S.*",
        "a rule does something: write `do base`; what has a value is a `define`",
    ),
    (
        r"^\s*\w+(?:\[\w+\])?\s*:\s*(?:(?:number|integer|int)\s+)?(?:(?:from|between)\s+)?(\d+)"
        r"\s*(?:-|–|\b(?:to|and|à|bis)\b)\s*(\d+)\s*$",
        "`{1} to {2}`",
    ),
    (
        r"^\s*(?:when|at|on)\s(?!rule\b).*\b(?:begins?|starts?|commence)\b.*:",
        "write `before rule NAME(...):` with the rule that begins it",
    ),
    (
        r"^\s*before\s(?!rule\b|define\b|\w+\s*[:(\"]).*:",
        "write `before rule NAME(...):` with the rule that begins it",
    ),
    (
        r"\b(?:rule|define)\s+\w+\s*\([^)]*?\b(?:an?|the)\s+"
        r"(player|seat|team|card|suit|rank|number)\b",
        lambda hit: _typed_parameter(hit[1], hit[1]),
    ),
    (
        r"\b(?:rule|define)\s+\w+\s*\([^)]*?\b(?:an?|the|my)\s+(\w+)",
        lambda hit: _typed_parameter(hit[1], "cards" if hit[1] == "hand" else "TYPE"),
    ),
    (
        r"\b(?:rule|define)\s+\w+\s*\([^)]*?\b(player|seat|team|card|suit|rank|number|int)\s+"
        r"([a-z]\w*)\s*[,)]",
        lambda hit: _typed_parameter(hit[2], hit[1]),
    ),
    (
        r"^\s*(?:when|at|after|on)\s(?!rule\b).*\b(?:match|game|partie)\b.*:",
        "`when the match is over:`",
    ),
    (
        r"^\s*(?:when|at|after|on)\s(?!rule\b).*\b(?:deal|hand|round|manche)\b.*:",
        "`when a deal is over:`",
    ),
    (r"\bzone\b.*\b(?:commence|begins)\b.*", "`starts with`"),
    (r"^\s*define\s+(\w+)\s+of\s+(\w+)\s*:", "`define {1}({2}):`"),
    (
        r"^\s*\w+(?:\[\w+\])?\s*:\s*([^,]+),\s*(?:starts?|begins?)\s+(?:at|with)\s+(\w+)",
        "`{1} = {2}`",
    ),
    (r":\s*(seat|team|card|suit|rank)\s+or\s+(?:none|nobody)\b", "`{1}?`"),
    (r"\b(\w+)\s*:\s*(\d+)\s*-\s*(\d+)(?=\s*[,)])", "`{1}: {2} to {3}`"),
    (r"^\s*(\w+(?:\[\w+\])?)\s*:\s*(chance\b.*)", "`{1}: yes_no = {2}`"),
    (r"^\s*(\w+(?:\[\w+\])?)\s*:\s*((?:roll|random)\b.*)", "`{1}: TYPE = {2}`"),
    (r":\s*yes_no\s*=\s*(\d+(?:\.\d+)?)\s*%", "`yes_no = chance {1} %`"),
    (r"\bzone\b.*\b(?:vue?|visible)\s+par\s.*", "write `seen by all`, `owner`, `team` or `nobody`"),
    (r"^\s*\w+(?:\[\w+\])?\s*:\s*(\w+(?:\s*\|\s*\w+)+)", "`one of {1}`"),
    (r"\b(?:list|array)s?\s+of\s+(\w+)", "`{1}`"),
    (
        r"\bone\s+of\s+(\w+(?:\s*,\s*\w+)+)",
        lambda hit: write("one of " + " | ".join(one.strip() for one in hit[1].split(","))),
    ),
    (
        r"^\s*(?:import|include|use|using|require)\s+\"?([\w/-]+)\"?",
        "write `uses: [{1}]` in the first column, above `rules: |`",
    ),
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
        r"^\s*(?:(?:replace|before|after)\s+)?(define|rule|zone)\s+(\w+)\s+(\w+)\s*(?=[(\[\":-]|$)",
        "a name is one word: `{1} {2}_{3}`",
    ),
    (r"^\s*(match|deal|trick)\s+state\s*:\s*(\S.*)", "write `{2}` on the next line, indented"),
    (
        r"^\s*(?:before|after|replace)?\s*(?:rule|define)\b[^:\"]*:\s*(\"[^\"]*\")\s*$",
        "write the text before the colon: `... {1}:`",
    ),
    (r"\bdefine\b[^:]*(?::.*)?:\s*return\s+(\S.*)", "leave out `return`: `define ...: {1}`"),
    (r"\b(?:def|function|func)\b", "`define`"),
    (r"^\s*state\b.*", "say how long it lasts: `deal state:`, `match state:` or `trick state:`"),
    (r"\bzone\b.*?(?<!up to )\b(\d+)\s+(cards?)\b", "`up to {1} {2}`"),
    (r"\bzone\b.*\b(?:hidden|secret|face\s+down)\b", "write `seen by nobody` or `seen by owner`"),
    (r"\bzone\b.*\b(?:open|visible|known|shown)\s+(?:to|for)\s+(\w+)", _audience),
    (r"\bzone\b.*\b(?:open|visible|public|face\s+up)\b", "`seen by all`"),
    (
        r"^\s*options\s+(\w+(?:\([^)]*\))?)\s*:\s*(\S.*)",
        "write the options below `options {1}:`, indented, one a line: `{2}`",
    ),
    (r"^\s*options\s+(\w+).*", "`options {1}` belongs among the options of a question"),
    (r"^\s*(\w+\([^:]*\)\s*(?:[=!<>]=|[<>]|and\b|or\b).*)", "to give a value, write `return {1}`"),
    (
        r"^\s*(\w+)\s*:\s*(.+?)\s+(?:per|(?:for|of)\s+each)\s+(seat|team|card|suit|rank)\b.*",
        "`{1}[{3}]: {2}`",
    ),
    (
        r"^\s*(?:when|whenever|once|if)\s+(?!rule\b|a\s+deal\b|the\s+match\b)[\w\s']+:\s*$",
        "write `after rule NAME(...):` with the rule in which that happens",
    ),
    (
        r"^\s*(\w+)\s*:\s*(number|yes_no|\d+\s+to\s+\d+)\s+of\s+(seat|team|card|suit|rank)s?\b",
        "`{1}[{3}]: {2}`",
    ),
    (rf":\s*{YES_NO}\s*(?:/|or|ou)\s*{YES_NO}\b", "`yes_no`"),
    (r"^\s*(before|after)\s+(?!rule\b|define\b|deal\b)([a-z_]\w*)\s*[(\":]", "`{1} rule {2}`"),
    (r"\bseen\s+by\s+(\w+)", _audience),
)


SIGNS = {"<>": "!=", "=<": "<=", "=>": ">=", "&&": "and", "||": "or"}
ORDER = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
VALUES: tuple[Phrase, ...] = (
    (rf"\bnumber\s+of\s+\w+\s+in\s+({PLACE_OF})", "`count c in {1} where ...`"),
    (
        rf"\b(?:the\s+)?(strong|weak|high|low)est\s+\w+\s+in\s+({PLACE_OF})",
        lambda hit: write(
            f"first c in {hit[2]} with "
            f"{'highest' if hit[1] in ('strong', 'high') else 'lowest'} strength(c)"
        ),
    ),
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
    (
        r"(?<![\w\"])(\d+(?:_\d+)+)(?!\w)",
        lambda hit: write(hit[1].replace("_", "")),
    ),
    (
        r"(?<![\w\"])(\d+[eE]\d+|0[xXoObB][0-9A-Fa-f]{2,})(?!\w)",
        "write it in plain digits, such as 12",
    ),
    (r"(?<![\w\"])(\d+[A-Za-z]\w*)", 'write a card, rank or suit in quotes: `"{1}"`'),
    (rf"({PLACE_OF})\s+(?:has|contains?|holds?|contient)\s+(\"[^\"]*\")", "`{2} in {1}`"),
    (
        r"(\w+\([^()]*\))\s+(?:has|contains?|holds?|contient)\s+([a-z]\w*)(?=\s*(?::|$|\)|and\b|or\b))",
        "`{2} in {1}`",
    ),
    (
        rf"(?<!\bin\s)\b({PLACE})\s+(?:has|contains?|holds?|contient)\s+(?:no|none|not)\b",
        lambda hit: write(f"not (any x in {cards_of(hit[1])} has ...)"),
    ),
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
