"""What is looked at while it grows: errors of the sequential test, misses of the live interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trutdsl.stats.always_valid import LEAST, estimate_any_time
from trutdsl.stats.estimate import Sums
from trutdsl.stats.sequential import BOUNDARY, SequentialTest

MARGIN = 0.04
LONGEST = 200  # looks of the test
LOOKS = np.unique(np.geomspace(LEAST, 20_000, 60).astype(int))


@dataclass(frozen=True)
class Errors:
    """How often something is wrong that may be so in 5 %, and after how many sets it ended."""

    what: str
    runs: int
    wrong: float
    sets: float


def errors_of_test(mean: float, right: str, runs: int) -> Errors:
    """Return how often the test takes the wrong one of 1/2 and 1/2 + margin; scores 0, 1/2, 1."""
    rng, test, wrong, length = np.random.default_rng(7), SequentialTest(0.5, 0.5 + MARGIN), 0, 0
    odds = [0.25 - (mean - 0.5), 0.5, 0.25 + (mean - 0.5)]
    for _ in range(runs):
        values = rng.choice(3, p=odds, size=BOUNDARY * LONGEST)
        total, squares = np.cumsum(values), np.cumsum(values**2)
        for n in range(BOUNDARY, len(values) + 1, BOUNDARY):
            found = test.look(Sums(n, int(total[n - 1]), int(squares[n - 1]), 2))
            if found != "open":
                break
        wrong += found != right
        length += n
    return Errors(f"sequential test, true mean {mean}", runs, wrong / runs, length / runs)


def live_misses(runs: int) -> Errors:
    """Return how often a confidence sequence, looked at all the time, once leaves out the truth."""
    rng, missed = np.random.default_rng(3), 0
    for _ in range(runs):
        values = rng.choice(3, p=[0.25, 0.5, 0.25], size=LOOKS[-1])
        total, squares = np.cumsum(values), np.cumsum(values**2)
        sums = [Sums(int(n), int(total[n - 1]), int(squares[n - 1]), 2) for n in LOOKS]
        missed += not all(e.low <= 0.5 <= e.high for e in map(estimate_any_time, sums))
    return Errors("live interval, 200 to 20,000 sets", runs, missed / runs, float(LOOKS[-1]))
