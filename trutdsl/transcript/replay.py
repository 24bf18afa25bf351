"""A recorded match: checked, replayed and explained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trutdsl.diagnostics import BadUsage, Rejected, reject
from trutdsl.game import DealStart, Game, Question, State, load_game
from trutdsl.language import say, say_count
from trutdsl.strategy.explain import Advisers, Explanation
from trutdsl.strategy.fitness import check_for
from trutdsl.strategy.match_history import MatchHistory
from trutdsl.strategy.monte_carlo import MonteCarlo, MonteCarloSpec, SearchResult
from trutdsl.strategy.script import ScriptSpec, table_for
from trutdsl.strategy.solved_policy import SolvedSpec
from trutdsl.streams import Stream, luck_start, strategy_key
from trutdsl.table.chance import StreamChance
from trutdsl.transcript.events import (
    FIELDS,
    Event,
    RecordedMatch,
    Recorder,
    event_line,
    match_event,
)
from trutdsl.variant.read_values import shorten

if TYPE_CHECKING:
    from trutdsl.strategy.hints import Hint

# The fields of events that name seats and teams.
SEATS = {
    "deal": ("dealer",),
    "cards": ("seat",),
    "action": ("seat",),
    "announced": ("seat", "to"),
    "trick": ("leader", "cards", "winner"),
}
TEAMS = {
    "counter": ("team",),
    "trick": ("team",),
    "deal_end": ("winner",),
    "match_end": ("winner",),
}


@dataclass(frozen=True)
class EventMismatch:
    """The first event of a transcript that differs when it is played again.

    line:   in the transcript.
    found:  the event there; null if it has ended.
    played: the event now; null if nothing more happens.
    """

    line: int
    found: str | None
    played: str | None


def replay_match(record: RecordedMatch) -> EventMismatch | None:
    """Play a match's actions again; return the first difference, or None if there is none.

    Raises `Rejected` if the match cannot be played at all (unknown variant, parameters, seed).
    """
    first = record.events[0]
    game = load_recorded(record)
    events: list[dict[str, Any]] = [
        match_event(game, first["strategies"], first["seed"], first["match"])
    ]
    legal = any("legal" in event for event in record.events)
    recorder = Recorder(events.append, legal)
    state = game.start(first["seed"], first["match"], recorder)

    def begin() -> None:
        """Continue to a question or the recorded end; any deal may have no questions."""
        while isinstance(state.pending, DealStart) and len(events) < len(record.events):
            state.next_deal()
            recorder.flush()

    for text in record.actions:
        begin()
        if not isinstance(state.pending, Question):
            break
        texts = state.pending.texts
        if text not in texts:
            seat, decision, *_ = state.pending
            recorder.flush()
            expected = {
                "seat": seat,
                "decision": decision,
                "action": say("one of ") + ", ".join(texts),
            }
            events.append({"event": "action", **expected})
            break
        state.apply(texts.index(text))
    recorder.flush()
    begin()
    places = (*record.lines, record.lines[-1] + 1)
    pairs = zip_longest(record.events, events)
    for line, (result, expected) in zip(places, pairs, strict=False):
        if result != expected:
            return EventMismatch(
                line,
                event_line(result).strip() if result else None,
                event_line(expected).strip() if expected else None,
            )
    return None


def load_recorded(record: RecordedMatch) -> Game:
    """Return the game of a recorded match; raises `Rejected` if it does not exist."""
    first = record.events[0]

    def refuse(message: str) -> Exception:
        return reject("transcript", message, record.span(0))

    for name, bits in (("seed", 128), ("match", 64)):
        if isinstance(first[name], bool) or not 0 <= first[name] < 2**bits:
            raise refuse(
                say("`{name}` is a whole number from 0 to 2**{bits}-1", name=name, bits=bits)
            )
    parameters = {
        str(name): value
        for name, value in first["parameters"].items()
        if isinstance(value, str | int | float)
    }
    if len(first["strategies"]) != first["players"]:
        many = say_count(len(first["strategies"]), "{number} strategy", "{number} strategies")
        text = "`strategies` names one for each seat; here are {many} for {first}"
        raise refuse(say(text, many=many, first=first["players"]))
    try:
        return load_game(first["variant"], first["players"], parameters, engine="reference")
    except BadUsage as e:
        raise refuse(say("this match cannot be played again: {e}", e=e)) from None
    except Rejected as e:
        if not first["variant"].endswith((".yaml", ".yml")) or Path(first["variant"]).is_file():
            raise
        text = "there is no file '{first}', which holds this match's rules"
        message = say(text, first=shorten(first["variant"]))
        help_ = say("it is looked for from this folder, {cwd}", cwd=Path.cwd())
        raise reject("transcript", message, record.span(0), help=help_) from e


def explain_match(
    record: RecordedMatch, spec: ScriptSpec | SolvedSpec | MonteCarloSpec, seat: int, deal: int
) -> Iterator[tuple[State, Explanation | Hint | SearchResult, str]]:
    """Yield the state at each question to a seat in a deal, a strategy's choice, and the action.

    A script plays along from the start of the match, with its luck on that seat. Raises
    `BadUsage` if the rules do not allow a recorded action, `PolicyError` if the script fails.
    """
    game, first = load_recorded(record), record.events[0]
    luck = first["seed"], first["match"]
    if isinstance(spec, MonteCarloSpec):
        native = game.in_engine("native")
        table = table_for(native, (spec.script_for(native),))
        course = MatchHistory(table.compiled_game, (seat,), StreamChance(*luck))
        start = luck_start(strategy_key(luck[0], spec.name), luck[1], seat)
        player = MonteCarlo(spec, table, course, seat, Stream(start))
        for state, _, text in _questions(record, course, seat):
            if state.deals - 1 <= deal:
                result = player.search()
                if state.deals - 1 == deal:
                    yield state, result, text
        return
    if isinstance(spec, SolvedSpec):
        from trutdsl.strategy.hints import SolvedPolicyAdviser  # it loads SciPy

        adviser = SolvedPolicyAdviser(game, spec)
        for state, _, text in _questions(record, game.start(*luck), seat):
            if state.deals - 1 == deal:
                yield state, adviser.hint(state.view()), text
        return
    check_for(spec, game)
    advisers = Advisers(game, [spec], *luck, fully=True)
    for state, question, text in _questions(record, advisers.game.start(*luck), seat):
        if state.deals - 1 <= deal:
            explanation = advisers.choose(state, question, spec)
            if state.deals - 1 == deal:
                yield state, explanation, text


def _questions(
    record: RecordedMatch, match: State | MatchHistory, seat: int
) -> Iterator[tuple[State, Question, str]]:
    """Yield the state at each question to a seat, the question, and the recorded action."""
    state = match.state if isinstance(match, MatchHistory) else match
    for text in record.actions:
        while isinstance(state.pending, DealStart):
            match.next_deal()
        question = state.pending
        if not isinstance(question, Question) or all(a.text != text for a in question.actions):
            raise BadUsage(
                say("the transcript cannot be played again; see `trutdsl replay --verify`")
            )
        if question.seat == seat:
            yield state, question, text
        match.apply(question.texts.index(text))


def check_table(record: RecordedMatch) -> None:
    """Raise `Rejected` at the first event with a seat or team that its match does not have."""
    players, teams = record.events[0]["players"], record.events[0]["teams"]
    if len(teams) != players or not all(_is_index(team, players) for team in teams):
        message = say("`teams` must hold the team of each of the {players} seats", players=players)
        raise reject("transcript", message, record.span(0))
    sides = 1 + max(teams, default=-1)
    for number, event in enumerate(record.events):
        for message in _problems(event, players, sides):
            raise reject("transcript", message, record.span(number))


def _problems(event: Event, players: int, sides: int) -> Iterator[str]:
    kind = event["event"]
    for field in SEATS.get(kind, ()):
        for seat in _named(field, event[field]):
            if not _is_index(seat, players):
                text = "`{field}` of this `{kind}` event is seat {found}; seats are 0 to {last}"
                yield say(text, field=field, kind=kind, found=seat, last=players - 1)
    for field in TEAMS.get(kind, ()):
        for team in _named(field, event[field]):
            if not _is_index(team, sides):
                text = "`{field}` of this `{kind}` event is team {found}; teams are 0 to {last}"
                yield say(text, field=field, kind=kind, found=team, last=sides - 1)
    counters = event["counters"] if "counters" in FIELDS[kind] else {}
    for name, values in counters.items():
        if not isinstance(values, list) or len(values) != sides:
            text = "counter '{name}' of this `{kind}` event needs a value for each team: {sides}"
            yield say(text, name=name, kind=kind, sides=sides)


def _named(field: str, value: Any) -> list[Any]:
    """Return the seats or teams of a field; nobody is none."""
    if value is None:
        return []
    if field == "cards":
        return [one[0] if isinstance(one, list) and len(one) == 2 else one for one in value]
    return value if isinstance(value, list) else [value]


def _is_index(value: Any, count: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < count
