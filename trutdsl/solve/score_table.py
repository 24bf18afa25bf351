"""The chance to win a match from each score, as rows of a table that scripts read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from trutdsl.solve.chain import MatchChain
from trutdsl.solve.expected import DealCounter

WHOLE = 10_000  # of which the chances of a table are parts
Chances = Mapping[tuple[int, ...], float]  # by the own counters, then those of the other side


def chances_by_score(played: Sequence[tuple[DealCounter, MatchChain]]) -> Chances:
    """Return the probability that the first strategy wins, by score.

    played: the matches in each seating, one if both strategies are the same. Other lasting state,
    such as the dealer, is averaged, weighted by its expected number of visits.
    """
    sums: dict[tuple[int, ...], tuple[float, float]] = {}
    for turn, (deals, chain) in enumerate(played):
        starts = deals.codec.first_scores()
        visits = np.sum([chain.visits(first) for first in starts], axis=0)
        places = [range(*deals.places(name).indices(10**6)) for name in deals.plan.counters]
        for own in (0, 1) if len(played) == 1 else (turn,):
            for score, row in chain.scores.items():
                sides = (own, 1 - own)
                key = tuple(score.values[place[side]] for side in sides for place in places)
                weight, won = sums.get(key, (0.0, 0.0))
                visit = float(visits[row])
                sums[key] = weight + visit, won + visit * float(chain.wins[row, own])
    return {key: won / weight for key, (weight, won) in sorted(sums.items()) if weight > 0}


def table_text(counters: Sequence[str], chances: Chances) -> str:
    """Return the table as CSV: the counters of both sides, and parts of 10,000."""
    lines = [",".join([*counters, *(f"their_{name}" for name in counters), "chance"])]
    lines += [",".join(map(str, (*key, round(WHOLE * won)))) for key, won in chances.items()]
    return "\n".join(lines) + "\n"
