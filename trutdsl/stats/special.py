"""Special functions: distributions and their quantiles, as scipy has them.

scipy is loaded when one of them is first asked: that takes longer than many a command.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def ndtr(x: float) -> float:
    """Return the normal distribution function."""
    from scipy import special

    return float(special.ndtr(x))


def ndtrs(x: Floats) -> Floats:
    """Return the normal distribution function, float64 of the shape of x."""
    from scipy import special

    found: Floats = special.ndtr(x)
    return found


def ndtri(p: float) -> float:
    """Return the quantile of the normal distribution."""
    from scipy import special

    return float(special.ndtri(p))


def ndtris(p: Floats) -> Floats:
    """Return quantiles of the normal distribution, float64 of the shape of p."""
    from scipy import special

    found: Floats = special.ndtri(p)
    return found


def stdtr(freedom: float, t: float) -> float:
    """Return Student's distribution function, for so many degrees of freedom."""
    from scipy import special

    return float(special.stdtr(freedom, t))


def stdtrit(freedom: float, p: float) -> float:
    """Return the quantile of Student's t (scipy.stats.t.ppf, without loading scipy.stats)."""
    from scipy import special

    return float(special.stdtrit(freedom, p))


def chdtri(freedom: float, p: float) -> float:
    """Return the chi-square that is exceeded with probability p."""
    from scipy import special

    return float(special.chdtri(freedom, p))


def betaincinv(a: float, b: float, p: float) -> float:
    """Return the quantile of the beta distribution."""
    from scipy import special

    return float(special.betaincinv(a, b, p))
