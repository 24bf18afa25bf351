"""Cards that lie somewhere."""

from __future__ import annotations

from trutdsl.interp.chance import Chance


class Pile:
    """The cards of one zone.

    known:   the cards whose order is settled, lowest (or first come) first.
    unknown: the cards above them, ascending, in an order that chance has not settled yet.
    """

    __slots__ = ("known", "unknown")

    def __init__(self, cards: list[int] | None = None) -> None:
        self.known: list[int] = cards or []
        self.unknown: list[int] = []

    def __len__(self) -> int:
        return len(self.known) + len(self.unknown)

    def cards(self) -> list[int]:
        """Return every card: the known ones from below, then the unknown ones, ascending."""
        return self.known + self.unknown

    def shuffle(self) -> None:
        """Forget the order of all cards."""
        self.unknown = sorted(self.known + self.unknown)
        self.known = []

    def draw(self, chance: Chance, target: str, index: int) -> int:
        """Take the top card, which must exist; chance says which it is if nobody can know."""
        if not self.unknown:
            return self.known.pop()
        card = chance.card(self.unknown, target, index)
        self.unknown.remove(card)
        return card

    def settle(self, chance: Chance, name: str, index: int) -> None:
        """Let chance settle the order of all cards, from the top one down."""
        drawn = [self.draw(chance, name, index) for _ in range(len(self.unknown))]
        self.known += reversed(drawn)

    def put(self, cards: list[int], under: bool, chance: Chance, name: str, index: int) -> None:
        """Lay cards on top, the last of them uppermost, or under all others, the first lowest."""
        if under:
            self.known[:0] = cards
            return
        if self.unknown and cards:
            self.settle(chance, name, index)
        self.known += cards

    def take(self, card: int) -> bool:
        """Remove a card; tell whether it was there."""
        part = self.known if card in self.known else self.unknown
        if card not in part:
            return False
        part.remove(card)
        return True

    def clear(self) -> list[int]:
        """Remove and return every card."""
        cards = self.cards()
        self.known, self.unknown = [], []
        return cards
