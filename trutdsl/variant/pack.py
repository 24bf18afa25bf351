"""The pack: as a file declares a part of it, and as a variant has it in the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trutdsl.source import Span
from trutdsl.variant.yaml_nodes import Scalar

MOST_CARDS = 64


@dataclass(frozen=True)
class Suit:
    """A suit: the one letter it has in a card's text, and its name."""

    letter: str
    name: str
    span: Span


@dataclass(frozen=True)
class Rank:
    """A rank as it stands in a card's text."""

    text: str
    span: Span


@dataclass(frozen=True)
class SpecialCard:
    """A card beside suits and ranks; its name is its text."""

    name: str
    span: Span


@dataclass(frozen=True)
class Worth:
    """What one rank, suit or card (`key`) has of one named value."""

    value: str
    key: str
    amount: int
    span: Span


@dataclass(frozen=True)
class PackPart:
    """The keys of a pack that one file writes; None for a key that it does not write.

    value_names: the names of its values, also of those that no card has.
    """

    suits: tuple[Suit, ...] | None
    ranks: tuple[Rank, ...] | None
    special_cards: tuple[SpecialCard, ...]
    value_names: tuple[Scalar, ...]
    worths: tuple[Worth, ...]
    span: Span


@dataclass(frozen=True)
class PackDeclaration:
    """What one file says of the pack.

    part: what holds whatever the parameters are.
    by:   the choice parameter that picks one of `of`, or None.
    """

    part: PackPart
    by: Scalar | None
    of: tuple[tuple[Scalar, PackPart], ...]
    span: Span


@dataclass(frozen=True)
class Pack:
    """A complete pack.

    ranks:  the strongest first.
    values: value name -> rank, suit or card -> amount; what a card says goes before the others.
    """

    suits: tuple[Suit, ...]
    ranks: tuple[Rank, ...]
    special_cards: tuple[SpecialCard, ...]
    values: Mapping[str, Mapping[str, int]]

    @property
    def cards(self) -> tuple[str, ...]:
        """The text of every card: suit by suit from the strongest rank, then the special ones."""
        regular = [rank.text + suit.letter for suit in self.suits for rank in self.ranks]
        return (*regular, *(card.name for card in self.special_cards))

    def value(self, name: str, card: str) -> int:
        """Return how much of the named value a card (its text) has; 0 if nothing is said."""
        return self.said(name, card) or 0

    def said(self, name: str, card: str) -> int | None:
        """Return what is said of a card's value: by the card, else by its rank or suit."""
        amounts = self.values.get(name, {})
        if card in amounts or any(card == c.name for c in self.special_cards):
            return amounts.get(card)
        return amounts.get(card[:-1], amounts.get(card[-1]))
