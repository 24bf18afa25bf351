"""Chunks of work: ranges of sets, cut anywhere, known by what they hold and never by a number."""

from __future__ import annotations

import hashlib
from bisect import insort
from collections.abc import Iterable
from typing import NamedTuple

from trutdsl.arena.schedule import Experiment
from trutdsl.game import BadUsage


class Chunk(NamedTuple):
    """A range of sets, played by all combinations: `first` <= set index < `beyond`."""

    first: int
    sets: int

    @property
    def beyond(self) -> int:
        """The first set behind it."""
        return self.first + self.sets

    @property
    def range(self) -> range:
        return range(self.first, self.beyond)


def chunk_key(experiment: Experiment, chunk: Chunk) -> str:
    """Return a hash of everything that decides what a chunk counts."""
    content = f"{experiment.digest} {chunk.first} {chunk.sets}"
    return hashlib.sha256(content.encode()).hexdigest()


class MissingSets:
    """The sets of a range that are still to be played, handed out front to back.

    span:  the range.
    done:  what of it is played already; no two overlap.
    every: no chunk reaches over a multiple of so many sets; None for no such limit.
    """

    def __init__(self, span: Chunk, done: Iterable[Chunk] = (), every: int | None = None) -> None:
        self._every = every
        self._gaps: list[Chunk] = []
        at = span.first
        for chunk in sorted(done):
            self._add(at, min(chunk.first, span.beyond))
            at = max(at, chunk.beyond)
        self._add(at, span.beyond)
        self.left = sum(gap.sets for gap in self._gaps)

    def _add(self, first: int, beyond: int) -> None:
        if first < beyond:
            self._gaps.append(Chunk(first, beyond - first))

    def take(self, most: int) -> Chunk | None:
        """Return the next chunk, of at most so many sets (1 or more), or None if none is left."""
        if not self._gaps:
            return None
        gap = self._gaps[0]
        sets = min(most, gap.sets)
        if self._every is not None:
            sets = min(sets, self._every - gap.first % self._every)
        if sets == gap.sets:
            del self._gaps[0]
        else:
            self._gaps[0] = Chunk(gap.first + sets, gap.sets - sets)
        self.left -= sets
        return Chunk(gap.first, sets)

    def give_back(self, chunk: Chunk) -> None:
        """Take back a chunk that was not played."""
        insort(self._gaps, chunk)
        self.left += chunk.sets


def contiguous(done: Iterable[Chunk], first: int = 0) -> int:
    """Return the first set from `first` on that is not played."""
    for chunk in sorted(done):
        if chunk.first > first:
            break
        first = max(first, chunk.beyond)
    return first


def overlapping(chunks: Iterable[Chunk]) -> bool:
    """Tell whether two of the chunks hold the same set."""
    at = 0
    for chunk in sorted(chunks):
        if chunk.first < at:
            return True
        at = chunk.beyond
    return False


def shard(sets: int, text: str) -> Chunk:
    """Return the part of so many sets that `K/N` names: the K-th of N, each about as long.

    Raises `BadUsage` for anything else.
    """
    part, slash, parts = text.partition("/")
    if not slash or not part.isdecimal() or not parts.isdecimal() or len(text) > 20:
        raise BadUsage(f"--shard must be K/N, such as 3/8, not '{text}'")
    k, n = int(part), int(parts)
    if not 1 <= k <= n:
        raise BadUsage(f"--shard {text}: the first number must be from 1 to {n}")
    first, beyond = sets * (k - 1) // n, sets * k // n
    return Chunk(first, beyond - first)
