"""The words of compared variants: kept in the results, and used by every text about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any

from trutdsl.game import Game
from trutdsl.language import current_language, mark, say, typeset
from trutdsl.variant import words_of

NamesOfKinds = Mapping[str, dict[str, str]]

# What options choose, in their forms.
CHOSEN = (
    mark("CARD"),
    mark("CARDS"),
    mark("NUMBER"),
    mark("SEAT"),
    mark("SUIT"),
    mark("RANK"),
    mark("TEAM"),
)
# By how a piece changes the base: what stands before its name among the definitions.
BEFORE_NAME = {
    "replace rule": "",
    "replace define": "",
    "replace options": "options ",
    "before rule": "before ",
    "after rule": "after ",
    "when": "when ",
    "add to ask": "add to ask ",
}


def words_by_language(
    game: Game, pieces: Iterable[Mapping[str, str]]
) -> dict[str, dict[str, dict[str, str]]]:
    """Return the words of a variant in every language that its files have, as JSON.

    pieces: its changes of the base, whose texts are kept, too.
    """
    languages = sorted({language for layer in game.variant.layers for language in layer.words})
    return {language: _words(game, list(pieces), language) for language in languages}


def _words(
    game: Game, pieces: Iterable[Mapping[str, str]], language: str
) -> dict[str, dict[str, str]]:
    words, plan = words_of(game.variant, language), game.count_plan
    options = dict.fromkeys(option for _, options in plan.decisions for option in options)
    values = {f"{p['name']}={p['value']}": p for p in pieces if "value" in p}
    rules = {
        f"{piece['how']} {piece['name']}": words.texts(BEFORE_NAME[piece["how"]] + piece["name"])
        for piece in pieces
        if piece["how"] in BEFORE_NAME
    }
    return {
        "titles": {game.name: words.title},
        "counters": {name: words.counter(name) for name in plan.counters},
        "decisions": {name: words.decision(name) for name, _ in plan.decisions},
        "options": {option: words.action(option) for option in options},
        "ends": {reason: words.end(reason) for reason in plan.reasons},
        "parameters": {p["name"]: words.parameter(p["name"]) for p in values.values()},
        "values": {key: words.choice(p["name"], p["value"]) for key, p in values.items()},
        "rules": {name: texts[-1] for name, texts in rules.items() if texts and texts[-1]},
    }


_names: ContextVar[Mapping[str, NamesOfKinds]] = ContextVar("names", default=MappingProxyType({}))


@contextmanager
def in_words_of(results: Mapping[str, Any]) -> Iterator[None]:
    """Use the words that these results keep, for all texts of the block; the base comes first."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for variant in reversed(results["variants"]):
        for language, kinds in variant.get("names", {}).items():
            for kind, names in kinds.items():
                found.setdefault(language, {}).setdefault(kind, {}).update(names)
    token = _names.set(found)
    try:
        yield
    finally:
        _names.reset(token)


def named(kind: str, name: str, default: str | None = None) -> str:
    """Return what a thing is called in the current language, or without such a word the default.

    By default that is its name.
    """
    names = _names.get().get(current_language(), {}).get(kind, {})
    word = names.get(name, name if default is None else default)
    return typeset(" ".join(say(part) if part in CHOSEN else part for part in word.split(" ")))
