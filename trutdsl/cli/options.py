"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

from trutdsl.diagnostics import BadUsage
from trutdsl.report.language import ENGLISH, FRENCH

NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Use nothing kept from earlier, and keep nothing.")
]


def check_language(lang: str) -> None:
    """Refuse a language that nothing is told in."""
    if lang not in (ENGLISH, FRENCH):
        raise BadUsage(f"--lang {lang}: choose {ENGLISH} or {FRENCH}")
