"""Observation history: what one seat noticed of a deal, mark by mark, in the order of events.

It is all that whoever reckons for the seat may know of the deal: a world is a course of the deal
in which the same marks come, see `trutdsl.strategy.worlds`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from trutdsl.ir import Program
from trutdsl.ir.types import Kind
from trutdsl.table.actions import AskPlan
from trutdsl.table.setting import Setting

DRAWN, LAY, SAID, ASKED = range(4)
MOST_STEPS = 512  # a world has no more
MOST_EXCHANGES = 256  # cards that take each other's role before a world begins anew
UNGUIDED = 8  # one course in so many is drawn as likely as by the rules
LEAST_LIKELY = 1e-300  # is added to how likely a course is drawn, so that no weight is infinite
LEVEL_BITS = 16  # of a level, below the number of the pile


class Mark(NamedTuple):
    """Something that a seat noticed; `kind` says what the numbers are.

    DRAWN: a card was drawn where the seat sees it: the place it went to, the card, of how many
           cards it was one, the level of the pile (see `DrawCount`).
    LAY:   a card that an answer brought into sight lies here when that answer is given: the place,
           the card, how many were drawn to the place before, the level of the last such draw.
    SAID:  another seat's answer: the seat, the number of the question, that of the action.
    ASKED: a question to the seat itself: its index among those of the deal, and what it answered,
           the action's number, -1 while it is open.
    """

    kind: int
    one: int
    two: int
    three: int = 0
    level: int = 0


class Places:
    """All places of a table where cards can lie, counted through: zone by zone, place by place.

    zones: of each place the zone's name and the index there. first: of each zone its first place.
    """

    def __init__(self, program: Program, setting: Setting) -> None:
        self.zones = [
            (zone.name, at)
            for zone in program.zones.values()
            for at in range(setting.count(zone.index))
        ]
        self.first = {name: place for place, (name, at) in enumerate(self.zones) if at == 0}

    def of(self, zone: str, at: int) -> int:
        return self.first[zone] + at


def card_in(plan: AskPlan, number: int) -> int | None:
    """Return the card of an action in which a card was chosen and nothing else, or None."""
    option = plan.options[plan.option_of(number)]
    if [choice.kind for choice in option.choices] != [Kind.CARD]:
        return None
    return number - option.first if number < option.first + option.size else None


class DrawCount:
    """Counts the draws of a deal: to each place, and off each place.

    levels: of each place the level of the pile at the last draw to it, -1 before the first one. It
            is the pile's number, how many cards could come, and how many were drawn off it before.
            So it stays the same as long as no card comes back.
    """

    def __init__(self, places: int) -> None:
        self.to, self.off, self.levels = [0] * places, [0] * places, [-1] * places

    def level(self, origin: int, size: int) -> int:
        """Return the level of a pile of which one of so many cards is about to be drawn."""
        return (origin << LEVEL_BITS) + size + self.off[origin]

    def add(self, origin: int, target: int, size: int) -> None:
        """Count a draw from a place to another one, of one of so many cards."""
        self.levels[target] = self.level(origin, size)
        self.to[target] += 1
        self.off[origin] += 1


def noticed_before(marks: Sequence[Mark], seen: int) -> list[int]:
    """Return for each mark the mask of the cards that the seat noticed in the deal before it.

    seen: of the cards in sight when the deal began.
    """
    found = []
    for mark in marks:
        found.append(seen)
        if mark.kind in (DRAWN, LAY):
            seen |= 1 << mark.two
    return found
