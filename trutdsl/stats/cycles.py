"""Cycles: strategies of which each certainly beats the next, and the last the first."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

Edge = tuple[int, int]


def shortest_cycles(beats: Collection[Edge]) -> tuple[tuple[int, ...], ...]:
    """Return all cycles of the fewest strategies, each from its least number on, in order.

    beats: who is known to beat whom, as (winner, loser). Where everybody has met, and all that is
    true were known, any cycle had one of three in it: a chord of a longer one closes it on one
    side or on the other.
    """
    after: dict[int, list[int]] = {}
    for winner, loser in sorted(beats):
        after.setdefault(winner, []).append(loser)
    lengths = [found for start in after if (found := _length(after, start))]
    if not lengths:
        return ()
    fewest = min(lengths)
    return tuple(way for start in sorted(after) for way in _ways(after, (start,), fewest))


def _length(after: dict[int, list[int]], start: int) -> int:
    """Return how many are in the shortest cycle through one, 0 if there is none."""
    far, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in after.get(here, ()):
            if there == start:
                return far[here] + 1
            if there not in far:
                far[there] = far[here] + 1
                queue.append(there)
    return 0


def _ways(after: dict[int, list[int]], way: tuple[int, ...], fewest: int) -> list[tuple[int, ...]]:
    """Return the cycles of so many that go on from a way and have nobody before its first one."""
    start, here = way[0], way[-1]
    if len(way) == fewest:
        return [way] if start in after.get(here, ()) else []
    return [
        found
        for there in after.get(here, ())
        if there > start and there not in way
        for found in _ways(after, (*way, there), fewest)
    ]
