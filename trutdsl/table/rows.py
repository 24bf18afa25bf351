"""Rows: what is kept of many matches, column by column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

# One row a match: winning team (-1 for a draw), deals, decisions (no forced answers among them),
# then each counter by team.
Records = NDArray[np.int64]
WINNER, DEALS, DECISIONS, COUNTERS = range(4)  # columns; where those of counters begin
TYPES: tuple[type[np.signedinteger[Any]], ...] = (np.int8, np.int32, np.int32)


def column_type(place: int) -> type[np.signedinteger[Any]]:
    """Return the type of a column's numbers, by its place."""
    return TYPES[place] if place < COUNTERS else np.int64


@dataclass(frozen=True)
class Rows:
    """Room for the records of matches that follow each other, or what was noted there.

    columns: int8[matches] the winner, int32[matches] deals and decisions, int64[matches] what a
             counter is for a team at the end, in the order of `Records`; None where it is not kept,
             as behind the last.
    """

    columns: tuple[NDArray[Any] | None, ...]

    @classmethod
    def empty(cls, matches: int, fields: int) -> Self:
        """Return room for so many matches, and so many fields of each."""
        return cls(tuple(np.empty(matches, column_type(place)) for place in range(fields)))

    def __len__(self) -> int:
        winner = self.columns[WINNER]
        return 0 if winner is None else len(winner)

    def part(self, begin: int, end: int) -> Self:
        """Return some of the matches, by their places; they share the same arrays."""
        return type(self)(tuple(None if c is None else c[begin:end] for c in self.columns))

    def put(self, at: int, records: Records) -> None:
        """Note some matches, the first of them at this place."""
        for column, values in zip(self.columns, records.T, strict=False):
            if column is not None:
                column[at : at + len(values)] = values

    def records(self) -> Records:
        """Return all that is kept, of shape (matches, columns)."""
        return np.stack([c for c in self.columns if c is not None], axis=1, dtype=np.int64)
