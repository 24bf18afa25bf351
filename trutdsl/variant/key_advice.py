"""Advice about keys of YAML files: foreign words for them, and examples of what they hold."""

from __future__ import annotations

import re
from collections.abc import Iterable

from trutdsl.diagnostics import did_you_mean, write_instead
from trutdsl.language import mark, one_by_one, say
from trutdsl.variant.yaml_nodes import AT_MARGIN, Node, Scalar, Sequence, YamlMapping

# Words of French, and near ones of English, for the keys of all YAML files.
OTHER_WORDS = {
    **dict.fromkeys(("variante", "jeu", "game", "name", "nom"), "variant"),
    **dict.fromkeys(("titre",), "title"),
    **dict.fromkeys(("étend", "etend", "base", "based_on", "from"), "extends"),
    **dict.fromkeys(("joueurs", "joueur"), "players"),
    **dict.fromkeys(("équipes", "equipes", "camps"), "teams"),
    **dict.fromkeys(("cartes", "cards", "paquet", "deck"), "pack"),
    **dict.fromkeys(("couleurs", "colours", "colors"), "suits"),
    **dict.fromkeys(("rangs", "valeurs"), "ranks"),
    **dict.fromkeys(("compteurs", "scores", "tokens"), "counters"),
    **dict.fromkeys(("paramètres", "parametres"), "parameters"),
    **dict.fromkeys(("règles", "regles", "règle", "regle"), "rules"),
    **dict.fromkeys(("mots",), "words"),
    **dict.fromkeys(("résumé", "resume", "description"), "summary"),
    **dict.fromkeys(("utilise",), "uses"),
    **dict.fromkeys(("scénario", "test"), "scenario"),
    **dict.fromkeys(("début", "debut", "départ", "given"), "start"),
    **dict.fromkeys(("coups", "moves", "plays", "script"), "actions"),
    **dict.fromkeys(("attendu", "attend", "résultat", "result", "then"), "expect"),
    **dict.fromkeys(("donneur",), "dealer"),
    **dict.fromkeys(("mains", "main"), "hands"),
    **dict.fromkeys(("plis",), "tricks"),
    **dict.fromkeys(("winner", "gagnant", "won_by"), "deal_winner"),
    **dict.fromkeys(("question", "asked"), "decision"),
    **dict.fromkeys(("défaut", "defaut", "value", "valeur", "initial"), "default"),
    **dict.fromkeys(("kind", "sorte"), "type"),
    **dict.fromkeys(("low", "least", "minimum"), "min"),
    **dict.fromkeys(("high", "most", "maximum"), "max"),
    **dict.fromkeys(("aide", "text"), "help"),
    **dict.fromkeys(("choix", "values"), "choices"),
    **dict.fromkeys(("force", "rank"), "strength"),
}
# What a key with a mapping holds, and what stands for a key that is missing.
EXAMPLES = {
    "set": "{goal: 5}",
    "pack": "{suits: {h: hearts, s: spades}, ranks: [A, K, Q]}",
    "suits": "{h: hearts, s: spades}",
    "special_cards": "{joker: {strength: highest}}",
    "counters": "{points: {help: TEXT}}",
    "parameters": "{bonus: {type: integer, min: 0, max: 9, default: 1, help: TEXT}}",
    "teams": "{2: 2, 4: 2}",
    "sources": "{A: TEXT}",
    "hands": "{0: [CARD, CARD], 1: [CARD, CARD]}",
    "start": "{dealer: 0}",
    "expect": "{deal_over: true}",
    "scenario": "NAME",
    "experiment": "NAME",
    "aim": "{won: {en: TEXT}}",
    "variant": "NAME",
    "title": "TEXT",
    "players": "2",
    "actions": "[]",
    "type": "integer",
    "default": "1",
    "value": "VALUE",
    "help": "TEXT",
}
# Near words for types of parameters.
PARAMETER_TYPES = {
    **dict.fromkeys(("int", "number", "nombre", "entier"), "integer"),
    **dict.fromkeys(("bool", "yes_no", "yes/no", "yesno", "flag"), "boolean"),
    **dict.fromkeys(("list", "enum", "choices", "choix"), "choice"),
    **dict.fromkeys(("float", "decimal", "percent", "chance"), "probability"),
}
NUMBER_WORDS = {
    word: str(number)
    for words in (
        "zero one two three four five six seven eight nine ten",
        "zéro un deux trois quatre cinq six sept huit neuf dix",
    )
    for number, word in enumerate(words.split())
}
# What people name the seat that leads, in `start` of a scenario.
LEADERS = {"lead", "on_lead", "leader", "first", "starter", "eldest", "turn", "mano"}
# What people write in `pack` for cards that stay out.
LEFT_OUT = {"remove", "removed", "without", "except", "exclude", "sans", "retirer", "enlever"}
COMMA = mark("write decimals with a point, such as 0.25, and thousands as 1000")
AROUND = "'`«»\u00a0\u202f "  # quotes of messages around a name, in all languages
SETTING = re.compile(r"\s*(\w+)\s*[=:]\s*(\w+)\s*")


def example_of_teams(counts: Iterable[int]) -> str:
    """Return a value of `teams` for these numbers of players: two teams, or each player alone."""
    return "{" + ", ".join(f"{n}: {n if n % 2 else 2}" for n in counts) + "}"


def key_meant_by(text: str, known: Iterable[str]) -> str | None:
    """Return the known key that a word of another language or with capitals stands for."""
    word = text.lower()
    result = OTHER_WORDS.get(word, word)
    if word in ("set", "name", "nom") and "actions" in known:  # of a scenario
        result = "parameters" if word == "set" else "scenario"
    elif word in ("name", "nom", "tournament", "tournoi") and "experiment" in known:
        result = "experiment"
    return result if result in known and result != text else None


