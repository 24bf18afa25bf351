"""The field as a whole: strengths on one scale, cycles, equilibrium, evolution."""

from __future__ import annotations

from dataclasses import dataclass

from trutdsl.stats.alpha_rank import alpha_rank
from trutdsl.stats.bradley_terry import Strengths, fit_strengths
from trutdsl.stats.cyclic import estimate_cyclic_share
from trutdsl.stats.design import Design
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.nash import NashAverage, nash_average
from trutdsl.stats.payoffs import pair_payoffs, payoff_replicates
from trutdsl.stats.tally import Tally


@dataclass(frozen=True)
class Field:
    """What is said of all strategies together; None where it cannot be said.

    strengths:    by Bradley and Terry.
    cyclic_share: what of the pairs' results no ranking tells; for three strategies or more.
    nash:         Nash average.
    alpha_rank:   stationary distribution over the strategies.
    """

    strengths: Strengths | None
    cyclic_share: Estimate | None
    nash: NashAverage | None
    alpha_rank: tuple[float, ...] | None


def describe_field(tally: Tally, design: Design) -> Field:
    """Return what is said of all strategies together."""
    strengths, payoffs = fit_strengths([(design, tally)]), pair_payoffs(tally, design)
    if payoffs is None:
        return Field(strengths, None, None, None)
    cyclic = None
    if design.strategies > 2 and len(tally.groups) > 1:
        cyclic = estimate_cyclic_share(payoffs, payoff_replicates(tally, design))
    return Field(strengths, cyclic, nash_average(payoffs), alpha_rank(payoffs))
