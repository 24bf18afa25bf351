"""Chance: one method for each kind of random event."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from numbers import Integral
from typing import NamedTuple, Protocol

from trutdsl.diagnostics import BadUsage
from trutdsl.ir.types import Among, Kind
from trutdsl.language import say
from trutdsl.streams import SETUP, Stream, chance_key, deal_start, match_start
from trutdsl.table.match import ChanceNode
from trutdsl.table.setting import Setting


class Reserve:
    """Cards of one group of a pile that chance reserves for seats before they are drawn.

    When a seat draws and no card is reserved for it, chance reserves one card for every seat, in
    the order of the seats. Each takes its own in its turn. So a seat gets the same cards whoever
    deals, and every order of cards is as likely as without it. Nobody sees reserved cards. They
    stay valid as long as only draws change the group.
    """

    def __init__(self) -> None:
        self._cards_left: list[int] = []
        self._by_seat: list[list[int]] = []

    def draw_for(self, seat: int, seats: int, cards: Sequence[int], stream: Stream) -> int:
        """Return the card that a seat draws from the group, given in ascending order.

        If too few cards are left for all seats, no reservation stays, and any card is drawn.
        """
        free = self._free(cards)
        if not (self._by_seat and self._by_seat[seat]):
            if len(free) < seats:
                self._by_seat = []
                return self._take(cards[stream.below(len(cards))], cards)
            self._by_seat = self._by_seat or [[] for _ in range(seats)]
            for own in self._by_seat:
                own.append(free.pop(stream.below(len(free))))
        return self._take(self._by_seat[seat].pop(0), cards)

    def draw(self, cards: Sequence[int], stream: Stream) -> int:
        """Return a card of the group, given in ascending order, for a draw without a seat.

        It is not a reserved card; if all are reserved, all reservations are dropped.
        """
        free = self._free(cards)
        if not free:
            self._by_seat, free = [], list(cards)
        return self._take(free[stream.below(len(free))], cards)

    def _free(self, cards: Sequence[int]) -> list[int]:
        """Return the cards that are not reserved; drop all reservations of a changed group."""
        if list(cards) != self._cards_left:
            self._by_seat = []
        return [card for card in cards if not any(card in own for own in self._by_seat)]

    def _take(self, card: int, cards: Sequence[int]) -> int:
        self._cards_left = [other for other in cards if other != card]
        return card


class Draw(NamedTuple):
    """A draw from the pile `origin[place]` to `target[at]`, and whether all see the card.

    seats: the number of seats with such a place, if `at` is a seat; else 0.
    """

    origin: str
    place: int
    target: str
    at: int
    face_up: bool
    seats: int


class Chance(Protocol):
    """The interface of random events."""

    def start(self, part: int) -> None:
        """Switch to a part of the match: 0 before the first deal, then the deal's index + 1."""

    def card(self, cards: Sequence[int], draw: Draw) -> int:
        """Return the drawn card among these cards, in ascending order."""

    def number(self, low: int, high: int) -> int:
        """Return a number from low to high."""

    def element(self, elements: Sequence[int], kind: Among) -> int:
        """Return one of the elements, in ascending order, of this kind."""

    def yes(self, part: int, whole: int) -> bool:
        """Return yes with probability part/whole."""


