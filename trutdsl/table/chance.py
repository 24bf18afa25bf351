"""Where luck comes from: one method for each thing that can happen by chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from trutdsl.streams import Stream, chance_key


class Chance(Protocol):
    """Decides what happens by chance."""

    def start(self, part: int, dealer: int) -> None:
        """Turn to another part of the match: 0 before the first deal, then the deal's index + 1.

        dealer: the seat that deals; 0 before the first deal.
        """

    def card(self, cards: Sequence[int], target: str, index: int, face_up: bool) -> int:
        """Return which of these cards, in ascending order, is drawn to `target[index]`."""

    def number(self, low: int, high: int) -> int:
        """Return a number from low to high."""

    def element(self, elements: Sequence[int]) -> int:
        """Return one of the elements."""

    def yes(self, part: int, whole: int) -> bool:
        """Return yes with the chance part/whole."""


class StreamChance:
    """Chance from the streams of a seed: every deal of a match has a stream of its own."""

    def __init__(self, seed: int, match: int) -> None:
        self.seed, self.match = seed, match
        self.stream = Stream(0)
        self.start(0, 0)

    def start(self, part: int, dealer: int) -> None:
        """Start the stream of a part of the match."""
        self.stream.state = chance_key(self.seed, self.match, part, dealer)

    def card(self, cards: Sequence[int], _target: str, _index: int, _face_up: bool) -> int:
        """Return one of the cards, all equally likely."""
        return cards[self.stream.below(len(cards))]

    def number(self, low: int, high: int) -> int:
        """Return a number from low to high, all equally likely."""
        return low + self.stream.below(high - low + 1)

    def element(self, elements: Sequence[int]) -> int:
        """Return one of the elements, all equally likely."""
        return elements[self.stream.below(len(elements))]

    def yes(self, part: int, whole: int) -> bool:
        """Return yes with the chance part/whole."""
        return self.stream.below(whole) < part
