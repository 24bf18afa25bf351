"""Comparison of variants: differences from the first one, paired by the deals that both played.

All differences of a comparison are one family with simultaneous intervals; a metric that was
declared beforehand is one by itself. Those of a sweep control the false discovery rate. Every
verdict is read off the interval that is printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trutdsl.comparison.measured import Measurement
from trutdsl.comparison.metrics import NUMBER, SHARE, Metric, metrics_of
from trutdsl.report.labels import ABSENT, DIFFERS, IDENTICAL, LITTLE, OPEN, SAME, UNSEEN
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.multiplicity import FEWEST, Family, family_of, screen
from trutdsl.stats.resampling import (
    Influences,
    Signs,
    compare_pairs,
    correlate,
    pair_family,
    rank_set,
    value_family,
)

# Differences that no table would notice, unless something else is said: of a share 1 in 100, of
# other numbers 2 in 100 of what the base has.
OF_SHARES, OF_NUMBERS = 0.01, 0.02
BOUNDS = {SHARE: (0.0, 1.0), NUMBER: (0.0, None)}


@dataclass(frozen=True)
class Margins:
    """Which differences matter: of shares, of other numbers by part of the base, and by name."""

    shares: float = OF_SHARES
    numbers: float = OF_NUMBERS
    by_name: Mapping[str, float] | None = None

    def fixed(self, metric: Metric) -> float | None:
        """Return the margin of a metric in its own unit, None if it is a part of the base."""
        named = (self.by_name or {}).get(metric.name)
        if named is not None:
            return named
        return self.shares if metric.kind == SHARE else None

    def of(self, metric: Metric, base: Influences, family: Family) -> float:
        """Return the margin of a metric in its own unit.

        Of a part of the base it is the least that this can be: the base belongs to the family, so
        that its interval holds at once with those of the differences.
        """
        fixed = self.fixed(metric)
        if fixed is not None:
            return fixed
        found = base.estimate(family=family)
        low, high = (found.mean if end is None else end for end in (found.low, found.high))
        return self.numbers * max(0.0, low, -high)


@dataclass(frozen=True)
class Row:
    """A metric of two variants.

    base, other: what each has, with an interval that stands alone; None where a variant has no such
                 thing.
    difference:  other less base; its interval holds at once with all others of the comparison.
    effect:      the difference over its standard deviation from set to set (Cohen's d of pairs).
    pairing:     the correlation of the two over the same clusters of deals.
    margin:      which difference matters.
    p:           of no difference, by itself; p_together: for all that is looked at together.
    verdict:     `identical`: no match went differently; `differs`: the interval leaves out 0;
                 `differs a little`: it does, and lies within the margin; `the same`: it holds 0 and
                 lies within the margin; `not told apart`: none of it, or fewer than `FEWEST`
                 clusters; `only there`: one of the games has no such thing; `never came up`: it
                 has, but not in these deals.
    """

    metric: Metric
    base: Estimate | None
    other: Estimate | None
    difference: Estimate | None = None
    effect: float | None = None
    pairing: float | None = None
    margin: float | None = None
    p: float = 1.0
    p_together: float = 1.0
    verdict: str = ABSENT


@dataclass(frozen=True)
class MetricPair:
    """A metric of two variants, as it was measured.

    base, other: None where a variant does not have it, or where it never came up.
    both:        both variants have it.
    alike:       no match at all went differently.
    sets:        that were measured.
    """

    metric: Metric
    base: Influences | None
    other: Influences | None
    both: bool
    alike: bool
    sets: int

    @property
    def difference(self) -> Influences | None:
        """Other less base."""
        if self.base is None or self.other is None:
            return None
        if self.alike:
            return Influences(0.0, (0.0,) * len(self.base.each), exact=True)
        return self.other - self.base


def estimate_all(measured: Measurement) -> dict[str, tuple[Metric, Influences]]:
    """Return every metric that says something of what was measured, by name."""
    metrics = metrics_of(measured.plan, measured.design).values()
    known = ((metric, metric.estimate(measured)) for metric in metrics)
    return {metric.name: (metric, found) for metric, found in known if found is not None}


def bounds_of(metric: Metric) -> tuple[float | None, float | None]:
    """Return the least and the most that a metric can be; None for no end."""
    return (-1.0, 1.0) if metric.signed else BOUNDS.get(metric.kind, (None, None))


def show(metric: Metric, found: Influences) -> Estimate:
    """Return an estimate with an interval that stands alone, cut at what the metric can be."""
    return found.estimate(*bounds_of(metric))


def show_difference(metric: Metric, found: Influences, family: Family) -> Estimate:
    """Return a difference of two variants with its interval, cut at what it can be."""
    least, most = bounds_of(metric)
    if least is None or most is None:
        return found.estimate(family=family)
    return found.estimate(least - most, most - least, family)


def match_metrics(base: Measurement, others: Sequence[Measurement]) -> list[tuple[MetricPair, ...]]:
    """Return the metrics of each other variant beside those of the base.

    All have the same clusters of sets.
    """
    of_base = estimate_all(base)
    return [_match(base, of_base, other) for other in others]


def _match(
    base: Measurement, of_base: Mapping[str, tuple[Metric, Influences]], other: Measurement
) -> tuple[MetricPair, ...]:
    declared = [metrics_of(m.plan, m.design) for m in (base, other)]
    of_other, sets = estimate_all(other), base.tally.sets
    found = []
    for name, metric in {**declared[0], **declared[1]}.items():
        one, two = of_base.get(name), of_other.get(name)
        both = all(name in of for of in declared)
        if (both and all(of[name].rest for of in declared)) or not (one or two):
            continue
        pair = (one and one[1], two and two[1])
        found.append(MetricPair(one[0] if one else metric, *pair, both, alike=False, sets=sets))
    # No match went differently: nothing that both count differs in any cluster.
    same = all(m.base.made_of == m.other.made_of for m in found if m.base and m.other)
    if base.tallies != other.tallies or not same:
        return tuple(found)
    return tuple(replace(one, alike=True) for one in found)


def family_of_all(
    matches: Iterable[MetricPair], margins: Margins, others: Iterable[Influences] = ()
) -> Family:
    """Return the family of all differences, and of the bases of which margins are a part.

    others: what else is looked at together with them.
    """
    told = [m for m in matches if m.base is not None and m.other is not None]
    bases = {
        id(m.base): m.base for m in told if m.base is not None and margins.fixed(m.metric) is None
    }
    differences = [found for m in told if (found := m.difference) is not None]
    everything = [*differences, *bases.values(), *others]
    clusters = len(everything[0].each) if everything else 2
    return family_of((one.column for one in everything), max(clusters - 1, 1))


@dataclass(frozen=True)
class Families:
    """What is looked at together: the metrics that were named, if any, and all others.

    names: of metrics. own: their family. others: that of all others.
    """

    names: tuple[str, ...]
    own: Family
    others: Family

    def of(self, metric: Metric) -> Family:
        return self.own if metric.name in self.names else self.others


def screened_families(matches: Sequence[MetricPair], names: tuple[str, ...]) -> Families:
    """Return families of differences, in each of which the false discovery rate is controlled.

    names: of metrics that are looked at by themselves.
    """
    own = [match for match in matches if match.metric.name in names]
    others = [match for match in matches if match.metric.name not in names]
    return Families(names, *map(_screen, (own, others)))


def _screen(matches: Sequence[MetricPair]) -> Family:
    told = [one for match in matches if (one := match.difference) is not None and not one.exact]
    freedom = len(told[0].each) - 1 if told else 1
    return screen((one.p_zero() for one in told), max(freedom, 1))


def judged_families(
    matches: Sequence[MetricPair],
    margins: Margins,
    primary: str | None,
    parts: Sequence[MetricPair] = (),
    others: Iterable[Influences] = (),
) -> Families:
    """Return the family of a primary metric, its differences only, and that of all others.

    A false "the same" takes a miss at one end, of the difference or of the base, each in 2.5 of
    100: so a margin that is a part of the base does not widen the interval of a primary metric.
    parts: of the points of variants, which have a primary metric among all others.
    """
    names = () if primary is None else (primary,)
    own = [match for match in matches if match.metric.name in names]
    columns = [one.column for match in own if (one := match.difference) is not None]
    freedom = max(len(columns[0]) - 1, 1) if columns else 1
    rest = [match for match in matches if match.metric.name not in names]
    return Families(
        names, family_of(columns, freedom), family_of_all([*rest, *parts], margins, others)
    )


def judge(matches: Iterable[MetricPair], margins: Margins, families: Families) -> tuple[Row, ...]:
    """Return the rows of a variant, with verdicts."""
    return tuple(_row(one, margins, families.of(one.metric)) for one in matches)


def compare_with(
    base: Measurement, others: Sequence[Measurement], margins: Margins, primary: str | None = None
) -> list[tuple[Row, ...]]:
    """Return the rows of each other variant against the base; see `judged_families`."""
    found = match_metrics(base, others)
    families = judged_families([one for of in found for one in of], margins, primary)
    return [judge(of, margins, families) for of in found]


def _row(match: MetricPair, margins: Margins, family: Family) -> Row:
    base, other, difference = match.base, match.other, match.difference
    metric = match.metric
    one, two = (None if found is None else show(metric, found) for found in (base, other))
    if base is None or other is None or difference is None:
        return Row(metric, one, two, verdict=UNSEEN if match.both else ABSENT)
    shown, margin = show_difference(metric, difference, family), margins.of(metric, base, family)
    error = difference.error
    return Row(
        metric,
        one,
        two,
        difference=shown,
        effect=difference.value / (error * match.sets**0.5) if error else None,
        pairing=correlate(base, other),
        margin=margin,
        p=difference.p_zero(),
        p_together=difference.p_zero(family),
        verdict=IDENTICAL if match.alike else read_verdict(shown, margin, len(difference.each)),
    )


def read_verdict(found: Estimate, margin: float, clusters: int) -> str:
    """Return what the interval of a difference says."""
    if clusters < FEWEST or found.low is None or found.high is None:
        return OPEN
    within = -margin < found.low and found.high < margin
    if found.low > 0 or found.high < 0:
        return LITTLE if within else DIFFERS
    return SAME if within else OPEN


@dataclass(frozen=True)
class Ranking:
    """The variants by one metric.

    name:    the metric's; of a counter, `deficit` is that of what each game counts first.
    metric:  the metric in the first of the variants.
    labels:  of the variants that have it.
    values:  of each, with intervals that hold together in 95 of 100.
    reach:   how many standard errors these go to each side, and those of all pairs.
    signs:   which have certainly more than which, all pairs together; see `compare_pairs`.
    """

    name: str
    metric: Metric
    labels: tuple[str, ...]
    values: tuple[Estimate, ...]
    reach: tuple[float, float]
    signs: Signs


def rank_variants(measured: Sequence[tuple[str, Measurement]]) -> list[Ranking]:
    """Return a ranking by each metric that two variants or more have.

    measured: by label; all have the same clusters of sets. With fewer than `FEWEST` clusters
    nothing is told apart.
    """
    found: dict[str, list[tuple[str, Metric, Influences]]] = {}
    for label, one in measured:
        for metric, influences in estimate_all(one).values():
            if not metric.rest:
                name = _name(metric, one)
                found.setdefault(name, []).append((label, metric, influences))
    return [_ranking(name, rows) for name, rows in found.items() if len(rows) > 1]


def _name(metric: Metric, measured: Measurement) -> str:
    counters = measured.plan.counters
    first = counters[0] if counters else ""
    return metric.name.removesuffix(f".{first}") if metric.counter == first else metric.name


def _ranking(name: str, rows: Sequence[tuple[str, Metric, Influences]]) -> Ranking:
    labels, metrics, found = zip(*rows, strict=True)
    of_values, of_pairs = value_family(found), pair_family(found)
    values = tuple(one.estimate(*bounds_of(metrics[0]), of_values) for one in found)
    signs: Signs = ((0,) * len(found),) * len(found)
    if len(found[0].each) >= FEWEST:
        signs = compare_pairs(found, of_pairs)
    reach = (of_values.critical, of_pairs.critical)
    return Ranking(name, metrics[0], labels, values, reach, signs)


def show_ranking(ranking: Ranking) -> dict[str, Any]:
    """Return a ranking as JSON has it: `above` has a row of signs for each variant."""
    places = zip(ranking.labels, ranking.values, map(rank_set, ranking.signs), strict=True)
    return {
        "by": ranking.name,
        "metric": ranking.metric.name,
        "kind": ranking.metric.kind,
        "reach": dict(zip(("values", "pairs"), ranking.reach, strict=True)),
        "variants": [
            {
                "name": label,
                **{name: getattr(value, name) for name in ("mean", "low", "high")},
                "best": best,
                "worst": worst,
            }
            for label, value, (best, worst) in places
        ],
        "above": [list(row) for row in ranking.signs],
    }
