"""What the numbers of a seat's sight mean, in plain and unchangeable values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from trutdsl.ir import Program, nodes
from trutdsl.ir.types import Kind
from trutdsl.table import Setting
from trutdsl.table.reading import PLAIN, Reading, reading_of
from trutdsl.table.sight import bits_in, variables_of

MOST_KEPT = 32768


class Part(NamedTuple):
    """A zone or variable: its numbers stand from `first` on, before `beyond`, one for each place.

    reading: how they are read; cards are read otherwise.
    """

    first: int
    beyond: int
    reading: Reading


class Legend(NamedTuple):
    """What a table's sights mean to one seat: names, each with its part at the same index.

    teams:      of each seat.
    pack:       the texts of all cards, with spaces between them.
    cards:      the same, each by itself, and the strength of each.
    own:        of each zone where the seat's own cards stand, or those of its team or of all.
    values:     the names of the values that are printed on cards, and of each that of every card.
    parameters: names, and values as a person has them.
    """

    seat: int
    teams: tuple[int, ...]
    pack: str
    zones: tuple[str, ...]
    zone_parts: tuple[Part, ...]
    own: tuple[int, ...]
    variables: tuple[str, ...]
    variable_parts: tuple[Part, ...]
    counters: tuple[str, ...]
    counter_parts: tuple[Part, ...]
    cards: tuple[str, ...]
    strengths: tuple[int, ...]
    values: tuple[str, ...]
    amounts: tuple[tuple[int, ...], ...]
    parameters: tuple[str, ...]
    parameter_values: tuple[int | bool | str, ...]


def make_legend(
    program: Program, setting: Setting, parameters: Mapping[str, int | bool | str], seat: int
) -> Legend:
    """Return what the sights of a seat mean."""
    zones = _parts(list(program.zones.values()), setting)
    values = _parts(variables_of(program), setting)
    places = {Kind.SEAT: seat, Kind.TEAM: setting.team(seat), None: 0}
    counters = {name: part for name, part in values.items() if program.variables[name].counter}
    variables = {name: part for name, part in values.items() if name not in counters}
    return Legend(
        seat=seat,
        teams=tuple(setting.team(seat) for seat in range(setting.players)),
        pack=" ".join(setting.deck.texts),
        zones=tuple(zones),
        zone_parts=tuple(zones.values()),
        own=tuple(zones[z.name].first + places[z.index] for z in program.zones.values()),
        variables=tuple(variables),
        variable_parts=tuple(variables.values()),
        counters=tuple(counters),
        counter_parts=tuple(counters.values()),
        cards=setting.deck.texts,
        strengths=setting.deck.strength,
        values=tuple(setting.deck.values),
        amounts=tuple(setting.deck.values.values()),
        parameters=tuple(parameters),
        parameter_values=tuple(parameters.values()),
    )


@lru_cache(maxsize=MOST_KEPT)
def card_texts(seen: int | bytes, pack: str) -> tuple[str, ...]:
    """Return the texts of the cards of a zone, see `Sight.cards`, of this pack."""
    texts = pack.split(" ")
    return tuple(texts[card] for card in (bits_in(seen) if isinstance(seen, int) else seen))


def _parts(declared: list[nodes.Zone] | list[nodes.Variable], setting: Setting) -> dict[str, Part]:
    found, first = {}, 0
    for one in declared:
        beyond = first + setting.count(one.index)
        reading = reading_of(one.type, setting) if isinstance(one, nodes.Variable) else PLAIN
        found[one.name], first = Part(first, beyond, reading), beyond
    return found
