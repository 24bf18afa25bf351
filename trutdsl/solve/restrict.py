"""The worth of an answer: the value of a deal with it, less that of the same deal without it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from trutdsl.solve.equilibrium import DealSolver, Seat
from trutdsl.solve.positions import Floats
from trutdsl.solve.tree import DealTree

ITERATIONS = 200


@dataclass(frozen=True)
class AnswerWorth:
    """The worth of some choices to a seat; the true value lies between the bounds.

    value: the estimate.
    low, high: the bounds.
    """

    value: float
    low: float
    high: float


def worth_of(
    tree: DealTree,
    gains: Floats,
    plans: tuple[Floats, Floats],
    seat: int,
    forbidden: NDArray[np.bool_],
) -> AnswerWorth:
    """Return the loss of a seat if these choices are forbidden, and the other seat knows that.

    gains: of each kind of end to the first seat. plans: play of the whole deal, close to an
    equilibrium. forbidden: bool (sequences,).
    """
    whole, part = DealSolver(tree), DealSolver(without(tree, seat, forbidden))
    whole.set_gains(gains)
    part.set_gains(gains)
    for _ in range(ITERATIONS):
        part.iterate()
    side = 1 if seat == 0 else -1
    (one, low, high), (other, least, most) = (
        (side * solver.value(of), *sorted(side * value for value in _bounds(solver, of)))
        for solver, of in ((whole, plans), (part, part.average()))
    )
    return AnswerWorth(one - other, low - most, high - least)


def _bounds(solver: DealSolver, plans: tuple[Floats, Floats]) -> tuple[float, float]:
    """Return bounds of the value of the deal to the first seat."""
    best = solver.best_values(plans)
    return -best[1], best[0]


def without(tree: DealTree, seat: int, forbidden: NDArray[np.bool_]) -> DealTree:
    """Return a tree without some choices of a seat; a set keeps them if it has no others."""
    own, choices = tree.seats[seat], Seat(tree.seats[seat])
    every = np.logical_and.reduceat(forbidden[1:], choices.starts)
    allowed = ~forbidden | np.append(True, every[choices.owner])
    stays = choices.plan_of(allowed.astype(np.float64)) > 0
    sets = stays[own.parents]
    number = np.cumsum(stays) - 1
    left = np.add.reduceat(stays[1:], choices.starts, dtype=np.int64)[sets]
    restricted = replace(
        own,
        keys=own.keys[sets],
        decisions=own.decisions[sets],
        parents=number[own.parents[sets]],
        first=np.append(1, 1 + np.cumsum(left)),
        levels=tuple(sorted({int(sets[:level].sum()) for level in own.levels})),
    )
    rows = stays[tree.ends[seat]]
    ends = tree.ends[:, rows]
    ends[seat] = number[ends[seat]]
    seats = (restricted, tree.seats[1]) if seat == 0 else (tree.seats[0], restricted)
    return replace(tree, seats=seats, ends=ends, chance=tree.chance[rows], kind=tree.kind[rows])