class CheckedChance:
    """Chance of a caller; raises `BadUsage` for an outcome that is none of the possible ones."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def start(self, part: int) -> None:
        self._chance.start(part)

    def card(self, cards: Sequence[int], draw: Draw) -> int:
        return self._checked(self._chance.card(cards, draw), cards)

    def number(self, low: int, high: int) -> int:
        return self._checked(self._chance.number(low, high), range(low, high + 1))

    def element(self, elements: Sequence[int], kind: Among) -> int:
        return self._checked(self._chance.element(elements, kind), elements)

    def yes(self, part: int, whole: int) -> bool:
        return bool(self._chance.yes(part, whole))

    def _checked(self, outcome: object, possible: Sequence[int]) -> int:
        """Return an outcome as a number of Python."""
        if not isinstance(outcome, Integral) or outcome not in possible:
            text = "found {outcome} as the outcome of chance, expected one of {possible}"
            raise BadUsage(say(text, outcome=repr(outcome), possible=_tell_runs(possible)))
        return int(outcome)


def _tell_runs(numbers: Sequence[int]) -> str:
    """Return ascending numbers as a text such as `0 to 3, 5`."""
    if isinstance(numbers, range):
        runs = [(numbers[0], numbers[-1])]
    else:
        starts = [n for n in numbers if n - 1 not in numbers]
        runs = list(zip(starts, (n for n in numbers if n + 1 not in numbers), strict=True))
    each = (say("{low} to {high}", low=a, high=b) if a < b else str(a) for a, b in runs)
    return ", ".join(each)


class Luck:
    """Random numbers, elements and yes or no from one stream."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def number(self, low: int, high: int) -> int:
        return low + self.stream.below(high - low + 1)

    def element(self, elements: Sequence[int], _kind: Among) -> int:
        return elements[self.stream.below(len(elements))]

    def yes(self, part: int, whole: int) -> bool:
        return self.stream.below(whole) < part


class StreamChance(Luck):
    """Chance from the streams of a seed: each deal of a match has its own stream.

    reserves: the reserved cards of each pile in this part of the match.
    """

    def __init__(self, seed: int, match: int) -> None:
        self.key, self.match = chance_key(seed), match
        self.reserves: defaultdict[tuple[str, int], Reserve] = defaultdict(Reserve)

    @cached_property
    def stream(self) -> Stream:  # type: ignore[override]
        return Stream(deal_start(self.match_start, SETUP))

    @cached_property
    def match_start(self) -> int:
        """The start of the streams of the match."""
        return match_start(self.key, self.match)

    def start(self, part: int) -> None:
        """Start the stream of a part of the match."""
        self.stream.state = deal_start(self.match_start, part)
        self.reserves.clear()

    def card(self, cards: Sequence[int], draw: Draw) -> int:
        """Return one of the cards, uniformly; a seat's card is the same for every dealer."""
        reserve = self.reserves[draw.origin, draw.place]
        if draw.seats:
            return reserve.draw_for(draw.at, draw.seats, cards, self.stream)
        return reserve.draw(cards, self.stream)


class ChancePending(Exception):  # noqa: N818 - it is a stop, not a fault
    """Chance is open: the caller decides the outcome of this node."""

    def __init__(self, node: ChanceNode) -> None:
        super().__init__(node)
        self.node = node


class OpenChance:
    """Chance that the caller decides: raises `ChancePending` at each node.

    outcomes: indices of the outcomes of the first nodes, in this order.
    """

    def __init__(self, setting: Setting, outcomes: Sequence[int] = ()) -> None:
        self.setting, self.outcomes, self.next_index = setting, list(outcomes), 0

    def __deepcopy__(self, _memo: object) -> OpenChance:
        copy = OpenChance(self.setting, self.outcomes)
        copy.next_index = self.next_index
        return copy

    def start(self, _part: int) -> None:
        """Do nothing: open chance is the same in all parts of the match."""

    def card(self, cards: Sequence[int], draw: Draw) -> int:
        texts = tuple(self.setting.deck.texts[card] for card in cards)
        where = draw.target, draw.at, draw.face_up
        return self._next_outcome(ChanceNode("card", tuple(cards), texts, (), *where, Kind.CARD))

    def number(self, low: int, high: int) -> int:
        return self._next_outcome(ChanceNode("number", range(low, high + 1)))

    def element(self, elements: Sequence[int], kind: Among) -> int:
        texts = tuple(self.setting.text_of(kind, element) for element in elements)
        return self._next_outcome(ChanceNode("element", tuple(elements), texts, kind=kind))

    def yes(self, part: int, whole: int) -> bool:
        both = ((True, "yes", part), (False, "no", whole - part))
        outcomes, texts, odds = zip(*(b for b in both if b[2]), strict=True)
        return bool(self._next_outcome(ChanceNode("yes", outcomes, texts, odds)))

    def _next_outcome(self, node: ChanceNode) -> int:
        if self.next_index == len(self.outcomes):
            raise ChancePending(node)
        self.next_index += 1
        return node.outcomes[self.outcomes[self.next_index - 1]]
