"""Cards in a rulebook: drawn as SVG, or written with their suit signs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markupsafe import Markup, escape

from trutdsl.variant import Pack
from trutdsl.variant.words import SIGNS, Words

RED, BLACK = "#b3201a", "#1c1e21"
COLOURS = {
    "diamonds": RED, "hearts": RED, "oros": "#a87400", "coins": "#a87400", "copes": RED,
    "cups": RED, "espases": "#1f5f99", "swords": "#1f5f99", "bastons": "#2e6b32",
    "batons": "#2e6b32",
}  # fmt: skip
# Signs of Spanish and Italian suits, in a square of 10.
SHAPES = {
    "oros": '<circle cx="5" cy="5" r="4"/><circle cx="5" cy="5" r="2.2" fill="#fff"/>'
    '<circle cx="5" cy="5" r="1"/>',
    "copes": '<path d="M1.5 1h7c0 3-1 4.6-2.8 5v1.5H8V9H2V7.5h2.3V6C2.5 5.6 1.5 4 1.500 1z"/>',
    "espases": '<path d="M5 0l.9 1.5v4.7H8v1.2H5.9V10H4.1V7.400H2V6.2h2.1V1.5z"/>',
    "bastons": '<path d="M6.5 0L8.600 1 8 3l-3.5 6.5L2 10l-.2-2.3L5 2.8z"/>',
}
SHAPES |= {"coins": SHAPES["oros"], "cups": SHAPES["copes"]}
SHAPES |= {"swords": SHAPES["espases"], "batons": SHAPES["bastons"]}
MARKUP = re.compile(r"\[([^\[\]]+)\]|\*\*([^*]+)\*\*|\*([^*]+)\*")
STAR = "★"


@dataclass(frozen=True)
class Faces:
    """The faces of the cards of a pack."""

    pack: Pack
    words: Words

    def split(self, card: str) -> tuple[str, str]:
        """Return the rank and the suit of a card as people know them; no suit for a lone rank."""
        suits = {suit.letter: suit.name for suit in self.pack.suits}
        ranks = {rank.text for rank in self.pack.ranks}
        if card in ranks:
            return self.words.rank(card), ""
        if card[:-1] in ranks and card[-1] in suits:
            return self.words.rank(card[:-1]), suits[card[-1]]
        return self.words.card(card), STAR

    def written(self, card: str) -> str:
        """Return a card as text: `7♥`, or `3 oros` for a suit without a sign."""
        rank, suit = self.split(card)
        if not suit or suit == STAR:
            return rank
        return rank + (SIGNS[suit] if suit in SIGNS else f" {self.words.suit(suit)}")

    def inline(self, card: str) -> Markup:
        """Return a small card in a line of text."""
        rank, suit = self.split(card)
        sign = Markup("") if suit in ("", STAR) else self.sign(suit)
        colour = COLOURS.get(suit, BLACK)
        return Markup('<span class="card" style="color:{}">{}{}</span>').format(colour, rank, sign)

    def sign(self, suit: str) -> Markup:
        if suit in SHAPES:
            picture = (
                '<svg class="sign" role="img" aria-label="{}" viewBox="0 0 10 10" '
                'fill="currentColor">{}</svg>'
            )
            return Markup(picture).format(self.words.suit(suit), Markup(SHAPES[suit]))
        return escape(SIGNS.get(suit, suit[:1]))

    def face(self, card: str, note: str = "") -> Markup:
        """Return a drawn card, with a note below it."""
        rank, suit = self.split(card)
        colour = COLOURS.get(suit, BLACK)
        special = suit == STAR
        middle = Markup('<span class="pip">{}</span>').format(
            escape(STAR) if special else self.sign(suit)
        )
        points = self.pack.value("strength", card) if special else None
        corner = str(points) if points else "" if special else rank
        name = Markup('<span class="name">{}</span>').format(rank) if special else Markup("")
        shown = Markup('<span class="face{}" style="color:{}"><b>{}</b>{}{}</span>').format(
            " special" if special else "", colour, corner, middle, name
        )
        below = Markup("<small>{}</small>").format(note) if note else Markup("")
        return Markup('<span class="drawn">{}{}</span>').format(shown, below)

    def rich(self, text: str) -> Markup:
        """Return a statement's text with its cards and bold words drawn."""
        parts, at = [], 0
        for found in MARKUP.finditer(text):
            parts.append(escape(text[at : found.start()]))
            card, bold, italic = found.groups()
            if card:
                parts.append(self.inline(card))
            else:
                mark = Markup("<strong>{}</strong>") if bold else Markup("<i>{}</i>")
                parts.append(mark.format(bold or italic))
            at = found.end()
        parts.append(escape(text[at:]))
        return Markup("").join(parts)

    def bare(self, text: str) -> str:
        """Return a statement's text without marks."""
        return MARKUP.sub(
            lambda found: self.written(found[1]) if found[1] else found[2] or found[3], text
        )

    def plain(self, text: str) -> str:
        """Return a statement's text for Markdown."""
        return MARKUP.sub(lambda found: self.written(found[1]) if found[1] else found[0], text)
