"""One deal under best play, worth so many points for each counter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf

from trutdsl.game import Game
from trutdsl.language import figure, say
from trutdsl.solve.equilibrium import DealSolver
from trutdsl.solve.tree import check_choices
from trutdsl.solve.trees import TreeEnumerator


@dataclass(frozen=True)
class SolvedDeal:
    """The first deal of a match, played for points.

    value: the gain of the dealer under the computed play. exploitability: in points, the mean gain
    of a perfect opponent over both seats. public_nodes: histories of answers at which a seat has a
    choice. classes: how many deals differ. sets, sequences, ends: the size of the tree.
    proved: which cards are alike.
    """

    value: float
    exploitability: float
    iterations: int
    public_nodes: int
    classes: int
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
    check_choices([tree])
    solver = DealSolver(tree)
    solver.set_gains(gains)
    exploitability = inf
    while solver.iterations < iterations and exploitability > target:
        exploitability = solver.exploitability(solver.improve(iterations))
        text = "iteration {number}: exploitability {points} points"
        show(say(text, number=solver.iterations, points=figure(exploitability, ".6f")))
    return SolvedDeal(
        solver.value(solver.average()),
        exploitability,
        solver.iterations,
        tree.public_nodes,
        deals.classes,
        sum(len(seat.keys) for seat in tree.seats),
        sum(seat.sequences for seat in tree.seats),
        len(tree.kind),
        deals.stepper.classes.sentence(),
    )
