"""Cards that lie somewhere."""

from __future__ import annotations

from trutdsl.table.chance import Chance, Draw


class Pile:
    """The cards of one zone.

    ordered: whether the zone is a pile; if not, its cards have no order and are kept ascending.
    groups:  from the lowest card up; each is one card, or several, ascending, that lie in an order
             which chance has not settled yet. Chance settles a card when it is drawn.
    """

    __slots__ = ("groups", "ordered")

    def __init__(self, ordered: bool, cards: list[int] | None = None) -> None:
        self.ordered = ordered
        self.groups: list[list[int]] = [[card] for card in cards or ()]

    def __len__(self) -> int:
        return sum(map(len, self.groups))

    def cards(self) -> list[int]:
        """Return every card from below; those in unknown order ascending."""
        return [card for group in self.groups for card in group]

    def settled(self) -> bool:
        """Tell whether the order of all cards is known."""
        return all(len(group) == 1 for group in self.groups)

    def end(self, top: bool) -> int | None:
        """Return the top (or bottom) card, or None if nobody can know it; there must be one.

        Of cards without an order only a single one is on top.
        """
        if not self.ordered and len(self.groups) > 1:
            return None
        group = self.groups[-1 if top else 0]
        return group[0] if len(group) == 1 else None

    def shuffle(self) -> None:
        """Forget the order of all cards."""
        cards = sorted(self.cards())
        self.groups = [cards] if cards else []

    def draw(self, chance: Chance, draw: Draw) -> int:
        """Take the top card, which must exist; chance says which it is, and hears of a sure one."""
        group = self.groups[-1]
        card = chance.card(group, draw)
        group.remove(card)
        if not group:
            self.groups.pop()
        return card

    def put(self, groups: list[list[int]], under: bool) -> None:
        """Lay groups on top, the last of them uppermost, or under all others, the first lowest."""
        if not self.ordered:
            self.groups = sorted([*self.groups, *([card] for group in groups for card in group)])
        elif under:
            self.groups[:0] = groups
        else:
            self.groups += groups

    def take(self, card: int) -> bool:
        """Remove a card; tell whether it was there."""
        for place, group in enumerate(self.groups):
            if card in group:
                group.remove(card)
                if not group:
                    del self.groups[place]
                return True
        return False

    def replace(self, card: int, other: int) -> bool:
        """Put another card in a card's place; tell whether that card was there."""
        for group in self.groups:
            if card in group:
                group.remove(card)
                group.append(other)
                group.sort()
                if not self.ordered:
                    self.groups.sort()
                return True
        return False

    def exchange(self, card: int, other: int) -> None:
        """Let two of its cards change places; where cards have no order, nothing changes."""
        if self.ordered:
            changed = {card: other, other: card}
            self.groups = [sorted(changed.get(c, c) for c in group) for group in self.groups]

    def clear(self) -> list[list[int]]:
        """Remove and return every group."""
        groups, self.groups = self.groups, []
        return groups
