"""The catalogue of metrics: what a game is compared by, each defined once.

`docs/statistics.md` lists them with formula and source. Most are ratios of what is counted; a few
are statistics of the whole (`statistics`), estimated by the jackknife.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from trutdsl.comparison import statistics
from trutdsl.comparison.measured import Measurement
from trutdsl.report.labels import COMEBACK
from trutdsl.stats.design import Design
from trutdsl.stats.resampling import Influences, jackknife, ratio_influences
from trutdsl.table.counts import GAINS, LEADS, STRENGTHS, CountPlan

SHARE, NUMBER, RATE = "share", "number", "rate"
WEAK = 3  # a hand is weak that beats fewer than so many in ten

Ints = NDArray[np.int64]
Value = Callable[[Measurement, int | None], float | None]


@dataclass(frozen=True)
class Metric:
    """One thing by which games are compared.

    name:  as it stands in tables, such as `ends.folded`; `report.labels` has its words.
    kind:  `share`, from 0 to 1; `number`, 0 or more; `rate`, which can be less than 0.
    estimate: its value in what was measured, with influences; None where it says nothing.
    counter: the counter that it is about, if it is about one.
    rest:  the first of two answers, of which the second one tells all; of use only beside a game in
           which there are more.
    signed: a share that can be less than 0, too, down to -1.
    """

    name: str
    kind: str
    estimate: Callable[[Measurement], Influences | None]
    counter: str = ""
    rest: bool = False
    signed: bool = False


def metrics_of(plan: CountPlan, design: Design) -> dict[str, Metric]:
    """Return every metric of a game, by name, in the order in which they are shown."""
    found = [
        *_lengths(plan),
        *_sides(plan),
        *_deals(plan),
        *_answers(plan),
        *_bets(plan),
        *_leads(plan),
        *_skill(design),
    ]
    return {metric.name: metric for metric in found}


class _Row:
    """A row of weights over all that is counted, from which a part or a whole is summed."""

    def __init__(self, plan: CountPlan) -> None:
        self.plan, self.weights = plan, np.zeros(plan.size, np.int64)

    def of(self, part: str, weights: Ints | int = 1) -> _Row:
        """Add a part, its numbers weighed."""
        shape, at = self.plan.shapes[part], self.plan.offsets[part]
        size = int(np.prod(shape))
        filled = np.broadcast_to(np.asarray(weights, np.int64), shape)
        self.weights[at : at + size] += filled.reshape(-1)
        return self

    def sums(self, counts: Ints) -> Ints:
        """Return the sum of each row of counts, of the few numbers that weigh anything."""
        few = np.flatnonzero(self.weights)
        found: Ints = counts[:, few] @ self.weights[few]
        return found


def _ratio(name: str, kind: str, part: _Row, whole: _Row, counter: str = "") -> Metric:
    def estimate(measured: Measurement) -> Influences | None:
        return ratio_influences(part.sums(measured.counts), whole.sums(measured.counts))

    return Metric(name, kind, estimate, counter)


def _statistic(
    name: str,
    kind: str,
    value: Value,
    noise: Callable[[Measurement], float] = lambda _: 0.0,
    debiased: Callable[[Measurement], float] = lambda _: 0.0,
) -> Metric:
    def estimate(measured: Measurement) -> Influences | None:
        clusters, of_squares = measured.clusters, noise(measured)
        subtracted = debiased(measured)
        return jackknife(lambda without: value(measured, without), clusters, of_squares, subtracted)

    return Metric(name, kind, estimate)


def _one(size: int, *places: int) -> Ints:
    """Return weights 1 at these places, 0 elsewhere."""
    found = np.zeros(size, np.int64)
    found[list(places)] = 1
    return found


def _lengths(plan: CountPlan) -> Iterator[Metric]:
    def row(part: str) -> _Row:
        return _Row(plan).of(part)

    matches = row("matches")
    yield _ratio("length.deals", NUMBER, row("deals"), matches)
    yield _ratio("length.decisions", NUMBER, row("decisions"), matches)
    yield _ratio("length.per_deal", NUMBER, row("decisions"), row("deals"))
    yield _ratio("length.forced", NUMBER, row("forced"), row("deals"))
    for part in ("deals", "decisions"):
        yield _statistic(f"spread.{part}", NUMBER, statistics.spread(part))


def _sides(plan: CountPlan) -> Iterator[Metric]:
    """Yield what comes of where one sits."""
    teams = plan.teams
    matches = _Row(plan).of("matches")
    drawn = _Row(plan).of("winners", _one(teams + 1, teams))
    yield _ratio("draws", SHARE, drawn, matches)
    won = _Row(plan).of("winners", 1 - _one(teams + 1, teams))
    first = _Row(plan).of("first_dealer", _one(teams + 1, 0))
    yield _ratio("first_dealer", SHARE, first, won)
    place = _Row(plan).of("winners", _one(teams + 1, 0))
    yield _ratio("first_seat", SHARE, place, won)
    dealt = _Row(plan).of("after_dealer", _one(teams, 0))
    yield _ratio("dealer", SHARE, dealt, _Row(plan).of("after_dealer"))
    if plan.tricks:
        led = _Row(plan).of("after_leader", _one(teams, 0))
        yield _ratio("leader", SHARE, led, _Row(plan).of("after_leader"))


def _deals(plan: CountPlan) -> Iterator[Metric]:
    """Yield how deals end, and what they bring."""
    deals, reasons = _Row(plan).of("deals"), len(plan.reasons)
    for place, reason in enumerate(plan.reasons):
        ended = _Row(plan).of("ended", _one(reasons, place)[:, None])
        yield _ratio(f"ends.{reason}", SHARE, ended, deals)
    tied = _Row(plan).of("tricks", _one(2, 1))
    yield _ratio("tied_tricks", SHARE, tied, _Row(plan).of("tricks"))
    for place, counter in enumerate(plan.counters):
        row = _one(len(plan.counters), place)[:, None]
        gained = _Row(plan).of("gained", row * np.arange(GAINS))
        whole = _Row(plan).of("gained", row)
        yield _ratio(f"stake.{counter}", NUMBER, gained, whole, counter)


def _answers(plan: CountPlan) -> Iterator[Metric]:
    """Yield how questions are answered."""
    at = 0
    for decision, options in plan.decisions:
        asked = _Row(plan).of("chosen", _one(len(plan.options), *range(at, at + len(options))))
        for place, option in enumerate(options, at):
            chosen = _Row(plan).of("chosen", _one(len(plan.options), place))
            if len(options) > 1:
                name = f"answer.{decision}.{option}"
                metric = _ratio(name, SHARE, chosen, asked)
                yield replace(metric, rest=len(options) == 2 and place == at)
        at += len(options)


def _bets(plan: CountPlan) -> Iterator[Metric]:
    """Yield what is done with weak hands, and what comes of it."""
    for place, (decision, option) in enumerate(plan.betting):
        own = _one(len(plan.betting), place)
        weak = own[:, None] * (np.arange(STRENGTHS) < WEAK)
        made = _Row(plan).of("bet_ended", weak[:, :, None, None])
        won = _Row(plan).of("bet_ended", weak[:, :, None, None] * _one(3, 0))
        offered = _Row(plan).of("offered", weak)
        metric = _ratio(f"weak.{decision}.{option}", SHARE, made, offered)
        told = dict(plan.bets)[decision]
        two = len(told) == len(dict(plan.decisions)[decision]) == 2
        yield replace(metric, rest=two and told[0] == option)
        yield _ratio(f"weak_wins.{decision}.{option}", SHARE, won, made)


def _leads(plan: CountPlan) -> Iterator[Metric]:
    """Yield how matches go back and forth."""
    matches = _Row(plan).of("matches")
    for place, counter in enumerate(plan.counters):
        own = _one(len(plan.counters), place)
        row, places = own[:, None], np.arange(LEADS)
        changes = _Row(plan).of("lead_changes", own)
        yield _ratio(f"lead_changes.{counter}", NUMBER, changes, matches, counter)
        back = _Row(plan).of("behind", row * (places >= COMEBACK))
        won = _Row(plan).of("behind", row)
        yield _ratio(f"comebacks.{counter}", SHARE, back, won, counter)
        led = _Row(plan).of("led", row * (places > 0))
        held = _Row(plan).of("held", row)
        yield _ratio(f"held.{counter}", SHARE, held, led, counter)
        deepest = _Row(plan).of("behind", row * places)
        yield _ratio(f"deficit.{counter}", NUMBER, deepest, won, counter)


def _skill(design: Design) -> Iterator[Metric]:
    """Yield what luck and skill have to do with who wins, where two strategies meet."""
    if design.teams != 2 or design.strategies < 2:
        return
    noise, debiased = statistics.noise_of_skill, statistics.debiased_skill
    yield _statistic("skill", SHARE, statistics.skill, noise, debiased)
    yield replace(_statistic("deal_luck", SHARE, statistics.luck), signed=True)
    if design.strategies > 2:
        yield _statistic("cyclic", SHARE, statistics.cyclic, statistics.noise_of_cyclic)
