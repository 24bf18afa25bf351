"""Hints for wrong spellings: what to write instead of a text that is no sentence."""

from __future__ import annotations

import re
import unicodedata

from trutdsl.language import say
from trutdsl.syntax.phrases.cards import COUNT_OF_NOTHING
from trutdsl.syntax.phrases.shared import PLACE

STATEMENTS = tuple(
    "let do return stop next again base shuffle draw move swap gather end reveal look if else for "  # noqa: SIM905
    "repeat deal trick setup ask".split()
)
COMPOUND = ("if", "for", "repeat", "ask", "deal", "trick", "setup")
QUANTIFIERS = ("count", "first", "those", "any", "every", "highest", "lowest", "total")
MOVING = re.compile(rf"^\s*(?:put|lay|place|play|give|take|discard)\s+({PLACE}(?:\([^)]*\))?)")
BEHIND_OPTION = re.compile(
    r"\s*(\w[\w ]*?)\s*(?:,\s*|=>?\s*|->\s*|\s)"
    rf"(do\s+\w.*?|{PLACE}\s*[-+]?=\s.*?|return\b.*?|stop|again)\s*$"
)

# Words of other languages, and the words of this one.
DECLARING_WORDS = {
    **dict.fromkeys(("avant",), "before"),
    **dict.fromkeys(("après", "apres"), "after"),
    **dict.fromkeys(("remplace", "remplacer", "change", "override", "modify"), "replace"),
    **dict.fromkeys(("règle", "regle"), "rule"),
    **dict.fromkeys(("définir", "definir", "définit", "def", "function", "func"), "define"),
    **dict.fromkeys(("ajoute", "ajouter"), "add"),
    **dict.fromkeys(("stratégie", "strategie"), "strategy"),
    **dict.fromkeys(("paramètre", "parametre"), "parameter"),
    **dict.fromkeys(("sinon", "autrement", "else", "default", "défaut"), "otherwise"),
    **dict.fromkeys(("sur", "quand", "at"), "on"),
}
# Keys of a file that are written among its rules.
KEYS = tuple(
    "set title extends players teams pack counters parameters words variant summary uses".split()  # noqa: SIM905
)
COMMON_WORDS = {
    **dict.fromkeys(("si", "wenn"), "if"),
    **dict.fromkeys(("sinon", "sino", "sonst"), "else"),
    **dict.fromkeys(("et", "und"), "and"),
    **dict.fromkeys(("ou", "oder"), "or"),
    **dict.fromkeys(("non", "pas", "nicht"), "not"),
    **dict.fromkeys(("pour", "para"), "for"),
    **dict.fromkeys(("faire", "fais"), "do"),
    **dict.fromkeys(("soit",), "let"),
    **dict.fromkeys(("dans", "en"), "in"),
    **dict.fromkeys(("alors", "entonces"), ":"),
    **dict.fromkeys(("à", "vers"), "to"),
    **dict.fromkeys(("de", "depuis", "du"), "from"),
    **dict.fromkeys(("parce", "car"), "because"),
    **dict.fromkeys(("fois",), "times"),
    **dict.fromkeys(("fin", "finir", "termine", "terminer"), "end"),
    **dict.fromkeys(("donne", "manche"), "deal"),
    **dict.fromkeys(("partie",), "match"),
    **dict.fromkeys(("pli", "levée"), "trick"),
    **dict.fromkeys(("équipe",), "team"),
    **dict.fromkeys(("mélanger", "mélange", "melanger", "battre", "barajar"), "shuffle"),
    **dict.fromkeys(("demander", "demande"), "ask"),
    **dict.fromkeys(("montrer", "montre", "dévoiler", "révéler"), "reveal"),
    **dict.fromkeys(("tirer", "tire", "donner", "piocher"), "draw"),
    **dict.fromkeys(("arrêter", "arrête", "arreter"), "stop"),
    **dict.fromkeys(("répéter", "répète", "repeter"), "repeat"),
    **dict.fromkeys(("retourner", "renvoie", "renvoyer"), "return"),
    **dict.fromkeys(("annoncer", "annonce"), "announce"),
    **dict.fromkeys(("échanger", "échange", "echanger"), "swap"),
}


def hint_for_spoken(word: str) -> str | None:
    """Return the help for a word of another language."""
    result = COMMON_WORDS.get(word.lower())
    return None if result is None else say("write `{spoken}`", spoken=result)


def hint_for_declaration(word: str, expected: set[str]) -> str | None:
    """Return the help for a word of another language at the start of a declaration."""
    meant = DECLARING_WORDS.get(word.lower())
    known = meant is not None and (meant.upper() in expected or meant == "strategy")
    return say("write `{spoken}`", spoken=meant) if known else None


