"""Sign-flip test: exact for strategies that are equal, however few sets were played."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from trutdsl.stats.hashed import Floats, signs

ENUMERATED = 12  # sets; up to here all 2**n signs are tried, beyond that some, the same every time
REPLICATES = 9_999
FEW = 40  # sets; with fewer, p-values come from flips of signs, else from Student's t


@lru_cache(maxsize=1)
def all_signs(sets: int) -> Floats:
    """Return the signs that are tried, a row each; the first row is what was played.

    They are worked out once for all contrasts of a tournament, and cannot be written to.
    Each hashed row comes with its opposite, as in an enumeration, so that both sides are alike.
    """
    if sets <= ENUMERATED:
        found = np.array(list(product((1.0, -1.0), repeat=sets))).reshape(-1, sets)
    else:
        found = np.vstack([np.ones((1, sets)), signs(REPLICATES, sets)])
    found.flags.writeable = False
    return found


def sign_flip_p(differences: NDArray[np.int64]) -> list[float]:
    """Return the two-sided p-value of each column's sum against 0.

    differences: of shape (sets, contrasts), integers. If two strategies are equal, the difference
    of a set is as likely as its opposite, so that every flip of signs was as likely as what was
    played: p is the share of flips, what was played among them, whose sum is at least as far from
    0. R. A. Fisher, The Design of Experiments (1935), section 21; with some flips instead of all
    it is exact, too (M. Dwass, Annals of Math. Statistics 28 (1957) 181-187).
    """
    sums, seen = _flipped(differences)
    found: list[float] = (sums >= seen).mean(axis=0).tolist()
    return found


def step_down_p(differences: NDArray[np.int64]) -> list[float]:
    """Return p-values adjusted for all columns together, by the greatest statistic, step by step.

    The statistic is |sum| / sqrt(sum of squares), which no flip changes below the line. Source:
    P. H. Westfall and S. S. Young, Resampling-Based Multiple Testing (1993), algorithm 2.8.
    """
    sums, seen = _flipped(differences)
    spread = np.sqrt((differences.astype(np.float64) ** 2).sum(axis=0))
    spread[spread == 0] = 1.0
    return greatest_p(sums / spread, seen / spread)


def greatest_p(null: Floats, seen: Floats) -> list[float]:
    """Return step-down adjusted p-values of statistics, given draws of all of them under the null.

    null: of shape (draws, contrasts); seen: of shape (contrasts,).
    """
    order = np.argsort(-seen, kind="stable")
    greatest = np.maximum.accumulate(null[:, order[::-1]], axis=1)[:, ::-1]
    p = np.maximum.accumulate((greatest >= seen[order] - 1e-12).mean(axis=0))
    found = np.empty(len(seen))
    found[order] = p
    return list(found.tolist())


def _flipped(differences: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return how far each flipped sum is from 0, a row for each flip, and how far the real one."""
    sums = np.abs(all_signs(len(differences)) @ differences.astype(np.float64))
    return sums, sums[0]
