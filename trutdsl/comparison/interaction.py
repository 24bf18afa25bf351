"""Interaction: what the points of a variant do together and not each alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trutdsl.comparison.compare import FEWEST, Margins, estimate_all, show_difference
from trutdsl.comparison.measured import Measured
from trutdsl.comparison.metrics import Metric
from trutdsl.stats.estimate import ALPHA, Estimate
from trutdsl.stats.holm import correct_holm
from trutdsl.stats.influence import Influences


@dataclass(frozen=True)
class Interaction:
    """A metric of a variant that was taken apart.

    added: the differences of all points, each alone, added up; whole: that of the variant.
    beyond: whole less added, what the points do only together.
    p:     of there being nothing beyond, by Holm over all metrics.
    clear: it is sure and more than matters.
    """

    metric: Metric
    added: Estimate
    whole: Estimate
    beyond: Estimate
    p: float
    clear: bool


def interactions(
    base: Measured,
    whole: Measured,
    points: Sequence[tuple[Measured, Measured]],
    margins: Margins,
) -> list[Interaction]:
    """Return what the points do together, of every metric that all of them have.

    points: each with what it is set against, the base or the base with another pack.
    """
    of_base, of_whole = estimate_all(base), estimate_all(whole)
    of_points = [(estimate_all(one), estimate_all(against)) for one, against in points]
    found: list[tuple[Metric, Influences, Influences]] = []
    for name, (metric, start) in of_base.items():
        known = name in of_whole and all(name in one and name in two for one, two in of_points)
        if metric.rest or not known:
            continue
        added = Influences(0.0, (0.0,) * len(start.each), exact=True)
        for one, against in of_points:
            added = added + (one[name][1] - against[name][1])
        found.append((metric, added, of_whole[name][1] - start))
    beyond = [whole_of - added for _, added, whole_of in found]
    corrected = correct_holm([one.p_zero() for one in beyond])
    return [
        Interaction(
            metric,
            added.estimate(),
            show_difference(metric, whole_of),
            more.estimate(),
            p,
            p <= float(ALPHA)
            and len(more.each) >= FEWEST
            and abs(more.value) > margins.of(metric, of_base[metric.name][1].value),
        )
        for (metric, added, whole_of), more, p in zip(found, beyond, corrected, strict=True)
    ]
