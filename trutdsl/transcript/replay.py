"""A recorded match: described in words, replayed, explained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trutdsl.diagnostics import BadUsage, Rejected, counted, reject
from trutdsl.game import (
    Announcement,
    DealStart,
    Game,
    HistoryEntry,
    PassedCards,
    Question,
    State,
    load_game,
)
from trutdsl.strategy import ScriptSpec
from trutdsl.strategy.explain import Advisers, Explanation
from trutdsl.strategy.fitness import check_for
from trutdsl.strategy.policy import PolicySpec
from trutdsl.transcript.events import Event, RecordedMatch, Recorder, event_line, match_event
from trutdsl.variant.read_values import shorten

if TYPE_CHECKING:
    from trutdsl.strategy.hints import Hint


def show_events(recorded: RecordedMatch) -> Iterator[str]:
    for event in recorded.events:
        yield from tell_event(event)


def tell_event(event: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that describe an event."""
    match event["event"]:
        case "match":
            pairs = enumerate(zip(event["strategies"], event["teams"], strict=False))
            players = ", ".join(f"seat {i} {name} (team {team})" for i, (name, team) in pairs)
            yield f"Match {event['match']} of {event['variant']}, seed {event['seed']}: {players}"
        case "deal":
            yield ""
            yield f"Deal {event['deal']}, seat {event['dealer']} deals. {_counters(event)}"
        case "cards":
            yield f"  seat {event['seat']} gets {_joined(event['cards'])}"
        case "given":  # of a scenario that begins in the middle of a deal
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
    """Return the score of the teams, as in `3-2`; with negative numbers as in `-1 : 2`."""
    text = _joined(values, "-")
    return _joined(values, " : ") if "--" in f"-{text}" else text


def tell_value(value: Any) -> str:
    """Return a JSON value in the notation of actions."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value in (None, []) else _joined(value if isinstance(value, list) else [value])


def _joined(items: Iterable[Any], by: str = " ") -> str:
    return by.join(map(str, items)) if isinstance(items, Iterable) else str(items)


TOLD_TO_ALL = ("deal", "turned", "counter", "match_end")
NOTICED = ("action", "announced", "passed")


class Follower:
    """Receives all events of a match in play, and describes those that one seat notices.

    Answers and announcements come from the seat's own history (`View.history`). The events only
    give their order among cards turned up, ends of deals and tricks, and counters.
    """

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._events: list[Event] = []
        self._told = 0  # described entries of this deal's history

    def __call__(self, event: Event) -> None:
        self._events.append(event)

    def tell(self, history: Sequence[HistoryEntry]) -> Iterator[str]:
        """Yield lines on the events since the last call; history: the seat's, of this deal."""
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
                entry = history[self._told]
                if self._is_of(entry, event):
                    self._told += 1
                    yield f"  {self._describe(entry)}"

    def _trick(self, event: Event) -> str:
        if event["winner"] is not None:
            return f"{self._who(event['winner'])} won the trick"
        return (
            "the trick is tied" if event["team"] is None else f"team {event['team']} won the trick"
        )

    def _describe(self, entry: HistoryEntry) -> str:
        if isinstance(entry, Announcement):
            return f"{self._who(entry.seat)} announced {entry.decision}: {entry.action}"
        if isinstance(entry, PassedCards):
            cards, _, to = entry.action.rpartition(" to ")
            if entry.seat < 0:  # from one team to another
                return f"{cards} to {to}"
            gives = "give" if entry.seat == self._seat else "gives"
            return f"{self._who(entry.seat)} {gives} {self._who(int(to))}: {cards}"
        return f"{self._who(entry.seat)}: {entry.action}"

    def _who(self, seat: int) -> str:
        return "the table" if seat < 0 else "you" if seat == self._seat else f"seat {seat}"

    def _is_of(self, entry: HistoryEntry, event: Event) -> bool:
        """Tell whether an entry of the seat's history is this event."""
        match event["event"]:
            case "announced":
                return isinstance(entry, Announcement) and self._seat in event["to"]
            case "passed":
                return isinstance(entry, PassedCards)
        same = entry == (event["seat"], event["decision"], event["action"])
        return type(entry) is HistoryEntry and same


@dataclass(frozen=True)
class EventMismatch:
    """The first event that differs; `found` or `played` is None if one side has ended."""

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
        """Continue to a question or the recorded end; any deal may have no questions."""
        while isinstance(state.pending, DealStart) and len(played) < len(recorded.events):
            state.next_deal()
            recorder.flush()

    for text in actions:
        begin()
        if not isinstance(state.pending, Question):
            break
        texts = state.pending.texts
        if text not in texts:
            seat, decision, *_ = state.pending
            recorder.flush()
            expected = {"seat": seat, "decision": decision, "action": "one of " + ", ".join(texts)}
            played.append({"event": "action", **expected})
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
    places = (*recorded.lines, recorded.lines[-1] + 1)
    pairs = zip_longest(recorded.events, played) if whole else zip(recorded.events, played)  # noqa: B905
    for line, (found, made) in zip(places, pairs, strict=False):
        if found != made:
            return EventMismatch(
                line,
                event_line(found).strip() if found else None,
                event_line(made).strip() if made else None,
            )
    return None


def load_recorded(recorded: RecordedMatch) -> Game:
    """Return the game of a recorded match; raises `Rejected` if it does not exist."""
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


def explain_match(
    recorded: RecordedMatch, spec: ScriptSpec | PolicySpec, seat: int, deal: int
) -> Iterator[tuple[State, Explanation | Hint, str]]:
    """Yield the state at each question to a seat in a deal, a strategy's choice, and the action.

    A script plays along from the start of the match, with its luck on that seat. Raises
    `BadUsage` if the rules do not allow a recorded action, `PolicyError` if the script fails.
    """
    game, first = load_recorded(recorded), recorded.events[0]
    if isinstance(spec, PolicySpec):
        from trutdsl.strategy.hints import PolicyAdviser  # it loads SciPy

        adviser = PolicyAdviser(game, spec)
        for state, _, text in _questions(recorded, game, seat):
            if state.deals - 1 == deal:
                yield state, adviser.hint(state.view()), text
        return
    check_for(spec, game)
    advisers = Advisers(game, [spec], first["seed"], first["match"])
    for state, question, text in _questions(recorded, advisers.game, seat):
        if state.deals - 1 <= deal:
            explanation = advisers.choose(state, question, spec)
            if state.deals - 1 == deal:
                yield state, explanation, text


def _questions(
    recorded: RecordedMatch, game: Game, seat: int
) -> Iterator[tuple[State, Question, str]]:
    """Yield the state at each question to a seat, the question, and the recorded action."""
    first = recorded.events[0]
    state = game.start(first["seed"], first["match"])
    for event in recorded.events:
        if event["event"] != "action":
            continue
        while isinstance(state.pending, DealStart):
            state.next_deal()
        question, text = state.pending, event["action"]
        if not isinstance(question, Question) or all(a.text != text for a in question.actions):
            raise BadUsage("the transcript cannot be played again; see `trutdsl replay --verify`")
        if question.seat == seat:
            yield state, question, text
        state.apply(question.texts.index(text))
