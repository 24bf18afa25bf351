"""Turns what happens in a match into the events of a transcript."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from trutdsl.game import Game
from trutdsl.ir.transforms import MARK
from trutdsl.strategy.coverage import Coverage
from trutdsl.strategy.load import Spec
from trutdsl.strategy.play import play_match

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


# Finds a short deal in which each part of the rules is reached, as a transcript to play again.

SEARCHED = 1_000  # matches that are looked through deal by deal, step by step


class _Listener:
    """Notes of each deal of a match how many actions it has and what is reached in it.

    ends: how many events there are up to the end of each deal.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.recorder = Recorder(self.events.append)
        self.actions, self.reached = [0], [set[str]()]
        self.ends: list[int] = []

    def __call__(self, event: Event) -> None:
        """Take one event from the engine."""
        kind = event["event"]
        if kind == "counter" and event["name"].startswith(MARK):
            self.reached[-1].add(event["name"])
            return
        if kind == "deal" and self.ends:
            self.actions.append(0)
            self.reached.append(set())
        self.actions[-1] += kind == "action"
        if "counters" in event:
            own = {n: v for n, v in event["counters"].items() if not n.startswith(MARK)}
            event = {**event, "counters": own}
        self.recorder(event)
        if kind in ("deal_end", "match_end"):
            self.recorder.flush()
            self.ends[len(self.actions) - 1 :] = [len(self.events)]


def shortest_deals(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    coverage: Coverage,
    finished: Callable[[int, int], None] = lambda _matches, _deals: None,
) -> dict[str, list[Event]]:
    """Return for each part that was reached the match up to the end of the deal found for it.

    That is the deal with the fewest actions, of equal ones the one that is come to first, in all of
    the first `SEARCHED` matches, and behind them in those that the coverage names. What is done
    between two deals belongs to the one before, what is done before the first one to that.
    finished: is told how many matches and deals more were looked through.
    """
    counting, _ = game.covered
    wanted = {match for kept in coverage.shortest.values() for _, match in kept}
    wanted |= set(range(min(coverage.matches, SEARCHED)))
    best: dict[str, tuple[int, int, int]] = {}
    told: dict[tuple[int, int], list[Event]] = {}
    for match in sorted(wanted):
        heard = _Listener()
        play_match(counting, seating, seed, match, heard)
        first = match_event(game, [spec.name for spec in seating], seed, match)
        for deal, (actions, reached) in enumerate(zip(heard.actions, heard.reached, strict=True)):
            end = heard.ends[deal]
            for name in reached:
                if name not in best or (actions, end, match) < best[name]:
                    best[name] = (actions, end, match)
                    told[match, end] = [first, *heard.events[:end]]
        finished(1, len(heard.actions))
    return {name: told[match, end] for name, (_, end, match) in best.items()}
