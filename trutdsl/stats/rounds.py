"""Formats in rounds: the pairings of the next round, and the standings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from itertools import combinations
from math import ceil, log2
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from trutdsl.stats.design import Design, Tally

Pairing: TypeAlias = tuple[int, int]
WON, HALF, LOST = Fraction(1), Fraction(1, 2), Fraction(0)


class Meeting(NamedTuple):
    """Two strategies (indices) in a round; margin: points of the first less the second's."""

    first: int
    second: int
    margin: int


Rounds: TypeAlias = Sequence[Sequence[Meeting]]


class RoundStandings(NamedTuple):
    """The standings after some rounds.

    order:  all strategies, the best first; places: of each, equal if the format does not
            order them.
    points: rounds won, or in a ladder the rung, counted from the bottom.
    """

    order: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[Fraction, ...]


def draw_lots(names: Sequence[str], seed: int) -> tuple[int, ...]:
    """Return a random order, which depends on the seed and the names only."""
    lots = [sha256(f"{seed} {name}".encode()).hexdigest() for name in names]
    return tuple(sorted(range(len(names)), key=lots.__getitem__))


def rounds_of(name: str, count: int, rounds: int | None) -> int:
    """Return the rounds of a format for so many strategies; rounds: a number given by the user."""
    return FORMATS[name].rounds(count, rounds)


def pair_round(name: str, lots: Sequence[int], past: Rounds) -> tuple[Pairing, ...]:
    """Return the pairs of the next round, each in ascending order."""
    pairs = FORMATS[name].pair(lots, past)
    return tuple(sorted((min(pair), max(pair)) for pair in pairs))


def rank_standings(name: str, lots: Sequence[int], past: Rounds) -> RoundStandings:
    return FORMATS[name].standings(lots, past)


# Swiss: strategies with similar points meet, without rematches while possible.


def _points(lots: Sequence[int], past: Rounds) -> dict[int, Fraction]:
    """Return a point for each won round or bye, and half a point for an even round."""
    points = dict.fromkeys(lots, LOST)
    for meetings in past:
        players = set()
        for first, second, margin in meetings:
            players |= {first, second}
            points[first] += WON if margin > 0 else HALF if margin == 0 else LOST
            points[second] += WON if margin < 0 else HALF if margin == 0 else LOST
        for out in points.keys() - players:
            points[out] += WON
    return points


def _swiss_standings(lots: Sequence[int], past: Rounds) -> RoundStandings:
    """Order by points, then by the points of the opponents (Buchholz), margin and lot."""
    points = _points(lots, past)
    buchholz, more = dict.fromkeys(lots, LOST), dict.fromkeys(lots, 0)
    for meetings in past:
        for first, second, margin in meetings:
            buchholz[first] += points[second]
            buchholz[second] += points[first]
            more[first] += margin
            more[second] -= margin
    order = sorted(lots, key=lambda i: (-points[i], -buchholz[i], -more[i], lots.index(i)))
    return _rank(order, [points[i] for i in order])


def _rank(order: Sequence[int], points: Sequence[Fraction]) -> RoundStandings:
    return RoundStandings(tuple(order), tuple(range(1, len(order) + 1)), tuple(points))


def _pair_swiss(lots: Sequence[int], past: Rounds) -> list[Pairing]:
    order = list(_swiss_standings(lots, past).order)
    past_pairs = frozenset(frozenset(m[:2]) for meetings in past for m in meetings)
    players_by_round = [{i for m in meetings for i in m[:2]} for meetings in past]
    if len(order) % 2:  # the last one without a bye gets it
        times = {i: sum(i not in one for one in players_by_round) for i in order}
        order.remove(min(reversed(order), key=times.__getitem__))
    return _match(tuple(order), past_pairs) or list(zip(order[::2], order[1::2], strict=True))


PRIME = 2**31 - 1


@lru_cache(maxsize=64)  # results are read again for each round
def _match(order: tuple[int, ...], past_pairs: frozenset[frozenset[int]]) -> list[Pairing] | None:
    """Return pairs without rematches, None if impossible; the first gets the nearest opponent.

    Tutte's matrix of the possible pairs, with random numbers modulo a prime, has an inverse if all
    can be paired. Two can meet in such a pairing if the inverse is not 0 there. Chance hides one
    with a probability of n / 2**31 (M. O. Rabin, V. V. Vazirani, Journal of Algorithms 10 (1989)
    557-567).
    """
    matrix = np.zeros((len(order), len(order)), np.int64)
    for i, j in combinations(range(len(order)), 2):
        if frozenset((order[i], order[j])) not in past_pairs:
            number = int(sha256(f"{i} {j}".encode()).hexdigest(), 16) % (PRIME - 1) + 1
            matrix[i, j], matrix[j, i] = number, PRIME - number
    inverse, result, left = _invert(matrix), list[Pairing](), list(range(len(order)))
    if inverse is None:
        return None
    while left:
        i = left.pop(0)
        j = next(j for j in left if matrix[i, j] and inverse[i, j])
        left.remove(j)
        result.append((order[i], order[j]))
        # The inverse of the matrix without the rows and columns of both.
        of_i = np.outer(inverse[:, i], inverse[j]) % PRIME
        of_j = np.outer(inverse[:, j], inverse[i]) % PRIME
        part = pow(int(inverse[i, j]), -1, PRIME)
        inverse = (inverse + (of_i - of_j) % PRIME * part) % PRIME
    return result


