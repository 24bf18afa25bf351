"""Compressed positions: for each 64-bit word only its different values are stored.

The positions of a deal have most words in common. Each other word has few different values. So a
position is a row of small numbers, one for each word that differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trutdsl.solve.positions import Floats, Masks, Numbers, Positions, join_positions

Codes = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]


@dataclass(frozen=True)
class CompactPositions:
    """Some positions; `take` unpacks them.

    values: the different values of each word, ascending: of the memory, then of the memories.
    codes: for each word with several values, the index of each position's value. shape: seats and
    numbers of the memories. weight, why: see `Positions`.
    """

    values: tuple[Masks, ...]
    codes: dict[int, Codes]
    shape: tuple[int, int]
    weight: Floats
    why: Numbers

    def __len__(self) -> int:
        return len(self.weight)

    def take(self, rows: Numbers | NDArray[np.bool_]) -> Positions:
        weight = self.weight[rows]
        rest = len(self.values) - self.shape[0] * self.shape[1]
        memory = np.empty((len(weight), rest), np.uint64)
        memories = np.empty((len(weight), len(self.values) - rest), np.uint64)
        for words, begin, end in ((memory, 0, rest), (memories, rest, None)):
            words[:] = [values[0] for values in self.values[begin:end]]
        for place, codes in self.codes.items():
            column = memory[:, place] if place < rest else memories[:, place - rest]
            column[:] = self.values[place][codes[rows]]
        numbers = memories.view(np.int64).reshape(len(weight), *self.shape)
        return Positions(memory.view(np.uint8), numbers, weight, self.why[rows])

    def select(self, rows: Numbers) -> CompactPositions:
        """Return some of them, still compact."""
        codes = {place: codes[rows] for place, codes in self.codes.items()}
        return CompactPositions(self.values, codes, self.shape, self.weight[rows], self.why[rows])


def compact(positions: Positions) -> CompactPositions:
    """Return positions as compact ones; there must be some."""
    _, seats, size = positions.memories.shape
    memories = positions.memories.reshape(len(positions), seats * size).view(np.uint64)
    values, codes = list[Masks](), dict[int, Codes]()
    for words in (positions.memory.view(np.uint64), memories):
        for column in words.T:
            if (column == column[0]).all():
                values.append(column[:1].copy())
                continue
            different, places = np.unique(column, return_inverse=True)
            codes[len(values)] = places.astype(_code_type(different))
            values.append(different)
    return CompactPositions(tuple(values), codes, (seats, size), positions.weight, positions.why)


def gather_rows(parts: Sequence[Positions | CompactPositions], rows: Numbers) -> CompactPositions:
    """Return some positions of several blocks; rows: their numbers, counted over all blocks."""
    order = np.argsort(rows)
    sorted_rows = rows[order]
    starts = np.cumsum([0, *map(len, parts)])
    cuts = np.searchsorted(sorted_rows, starts)
    dense, loose = list[CompactPositions](), list[Positions]()
    for part, start, first, end in zip(parts, starts, cuts, cuts[1:], strict=False):
        some = sorted_rows[first:end] - start
        if len(some) and isinstance(part, CompactPositions):
            if loose:
                dense.append(compact(join_positions(loose)))
                loose = []
            dense.append(part.select(some))
        elif len(some):
            loose.append(part.take(some))
    if loose:
        dense.append(compact(join_positions(loose)))
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return join_compact(dense).select(back)


def join_compact(parts: Sequence[CompactPositions]) -> CompactPositions:
    """Return all positions of several blocks, in their order."""
    if len(parts) == 1:
        return parts[0]
    values, codes = list[Masks](), dict[int, Codes]()
    for place in range(len(parts[0].values)):
        different = np.unique(np.concatenate([part.values[place] for part in parts]))
        if len(different) > 1:
            kind = _code_type(different)
            codes[place] = np.concatenate([_renumber(p, place, different, kind) for p in parts])
        values.append(different)
    weight, why = (np.concatenate([getattr(p, name) for p in parts]) for name in ("weight", "why"))
    return CompactPositions(tuple(values), codes, parts[0].shape, weight, why)


def _renumber(part: CompactPositions, place: int, different: Masks, kind: type) -> Codes:
    """Return the codes of a word as numbers of these values."""
    numbers: Codes = np.searchsorted(different, part.values[place]).astype(kind)
    if place not in part.codes:
        return np.full(len(part), numbers[0], kind)
    codes: Codes = numbers[part.codes[place]]
    return codes


def _code_type(values: NDArray[Any]) -> type:
    """Return the narrowest type that can number these values."""
    return next(t for t in (np.uint8, np.uint16, np.uint32) if len(values) - 1 <= np.iinfo(t).max)
