"""Multiplicity: false discovery rate, and ranks with simultaneous intervals."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations

import numpy as np

from trutdsl.stats.estimate import ALPHA, DECIMALS, round_p
from trutdsl.stats.interval import Family, family_of
from trutdsl.stats.numeric import stdtr, stdtrit
from trutdsl.stats.resampling import Influences

# False discovery rate: of what is picked from many, at most 5 in 100 is false, on average.


@dataclass(frozen=True)
class ScreenedEstimates(Family):
    """Estimates that are looked through for what differs, as in a sweep.

    values: the p-value of each by itself, ascending.
    """

    values: tuple[float, ...] = ()

    @cached_property
    def critical(self) -> float:
        """The critical value: see `interval_level`."""
        level = interval_level(self.values)
        return round(-stdtrit(float(self.freedom), level / 2), DECIMALS)

    @cached_property
    def _adjusted(self) -> list[float]:
        return correct_discoveries(self.values)

    def p_of(self, statistic: float) -> float:
        """Return the adjusted p-value of one of the estimates over its standard error."""
        alone = round_p(2 * stdtr(float(self.freedom), -abs(statistic)))
        at = bisect_left(self.values, alone)
        return self._adjusted[at] if at < len(self.values) else 1.0


def screen(values: Iterable[float], freedom: Fraction | int) -> ScreenedEstimates:
    """Return the estimates with these p-values, each by itself."""
    found = tuple(sorted(values))
    return ScreenedEstimates(len(found), Fraction(freedom), np.empty(0), found)


def correct_discoveries(values: Sequence[float]) -> list[float]:
    """Return the p-values that Benjamini and Hochberg adjust, in the same order.

    Those at most 5 % are discoveries. Source: Y. Benjamini, Y. Hochberg, J. Royal Statistical
    Society B 57 (1995) 289-300. It holds for independent and for positively dependent tests.
    """
    adjusted, reached = [1.0] * len(values), 1.0
    ranked = sorted(((p, index) for index, p in enumerate(values)), reverse=True)
    for above, (p, index) in enumerate(ranked):
        reached = min(reached, p * len(values) / (len(values) - above))
        adjusted[index] = reached
    return adjusted


def interval_level(values: Sequence[float]) -> float:
    """Return the level at which the interval of each thing is made: 5 % times the share discovered.

    Then the interval of a discovery leaves out 0, that of any other thing holds it, and of the
    intervals of discoveries at most 5 in 100 miss, on average. Without a discovery the level is
    that of one. Source: Y. Benjamini, D. Yekutieli, J. American Statistical Association 100 (2005)
    71-81.
    """
    alpha = float(ALPHA)
    discoveries = sum(p <= alpha for p in correct_discoveries(values))
    return alpha * max(1, discoveries) / max(1, len(values))


# Ranks: which of several estimates is the greatest, and which of them cannot be told apart.
#
# All estimates are over the same clusters, so that the luck which they share falls away. What is
# said of all pairs holds together in 95 of 100 rankings, by the greatest |t| of their differences.
# The intervals of all values hold together in 95 of 100, too: so does that of a value which was
# picked because it is the least, or the most.

Signs = tuple[tuple[int, ...], ...]


def value_family(found: Sequence[Influences]) -> Family:
    return family_of((one.column for one in found), max(1, len(found[0].each) - 1))


def pair_family(found: Sequence[Influences]) -> Family:
    """Return the family of the differences of all pairs."""
    columns = ((one - other).column for one, other in combinations(found, 2))
    return family_of(columns, max(1, len(found[0].each) - 1))


def compare_pairs(found: Sequence[Influences], family: Family) -> Signs:
    """Return a row of signs for each estimate: 1 where it is certainly greater than another one.

    -1 where it is certainly less; 0 where the interval of their difference holds 0, or nothing
    tells its error.
    """
    return tuple(tuple(_sign(one - other, family) for other in found) for one in found)


def agree(one: Signs, other: Signs) -> Signs:
    """Return what two independent rankings of the same things both say of each pair."""
    return tuple(
        tuple(a if a == b else 0 for a, b in zip(row, beside, strict=True))
        for row, beside in zip(one, other, strict=True)
    )


def rank_set(signs: Sequence[int]) -> tuple[int, int]:
    """Return the best and the worst rank that an estimate can have, 1 for the greatest.

    signs: its own row. All rank sets of a ranking hold together whenever its pairs do. Source: M.
    Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm, Review of Economic Studies 91 (2024) 476-518.
    """
    return 1 + signs.count(-1), len(signs) - signs.count(1)


def possible_extremes(signs: Signs, sign: int) -> list[int]:
    """Return the places of all that can be the greatest (sign 1) or the least (-1).

    No two of them are told apart.
    """
    return [place for place, row in enumerate(signs) if -sign not in row]


def _sign(difference: Influences, family: Family) -> int:
    found = difference.estimate(family=family)
    if found.low is None or found.high is None:
        return 0
    return (found.low > 0) - (found.high < 0)
