"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Use nothing kept from earlier, and keep nothing.")
]
