"""Statistical stopping: rules that look at what was played, on whole prefixes of sets only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

from trutdsl.arena.schedule import Experiment
from trutdsl.stats.contrast import widest_contrast
from trutdsl.stats.estimate import DECIMALS, Sums
from trutdsl.stats.pairing import pair_bounds, pair_difference
from trutdsl.stats.sequential import BOUNDARY, SequentialTest
from trutdsl.stats.stagewise import estimate_stopped, normalize
from trutdsl.stats.tally import Tally, merge_all


class NarrowEnough:
    """Stops where the interval of every difference between two strategies is narrow enough.

    Its width depends on how much the sets vary, hardly on who wins them, so that the intervals hold
    about as often as if the number of sets had been fixed (Y. S. Chow and H. Robbins, Annals of
    Math. Statistics 36 (1965) 457-462).
    """

    every = BOUNDARY

    def __init__(self, experiment: Experiment, precision: float) -> None:
        self._design, self._precision = experiment.design, precision
        self._prefix: Tally | None = None

    def settles(self, kept: Iterable[Any]) -> bool:
        """Tell whether every interval is at most twice `precision` wide."""
        self._prefix = _extended(self._prefix, kept)
        return widest_contrast(self._prefix, self._design) <= 2 * self._precision


class Decided:
    """Stops where the sequential test says whether the first strategy is better than the second."""

    every = BOUNDARY

    def __init__(self, experiment: Experiment, pair: Sequence[str], margin: float) -> None:
        self._design = experiment.design
        self._first, self._second = map(experiment.place_of, pair)
        bounds = pair_bounds(self._design, self._first, self._second)
        self._test = SequentialTest(0.0, margin, bounds)
        self._prefix: Tally | None = None

    def settles(self, kept: Iterable[Any]) -> bool:
        """Tell whether one of both hypotheses is taken."""
        self._prefix = _extended(self._prefix, kept)
        sums = pair_difference(self._prefix, self._design, self._first, self._second)
        return self._test.look(sums) != "open"


def describe_stop(experiment: Experiment, rule: Mapping[str, Any], tally: Tally) -> dict[str, Any]:
    """Return a rule of a manifest with what it says of these sets, as the results have it.

    Of a test also the difference of the two that is left to estimate after it, and the same as
    normalized Elo, where sets are of two matches.
    """
    found = _look(experiment, rule, tally)
    if "precision" in rule:
        return found
    test, sums = _test_of(experiment, rule, tally)
    difference = estimate_stopped(test, sums)
    elo = normalize(difference, sums) if len(experiment.design.orders) == 2 else None
    return {**found, "difference": asdict(difference), "normalized_elo": elo and asdict(elo)}


def _look(experiment: Experiment, rule: Mapping[str, Any], tally: Tally) -> dict[str, Any]:
    if "precision" in rule:
        width = widest_contrast(tally, experiment.design)
        return {**rule, "reached": round(width / 2, DECIMALS) if isfinite(width) else None}
    test, sums = _test_of(experiment, rule, tally)
    return {
        **rule,
        "bounds": [round(bound, DECIMALS) for bound in test.bounds],
        "ratio": test.ratio(sums),
        "says": {"upper": "better", "lower": "not better", "open": "open"}[test.look(sums)],
    }


def _test_of(
    experiment: Experiment, rule: Mapping[str, Any], tally: Tally
) -> tuple[SequentialTest, Sums]:
    design = experiment.design
    first, second = map(experiment.place_of, rule["test"])
    test = SequentialTest(0.0, rule["margin"], pair_bounds(design, first, second))
    return test, pair_difference(tally, design, first, second)


class Path:
    """What a rule sees at each of its looks.

    steps: (sets, ratio) of a test, (sets, half width of the widest interval) of a precision.
    """

    def __init__(self, experiment: Experiment, rule: Mapping[str, Any]) -> None:
        self._experiment, self._rule = experiment, rule
        self.steps: list[tuple[int, float | None]] = []

    def look(self, tally: Tally) -> None:
        """Take what all sets so far come to, where the rule looks."""
        if tally.sets % BOUNDARY == 0:
            found = _look(self._experiment, self._rule, tally)
            self.steps.append((tally.sets, found["ratio" if "test" in found else "reached"]))


def _extended(prefix: Tally | None, kept: Iterable[Any]) -> Tally:
    """Return the tally of a prefix and what follows it."""
    parts = [Tally.from_counts(one["counts"]) for one in kept]
    return merge_all(parts if prefix is None else [prefix, *parts])
