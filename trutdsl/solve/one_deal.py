"""One deal under best play, worth so many points for each counter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from trutdsl.game import Game
from trutdsl.solve.equilibrium import DealSolver
from trutdsl.solve.trees import TreeEnumerator

LOOK_EVERY = 10  # iterations between two looks at how good the play is


@dataclass(frozen=True)
class SolvedDeal:
    """The first deal of a match, played for points.

    value: what the dealer gains under the play found. exploitability: in points, the mean of what a
    perfect opponent gains on either seat. public_nodes: histories of answers at which a seat has a
    choice. sets, sequences, ends: the size of the tree. proved: which cards are alike.
    """

    value: float
    exploitability: float
    iterations: int
    public_nodes: int
    sets: int
    sequences: int
    ends: int
    proved: str


def solve_deal(
    game: Game,
    worth: Mapping[str, float],
    iterations: int,
    target: float = 0.0,
    show: Callable[[str], None] = lambda _text: None,
) -> SolvedDeal:
    """Return the play of the first deal after so many iterations, or at this exploitability.

    worth: points of each counter. Raises `BadUsage` for a game that cannot be solved.
    """
    deals = TreeEnumerator(game, show=show, alone=True)
    score = deals.first_scores()[0]
    tree, gains = deals.points_at(score, worth)
    solver = DealSolver(tree)
    solver.set_gains(gains)
    found = float("inf")
    while solver.iterations < iterations and found > target:
        for _ in range(min(LOOK_EVERY, iterations - solver.iterations)):
            solver.iterate()
        plans = solver.average()
        found = sum(solver.best_values(plans)) / 2
        show(f"iteration {solver.iterations}: exploitability {found:.6f} points")
    return SolvedDeal(
        solver.value(plans),
        found,
        solver.iterations,
        tree.public_nodes,
        sum(len(seat.keys) for seat in tree.seats),
        sum(seat.sequences for seat in tree.seats),
        len(tree.kind),
        deals.stepper.classes.sentence(),
    )
