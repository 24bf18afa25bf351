"""Writes a recorded match as a person would tell it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from trutdsl.diagnostics import counted
from trutdsl.game import Announcement, HistoryEntry, PassedCards
from trutdsl.transcript.read import RecordedMatch
from trutdsl.transcript.write import Event


def show_events(recorded: RecordedMatch) -> Iterator[str]:
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


# Tells a match while it is played to one who sits there: what that seat notices, nothing else.

TOLD_TO_ALL = ("deal", "turned", "counter", "match_end")
NOTICED = ("action", "announced", "passed")


class Follower:
    """Takes all events of a match, and tells of them what one seat notices.

    Who said what comes from the seat's own history (`View.history`); the events only say in which
    order that stands with what everybody knows: what is turned up, how deals and tricks end, and
    what is won.
    """

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._events: list[Event] = []
        self._told = 0  # of the history of this deal

    def __call__(self, event: Event) -> None:
        self._events.append(event)

    def tell(self, history: Sequence[HistoryEntry]) -> Iterator[str]:
        """Yield lines on what has happened since the last time.

        history: what the seat noticed in this deal, oldest first.
        """
        events, self._events = self._events, []
        for event in events:
            kind = event["event"]
            if kind == "deal":
                self._told = 0
            if kind in TOLD_TO_ALL:
                yield from tell_event(event)
            elif kind == "trick":
                yield f"  {self._trick(event)}"
            elif kind == "deal_end":
                who = "nobody" if event["winner"] is None else f"team {event['winner']}"
                yield f"  {who} wins the deal ({event['reason']})"
            elif kind in NOTICED and self._told < len(history):
                said = history[self._told]
                if self._is_of(said, event):
                    self._told += 1
                    yield f"  {self._say(said)}"

    def _trick(self, event: Event) -> str:
        if event["winner"] is not None:
            return f"{self._who(event['winner'])} won the trick"
        return (
            "the trick is tied" if event["team"] is None else f"team {event['team']} won the trick"
        )

    def _say(self, said: HistoryEntry) -> str:
        if isinstance(said, Announcement):
            return f"{self._who(said.seat)} announced {said.decision}: {said.action}"
        if isinstance(said, PassedCards):
            cards, _, to = said.action.rpartition(" to ")
            if said.seat < 0:  # from one team to another
                return f"{cards} to {to}"
            gives = "give" if said.seat == self._seat else "gives"
            return f"{self._who(said.seat)} {gives} {self._who(int(to))}: {cards}"
        return f"{self._who(said.seat)}: {said.action}"

    def _who(self, seat: int) -> str:
        return "the table" if seat < 0 else "you" if seat == self._seat else f"seat {seat}"

    def _is_of(self, said: HistoryEntry, event: Event) -> bool:
        """Tell whether what the seat noticed next is this event."""
        match event["event"]:
            case "announced":
                return isinstance(said, Announcement) and self._seat in event["to"]
            case "passed":
                return isinstance(said, PassedCards)
        same = said == (event["seat"], event["decision"], event["action"])
        return type(said) is HistoryEntry and same
