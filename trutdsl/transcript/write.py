"""Turns what happens in a match into the events of a transcript."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from trutdsl.game import Game

Event = dict[str, Any]


def match_event(game: Game, strategies: Sequence[str], seed: int, match: int) -> Event:
    """Return the first event of a match: all that is needed to play it again."""
    return {
        "event": "match",
        "variant": game.ref,
        "players": game.players,
        "teams": list(game.teams),
        "parameters": {n: _plain(game, n, v) for n, v in game.parameters.items()},
        "strategies": list(strategies),
        "seed": seed,
        "match": match,
    }


def _plain(game: Game, name: str, value: int | bool | str) -> int | bool | float | str:
    if game.variant.parameters[name].type == "probability":
        return int(value) / 1_000_000
    return value


class Recorder:
    """Receives events from an engine and passes on those of the transcript.

    Cards that go to hands one after the other become one event for each seat, in the order in
    which the seats got their first. legal: whether actions carry all legal actions.
    """

    def __init__(self, write: Callable[[Event], None], legal: bool = False) -> None:
        self.write, self.legal = write, legal
        self.dealt: dict[int, list[str]] = {}

    def __call__(self, event: Event) -> None:
        """Take one event from the engine."""
        if event["event"] == "cards":
            self.dealt.setdefault(event["seat"], []).extend(event["cards"])
            return
        self.flush()
        if event["event"] == "action" and not self.legal:
            event = {name: value for name, value in event.items() if name != "legal"}
        self.write(event)

    def flush(self) -> None:
        """Pass on the cards that wait to be put together."""
        for seat, cards in self.dealt.items():
            self.write({"event": "cards", "seat": seat, "cards": cards})
        self.dealt = {}


def event_line(event: Event) -> str:
    """Return an event as a line of JSON, with its end."""
    return json.dumps(event, ensure_ascii=False) + "\n"
