"""The catalogue of metrics for comparisons, each defined once.

`docs/statistics.md` lists them with formula and source. Most are ratios of counts. A few are
statistics of all clusters, estimated by the jackknife.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations
from math import isnan, sqrt

import numpy as np
from numpy.typing import NDArray

from trutdsl.comparison.measurement import Measurement
from trutdsl.report.labels import COMEBACK
from trutdsl.stats.design import Design
from trutdsl.stats.estimate import Bounds, Estimate, Sums
from trutdsl.stats.multiplicity import Floats
from trutdsl.stats.resampling import Influences, jackknife, ratio_influences
from trutdsl.stats.sequential import sets_to_find
from trutdsl.table.counts import LEADS, STRENGTHS, CountPlan


def spread(part: str, measurement: Measurement, without: int | None) -> float | None:
    """Return the standard deviation of a match's length; part: `deals` or `decisions`."""
    matches, total, squares = (
        int(measurement.part(name, without)) for name in ("matches", part, f"{part}_sq")
    )
    if matches < 2:
        return None
    return sqrt((squares * matches - total * total) / (matches * (matches - 1)))


def noise_of_skill(measurement: Measurement) -> float:
    """Return the variance of the share of strategies if the true one is 0."""
    result, parts = measurement.payoffs, _parts(measurement, None)
    if result is None or parts is None or parts[3] <= 0:
        return 0.0
    # A has each pair twice, and so four times each product of two pairs.
    return _of_squares(*result) / 4 / parts[3] ** 2


def debiased_skill(measurement: Measurement) -> float:
    """Return the noise of squared differences, which is subtracted from the share of strategies."""
    parts = _parts(measurement, None)
    return 0.0 if parts is None else parts[2] / measurement.tally.sets


def _of_squares(each: Floats, sets: Floats) -> float:
    """Return 2 tr(V^2), the variance of a mean's square if the mean is 0; V is its covariance.

    Otherwise the variance has another part 4 mean' V mean, which influences show. each: float64
    (clusters, K, K), means of clusters with these sets.
    """
    n, weights = len(each), sets / sets.sum()
    if n < 2:
        return 0.0
    mean = np.tensordot(weights, each, axes=1)
    around = ((each - mean) * weights[:, None, None]).reshape(n, -1)
    gram = around @ around.T * (n / (n - 1))
    return 2 * float((gram**2).sum())


def sets_needed(measurement: Measurement) -> dict[str, float | None] | None:
    """Return the sets with which a tournament of a typical pair finds their difference.

    The level is 5 %, the power 80 %, see `sets_to_find`. The squares d^2 of a difference and s^2 of
    a set's variance are means over the pairs. The ends are those of d^2 / s^2, with this s. None if
    no number is enough, or without an interval.
    """
    parts = _parts(measurement, None)
    if parts is None:
        return None
    squared, variance = parts[0], parts[2]
    design = measurement.design
    pairs = sum(design.matches_of(*two) > 0 for two in combinations(range(design.strategies), 2))
    mean_square = parts[3] / pairs  # of a match
    deviation = sqrt(variance * mean_square)
    noise = noise_of_skill(measurement) / variance**2 if variance > 0 else 0.0

    def apart(without: int | None) -> float | None:
        """Return the mean squared difference of a pair over the mean variance of a set."""
        parts = _parts(measurement, without)
        return None if parts is None or parts[2] <= 0 else parts[0] / parts[2]

    estimate = jackknife(apart, measurement.clusters, noise)
    ends = Estimate(0.0) if estimate is None else estimate.estimate()

    def sets(apart: float | None) -> float | None:
        return _sets(deviation, deviation**2 * apart) if apart is not None else None

    return {
        "mean": _sets(deviation, squared * mean_square),
        "low": sets(ends.high),
        "high": sets(ends.low),
    }


def _sets(deviation: float, squared: float) -> float | None:
    """Return the sets that find the difference with this square; None if no number is enough."""
    if squared <= 0:
        return None
    return float(sets_to_find(deviation, min(sqrt(squared), 1.0), Bounds(-1, 1)))