def _invert(matrix: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return the inverse of a matrix modulo the prime, None if there is none."""
    size = len(matrix)
    both = np.hstack([matrix, np.eye(size, dtype=np.int64)])
    for at in range(size):
        known = np.flatnonzero(both[at:, at])
        if not known.size:
            return None
        both[[at, at + known[0]]] = both[[at + known[0], at]]
        both[at] = both[at] * pow(int(both[at, at]), -1, PRIME) % PRIME
        factors = both[:, at].copy()
        factors[at] = 0
        both = (both - np.outer(factors, both[at]) % PRIME) % PRIME
    return both[:, size:]


# Knock-out: the loser leaves; a bye in the first round counts as a win.


def _remaining(lots: Sequence[int], past: Rounds) -> tuple[list[int], dict[int, int]]:
    """Return the remaining strategies in the order of the draw, and when each other one lost."""
    left, losers = list(lots), {}
    for number, meetings in enumerate(past):
        for first, second, margin in meetings:
            lower = max(first, second, key=lots.index)  # loses an even meeting
            loser = second if margin > 0 else first if margin < 0 else lower
            left.remove(loser)
            losers[loser] = number
    return left, losers


def _knock_out_standings(lots: Sequence[int], past: Rounds) -> RoundStandings:
    _, losers = _remaining(lots, past)
    won = {i: losers.get(i, len(past)) for i in lots}
    order = sorted(lots, key=lambda i: (-won[i], lots.index(i)))
    places = tuple(1 + sum(won[j] > won[i] for j in lots) for i in order)
    return RoundStandings(tuple(order), places, tuple(Fraction(won[i]) for i in order))


def _pair_knock_out(lots: Sequence[int], past: Rounds) -> list[Pairing]:
    left, _ = _remaining(lots, past)
    full = 1 << (len(left) - 1).bit_length()
    playing = left[full - len(left) :]  # the first ones of the draw have a bye
    return list(zip(playing[::2], playing[1::2], strict=True))


# Ladder: in every other pair of rungs, the lower one challenges the upper one; the winner is above.


def _rungs(lots: Sequence[int], past: Rounds) -> list[int]:
    rungs = list(lots)
    for meetings in past:
        for first, second, margin in meetings:
            upper, lower = sorted((first, second), key=rungs.index)
            ahead = margin if lower == first else -margin
            if ahead > 0:
                at, below = rungs.index(upper), rungs.index(lower)
                rungs[at], rungs[below] = lower, upper
    return rungs


def _ladder_standings(lots: Sequence[int], past: Rounds) -> RoundStandings:
    rungs = _rungs(lots, past)
    return _rank(rungs, [Fraction(len(rungs) - at) for at in range(len(rungs))])


def _pair_ladder(lots: Sequence[int], past: Rounds) -> list[Pairing]:
    rungs = _rungs(lots, past)
    start = len(past) % 2 if len(rungs) > 2 else 0
    return list(zip(rungs[start::2], rungs[start + 1 :: 2], strict=False))


class Format(NamedTuple):
    """A format in rounds: the number of rounds, the next pairs, the standings."""

    rounds: Callable[[int, int | None], int]
    pair: Callable[[Sequence[int], Rounds], list[Pairing]]
    standings: Callable[[Sequence[int], Rounds], RoundStandings]


FORMATS = {
    "swiss": Format(lambda count, asked: asked or ceil(log2(count)), _pair_swiss, _swiss_standings),
    "knock-out": Format(lambda count, _: ceil(log2(count)), _pair_knock_out, _knock_out_standings),
    "ladder": Format(lambda count, asked: asked or count, _pair_ladder, _ladder_standings),
}


def meetings_of(design: Design, tally: Tally) -> tuple[Meeting, ...]:
    """Return the meetings of a round with their margins."""
    return tuple(
        Meeting(i, j, tally.pair_score[i][j] - tally.pair_score[j][i])
        for i, j in design.combinations
    )
