"""Where tables are shown."""

from __future__ import annotations

from rich.console import Console


class Screen(Console):
    """A console for tables; a reader that is gone is told to whoever shows them."""

    def on_broken_pipe(self) -> None:
        raise
