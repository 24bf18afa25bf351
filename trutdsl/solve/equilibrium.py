"""Equilibrium of one deal: counterfactual regret minimization over the tree of the deal.

Both seats improve their play in turn (CFR+, Tammelin 2014). The average of their plans, iteration t
with weight t squared, converges to an equilibrium. A best response measures the distance: it is the
gain of a perfect opponent. Sums have a fixed order, so the same input gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from trutdsl.game import Game
from trutdsl.language import figure, say
from trutdsl.solve.positions import Floats, Numbers
from trutdsl.solve.tree import DealTree, SeatTree, check_choices, worth_of_sequences
from trutdsl.solve.trees import TreeEnumerator

LEAST = float(np.finfo(np.float64).tiny)  # the reciprocal of anything below may be infinite
SLIPS = 1e-6  # how often a seat slips, see `Seat.with_slips`
EQUAL = 1e-10  # of the size of all gains, the most by which equally good choices may differ
LOOK_EVERY = 10  # iterations between two looks at how good the play is


@dataclass(frozen=True)
class _Level:
    """Information sets after the same number of own choices, and their sequences.

    sets, sequences: their ranges. starts: int64, the first sequence of each set, and owner: int64,
    the set of each sequence, both from the start of the range. parents: for each set, the sequence
    that leads there.
    """

    sets: slice
    sequences: slice
    starts: Numbers
    owner: Numbers
    parents: Numbers


class Seat:
    """The choices of a seat in a deal, in arrays for passes over its tree.

    starts: int64 (sets,), the first choice of each information set; owner: int64, the set of each
    choice. Both count choices without the empty sequence.
    """

    def __init__(self, tree: SeatTree) -> None:
        self.tree, self.levels = tree, list[_Level]()
        counts = np.diff(tree.first)
        self.starts, self.owner = tree.first[:-1] - 1, np.repeat(np.arange(len(counts)), counts)
        for first, last in zip(tree.levels, tree.levels[1:], strict=False):
            starts = tree.first[first : last + 1]
            self.levels.append(
                _Level(
                    slice(first, last),
                    slice(int(starts[0]), int(starts[-1])),
                    starts[:-1] - starts[0],
                    np.repeat(np.arange(last - first), np.diff(starts)),
                    tree.parents[first:last],
                )
            )

    def plan_of(self, strategy: Floats) -> Floats:
        """Return the realization plan: the probability of each sequence by its seat's own choices.

        strategy: float64 (sequences,), the probability of each choice in its information set.
        """
        plan = np.empty(self.tree.sequences)
        plan[0] = 1.0
        for level in self.levels:
            plan[level.sequences] = strategy[level.sequences] * plan[level.parents][level.owner]
        return plan

    def strategy_of(self, weights: Floats) -> Floats:
        """Return weights of sequences, such as a plan, as shares of their information set's sum.

        The choices of a set are equally likely if that sum is nearly 0.
        """
        sums = np.add.reduceat(weights[1:], self.starts)
        positive = sums > LEAST
        scale = np.where(positive, 1 / np.where(positive, sums, 1.0), 0.0)
        even = np.where(positive, 0.0, 1 / np.diff(self.tree.first))
        return np.append(1.0, weights[1:] * scale[self.owner] + even[self.owner])

    def induct_backward(
        self, worth: Floats, value_of: Callable[[Floats, _Level], Floats]
    ) -> tuple[Floats, Floats]:
        """Return counterfactual values: of each sequence with its later choices, and of each set.

        worth: float64 (sequences,), from the ends of each sequence. value_of: returns the values of
        the sets of a level from the worth of their sequences.
        """
        worth, values = worth.copy(), np.empty(len(self.tree.keys))
        for level in reversed(self.levels):
            values[level.sets] = value_of(worth[level.sequences], level)
            worth += np.bincount(level.parents, values[level.sets], len(worth))
        return worth, values

    def worth_of_play(self, worth: Floats, strategy: Floats) -> tuple[Floats, Floats]:
        """Return worth and values, see `induct_backward`, if later choices follow a strategy."""
        return self.induct_backward(
            worth,
            lambda values, level: np.add.reduceat(strategy[level.sequences] * values, level.starts),
        )

    def worth_of_best(self, worth: Floats) -> tuple[Floats, Floats]:
        """Return worth and values, see `induct_backward`, if the best choices follow."""
        return self.induct_backward(
            worth, lambda values, level: np.maximum.reduceat(values, level.starts)
        )

    def with_slips(self, strategy: Floats) -> Floats:
        """Return a strategy with a trembling hand, which slips rarely, to any choice alike."""
        even = self.strategy_of(np.zeros(self.tree.sequences))
        return strategy + SLIPS * (even - strategy)

    def best_response(
        self, worth: Floats, after_slips: Floats | None = None
    ) -> tuple[float, Floats]:
        """Return the gain of the best choices, and their strategy; the first of equal choices.

        worth: float64 (sequences,), the gain from the ends of each sequence. after_slips: the same
        if the other seat slips rarely. Of equal choices it decides which are best, such as where
        the other seat never leads.
        """
        worth, best = self.worth_of_best(worth)
        gain = float(worth[0])
        if after_slips is not None:
            worth, best = self.worth_of_best(after_slips + self._exclude(worth, best))
        strategy = np.zeros(self.tree.sequences)
        strategy[0] = 1.0
        strategy[1 + first_best(worth[1:], best, self.owner)] = 1.0
        return gain, strategy

    def mean_best_response(self, *worths: tuple[Floats, Floats]) -> Floats:
        """Return the strategy in which all best choices of a set are equally likely.

        worths: see `best_response`, with and without slips, each with the sum of the sizes of the
        same gains. Differences that are tiny for this size come from rounding, so they count as
        none.
        """
        excluded = np.zeros(self.tree.sequences)
        for worth, size in worths:
            total, best = self.worth_of_best(worth + excluded)
            _, sizes = self.worth_of_play(size, np.ones(self.tree.sequences))
            excluded = self._exclude(total, best - EQUAL * sizes)
        return self.strategy_of(np.exp(excluded))

    def _exclude(self, worth: Floats, least: Floats) -> Floats:
        """Return what excludes worse choices if it is added; least: what a set's choices need."""
        return np.append(0.0, np.where(worth[1:] >= least[self.owner], 0.0, -np.inf))


