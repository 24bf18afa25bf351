"""Two independent runs of the same comparison: what both of them say, and both together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

from trutdsl.stats.beta import stdtr
from trutdsl.stats.resampling import Signs, rank_set

Results = Mapping[str, Any]
Runs = Sequence[Results]  # the same comparison with two seeds
HALF = 0.5


@dataclass(frozen=True)
class Pooled:
    """The mean of two independent estimates with its interval; None where there is none."""

    mean: float
    low: float | None
    high: float | None
    kind: str


@dataclass(frozen=True)
class Ranking:
    """The variants by one metric, as two runs have it.

    values: of both runs together, by variant; their intervals hold together.
    signs:  which variants have more than which in both runs, all pairs of a run together.
    sides:  of each variant, 1 where both runs put it above a half for certain, -1 below, else 0.
    wrong:  at most so likely is it that one of these signs or sides is wrong.
    """

    values: Mapping[str, Pooled]
    signs: Signs
    sides: Mapping[str, int]
    wrong: float

    @property
    def names(self) -> Sequence[str]:
        """The variants, in the order of `signs`."""
        return list(self.values)

    def ranks(self) -> dict[str, tuple[int, int]]:
        """Return the best and the worst rank that each variant can have, 1 for the most."""
        return dict(zip(self.names, map(rank_set, self.signs), strict=True))

    def extremes(self, sign: int) -> list[str]:
        """Return the variants that can have the most (1) or the least (-1)."""
        return [n for n, row in zip(self.names, self.signs, strict=True) if -sign not in row]

    def orders(self) -> set[tuple[str, str]]:
        """Return which variant has certainly more than which."""
        return {
            (one, other)
            for one, row in zip(self.names, self.signs, strict=True)
            for other, sign in zip(self.names, row, strict=True)
            if sign > 0
        }


def pool(one: Mapping[str, Any], other: Mapping[str, Any], kind: str) -> Pooled:
    """Return the mean of two independent estimates, each with an interval.

    The distance from it to either end is half the root of the sum of the squares of those of the
    two (G. Y. Zou, A. Donner, Statistics in Medicine 27 (2008) 1693-1702).
    """
    mean = (one["mean"] + other["mean"]) / 2
    if any(run[end] is None for run in (one, other) for end in ("low", "high")):
        return Pooled(mean, None, None, kind)
    below, above = (
        hypot(*(run["mean"] - run[end] for run in (one, other))) / 2 for end in ("low", "high")
    )
    return Pooled(mean, mean - below, mean + above, kind)


def ranking_of(runs: Runs, metric: str) -> Ranking | None:
    """Return the ranking by a metric; None where no two variants have it."""
    one, other = (next((r for r in run["ranks"] if r["by"] == metric), None) for run in runs)
    if one is None or other is None:
        return None
    values_of_one, values_of_other = (
        {variant["name"]: variant for variant in run["variants"]} for run in (one, other)
    )
    names = [name for name in values_of_one if name in values_of_other]
    pairs = {name: (values_of_one[name], values_of_other[name]) for name in names}
    values = {name: pool(a, b, one["kind"]) for name, (a, b) in pairs.items()}
    sides = {n: _side(a) if _side(a) == _side(b) else 0 for n, (a, b) in pairs.items()}
    freedom = float(min(run["comparison"]["clusters"] for run in runs) - 1)
    signs = tuple(
        tuple(a if a == b else 0 for a, b in zip(*rows, strict=True))
        for rows in zip(*(_signs(run, names) for run in (one, other)), strict=True)
    )
    wrong = 0.0
    for of, many in (("pairs", len(names) * (len(names) - 1) // 2), ("values", len(names))):
        # A thing has two wrong signs at most, and both runs have to say the same one.
        tails = [stdtr(freedom, -run["reach"][of]) for run in (one, other)]
        wrong += 2 * many * tails[0] * tails[1]
    return Ranking(values, signs, sides, wrong)


def _signs(run: Mapping[str, Any], names: Sequence[str]) -> Signs:
    """Return the signs of a run between some of its variants."""
    places = [[v["name"] for v in run["variants"]].index(name) for name in names]
    return tuple(tuple(run["above"][i][j] for j in places) for i in places)


def in_all(rankings: Sequence[Ranking]) -> set[tuple[str, str]]:
    """Return the orders of two variants that hold by each of some rankings."""
    return set.intersection(*(ranking.orders() for ranking in rankings))


def reversed_in_some(main: Ranking, others: Sequence[Ranking]) -> set[tuple[str, str]]:
    """Return the orders of a ranking that come out the other way in one of others."""
    return {(a, b) for a, b in main.orders() if any((b, a) in one.orders() for one in others)}


def ledger_rows(runs: Runs) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    """Yield each variant's row of the bluff ledger with the one of the other run."""
    for one, other in zip(*(run["variants"] for run in runs), strict=True):
        beside = {_bet(row): row for row in other["ledger"]}
        for row in one["ledger"]:
            if _bet(row) in beside:
                yield one["name"], row, beside[_bet(row)]


def _bet(row: Mapping[str, Any]) -> tuple[str, str, int]:
    return row["question"], row["option"], row["beats"]


def _side(value: Mapping[str, Any]) -> int:
    """Return on which side of a half an interval lies."""
    if value["low"] is None:
        return 0
    return int(value["low"] > HALF) - int(value["high"] < HALF)
