"""The pages of a rulebook, with its pictures of cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup, escape

from trutdsl.language import figure, one_by_one, say, with_title
from trutdsl.report.blocks import render_template
from trutdsl.report.book import Chapter, Rulebook
from trutdsl.report.citations import CELLS, BookSentence
from trutdsl.variant import Pack
from trutdsl.variant.words import SIGNS, Words

MARK = "✻"  # of a house rule
BAR = r"\|"  # in a cell of a Markdown table


def faces_of(book: Rulebook) -> Faces:
    """Return the faces of a book's cards."""
    return Faces(book.pack, book.words)


def render_book(book: Rulebook) -> str:
    """Return a book as one HTML file without external resources."""
    return render_template(
        "rulebook.html", book=book, faces=faces_of(book), mark=MARK, blocks=blocks_of,
        drawing=drawing, cells=CELLS, strip_title=strip_title,
    )  # fmt: skip


def blocks_of(section: Chapter) -> Iterator[tuple[str, list[BookSentence]]]:
    """Yield the statements of a section, those side by side together: rows, cards or sentences."""
    for kind, group in groupby(section.sentences, _kind):
        yield kind, list(group)


def _kind(sentence: BookSentence) -> str:
    return "rows" if CELLS in sentence.text else "cards" if sentence.card else "sentences"


def drawing(book: Rulebook, sentence: BookSentence) -> list[tuple[str, str]]:
    """Return the cards that a statement draws, each with a note."""
    if sentence.draw is None:
        return []
    if sentence.draw in (*book.pack.values, "strength"):
        amounts = [(card, worth_of(book, sentence.draw, card)) for card in book.strip]
        return [(card, figure(amount, "d")) for card, amount in amounts if amount]
    return [(card, "") for card in sentence.draw.split()]


def worth_of(book: Rulebook, value: str, card: str) -> int:
    """Return a value of a card; `strength` is that of its rank unless the pack says another."""
    ranks = [rank.text for rank in book.pack.ranks]
    if (
        value == "strength"
        and book.pack.declared_amount(value, card) is None
        and card[:-1] in ranks
    ):
        return len(ranks) - ranks.index(card[:-1])
    return book.pack.value(value, card)


def strip_title(book: Rulebook) -> str:
    """Return the numbers and names of the cards in a line."""
    special = {card.name for card in book.pack.special_cards}
    absent = [card for card in book.absent if card not in special]
    number = len(book.pack.suits) * len(book.pack.ranks) - len(absent)
    suits = ", ".join(book.words.suit(suit.name) for suit in book.pack.suits)
    if absent:
        cards = ", ".join(map(faces_of(book).written, absent))
        suits = say("{suits}, without {cards}", suits=suits, cards=cards)
    text = "{many} cards: {suits}. From the strongest to the weakest:"
    return say(text, many=number, suits=suits)


def write_markdown(book: Rulebook) -> str:
    """Return a book as Markdown, in which `<` of a name begins no HTML."""
    return "\n".join(_lines(book)).rstrip().replace("<", "&lt;") + "\n"


def _lines(book: Rulebook) -> Iterator[str]:
    faces = faces_of(book)
    yield from (f"# {book.title}", "")
    yield from (book.summary, "") if book.summary else ()
    yield from (book.seats, "")
    if book.differences:
        yield from (f"> **{say('Differs from {base}', base=book.base)}**", ">")
        yield from (f"> - {faces.plain(text)}" for text in book.differences)
        yield ""
    for section in book.sections:
        yield from (f"## {section.title}", "")
        if section.key == "cards":
            strip = " ".join(faces.written(card) for card in book.strip)
            yield from (strip_title(book), "", strip, "")
        for kind, group in blocks_of(section):
            if kind == "rows":
                yield from _table([one.text.split(CELLS) for one in group], faces)
            for one in group if kind != "rows" else ():
                mark = f"{MARK} " if one.marked else ""
                yield f"- {mark}{faces.plain(one.text)}{_points(book, one)}"
                drawings = drawing(book, one)
                if drawings:
                    cards = ", ".join(f"{faces.written(c)} {note}".strip() for c, note in drawings)
                    yield f"  {cards}"
            yield ""
    if book.example:
        yield from (f"## {say('An example')}", "", book.example.seats, "")
        yield from (book.example.score, "") if book.example.score else ()
        for player, hand in book.example.hands:
            yield f"- {player}{say(': ')}{' '.join(map(faces.written, hand))}"
        yield ""
        for number, (step, reason) in enumerate(book.example.steps, 1):
            why = f" *({faces.plain(reason)})*" if reason else ""
            yield f"{number}. {faces.plain(step)}{why}"
        yield ""
    if book.questions:
        yield from (f"## {say('What a player may answer')}", "")
        yield from _table([[name, answers] for name, answers in book.questions], faces)
        yield ""
    if book.settings:
        yield from (f"## {say('Settle before you play')}", "")
        yield from _table([[s.help, s.value] for s in book.settings], faces)
        yield ""
    if book.sources:
        yield with_title(say("Sources"), one_by_one(book.sources))


def _points(book: Rulebook, sentence: BookSentence) -> str:
    """Return the strength of the special card that a statement is about."""
    points = book.pack.value("strength", sentence.card) if sentence.card else 0
    return " " + say("Points: {points}.", points=figure(points, "d")) if points else ""


def _table(rows: list[list[str]], faces: Faces) -> Iterator[str]:
    lines = [
        f"| {' | '.join(faces.plain(cell).replace('|', BAR) for cell in row)} |" for row in rows
    ]
    yield from (lines[0], "|" + "---|" * len(rows[0]), *lines[1:])


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
        picture = Markup('<span class="face{}" style="color:{}"><b>{}</b>{}{}</span>').format(
            " special" if special else "", colour, corner, middle, name
        )
        caption = Markup("<small>{}</small>").format(note) if note else Markup("")
        return Markup('<span class="drawn">{}{}</span>').format(picture, caption)

    def rich(self, text: str) -> Markup:
        """Return a statement's text with its cards and bold words drawn."""
        parts, at = [], 0
        for hit in MARKUP.finditer(text):
            parts.append(escape(text[at : hit.start()]))
            card, bold, italic = hit.groups()
            if card:
                parts.append(self.inline(card))
            else:
                mark = Markup("<strong>{}</strong>") if bold else Markup("<i>{}</i>")
                parts.append(mark.format(bold or italic))
            at = hit.end()
        parts.append(escape(text[at:]))
        return Markup("").join(parts)

    def bare(self, text: str) -> str:
        """Return a statement's text without marks."""
        return MARKUP.sub(lambda hit: self.written(hit[1]) if hit[1] else hit[2] or hit[3], text)

    def plain(self, text: str) -> str:
        """Return a statement's text for Markdown."""
        return MARKUP.sub(lambda hit: self.written(hit[1]) if hit[1] else hit[0], text)
