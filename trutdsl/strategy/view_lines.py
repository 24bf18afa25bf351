"""Views as lines of JSON: what a bot reads, put together from texts that come again and again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from trutdsl.game import View
from trutdsl.game.legend import Legend, Part, card_texts
from trutdsl.game.view import SHOWN, UNSEEN
from trutdsl.table import Said
from trutdsl.table.questions import plain_said
from trutdsl.table.sight import DEAL, DEALER, HIDDEN, LEADER, Hidden, Seen, count_cards, is_hidden

# What stays the same for a whole match is told at its start.
LASTING = ("seat", "team", "players", "teams", "parameters", "strengths", "values")
NOW = tuple(name for name in SHOWN if name not in LASTING)
MOST_KEPT = 4096  # texts of a kind

Numbers = tuple[int | Hidden, ...]


def lasting_line(view: View) -> str:
    """Return what is told at the start of a match."""
    return json.dumps({"match": view.to_dict(LASTING)})


def questions_for(view: View) -> Questions:
    """Return what writes the questions to the seat of a view, the same for a seat of a game."""
    return _questions(view._legend)


@lru_cache(maxsize=64)
def _questions(legend: Legend) -> Questions:
    return Questions(legend)


class Questions:
    """Writes the questions to one seat of a game, as `json.dumps` would."""

    def __init__(self, legend: Legend) -> None:
        """Write for whoever reads this legend."""
        zones = zip(legend.zones, legend.zone_parts, strict=True)
        self._zones = [(f'"{zone}": [', slice(part.first, part.beyond)) for zone, part in zones]
        self._values = {
            "variables": _readers(legend.variables, legend.variable_parts),
            "counters": _readers(legend.counters, legend.counter_parts),
        }

        @lru_cache(maxsize=MOST_KEPT)
        def cards(seen: int | bytes) -> str:
            return json.dumps(UNSEEN if is_hidden(seen) else card_texts(seen, legend.pack))

        self._cards = cards

    def line(self, view: View, number: int, luck: int) -> str:
        """Return a question, the number-th of its match."""
        seen = view._seen
        found = {
            "decision": f'"{view.decision}"',
            "actions": _actions(view.texts),
            "deal": str(seen[DEAL]),
            "dealer": str(seen[DEALER]),
            "leader": str(seen[LEADER]),
            "zones": self._zone_texts(seen),
            "sizes": self._size_texts(seen),
            "history": f"[{', '.join(map(_said, view.history))}]",
        }
        for name, readers in self._values.items():
            texts = [read(seen[part]) for part, read in readers]
            found[name] = "{" + ", ".join(texts) + "}"
        parts = ", ".join([f'"{name}": {found[name]}' for name in NOW])
        return f'{{"id": {number}, "luck": {luck}, "view": {{{parts}}}}}'

    def _zone_texts(self, seen: Seen) -> str:
        read = self._cards
        return _object([zone + ", ".join(map(read, seen[part])) for zone, part in self._zones])

    def _size_texts(self, seen: Seen) -> str:
        return _object([zone + ", ".join(map(_size, seen[part])) for zone, part in self._zones])


@lru_cache(maxsize=MOST_KEPT)
def _size(cards: int | bytes) -> str:
    return str(count_cards(cards))


def _object(lists: list[str]) -> str:
    """Return an object of lists whose ends are still open."""
    return "{" + "], ".join(lists) + "]}" if lists else "{}"


def _readers(
    names: Sequence[str], parts: Sequence[Part]
) -> list[tuple[slice, Callable[[Numbers], str]]]:
    """Return where the numbers of each variable stand, and what writes them."""
    return [
        (slice(part.first, part.beyond), lru_cache(maxsize=MOST_KEPT)(_reader(name, part)))
        for name, part in zip(names, parts, strict=True)
    ]


def _reader(name: str, part: Part) -> Callable[[Numbers], str]:
    def read(numbers: Numbers) -> str:
        plain: list[Any] = [
            UNSEEN if number is HIDDEN else part.reading.plain(number) for number in numbers
        ]
        return f"{json.dumps(name)}: {json.dumps(plain)}"

    return read


@lru_cache(maxsize=MOST_KEPT)
def _actions(texts: tuple[str, ...]) -> str:
    return json.dumps(texts)


@lru_cache(maxsize=MOST_KEPT, typed=True)
def _said(said: Said) -> str:
    return json.dumps(plain_said(said))
