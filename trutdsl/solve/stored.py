"""Stored play: the choices of a seat in a deal, rounded to bytes.

The probabilities of an information set are whole parts of `PARTS`. All but the last one are stored,
and only those of sets that the seat's own choices reach. A bit for each part shows whether it is
stored. The number of set bits before it is the index of the part (a rank, Jacobson 1989).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trutdsl.solve.positions import Bytes, Floats, Masks, Numbers

if TYPE_CHECKING:
    from trutdsl.solve.tree import SeatTree

PARTS = 254
SELDOM = 0.01  # rarer choices are dropped
WORD = 64  # bits


class StoredPlay(NamedTuple):
    """The play of a seat in a deal.

    reach: uint64, a bit for each part but the last one of each information set: whether play
    reaches the set. parts: uint8, those whose bit is set.
    """

    reach: Masks
    parts: Bytes


NO_PLAY = StoredPlay(np.empty(0, np.uint64), np.empty(0, np.uint8))


def is_whole(play: StoredPlay, starts: Numbers | None) -> bool:
    """Tell whether stored play has a bit for each part, and a part for each set bit.

    Also each set must have all its bits or none, and no more than all parts. starts: where the
    parts of each set start, then their number; None if there are no such sets.
    """
    if starts is None or len(play.reach) != -(-int(starts[-1]) // WORD):
        return False
    bits = np.unpackbits(play.reach.astype("<u8").view(np.uint8), bitorder="little")
    stored = np.append(0, np.cumsum(bits, dtype=np.int64))  # parts before each bit
    if not stored[starts[-1]] == stored[-1] == len(play.parts):
        return False
    before = stored[starts]
    sums = np.append(0, np.cumsum(play.parts, dtype=np.int64))[before]
    counts = np.diff(before)
    alike = (counts == 0) | (counts == np.diff(starts))
    return bool(alike.all() and (np.diff(sums) <= PARTS).all())


def bits_before(reach: Masks) -> Numbers:
    """Return the number of set bits before each word, int64."""
    counts = np.bitwise_count(reach).astype(np.int64)
    return np.cumsum(counts) - counts


def store(seat: SeatTree, plan: Floats) -> StoredPlay:
    """Return the play of a plan as bytes."""
    first = seat.first
    parts = round_shares(seat.strategy_of(plan)[1:], seat.starts, seat.owner)
    own = seat.plan_of(np.append(1.0, parts > 0))  # whether the stored play comes to each sequence
    bits = np.repeat(own[seat.parents] > 0, np.diff(first) - 1)
    size = -(-len(bits) // WORD) * WORD
    packed = np.packbits(np.pad(bits, (0, size - len(bits))), bitorder="little")
    return StoredPlay(packed.view("<u8").astype(np.uint64), parts[_is_stored(first)][bits])


def _is_stored(first: Numbers) -> NDArray[np.bool_]:
    """Return, for each choice, whether its part is stored; first: see `SeatTree`."""
    is_stored = np.ones(int(first[-1]) - 1, np.bool_)
    is_stored[first[1:] - 2] = False
    return is_stored


def round_shares(shares: Floats, starts: Numbers, owner: Numbers) -> Bytes:
    """Return shares as whole parts with the same sum in each set, by the largest remainders."""
    most = np.maximum.reduceat(shares, starts)[owner]
    large = np.where(shares >= np.minimum(SELDOM, most), shares, 0.0)
    exact = PARTS * large / np.add.reduceat(large, starts)[owner]
    whole = np.floor(exact)
    missing = PARTS - np.add.reduceat(whole, starts)
    order = np.lexsort((np.arange(len(owner)), whole - exact, owner))
    place = np.empty(len(owner), np.int64)
    place[order] = np.arange(len(owner)) - starts[owner]
    return (whole + (place < missing[owner])).astype(np.uint8)


def strategy_from(seat: SeatTree, play: StoredPlay) -> Floats:
    """Return the strategy of stored play; uniform in sets that it never reaches."""
    first = seat.first
    counts = np.diff(first)
    words = play.reach.astype("<u8").view(np.uint8)
    bits = np.unpackbits(words, count=int((counts - 1).sum()), bitorder="little").view(np.bool_)
    values = np.zeros(len(bits))
    values[bits] = play.parts
    parts = np.zeros(len(seat.owner))
    parts[_is_stored(first)] = values
    parts[first[1:] - 2] = np.maximum(PARTS - np.add.reduceat(parts, seat.starts), 0)
    is_reached = bits[np.cumsum(counts - 1) - (counts - 1)]
    return np.append(1.0, np.where(is_reached[seat.owner], parts / PARTS, (1 / counts)[seat.owner]))
