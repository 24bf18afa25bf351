"""Transcripts: a match as events, one JSON object a line; written, read, played again."""

from trutdsl.transcript.events import (
    SEARCH_LIMIT,
    Event,
    RecordedMatch,
    Recorder,
    match_event,
    read_transcript,
    record_to,
    shortest_deals,
)
from trutdsl.transcript.replay import (
    EventMismatch,
    check_table,
    explain_match,
    load_recorded,
    replay_match,
)

__all__ = [
    "SEARCH_LIMIT",
    "Event",
    "EventMismatch",
    "RecordedMatch",
    "Recorder",
    "check_table",
    "explain_match",
    "load_recorded",
    "match_event",
    "read_transcript",
    "record_to",
    "replay_match",
    "shortest_deals",
]
