"""Stopping: budgets, stopping rules, and the prefix of finished sets that they use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any, NamedTuple

from trutdsl.options import MATCHES, Settings
from trutdsl.stats.contrast import pair_bounds, pair_difference, widest_contrast
from trutdsl.stats.design import Tally, merge_all
from trutdsl.stats.estimate import Sums
from trutdsl.stats.multiplicity import DECIMALS
from trutdsl.stats.rounds import FORMATS
from trutdsl.stats.sequential import BOUNDARY, SequentialTest, estimate_stopped, normalize
from trutdsl.tournaments.missing import StopRule
from trutdsl.tournaments.schedule import Chunk, Experiment

# The prefix of a run: its finished sets before the first gap.


class Prefix:
    """Takes chunks in any order; `tally` counts those before the first gap.

    The order in which chunks finish depends on the length of their matches. The prefix does not, so
    an interval that is valid at any time is valid for it.
    """

    def __init__(self, first: int = 0) -> None:
        self.tally: Tally | None = None
        self._at = first
        self._waiting: dict[int, tuple[Chunk, Any]] = {}

    def add(self, chunk: Chunk, kept: Any) -> None:
        """Add the counts of a chunk."""
        self._waiting[chunk.first] = chunk, kept
        while self._at in self._waiting:
            chunk, kept = self._waiting.pop(self._at)
            part = Tally.from_counts(kept["counts"])
            self.tally = part if self.tally is None else self.tally.merge(part)
            self._at = chunk.beyond


# Shards: which runs can be divided and merged, and why others cannot.


class Indivisible(NamedTuple):
    """The reason why a run cannot be divided.

    flag: its option. counted: a number of sets instead would make it possible.
    """

    flag: str
    why: str
    counted: bool = False


def undivided(settings: Settings) -> Indivisible | None:
    """Return why a run cannot be divided, None if it can."""
    match settings:
        case Settings(format=name) if name in FORMATS:
            return Indivisible(f"--format {name}", "who meets in a round follows from those before")
        case Settings(test=(_, _)):
            return Indivisible("--test", "only the whole run tells when it is decided")
        case Settings(precision=float() | int()):
            return Indivisible("--precision", "only the whole run tells when it is precise enough")
        case Settings(deals=int(), mode=mode) if mode == MATCHES:
            why = "how many sets so many deals take is known only once they are played"
            return Indivisible("--deals", why, True)
        case Settings(time=float() | int()):
            why = "how many sets so much time is enough for is known only afterwards"
            return Indivisible("--time", why, True)
    return None


class NarrowEnough:
    """Stops when the intervals of all differences between two strategies are narrow enough.

    Their width depends on the variance of the sets and hardly on their winners. So their coverage
    is about that of a fixed number of sets (Y. S. Chow and H. Robbins, Annals of Math. Statistics
    36 (1965) 457-462).
    """

    every = BOUNDARY

    def __init__(self, experiment: Experiment, precision: float) -> None:
        self._design, self._precision = experiment.design, precision
        self._prefix: Tally | None = None

    def settles(self, kept: Iterable[Any]) -> bool:
        """Tell whether every interval is at most twice `precision` wide."""
        self._prefix = _extended(self._prefix, kept)
        return widest_contrast(self._prefix, self._design) <= 2 * self._precision


class DecisionRule:
    """Stops when the sequential test decides whether the first strategy is better."""

    every = BOUNDARY

    def __init__(self, experiment: Experiment, pair: Sequence[str], margin: float) -> None:
        self._design = experiment.design
        self._first, self._second = map(experiment.place_of, pair)
        bounds = pair_bounds(self._design, self._first, self._second)
        self._test = SequentialTest(0.0, margin, bounds)
        self._prefix: Tally | None = None

    def settles(self, kept: Iterable[Any]) -> bool:
        """Tell whether the test accepts one of the hypotheses."""
        self._prefix = _extended(self._prefix, kept)
        sums = pair_difference(self._prefix, self._design, self._first, self._second)
        return self._test.look(sums) != "open"


def describe_stop(experiment: Experiment, rule: Mapping[str, Any], tally: Tally) -> dict[str, Any]:
    """Return a rule of a manifest with its state after these sets, for the results.

    For a test, this includes the estimated difference of the two strategies, and also normalized
    Elo if a set has two matches.
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


class RulePath:
    """The state of a rule at each of its looks.

    steps: (sets, ratio) of a test, (sets, half width of the widest interval) of a precision.
    """

    def __init__(self, experiment: Experiment, rule: Mapping[str, Any]) -> None:
        self._experiment, self._rule = experiment, rule
        self.steps: list[tuple[int, float | None]] = []

    def look(self, tally: Tally) -> None:
        """Add a step if the rule looks at this number of sets."""
        if tally.sets % BOUNDARY == 0:
            found = _look(self._experiment, self._rule, tally)
            self.steps.append((tally.sets, found["ratio" if "test" in found else "reached"]))


def _extended(prefix: Tally | None, kept: Iterable[Any]) -> Tally:
    parts = [Tally.from_counts(one["counts"]) for one in kept]
    return merge_all(parts if prefix is None else [prefix, *parts])


# The rules of a tournament.

GUESS = 16  # approximate deals of a match; it only decides the number of looks
OFTEN = 50  # looks in a run


def rule_of(experiment: Experiment, settings: Settings) -> StopRule | None:
    """Return the rule that can stop a run early, None if there is none."""
    rules: list[StopRule] = []
    if settings.deals is not None and settings.mode == MATCHES:
        rules.append(EnoughDeals(experiment, settings.deals))
    if settings.precision is not None or settings.test is not None:
        if settings.precision is not None:
            rules.append(NarrowEnough(experiment, settings.precision))
        if settings.test is not None and settings.margin is not None:
            rules.append(DecisionRule(experiment, settings.test, settings.margin))
    return FirstOf(rules) if len(rules) > 1 else rules[0] if rules else None


class EnoughDeals:
    """Stops at the first look after so many deals.

    It looks at multiples of a power of two. So the chunks of a run with fewer deals fit these
    looks, too, and a larger run can use the same journal.
    """

    def __init__(self, experiment: Experiment, deals: int) -> None:
        expected = deals // (GUESS * experiment.design.matches_per_set * OFTEN)
        self.every = 1 << max(0, expected.bit_length() - 1)
        self._left = deals

    def settles(self, kept: Iterable[Any]) -> bool:
        """Tell whether there are enough deals, including those of these chunks."""
        self._left -= sum(one["counts"]["deals"] for one in kept)
        return self._left <= 0


class FirstOf:
    """Stops when the first of several rules does; each looks only at its own multiples.

    These are multiples of powers of two, so rules with more looks share those of the others.
    """

    def __init__(self, rules: Sequence[StopRule]) -> None:
        self.every = min(rule.every for rule in rules)
        self._rules, self._at = rules, 0
        self._waiting: list[list[Any]] = [[] for _ in rules]

    def settles(self, kept: Iterable[Any]) -> bool:
        """Tell whether one of the rules that look now stops."""
        kept, found = list(kept), False
        self._at += sum(one["counts"]["sets"] for one in kept)
        for rule, waiting in zip(self._rules, self._waiting, strict=True):
            waiting += kept
            if self._at % rule.every == 0:
                found |= rule.settles(waiting)
                waiting.clear()
        return found
