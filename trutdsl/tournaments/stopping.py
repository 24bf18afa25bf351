"""Stopping: budgets, stopping rules, and the prefix of finished sets that they look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any, NamedTuple

from trutdsl.options import MATCHES, Settings
from trutdsl.stats.contrast import pair_bounds, pair_difference, widest_contrast
from trutdsl.stats.design import Tally, merge_all
from trutdsl.stats.estimate import Sums
from trutdsl.stats.numeric import DECIMALS
from trutdsl.stats.rounds import FORMATS
from trutdsl.stats.sequential import BOUNDARY, SequentialTest, estimate_stopped, normalize
from trutdsl.tournaments.missing import StopRule
from trutdsl.tournaments.schedule import Chunk, Experiment

# The prefix of a run: what is finished without a gap, while it goes on.


class Prefix:
    """Takes chunks in whatever order they are finished; `tally` is of those up to the first gap.

    Which chunks are finished first hangs on how long their matches last; the prefix does not, so
    that an interval that holds at any time holds for it.
    """

    def __init__(self, first: int = 0) -> None:
        self.tally: Tally | None = None
        self._at = first
        self._waiting: dict[int, tuple[Chunk, Any]] = {}

    def add(self, chunk: Chunk, kept: Any) -> None:
        """Take what is kept of a chunk."""
        self._waiting[chunk.first] = chunk, kept
        while self._at in self._waiting:
            chunk, kept = self._waiting.pop(self._at)
            part = Tally.from_counts(kept["counts"])
            self.tally = part if self.tally is None else self.tally.merge(part)
            self._at = chunk.beyond


# Parts of a run: which runs can be played in parts and merged, and why others cannot.


class Indivisible(NamedTuple):
    """What makes it impossible to divide a run.

    flag: by which it was asked for. counted: it would do to say the number of sets instead.
    """

    flag: str
    why: str
    counted: bool = False


def undivided(settings: Settings) -> Indivisible | None:
    """Return why a run cannot be played in parts, None if it can."""
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


class DecisionRule:
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


class RulePath:
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


# When a tournament has been played for long enough.

GUESS = 16  # deals a match has, about; it only decides how often the rule is asked
OFTEN = 50  # times in a run


def rule_of(experiment: Experiment, settings: Settings) -> StopRule | None:
    """Return the rule by which a run ends before its last set, None if there is none."""
    rules: list[StopRule] = []
    if settings.deals is not None and settings.mode == MATCHES:
        rules.append(EnoughDeals(experiment, settings.deals))
    if settings.precision is not None or settings.test is not None:
        # Loaded only here: who asks for neither need not wait for it.

        if settings.precision is not None:
            rules.append(NarrowEnough(experiment, settings.precision))
        if settings.test is not None and settings.margin is not None:
            rules.append(DecisionRule(experiment, settings.test, settings.margin))
    return FirstOf(rules) if len(rules) > 1 else rules[0] if rules else None


class EnoughDeals:
    """Stops at the first place by which so many deals were played.

    It is asked at multiples of a power of two. So what was kept for fewer deals fits those places,
    too, and the same journal serves when more are asked for.
    """

    def __init__(self, experiment: Experiment, deals: int) -> None:
        expected = deals // (GUESS * experiment.design.matches_per_set * OFTEN)
        self.every = 1 << max(0, expected.bit_length() - 1)
        self._left = deals

    def settles(self, kept: Iterable[Any]) -> bool:
        """Tell whether the deals suffice with those of these chunks."""
        self._left -= sum(one["counts"]["deals"] for one in kept)
        return self._left <= 0


class FirstOf:
    """Stops where the first of several rules does, each asked at its own places only.

    Places are multiples of powers of two, so that a rule's are also those of all that ask oftener.
    """

    def __init__(self, rules: Sequence[StopRule]) -> None:
        self.every = min(rule.every for rule in rules)
        self._rules, self._at = rules, 0
        self._waiting: list[list[Any]] = [[] for _ in rules]

    def settles(self, kept: Iterable[Any]) -> bool:
        """Tell whether one of those rules says so that have come to one of their places."""
        kept, found = list(kept), False
        self._at += sum(one["counts"]["sets"] for one in kept)
        for rule, waiting in zip(self._rules, self._waiting, strict=True):
            waiting += kept
            if self._at % rule.every == 0:
                found |= rule.settles(waiting)
                waiting.clear()
        return found
