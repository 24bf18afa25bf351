"""Phrases for declarations: rules, defines, zones, variables and types."""

from __future__ import annotations

import re

from trutdsl.language import say
from trutdsl.syntax.phrases.shared import Phrase, write

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


PHRASES: tuple[Phrase, ...] = (
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
    (rf":\s*{YES_NO}\s*(?:/|or|ou)\s*{YES_NO}\b", "`yes_no`"),
    (r"^\s*(before|after)\s+(?!rule\b|define\b|deal\b)([a-z_]\w*)\s*[(\":]", "`{1} rule {2}`"),
    (r"\bseen\s+by\s+(\w+)", _audience),
)
