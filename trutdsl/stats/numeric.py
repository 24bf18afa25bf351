"""Special functions, quantiles and counter-based random numbers, the same on every machine."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = Fraction(95, 100)
ALPHA = 1 - CONFIDENCE
DECIMALS = 9
SMALLEST_P = 1e-9  # the least p-value that rounding leaves


def round_p(p: float) -> float:
    """Return a p-value in 9 decimals, at least 1e-9."""
    return max(SMALLEST_P, round(p, DECIMALS))


def quantile(level: Fraction, freedom: Fraction | int) -> float:
    """Return the quantile of Student's t, in the decimals that are the same on every machine."""
    return round(stdtrit(float(freedom), float(level)), DECIMALS)


# Distributions and their quantiles. They load scipy at the first call, which takes long.


Floats = NDArray[np.float64]


def _special(name: str) -> Callable[..., float]:
    def call(*numbers: float) -> float:
        from scipy import special

        return float(getattr(special, name)(*numbers))

    return call


ndtr, ndtri = _special("ndtr"), _special("ndtri")
stdtr, stdtrit = _special("stdtr"), _special("stdtrit")  # of degrees of freedom, and t or p
chdtri = _special("chdtri")  # of degrees of freedom, and the upper tail probability
betaincinv = _special("betaincinv")


def ndtrs(x: Floats) -> Floats:
    """Return the normal distribution function of each x."""
    from scipy import special

    found: Floats = special.ndtr(x)
    return found


# Counter-based random numbers: each is a hash of its place, so it is the same in every worker.


GAMMA, ONE, TWO = (
    np.uint64(x) for x in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)


def hashed(purpose: int, rows: int, columns: int) -> NDArray[np.uint64]:
    """Return 64 bits for each place of a table, by SplitMix64's finalizer (twice)."""
    start = np.array([purpose], np.uint64) * GAMMA
    row = _mix(np.arange(rows, dtype=np.uint64) + start)
    column = (np.arange(columns, dtype=np.uint64) + np.uint64(1)) * GAMMA
    found: NDArray[np.uint64] = _mix(row[:, None] + column[None, :])
    return found


@lru_cache(maxsize=2)
def normals(rows: int, columns: int) -> Floats:
    """Return standard normal numbers, read-only, by the inverse of the distribution function."""
    from scipy import special

    found: Floats = special.ndtri(_units(2, rows, columns))
    found.flags.writeable = False
    return found


def poisson_weights(rows: int, columns: int) -> Floats:
    """Return Poisson weights of mean 1, by inversion (J. A. Hanley and B. MacGibbon, 2006)."""
    units, reached, term = _units(3, rows, columns), 0.0, np.exp(-1.0)
    found = np.zeros((rows, columns))
    for count in range(1, 20):
        reached += term
        found += units >= reached
        term /= count
    return found


def _units(purpose: int, rows: int, columns: int) -> Floats:
    """Return numbers strictly between 0 and 1: odd multiples of 2**-54."""
    return ((hashed(purpose, rows, columns) >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53


def _mix(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = (z ^ (z >> np.uint64(30))) * ONE
    z = (z ^ (z >> np.uint64(27))) * TWO
    return z ^ (z >> np.uint64(31))
