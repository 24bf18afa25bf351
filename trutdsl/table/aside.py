"""Duplicate deals: what lies aside of a pile, so that a seat gets the same cards whoever deals."""

from __future__ import annotations

from collections.abc import Sequence

from trutdsl.streams import Stream


class Aside:
    """The cards that chance has settled for seats, ahead of being drawn, of one group of a pile.

    Whenever a seat for which nothing lies aside draws, chance lays one card aside for every seat,
    in the order of the seats; each takes its own when its turn comes. So it does not matter in
    which order the seats draw, and every order of cards is as likely as without it. Nobody sees
    what lies aside. It holds as long as nothing but draws changes the group.
    """

    def __init__(self) -> None:
        self._left: list[int] = []
        self._own: list[list[int]] = []

    def draw_for(self, seat: int, seats: int, cards: Sequence[int], stream: Stream) -> int:
        """Return the card of the group, given in ascending order, that a seat of so many draws.

        Where too few cards are left for all seats, nothing lies aside any more, and it is any card.
        """
        free = self._free(cards)
        if not (self._own and self._own[seat]):
            if len(free) < seats:
                self._own = []
                return self._take(cards[stream.below(len(cards))], cards)
            self._own = self._own or [[] for _ in range(seats)]
            for own in self._own:
                own.append(free.pop(stream.below(len(free))))
        return self._take(self._own[seat].pop(0), cards)

    def draw(self, cards: Sequence[int], stream: Stream) -> int:
        """Return a card of the group, given in ascending order, that no seat draws.

        It lies not aside; where all cards do, they no longer do.
        """
        free = self._free(cards)
        if not free:
            self._own, free = [], list(cards)
        return self._take(free[stream.below(len(free))], cards)

    def _free(self, cards: Sequence[int]) -> list[int]:
        """Return the cards that do not lie aside, first of all whether any still do."""
        if list(cards) != self._left:
            self._own = []
        return [card for card in cards if not any(card in own for own in self._own)]

    def _take(self, card: int, cards: Sequence[int]) -> int:
        self._left = [other for other in cards if other != card]
        return card
