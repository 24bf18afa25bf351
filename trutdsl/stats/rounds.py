"""Formats in rounds: who meets whom in the next round, and where everybody stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from hashlib import sha256
from math import ceil, log2
from typing import NamedTuple, TypeAlias

from trutdsl.stats.design import Design, Tally

# Pairings: who meets whom in the next round, as a function of what came of the rounds before.

Pairing: TypeAlias = tuple[int, int]
WON, HALF, LOST = Fraction(1), Fraction(1, 2), Fraction(0)


class Meeting(NamedTuple):
    """Two strategies (indices) in a round; margin: how much the first had more, over all sets."""

    first: int
    second: int
    margin: int


Rounds: TypeAlias = Sequence[Sequence[Meeting]]


class RoundStandings(NamedTuple):
    """Where everybody stands after some rounds, the first ones first.

    order:  all strategies; places: of each, equal where the format does not tell them apart.
    points: what the format gives: rounds won, or in a ladder the rung, from the top.
    """

    order: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[Fraction, ...]


def draw_lots(names: Sequence[str], seed: int) -> tuple[int, ...]:
    """Return a random order of all, decided by the seed and their names alone."""
    lots = [sha256(f"{seed} {name}".encode()).hexdigest() for name in names]
    return tuple(sorted(range(len(names)), key=lots.__getitem__))


def rounds_of(name: str, count: int, asked: int | None) -> int:
    """Return how many rounds a format has for so many strategies."""
    return FORMATS[name].rounds(count, asked)


def pair_round(name: str, lots: Sequence[int], past: Rounds) -> tuple[Pairing, ...]:
    """Return who meets in the round that follows, each two in ascending order."""
    pairs = FORMATS[name].pair(lots, past)
    return tuple(sorted((min(pair), max(pair)) for pair in pairs))


def rank_table(name: str, lots: Sequence[int], past: Rounds) -> RoundStandings:
    """Return where everybody stands."""
    return FORMATS[name].table(lots, past)


# Swiss: those with about as many points meet, nobody twice as long as that can be.


def _swiss_rounds(count: int, asked: int | None) -> int:
    return asked or ceil(log2(count))


def _points(lots: Sequence[int], past: Rounds) -> dict[int, Fraction]:
    """Return a point for each round won and half of one for an even one; who sits out has one."""
    points = dict.fromkeys(lots, LOST)
    for meetings in past:
        played = set()
        for first, second, margin in meetings:
            played |= {first, second}
            points[first] += WON if margin > 0 else HALF if margin == 0 else LOST
            points[second] += WON if margin < 0 else HALF if margin == 0 else LOST
        for out in points.keys() - played:
            points[out] += WON
    return points


def _swiss_table(lots: Sequence[int], past: Rounds) -> RoundStandings:
    """Order by points, then by those of the opponents (Buchholz), by what was won more, by lot."""
    points = _points(lots, past)
    met, more = dict.fromkeys(lots, LOST), dict.fromkeys(lots, 0)
    for meetings in past:
        for first, second, margin in meetings:
            met[first] += points[second]
            met[second] += points[first]
            more[first] += margin
            more[second] -= margin
    order = sorted(lots, key=lambda i: (-points[i], -met[i], -more[i], lots.index(i)))
    return RoundStandings(
        tuple(order), tuple(range(1, len(order) + 1)), tuple(points[i] for i in order)
    )


def _pair_swiss(lots: Sequence[int], past: Rounds) -> list[Pairing]:
    order = list(_swiss_table(lots, past).order)
    met = {frozenset(m[:2]) for meetings in past for m in meetings}
    played = [{i for m in meetings for i in m[:2]} for meetings in past]
    if len(order) % 2:  # the last one that has not sat out yet does now
        times = {i: sum(i not in one for one in played) for i in order}
        order.remove(min(reversed(order), key=times.__getitem__))
    return _match(order, met) or _match(order, set()) or []


def _match(order: list[int], met: set[frozenset[int]]) -> list[Pairing] | None:
    """Return pairs of those who have not met, the first with the nearest that leaves a solution."""
    if not order:
        return []
    first, *rest = order
    for second in rest:
        if frozenset((first, second)) not in met:
            others = _match([i for i in rest if i != second], met)
            if others is not None:
                return [(first, second), *others]
    return None


# Knock-out: who loses is out; who has nobody to meet in the first round goes on.


def _knock_out_rounds(count: int, asked: int | None) -> int:  # noqa: ARG001 - as the others
    return ceil(log2(count))


def _left(lots: Sequence[int], past: Rounds) -> tuple[list[int], dict[int, int]]:
    """Return who is still in, in the order of the draw, and in which round everybody else left."""
    left, gone = list(lots), {}
    for number, meetings in enumerate(past):
        for first, second, margin in meetings:
            lower = first if lots.index(first) > lots.index(second) else second  # an even one
            loser = second if margin > 0 else first if margin < 0 else lower
            left.remove(loser)
            gone[loser] = number
    return left, gone


def _knock_out_table(lots: Sequence[int], past: Rounds) -> RoundStandings:
    _, gone = _left(lots, past)
    won = {i: gone.get(i, len(past)) for i in lots}
    order = sorted(lots, key=lambda i: (-won[i], lots.index(i)))
    places = tuple(1 + sum(won[j] > won[i] for j in lots) for i in order)
    return RoundStandings(tuple(order), places, tuple(Fraction(won[i]) for i in order))


def _pair_knock_out(lots: Sequence[int], past: Rounds) -> list[Pairing]:
    left, _ = _left(lots, past)
    full = 1 << (len(left) - 1).bit_length()
    playing = left[full - len(left) :]  # the first ones of the draw sit out
    return list(zip(playing[::2], playing[1::2], strict=True))


# Ladder: each challenges the one above, every second rung at a time; who is ahead stands above.


def _ladder_rounds(count: int, asked: int | None) -> int:
    return asked or count


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


def _ladder_table(lots: Sequence[int], past: Rounds) -> RoundStandings:
    rungs = _rungs(lots, past)
    places = tuple(range(1, len(rungs) + 1))
    return RoundStandings(
        tuple(rungs), places, tuple(Fraction(len(rungs) - at) for at in range(len(rungs)))
    )


def _pair_ladder(lots: Sequence[int], past: Rounds) -> list[Pairing]:
    rungs = _rungs(lots, past)
    start = len(past) % 2 if len(rungs) > 2 else 0
    return list(zip(rungs[start::2], rungs[start + 1 :: 2], strict=False))


class Format(NamedTuple):
    """A format in rounds: how many, who meets in the next, where everybody stands."""

    rounds: Callable[[int, int | None], int]
    pair: Callable[[Sequence[int], Rounds], list[Pairing]]
    table: Callable[[Sequence[int], Rounds], RoundStandings]


FORMATS = {
    "swiss": Format(_swiss_rounds, _pair_swiss, _swiss_table),
    "knock-out": Format(_knock_out_rounds, _pair_knock_out, _knock_out_table),
    "ladder": Format(_ladder_rounds, _pair_ladder, _ladder_table),
}


def meetings_of(design: Design, tally: Tally) -> tuple[Meeting, ...]:
    """Return the meetings of a round, with what came of them."""
    return tuple(
        Meeting(i, j, tally.pair_score[i][j] - tally.pair_score[j][i])
        for i, j in design.combinations
    )
