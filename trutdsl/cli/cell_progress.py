"""How measurements go on: which of how many, on a live line or a line for each."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

import typer
from rich.console import Console
from rich.status import Status
from rich.text import Text

from trutdsl.arena.executor import Finished
from trutdsl.comparison.hold import Watcher
from trutdsl.report.language import figure, say


class CellProgress(Watcher):
    """Tells a person on standard error which variant is measured, while it is entered."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True, highlight=False)
        self._status: Status | None = None
        self._which, self._sets = dict[str, object](), 0
        self._told = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def compiled(self, done: int, of: int) -> None:
        """Say how many are compiled, on a live line only."""
        if self._console.is_terminal:
            self._show(say("compiled {done} of {of}", done=done, of=of))

    def begin(self, name: str, number: int, of: int) -> None:
        """Say what is measured next."""
        self._which, self._sets = {"number": number, "of": of, "name": name}, 0
        text = say("{number} of {of}: {name}", **self._which)
        if self._console.is_terminal:
            self._show(text)
        else:
            typer.echo(text, err=True)

    def _show(self, text: str) -> None:
        """Show a text on the live line."""
        if self._status is None:
            self._status = self._console.status("")
            self._status.start()
        self._status.update(Text(text))  # a name may hold what would be markup

    def played(self, finished: Finished) -> None:
        """Note some sets that were played."""
        self._sets += finished.chunk.sets
        if self._status is not None:
            text, sets = "{number} of {of}: {name}, {sets} sets", figure(self._sets, ",d")
            self._show(say(text, **self._which, sets=sets))

    def say(self, text: str) -> None:
        """Take a sentence that a person should read."""
        typer.echo(text, err=True)
