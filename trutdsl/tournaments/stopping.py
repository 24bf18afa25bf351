"""Stopping: budgets, stopping rules, and the prefix of finished sets that they use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any, NamedTuple

from trutdsl.language import say
from trutdsl.options import MATCHES, Settings
from trutdsl.stats.contrast import pair_bounds, pair_difference, widest_contrast
from trutdsl.stats.design import Tally, merge_all
from trutdsl.stats.estimate import Sums
from trutdsl.stats.multiplicity import DECIMALS
from trutdsl.stats.rounds import FORMATS
from trutdsl.stats.sequential import BOUNDARY, SequentialTest, estimate_stopped, normalize
from trutdsl.tournaments.missing import StopRule
from trutdsl.tournaments.schedule import Chunk, Experiment


class Prefix:
    """Takes chunks in any order; `tally` counts those before the first gap.

    The order in which chunks finish depends on the length of their matches. The prefix does not, so
    an interval that is valid at any time is valid for it.
    """

    def __init__(self, first: int = 0) -> None:
        self.tally: Tally | None = None
        self._at = first
        self._waiting: dict[int, tuple[Chunk, Any]] = {}

    def add(self, chunk: Chunk, record: Any) -> None:
        self._waiting[chunk.first] = chunk, record
        while self._at in self._waiting:
            chunk, record = self._waiting.pop(self._at)
            part = Tally.from_counts(record["counts"])
            self.tally = part if self.tally is None else self.tally.merge(part)
            self._at = chunk.end


class Indivisible(NamedTuple):
    """The reason why a run cannot be divided.

    flag: its option. counted: a number of sets instead would make it possible.
    """

    flag: str
    why: str
    counted: bool = False


def why_indivisible(settings: Settings) -> Indivisible | None:
    """Return why a run cannot be divided, None if it can."""
    match settings:
        case Settings(format=name) if name in FORMATS:
            return Indivisible(f"--format {name}", "who meets in a round follows from those before")
        case Settings(test=(_, _)):
            return Indivisible("--test", "only the whole run tells when it is decided")
        case Settings(precision=float() | int()):
            return Indivisible("--precision", "only the whole run tells when it is precise enough")
        case Settings(deals=int(), mode=mode) if mode == MATCHES:
            why = say("how many sets so many deals take is known only once they are played")
            return Indivisible("--deals", why, True)
        case Settings(time=float() | int()):
            why = say("how many sets so much time is enough for is known only afterwards")
            return Indivisible("--time", why, True)
    return None


class PrefixRule:
    """Stops when the tally of a prefix is enough; it looks at the boundaries of the test.

    The width of intervals depends on the variance of the sets and hardly on their winners. So the
    coverage after a rule of precision is about that of a fixed number of sets (Y. S. Chow and H.
    Robbins, Annals of Math. Statistics 36 (1965) 457-462).
    """

    every = BOUNDARY

    def __init__(self, is_enough: Callable[[Tally], bool]) -> None:
        self._is_enough = is_enough
        self._parts: list[Tally] = []

    def settles(self, records: Iterable[Any]) -> bool:
        """Tell whether the prefix is enough, including the sets of these chunks."""
        parts = [Tally.from_counts(one["counts"]) for one in records]
        self._parts = [merge_all([*self._parts, *parts])]
        return self._is_enough(self._parts[0])


def describe_stop(experiment: Experiment, rule: Mapping[str, Any], tally: Tally) -> dict[str, Any]:
    """Return a rule of a manifest with its state after these sets, for the results.

    For a test, this includes the estimated difference of the two strategies, and also normalized
    Elo if a set has two matches.
    """
    result = _look(experiment, rule, tally)
    if "precision" in rule:
        return result
    test, sums = _test_of(experiment, rule, tally)
    difference = estimate_stopped(test, sums)
    elo = normalize(difference, sums) if len(experiment.design.orders) == 2 else None
    return {**result, "difference": asdict(difference), "normalized_elo": elo and asdict(elo)}


def finds_difference(test: Mapping[str, Any]) -> bool:
    """Tell whether a test and its interval find a difference of its two strategies.

    The test only finds that the first is better; the interval also that the second is.
    """
    low, high = test["difference"]["low"], test["difference"]["high"]
    return test["says"] == "better" or (low is not None and (low > 0 or high < 0))


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


def look_at(
    experiment: Experiment, rule: Mapping[str, Any], tally: Tally
) -> tuple[int, float | None] | None:
    """Return the values that a rule reads at this number of sets, None if it does not look there.

    For a test (sets, ratio), for a precision (sets, half width of the widest interval).
    """
    if tally.sets % BOUNDARY:
        return None
    result = _look(experiment, rule, tally)
    return tally.sets, result["ratio" if "test" in result else "reached"]


GUESS = 16  # approximate deals of a match; it only decides the number of looks
OFTEN = 50  # looks in a run


def rule_of(experiment: Experiment, settings: Settings) -> StopRule | None:
    """Return the rule that can stop a run early, None if there is none."""
    rules: list[StopRule] = []
    if settings.deals is not None and settings.mode == MATCHES:
        rules.append(EnoughDeals(experiment, settings.deals))
    if (precision := settings.precision) is not None:
        design = experiment.design
        rules.append(PrefixRule(lambda tally: widest_contrast(tally, design) <= 2 * precision))
    if settings.test is not None:
        options = {"test": settings.test, "margin": settings.margin}
        rules.append(PrefixRule(lambda tally: _look(experiment, options, tally)["says"] != "open"))
    return FirstOf(rules) if len(rules) > 1 else rules[0] if rules else None


class EnoughDeals:
    """Stops at the first look after so many deals.

    It looks at multiples of a power of two. So the chunks of a run with fewer deals fit these
    looks, too, and a larger run can use the same journal.
    """

    def __init__(self, experiment: Experiment, deals: int) -> None:
        expected = deals // (GUESS * experiment.design.matches_per_set * OFTEN)
        self.every = 1 << max(0, expected.bit_length() - 1)
        self._deals_left = deals

    def settles(self, records: Iterable[Any]) -> bool:
        """Tell whether there are enough deals, including those of these chunks."""
        self._deals_left -= sum(one["counts"]["deals"] for one in records)
        return self._deals_left <= 0


class FirstOf:
    """Stops when the first of several rules does; each looks only at its own multiples.

    These are multiples of powers of two, so rules with more looks share those of the others.
    """

    def __init__(self, rules: Sequence[StopRule]) -> None:
        self.every = min(rule.every for rule in rules)
        self._rules, self._at = rules, 0
        self._waiting: list[list[Any]] = [[] for _ in rules]

    def settles(self, records: Iterable[Any]) -> bool:
        """Tell whether one of the rules that look now stops."""
        records, result = list(records), False
        self._at += sum(one["counts"]["sets"] for one in records)
        for rule, waiting in zip(self._rules, self._waiting, strict=True):
            waiting += records
            if self._at % rule.every == 0:
                result |= rule.settles(waiting)
                waiting.clear()
        return result
