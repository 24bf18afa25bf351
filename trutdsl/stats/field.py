"""The field as a whole: strengths on one scale, cycles, equilibrium, evolution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trutdsl.stats.alpha_rank import AlphaRank, estimate_alpha_rank
from trutdsl.stats.bootstrap import FEW_GROUPS
from trutdsl.stats.bradley_terry import Strengths, fit_strengths
from trutdsl.stats.cycles import shortest_cycles
from trutdsl.stats.cyclic import estimate_cyclic_share
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.meetings import Pair
from trutdsl.stats.nash import NashAverage, estimate_nash
from trutdsl.stats.payoffs import pair_payoffs, payoff_replicates
from trutdsl.stats.tally import Played


@dataclass(frozen=True)
class Field:
    """What is said of all strategies together; None where it cannot be said.

    strengths:    by Bradley and Terry.
    cycles:       certain ones: each strategy beats the next, the last the first.
    cyclic_share: what of the pairs' results the scores do not tell; for more than two of them, and
                  more than are in a match, from 20 groups of sets on.
    nash:         Nash average.
    alpha_rank:   stationary distribution over the strategies.
    """

    strengths: Strengths | None
    cycles: tuple[tuple[int, ...], ...]
    cyclic_share: Estimate | None
    nash: NashAverage | None
    alpha_rank: AlphaRank | None


def describe_field(rounds: Played, pairs: Sequence[Pair]) -> Field:
    """Return what is said of all strategies together; pairs: their meetings, the last one counts.

    Where who meets depends on earlier rounds, there is no matrix of all pairs. Where all sit in
    every match, a pair's difference is that of the scores. A bootstrap is not for runs that end
    when something is seen.
    """
    last = {(pair.first, pair.second): pair for pair in pairs}
    cycles = shortest_cycles([pair.beats for pair in last.values() if pair.beats is not None])
    strengths, (design, tally) = fit_strengths(rounds), rounds[0]
    payoffs = pair_payoffs(tally, design) if len(rounds) == 1 else None
    if payoffs is None:
        return Field(strengths, cycles, None, None, None)
    if len(tally.groups) < FEW_GROUPS or design.sequential:
        replicates = np.empty((0, *payoffs.shape))
    else:
        replicates = payoff_replicates(tally, design)
    cyclic = None
    if design.strategies > max(design.teams, 2) and len(replicates):
        cyclic = estimate_cyclic_share(payoffs, replicates)
    return Field(
        strengths,
        cycles,
        cyclic,
        estimate_nash(payoffs, replicates),
        estimate_alpha_rank(payoffs, replicates),
    )
