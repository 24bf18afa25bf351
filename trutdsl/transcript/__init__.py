"""Transcripts: a match as events, one JSON object a line; written, shown, played again."""

from trutdsl.transcript.events import (
    SEARCHED,
    RecordedMatch,
    Recorder,
    match_event,
    read_transcript,
    record_to,
    shortest_deals,
)
from trutdsl.transcript.replay import (
    EventMismatch,
    Follower,
    explain_match,
    load_recorded,
    replay_match,
    show_events,
    tell_event,
    tell_value,
)

__all__ = [
    "SEARCHED",
    "EventMismatch",
    "Follower",
    "RecordedMatch",
    "Recorder",
    "explain_match",
    "load_recorded",
    "match_event",
    "read_transcript",
    "record_to",
    "replay_match",
    "shortest_deals",
    "show_events",
    "tell_event",
    "tell_value",
]
