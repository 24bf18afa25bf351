"""Multiplicity: simultaneous intervals of many estimates, and the false discovery rate."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from trutdsl.stats.numeric import (
    ALPHA,
    DECIMALS,
    Floats,
    ndtr,
    ndtri,
    normals,
    quantile,
    round_p,
    stdtr,
    stdtrit,
)

# Simultaneous inference: one critical value for all estimates that are looked at together.
#
# A family of estimates has simultaneous 95 % intervals, value +- c spread, if all of them hold in
# 95 of 100 cases. How many of them count as one, as they hang together, is told by the greatest
# |Z| of normal variables with the correlation of their influences (max-t, single step; a Gaussian
# multiplier bootstrap over clusters): c is the point that Student's t exceeds as seldom as a
# normal variable does the 95 % point of the greatest. That is Sidak's value where they have
# nothing to do with each other, and Student's where all are the same. T. Hothorn, F. Bretz, P.
# Westfall, Biometrical Journal 50 (2008) 346-363; V. Chernozhukov, D. Chetverikov, K. Kato, Annals
# of Statistics 41 (2013) 2786-2819. All draws are hashed, so that the same estimates have the same
# intervals everywhere.

DRAWS = 20_000
FEWEST = 20  # clusters; with fewer they do not tell how estimates hang together
AT_ONCE = 256  # estimates whose draws are in memory together
NEAR = 1e-12  # what is less is an influence that rounding has left


@dataclass(frozen=True)
class Family:
    """Estimates that are looked at together.

    size:     how many they are.
    freedom:  degrees of freedom of each.
    greatest: draws of the greatest |Z|, ascending; none where clusters are too few to tell how
              estimates hang together: then Bonferroni's is the critical value.
    """

    size: int
    freedom: Fraction
    greatest: Floats

    @cached_property
    def critical(self) -> float:
        """The critical value: an interval reaches so many standard errors to either side."""
        single, most = (
            quantile(1 - ALPHA / (2 * tails), self.freedom) for tails in (1, max(self.size, 1))
        )
        if not len(self.greatest):
            return most
        point = self.greatest[int(len(self.greatest) * (1 - ALPHA)) - 1]
        found = -stdtrit(float(self.freedom), ndtr(-float(point)))
        return min(max(round(found, DECIMALS), single), most)

    def p_of(self, statistic: float) -> float:
        """Return the p-value of an estimate over its standard error, for all together.

        It is at most 5 % where the interval leaves out 0.
        """
        alone = 2 * stdtr(float(self.freedom), -abs(statistic))
        most = min(1.0, max(self.size, 1) * alone)
        if not len(self.greatest):
            return round_p(most)
        below = int(np.searchsorted(self.greatest, -ndtri(alone / 2), side="left"))
        return round_p(min(max(1 - below / len(self.greatest), alone), most))


def family_of(
    columns: Iterable[Floats], freedom: Fraction | int, clusters: int | None = None
) -> Family:
    """Return the family of estimates with these influences, of one length.

    They are in units of their standard errors, so that the squares of each add up to 1, or to less
    where what else is in its error makes it no more likely to be the greatest. What they are of is
    independent of each other: clusters, and perhaps more; clusters: how many these are.
    """
    kept = [column for column in columns if float(column @ column) > NEAR]
    few = not kept or (len(kept[0]) if clusters is None else clusters) < FEWEST
    none = np.empty(0)
    if few or len(kept) == 1:
        return Family(len(kept), Fraction(freedom), none)
    each = np.array(kept)
    greatest: Floats = np.zeros(DRAWS)
    drawn = normals(DRAWS, each.shape[1])
    for at in range(0, len(each), AT_ONCE):
        drawn_of = drawn @ each[at : at + AT_ONCE].T
        greatest = np.maximum(greatest, np.abs(drawn_of).max(axis=1))
    greatest.sort()
    return Family(len(kept), Fraction(freedom), greatest.round(DECIMALS))


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
