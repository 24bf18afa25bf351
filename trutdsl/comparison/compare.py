"""Comparison of variants: differences from the first one, paired by the deals that both played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trutdsl.comparison.measured import Measured
from trutdsl.comparison.metrics import NUMBER, SHARE, Metric, metrics_of
from trutdsl.report.compared import ABSENT, DIFFERS, IDENTICAL, LITTLE, OPEN, SAME, UNSEEN
from trutdsl.stats.estimate import ALPHA, Estimate
from trutdsl.stats.holm import correct_holm
from trutdsl.stats.influence import Influences, correlate

# Differences that no table would notice, unless something else is said: of a share 1 in 100, of
# other numbers 2 in 100 of what the base has.
OF_SHARES, OF_NUMBERS = 0.01, 0.02

FEWEST = 20  # clusters; with fewer no verdict is given
BOUNDS = {SHARE: (0.0, 1.0), NUMBER: (0.0, None)}
OF_DIFFERENCES = {SHARE: (-1.0, 1.0)}


@dataclass(frozen=True)
class Margins:
    """Which differences matter: of shares, of other numbers by part of the base, and by name."""

    shares: float = OF_SHARES
    numbers: float = OF_NUMBERS
    by_name: Mapping[str, float] | None = None

    def of(self, metric: Metric, base: float) -> float:
        """Return the margin of a metric, in its own unit."""
        named = (self.by_name or {}).get(metric.name)
        if named is not None:
            return named
        return self.shares if metric.kind == SHARE else self.numbers * abs(base)


@dataclass(frozen=True)
class Row:
    """A metric of two variants.

    base, other: what each has; None where a variant has no such thing.
    difference:  other less base.
    effect:      the difference over its standard deviation from set to set (Cohen's d of pairs).
    pairing:     the correlation of the two over the same clusters of deals.
    margin:      which difference matters.
    differs, equivalent: adjusted p-values of "there is no difference" and of "it is beyond the
                 margin", by Holm over all metrics and variants of the comparison.
    verdict:     `identical`: no match went differently; `differs`; `differs a little`: by less than
                 the margin; `the same`: within the margin; `not told apart`, also if there are
                 fewer than `FEWEST` clusters; `only there`: one of the games has no such thing;
                 `never came up`: it has, but not in these deals.
    """

    metric: Metric
    base: Estimate | None
    other: Estimate | None
    difference: Estimate | None = None
    effect: float | None = None
    pairing: float | None = None
    margin: float | None = None
    differs: float = 1.0
    equivalent: float = 1.0
    verdict: str = ABSENT


@dataclass(frozen=True)
class _Found:
    """The influences of a metric in both variants; alike: no match at all went differently."""

    metric: Metric
    base: Influences
    other: Influences
    margin: float
    alike: bool = False

    @property
    def difference(self) -> Influences:
        if self.alike:
            return Influences(0.0, (0.0,) * len(self.base.each), exact=True)
        return self.other - self.base


def estimate_all(measured: Measured) -> dict[str, tuple[Metric, Influences]]:
    """Return every metric that says something of what was measured, by name."""
    metrics = metrics_of(measured.plan, measured.design).values()
    known = ((metric, metric.estimate(measured)) for metric in metrics)
    return {metric.name: (metric, found) for metric, found in known if found is not None}


def show(metric: Metric, found: Influences) -> Estimate:
    """Return an estimate with its interval, cut at what the metric can be."""
    return found.estimate(*BOUNDS.get(metric.kind, (None, None)))


def show_difference(metric: Metric, found: Influences) -> Estimate:
    """Return a difference of two variants with its interval, cut at what it can be."""
    return found.estimate(*OF_DIFFERENCES.get(metric.kind, (None, None)))


def compare_with(
    base: Measured, others: Sequence[Measured], margins: Margins
) -> list[tuple[Row, ...]]:
    """Return the rows of each other variant against the base; p-values are Holm's over all.

    All have the same clusters of sets.
    """
    of_base, declared = estimate_all(base), metrics_of(base.plan, base.design)
    found: dict[tuple[int, str], _Found] = {}
    rows: list[dict[str, Row]] = []
    for number, other in enumerate(others):
        of_other, here = estimate_all(other), dict[str, Row]()
        declared_there = metrics_of(other.plan, other.design)
        for name, metric in {**declared, **declared_there}.items():
            one, two = of_base.get(name), of_other.get(name)
            both = name in declared and name in declared_there
            if (both and declared[name].rest and declared_there[name].rest) or not (one or two):
                continue
            here[name] = Row(
                metric,
                show(*one) if one else None,
                show(*two) if two else None,
                verdict=UNSEEN if both else ABSENT,
            )
            if one is not None and two is not None:
                margin = margins.of(one[0], one[1].value)
                found[number, name] = _Found(one[0], one[1], two[1], margin)
        rows.append(here)
    # No match went differently: nothing that both count differs in any cluster.
    alike = {number for number, other in enumerate(others) if base.tallies == other.tallies}
    alike -= {n for (n, _), one in found.items() if one.base.made_of != one.other.made_of}
    found = {key: replace(one, alike=key[0] in alike) for key, one in found.items()}
    differs = correct_holm([one.difference.p_zero() for one in found.values()])
    beyond = correct_holm([one.difference.p_beyond(one.margin) for one in found.values()])
    for (key, pair), p, q in zip(found.items(), differs, beyond, strict=True):
        rows[key[0]][key[1]] = _row(pair, p, q, base.tally.sets)
    return [tuple(here.values()) for here in rows]


def _row(found: _Found, differs: float, equivalent: float, sets: int) -> Row:
    difference, error = found.difference, found.difference.error
    effect = difference.value / (error * sets**0.5) if error else None
    return Row(
        found.metric,
        show(found.metric, found.base),
        show(found.metric, found.other),
        show_difference(found.metric, difference),
        effect,
        correlate(found.base, found.other),
        found.margin,
        differs,
        equivalent,
        IDENTICAL if found.alike else _verdict(differs, equivalent, len(difference.each)),
    )


def _verdict(differs: float, equivalent: float, clusters: int) -> str:
    level = float(ALPHA)
    if clusters < FEWEST:
        return OPEN
    if differs <= level:
        return LITTLE if equivalent <= level else DIFFERS
    return SAME if equivalent <= level else OPEN
