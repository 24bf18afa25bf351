"""Interaction: what the points of a variant do together and not each alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trutdsl.comparison.compare import Margins, estimate_all, read_verdict, show_difference
from trutdsl.comparison.measured import Measured
from trutdsl.comparison.metrics import Metric
from trutdsl.report.compared import DIFFERS
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.family import Family
from trutdsl.stats.influence import Influences


@dataclass(frozen=True)
class Interaction:
    """A metric of a variant that was taken apart.

    added: the differences of all points, each alone, added up; whole: that of the variant.
    beyond: whole less added, what the points do only together.
    p:     of there being nothing beyond, for all that is looked at in the comparison.
    clear: the interval leaves out 0, and does not lie within the margin.
    """

    metric: Metric
    added: Estimate
    whole: Estimate
    beyond: Estimate
    margin: float
    p: float
    clear: bool


@dataclass(frozen=True)
class Sum:
    """A metric of a variant, of its base, and what its points, each alone, add up to."""

    metric: Metric
    base: Influences
    added: Influences
    whole: Influences

    @property
    def beyond(self) -> Influences:
        """What the points do only together."""
        return self.whole - self.added


def add_points(
    base: Measured, whole: Measured, points: Sequence[tuple[Measured, Measured]]
) -> list[Sum]:
    """Return what the points add up to, of every metric that all of them have.

    points: each with what it is set against, the base or the base with another pack.
    """
    of_base, of_whole = estimate_all(base), estimate_all(whole)
    of_points = [(estimate_all(one), estimate_all(against)) for one, against in points]
    found = []
    for name, (metric, start) in of_base.items():
        known = name in of_whole and all(name in one and name in two for one, two in of_points)
        if metric.rest or not known:
            continue
        added = Influences(0.0, (0.0,) * len(start.each), exact=True)
        for one, against in of_points:
            added = added + (one[name][1] - against[name][1])
        found.append(Sum(metric, start, added, of_whole[name][1] - start))
    return found


def interactions(sums: Iterable[Sum], margins: Margins, family: Family) -> list[Interaction]:
    """Return what the points do together; the family holds `added` and `beyond` of each sum."""
    found = []
    for one in sums:
        beyond = one.beyond
        shown, margin = beyond.estimate(family=family), margins.of(one.metric, one.base, family)
        verdict = read_verdict(shown, margin, len(beyond.each))
        found.append(
            Interaction(
                one.metric,
                one.added.estimate(family=family),
                show_difference(one.metric, one.whole, family),
                shown,
                margin,
                beyond.p_zero(family),
                verdict == DIFFERS,
            )
        )
    return found