def hint_for_key(line: str) -> str | None:
    """Return the help for a key of the file among its rules."""
    hit = re.match(r"\s*(\w+)\s*(?::|\w+\s*=)", line)
    if hit is None or hit[1] not in KEYS:
        return None
    text = "`{found}:` is a key of the file: write it in the first column, above `rules: |`"
    return say(text, found=hit[1])


def hint_for_accent(line: str, at: int) -> str:
    """Return the help for a word at column `at` (from 0) with letters that names cannot have."""
    word = next(hit[0] for hit in re.finditer(r"\w+", line) if hit.end() > at)
    if meant := hint_for_spoken(word):
        return meant
    if word in ("égal", "égale"):
        return say("write `{spoken}`", spoken="=" if re.match(r"\s*let\b", line) else "==")
    word = word.replace("œ", "oe").replace("Œ", "OE").replace("æ", "ae")
    if re.match(r"(?:c?œur|coeur|tr[eè]fle|carreau|pique)s?$", word):
        return say("write a suit as its letter in quotes, such as `{letter}`", letter='"h"')
    plain = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", word))  # no accents
    rule = say("names are made of the letters a to z, digits and `_`")
    is_name = plain.isascii() and plain.isidentifier()
    return say("{rule}: write `{plain}`", rule=rule, plain=plain) if is_name else rule


def hint_for_verb(line: str) -> str | None:
    """Return the help for a sentence that begins with an unknown verb for moving cards."""
    result = MOVING.match(line)
    return say("write `move {found} from ZONE to ZONE`", found=result[1]) if result else None


def hint_for_option(line: str, head: str) -> str | None:
    """Return the help for an option of a question that continues in a wrong way."""
    if re.search(r"\bif\b", head):
        return say("say when it is allowed with `when`, as in `pass when ...`")
    if re.search(r"\bunless\b", head):
        return say("write `when not (...)` instead of `unless`")
    behind = BEHIND_OPTION.match(line)
    if behind and " from " not in behind[1]:
        return say("write `{option}: {sentence}`", option=behind[1], sentence=behind[2])
    if hyphens := re.match(r"\s*(\w+(?:-\w+)+)", line):
        return say("write `{spoken}`", spoken=hyphens[1].replace("-", " "))
    worked_out = re.search(r"\bfrom\s+((?:those|first)\s+[^:]+?)\s*(?::|\bwhen\b|$)", line)
    if worked_out:
        return say("put it in brackets: `from ({worked_out})`", worked_out=worked_out[1])
    if re.search(r"\bfrom\b.*\bwhere\b", line):
        return say("write `when` behind the choices: it is tested for each of them")
    ends = r"\s*(?::|when\b|as pass\b|openly\b|$)"
    words = re.match(rf"([^\W\d]\w*(?: \w+)*?){ends}", line[len(head) :])
    if words and " from " in head:
        return say("write what is said after a choice in quotes: `{words}`", words=f'"{words[1]}"')
    result = re.search(r"(?<!\d )\b(\w+)\s+in\s+(\w+\[[^\]]*\]|\w+)", line)
    return say("write `{name} from {set}`", name=result[1], set=result[2]) if result else None


def hint_for_block(head: str) -> str | None:
    """Return the help for a sentence with a block after a `:`; `head`: the text up to there."""
    result = re.search(rf":\s*({'|'.join(COMPOUND)})\s*$", head)
    text = "`{found}` begins a block of its own; put it on the next line, indented"
    return say(text, found=result[1]) if result else None


def hint_for_empty_block(head: str) -> str:
    """Return the help for a line that begins a block, but has none."""
    if re.match(r"\s*(?:\w+\s+)?rule\b", head):
        return say("write what happens below it, indented; a rule without effect has `return`")
    if re.match(r"strategy\b", head):
        return say("write at least `otherwise: any` below it, indented")
    if re.match(r"\s*(?:on|otherwise)\b", head):
        return say("write what the script answers below it, indented, such as `any`")
    return say("write what belongs there below it, indented, or leave this line out")


def hint_for_choice(line: str) -> str | None:
    """Return the help for a sentence that ends in `if C` without an `else`."""
    result = re.match(r"\s*(?:.*:\s)?\s*(.+?)\s+if\s+(.+?)\s*$", line)
    if result is None:
        return None
    if let := re.search(r"\blet (.+?) = (.+?)\s+if\s+(.+) else (.+?)\s*$", line):
        name, value, test, other = let.groups()
        text = "write `let {name} = {other}`, and below it `if {test}: {again} = {value}`"
        again = name.partition(":")[0]
        return say(text, name=name, other=other, test=test, again=again, value=value)
    if result[1].startswith("let ") or re.match(r"\s*(?:replace\s+)?define\b", line):
        return say(
            "say what it is otherwise: `{value} if {test} else ...`",
            value=result[1],
            test=result[2],
        )
    test, _, other = result[2].partition(" else ")
    if other:
        text = "write `if {test}: {sentence}`, and below it `else: ...`"
        return say(text, test=test, sentence=result[1])
    return say("write `if {test}: {sentence}`", test=test, sentence=result[1])


