"""Transcripts: a match as events, one JSON object a line; written, shown, played again."""

from trutdsl.transcript.read import RecordedMatch, read_transcript
from trutdsl.transcript.replay import EventMismatch, explain_match, load_recorded, replay_match
from trutdsl.transcript.show import Follower, show_events, tell_event, tell_value
from trutdsl.transcript.write import SEARCHED, Recorder, match_event, shortest_deals

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
    "replay_match",
    "shortest_deals",
    "show_events",
    "tell_event",
    "tell_value",
]
