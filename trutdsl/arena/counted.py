"""What is counted of a chunk, and whether a row of a journal is that."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trutdsl.arena.play import DRAWN, NOBODY, Counts, PlayedSets
from trutdsl.arena.schedule import Experiment
from trutdsl.ir.bounds import MOST_DEALS
from trutdsl.stats.reduction import Block, Whole, sets_at_once, tally_blocks
from trutdsl.stats.tally import is_tally

Teams = NDArray[np.int8]


def count_sets(experiment: Experiment, sets: PlayedSets) -> Counts:
    """Return the tally of the sets as JSON has it; what the workers run."""
    design, each = experiment.design, sets_at_once(experiment.design)
    parts = (sets.part(begin, begin + each) for begin in range(0, len(sets), each))
    return tally_blocks(design, (_block(experiment, part) for part in parts)).to_counts()


def _block(experiment: Experiment, sets: PlayedSets) -> Block:
    design = experiment.design
    shape = (len(design.combinations), len(design.orders))
    points = _points(experiment, sets, sets.forfeited)
    late = sets.deals >= MOST_DEALS
    won = sets.winner if experiment.game.score is None else _ahead(points)
    return Block(
        sets.first,
        won.reshape(*shape, -1),
        sets.deals.reshape(*shape, -1),
        sets.decisions.reshape(*shape, -1),
        points.reshape(*shape, design.teams, -1),
        None if sets.forfeited is None else sets.forfeited.reshape(*shape, -1),
        int(np.count_nonzero(sets.winner[late] == DRAWN)) if late.any() else 0,
    )


def _points(experiment: Experiment, sets: PlayedSets, lost: Teams | None) -> Whole:
    """Return the points of each team, of shape (legs, teams, sets); who forfeits has none.

    In single deals they are what the counters have gained above the mean of all teams, times their
    number; one that is forfeited gives the others what the dearest counter is worth.
    lost: who forfeited, of shape (legs, sets); None where nobody did.
    """
    metric, score, teams = experiment.design.metric, experiment.game.score, experiment.design.teams
    each = np.arange(teams, dtype=np.int8)[:, None]
    points: Whole
    if metric.by_match:
        winner = sets.winner[:, None]
        room = np.min_scalar_type(-teams * experiment.design.matches_per_set)
        points = room.type(teams) * (winner == each) + (winner == DRAWN)
    else:
        points = np.zeros((len(sets.winner), teams, len(sets)), np.int64)
        for (name, weight), values in zip(metric.weights, sets.counters, strict=True):
            points += weight * values.swapaxes(0, 1)
            if score is not None:
                points -= weight * np.array(score[name], np.int64)[:, None]
    if lost is not None:
        if score is not None:
            points[np.broadcast_to(lost[:, None] != NOBODY, points.shape)] = max(
                weight for _, weight in metric.weights
            )
        points[lost[:, None] == each] = 0
    found: Whole = teams * points - points.sum(axis=1, keepdims=True) if metric.level else points
    return found


def _ahead(points: Whole) -> Teams:
    """Return the team that alone has the most points, or `DRAWN`, of shape (legs, sets)."""
    best = (points == points.max(axis=1, keepdims=True)).view(np.int8)
    teams = np.arange(best.shape[1], dtype=np.int8)[:, None]
    alone, which = (of.sum(axis=1, dtype=np.int8) for of in (best, best * teams))
    return np.where(alone == 1, which, np.int8(DRAWN))


def fits_experiment(experiment: Experiment, sets: int, counts: Any) -> bool:
    """Tell whether counts are what so many sets of the experiment can give, as JSON has it."""
    return is_tally(experiment.design, counts) and counts["sets"] == sets
