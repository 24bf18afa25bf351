"""`trutdsl report`: a comparison or a tournament as one file to read, print and send."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trutdsl.cli.options import check_language
from trutdsl.diagnostics import BadUsage

PAGE = "report.html"


def report(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Of a comparison or of a tournament.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE", help="Where to; default: FOLDER/report.html."),
    ] = None,
    lang: Annotated[str, typer.Option(metavar="LANG", help="In en or fr.")] = "en",
    play_again: Annotated[
        bool,
        typer.Option(
            "--verify",
            help="Play some of a tournament again first, and say whether it comes out the same.",
        ),
    ] = False,
) -> None:
    """Write what came of a comparison or a tournament as one HTML file, with its figures.

    The file needs nothing else: it can be opened without a network, sent and printed.

    Example: trutdsl report reports/compare-trut-trut-gatinaise-1 -o gatinaise.html
    """
    from trutdsl.files import write_whole
    from trutdsl.report.page import write_up
    from trutdsl.tournaments.folder import read_given

    check_language(lang)
    again = None
    if play_again:
        from trutdsl.tournaments.merge import verify

        again = not verify(folder, 1, by_seed=True).wrong
    page = write_up(folder, lang, again, read_given(folder))
    place = out or folder / PAGE
    if place.is_dir() or not place.parent.is_dir():
        where = "is a folder" if place.is_dir() else f"lies in no folder: {place.parent} is none"
        raise BadUsage(f"-o {place} {where}; expected a file to write, such as {PAGE}")
    write_whole(place, page)
    typer.echo(f"{place}: {len(page.encode()):,} bytes")
