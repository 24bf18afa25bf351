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

    def by_leg(values: Ints) -> Ints:
        return values.T.reshape(shape).astype(np.int64)

    points = [by_leg(team) for team in _points(experiment, sets)]
    winner = by_leg(sets.winner) if experiment.game.score is None else _ahead(points)
    block = Block(
        sets.first,
        winner,
        by_leg(sets.deals),
        by_leg(sets.decisions),
        np.stack(points, axis=2),
        by_leg(sets.forfeited.astype(np.int64)),
        int(((sets.winner == DRAWN) & (sets.deals >= MOST_DEALS)).sum()),
    )
    return tally_block(design, block)


def _points(experiment: Experiment, sets: PlayedSets) -> list[Ints]:
    """Return the points of each team, int64[sets, legs] each; who forfeits has none.

    In single deals they are what the counters have gained above the mean of all teams, times their
    number; one that is forfeited gives the others what the dearest counter is worth.
    """
    metric, teams = experiment.design.metric, experiment.game.team_count
    score = experiment.game.score
    if metric.by_match:
        drawn = sets.winner == DRAWN
        points = [teams * (sets.winner == team) + drawn for team in range(teams)]
    else:
        names = experiment.game.count_plan.counters
        at = {name: LEAST + teams * place for place, name in enumerate(names)}
        # Where every match was forfeited, nobody has learnt how many counters there are.
        missing = max(0, LEAST + teams * len(names) - sets.rows.shape[2])
        rows = np.pad(sets.rows, ((0, 0), (0, 0), (0, missing)))
        points = [
            sum(
                (weight * rows[:, :, at[name] + team] for name, weight in metric.weights),
                start=np.zeros_like(sets.winner),
            )
            for team in range(teams)
        ]
    if score is not None:
        forfeit = max(weight for _, weight in metric.weights)
        for team in range(teams):
            points[team] -= sum(weight * score[name][team] for name, weight in metric.weights)
            points[team] = np.where(sets.forfeited == NOBODY, points[team], forfeit)
    points = [np.where(sets.forfeited == team, 0, mine) for team, mine in enumerate(points)]
    if metric.level:
        together = sum(points, start=np.zeros_like(sets.winner))
        points = [teams * mine - together for mine in points]
    return points


def _ahead(points: list[Ints]) -> Ints:
    """Return the team that alone has the most points, or `DRAWN`."""
    of_teams = np.stack(points)
    alone = (of_teams == of_teams.max(axis=0)).sum(axis=0) == 1
    return np.where(alone, of_teams.argmax(axis=0), DRAWN)


def fits_experiment(experiment: Experiment, sets: int, counts: Any) -> bool:
    """Tell whether counts are what so many sets of the experiment can give, as JSON has it."""
    return is_tally(experiment.design, counts) and counts["sets"] == sets
