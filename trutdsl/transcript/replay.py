"""Plays a recorded match again and says where it goes another way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trutdsl.diagnostics import BadUsage, Rejected, counted, reject
from trutdsl.game import DealStart, Game, Question, State, load_game
from trutdsl.strategy import ScriptSpec
from trutdsl.strategy.explain import Advisers, Explanation
from trutdsl.strategy.fitness import check_for
from trutdsl.transcript.read import RecordedMatch
from trutdsl.transcript.write import Recorder, event_line, match_event
from trutdsl.variant.read_values import shorten


@dataclass(frozen=True)
class EventMismatch:
    """The first event that differs; `found` or `played` is None where one side has ended."""

    line: int
    found: str | None
    played: str | None


def replay_match(recorded: RecordedMatch) -> EventMismatch | None:
    """Play a match's actions again; return the first difference, or None if there is none.

    Raises `Rejected` if the match cannot be played at all (unknown variant, parameters, seed).
    """
    first = recorded.events[0]
    game = load_recorded(recorded)
    played: list[dict[str, Any]] = [
        match_event(game, first["strategies"], first["seed"], first["match"])
    ]
    legal = any("legal" in event for event in recorded.events)
    recorder = Recorder(played.append, legal)
    state = game.start(first["seed"], first["match"], recorder)
    actions = [e["action"] for e in recorded.events if e["event"] == "action"]

    def begin() -> None:
        """Go on to a question or the recorded end: deals, also the last, may ask nothing."""
        while isinstance(state.pending, DealStart) and len(played) < len(recorded.events):
            state.next_deal()
            recorder.flush()

    for text in actions:
        begin()
        if not isinstance(state.pending, Question):
            break
        texts = state.pending.texts
        if text not in texts:
            asked, any_of = state.pending, "one of " + ", ".join(texts)
            recorder.flush()
            played.append(
                {
                    "event": "action",
                    "seat": asked.seat,
                    "decision": asked.decision,
                    "action": any_of,
                }
            )
            break
        state.apply(texts.index(text))
        if _differs(recorded, played) is not None:
            break
    recorder.flush()
    begin()
    return _differs(recorded, played, whole=True)


def _differs(
    recorded: RecordedMatch, played: list[dict[str, Any]], whole: bool = False
) -> EventMismatch | None:
    for i, (found, made) in enumerate(zip(recorded.events, played, strict=False)):
        if found != made:
            return EventMismatch(
                recorded.lines[i], event_line(found).strip(), event_line(made).strip()
            )
    if whole and len(recorded.events) != len(played):
        i = min(len(recorded.events), len(played))
        found_more = len(recorded.events) > i
        line = recorded.lines[i] if found_more else recorded.lines[-1] + 1
        return EventMismatch(
            line,
            event_line(recorded.events[i]).strip() if found_more else None,
            None if found_more else event_line(played[i]).strip(),
        )
    return None


def load_recorded(recorded: RecordedMatch) -> Game:
    """Return the game that a recorded match was played in; raises `Rejected` if there is none."""
    first = recorded.events[0]

    def refuse(message: str) -> Exception:
        return reject("transcript", message, recorded.span(0))

    for name, bits in (("seed", 128), ("match", 64)):
        if isinstance(first[name], bool) or not 0 <= first[name] < 2**bits:
            raise refuse(f"`{name}` is a whole number from 0 to 2**{bits}-1")
    parameters = {
        str(name): value
        for name, value in first["parameters"].items()
        if isinstance(value, str | int | float)
    }
    if len(first["strategies"]) != first["players"]:
        many = counted(len(first["strategies"]), "strategy", "strategies")
        raise refuse(
            f"`strategies` names one for each seat; here are {many} for {first['players']}"
        )
    try:
        return load_game(first["variant"], first["players"], parameters)
    except BadUsage as e:
        raise refuse(f"this match cannot be played again: {e}") from None
    except Rejected as e:
        if not first["variant"].endswith((".yaml", ".yml")) or Path(first["variant"]).is_file():
            raise
        message = f"there is no file '{shorten(first['variant'])}', which holds this match's rules"
        help_ = f"it is looked for from this folder, {Path.cwd()}"
        raise reject("transcript", message, recorded.span(0), help=help_) from e


# Asks a script along a recorded match what it would do, and why.


def explain_match(
    recorded: RecordedMatch, spec: ScriptSpec, seat: int, deal: int
) -> Iterator[tuple[State, Explanation, str]]:
    """Yield a match at each question to a seat in a deal, what a script does, and what was done.

    The script is asked from the start of the match, with the luck that it has on that seat. Raises
    `BadUsage` if the rules do not allow what was recorded, `PolicyError` if the script fails.
    """
    game, first = load_recorded(recorded), recorded.events[0]
    check_for(spec, game)
    advisers = Advisers(game, [spec], first["seed"], first["match"])
    state = advisers.game.start(first["seed"], first["match"])
    for event in recorded.events:
        if event["event"] != "action":
            continue
        while isinstance(state.pending, DealStart):
            state.next_deal()
        question, text = state.pending, event["action"]
        if not isinstance(question, Question) or all(a.text != text for a in question.actions):
            raise BadUsage("the transcript cannot be played again; see `trutdsl replay --verify`")
        if question.seat == seat and state.deals - 1 <= deal:
            explanation = advisers.choose(state, question, spec)
            if state.deals - 1 == deal:
                yield state, explanation, text
        state.apply(question.texts.index(text))
