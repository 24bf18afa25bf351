"""`trutdsl rules`: the rulebook of a variant, to print and hand out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trutdsl.cli.options import Parameters, Players, Variant
from trutdsl.cli.output import PAGES, check_page, note
from trutdsl.diagnostics import refuse_os_errors
from trutdsl.files import write_whole
from trutdsl.language import mark, say

ENDINGS = (".html", ".md", ".htm")


def rules(
    variant: Variant,
    players: Players = None,
    param: Parameters = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write this file; .html or .md."),
    ] = None,
) -> None:
    """Write the rulebook of a variant, for newcomers to the game.

    It states the rules for the given parameters, shows the cards, and follows one played deal. For
    a house rule, it marks the differences from the base. Without -o, print it as Markdown.

    Example: trutdsl rules trut --lang fr -o trut.html
    """
    from trutdsl.api.rules import rulebook

    if out is not None:
        check_page(out, mark("a rulebook"), ENDINGS)
    page = out is not None and out.suffix in PAGES
    text = rulebook(variant, players, param, html=page)
    if out is None:
        typer.echo(text, nl=False)
        return
    with refuse_os_errors(out):
        write_whole(out, text)
    note(say("written: {file}", file=out))
