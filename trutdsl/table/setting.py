"""What is fixed for a whole match: who plays, with which pack and parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from trutdsl.ir.types import Among, Deck, Kind, Number, OneOf


class SeatedPlayer(NamedTuple):
    """Who plays on a seat.

    name:   what the strategy is called, which its luck depends on.
    policy: of the program's policies the one that answers; None for `uniform`.
    """

    name: str
    policy: str | None = None


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
        """Return how many there are of a kind, each special card a rank; without a kind, one.

        Of numbers it is how many there are from 0 on.
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
        """Return how an element is written in actions and messages."""
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
