"""Measurements: the counts of the same sets of deals under one variant, by cluster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trutdsl.shape import are_numbers
from trutdsl.stats.design import Design, Tally, is_tally, merge_all
from trutdsl.stats.multiplicity import Floats
from trutdsl.stats.payoffs import pair_payoffs
from trutdsl.stats.resampling import quantile_indices, ratio_influences
from trutdsl.strategy.count import CountedLegs
from trutdsl.table.counts import CountPlan, length_from
from trutdsl.tournaments.play import PlayedSets, count_sets
from trutdsl.tournaments.schedule import Chunk, Experiment

CLUSTERS = 128  # of sets, at most; standard errors come from their variance
ANSWERS = ("chosen", "taken_any")  # counts of each strategy

Ints = NDArray[np.int64]


def measure_sets(experiment: Experiment, sets: PlayedSets) -> Mapping[str, Any]:
    """Return the counts of a chunk as JSON, which the workers collected during play.

    tally: see `Tally`. counts: of all legs together, see `CountPlan`. chosen, taken_any: of each
    strategy, its decisions by option, and those by a clause `any`. Equal legs count once.
    """
    plan, everyone = experiment.game.count_plan, experiment.strategies
    total = np.zeros(plan.size, np.int64)
    answers = {name: np.zeros((len(everyone), len(plan.options)), np.int64) for name in ANSWERS}
    assert isinstance(experiment.play, CountedLegs)
    for line_up, counts in experiment.play.take():
        numbers = np.array(counts.numbers, np.int64)
        total += numbers
        for name, result in answers.items():
            by_seat = plan.part(name, numbers)
            for seat, number in enumerate(line_up):
                result[number] += by_seat[seat]
    return {
        "tally": count_sets(experiment, sets),
        "counts": total.tolist(),
        **{name: result.tolist() for name, result in answers.items()},
    }


def is_measured(experiment: Experiment, sets: int, record: Any) -> bool:
    """Tell whether a JSON value has the shape of `measure_sets` for so many sets."""
    if not isinstance(record, dict) or record.keys() != {"tally", "counts", *ANSWERS}:
        return False
    plan, everyone = experiment.game.count_plan, len(experiment.strategies)
    answers = (everyone, len(plan.options))
    if not are_numbers(record["counts"], (plan.size,)):
        return False
    if not all(are_numbers(record[name], answers) for name in ANSWERS):
        return False
    whole = is_tally(experiment.design, record["tally"]) and record["tally"]["sets"] == sets
    return whole and record["counts"][plan.offsets["matches"]] == sets * len(set(experiment.legs))


@dataclass(frozen=True, eq=False)
class Measurement:
    """The counts of one variant.

    counts:  int64[clusters, plan.size], of all matches.
    chosen:  int64[clusters, strategies, options], decisions by strategy; taken_any: those of them
             that a script took by a clause `any`.
    tallies: of each cluster.
    """

    plan: CountPlan
    design: Design
    counts: Ints
    chosen: Ints
    taken_any: Ints
    tallies: tuple[Tally, ...]

    @property
    def clusters(self) -> int:
        return len(self.counts)

    @cached_property
    def total(self) -> Ints:
        """The counts of all clusters, int64[plan.size]."""
        result: Ints = self.counts.sum(axis=0)
        return result

    @cached_property
    def tally(self) -> Tally:
        return merge_all(self.tallies)

    @cached_property
    def payoffs(self) -> tuple[Floats, Floats] | None:
        """The payoff matrix of each cluster, and its sets; None unless all pairs met."""
        of = [pair_payoffs(tally, self.design) for tally in self.tallies]
        known = [one for one in of if one is not None]
        sets = np.array([tally.sets for tally in self.tallies], np.float64)
        return (np.array(known), sets) if len(known) == len(of) else None

    def part(self, name: str, without: int | None = None) -> Ints:
        """Return a part of all counts, in its shape; without: except for one cluster."""
        return self.plan.part(
            name, self.total if without is None else self.total - self.counts[without]
        )

    def by_cluster(self, name: str) -> Ints:
        """Return a part of the counts of each cluster, int64[clusters, its shape]."""
        return self.plan.part(name, self.counts)

    def number(self, name: str) -> int:
        return int(self.part(name))


def cluster_size(sets: int) -> int:
    """Return the sets of a cluster, a power of two: so large clusters consist of small ones."""
    return 1 << (-(-sets // CLUSTERS) - 1).bit_length()


def clusters_hold(chunks: Iterable[Chunk], sets: int) -> bool:
    """Tell whether every chunk of these sets lies in one cluster."""
    size = cluster_size(sets)
    return all(
        chunk.first // size == (chunk.end - 1) // size and chunk.end <= sets
        for chunk in chunks
        if chunk.first < sets
    )


def gather(
    experiment: Experiment, rows: Iterable[tuple[Chunk, Mapping[str, Any]]], only: int | None = None
) -> Measurement:
    """Return the measurement of the rows of a journal; chunks of any size give the same clusters.

    Later sets than those of the experiment are ignored; see `clusters_hold`. only: a single cluster
    to gather.
    """
    size = cluster_size(experiment.sets)
    clusters = range(-(-experiment.sets // size)) if only is None else range(only, only + 1)
    plan, everyone = experiment.game.count_plan, len(experiment.strategies)
    counts = np.zeros((len(clusters), plan.size), np.int64)
    shape = len(clusters), everyone, len(plan.options)
    answers = {name: np.zeros(shape, np.int64) for name in ANSWERS}
    tallies: dict[int, Tally] = {}
    for chunk, record in rows:
        at = chunk.first // size - clusters.start
        if chunk.first >= experiment.sets:
            continue
        counts[at] += np.array(record["counts"], np.int64)
        for name, counts_of_answer in answers.items():
            counts_of_answer[at] += np.array(record[name], np.int64).reshape(shape[1:])
        tally = Tally.from_counts(record["tally"])
        tallies[at] = tallies[at].merge(tally) if at in tallies else tally
    return Measurement(
        plan,
        experiment.design,
        counts,
        answers["chosen"],
        answers["taken_any"],
        tuple(tallies[at] for at in range(len(clusters))),
    )


PARTS = {"deals": "lengths", "decisions": "questions"}
SHARES = (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))


def length_distributions(measurement: Measurement) -> dict[str, Any]:
    """Return matches by length in deals and in decisions: `PrintedLengths` of `cli.printed`."""
    return {name: _distribution(measurement, part) for name, part in PARTS.items()}


def _distribution(measurement: Measurement, part: str) -> dict[str, Any]:
    counts = measurement.by_cluster(part)
    values = np.flatnonzero(counts.sum(axis=0)).tolist()
    if not values:
        return {"from": [], "to": [], "matches": [], "low": [], "high": [], "quantiles": []}
    wholes, places = counts.sum(axis=1), range(values[0], values[-1] + 1)
    shares = [ratio_influences(counts[:, place], wholes) for place in places]
    estimates = [one and one.estimate(0.0, 1.0) for one in shares]
    quantiles = zip(SHARES, quantile_indices(counts, SHARES), strict=True)
    return {
        "from": [length_from(place) for place in places],
        "to": [_last_of(place) for place in places],
        "matches": [int(counts[:, place].sum()) for place in places],
        "low": [one and one.low for one in estimates],
        "high": [one and one.high for one in estimates],
        "quantiles": [
            {
                "share": float(share),
                "value": (length_from(at) + _last_of(at)) // 2,
                "low": None if low is None else length_from(low),
                "high": None if high is None else _last_of(high),
            }
            for share, (at, low, high) in quantiles
        ],
    }


def _last_of(place: int) -> int:
    return length_from(place + 1) - 1
