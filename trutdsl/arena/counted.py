"""What is counted of a chunk, and whether a row of a journal is that."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trutdsl.arena.play import DRAWN, LEAST, NOBODY, Counts, PlayedSets
from trutdsl.arena.schedule import Experiment
from trutdsl.ir.bounds import MOST_DEALS
from trutdsl.stats.tally import Block, Tally, is_tally, merge_all, tally_block

Ints = NDArray[np.int64]
IN_CACHE = 1 << 16  # numbers of an array that are counted at once: a processor has them at hand


def count_sets(experiment: Experiment, sets: PlayedSets) -> Counts:
    """Return the tally of the sets as JSON has it; what the workers run."""
    each = max(1, IN_CACHE // (experiment.design.matches_per_set * experiment.design.teams))
    parts = (
        replace(
            sets,
            first=sets.first + at,
            rows=sets.rows[at : at + each],
            forfeited=sets.forfeited[at : at + each],
        )
        for at in range(0, len(sets), each)
    )
    return merge_all(_tally(experiment, part) for part in parts).to_counts()


def _tally(experiment: Experiment, sets: PlayedSets) -> Tally:
    design = experiment.design
    shape = (len(design.combinations), len(design.orders), len(sets))
    winner, deals, decisions = (
        np.ascontiguousarray(values.T) for values in (sets.winner, sets.deals, sets.decisions)
    )
    lost = sets.forfeited.T.astype(np.int64) if (sets.forfeited != NOBODY).any() else None
    points = _points(experiment, sets, winner, lost)
    won = winner if experiment.game.score is None else _ahead(points)
    block = Block(
        sets.first,
        won.reshape(shape),
        deals.reshape(shape),
        decisions.reshape(shape),
        points.reshape(*shape[:2], design.teams, -1),
        None if lost is None else lost.reshape(shape),
        int(np.count_nonzero((winner == DRAWN) & (deals >= MOST_DEALS))),
    )
    return tally_block(design, block)


def _points(experiment: Experiment, sets: PlayedSets, winner: Ints, lost: Ints | None) -> Ints:
    """Return the points of each team, int64[legs, teams, sets]; who forfeits has none.

    In single deals they are what the counters have gained above the mean of all teams, times their
    number; one that is forfeited gives the others what the dearest counter is worth.
    winner: int64[legs, sets]. lost: who forfeited, likewise; None where nobody did.
    """
    metric, teams = experiment.design.metric, experiment.game.team_count
    score, each = experiment.game.score, np.arange(teams)[:, None]
    if metric.by_match:
        points = teams * (winner[:, None] == each) + (winner[:, None] == DRAWN)
    else:
        names = experiment.game.count_plan.counters
        at = {name: LEAST + teams * place for place, name in enumerate(names)}
        # Where every match was forfeited, nobody has learnt how many counters there are.
        missing = max(0, LEAST + teams * len(names) - sets.rows.shape[2])
        rows = np.pad(sets.rows, ((0, 0), (0, 0), (0, missing))).transpose(1, 2, 0)
        points = np.zeros((len(winner), teams, len(sets)), np.int64)
        for name, weight in metric.weights:
            points += weight * rows[:, at[name] : at[name] + teams]
    if score is not None:
        for name, weight in metric.weights:
            points -= weight * np.array(score[name], np.int64)[:, None]
        if lost is not None:
            points[np.broadcast_to(lost[:, None] != NOBODY, points.shape)] = max(
                weight for _, weight in metric.weights
            )
    if lost is not None:
        points[lost[:, None] == each] = 0
    found: Ints = teams * points - points.sum(axis=1, keepdims=True) if metric.level else points
    return found


def _ahead(points: Ints) -> Ints:
    """Return the team that alone has the most points, or `DRAWN`, int64[legs, sets]."""
    alone = (points == points.max(axis=1, keepdims=True)).sum(axis=1) == 1
    return np.where(alone, points.argmax(axis=1), DRAWN)


def fits_experiment(experiment: Experiment, sets: int, counts: Any) -> bool:
    """Tell whether counts are what so many sets of the experiment can give, as JSON has it."""
    return is_tally(experiment.design, counts) and counts["sets"] == sets