def advice_on_key(text: str, value: Node, known: tuple[str, ...]) -> str:
    """Return the help for an unknown key."""
    if meant := key_meant_by(text, known):
        return write_instead(meant)
    if text.isdecimal():
        return say(COMMA)
    if isinstance(value, Scalar) and not value.text and value.style == "plain" and " " in text:
        return say("put a text with a comma in quotes, or write `KEY: VALUE`")
    if "stock" in known and text.lower() in LEADERS and getattr(value, "text", "").isdecimal():
        text = (
            "who leads follows from `dealer: SEAT`; with `at`, write `variables: {on_lead: SEAT}`"
        )
        return say(text)
    if AT_MARGIN.match(text + ":"):
        return say("indent it: write all rules below `rules: |`, two spaces to the right")
    if near := did_you_mean(text, known, 0.7):
        return near
    if "ranks" in known and text.lower() in LEFT_OUT:
        text = 'write in the rules `replace zone stock: starts with pack_cards - {"7h"}`'
        return say(text)
    if {"counters", "dealer"} <= {*known} and (both := _numbers(value)):
        return say("write `{found}`", found=f"counters: {{{text}: [{both}]}}")
    if "deal_over" in known:  # what is expected of a scenario
        if text in ("illegal", "refused"):
            return say("write `{found}`", found="error: illegal")
        if both := _numbers(value):
            return say("write `{found}`", found=f"counters: {{{text}: [{both}]}}")
    if isinstance(value, Scalar) and value.text and re.fullmatch(r"\w+", text):
        if {"dealer", "hands", "stock", "at"} <= {*known}:
            setting = f"parameters: {{{text}: {value.text}}}"
            cure = say("to set a parameter, write `{found}` above `start`", found=setting)
            return one_by_one((cure, say("known keys: ") + ", ".join(known)))
        if {"set", "extends"} <= {*known}:
            setting = f"set: {{{text}: {value.text}}}"
            cure = say("to set a parameter, write `{found}`", found=setting)
            return one_by_one((cure, say("known keys: ") + ", ".join(known)))
        if {"parameters", "actions"} <= {*known}:
            setting = f"parameters: {{{text}: {value.text}}}"
            return say("to set a parameter, write `{found}`", found=setting)
    return say("known keys: ") + ", ".join(known)


def _numbers(value: Node) -> str | None:
    """Return the text of a list of whole numbers, None for anything else."""
    items = value.items if isinstance(value, Sequence) else ()
    texts = [one.text for one in items if isinstance(one, Scalar) and one.text.isdecimal()]
    return ", ".join(texts) if texts and len(texts) == len(items) else None


def missing_key_advice(name: str) -> str | None:
    """Return the help for a missing key."""
    if name not in EXAMPLES:
        return None
    return say("add `{found}`", found=f"{name}: {EXAMPLES[name]}")


def mapping_advice(what: str, node: Node) -> str:
    """Return the help for a node that must be a mapping; what: the key, perhaps in quotes."""
    name = what.strip(AROUND)
    if name == "decision" and isinstance(node, Scalar) and node.text:
        none = node.text == "null"
        return say(
            "write `{found}`",
            found="deal_over: true" if none else f"decision: {{name: {node.text}}}",
        )
    meant = _as_mapping(node) if name in ("set", "parameters") else None
    if meant or name in EXAMPLES:
        return say("write `{found}`", found=f"{name}: {meant or EXAMPLES[name]}")
    return say("write 'key: value' lines below it, or {}")


def _as_mapping(node: Node) -> str | None:
    """Return the mapping that a list of settings, or a text with `=`, stands for."""
    parts: list[str] = []
    for item in node.items if isinstance(node, Sequence) else (node,):
        if isinstance(item, YamlMapping):
            parts += [f"{k.text}: {v.text}" for k, v in item.entries if isinstance(v, Scalar)]
        elif isinstance(item, Scalar):
            hits = [SETTING.fullmatch(one) for one in item.text.split(",")]
            parts += [f"{hit[1]}: {hit[2]}" for hit in hits if hit]
    return "{" + ", ".join(parts) + "}" if parts else None


def valueless_advice(what: str) -> str | None:
    """Return the help for a key without a value, as in `{goal=3}` or `{share: 0,25}`."""
    name = what.strip(AROUND)
    if hit := SETTING.fullmatch(name) or re.fullmatch(r"(\w+) +(\w+)", name):
        return say("write `{found}`", found=f"{hit[1]}: {hit[2]}")
    if name.isdecimal():
        return say(COMMA)
    word = re.search(r"(\w+)\W*$", what)
    return word and say("write `{found}`", found=f"{word[1]}: VALUE")


def number_meant(node: Node) -> str | None:
    """Return the help for a text in quotes or in words that stands for a number, or for a list."""
    if isinstance(node, Sequence) and node.items:
        one = node.items[0]
        if not isinstance(one, Scalar) or not one.text.isdecimal():
            return None
        only = say("write one number, such as `{found}`", found=one.text)
        return write_instead(one.text) if len(node.items) == 1 else only
    text = node.text.lower() if isinstance(node, Scalar) and node.style != "plain" else ""
    word = NUMBER_WORDS.get(node.text.lower()) if isinstance(node, Scalar) else None
    number = word or (text if text.isdecimal() else None)
    return say("write `{found}`", found=number) if number else None
