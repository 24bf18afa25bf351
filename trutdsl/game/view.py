"""The view: the knowledge of the asked seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

from trutdsl.arguments import check_names
from trutdsl.diagnostics import BadIndex, BadName, BadUsage
from trutdsl.game.legend import (
    Cards,
    Constants,
    Counters,
    Legend,
    SightPart,
    Sizes,
    Variables,
    Zones,
    card_texts,
    placed_texts,
)
from trutdsl.ir.types import Hands, Kind
from trutdsl.streams import Stream
from trutdsl.table.match import Action, HistoryEntry, Match, Question, SightValues, plain_entry
from trutdsl.table.sight import DEAL, DEALER, HIDDEN, LEADER, Hidden, is_hidden

VIEW_FIELDS = (  # all of a view but its stream
    "seat", "team", "decision", "actions", "players", "teams", "deal", "dealer", "leader",
    "counters", "parameters", "zones", "sizes", "variables", "history", "strengths",
    "values",
)  # fmt: skip
UNSEEN = "?"  # JSON text for HIDDEN


class View:
    """The knowledge of the asked seat: plain values, copied from the match.

    Parts are created on demand, from numbers that were copied at the question. A view has no
    reference to the match, and changes to it change nothing else.

    seat, team:        the asked seat and its team.
    decision, actions: the question and its legal actions; choose one of them.
    texts:             the text of each action; a text is an answer, too.
    players, teams:    the number of players; the team of each seat.
    deal:              index of the deal in the match; -1 before the first.
    dealer, leader:    seats.
    zones:             zone -> its cards for each seat or team, as texts. A shared zone has one
                       entry. A pile starts with its lowest card; others have the order of the
                       pack. HIDDEN where the seat may not look.
    sizes:             zone -> the number of its cards, which is never hidden.
    variables:         variable -> its value for each seat, team, ... (one entry without an index).
                       A seat or team is its number, a card its text, a named value its name, a set
                       a frozenset, nobody None; HIDDEN where the seat may not look.
    counters:          counter -> value for each team.
    parameters:        every parameter's value; a probability in millionths, a set of cards as a
                       text: `all`, `none`, or its cards with commas.
    history:           this deal's actions, announcements (`Announcement`) and cards that went
                       from seat to seat (`PassedCards`), oldest first, as the seat noticed them.
    strengths:         card -> its strength, weakest rank 1.
    values:            name of a value printed on cards -> card -> its value.
    random:            the random stream of this strategy.
    """

    __slots__ = (
        "_legend", "_values", "actions", "decision", "history", "random", "seat", "team", "texts",
    )  # fmt: skip

    # `make_view` sets these; an `__init__` would take twice as long.
    _legend: Legend
    _values: SightValues
    actions: tuple[Action, ...]
    decision: str
    history: tuple[HistoryEntry, ...]
    random: Stream
    seat: int
    team: int
    texts: tuple[str, ...]

    def __repr__(self) -> str:
        """Return the view as one line: the question; `to_dict` has the rest."""
        return (
            f"View(seat={self.seat}, deal={self.deal}, decision={self.decision!r}, "
            f"texts={self.texts!r})"
        )

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self._legend.teams)

    @property
    def teams(self) -> tuple[int, ...]:
        """The team of each seat."""
        return self._legend.teams

    @property
    def deal(self) -> int:
        """The index of the deal in the match; -1 before the first."""
        deal: int = self._values[DEAL]
        return deal

    @property
    def dealer(self) -> int:
        """The current or next dealer's seat."""
        dealer: int = self._values[DEALER]
        return dealer

    @property
    def leader(self) -> int:
        """The seat that leads."""
        leader: int = self._values[LEADER]
        return leader

    @property
    def zones(self) -> Mapping[str, tuple[Cards | Hidden, ...]]:
        """The cards of each zone."""
        part = Zones()
        part._legend, part._values = self._legend, self._values
        return part

    @property
    def sizes(self) -> Mapping[str, tuple[int, ...]]:
        """The number of cards in each place of a zone."""
        part = Sizes()
        part._legend, part._values = self._legend, self._values
        return part

    @property
    def variables(self) -> Mapping[str, tuple[Any, ...]]:
        """The values of each variable."""
        part = Variables()
        part._legend, part._values = self._legend, self._values
        return part

    @property
    def counters(self) -> Mapping[str, tuple[int, ...]]:
        """The values of each counter."""
        part = Counters()
        part._legend, part._values = self._legend, self._values
        return part

    @property
    def parameters(self) -> Mapping[str, int | bool | str]:
        """The value of each parameter."""
        names = self._legend.parameters
        return Constants("parameter", names, self._legend.parameter_values)

    @property
    def strengths(self) -> Mapping[str, int]:
        """The strength of each card."""
        return Constants("card", self._legend.cards, self._legend.strengths)

    @property
    def values(self) -> Mapping[str, Mapping[str, int]]:
        """The values printed on cards: by name, then by card."""
        cards, amounts = self._legend.cards, self._legend.amounts
        by_card = tuple(Constants("card", cards, each) for each in amounts)
        return Constants("value", self._legend.values, by_card)

    def cards(self, zone: str, index: int | None = None) -> Cards:
        """Return the cards of a zone, by default the seat's or its team's; none if hidden."""
        zones, own, places, pack = self._legend.at_zones
        try:
            number = zones.index(zone)
        except ValueError:
            raise BadName("zone", zone, zones) from None
        if index is None:
            return card_texts(self._values[own[number]], pack)
        first, end = places[number]
        seen = self._values[first:end]
        if not isinstance(index, Integral) or (len(seen) > 1 and not 0 <= index < len(seen)):
            raise BadIndex(f"found {index!r}, expected a place of {zone}, 0 to {len(seen) - 1}")
        return card_texts(seen[index] if len(seen) > 1 else seen[0], pack)

    def lying(self, zone: str) -> tuple[tuple[int, str], ...]:
        """Return each visible card of a zone, with its seat or team.

        The order is that of the places; in a shared zone all are with 0.
        """
        zones, _, places, pack = self._legend.at_zones
        try:
            first, end = places[zones.index(zone)]
        except ValueError:
            raise BadName("zone", zone, zones) from None
        return placed_texts(self._values[first:end], pack)

    def action(self, *texts: str) -> Action | None:
        """Return the first of these actions that is legal, by their texts, or None."""
        for text in texts:
            if text in self.texts:
                return self.actions[self.texts.index(text)]
        return None

    def cards_of(self, action: Action) -> Cards:
        """Return the cards that an action chooses, such as the one that it plays."""
        if not isinstance(action, Action):
            raise BadUsage(f"found {action!r}, expected an action, such as view.actions[0]")
        pack, result = self._legend.cards, list[str]()
        for kind, value in zip(action.kinds, action.values, strict=True):
            if kind is Kind.CARD:
                result.append(pack[value])
            elif isinstance(kind, Hands):
                result += [card for index, card in enumerate(pack) if value >> index & 1]
        return tuple(result)

    def to_dict(self, names: Sequence[str] = VIEW_FIELDS) -> dict[str, Any]:
        """Return these parts as JSON, by default all but the stream.

        A hidden value is `?`. An action is its text, an answer has seat, decision and action; a set
        is a list.
        """
        return {n: self._plain(n) for n in check_names("part of a view", names, VIEW_FIELDS)}

    def _plain(self, name: str) -> Any:
        legend, seen = self._legend, self._values
        match name:
            case "actions":
                return [action.text for action in self.actions]
            case "history":
                return [plain_entry(entry) for entry in self.history]
            case "teams":
                return list(legend.teams)
            case "parameters" | "strengths":
                return dict(getattr(self, name).items())
            case "values":
                return {value: dict(by_card.items()) for value, by_card in self.values.items()}
            case "zones":
                return {
                    part.name: [
                        UNSEEN if is_hidden(cards) else list(card_texts(cards, legend.pack))
                        for cards in seen[part.first : part.end]
                    ]
                    for part in legend.zones
                }
            case "sizes":
                return {zone: list(sizes) for zone, sizes in self.sizes.items()}
            case "variables":
                return self._plain_values(legend.variables)
            case "counters":
                return self._plain_values(legend.counters)
        return getattr(self, name)

    def _plain_values(self, parts: tuple[SightPart, ...]) -> dict[str, Any]:
        return {
            part.name: [
                UNSEEN if number is HIDDEN else part.reading.plain(number)
                for number in self._values[part.first : part.end]
            ]
            for part in parts
        }


def make_view(match: Match, legends: Sequence[Legend], question: Question, random: Stream) -> View:
    """Return the knowledge of the seat of a question; legends: of each seat."""
    view, seat = View(), question.seat
    legend = view._legend = legends[seat]
    view._values, view.history = match.sight(seat)
    view.decision, view.actions, view.texts = question.decision, question.actions, question.texts
    view.seat, view.team, view.random = seat, legend.teams[seat], random
    return view
