"""Solves a whole match into its policy file; a stopped run continues where it ended."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import NamedTuple

import numpy as np

from trutdsl.diagnostics import BadUsage, Failure
from trutdsl.game import Game
from trutdsl.language import say
from trutdsl.solve.equilibrium import DealSolver, SolvedScore
from trutdsl.solve.match import SAVE_EVERY, MatchSolver, read_scores, write_policy
from trutdsl.solve.policy_file import SolvedPolicy
from trutdsl.solve.scores import Score
from trutdsl.solve.trees import TreeEnumerator

ITERATIONS = 200  # at most, for each score
TARGET = 0.005  # exploitability in matches
DEALS = 20  # a deal is solved to the target over this, because a match has many deals
STOPS = (KeyboardInterrupt, Failure, MemoryError, OSError)  # after which a run can go on
MEASURED = 3  # iterations whose time is taken


class PlayValue(NamedTuple):
    """The value to the side that deals first: a chance to win the match, or points of a deal.

    mean: the estimate.
    low, high: bounds; the value of perfect play lies between them.
    """

    mean: float
    low: float
    high: float


def value_from(first: Mapping[Score, float], scores: Mapping[Score, SolvedScore]) -> PlayValue:
    """Return the value of a match; first: the probability of each score at its start."""
    total = np.zeros(3)
    for score, share in first.items():
        one = scores[score] if score.start[0] % 2 == 0 else scores[score].exchange_seats()
        total += share * np.array([one.value, 1 - one.best[1], one.best[0]])
    return PlayValue(*total.tolist())


@dataclass(frozen=True)
class SolvedMatch:
    """A match under the play that is stored for it: every score of the solver, solved."""

    solver: MatchSolver
    scores: Mapping[Score, SolvedScore]

    @property
    def value(self) -> PlayValue:
        """The chance of the side that deals first."""
        return value_from(self.solver.first, self.scores)

    @property
    def exploitability(self) -> float:
        """The mean gain of both best responses, in matches."""
        first = self.solver.first.items()
        return sum(share * self.scores[score].exploitability for score, share in first)


def unfinished_file(path: Path) -> Path:
    """Return the file in which a stopped run keeps its solved scores."""
    return path.with_name(path.name + ".part")


def kept_files(path: Path) -> list[Path]:
    """Return the files of a stopped run: of its solved scores, then of scores in work."""
    return sorted(path.parent.glob(f"{escape(path.name)}.part*"))


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
    other settings, `Failure` for a lost worker. A run that does not end keeps its scores.
    """
    unfinished, order = unfinished_file(path), solver.order
    scores = _read_unfinished(unfinished, solver, iterations, target)
    last_save = time.monotonic()

    def save(to: Path) -> None:
        write_policy(to, solver, scores, iterations, target)
        for group, work in solver.work_paths(path).items():
            if scores.keys() >= {*group}:
                work.unlink(missing_ok=True)

    solving = solver.solve_all(iterations, target / DEALS, dict(scores), jobs, path)
    try:
        with closing(solving):
            for score, result in solving:
                scores[score] = result
                text = "{done} of {all} scores solved, in up to {iterations} iterations each"
                show(say(text, done=len(scores), all=len(order), iterations=iterations))
                if time.monotonic() > last_save + SAVE_EVERY:
                    save(unfinished)
                    last_save = time.monotonic()
    except STOPS:
        if scores:
            save(unfinished)
        raise
    save(path)
    unfinished.unlink(missing_ok=True)
    return SolvedMatch(solver, scores)


def _read_unfinished(
    path: Path, solver: MatchSolver, iterations: int, target: float
) -> dict[Score, SolvedScore]:
    """Return the scores that a stopped run has solved with the same settings."""
    if not path.exists():
        return {}
    try:
        policy = SolvedPolicy(str(path))
        policy.check_for(solver.game)
        if not _fits(policy, solver, [one.score for one in policy.head.scores]):
            raise _incomplete(path)
    except BadUsage as problem:
        text = "{problem} (remove this file of a stopped run first)"
        raise BadUsage(say(text, problem=problem)) from None
    if (policy.head.iterations, policy.head.target) != (iterations, target):
        raise BadUsage(
            say("{path} was begun with other --iterations or --target; remove it first", path=path)
        )
    return read_scores(policy)


def _fits(policy: SolvedPolicy, solver: MatchSolver, scores: Sequence[Score]) -> bool:
    """Tell whether a policy holds these scores of the solver, with the same information sets."""
    stored_trees = {one.score: one.tree for one in policy.head.scores}
    if not solver.scores.keys() >= {*scores} <= stored_trees.keys():
        return False
    trees = {score: solver.scores[score].tree for score in scores}
    numbers = {tree: number for number, tree in enumerate(solver.deals.trees.values())}
    return all(stored_trees[score] == numbers[tree] for score, tree in trees.items()) and all(
        numbers[tree] < len(policy.head.trees) and policy.holds(numbers[tree], tree)
        for tree in {*trees.values()}
    )


def read_match(solver: MatchSolver, path: Path) -> SolvedMatch:
    """Return a match that was solved before; raises `BadUsage` if the file is for another game."""
    policy = SolvedPolicy(str(path))
    policy.check_for(solver.game)
    if not _fits(policy, solver, solver.order):
        raise _incomplete(path)
    return SolvedMatch(solver, read_scores(policy))


def _incomplete(path: Path) -> BadUsage:
    return BadUsage(
        say("{path} does not hold all of this game; write it again with `solve`", path=path)
    )


def read_value(game: Game, path: Path) -> PlayValue:
    """Return the value of a match from its policy file, without its trees."""
    policy = SolvedPolicy(str(path))
    policy.check_for(game)
    scores, first = read_scores(policy), TreeEnumerator(game).first_scores()
    if not scores.keys() >= first.keys():
        raise _incomplete(path)
    return value_from(first, scores)


def time_to_solve(solver: MatchSolver) -> float:
    """Return the most seconds that all scores can take, from the time of some iterations."""
    sizes = {score: len(ends.tree.kind) for score, ends in solver.scores.items()}
    largest = max(solver.order, key=sizes.__getitem__)
    deal = DealSolver(solver.scores[largest].tree)
    begin = time.monotonic()
    for _ in range(MEASURED):
        deal.iterate()
    each = (time.monotonic() - begin) / MEASURED
    return each * ITERATIONS * sum(sizes.values()) / sizes[largest]
