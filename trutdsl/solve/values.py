"""The values of scores under given play: the chance of each team to win the match from there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from trutdsl.solve.equilibrium import DealSolver
from trutdsl.solve.positions import Floats
from trutdsl.solve.scores import Outcome, Score
from trutdsl.solve.stored import NO_PLAY, StoredPlay, strategy_from
from trutdsl.solve.tree import SeatTree
from trutdsl.solve.trees import ScoreEnds

CLOSE = 1e-12  # tolerance of values that depend on each other, from their fixed point
Plays = tuple[StoredPlay, StoredPlay]


@dataclass(frozen=True)
class SolvedScore:
    """A score under the play that is stored for it.

    value: the chance of the first team to win the match. best: the chance of each team with a best
    response to the stored play of the other. play: of each seat. iterations: the number of them.
    """

    value: float
    best: tuple[float, float]
    play: Plays
    iterations: int

    @property
    def exploitability(self) -> float:
        """The mean gain of both best responses, in matches."""
        return (sum(self.best) - 1) / 2

    def exchange_seats(self) -> SolvedScore:
        """Return the same for the seats exchanged."""
        return SolvedScore(1 - self.value, self.best[::-1], self.play[::-1], self.iterations)

    def without_play(self) -> SolvedScore:
        """Return the values only."""
        return replace(self, play=(NO_PLAY, NO_PLAY))


def evaluate_plays(
    all_ends: Mapping[Score, ScoreEnds],
    solvers: Mapping[Score, DealSolver],
    plays: Mapping[Score, Plays],
    known: Mapping[Score, SolvedScore],
) -> dict[Score, SolvedScore]:
    """Return scores with their values: of stored play against itself, and against best responses.

    all_ends: of scores that lead to each other. known: at least the others that their deals lead
    to.
    """
    plans = {score: plans_of(solver.seats, plays[score]) for score, solver in solvers.items()}

    def values_of(
        team: int, values: Mapping[Score, float], gain: Callable[[Score], float]
    ) -> dict[Score, float]:
        def value_of(score: Score, values: Mapping[Score, float]) -> float:
            solvers[score].set_gains(gains_of(all_ends[score], team, values))
            return 0.5 + gain(score)

        return solve_fixed_point(all_ends, values, value_of, 0.5)

    def best_value(seat: int, score: Score) -> float:
        return solvers[score].best_value(seat, plans[score][1 - seat])

    own = values_of(
        0, {s: k.value for s, k in known.items()}, lambda score: solvers[score].value(plans[score])
    )
    best = [
        values_of(seat, {s: k.best[seat] for s, k in known.items()}, partial(best_value, seat))
        for seat in (0, 1)
    ]
    return {
        score: SolvedScore(
            own[score], (best[0][score], best[1][score]), plays[score], solvers[score].iterations
        )
        for score in all_ends
    }


def plans_of(seats: tuple[SeatTree, SeatTree], plays: Plays) -> tuple[Floats, Floats]:
    """Return the plans of stored play."""
    one, other = (
        seat.plan_of(strategy_from(seat, play)) for seat, play in zip(seats, plays, strict=True)
    )
    return one, other


def can_end(
    all_ends: Mapping[Score, ScoreEnds],
    solvers: Mapping[Score, DealSolver],
    plays: Mapping[Score, Plays],
) -> bool:
    """Tell whether stored play leaves these scores in the end, from each of them."""
    leads_to = dict[Score, dict[Outcome, float]]()
    for score, ends in all_ends.items():
        plans = plans_of(solvers[score].seats, plays[score])
        leads_to[score] = ends.outcome_chances(ends.tree.chance_of_ends(plans))
    endless = set(all_ends)  # as far as known
    while able := {
        score
        for score in endless
        if sum(p for o, p in leads_to[score].items() if o.score not in endless) > CLOSE
    }:
        endless -= able
    return not endless


def can_recur(all_ends: Mapping[Score, ScoreEnds]) -> bool:
    """Tell whether deals lead back to the scores from which they start."""
    return any(outcome.score in all_ends for ends in all_ends.values() for outcome in ends.outcomes)


def solve_fixed_point(
    all_ends: Mapping[Score, ScoreEnds],
    known: Mapping[Score, float],
    value_of: Callable[[Score, Mapping[Score, float]], float],
    endless: float,
) -> dict[Score, float]:
    """Return the values of scores to which their deals can lead back.

    known: the values of other scores. value_of: returns the value of a score, given those of all
    scores to which its deal leads. endless: the worth of a match that does not end.
    """
    own, recurs = dict.fromkeys(all_ends, endless), can_recur(all_ends)
    while True:
        before = list(own.values())
        for score in all_ends:
            own[score] = value_of(score, {**known, **own})
        changes = (abs(new - old) for new, old in zip(own.values(), before, strict=True))
        if not recurs or max(changes) <= CLOSE:
            return own


def gains_of(ends: ScoreEnds, team: int, values: Mapping[Score, float]) -> Floats:
    """Return the gain of the first seat from each kind of end, around 0.

    values: for each score, the chance of a team to win the match.
    """
    gains = [gain_of(outcome, team, values) for outcome in ends.outcomes]
    return np.array(gains)[ends.of_kind]


def gain_of(outcome: Outcome, team: int, values: Mapping[Score, float]) -> float:
    """Return the gain of the first seat from an outcome, around 0; values: see `gains_of`."""
    if outcome.score is not None:
        return (1 if team == 0 else -1) * (values[outcome.score] - 0.5)
    return {0: 0.5, 1: -0.5, None: 0.0}[outcome.winner]
