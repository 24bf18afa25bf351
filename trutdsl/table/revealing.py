"""Places that rules reveal: what is told of them."""

from __future__ import annotations

from collections.abc import Iterable

from trutdsl.ir import Program
from trutdsl.ir.types import Number, SetOf
from trutdsl.table.match import Event
from trutdsl.table.reading import reading_of
from trutdsl.table.setting import Setting
from trutdsl.table.sight import bits_in

WORD = 2**64 - 1


def revealed_event(
    name: str, at: int, held: int, seats: Iterable[int], program: Program, setting: Setting
) -> Event:
    """Return the fields of the event: which place, to whom, and what it holds.

    held: the mask of a zone's cards, or the number that stands for a variable's value, in 64 bits.
    """
    zone = program.zones.get(name)
    declared = zone or program.variables[name]
    place = f"[{_place(name, at, program, setting)}]" if declared.index is not None else ""
    if zone is not None:
        value = [setting.deck.texts[card] for card in bits_in(held & WORD)]
    else:
        type_ = program.variables[name].type
        number = held & WORD if isinstance(type_, SetOf) else held
        value = reading_of(type_, setting).plain(number)
    return {"what": f"{name}{place}", "value": value, "to": sorted(seats)}


def _place(name: str, at: int, program: Program, setting: Setting) -> str:
    declared = program.zones.get(name) or program.variables[name]
    if isinstance(declared.index, Number):
        return str(at + program.variables[name].first)
    assert declared.index is not None
    return setting.text_of(declared.index, at)
