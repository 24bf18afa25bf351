"""Stored play: the choices of a seat in a deal, rounded to bytes.

The probabilities of an information set are whole parts of `PARTS`. All but the last one are stored.
A set that the seat's own choices never reach begins with `UNREACHED`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trutdsl.solve.positions import Bytes, Floats, Numbers

if TYPE_CHECKING:
    from trutdsl.solve.equilibrium import Seat

PARTS, UNREACHED = 254, 255
SELDOM = 0.01  # rarer choices are dropped


def stored_size(counts: Numbers) -> int:
    """Return how many bytes sets with so many actions take."""
    return int(counts.sum()) - len(counts)


def store(seat: Seat, plan: Floats) -> Bytes:
    """Return the play of a plan as bytes."""
    tree = seat.tree
    strategy = seat.strategy_of(plan)
    parts = np.zeros(tree.sequences, np.uint8)
    own = np.ones(tree.sequences)  # whether the stored play comes to each sequence
    for level in seat.levels:
        here = level.sequences
        whole = rounded(strategy[here], level.starts, level.owner)
        reached = own[level.parents] > 0
        whole[level.starts[~reached]] = UNREACHED
        own[here] = np.where(reached[level.owner], whole, 0)
        parts[here] = whole
    last = np.zeros(tree.sequences, np.bool_)
    last[0] = True
    last[tree.first[1:] - 1] = True
    return parts[~last]


def rounded(shares: Floats, starts: Numbers, owner: Numbers) -> Bytes:
    """Return shares as whole parts with the same sum in each set, by the largest remainders."""
    most = np.maximum.reduceat(shares, starts)[owner]
    kept = np.where(shares >= np.minimum(SELDOM, most), shares, 0.0)
    exact = PARTS * kept / np.add.reduceat(kept, starts)[owner]
    whole = np.floor(exact)
    missing = PARTS - np.add.reduceat(whole, starts)
    order = np.lexsort((np.arange(len(owner)), whole - exact, owner))
    place = np.empty(len(owner), np.int64)
    place[order] = np.arange(len(owner)) - starts[owner]
    return (whole + (place < missing[owner])).astype(np.uint8)


def strategy_from(seat: Seat, stored: Bytes) -> Floats:
    """Return the strategy of stored play; uniform in sets that it never reaches."""
    tree = seat.tree
    parts = parts_from(tree.first, stored).astype(np.float64)
    unreached = parts[tree.first[:-1]] == UNREACHED
    counts = np.diff(tree.first)
    even = np.repeat(np.where(unreached, 1 / counts, 0.0), counts)
    strategy = np.ones(tree.sequences)
    strategy[1:] = np.where(np.repeat(unreached, counts), even, parts[1:] / PARTS)
    return strategy


def parts_from(first: Numbers, stored: Bytes) -> Numbers:
    """Return the parts of every sequence, int64; of unreached sets the first is `UNREACHED`."""
    total = int(first[-1])
    last = np.zeros(total, np.bool_)
    last[0] = True
    last[first[1:] - 1] = True
    parts = np.zeros(total, np.int64)
    parts[~last] = stored
    sums = np.add.reduceat(parts[1:], first[:-1] - 1)
    parts[first[1:] - 1] = np.maximum(PARTS - sums, 0)
    return parts
