"""Equilibrium of one deal, and the values of the scores of a match under stored play.

A deal is solved by counterfactual regret minimization over its tree. Both seats improve their play
in turn (CFR+, Tammelin 2014). The average of their plans, iteration t with weight t squared,
converges to an equilibrium. A best response measures the distance: it is the gain of a perfect
opponent. Sums have a fixed order, so the same input gives the same bytes. The value of a score is
the chance of each team to win the match from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf

import numpy as np

from trutdsl.language import figure, say
from trutdsl.solve.positions import Floats
from trutdsl.solve.scores import Outcome, Score
from trutdsl.solve.stored import NO_PLAY, StoredPlay, strategy_from
from trutdsl.solve.tree import DealTree, SeatTree, check_choices, worth_of_sequences
from trutdsl.solve.trees import ScoreEnds, TreeEnumerator

LOOK_EVERY = 10  # iterations between two looks at how good the play is


class DealSolver:
    """Plays a deal against itself, so that the average play converges to an equilibrium.

    iterations: the number of finished ones. The plans of `average` are float64 (sequences,), of
    each seat.
    """

    def __init__(self, tree: DealTree) -> None:
        self.tree = tree
        self.seats = tree.seats
        sizes = self.seats[0].sequences, self.seats[1].sequences
        self.resume(0, [np.zeros(size) for size in (*sizes, *sizes)])
        self.set_gains(np.zeros(len(tree.kinds)))

    def resume(self, iterations: int, arrays: Sequence[Floats]) -> None:
        """Continue after so many iterations; arrays: the value of `arrays` at that time."""
        self.iterations, self._regrets, self._sums = iterations, [*arrays[:2]], [*arrays[2:]]
        self._strategies = [self.seats[s].strategy_of(self._regrets[s]) for s in (0, 1)]
        self._plans = [self.seats[s].plan_of(self._strategies[s]) for s in (0, 1)]

    @property
    def arrays(self) -> list[Floats]:
        """What the iterations have computed, from which they can continue; it stays unchanged."""
        return [*self._regrets, *self._sums]

    def set_gains(self, gains: Floats) -> None:
        """Set the gain of the first seat from each kind of end, float64 (kinds,)."""
        self._payoffs = self.tree.payoffs(gains)

    def iterate(self) -> None:
        """Improve the play of both seats once, one after the other."""
        self.iterations += 1
        for s, seat in enumerate(self.seats):
            self._improve(s, seat)
            self._sums[s] = self._sums[s] + self.iterations**2 * self._plans[s]

    def improve(self, iterations: int) -> tuple[Floats, Floats]:
        """Iterate until the next look, at most so many times in all; return the average plans."""
        for _ in range(min(LOOK_EVERY, iterations - self.iterations)):
            self.iterate()
        return self.average()

    def exploitability(self, plans: tuple[Floats, Floats]) -> float:
        """Return the mean gain of a perfect opponent of these plans."""
        return sum(self.best_values(plans)) / 2

    def _improve(self, s: int, seat: SeatTree) -> None:
        strategy, regrets = self._strategies[s], self._regrets[s]
        worth, values = seat.worth_of_play(self.worth(s, self._plans[1 - s]), strategy)
        gained = np.maximum(regrets[1:] + worth[1:] - values[seat.owner], 0.0)
        self._regrets[s] = np.append(0.0, gained)
        self._strategies[s] = seat.strategy_of(self._regrets[s])
        self._plans[s] = seat.plan_of(self._strategies[s])

    def worth(self, seat: int, other: Floats) -> Floats:
        """Return the gain of a seat from the ends of each sequence, against a plan of the other."""
        return worth_of_sequences(self._payoffs, seat, other)

    def average(self) -> tuple[Floats, Floats]:
        """Return the average plan of each seat."""
        total = sum(turn**2 for turn in range(1, self.iterations + 1))
        return self._sums[0] / total, self._sums[1] / total

    def value(self, plans: tuple[Floats, Floats]) -> float:
        """Return the gain of the first seat if both play by these plans."""
        return float((plans[0] * self.worth(0, plans[1])).sum())

    def best_response(self, seat: int, other: Floats) -> tuple[float, Floats]:
        """Return the gain and the strategy of a seat's best response to a plan of the other."""
        return self.seats[seat].best_response(self.worth(seat, other))

    def best_values(self, plans: tuple[Floats, Floats]) -> tuple[float, float]:
        """Return the gain of each seat's best response to the other's plan."""
        return self.best_response(0, plans[1])[0], self.best_response(1, plans[0])[0]


@dataclass(frozen=True)
class SolvedDeal:
    """The first deal of a match, played for points.

    gains: of the first seat, from each kind of end. plans: the computed play of both seats. value:
    the gain of the dealer. best: the gain of each seat's best response.
    """

    score: Score
    tree: DealTree
    gains: Floats
    plans: tuple[Floats, Floats]
    value: float
    best: tuple[float, float]
    iterations: int

    @property
    def dealer(self) -> int:
        return self.score.start[0] % 2

    @property
    def exploitability(self) -> float:
        """Return the mean gain of a perfect opponent over both seats, in points."""
        return sum(self.best) / 2


