"""Simulated tournaments of equal strategies on shared deals, and their error rates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trutdsl.stats.contrast import compare_all
from trutdsl.stats.design import Design, Ints, Tally, TournamentMetric, everyone_meets
from trutdsl.stats.reduction import SetBlock, tally_blocks
from trutdsl.stats.summary import score_of

# The standard deviations of a deal's luck and of a match's own luck. Two seatings of a pair then
# have a correlation of about -0.5, as similar strategies have in matches of 2-player Trut.
DEAL, OWN = 1.0, 0.8
POINTS = TournamentMetric((("points", 1),))


@dataclass(frozen=True)
class Row:
    """One row of the table: shares, and the number of tournaments.

    alarms: the share in which any interval of a difference excludes 0.
    scores: the share of intervals of scores that cover the truth.
    """

    strategies: int
    teams: int
    metric: str
    sets: int
    runs: int
    alarms: float
    scores: float


def play(design: Design, sets: int, rng: np.random.Generator) -> Tally:
    """Return the tally of a tournament of equal strategies."""
    shape = (len(design.combinations), len(design.orders), design.teams, sets)
    results = rng.normal(0, DEAL, (1, 1, design.teams, sets)) + rng.normal(0, OWN, shape)
    best = results.argmax(axis=2)
    drawn = np.ptp(results, axis=2) < 0.2
    winners: Ints = np.where(drawn, -1, best)
    length = np.full_like(winners, 20)
    if design.metric.by_match:
        points = (winners[:, :, None] == np.arange(design.teams)[:, None]) * design.teams
        points = np.where(drawn[:, :, None], 1, points)
    else:
        points = np.round(6 * results).astype(np.int64)
    return tally_blocks(design, [SetBlock(0, winners, length, 5 * length, points)])


def calibrate(
    strategies: int, teams: int, metric: TournamentMetric, sets: int, runs: int, seed: int = 1
) -> Row:
    """Play tournaments, and count false alarms and intervals that cover the truth."""
    design = Design(strategies, teams, everyone_meets(strategies, teams), metric)
    rng = np.random.default_rng([seed, strategies, teams, sets])
    truth = 1 / teams if metric.by_match else 0.0
    alarms, scores = 0, list[bool]()
    for _ in range(runs):
        tally = play(design, sets, rng)
        found = compare_all(tally, design)
        alarms += any(c.separated for c in found)
        means = [score_of(tally, design, i) for i in range(strategies)]
        scores += [mean.low <= truth <= mean.high for mean in means]
    words = "of 100 matches" if metric.by_match else f"{metric.name} per 100 deals"
    shares = (alarms / runs, float(np.mean(scores)))
    return Row(strategies, teams, words, sets, runs, *shares)
