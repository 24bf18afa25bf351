"""Writes a recorded match as a person would tell it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from trutdsl.diagnostics import counted
from trutdsl.transcript.read import Recorded


def show_events(recorded: Recorded) -> Iterator[str]:
    """Yield the lines that tell a match."""
    for event in recorded.events:
        yield from tell_event(event)


def tell_event(event: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that tell an event."""
    match event["event"]:
        case "match":
            players = ", ".join(
                f"seat {i} {name} (team {team})"
                for i, (name, team) in enumerate(
                    zip(event["strategies"], event["teams"], strict=False)
                )
            )
            yield f"Match {event['match']} of {event['variant']}, seed {event['seed']}: {players}"
        case "deal":
            yield ""
            yield f"Deal {event['deal']}, seat {event['dealer']} deals. {_counters(event)}"
        case "cards":
            yield f"  seat {event['seat']} gets {_joined(event['cards'])}"
        case "given":  # in a scenario that begins in the middle of a deal
            yield f"  given: {', '.join(event['given']) or 'nothing'}"
        case "turned":
            yield f"  turned up: {event['card']}"
        case "random":
            yield f"  chance: {event['what']} {event['value']}"
        case "action":
            yield f"  seat {event['seat']}, {event['decision']}: {event['action']}"
        case "announced":
            who = "announced" if event["seat"] is None else f"seat {event['seat']} says"
            value = "" if event["value"] is True else f" {tell_value(event['value'])}"
            yield f"  {who}: {event['what']}{value} (heard by {_joined(event['to'])})"
        case "passed":
            where = f"from {_joined(event['from'])} to {_joined(event['to'])}"
            go = "goes" if len(event["cards"]) == 1 else "go"
            yield f"  {_joined(event['cards'])} {go} {where}"
        case "trick":
            cards = _joined(c[1] for c in event["cards"] if isinstance(c, list) and len(c) == 2)
            if event["winner"] is None:
                won = f"team {event['team']} wins" if event["team"] is not None else "tied"
            else:
                won = f"seat {event['winner']} wins for team {event['team']}"
            yield f"  trick led by seat {event['leader']}: {cards}; {won}"
        case "counter":
            change = f"{event['delta']:+} {event['name']}, now {event['value']}"
            yield f"  team {event['team']}: {change}"
        case "deal_end":
            who = "nobody wins" if event["winner"] is None else f"team {event['winner']} wins"
            yield f"  {who} ({event['reason']})"
        case "match_end":
            yield ""
            who = "A draw" if event["winner"] is None else f"Team {event['winner']} wins the match"
            yield f"{who} after {counted(event['deals'], 'deal')}. {_counters(event)}"
            yield ""


def _counters(event: dict[str, Any]) -> str:
    return ", ".join(f"{name} {_score(v)}" for name, v in event["counters"].items())


def _score(values: Any) -> str:
    """Return what each team has, as in `3-2`; with a space where some have less than nothing."""
    text = _joined(values, "-")
    return _joined(values, " : ") if "--" in f"-{text}" else text


def tell_value(value: Any) -> str:
    """Return how a value is written, as in an action, given as JSON has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (
        "none" if value in (None, []) else _joined(value) if isinstance(value, list) else str(value)
    )


def _joined(items: Iterable[Any], by: str = " ") -> str:
    return by.join(map(str, items)) if isinstance(items, Iterable) else str(items)
