"""Duplicate gain: what playing the same deals in every seating brings."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from trutdsl.stats.design import Design
from trutdsl.stats.estimate import Bounds, Sums
from trutdsl.stats.tally import Tally


@dataclass(frozen=True)
class Pairing:
    """How the matches of a set between two strategies hang together.

    gain:        how many times the variance of a mean is smaller than over as many single matches
                 on deals of their own: Var(single) / (m Var(mean of a set)), m matches a set.
    correlation: of two matches of a set, rho in gain = 1 / (1 + (m - 1) rho).
    """

    gain: float
    correlation: float


def measure_pairing(tally: Tally, design: Design, i: int, j: int) -> Pairing | None:
    """Return the gain of a pair, None where the sets do not vary or are fewer than two."""
    legs = design.matches_of(i, j)
    sums = pair_difference(tally, design, i, j)
    if sums.sets < 2 or legs < 2 or sums.variance == 0:
        return None
    matches, unit = legs * tally.sets, design.metric.unit(design.teams)
    squares = Fraction(tally.pair_legs_sq[i][j], unit**2)
    single = (squares - matches * sums.mean**2) / (matches - 1)
    gain = single / (legs * sums.variance)
    if gain == 0:
        return None
    return Pairing(float(gain), float((1 / gain - 1) / (legs - 1)))


def pair_bounds(design: Design, i: int, j: int) -> Bounds:
    """Return what the difference of two can be in one set, by how many combinations they meet in.

    Of points, which have no bounds, it is one unit of the dearest counter.
    """
    reach = design.metric.reach
    return Bounds(-reach, reach, Fraction(1, (design.matches_of(i, j) // len(design.orders)) ** 2))


def pair_difference(tally: Tally, design: Design, i: int, j: int) -> Sums:
    """Return the sums of what i has more than j in a match that both play in."""
    return Sums(
        tally.sets,
        tally.pair_score[i][j] - tally.pair_score[j][i],
        tally.pair_sq[i][j] + tally.pair_sq[j][i] - 2 * tally.pair_product[i][j],
        design.matches_of(i, j) * design.metric.unit(design.teams),
    )
