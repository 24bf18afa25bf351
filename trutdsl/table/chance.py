"""Where luck comes from: one method for each thing that can happen by chance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

from trutdsl.ir.types import Among, Kind
from trutdsl.streams import SETUP, Stream, chance_key, deal_start, match_start
from trutdsl.table.match import ChanceNode
from trutdsl.table.setting import Setting


class Aside:
    """Cards of one group of a pile that chance reserves for seats before they are drawn.

    When a seat draws and no card is reserved for it, chance reserves one card for every seat, in
    the order of the seats. Each takes its own in its turn. So a seat gets the same cards whoever
    deals, and every order of cards is as likely as without it. Nobody sees reserved cards. They
    stay valid as long as only draws change the group.
    """

    def __init__(self) -> None:
        self._left: list[int] = []
        self._own: list[list[int]] = []

    def draw_for(self, seat: int, seats: int, cards: Sequence[int], stream: Stream) -> int:
        """Return the card of the group, given in ascending order, that a seat of so many draws.

        If too few cards are left for all seats, none stay reserved, and any card is drawn.
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
        """Return a card of the group, given in ascending order, for a draw that is no seat's.

        It is not reserved; if all cards are, none stay so.
        """
        free = self._free(cards)
        if not free:
            self._own, free = [], list(cards)
        return self._take(free[stream.below(len(free))], cards)

    def _free(self, cards: Sequence[int]) -> list[int]:
        """Return the cards that are not reserved; none stay so if the group has changed."""
        if list(cards) != self._left:
            self._own = []
        return [card for card in cards if not any(card in own for own in self._own)]

    def _take(self, card: int, cards: Sequence[int]) -> int:
        self._left = [other for other in cards if other != card]
        return card


class Draw(NamedTuple):
    """A draw: off the pile `origin[place]` to `target[at]`, and whether all see the card.

    seats: how many seats have such a place, `at` being one of them; 0 if it is no seat's.
    """

    origin: str
    place: int
    target: str
    at: int
    face_up: bool
    seats: int


class Chance(Protocol):
    """Decides what happens by chance."""

    def start(self, part: int) -> None:
        """Turn to another part of the match: 0 before the first deal, then the deal's index + 1."""

    def card(self, cards: Sequence[int], draw: Draw) -> int:
        """Return which of these cards, in ascending order, is drawn."""

    def number(self, low: int, high: int) -> int:
        """Return a number from low to high."""

    def element(self, elements: Sequence[int], kind: Among) -> int:
        """Return one of the elements, in ascending order, of this kind."""

    def yes(self, part: int, whole: int) -> bool:
        """Return yes with the chance part/whole."""


class Luck:
    """Random numbers, elements, yes or no from one stream."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def number(self, low: int, high: int) -> int:
        """Return a number from low to high, all equally likely."""
        return low + self.stream.below(high - low + 1)

    def element(self, elements: Sequence[int], _kind: Among) -> int:
        """Return one of the elements, all equally likely."""
        return elements[self.stream.below(len(elements))]

    def yes(self, part: int, whole: int) -> bool:
        return self.stream.below(whole) < part


class StreamChance(Luck):
    """Chance from the streams of a seed: every deal of a match has a stream of its own.

    aside: the reserved cards of each pile in this part of the match.
    """

    def __init__(self, seed: int, match: int) -> None:
        self.key, self.match = chance_key(seed), match
        self.aside: defaultdict[tuple[str, int], Aside] = defaultdict(Aside)

    @cached_property
    def stream(self) -> Stream:  # type: ignore[override]
        """The stream of this part of the match."""
        return Stream(deal_start(self.begun, SETUP))

    @cached_property
    def begun(self) -> int:
        """Where the streams of the match start from."""
        return match_start(self.key, self.match)

    def start(self, part: int) -> None:
        """Start the stream of a part of the match."""
        self.stream.state = deal_start(self.begun, part)
        self.aside.clear()

    def card(self, cards: Sequence[int], draw: Draw) -> int:
        """Return one of the cards, all equally likely; a seat's is the same whoever deals."""
        aside = self.aside[draw.origin, draw.place]
        if draw.seats:
            return aside.draw_for(draw.at, draw.seats, cards, self.stream)
        return aside.draw(cards, self.stream)


class ChancePending(Exception):  # noqa: N818 - it is a stop, not a fault
    """Chance is open: the caller decides the outcome of this node."""

    def __init__(self, node: ChanceNode) -> None:
        super().__init__(node)
        self.node = node


class OpenChance:
    """Chance that the caller decides: raises `ChancePending` at each node.

    decided: indices of the outcomes of the first nodes, in this order.
    """

    def __init__(self, setting: Setting, decided: Sequence[int] = ()) -> None:
        self.setting, self.decided, self.given = setting, list(decided), 0

    def __deepcopy__(self, _memo: object) -> OpenChance:
        made = OpenChance(self.setting, self.decided)
        made.given = self.given
        return made

    def start(self, _part: int) -> None:
        """Turn to another part of the match, which is all the same here."""

    def card(self, cards: Sequence[int], draw: Draw) -> int:
        texts = tuple(self.setting.deck.texts[card] for card in cards)
        where = draw.target, draw.at, draw.face_up
        return self._decided(ChanceNode("card", tuple(cards), texts, (), *where, Kind.CARD))

    def number(self, low: int, high: int) -> int:
        return self._decided(ChanceNode("number", range(low, high + 1)))

    def element(self, elements: Sequence[int], kind: Among) -> int:
        texts = tuple(self.setting.text_of(kind, element) for element in elements)
        return self._decided(ChanceNode("element", tuple(elements), texts, kind=kind))

    def yes(self, part: int, whole: int) -> bool:
        both = ((True, "yes", part), (False, "no", whole - part))
        outcomes, texts, odds = zip(*(b for b in both if b[2]), strict=True)
        return bool(self._decided(ChanceNode("yes", outcomes, texts, odds)))

    def _decided(self, node: ChanceNode) -> int:
        if self.given == len(self.decided):
            raise ChancePending(node)
        self.given += 1
        return node.outcomes[self.decided[self.given - 1]]
