"""Repeated looks at growing data: errors of the sequential test, misses of the live interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trutdsl.stats.estimate import LEAST, Bounds, Sums, estimate_any_time
from trutdsl.stats.sequential import BOUNDARY, SequentialTest

SCORE, DIFFERENCE = Bounds(0, 1), Bounds(-1, 1)
MARGIN = 0.04
RARE_SHARE = 0.01  # the share of sets in which two similar strategies differ
LONGEST = 200  # looks of the test
LOOKS = np.unique(np.geomspace(LEAST, 20_000, 60).astype(int))


@dataclass(frozen=True)
class Errors:
    """The share of wrong results, which may be 5 %, and the mean number of sets until the end."""

    what: str
    runs: int
    wrong: float
    sets: float


def errors_of_test(mean: float, right: str, runs: int) -> Errors:
    """Return the errors of the test of 1/2 against 1/2 + margin, for scores of 0, 1/2 and 1."""
    test = SequentialTest(0.5, 0.5 + MARGIN, SCORE)
    odds = [0.25 - (mean - 0.5), 0.5, 0.25 + (mean - 0.5)]
    wrong, length = _run_test(test, [0, 1, 2], odds, right, runs)
    return Errors(f"sequential test, true mean {mean}", runs, wrong, length)


def errors_of_rare_differences(mean: float, right: str, runs: int) -> Errors:
    """Return the errors of the test of 0 against 1 %, if one in 100 sets differs, by -1 or 1."""
    test = SequentialTest(0.0, RARE_SHARE, DIFFERENCE)
    odds = [(RARE_SHARE - mean) / 2, 1 - RARE_SHARE, (RARE_SHARE + mean) / 2]
    wrong, length = _run_test(test, [-2, 0, 2], odds, right, runs)
    what = f"sequential test, 1 set of 100 differs, true difference {mean}"
    return Errors(what, runs, wrong, length)


def _run_test(
    test: SequentialTest, points: list[int], odds: list[float], right: str, runs: int
) -> tuple[float, float]:
    """Return the share of wrong results, and the mean number of sets until the test ends."""
    rng, wrong, length = np.random.default_rng(7), 0, 0
    for _ in range(runs):
        values = rng.choice(points, p=odds, size=BOUNDARY * LONGEST)
        total, squares = np.cumsum(values), np.cumsum(values**2)
        for n in range(BOUNDARY, len(values) + 1, BOUNDARY):
            found = test.look(Sums(n, int(total[n - 1]), int(squares[n - 1]), 2))
            if found != "open":
                break
        wrong += found != right
        length += n
    return wrong / runs, length / runs


def live_misses(runs: int) -> Errors:
    """Return the share of confidence sequences that ever exclude the truth."""
    missed = _miss_share([0, 1, 2], [0.25, 0.5, 0.25], 0.5, SCORE, runs)
    return Errors("live interval, 200 to 20,000 sets", runs, missed, float(LOOKS[-1]))


def live_misses_of_rare_differences(runs: int) -> Errors:
    """Return the same share if one in 100 sets has a difference, always with the same sign."""
    missed = _miss_share([0, 2], [1 - RARE_SHARE, RARE_SHARE], RARE_SHARE, DIFFERENCE, runs)
    return Errors("live interval, 1 set of 100 differs", runs, missed, float(LOOKS[-1]))


def _miss_share(
    points: list[int], odds: list[float], truth: float, bounds: Bounds, runs: int
) -> float:
    rng, missed = np.random.default_rng(3), 0
    for _ in range(runs):
        values = rng.choice(points, p=odds, size=LOOKS[-1])
        total, squares = np.cumsum(values), np.cumsum(values**2)
        sums = [Sums(int(n), int(total[n - 1]), int(squares[n - 1]), 2) for n in LOOKS]
        found = [estimate_any_time(one, bounds) for one in sums]
        missed += not all(e.low <= truth <= e.high for e in found)
    return missed / runs
