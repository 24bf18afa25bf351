"""Words of other languages, and keys of a file, in place of words of the language."""

from __future__ import annotations

import re

from trutdsl.language import say

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
