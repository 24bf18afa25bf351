"""The constants of a match: its players, pack and parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from trutdsl.ir.types import Among, Deck, Kind, Number, OneOf

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class SeatedPlayer(NamedTuple):
    """The player on a seat.

    name:   the strategy's name, which decides its random stream.
    policy: the index of its policy in the program; None for `uniform`.
    ranks:  if its answers are known, the rank of each among the legal actions, in order; only
            where matches are counted.
    """

    name: str
    policy: str | None = None
    ranks: NDArray[np.int64] | None = None


@dataclass(frozen=True)
class Setting:
    """A table: seats 0..players-1 in play order, seat s in team s modulo teams.

    parameters: every parameter's value; a choice is a text, a probability in millionths, a set of
                cards their indices.
    """

    players: int
    teams: int
    parameters: Mapping[str, int | bool | str | frozenset[int]]
    deck: Deck

    def team(self, seat: int) -> int:
        return seat % self.teams

    def count(self, kind: Among | None) -> int:
        """Return the number of elements of a kind, 1 without a kind; each special card is a rank.

        A kind of numbers counts from 0.
        """
        match kind:
            case None:
                return 1
            case Kind.SEAT:
                return self.players
            case Kind.TEAM:
                return self.teams
            case Kind.CARD:
                return len(self.deck.texts)
            case Kind.SUIT:
                return len(self.deck.suits)
            case Kind.RANK:
                return len(self.deck.ranks) + len(self.deck.texts) - self.deck.regular
            case OneOf(names):
                return len(names)
            case Number(_, high):
                return high + 1

    def text_of(self, kind: Among, index: int) -> str:
        """Return the text of an element in actions and messages."""
        match kind:
            case Kind.CARD:
                return self.deck.texts[index]
            case Kind.SUIT:
                return self.deck.suit_names[index]
            case Kind.RANK:
                return (*self.deck.ranks, *self.deck.texts[self.deck.regular :])[index]
            case OneOf(names):
                return names[index]
            case Kind.SEAT | Kind.TEAM | Number():
                return str(index)
