"""What a seat may know when it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from trutdsl.ir.types import Element, Kind, OneOf, SetOf, Type
from trutdsl.streams import Stream
from trutdsl.syntax.ast import Audience
from trutdsl.table import Action, Match, Question, Said

if TYPE_CHECKING:
    from trutdsl.game.game import Game


Entry = TypeVar("Entry")


class Hidden(Enum):
    """The mark for what a seat may not see."""

    HIDDEN = "hidden"


HIDDEN = Hidden.HIDDEN


class ReadOnly(Mapping[str, Entry]):
    """An immutable mapping: a copy that hands nothing but itself to what is compared with it."""

    __slots__ = ("_entries",)

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = dict(entries)

    def __getitem__(self, name: str) -> Entry:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return repr(self._entries)


@dataclass(frozen=True)
class View:
    """Everything that the asked seat may know: plain values, copied out of the match.

    What could be changed in it is this view's alone: a proxy of a mapping gives the mapping itself
    to whatever is compared or joined with it.

    decision, actions: the question and its legal actions; choose one of them.
    players, teams:    how many play; the team of each seat.
    deal:              index of the deal in the match; -1 before the first.
    zones:             zone -> its cards for each seat or team (a shared zone has one entry), as
                       texts, of a pile from its lowest card up, else in the order of the
                       pack; HIDDEN where the seat may not look.
    sizes:             zone -> how many cards lie there, which is never hidden.
    variables:         variable -> its value for each seat, team, ... (one entry without an index).
                       A seat or team is its number, a card its text, a named value its name, a set
                       a frozenset, nobody None; HIDDEN where the seat may not look.
    counters:          counter -> value for each team.
    parameters:        every parameter's value; a probability in millionths, a set of cards as a
                       text: `all`, `none`, or its cards with commas.
    history:           this deal's actions, oldest first, less those made in secret by others.
    strengths:         card -> its strength, weakest rank 1.
    random:            the stream that this strategy draws its luck from.
    """

    seat: int
    team: int
    decision: str
    actions: tuple[Action, ...]
    players: int
    teams: tuple[int, ...]
    deal: int
    dealer: int
    leader: int
    counters: Mapping[str, tuple[int, ...]]
    parameters: Mapping[str, int | bool | str]
    zones: Mapping[str, tuple[tuple[str, ...] | Hidden, ...]]
    sizes: Mapping[str, tuple[int, ...]]
    variables: Mapping[str, tuple[Any, ...]]
    history: tuple[Said, ...]
    strengths: Mapping[str, int]
    random: Stream

    def cards(self, zone: str, index: int | None = None) -> tuple[str, ...]:
        """Return the cards of a zone, by default the seat's own; empty where it may not look."""
        parts = self.zones[zone]
        part = parts[0 if len(parts) == 1 else self.seat if index is None else index]
        return part if isinstance(part, tuple) else ()

    def action(self, text: str) -> Action | None:
        """Return the legal action that is written so, or None."""
        return next((a for a in self.actions if a.text == text), None)


def make_view(m: Match, game: Game, question: Question, random: Stream) -> View:
    """Return what the seat of a question may know."""
    seat, setting = question.seat, game.setting
    team = setting.team(seat)
    texts = setting.deck.texts
    zones: dict[str, tuple[tuple[str, ...] | Hidden, ...]] = {}
    sizes: dict[str, tuple[int, ...]] = {}
    for zone in game.program.zones.values():
        piles = [m.cards(zone.name, i) for i in range(setting.count(zone.index))]
        sizes[zone.name] = tuple(map(len, piles))
        zones[zone.name] = tuple(
            tuple(texts[c] for c in pile)
            if _may_see(m, zone.name, zone.audience, zone.index, i, seat, game)
            else HIDDEN
            for i, pile in enumerate(piles)
        )
    variables: dict[str, tuple[Any, ...]] = {}
    counters: dict[str, tuple[int, ...]] = {}
    for variable in game.program.variables.values():
        values = m.values(variable.name)
        if variable.counter:
            counters[variable.name] = tuple(values)
            continue
        variables[variable.name] = tuple(
            readable(value, variable.type, game)
            if _may_see(m, variable.name, variable.audience, variable.index, i, seat, game)
            else HIDDEN
            for i, value in enumerate(values)
        )
    return View(
        seat=seat,
        team=team,
        decision=question.decision,
        actions=question.actions,
        players=game.players,
        teams=game.teams,
        deal=m.deals - 1,
        dealer=m.values("dealer")[0],
        leader=m.values("on_lead")[0],
        counters=ReadOnly(counters),
        parameters=ReadOnly(game.parameters),
        zones=ReadOnly(zones),
        sizes=ReadOnly(sizes),
        variables=ReadOnly(variables),
        history=tuple(
            said
            for said, audience in m.history
            if audience is Audience.ALL
            or said.seat == seat
            or (audience is Audience.TEAM and setting.team(said.seat) == team)
        ),
        strengths=ReadOnly(game.strengths),
        random=random,
    )


def _may_see(
    m: Match, name: str, audience: Audience, kind: Kind | None, index: int, seat: int, game: Game
) -> bool:
    if audience is Audience.ALL:
        return True
    if seat in m.may_see(name, index):
        return True
    team = game.setting.team(seat)
    if kind is Kind.TEAM:
        return audience in (Audience.OWNER, Audience.TEAM) and index == team
    if audience is Audience.OWNER:
        return index == seat
    return audience is Audience.TEAM and game.setting.team(index) == team


def readable(value: Any, type_: Type, game: Game) -> Any:
    """Return a variable's value as a `View` shows it."""
    match type_:
        case OneOf(names):
            return names[value]
        case Element(Kind.SEAT | Kind.TEAM):
            return value
        case Element(kind):
            return None if value is None else game.setting.text_of(kind, value)
        case SetOf(Kind.SEAT | Kind.TEAM):
            return value
        case SetOf(kind):
            return frozenset(game.setting.text_of(kind, v) for v in value)
    return value
