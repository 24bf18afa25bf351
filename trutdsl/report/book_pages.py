"""A rulebook as a page to print, or as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from jinja2 import Environment, PackageLoader, StrictUndefined

from trutdsl.language import figure, one_by_one, say, titled
from trutdsl.report.book import Chapter, Rulebook
from trutdsl.report.book_cards import Faces
from trutdsl.report.citations import CELLS, BookSentence

MARK = "✻"  # of a house rule


def faces_of(book: Rulebook) -> Faces:
    """Return the faces of a book's cards."""
    return Faces(book.pack, book.words)


def render_book(book: Rulebook) -> str:
    """Return a book as one HTML file without external resources."""
    environment = Environment(
        loader=PackageLoader("trutdsl.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    template = environment.get_template("rulebook.html")
    return template.render(
        book=book, faces=faces_of(book), say=say, mark=MARK, blocks=blocks_of,
        drawing=drawing, cells=CELLS, strip_title=strip_title,
    )  # fmt: skip


def blocks_of(section: Chapter) -> Iterator[tuple[str, list[BookSentence]]]:
    """Yield the statements of a section, those side by side together: rows, cards or sentences."""
    for kind, told in groupby(section.told, _kind):
        yield kind, list(told)


def _kind(told: BookSentence) -> str:
    return "rows" if CELLS in told.text else "cards" if told.card else "sentences"


def drawing(book: Rulebook, told: BookSentence) -> list[tuple[str, str]]:
    """Return the cards that a statement draws, each with a note."""
    if told.draw is None:
        return []
    if told.draw in (*book.pack.values, "strength"):
        worth = [(card, worth_of(book, told.draw, card)) for card in book.strip]
        return [(card, figure(amount, "d")) for card, amount in worth if amount]
    return [(card, "") for card in told.draw.split()]


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
    regular = len(book.pack.suits) * len(book.pack.ranks)
    suits = ", ".join(book.words.suit(suit.name) for suit in book.pack.suits)
    text = "{many} cards: {suits}. From the strongest to the weakest:"
    return say(text, many=regular, suits=suits)


def write_markdown(book: Rulebook) -> str:
    """Return a book as Markdown."""
    return "\n".join(_lines(book)).rstrip() + "\n"


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
        for kind, told in blocks_of(section):
            if kind == "rows":
                yield from _table([one.text.split(CELLS) for one in told], faces)
            for one in told if kind != "rows" else ():
                mark = f"{MARK} " if one.marked else ""
                yield f"- {mark}{faces.plain(one.text)}{_points(book, one)}"
                drawn = drawing(book, one)
                if drawn:
                    cards = ", ".join(f"{faces.written(c)} {note}".strip() for c, note in drawn)
                    yield f"  {cards}"
            yield ""
    if book.example:
        yield from (f"## {say('An example')}", "", book.example.seats, "")
        yield from (book.example.score, "") if book.example.score else ()
        for player, held in book.example.hands:
            yield f"- {player}{say(': ')}{' '.join(map(faces.written, held))}"
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
        yield titled(say("Sources"), one_by_one(book.sources))


def _points(book: Rulebook, told: BookSentence) -> str:
    """Return the strength of the special card that a statement is about."""
    points = book.pack.value("strength", told.card) if told.card else 0
    return " " + say("Points: {points}.", points=figure(points, "d")) if points else ""


def _table(rows: list[list[str]], faces: Faces) -> Iterator[str]:
    head, *rest = rows
    yield f"| {' | '.join(map(faces.plain, head))} |"
    yield "|" + "---|" * len(head)
    for row in rest:
        yield f"| {' | '.join(map(faces.plain, row))} |"
