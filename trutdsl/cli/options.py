"""Options that several commands have."""

from __future__ import annotations

from secrets import randbits
from typing import Annotated

import typer

NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Use nothing kept from earlier, and keep nothing.")
]
RANDOM = "random"


def read_seed(text: str) -> int:
    """Return a seed; `random` is one of 128 bits that nobody can guess, drawn now."""
    try:
        return randbits(128) if text == RANDOM else int(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is no whole number, and not `{RANDOM}`") from None


_SEED = typer.Option(
    metavar="N", help="What all chance derives from, or `random`; default: 1.", parser=read_seed
)
Seed = Annotated[int, _SEED]
OptionalSeed = Annotated[int | None, _SEED]
