"""The prefix of a run: what is finished without a gap, while it goes on."""

from __future__ import annotations

from typing import Any

from trutdsl.arena.chunks import Chunk
from trutdsl.stats.tally import Tally


class Prefix:
    """Takes chunks in whatever order they are finished; `tally` is of those up to the first gap.

    Which chunks are finished first hangs on how long their matches last; the prefix does not, so
    that an interval that holds at any time holds for it.
    """

    def __init__(self, first: int = 0) -> None:
        self.tally: Tally | None = None
        self._at = first
        self._waiting: dict[int, tuple[Chunk, Any]] = {}

    def add(self, chunk: Chunk, kept: Any) -> None:
        """Take what is kept of a chunk."""
        self._waiting[chunk.first] = chunk, kept
        while self._at in self._waiting:
            chunk, kept = self._waiting.pop(self._at)
            part = Tally.from_counts(kept["counts"])
            self.tally = part if self.tally is None else self.tally.merge(part)
            self._at = chunk.beyond