def first_best(worth: Floats, best: Floats, owner: Numbers) -> Numbers:
    """Return the first choice of each set with the best worth; owner: the set of each choice."""
    top = np.flatnonzero(worth == best[owner])
    return top[np.diff(owner[top], prepend=-1) > 0].astype(np.int64)


class DealSolver:
    """Plays a deal against itself, so that the average play converges to an equilibrium.

    iterations: the number of finished ones. The plans of `average` are float64 (sequences,), of
    each seat.
    """

    def __init__(self, tree: DealTree) -> None:
        self.tree = tree
        self.seats = (Seat(tree.seats[0]), Seat(tree.seats[1]))
        sizes = tree.seats[0].sequences, tree.seats[1].sequences
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

    def _improve(self, s: int, seat: Seat) -> None:
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

    def best_value(self, seat: int, other: Floats) -> float:
        """Return the gain of a seat's best response to a plan of the other."""
        return self.seats[seat].best_response(self.worth(seat, other))[0]

    def best_values(self, plans: tuple[Floats, Floats]) -> tuple[float, float]:
        """Return the gain of each seat's best response to the other's plan."""
        return self.best_value(0, plans[1]), self.best_value(1, plans[0])


@dataclass(frozen=True)
class SolvedDeal:
    """The first deal of a match, played for points.

    value: the gain of the dealer under the computed play. exploitability: in points, the mean gain
    of a perfect opponent over both seats.
    """

    deals: TreeEnumerator
    tree: DealTree
    value: float
    exploitability: float
    iterations: int


def solve_deal(
    game: Game,
    worth: Mapping[str, float],
    iterations: int,
    target: float = 0.0,
    show: Callable[[str], None] = lambda _text: None,
    jobs: int = 1,
) -> SolvedDeal:
    """Return the play of the first deal after so many iterations, or at this exploitability.

    worth: points of each counter. jobs: processes that enumerate the deal. Raises `BadUsage` for a
    game that cannot be solved.
    """
    deals = TreeEnumerator(game, show=show, alone=True, jobs=jobs)
    score = deals.first_scores()[0]
    tree, gains = deals.points_at(score, worth)
    check_choices([tree])
    solver = DealSolver(tree)
    solver.set_gains(gains)
    exploitability = inf
    while solver.iterations < iterations and exploitability > target:
        exploitability = solver.exploitability(solver.improve(iterations))
        text = "iteration {number}: exploitability {points} points"
        show(say(text, number=solver.iterations, points=figure(exploitability, ".6f")))
    value = solver.value(solver.average())
    return SolvedDeal(deals, tree, value, exploitability, solver.iterations)
