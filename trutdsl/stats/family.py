"""Simultaneous inference: one critical value for all estimates that are looked at together.

A family of estimates has simultaneous 95 % intervals, value +- c spread, if all of them hold in 95
of 100 cases. How many of them count as one, as they hang together, is told by the greatest |Z| of
normal variables with the correlation of their influences (max-t, single step; a Gaussian multiplier
bootstrap over clusters): c is the point that Student's t exceeds as seldom as a normal variable
does the 95 % point of the greatest. That is Sidak's value where they have nothing to do with each
other, and Student's where all are the same. T. Hothorn, F. Bretz, P. Westfall, Biometrical Journal
50 (2008) 346-363; V. Chernozhukov, D. Chetverikov, K. Kato, Annals of Statistics 41 (2013)
2786-2819. All draws are hashed, so that the same estimates have the same intervals everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from trutdsl.stats.estimate import ALPHA, DECIMALS, quantile, round_p
from trutdsl.stats.hashed import Floats, normals
from trutdsl.stats.special import ndtr, ndtri, stdtr, stdtrit

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
