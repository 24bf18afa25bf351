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


class Mark(NamedTuple):
    """Something that a seat noticed; `kind` says what the numbers are.

    DRAWN: a card was drawn where the seat sees it: the place it went to, the card.
    LAY:   a card that will be seen lies here, and did since cards last came here: the place, the
           card, how many lay there then.
    SAID:  another seat's answer: the seat, the number of the question, that of the action.
    ASKED: a question to the seat itself: its index among those of the deal, and what it answered,
           the action's number, -1 while it is open.
    """

    kind: int
    one: int
    two: int
    three: int = 0


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
        """Return the number of a place."""
        return self.first[zone] + at


def card_in(plan: AskPlan, number: int) -> int | None:
    """Return the card of an action in which a card was chosen and nothing else, or None."""
    option = plan.options[plan.option_of(number)]
    if [choice.kind for choice in option.choices] != [Kind.CARD]:
        return None
    return number - option.first if number < option.first + option.size else None


def blind_choices(plan: AskPlan) -> list[int]:
    """Return the numbers of a question's actions in which other than a single card is chosen.

    Whether they are legal may rest on what is hidden, unlike how many cards there are to choose of.
    """
    numbers = (range(option.first, option.first + option.size) for option in plan.options)
    return [number for of in numbers for number in of if card_in(plan, number) is None]


def known_before(marks: Sequence[Mark], seen: int) -> list[int]:
    """Return for each mark the mask of the cards that were seen before it.

    seen: of the cards in sight when the deal began.
    """
    found = []
    for mark in marks:
        found.append(seen)
        if mark.kind in (DRAWN, LAY):
            seen |= 1 << mark.two
    return found
