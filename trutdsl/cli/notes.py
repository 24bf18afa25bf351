"""Notes to the user: text on standard error beside the results; `--quiet` leaves it out."""

from __future__ import annotations

from typing import Any

import typer

_quiet = False  # whether the command line says so


def settle_quiet(_context: Any, _param: Any, quiet: bool) -> bool:
    """Note whether the command is to be quiet; the callback of the option."""
    global _quiet
    _quiet = quiet
    return quiet


def is_quiet() -> bool:
    """Return whether progress and notes are left out."""
    return _quiet


def note(text: str) -> None:
    """Print a note."""
    if not _quiet:
        typer.echo(text, err=True)
