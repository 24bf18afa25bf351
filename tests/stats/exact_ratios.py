"""Exact likelihood ratios and Elo of pairs of games, as chess programs compute them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from trutdsl.stats.field import ELO
from trutdsl.stats.sequential import NORMALIZED_ELO

EMPTY = 1e-3  # the count of a result that never occurred
STEPS = 10
CLOSE = 1e-9


def elo_of(score: float) -> float:
    """Return the difference in Elo at which a share of the points is expected."""
    return ELO * log(score / (1 - score))


def ratio_of_means(counts: Sequence[float], scores: Sequence[float], s0: float, s1: float) -> float:
    """Return the log-likelihood ratio of the means s0 and s1 of results with these scores.

    counts: how often each score occurred. p_k(s) = p_k / (1 + theta (a_k - s)), M. Van den Bergh,
    Comments on normalized Elo (2020).
    """
    frequencies, a, number = _frequencies(counts, scores)
    under = [_tilt(frequencies, a - s) for s in (s0, s1)]
    return float(number * (frequencies * np.log(under[1] / under[0])).sum())


def ratio_of_t(
    counts: Sequence[float], scores: Sequence[float], t0: float, t1: float, reference: float = 0.5
) -> float:
    """Return the log-likelihood ratio for the normalized means t = (mu - reference) / sigma."""
    frequencies, a, number = _frequencies(counts, scores)
    under = [_fit_t(frequencies, a, t, reference) for t in (t0, t1)]
    return float(number * (frequencies * np.log(under[1] / under[0])).sum())


def t_of_normalized_elo(elo: float) -> float:
    """Return the normalized mean of a pair of games at this normalized Elo."""
    return elo / NORMALIZED_ELO


def score_of_elo(elo: float) -> float:
    """Return the expected score at a difference in Elo."""
    return float(1 / (1 + np.exp(-elo / ELO)))


@dataclass(frozen=True)
class EloEstimate:
    """Elo and normalized Elo of pairs of games, each with half its 95 % interval.

    superiority: the chance (LOS) that the first is better, in percent, by the normal distribution.
    """

    normalized: tuple[float, float]
    logistic: tuple[float, float]
    superiority: float
    score: float


def estimate_elo(counts: Sequence[float], scores: Sequence[float]) -> EloEstimate:
    """Return the strength of the first from the counts of scores of pairs of games, 0 to 1."""
    number, a = float(sum(counts)), np.array(scores)
    frequencies = np.array(counts) / number
    mean = float(frequencies @ a)
    spread = sqrt(float(frequencies @ (a - mean) ** 2))
    half = 1.959963984540054 / sqrt(number)
    low, high = (elo_of(mean + side * half * spread) for side in (-1, 1))
    return EloEstimate(
        ((mean - 0.5) / spread * NORMALIZED_ELO, half * NORMALIZED_ELO),
        (elo_of(mean), (high - low) / 2),
        100 * ndtr((mean - 0.5) / spread * sqrt(number)),
        mean,
    )


def _frequencies(
    counts: Sequence[float], scores: Sequence[float]
) -> tuple[np.ndarray, np.ndarray, float]:
    filled = np.array([count or EMPTY for count in counts], np.float64)
    return filled / filled.sum(), np.array(scores, np.float64), float(filled.sum())


def _tilt(frequencies, gaps):
    """Return the likeliest frequencies with which the mean of the gaps is 0."""
    low, high = -1 / gaps.max(), -1 / gaps.min()
    margin = 1e-12 * (high - low)
    theta = brentq(
        lambda x: (frequencies * gaps / (1 + x * gaps)).sum(), low + margin, high - margin
    )
    return frequencies / (1 + theta * gaps)


def _fit_t(frequencies, a, t, reference):
    """Return the likeliest frequencies with a normalized mean, by repeated linearization."""
    found = np.full(len(frequencies), 1 / len(frequencies))
    for _ in range(STEPS):
        before = found
        mean = found @ a
        spread = sqrt(float(found @ (a - mean) ** 2))
        gaps = a - reference - t * spread * (1 + ((mean - a) / spread) ** 2) / 2
        found = _tilt(frequencies, gaps)
        if np.abs(found - before).max() < CLOSE:
            break
    return found
