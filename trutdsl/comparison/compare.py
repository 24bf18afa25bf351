"""Comparison of variants: differences from the first one, paired by the deals of both.

All differences of a comparison are one family with simultaneous intervals. A metric that was
declared beforehand is a separate family. Sweeps control the false discovery rate. Every verdict
follows from the printed interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from trutdsl.comparison.measurement import Measurement
from trutdsl.comparison.metrics import NUMBER, SHARE, Metric, metrics_of
from trutdsl.report.labels import ABSENT, DIFFERS, IDENTICAL, LITTLE, OPEN, SAME, UNKNOWN, UNSEEN
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.multiplicity import Family, family_of, screen
from trutdsl.stats.resampling import (
    Influences,
    compare_pairs,
    correlate,
    pair_family,
    rank_set,
    value_family,
)

# The default margins: of shares, and of other numbers as parts of the base.
OF_SHARES, OF_NUMBERS = 0.01, 0.02
CACHE_SIZE = 32  # measurements whose metrics are in memory
BOUNDS = {SHARE: (0.0, 1.0), NUMBER: (0.0, None)}


@dataclass(frozen=True)
class Margins:
    """The least differences that matter.

    shares:  of shares.
    numbers: of other numbers, as parts of the base.
    by_name: of single metrics.
    """

    shares: float = OF_SHARES
    numbers: float = OF_NUMBERS
    by_name: Mapping[str, float] | None = None

    def fixed(self, metric: Metric) -> float | None:
        """Return the margin of a metric in its unit, None if it is a part of the base."""
        margin = (self.by_name or {}).get(metric.name)
        if margin is not None:
            return margin
        return self.shares if metric.kind == SHARE else None

    def of(self, metric: Metric, base: Influences, family: Family) -> float:
        """Return the margin of a metric in its unit.

        A part of the base refers to the least value of its interval. The base belongs to the
        family, so its interval is simultaneous with those of the differences.
        """
        margin = self.fixed(metric)
        if margin is not None:
            return margin
        estimate = base.estimate(family=family)
        low, high = (estimate.mean if end is None else end for end in (estimate.low, estimate.high))
        return self.numbers * max(0.0, low, -high)


@dataclass(frozen=True)
class MetricDifference:
    """A metric of the base and of another variant.

    metric:      its name.
    kind:        share or number.
    base, other: the values, with unadjusted intervals; null for a variant without the metric.
    difference:  other less base; its interval is simultaneous with all others of the comparison.
    effect:      the difference over its standard deviation from set to set (Cohen's d of pairs).
    pairing:     the correlation of the two over the same clusters of deals.
    margin:      the least difference that matters.
    p:           of no difference, unadjusted; null without an interval.
    p_together:  the same, adjusted for the family.
    verdict:     one of these:
                 - `identical`: all matches are equal. There is no interval: others may not be.
                 - `differs`: the interval excludes 0.
                 - `differs a little`: the interval excludes 0 and is within the margin.
                 - `the same`: the interval contains 0 and is within the margin.
                 - `not told apart`: undecided. None of these.
                 - `no interval`: there is one cluster only, or the metric does not vary.
                 - `only there`: one of the games lacks the metric.
                 - `never came up`: the metric has no data in these deals.
    """

    metric: str
    kind: str
    base: Estimate | None
    other: Estimate | None
    difference: Estimate | None = None
    effect: float | None = None
    pairing: float | None = None
    margin: float | None = None
    p: float | None = None
    p_together: float | None = None
    verdict: str = ABSENT


@dataclass(frozen=True)
class MetricPair:
    """A metric of two variants, measured.

    base, other: None if a variant does not have it, or has no data.
    both:        both variants have it.
    alike:       all matches are equal.
    sets:        the number of measured sets.
    difference:  without influences, and so without an interval, if all matches are equal, or if one
                 of both does not vary: its error is unknown, and not 0.
    """

    metric: Metric
    base: Influences | None
    other: Influences | None
    both: bool
    alike: bool
    sets: int

    @property
    def difference(self) -> Influences | None:
        if self.base is None or self.other is None:
            return None
        difference = self.other - self.base
        if self.alike or not (self.base.spread and self.other.spread):
            return Influences(difference.value, (0.0,) * len(difference.each))
        return difference


def estimate_all(measurement: Measurement) -> dict[str, tuple[Metric, Influences]]:
    """Return every metric with data, by name; each call has estimates of its own in a family."""
    result = _estimates_of(measurement).items()
    return {name: (metric, replace(estimate)) for name, (metric, estimate) in result}


@lru_cache(maxsize=CACHE_SIZE)
def _estimates_of(measurement: Measurement) -> dict[str, tuple[Metric, Influences]]:
    metrics = metrics_of(measurement.plan, measurement.design).values()
    known = ((metric, metric.estimate(measurement)) for metric in metrics)
    return {metric.name: (metric, result) for metric, result in known if result is not None}


def bounds_of(metric: Metric) -> tuple[float | None, float | None]:
    """Return the bounds of a metric; None for no bound."""
    return (-1.0, 1.0) if metric.signed else BOUNDS.get(metric.kind, (None, None))


def show(metric: Metric, influences: Influences) -> Estimate:
    """Return an estimate with an unadjusted interval, cut at the bounds of the metric."""
    return influences.estimate(*bounds_of(metric))


def show_difference(metric: Metric, influences: Influences, family: Family) -> Estimate:
    """Return a difference of two variants with its interval, cut at the bounds of differences."""
    least, most = bounds_of(metric)
    if least is None or most is None:
        return influences.estimate(family=family)
    return influences.estimate(least - most, most - least, family)


def match_metrics(base: Measurement, others: Sequence[Measurement]) -> list[tuple[MetricPair, ...]]:
    """Return the metrics of each other variant beside those of the base, over the same clusters."""
    of_base = estimate_all(base)
    return [_match(base, of_base, other) for other in others]


def _match(
    base: Measurement, of_base: Mapping[str, tuple[Metric, Influences]], other: Measurement
) -> tuple[MetricPair, ...]:
    metrics = [metrics_of(m.plan, m.design) for m in (base, other)]
    of_other, sets = estimate_all(other), base.tally.sets
    result = []
    for name, metric in {**metrics[0], **metrics[1]}.items():
        one, two = of_base.get(name), of_other.get(name)
        both = all(name in of for of in metrics)
        if (both and all(of[name].rest for of in metrics)) or not (one or two):
            continue
        pair = (one and one[1], two and two[1])
        result.append(MetricPair(one[0] if one else metric, *pair, both, alike=False, sets=sets))
    # All matches are equal if all shared counts of all clusters are equal.
    same = all(m.base.made_of == m.other.made_of for m in result if m.base and m.other)
    if base.tallies != other.tallies or not same:
        return tuple(result)
    return tuple(replace(one, alike=True) for one in result)


def family_of_all(
    matches: Iterable[MetricPair], margins: Margins, others: Iterable[Influences] = ()
) -> Family:
    """Return the family of all differences, of bases that margins depend on, and of others."""
    bases, differences = dict[int, Influences](), list[Influences]()
    for match in matches:
        if match.base is not None and (difference := match.difference) is not None:
            differences.append(difference)
            if margins.fixed(match.metric) is None:
                bases[id(match.base)] = match.base
    everything = [*differences, *bases.values(), *others]
    clusters = len(everything[0].each) if everything else 2
    return family_of((one.column for one in everything), max(clusters - 1, 1))


@dataclass(frozen=True)
class Families:
    """The families of a comparison; names: of selected metrics; own: their family."""

    names: tuple[str, ...]
    own: Family
    others: Family

    def of(self, metric: Metric) -> Family:
        return self.own if metric.name in self.names else self.others


def screen_families(matches: Sequence[MetricPair], names: tuple[str, ...]) -> Families:
    """Return families of differences that control the false discovery rate, see `Families`."""
    own = [match for match in matches if match.metric.name in names]
    others = [match for match in matches if match.metric.name not in names]
    return Families(names, *map(_screen, (own, others)))


def _screen(matches: Sequence[MetricPair]) -> Family:
    differences = (match.difference for match in matches if not match.alike)
    result = [one for one in differences if one is not None]
    freedom = len(result[0].each) - 1 if result else 1
    return screen((one.p_zero() for one in result), max(freedom, 1))


def judge_families(
    matches: Sequence[MetricPair],
    margins: Margins,
    primary: str | None,
    parts: Sequence[MetricPair] = (),
    others: Iterable[Influences] = (),
) -> Families:
    """Return the family of a primary metric, its differences only, and that of all others.

    A false "the same" needs a miss at one end of the difference or of the base, each in 2.5 of 100
    cases. So a margin as a part of the base does not widen the interval of a primary metric. parts:
    of the points of variants, whose primary metric is among all others.
    """
    names = () if primary is None else (primary,)
    own = [match for match in matches if match.metric.name in names]
    columns = [one.column for match in own if (one := match.difference) is not None]
    freedom = max(len(columns[0]) - 1, 1) if columns else 1
    rest = [match for match in matches if match.metric.name not in names]
    return Families(
        names, family_of(columns, freedom), family_of_all([*rest, *parts], margins, others)
    )


def judge(
    matches: Iterable[MetricPair], margins: Margins, families: Families
) -> tuple[MetricDifference, ...]:
    """Return the metrics of a variant, with verdicts."""
    return tuple(_judge(one, margins, families.of(one.metric)) for one in matches)


def _judge(match: MetricPair, margins: Margins, family: Family) -> MetricDifference:
    base, other, difference = match.base, match.other, match.difference
    metric = match.metric
    one, two = (
        None if influences is None else show(metric, influences) for influences in (base, other)
    )
    if base is None or other is None or difference is None:
        verdict = UNSEEN if match.both else ABSENT
        return MetricDifference(metric.name, metric.kind, one, two, verdict=verdict)
    estimate, margin = show_difference(metric, difference, family), margins.of(metric, base, family)
    error, unknown = difference.error, estimate.low is None
    return MetricDifference(
        metric.name,
        metric.kind,
        one,
        two,
        difference=estimate,
        effect=difference.value / (error * match.sets**0.5) if error else None,
        pairing=correlate(base, other),
        margin=margin,
        p=None if unknown else difference.p_zero(),
        p_together=None if unknown else difference.p_zero(family),
        verdict=IDENTICAL if match.alike else read_verdict(estimate, margin),
    )


def read_verdict(estimate: Estimate, margin: float) -> str:
    if estimate.low is None or estimate.high is None:
        return UNKNOWN
    within = -margin < estimate.low and estimate.high < margin
    if estimate.low > 0 or estimate.high < 0:
        return LITTLE if within else DIFFERS
    return SAME if within else OPEN


def rank_variants(measurements: Sequence[tuple[str, Measurement]]) -> list[dict[str, Any]]:
    """Return a ranking by each metric that two variants or more have: `Ranking` of `cli.printed`.

    measurements: by label, over the same clusters. A metric `deficit` without a counter is that of
    the first counter of each game. The intervals of values are simultaneous, and so are ranks.
    """
    result: dict[str, list[tuple[str, Metric, Influences]]] = {}
    for label, one in measurements:
        for metric, influences in estimate_all(one).values():
            if not metric.rest:
                name = _name(metric, one)
                result.setdefault(name, []).append((label, metric, influences))
    return [_ranking(name, rows) for name, rows in result.items() if len(rows) > 1]


def _name(metric: Metric, measurement: Measurement) -> str:
    counters = measurement.plan.counters
    first = counters[0] if counters else ""
    return metric.name.removesuffix(f".{first}") if metric.counter == first else metric.name


def _ranking(name: str, rows: Sequence[tuple[str, Metric, Influences]]) -> dict[str, Any]:
    labels, (metric, *_), estimates = zip(*rows, strict=True)
    of_values, of_pairs = value_family(estimates), pair_family(estimates)
    signs, variants = compare_pairs(estimates, of_pairs), []
    for label, one, row in zip(labels, estimates, signs, strict=True):
        value, (best, worst) = one.estimate(*bounds_of(metric), of_values), rank_set(row)
        ends = {"mean": value.mean, "low": value.low, "high": value.high}
        variants.append({"name": label, **ends, "best": best, "worst": worst})
    return {
        "by": name,
        "metric": metric.name,
        "kind": metric.kind,
        "reach": {"values": of_values.critical, "pairs": of_pairs.critical},
        "variants": variants,
        "above": [list(row) for row in signs],
    }
