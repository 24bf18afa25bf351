"""Shares of independent matches, such as those won."""

from __future__ import annotations

from math import sqrt

from trutdsl.stats.estimate import ALPHA, DECIMALS, Estimate
from trutdsl.stats.special import betaincinv


def estimate_share(seen: int, matches: int) -> Estimate:
    """Return seen / matches with its 95 % interval, which holds at least so often, whatever it is.

    Limits: the shares with which `seen` or more, and `seen` or fewer, are as likely as 2.5 %.
    Source: C. J. Clopper and E. S. Pearson, Biometrika 26 (1934) 404-413.
    """
    share, rest, tail = seen / matches, matches - seen, float(ALPHA / 2)
    low = round(betaincinv(seen, rest + 1, tail), DECIMALS) if seen else 0.0
    high = round(betaincinv(seen + 1, rest, 1 - tail), DECIMALS) if rest else 1.0
    error = sqrt(share * (1 - share) / (matches - 1)) if matches > 1 else None
    return Estimate(share, error, low, high, "clopper-pearson")
