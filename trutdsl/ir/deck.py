"""The pack as numbers: every card an index; its rank, suit, strength and values in tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trutdsl.ir.types import Kind
from trutdsl.variant import Pack


@dataclass(frozen=True)
class Deck:
    """A pack in the order of `Pack.cards`: suit by suit, strongest rank first, then special cards.

    regular:  how many of the cards are regular; the special ones follow.
    rank:     index among `ranks`; special card i has the rank len(ranks) + i, shared with none.
    suit:     index among `suits`, None for a special card.
    strength: the value of this name; else weakest rank 1, next 2, ..., and a special card 0.
    values:   value name -> amount of each card.
    """

    texts: tuple[str, ...]
    regular: int
    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    suit_names: tuple[str, ...]
    rank: tuple[int, ...]
    suit: tuple[int | None, ...]
    strength: tuple[int, ...]
    values: Mapping[str, tuple[int, ...]]

    def attribute(self, name: str) -> tuple[int | None, ...]:
        """Return what each card has as its suit, rank, strength or printed number of this name."""
        match name:
            case "suit":
                return self.suit
            case "rank":
                return self.rank
            case "strength":
                return self.strength
        return self.values.get(name, (0,) * len(self.texts))

    def index_of(self, kind: Kind, text: str) -> int | None:
        """Return the index of a card, rank or suit by its text, or None if there is none such."""
        if kind is Kind.RANK and text in self.texts[self.regular :]:
            return len(self.ranks) + self.texts[self.regular :].index(text)
        among = {Kind.CARD: self.texts, Kind.RANK: self.ranks, Kind.SUIT: self.suits}[kind]
        return among.index(text) if text in among else None


def make_deck(pack: Pack) -> Deck:
    """Return the tables of a pack."""
    special = [card.name for card in pack.special_cards]
    suits, ranks = len(pack.suits), len(pack.ranks)
    by_rank = (*[ranks - r for r in range(ranks)] * suits, *[0] * len(special))
    said = [pack.said("strength", card) for card in pack.cards]
    return Deck(
        texts=pack.cards,
        regular=suits * ranks,
        ranks=tuple(rank.text for rank in pack.ranks),
        suits=tuple(suit.letter for suit in pack.suits),
        suit_names=tuple(suit.name for suit in pack.suits),
        rank=(*list(range(ranks)) * suits, *(ranks + i for i in range(len(special)))),
        suit=(*(s for s in range(suits) for _ in range(ranks)), *[None] * len(special)),
        strength=tuple(
            rank if own is None else own for own, rank in zip(said, by_rank, strict=True)
        ),
        values={name: tuple(pack.value(name, card) for card in pack.cards) for name in pack.values},
    )
