"""False discovery rate: of what is picked from many, at most 5 in 100 is false, on average."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from trutdsl.stats.estimate import ALPHA, DECIMALS, round_p
from trutdsl.stats.family import Family
from trutdsl.stats.special import stdtr, stdtrit


@dataclass(frozen=True)
class Screened(Family):
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


def screen(values: Iterable[float], freedom: Fraction | int) -> Screened:
    """Return the estimates with these p-values, each by itself."""
    found = tuple(sorted(values))
    return Screened(len(found), Fraction(freedom), np.empty(0), found)


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
