"""The words of compared variants: kept in the results, and used by every text about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any

from trutdsl.game import Game
from trutdsl.language import ENGLISH, current_language, mark, say, speaking, typeset
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
# By how a piece changes the base: the prefix of its name among the definitions.
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
    game: Game, pieces: Iterable[Mapping[str, str]], cards: bool = False
) -> dict[str, dict[str, dict[str, str]]]:
    """Return the words of a variant in English and in every language of its files, as JSON.

    pieces: its changes of the base, whose texts are kept, too. cards: with those of all cards.
    """
    own, found = {lang for layer in game.variant.layers for lang in layer.words}, {}
    for language in sorted({ENGLISH, *own}):
        with speaking(language):
            found[language] = _words(game, list(pieces), language)
            if cards:
                own_words = words_of(game.variant, language)
                pack = game.variant.pack_for(game.parameters)
                ranks = {one.text: own_words.rank(one.text) for one in pack.ranks}
                each = {card: own_words.card(card) for card in game.deck.texts}
                found[language]["cards"] = ranks | each
    return found


def _words(
    game: Game, pieces: Iterable[Mapping[str, str]], language: str
) -> dict[str, dict[str, str]]:
    words, plan = words_of(game.variant, language), game.count_plan
    options = dict.fromkeys(option for _, options in plan.decisions for option in options)
    values = [(one, game.parameters[name]) for name, one in game.variant.parameters.items()]
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
        "parameters": {one.name: words.parameter(one.name) for one, _ in values},
        "values": {f"{p.name}={p.text_of(value)}": words.value(p, value) for p, value in values},
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
    """Return the word for a thing in the current language, or else the default (its name)."""
    names = _names.get().get(current_language(), {}).get(kind, {})
    word = names.get(name, name if default is None else default)
    return typeset(" ".join(say(part) if part in CHOSEN else part for part in word.split(" ")))
