"""Importance sampling of draws: cards that are seen later come to where they are seen.

A draw that the seat does not see is one of a group of cards, all equally likely. Most of them lead
to no world, as the cards that others play later have to come to their hands first. So a guided draw
is made from other shares. Of the cards in the group, `Shares` tells apart by the next mark of each:

- due here: it is drawn to this place before that mark, in one of so many draws;
- due elsewhere, in sight or at another place: it is not drawn here;
- free: all others, also each whose pile has got cards back before (its level has changed).

The cards that are due here come by turns, in the order of their marks: each is drawn now with the
chance of one to the number of draws that are left for it. Else it is one of the free cards.

Where cards go no secret ways and do not come back, these are the chances that the draw has if all
marks come true. Anywhere else they are not, and no harm is done: what is drawn too often counts
less, see `trutdsl.strategy.worlds`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from trutdsl.streams import Stream
from trutdsl.table.sight import DRAWN, LAY, DrawCount, Mark, bits_in


class Shares(NamedTuple):
    """How a guided draw falls.

    due:  the cards that are due here, each with the number of draws left for it.
    rest: the mask of the cards of which one is drawn, all equally likely, if none of these is.
    """

    due: list[tuple[int, int]]
    rest: int

    def draw(self, stream: Stream) -> int:
        """Return a card."""
        for card, left in self.due:
            if stream.below(left) == 0:
                return card
        return pick(self.rest, stream)

    def chance(self, drawn: int) -> float:
        """Return how likely it is that this card is drawn."""
        before, found = 1.0, 0.0
        for card, left in self.due:
            if card == drawn:
                found = before / left
            before = before * (left - 1) / left
        if self.rest >> drawn & 1:
            found += before / self.rest.bit_count()
        return found


def pick(mask: int, stream: Stream) -> int:
    """Return one of the cards of a mask, all equally likely."""
    cards = bits_in(mask)
    return cards[stream.below(len(cards))]


def shares_of(
    marks: Sequence[Mark], at: int, group: int, origin: int, target: int, draws: DrawCount
) -> Shares:
    """Return how a guided draw from a group falls, off one place to another one.

    at: the next mark that is to come. draws: those of the deal before this one.
    """
    level = draws.level(origin, group.bit_count())
    due, free, unnamed = list[tuple[int, int]](), group, group
    for mark in marks[at:]:
        if mark.kind not in (LAY, DRAWN) or not unnamed >> mark.two & 1:
            continue
        unnamed &= ~(1 << mark.two)
        if mark.level != level:
            continue
        left = mark.three - draws.to[mark.one]
        if mark.kind == DRAWN:
            free &= ~(1 << mark.two)
        elif mark.one != target:
            free &= ~(1 << mark.two) if left > 0 else -1
        elif left > len(due):
            free &= ~(1 << mark.two)
            due.append((mark.two, left - len(due)))
    return Shares(due, free or group)
