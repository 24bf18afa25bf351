"""Stopping: budgets, stopping rules, and the prefix of finished sets that they use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from math import inf, isfinite
from typing import Any, NamedTuple

from trutdsl.language import say
from trutdsl.options import MATCHES, Settings
from trutdsl.stats.contrast import pair_bounds, pair_difference, widest_contrast
from trutdsl.stats.design import Tally, merge_all
from trutdsl.stats.estimate import Sums
from trutdsl.stats.multiplicity import DECIMALS
from trutdsl.stats.rounds import FORMATS
from trutdsl.stats.sequential import BOUNDARY, SequentialTest, estimate_stopped, normalize
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
IsEnough = Callable[[Tally], bool]


class StopRule:
    """Stops when the sets before the first gap have enough deals, or their tally is enough.

    deals: enough of them. looks: the sets between two looks at the deals, a power of two as those
    between two looks at the tally (`BOUNDARY`). So the chunks of a run with fewer deals fit the
    looks of a larger one. is_enough: tells whether a tally is, if any can be.

    Later sets have no effect on the decision, so a run always ends at the same set. The width of
    intervals depends on the variance of the sets and hardly on their winners. So the coverage after
    a rule of precision is about that of a fixed number of sets (Y. S. Chow and H. Robbins, Annals
    of Math. Statistics 36 (1965) 457-462).
    """

    def __init__(self, deals: float, looks: int, is_enough: IsEnough | None = None) -> None:
        self.every = looks if is_enough is None else min(looks, BOUNDARY)
        self._deals, self._looks, self._is_enough = deals, looks, is_enough
        self._sets = self._played = 0
        self._tallies: list[Tally] = []

    def settles(self, records: Iterable[Any]) -> bool:
        """Tell whether to stop; records: the counts of the chunks since the last call."""
        counts = [one["counts"] for one in records]
        self._sets += sum(one["sets"] for one in counts)
        self._played += sum(one["deals"] for one in counts)
        if not self._sets % self._looks and self._played >= self._deals:
            return True
        if self._is_enough is None:
            return False
        self._tallies = [merge_all([*self._tallies, *map(Tally.from_counts, counts)])]
        return not self._sets % BOUNDARY and self._is_enough(self._tallies[0])


def rule_of(experiment: Experiment, settings: Settings) -> StopRule | None:
    """Return the rule that can stop a run early, None if there is none."""
    is_enough = _tally_rule(experiment, settings)
    if settings.deals is not None and settings.mode == MATCHES:
        expected = settings.deals // (GUESS * experiment.design.matches_per_set * OFTEN)
        return StopRule(settings.deals, 1 << max(0, expected.bit_length() - 1), is_enough)
    return None if is_enough is None else StopRule(inf, BOUNDARY, is_enough)


def _tally_rule(experiment: Experiment, settings: Settings) -> IsEnough | None:
    design, options = experiment.design, {"test": settings.test, "margin": settings.margin}
    if (precision := settings.precision) is not None:
        return lambda tally: widest_contrast(tally, design) <= 2 * precision
    if settings.test is not None:
        return lambda tally: bool(_look(experiment, options, tally)["says"] != "open")
    return None
