"""`trutdsl rules`: the rulebook of a variant, to print and hand out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trutdsl.cli.notes import note
from trutdsl.cli.options import Parameters, Players, Variant
from trutdsl.diagnostics import BadUsage
from trutdsl.language import NARROW, WIDE, current_language, say, speaking

PAGES, TEXTS = (".html", ".htm"), (".md",)
TABLE = 4  # players in the example, unless the book is for another number


def rules(
    variant: Variant,
    players: Players = None,
    param: Parameters = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write this file; .html or .md."),
    ] = None,
) -> None:
    """Write the rulebook of a variant, from which a newcomer learns the game.

    It tells the rules with the parameters as set, shows the cards, and follows one played deal. A
    house rule is told with its differences from its base. Without -o, print it as Markdown.

    Example: trutdsl rules trut --lang fr -o trut.html
    """
    from trutdsl.game import load_game
    from trutdsl.report.book import write_book
    from trutdsl.report.book_pages import render_book, write_markdown

    if out is not None and out.suffix.lower() not in (*PAGES, *TEXTS):
        raise BadUsage(say("{file}: the name of a rulebook ends in .html or .md", file=out))
    game = load_game(variant, players, param or [], engine="reference")
    if players is None and TABLE in game.variant.players:
        game = load_game(variant, TABLE, param or [], engine="reference")
    page = out is not None and out.suffix.lower() in PAGES
    with speaking(current_language(), NARROW if page else WIDE):
        book = write_book(game, players)
        text = render_book(book) if page else write_markdown(book)
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as problem:
        text = "{file} cannot be written: {problem}"
        raise BadUsage(say(text, file=out, problem=say(problem.strerror or ""))) from None
    note(say("written: {file}", file=out))
