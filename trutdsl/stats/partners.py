"""Partnerships: how each strategy does with every partner, from how its partnerships do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from trutdsl.stats.design import Design
from trutdsl.stats.estimate import Bounds, Estimate, Sums
from trutdsl.stats.interval import estimate_mean
from trutdsl.stats.tally import Tally


@dataclass(frozen=True)
class Partner:
    """A strategy (an index) with its mean score over all its partnerships."""

    strategy: int
    score: Estimate


def rank_partners(
    design: Design, tally: Tally, partners: Sequence[Sequence[int]]
) -> tuple[Partner, ...]:
    """Return each strategy, the best first; partners: the strategies of each entrant.

    Its partnerships play the same sets, so that the squares are those of their sum, with all that
    they have in common.
    """
    found = []
    for strategy in sorted({one for members in partners for one in members}):
        own = [entrant for entrant, members in enumerate(partners) if strategy in members]
        matches = sum(design.matches_of(entrant) for entrant in own)
        squares = sum(tally.cross[i][j] for i in own for j in own)
        unit = matches * design.metric.unit(design.teams)
        sums = Sums(tally.sets, sum(tally.score[i] for i in own), squares, unit)
        meetings = matches // len(design.orders)
        score = estimate_mean(
            sums, design, Bounds(0, design.metric.reach, Fraction(1, meetings**2))
        )
        found.append(Partner(strategy, score))
    return tuple(sorted(found, key=lambda one: -one.score.mean))
