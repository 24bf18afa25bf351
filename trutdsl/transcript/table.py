"""Checks that a transcript names only seats and teams of its table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trutdsl.diagnostics import reject
from trutdsl.language import say
from trutdsl.transcript.events import Event, RecordedMatch

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
    for name, values in event.get("counters", {}).items():
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
