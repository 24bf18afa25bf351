"""Transcripts: a match as events, one JSON object a line; written, shown, played again."""

from trutdsl.transcript.explain import explain_match
from trutdsl.transcript.follow import Follower
from trutdsl.transcript.read import Recorded, read_transcript
from trutdsl.transcript.replay import Difference, load_recorded, replay_match
from trutdsl.transcript.shortest import SEARCHED, shortest_deals
from trutdsl.transcript.show import show_events, tell_event, tell_value
from trutdsl.transcript.write import Recorder, match_event

__all__ = [
    "SEARCHED",
    "Difference",
    "Follower",
    "Recorded",
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