def solve_deal(
    deals: TreeEnumerator,
    worth: Mapping[str, float],
    iterations: int,
    target: float = 0.0,
    show: Callable[[str], None] = lambda _text: None,
) -> SolvedDeal:
    """Return the play of the first deal after so many iterations, or at this exploitability.

    deals: of single deals. worth: points of each counter. If several seats can deal first, the
    first of them deals. Raises `BadUsage` if no seat has a choice, and for unknown counters.
    """
    score = next(iter(deals.first_scores()))
    tree, gains = deals.points_at(score, worth)
    check_choices([tree])
    solver = DealSolver(tree)
    solver.set_gains(gains)
    exploitability = inf
    while solver.iterations < iterations and exploitability > target:
        plans = solver.improve(iterations)
        best = solver.best_values(plans)
        exploitability = sum(best) / 2
        text = "iteration {number}: exploitability {points} points"
        show(say(text, number=solver.iterations, points=figure(exploitability, ".6f")))
    value = solver.value(plans) if score.start[0] % 2 == 0 else -solver.value(plans)
    return SolvedDeal(score, tree, gains, plans, value, best, solver.iterations)


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
    chances = chances_of_outcomes(all_ends, plans)
    own = values_of_play(chances, {s: k.value for s, k in known.items()}, WORTHS[0], 0.5)

    def respond(seat: int, score: Score, gains: Floats) -> tuple[float, tuple[Floats, Floats]]:
        solver, (one, other) = solvers[score], plans[score]
        solver.set_gains(gains)
        gain, strategy = solver.best_response(seat, (other, one)[seat])
        plan = solver.seats[seat].plan_of(strategy)
        return gain, (plan, other) if seat == 0 else (one, plan)

    best = [
        best_values(
            all_ends, seat, {s: k.best[seat] for s, k in known.items()}, partial(respond, seat), 0.5
        )
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


# Scores that lead to each other: their values depend on each other.
#
# A match is cut after a deal with a tiny probability (Shapley, Stochastic games, 1953). So each
# value is defined, even if the match never ends: then it is that of a match that is cut.

CUT = 1e-12
CLOSE = 1e-11  # a smaller gain of a new response comes from rounding
Worth = Mapping[int | None, float]  # of a match that a team has won, or nobody
WORTHS: tuple[Worth, Worth] = ({0: 1.0, 1: 0.0, None: 0.5}, {0: 0.0, 1: 1.0, None: 0.5})
Chances = Mapping[Score, Mapping[Outcome, float]]  # of the outcomes of a deal at each score


def chances_of_outcomes(
    all_ends: Mapping[Score, ScoreEnds], plans: Mapping[Score, tuple[Floats, Floats]]
) -> Chances:
    """Return how likely each outcome of a deal is, at each score, under the plans of both seats."""
    return {
        score: ends.outcome_chances(ends.tree.chance_of_ends(plans[score]))
        for score, ends in all_ends.items()
    }


def can_end(chances: Chances) -> bool:
    """Tell whether play leaves these scores in the end, from each of them."""
    endless = set(chances)  # as far as known
    while able := {
        score
        for score in endless
        if sum(p for o, p in chances[score].items() if o.score not in endless) > CUT
    }:
        endless -= able
    return not endless


def can_recur(all_ends: Mapping[Score, ScoreEnds]) -> bool:
    """Tell whether deals lead back to the scores from which they start."""
    return any(outcome.score in all_ends for ends in all_ends.values() for outcome in ends.outcomes)


def values_of_play(
    chances: Chances, known: Mapping[Score, float], worth: Worth, cut: float
) -> dict[Score, float]:
    """Return the values of scores under some play.

    known: the values of other scores to which it leads. worth: of the ends of a match. cut: that of
    a match that is cut. Each score has a linear equation; elimination solves them.
    """
    places = {score: place for place, score in enumerate(chances)}
    table = np.eye(len(places), len(places) + 1)
    for row, outcomes in zip(table, chances.values(), strict=True):
        shares = np.array([*outcomes.values()])
        shares /= shares.sum()  # without errors of rounding, which many deals would add up
        for (score, winner), chance in zip(outcomes, shares.tolist(), strict=True):
            if score in places:
                row[places[score]] -= chance * (1 - CUT)
            else:
                row[-1] += chance * ((worth[winner] if score is None else known[score]) - cut)
    for place, row in enumerate(table):
        row /= row[place]
        below = place + 1 + np.flatnonzero(table[place + 1 :, place])
        table[below, place:] -= table[below, place, None] * row[place:]
    values = np.zeros(len(places))
    for place in reversed(range(len(places))):
        values[place] = (
            table[place, -1] - (table[place, place + 1 : -1] * values[place + 1 :]).sum()
        )
    return dict(zip(places, map(_within_bounds, (cut + values).tolist()), strict=True))


def _within_bounds(share: float) -> float:
    """Return a share of matches without an error of rounding that leads below 0 or above 1."""
    return min(max(share, 0.0), 1.0)


Respond = Callable[[Score, Floats], tuple[float, tuple[Floats, Floats]]]


def best_values(
    all_ends: Mapping[Score, ScoreEnds],
    seat: int,
    known: Mapping[Score, float],
    respond: Respond,
    cut: float,
) -> dict[Score, float]:
    """Return the values of a seat's best responses (policy iteration, R. Howard 1960).

    respond: returns the gain of a response at a score, and the plans of both seats. known, cut: see
    `values_of_play`.
    """
    recurs = can_recur(all_ends)

    def improve(own: Mapping[Score, float]) -> dict[Score, float]:
        """Return the values of the best responses if later deals have these values."""
        values = {**known, **{score: cut + (1 - CUT) * (own[score] - cut) for score in own}}
        found = {score: respond(score, gains_of(all_ends[score], seat, values)) for score in own}
        if not recurs:
            return {score: _within_bounds(0.5 + gain) for score, (gain, _) in found.items()}
        plans = {score: both for score, (_, both) in found.items()}
        return values_of_play(chances_of_outcomes(all_ends, plans), known, WORTHS[seat], cut)

    own = improve(dict.fromkeys(all_ends, cut))
    while recurs:
        before, own = own, improve(own)
        if all(own[score] <= before[score] + CLOSE for score in own):
            break
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
