"""Reads transcripts, which may come from anywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trutdsl.diagnostics import Rejected, Source, Span, reject
from trutdsl.files import open_plain
from trutdsl.variant.compose_yaml import FORBIDDEN, HALVES

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

    def span(self, index: int, text: str = "") -> Span:
        """Return where the event with this index stands."""
        line = self.lines[min(index, len(self.lines) - 1)]
        return Span(Source(self.name, "\n" * (line - 1) + text), line, 1, line, 1 + len(text))


def read_transcript(path: Path, name: str) -> Iterator[RecordedMatch]:
    """Yield the matches of a transcript, one at a time; raises `Rejected` at the first bad line."""
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
                    message = f"this match is longer than {LARGEST_MATCH:,} bytes"
                    raise _bad(name, number, "", message)
                if not events and event["event"] != "match":
                    raise _bad(name, number, "", "a transcript begins with a `match` event")
                events.append(event)
                lines.append(number)
    except (OSError, ValueError) as e:
        reason = getattr(e, "strerror", None) or "its name is not a file name"
        raise _bad(name, 1, "", f"this file cannot be read: {reason}") from None
    if not events:
        raise _bad(name, 1, "", "this transcript holds no events")
    yield RecordedMatch(name, tuple(events), tuple(lines))


def _read_event(raw: bytes, name: str, number: int) -> dict[str, Any]:
    if len(raw) > LONGEST_LINE:
        raise _bad(name, number, "", f"this line is longer than {LONGEST_LINE:,} bytes")
    try:
        text = raw.decode("utf-8").rstrip("\n")
    except UnicodeDecodeError:
        raise _bad(name, number, "", "this line is not UTF-8 text") from None
    try:
        event = json.loads(text)
    except (ValueError, RecursionError) as e:
        raise _bad(name, number, text, f"this line is not JSON: {getattr(e, 'msg', e)}") from None
    half = HALF.search(text)
    if half and HALVES.search(json.dumps(event, ensure_ascii=False)):
        message = f"this line holds half a character, {half[0]}; write it whole"
        raise _bad(name, number, text, message, half.start() + 1)
    odd = next(filter(None, map(FORBIDDEN.search, _texts(event))), None)
    if odd:
        message = f"found the character U+{ord(odd[0]):04X}, expected text"
        raise _bad(name, number, "", message)
    kind = event.get("event") if isinstance(event, dict) else None
    if not isinstance(kind, str) or kind not in FIELDS:
        known = ", ".join(FIELDS)
        raise _bad(name, number, text, f"this is no event; an object with `event`: {known}")
    for field, types in FIELDS[kind].items():
        if field not in event:
            raise _bad(name, number, text, f"this `{kind}` event has no `{field}`")
        if not isinstance(event[field], types):
            raise _bad(name, number, text, f"`{field}` of this `{kind}` event has the wrong type")
    return dict(event)


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in what JSON holds."""
    left = [value]
    while left:
        match left.pop():
            case str(text):
                yield text
            case list(items):
                left += items
            case dict(entries):
                left += [*entries, *entries.values()]


def _bad(name: str, line: int, text: str, message: str, col: int = 1) -> Rejected:
    source = Source(name, "\n" * (line - 1) + text)
    return reject("transcript", message, Span(source, line, col, line, col + 1))
