"""Events of a transcript, one JSON object a line: recorded in play, and read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from trutdsl.diagnostics import Rejected, Source, Span, reject
from trutdsl.files import open_plain
from trutdsl.game import Game
from trutdsl.ir.transforms import MARK
from trutdsl.language import figure, say
from trutdsl.strategy.coverage import Coverage
from trutdsl.strategy.load import Spec
from trutdsl.strategy.play import play_match
from trutdsl.variant.source import FORBIDDEN, HALVES, TRANSCRIPT, instead_of_kind, near_file

Event = dict[str, Any]


def match_event(game: Game, strategies: Sequence[str], seed: int, match: int) -> Event:
    """Return the first event of a match, with all data for a replay."""
    parameters = game.variant.parameters
    return {
        "event": "match",
        "variant": game.ref,
        "players": game.players,
        "teams": list(game.teams),
        "parameters": {
            name: int(value) / 1_000_000 if parameters[name].type == "probability" else value
            for name, value in game.parameters.items()
        },
        "strategies": list(strategies),
        "seed": seed,
        "match": match,
    }


class Recorder:
    """Receives events from an engine and forwards those of the transcript.

    Cards that go to hands one by one become one event for each seat, in the order of the seats'
    first cards. legal: whether actions carry all legal actions.
    """

    def __init__(self, write: Callable[[Event], object], legal: bool = False) -> None:
        self.write, self.legal = write, legal
        self.dealt_cards: dict[int, list[str]] = {}

    def __call__(self, event: Event) -> None:
        """Take one event from the engine."""
        if event["event"] == "cards":
            self.dealt_cards.setdefault(event["seat"], []).extend(event["cards"])
            return
        self.flush()
        if event["event"] == "action" and not self.legal:
            event = {name: value for name, value in event.items() if name != "legal"}
        self.write(event)

    def flush(self) -> None:
        """Forward the collected cards."""
        for seat, cards in self.dealt_cards.items():
            self.write({"event": "cards", "seat": seat, "cards": cards})
        self.dealt_cards = {}


def record_to(
    file: IO[str], game: Game, strategies: Sequence[str], seed: int, match: int, legal: bool = False
) -> Recorder:
    """Return a recorder of a match into a file that already has its first event."""
    recorder = Recorder(lambda event: file.write(event_line(event)), legal)
    recorder(match_event(game, strategies, seed, match))
    return recorder


def event_line(event: Event) -> str:
    return json.dumps(event, ensure_ascii=False) + "\n"


SEARCH_LIMIT = 1_000  # matches that are searched deal by deal, step by step


class _Listener:
    """Counts the actions of each deal of a match, and records the parts reached in it.

    ends: the number of events up to the end of each deal.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.recorder = Recorder(self.events.append)
        self.actions, self.parts = [0], [set[str]()]
        self.ends: list[int] = []

    def __call__(self, event: Event) -> None:
        """Take one event from the engine."""
        kind = event["event"]
        if kind == "counter" and event["name"].startswith(MARK):
            self.parts[-1].add(event["name"])
            return
        if kind == "deal" and self.ends:
            self.actions.append(0)
            self.parts.append(set())
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
    show: Callable[[int, int], None] = lambda _matches, _deals: None,
) -> dict[str, list[Event]]:
    """Return, for each part that was reached, the match up to the end of its shortest deal.

    That is the deal with the fewest actions, of equal ones the first, in the first `SEARCH_LIMIT`
    matches and in those that the coverage names. Events between two deals belong to the earlier
    one; events before the first deal belong to that.
    show: receives the numbers of matches and deals after each match.
    """
    counting, _ = game.with_counters
    matches = {match for of_part in coverage.shortest.values() for _, match in of_part}
    matches |= set(range(min(coverage.matches, SEARCH_LIMIT)))
    best: dict[str, tuple[int, int, int]] = {}
    shortest: dict[tuple[int, int], list[Event]] = {}
    for match in sorted(matches):
        listener = _Listener()
        play_match(counting, seating, seed, match, listener)
        first = match_event(game, [spec.name for spec in seating], seed, match)
        deals = zip(listener.actions, listener.parts, listener.ends, strict=True)
        for actions, parts, end in deals:
            for name in parts:
                if name not in best or (actions, end, match) < best[name]:
                    best[name] = (actions, end, match)
                    shortest[match, end] = [first, *listener.events[:end]]
        show(1, len(listener.actions))
    return {name: shortest[match, end] for name, (_, end, match) in best.items()}


LONGEST_LINE = 1_000_000
LARGEST_MATCH = 20_000_000  # bytes
HALF = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
FIELDS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "match": {
        "variant": str,
        "players": int,
        "teams": list,
        "parameters": dict,
        "strategies": list,
        "seed": int,
        "match": int,
    },
    "deal": {"deal": int, "dealer": int, "counters": dict},
    "cards": {"seat": int, "cards": list},
    "turned": {"card": str},
    "random": {"what": str, "value": (int, str, bool)},
    "action": {"seat": int, "decision": str, "action": str},
    "announced": {"seat": (int, type(None)), "what": str, "value": object, "to": list},
    "passed": {"from": list, "to": list, "cards": list},
    "trick": {"leader": int, "cards": list, "winner": (int, type(None)), "team": (int, type(None))},
    "counter": {"name": str, "team": int, "delta": int, "value": int},
    "deal_end": {"winner": (int, type(None)), "reason": str},
    "match_end": {"winner": (int, type(None)), "counters": dict, "deals": int},
}