def _parts(
    measurement: Measurement, without: int | None
) -> tuple[float, float, float, float] | None:
    """Return shares of strategies and of the deal, a set's variance in units of m2, and all m2.

    The share of strategies is the mean squared difference of a pair over its mean square. For
    results +1 and -1, m2 = d^2 + var: the strategies explain d^2. The share of the deal is the
    similarity of the same seat's results in both matches. It is the negative covariance of the two
    matches of a set, for one strategy, divided by m2.
    """
    design, tallies = measurement.design, measurement.tallies
    whole = measurement.tally
    left = None if without is None else tallies[without]
    unit, sets = design.metric.unit(design.teams), whole.sets - (left.sets if left else 0)
    legs = len(design.orders)
    square = means = variance = 0.0
    for i, j in combinations(range(design.strategies), 2):
        if not design.matches_of(i, j):
            continue

        def of(name: str, a: int, b: int) -> int:
            return int(getattr(whole, name)[a][b] - (getattr(left, name)[a][b] if left else 0))

        total = of("pair_score", i, j) - of("pair_score", j, i)
        squares = of("pair_sq", i, j) + of("pair_sq", j, i) - 2 * of("pair_product", i, j)
        sums = Sums(sets, total, squares, legs * unit)
        if sets < 2:
            return None
        variance += float(sums.variance)
        # The square of a mean is too large by the variance of the mean.
        means += float(sums.mean) ** 2 - float(sums.variance) / sets
        square += of("pair_legs_sq", i, j) / (unit**2 * legs * sets)
    if square <= 0:
        return None
    single = square - means  # the variance of one match
    # Var(mean of m legs) = single / m + (m - 1) / m covariance.
    covariance = (variance - single / legs) * legs / (legs - 1)
    return means / square, -covariance / square, variance / square, square


SHARE, NUMBER = "share", "number"
WEAK = 3  # a weak hand beats fewer than so many of ten hands

Ints = NDArray[np.int64]
RowOf = Callable[..., "_Row"]
Value = Callable[[Measurement, int | None], float | None]


@dataclass(frozen=True)
class Metric:
    """A metric by which games are compared.

    name:  such as `ends.folded`; `report.labels` has its words.
    kind:  `share`, from 0 to 1; `number`, 0 or more; `rate`, which can be negative.
    estimate: its value in a measurement, with influences; None without data.
    counter: its counter, if any.
    rest:  the first of two answers, redundant unless another game has more answers.
    signed: a share from -1 to 1.
    ratio: the rows of counts whose ratio it is, if it is one.
    """

    name: str
    kind: str
    estimate: Callable[[Measurement], Influences | None]
    counter: str = ""
    rest: bool = False
    signed: bool = False
    ratio: tuple[_Row, _Row] | None = None


def metrics_of(plan: CountPlan, design: Design) -> dict[str, Metric]:
    """Return every metric of a game by name, in the order of reports."""
    result = chain(_of_counts(plan), _skill(design))
    return {metric.name: metric for metric in result}


def expected_metrics(plan: CountPlan, counts: Floats) -> list[tuple[Metric, float]]:
    """Return the ratios of expected counts, in the order of reports.

    counts: float64 (plan.size,), NaN where unknown. Ratios of unknown counts are left out.
    """
    result = list[tuple[Metric, float]]()
    for metric in _of_counts(plan):
        if metric.ratio is not None:
            part, whole = (row.expected(counts) for row in metric.ratio)
            if whole > 0 and not isnan(part):
                result.append((metric, part / whole))
    return result


class _Row:
    """A row of weights of all counts, for sums of some of a part."""

    def __init__(self, plan: CountPlan, part: str, weights: Ints | int = 1) -> None:
        self.weights = np.zeros(plan.size, np.int64)
        values = plan.part(part, self.weights)
        values += weights

    def sums(self, counts: Ints) -> Ints:
        few = np.flatnonzero(self.weights)
        result: Ints = counts[:, few] @ self.weights[few]
        return result

    def expected(self, counts: Floats) -> float:
        few = np.flatnonzero(self.weights)
        return float((counts[few] * self.weights[few]).sum())


def _ratio(name: str, kind: str, part: _Row, whole: _Row, counter: str = "") -> Metric:
    def estimate(measurement: Measurement) -> Influences | None:
        return ratio_influences(part.sums(measurement.counts), whole.sums(measurement.counts))

    return Metric(name, kind, estimate, counter, ratio=(part, whole))


def _statistic(
    name: str,
    kind: str,
    value: Value,
    noise: Callable[[Measurement], float] = lambda _: 0.0,
    debiased: Callable[[Measurement], float] = lambda _: 0.0,
) -> Metric:
    def estimate(measurement: Measurement) -> Influences | None:
        of_zero, subtracted = noise(measurement), debiased(measurement)
        values = partial(value, measurement)
        return jackknife(values, measurement.clusters, of_zero, subtracted)

    return Metric(name, kind, estimate)


def _one(size: int, *places: int) -> Ints:
    result = np.zeros(size, np.int64)
    result[list(places)] = 1
    return result


