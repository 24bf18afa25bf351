"""Ranks of variants: which of them have most of a metric, and which cannot be told apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from trutdsl.comparison.compare import bounds_of, estimate_all
from trutdsl.comparison.measured import Measurement
from trutdsl.comparison.metrics import Metric
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.multiplicity import FEWEST
from trutdsl.stats.resampling import (
    Influences,
    Signs,
    compare_pairs,
    pair_family,
    rank_set,
    value_family,
)


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
