"""Random loops that deal cards, and sentences that pass them on."""

from __future__ import annotations

from collections.abc import Callable

from .declare import Declarations
from .names import Define
from .sentences import Inside, Lines, indent

GIVE = Define("give", ("seat", "seat"), None), "rule give(p: seat, q: seat):"


class Deals(Declarations):
    """Writes the sentences that deal cards to all seats, and pass cards between two places."""

    def more_kinds(self, inside: Inside) -> list[Callable[[Inside], Lines]]:
        """Return the kinds of sentences of this class, too."""
        return [*super().more_kinds(inside), self.pass_on, self.swap_within]

    def give(self) -> tuple[Define, str, Lines]:
        """Return a rule that deals a card."""
        return *GIVE, ["draw from stock to hand[p]"]

    def some_seat(self) -> str:
        """Return a seat, or nobody in some cases."""
        return self.one("seat", 1) if self.odds(0.5) or self.avoids() else self.winner("seat")

    def pass_on(self, _inside: Inside) -> Lines:
        """Move a card to another place of the same zone, or to a zone with the same owners."""
        zone = self.random.choice([z for z in self.zones if z.index and not z.pile])
        other = self.random.choice([z for z in self.zones if z.index == zone.index])
        place = f"{zone.name}[{self.plain(zone.index or '')}]"
        to = f"{other.name}[{self.one(zone.index or '', 1)}]"
        card, tests = f"(first {self.fresh('x')} in {place})", [f"not empty({place})"]
        return self.guard([f"move {card} from {place} to {to}"], *tests, *self.fits(other, to))

    def swap_within(self, _inside: Inside) -> Lines:
        """Swap two cards of one pile; they may be the same."""
        piles = [z for z in self.zones if z.pile and z.name != "stock"]
        if not piles:
            return []
        zone = self.random.choice(piles)
        place = self.place(zone.name, zone.index, 1)
        cards = [self.card_of(zone, place) for _ in range(2)]
        sentence = f"swap {cards[0]} from {place} with {cards[1]} from {place}"
        return self.guard([sentence], f"not empty({place})")

    def dealing(self, whole: bool) -> Lines:
        """Return a loop that deals, mostly enough cards for all; whole: the stock is complete."""
        most = next(z.most for z in self.zones if z.name == "hand") or 3
        fewest = self.table.fewest_cards
        each = max(1, min(3, most, fewest // self.table.players))
        each += (self.odds(0.04) and not self.avoids()) * 5
        wanted = each * self.table.players
        few = wanted - self.random.choice([0, 1])
        fills = self.odds(0.08) and not self.avoids()
        before = [f"repeat {self.table.cards} times while size(stock) > {few}:",
                  "    draw from stock to row"] * fills  # fmt: skip
        order = self.pick("after dealer", "from dealer", "from next_seat(dealer)", "")
        if self.odds(0.1):
            order = f"{self.pick('from', 'from', 'after')} {self.publish(self.some_seat())}"
        one = "draw from stock to hand[p]"
        if gives := self.odds(0.15):
            one = f"do give(p, {self.publish(self.some_seat())})"
        inner = [f"repeat {each} times: {one}"]
        lines = [f"for p in seats {order}:".replace(" :", ":"), *indent(inner)]
        if self.odds(0.7 if gives else 0.3):
            inner = [f"for p in seats {order}: {one}".replace(" :", ":")]
            lines = [f"repeat {each} times:", *indent(inner)]
        if not (whole and wanted < fewest) and (self.odds(0.85) or self.avoids()):
            lines = [f"if size(stock) >= {wanted}:", *indent(lines)]
        return [*before, *lines] if self.odds(0.85) else []
