"""Options that several commands have."""

from __future__ import annotations

from secrets import randbits
from typing import Annotated

import typer

from trutdsl.diagnostics import BadUsage
from trutdsl.report.language import ENGLISH, FRENCH

NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Use nothing kept from earlier, and keep nothing.")
]
Players = Annotated[
    int | None, typer.Option(metavar="N", help="Seats at the table; default: the fewest.")
]
SeatStrategies = Annotated[
    str,
    typer.Option(metavar="A,B,...", help="One for all, one for each team, or one for each seat."),
]
Parameters = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Set a variant's parameter; repeatable."),
]
RANDOM = "random"


def read_seed(text: str) -> int:
    """Return a seed; `random` is one of 128 bits that nobody can guess, drawn now."""
    try:
        return randbits(128) if text == RANDOM else int(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is no whole number, and not `{RANDOM}`") from None


Seed = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="What all chance derives from, or `random`; default: 1, or a random one where a "
        "strategy is a program (.py, .bot).",
        parser=read_seed,
    ),
]


def check_language(lang: str) -> None:
    """Refuse a language that nothing is told in."""
    if lang not in (ENGLISH, FRENCH):
        raise BadUsage(f"--lang {lang}: choose {ENGLISH} or {FRENCH}")
