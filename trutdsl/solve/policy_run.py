"""A whole match solved into its policy file; a run that was stopped goes on where it was."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from trutdsl.diagnostics import BadUsage
from trutdsl.game import Game
from trutdsl.solve.deals import Score
from trutdsl.solve.equilibrium import DealSolver
from trutdsl.solve.match import MatchSolver, SolvedScore, read_solved, write_policy
from trutdsl.solve.policy import Policy

ITERATIONS = 200  # at most, for each score
TARGET = 0.005  # exploitability in matches
DEALS = 20  # a deal is solved to the target over this, because a match has many deals
SAVE_EVERY = 60.0  # seconds
MEASURED = 3  # iterations whose time is taken


@dataclass(frozen=True)
class SolvedMatch:
    """A match under the play that is stored for it: every score of the solver, solved."""

    solver: MatchSolver
    scores: Mapping[Score, SolvedScore]

    @property
    def value(self) -> float:
        """The probability that the side wins which deals first; the mean over the first dealers."""
        values = [
            self.scores[score].value if score.start[0] % 2 == 0 else 1 - self.scores[score].value
            for score in self.solver.first
        ]
        return sum(values) / len(values)

    @property
    def value_and_bounds(self) -> tuple[float, float, float]:
        """The value, and between what values that of perfect play lies."""
        low = high = 0.0
        for score in self.solver.first:
            best = self.scores[score].best[:: 1 if score.start[0] % 2 == 0 else -1]
            low, high = low + 1 - best[1], high + best[0]
        count = len(self.solver.first)
        return self.value, low / count, high / count

    @property
    def exploitability(self) -> float:
        """The mean of what both best responses gain, in matches."""
        first = [self.scores[score].exploitability for score in self.solver.first]
        return sum(first) / len(first)


def solve_match(
    solver: MatchSolver,
    path: Path,
    iterations: int = ITERATIONS,
    target: float = TARGET,
    jobs: int = 1,
    show: Callable[[str], None] = lambda _text: None,
) -> SolvedMatch:
    """Solve all scores, and write them to a file.

    target: the exploitability of the match to aim at. Raises `BadUsage` for an unfinished file of
    other settings. A run that is interrupted keeps its scores.
    """
    unfinished, order = path.with_name(path.name + ".part"), solver.order
    solved = _read_unfinished(unfinished, solver.game, iterations, target)
    saved = time.monotonic()

    def save(to: Path) -> None:
        write_policy(to, solver, solved, iterations, target)

    try:
        for score, found in solver.solve_all(iterations, target / DEALS, dict(solved), jobs):
            solved[score] = found
            show(
                f"{len(solved)} of {len(order)} scores solved, in up to {iterations} "
                "iterations each"
            )
            if time.monotonic() > saved + SAVE_EVERY:
                save(unfinished)
                saved = time.monotonic()
    except KeyboardInterrupt:
        save(unfinished)
        raise
    save(path)
    unfinished.unlink(missing_ok=True)
    return SolvedMatch(solver, solved)


def _read_unfinished(
    path: Path, game: Game, iterations: int, target: float
) -> dict[Score, SolvedScore]:
    """Return the scores that a stopped run has solved with the same settings."""
    if not path.exists():
        return {}
    policy = Policy(str(path))
    policy.check_for(game)
    if (policy.head.iterations, policy.head.target) != (iterations, target):
        raise BadUsage(f"{path} was begun with other --iterations or --target; remove it first")
    return read_solved(policy)


def read_match(solver: MatchSolver, path: Path) -> SolvedMatch:
    """Return a match that was solved before; raises `BadUsage` if the file is for another game."""
    policy = Policy(str(path))
    policy.check_for(solver.game)
    numbers = {id(tree): number for number, tree in enumerate(solver.deals.trees.values())}
    stored = {Score(one.start, one.values): one.tree for one in policy.head.scores}
    for score in solver.order:
        tree = solver.scores[score].tree
        if stored.get(score) != numbers[id(tree)] or not policy.holds(stored[score], tree):
            raise BadUsage(f"{path} does not hold all of this game; write it again with `solve`")
    return SolvedMatch(solver, read_solved(policy))


def time_to_solve(solver: MatchSolver, iterations: int = ITERATIONS) -> float:
    """Return the seconds that all scores take at most, from the time of some iterations."""
    first = solver.scores[solver.first[0]]
    deal = DealSolver(first.tree)
    begin = time.monotonic()
    for _ in range(MEASURED):
        deal.iterate()
    each = (time.monotonic() - begin) / MEASURED
    ends = sum(len(ends.tree.kind) for ends in solver.scores.values())
    return each * iterations * ends / len(first.tree.kind)