def hint_for_quantifier(head: str, sign: str) -> str | None:
    """Return the help for a comparison after a quantifier that extends to it."""
    inner = head
    while (rest := re.sub(r"\([^()]*\)", "", inner)) != inner:  # closed parentheses
        inner = rest
    kinds = [word for word in re.findall(r"\w+", inner) if word in QUANTIFIERS]
    if not kinds or re.search(COUNT_OF_NOTHING, head):
        return None
    return say(
        "put the `{kinds} ...` in brackets: `({kinds} ...) {sign} ...`", kinds=kinds[-1], sign=sign
    )


def hint_for_variable(line: str) -> str | None:
    """Return the help for a declaration of a variable without its type."""
    hit = re.match(r"\s*(\w+(?:\[\w+\])?)\s*=\s*([^#]+)", line)
    if hit is None:
        return None
    name, value = hit[1], hit[2].strip()
    if value == "none":
        return say("write `{name}: TYPE? = none`, as in `{name}: seat? = none`", name=name)
    if value in ("yes", "no"):
        return say("write `{name}: yes_no = {value}`", name=name, value=value)
    kind = "number" if value.isdecimal() else "TYPE"
    return say("write `{name}: {kind} = {value}`", name=name, kind=kind, value=value)


# Clauses of scripts: what is often written instead of them.
CLAUSE = {"WHEN", "ONCE"}  # how a clause may go on behind its option
BEHIND = {"ONCE", "COLON", "_NL"}  # how it may go on behind its condition
CONDITION_FIRST = re.compile(
    r"(?:(?:when|if)\s)?(?P<condition>[^:]+?)\s*(?::|->|=>|\bthen\b)(?P<option>[^:#]+)"
)
OTHER_WHEN = re.compile(r"(\w[\w ]*?)\s+(?:si|quand|if|wenn)\s+(.+)")
ON = re.compile(r"\s*(?:on\s[^:]*:|otherwise:)?\s*")
OPERATORS = ("and", "or", "not")


def hint_in_clause(line: str, token: str, expected: set[str]) -> str | None:
    """Return the help for a line where a clause cannot go on, None if it is of another kind."""
    words = line.split()
    if words[:1] == ["on"] and token == "when":
        return say("end the line with ':', and write `OPTION when CONDITION` below")
    if re.match(r"\s*mix\s*:\s*\S", line):
        return say("write each part of `mix:` on a line of its own, indented: `50: OPTION`")
    if {"PROBABILITY", "HIGHEST", "LOWEST"} <= expected and re.fullmatch(r"[0-9.]+", token):
        return say("write `with probability {found}`", found=f"{token} %" if "%" in line else token)
    if expected >= BEHIND and token == "else":
        return say("a clause has no `else`: what applies otherwise is the next clause")
    if (
        expected >= BEHIND
        and token == ","
        and not re.search(r",\s*(?:then )?(?:low|high)est", line)
    ):
        return say("write one clause a line: the first that applies is taken")
    if not expected >= CLAUSE:
        return None
    if token == "%" and (share := re.match(r"\s*(\w[\w ]*?)\s*:\s*([0-9]+)\s*%", line)):
        return say("write `{spoken}`", spoken=f"{share[2]}: {share[1]}")  # a part of a `mix`
    if token == "%":
        number = re.search(r"([0-9.]+)\s*%", line)
        return say("write `with probability {found}`", found=f"{number[1]} %" if number else "P")
    if "unless" in words:
        return say("write `when not (...)` instead of `unless`")
    return instead_of_condition(line) if _begins_with_condition(line, token) else None


def instead_of_condition(line: str) -> str:
    """Return the help for a clause that begins with its condition."""
    foreign = OTHER_WHEN.fullmatch(ON.sub("", line, count=1).strip())
    if foreign:
        return say("write `{spoken}`", spoken=f"{foreign[1]} when {foreign[2]}")
    clause = CONDITION_FIRST.match(ON.sub("", line, count=1))
    if clause is None:
        return say("write the option first, then its condition: `OPTION when CONDITION`")
    text = "write the option first, then its condition: `{option} when {condition}`"
    return say(text, option=clause["option"].strip(), condition=clause["condition"].strip())


def _begins_with_condition(line: str, token: str) -> bool:
    compares = token in ("==", "!=", "<", "<=", ">", ">=", "(", *OPERATORS)
    return compares or re.match(r"(?:when|if)\s", ON.sub("", line, count=1)) is not None