def _lengths(_plan: CountPlan, row: RowOf) -> Iterator[Metric]:
    matches = row("matches")
    yield _ratio("length.deals", NUMBER, row("deals"), matches)
    yield _ratio("length.decisions", NUMBER, row("decisions"), matches)
    yield _ratio("length.per_deal", NUMBER, row("decisions"), row("deals"))
    yield _ratio("length.forced", NUMBER, row("forced"), row("deals"))
    for part in ("deals", "decisions"):
        yield _statistic(f"spread.{part}", NUMBER, partial(spread, part))


def _sides(plan: CountPlan, row: RowOf) -> Iterator[Metric]:
    teams = plan.teams
    drawn, first = _one(teams + 1, teams), _one(teams + 1, 0)
    won = row("winners", 1 - drawn)
    yield _ratio("draws", SHARE, row("winners", drawn), row("matches"))
    yield _ratio("first_dealer", SHARE, row("first_dealer", first), won)
    yield _ratio("first_seat", SHARE, row("winners", first), won)
    for who in ("dealer", "leader") if plan.tricks else ("dealer",):
        part = f"after_{who}"
        yield _ratio(who, SHARE, row(part, _one(teams, 0)), row(part))


def _deals(plan: CountPlan, row: RowOf) -> Iterator[Metric]:
    deals, reasons = row("deals"), len(plan.reasons)
    for place, reason in enumerate(plan.reasons):
        yield _ratio(f"ends.{reason}", SHARE, row("ended", _one(reasons, place)[:, None]), deals)
    yield _ratio("tied_tricks", SHARE, row("tricks", _one(2, 1)), row("tricks"))
    for place, counter in enumerate(plan.counters):
        gains = row("gained", _one(len(plan.counters), place))
        yield _ratio(f"stake.{counter}", NUMBER, gains, deals, counter)


def _answers(plan: CountPlan, row: RowOf) -> Iterator[Metric]:
    at, many = 0, len(plan.options)
    for decision, options in plan.decisions:
        all_answers = row("chosen", _one(many, *range(at, at + len(options))))
        for place, option in enumerate(options, at):
            if len(options) > 1:
                choices = row("chosen", _one(many, place))
                metric = _ratio(f"answer.{decision}.{option}", SHARE, choices, all_answers)
                yield replace(metric, rest=len(options) == 2 and place == at)
        at += len(options)


def _bets(plan: CountPlan, row: RowOf) -> Iterator[Metric]:
    for place, (decision, option) in enumerate(plan.betting):
        weak = _one(len(plan.betting), place)[:, None] * (np.arange(STRENGTHS) < WEAK)
        endings = row("bet_ended", weak[:, :, None, None])
        won = row("bet_ended", weak[:, :, None, None] * _one(3, 0))
        metric = _ratio(f"weak.{decision}.{option}", SHARE, endings, row("offered", weak))
        bets = dict(plan.bets)[decision]
        two = len(bets) == len(dict(plan.decisions)[decision]) == 2
        yield replace(metric, rest=two and bets[0] == option)
        yield _ratio(f"weak_wins.{decision}.{option}", SHARE, won, endings)


def _leads(plan: CountPlan, row: RowOf) -> Iterator[Metric]:
    matches = row("matches")
    for place, counter in enumerate(plan.counters):
        own, places = _one(len(plan.counters), place), np.arange(LEADS)
        each = own[:, None]
        won, back = row("behind", each), row("behind", each * (places >= COMEBACK))
        changes, ahead = row("lead_changes", own), row("led", each * (places > 0))
        yield _ratio(f"lead_changes.{counter}", NUMBER, changes, matches, counter)
        yield _ratio(f"comebacks.{counter}", SHARE, back, won, counter)
        yield _ratio(f"held.{counter}", SHARE, row("held", each), ahead, counter)
        yield _ratio(f"deficit.{counter}", NUMBER, row("deficits", own), won, counter)


def _of_counts(plan: CountPlan) -> Iterator[Metric]:
    for metrics in (_lengths, _sides, _deals, _answers, _bets, _leads):
        yield from metrics(plan, partial(_Row, plan))


def _skill(design: Design) -> Iterator[Metric]:
    """Yield the effects of luck and skill on the winner, if two strategies meet."""
    if design.teams != 2 or design.strategies < 2:
        return
    yield _statistic("skill", SHARE, partial(_part, 0), noise_of_skill, debiased_skill)
    yield replace(_statistic("deal_luck", SHARE, partial(_part, 1)), signed=True)


def _part(number: int, measurement: Measurement, without: int | None) -> float | None:
    parts = _parts(measurement, without)
    return None if parts is None else parts[number]
