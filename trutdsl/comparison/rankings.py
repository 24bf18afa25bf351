"""Agreement of rankings: whether strategies that are good in one variant are good in another."""

from __future__ import annotations

import numpy as np

from trutdsl.comparison.measured import Measured
from trutdsl.stats.bootstrap import FEW_GROUPS, percentile_interval
from trutdsl.stats.estimate import DECIMALS, Estimate
from trutdsl.stats.hashed import Floats
from trutdsl.stats.payoffs import pair_payoffs, payoff_replicates

FEWEST = 3  # strategies


def agreement(base: Measured, other: Measured) -> Estimate | None:
    """Return Kendall's tau-b of the strategies' mean scores in two variants, 1 for the same order.

    The interval is that of a bootstrap over groups of sets, drawn alike in both, cut at what was
    found. None for fewer than three strategies, or 20 groups. Source: M. G. Kendall, Biometrika 33
    (1945) 239-251.
    """
    if base.design.strategies < FEWEST or base.design != other.design:
        return None
    one, two = (pair_payoffs(m.tally, m.design) for m in (base, other))
    few = len(base.tally.groups) < FEW_GROUPS
    if one is None or two is None or few:
        return None
    tau = kendall_tau(one.mean(axis=1), two.mean(axis=1))
    if tau is None:
        return None
    both = (payoff_replicates(m.tally, m.design).mean(axis=2) for m in (base, other))
    drawn = [kendall_tau(a, b) for a, b in zip(*both, strict=True)]
    known = np.array([one for one in drawn if one is not None])
    return percentile_interval(round(tau, DECIMALS), known)


def kendall_tau(one: Floats, other: Floats) -> float | None:
    """Return tau-b of two rankings, None where one of them ranks nobody above anybody."""
    first, second = (np.sign(scores[:, None] - scores[None, :]) for scores in (one, other))
    squares = float((first**2).sum() * (second**2).sum())
    return float((first * second).sum()) / squares**0.5 if squares else None
