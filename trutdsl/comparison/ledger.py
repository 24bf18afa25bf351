"""The bluff ledger: what is said with hands of every strength, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from trutdsl.comparison.measured import Ints, Measured
from trutdsl.stats.influence import ratio_influences
from trutdsl.table.counts import STRENGTHS

OWN, OTHER = 0, 1  # who has won a deal, in `bet_ended` and `bet_points`


def bluff_ledger(measured: Measured) -> list[dict[str, Any]]:
    """Return a row for each thing that can be said and each tenth of hands, as JSON has it.

    question, option: what was said. beats: of ten hands, how many the hand beats at least.
    offered, chosen: how often it could be said, and was. rate: the share; wins: the share of
    those deals that the own side wins. ends: how many ended for each reason. gain, loss: by counter
    what the own side has more than others from a deal that it wins, and less from one that another
    one wins. break_even: the share of such deals that has to be won so that both come to the same.
    worth: by counter what the own side has more than others from all these deals, on average.
    Estimates have intervals by clusters of sets; None where there is nothing to say.
    """
    plan = measured.plan
    offered, ended = (_by_cluster(measured, name) for name in ("offered", "bet_ended"))
    points = _by_cluster(measured, "bet_points")
    whole = points.sum(axis=0)
    found = []
    for bet, (question, option) in enumerate(plan.betting):
        for tenth in range(STRENGTHS):
            of = ended[:, bet, tenth]
            chosen, won = of.sum(axis=(1, 2)), of[:, :, OWN].sum(axis=1)
            rate = ratio_influences(chosen, offered[:, bet, tenth])
            wins = ratio_influences(won, chosen)
            told = of.sum(axis=0)
            found.append(
                {
                    "question": question,
                    "option": option,
                    "beats": tenth,
                    "offered": int(offered[:, bet, tenth].sum()),
                    "chosen": int(chosen.sum()),
                    "rate": None if rate is None else asdict(rate.estimate(0.0, 1.0)),
                    "wins": None if wins is None else asdict(wins.estimate(0.0, 1.0)),
                    "ends": dict(zip(plan.reasons, told.sum(axis=1).tolist(), strict=True)),
                    **_payoff(whole[bet, tenth], told.sum(axis=0), plan.counters),
                    "worth": {
                        counter: _worth(points[:, bet, tenth, :, place].sum(axis=1), chosen)
                        for place, counter in enumerate(plan.counters)
                    },
                }
            )
    return found


def _payoff(points: Ints, deals: Ints, counters: tuple[str, ...]) -> Mapping[str, Any]:
    """Return gain, loss and break-even; points: by who won and counter; deals: by who won."""
    gain = {c: _mean(points[OWN, i], deals[OWN]) for i, c in enumerate(counters)}
    loss = {c: _mean(-points[OTHER, i], deals[OTHER]) for i, c in enumerate(counters)}
    even: dict[str, float | None] = {}
    for counter in counters:
        won, lost = gain[counter], loss[counter]
        even[counter] = None
        if won is not None and lost is not None and min(won, lost) >= 0 and won + lost > 0:
            even[counter] = lost / (won + lost)
    return {"gain": gain, "loss": loss, "break_even": even}


def _worth(points: Ints, chosen: Ints) -> Mapping[str, Any] | None:
    found = ratio_influences(points, chosen)
    return None if found is None else asdict(found.estimate())


def _mean(total: np.int64, count: np.int64) -> float | None:
    return float(total) / float(count) if count else None


def _by_cluster(measured: Measured, name: str) -> Ints:
    shape, at = measured.plan.shapes[name], measured.plan.offsets[name]
    size = int(np.prod(shape))
    return measured.counts[:, at : at + size].reshape(measured.clusters, *shape)