@dataclass(frozen=True)
class RecordedMatch:
    """One match of a transcript: its events in order, the `match` event first, and their lines."""

    name: str
    events: tuple[dict[str, Any], ...]
    lines: tuple[int, ...]

    @property
    def actions(self) -> list[str]:
        """The texts of all actions, in order."""
        return [event["action"] for event in self.events if event["event"] == "action"]

    def span(self, index: int, text: str = "") -> Span:
        """Return the position of the event with this index."""
        line = self.lines[min(index, len(self.lines) - 1)]
        return Span(Source(self.name, "\n" * (line - 1) + text), line, 1, line, 1 + len(text))


def read_transcript(path: Path, name: str) -> Iterator[RecordedMatch]:
    """Yield the matches of a transcript, one at a time; raises `Rejected` at the first bad line."""
    if help_ := instead_of_kind(TRANSCRIPT, name):
        raise _bad(name, 1, "", say("there is no transcript '{name}'", name=name), help_=help_)
    events: list[dict[str, Any]] = []
    lines: list[int] = []
    try:
        with open_plain(path) as file:
            number = size = 0
            while raw := file.readline(LONGEST_LINE + 1):
                number += 1
                size += len(raw)
                if not raw.strip():
                    continue
                event = _read_event(raw, name, number)
                if event["event"] == "match" and events:
                    yield RecordedMatch(name, tuple(events), tuple(lines))
                    events, lines, size = [], [], len(raw)
                if size > LARGEST_MATCH:
                    text = "this match is longer than {largest} bytes"
                    message = say(text, largest=figure(LARGEST_MATCH, ","))
                    raise _bad(name, number, "", message)
                if not events and event["event"] != "match":
                    raise _bad(name, number, "", say("a transcript begins with a `match` event"))
                events.append(event)
                lines.append(number)
    except (OSError, ValueError) as e:
        reason = say(getattr(e, "strerror", None) or "its name is not a file name")
        help_ = near_file(path, ".jsonl") if isinstance(e, FileNotFoundError) else None
        message = say("this file cannot be read: {reason}", reason=reason)
        raise _bad(name, 1, "", message, help_=help_) from None
    if not events:
        raise _bad(name, 1, "", say("this transcript holds no events"))
    yield RecordedMatch(name, tuple(events), tuple(lines))


def _read_event(raw: bytes, name: str, number: int) -> dict[str, Any]:
    def bad(message: str, text: str = "", column: int = 1) -> Rejected:
        return _bad(name, number, text, message, column)

    if len(raw) > LONGEST_LINE:
        most = figure(LONGEST_LINE, ",")
        raise bad(say("this line is longer than {longest} bytes", longest=most))
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\n")
    except UnicodeDecodeError:
        raise bad(say("this line is not UTF-8 text")) from None
    try:
        event = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise bad(say("this line is not JSON"), text, getattr(wrong, "colno", 1)) from None
    half = HALF.search(text)
    if half and HALVES.search(json.dumps(event, ensure_ascii=False)):
        message = say("this line holds half a character, {half}; write it whole", half=half[0])
        raise bad(message, text, half.start() + 1)
    odd = next(filter(None, map(FORBIDDEN.search, _texts(event))), None)
    if odd:
        raise bad(say("found the character U+{ord}, expected text", ord=f"{ord(odd[0]):04X}"))
    kind = event.get("event") if isinstance(event, dict) else None
    if not isinstance(kind, str) or kind not in FIELDS:
        message = say(
            "this is not an event; an object with `event`: {known}", known=", ".join(FIELDS)
        )
        raise bad(message, text)
    for field, types in FIELDS[kind].items():
        if field not in event:
            raise bad(say("this `{kind}` event has no `{field}`", kind=kind, field=field), text)
        is_number = isinstance(event[field], bool) and types in (int, (int, type(None)))
        if is_number or not isinstance(event[field], types):  # True is a number in Python
            message = say(
                "`{field}` of this `{kind}` event has the wrong type", field=field, kind=kind
            )
            raise bad(message, text)
    return dict(event)


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in a JSON value."""
    left = [value]
    while left:
        match left.pop():
            case str(text):
                yield text
            case list(items):
                left += items
            case dict(entries):
                left += [*entries, *entries.values()]


def _bad(
    name: str, line: int, text: str, message: str, col: int = 1, help_: str | None = None
) -> Rejected:
    source = Source(name, "\n" * (line - 1) + text)
    return reject("transcript", message, Span(source, line, col, line, col + 1), help=help_)
