"""A whole match under best play: from the scores at its end back to its start.

A deal is played for the chance to win the match from the next score. So the scores are solved
backwards. If a deal can lead back to its own score, the value of that score is computed together
with its play. The play is stored, and all values are those of the stored play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from graphlib import TopologicalSorter
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from trutdsl.child_processes import allow_children, end_with_parent
from trutdsl.diagnostics import BadUsage
from trutdsl.game import Game
from trutdsl.language import say
from trutdsl.solve.equilibrium import DealSolver
from trutdsl.solve.mirror import Mirrors
from trutdsl.solve.policy_file import PolicyFileHead, PolicyFileWriter, SolvedPolicy, StoredScore
from trutdsl.solve.positions import Floats
from trutdsl.solve.scores import DEALER, Outcome, Score
from trutdsl.solve.stored import NO_PLAY, PARTS, StoredPlay, store, strategy_from
from trutdsl.solve.trees import MatchTrees, ScoreEnds, TreeEnumerator, needs_of

CLOSE = 1e-12  # tolerance of a value that depends on itself, from its fixed point


@dataclass(frozen=True)
class SolvedScore:
    """A score under the play that is stored for it.

    value: the chance of the first team to win the match. best: the chance of each team with a best
    response to the stored play of the other. play: of each seat. iterations: the number of them.
    """

    value: float
    best: tuple[float, float]
    play: tuple[StoredPlay, StoredPlay]
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


class MatchSolver(MatchTrees):
    """Solves the scores of a match."""

    def __init__(
        self,
        game: Game,
        show: Callable[[str], None] = lambda _text: None,
        trees: type[TreeEnumerator] = TreeEnumerator,
    ) -> None:
        """Raises `BadUsage` for a game that cannot be solved, with the reason."""
        super().__init__(game, show, trees=trees)
        check_storable(self)

    def solve_all(
        self, iterations: int, target: float, known: Mapping[Score, SolvedScore], jobs: int = 1
    ) -> Iterator[tuple[Score, SolvedScore]]:
        """Solve and yield all unknown scores, each after those that it needs.

        Only one of two mirror images is solved. jobs: processes that share the trees; the result is
        the same for any number.
        """
        done = {score: known[score] for score in self.order if score in known}
        mirrors, needs = Mirrors(self), needs_of(self.scores)
        images = {score: mirrors.image_of(score) for score in self.order}
        sorter = TopologicalSorter(needs | {s: [image] for s, image in images.items() if image})
        if jobs == 1:
            for score in sorter.static_order():
                if score in done:
                    continue
                image = images[score]
                if image is not None:
                    done[score] = done[image].exchange_seats()
                else:
                    done[score] = self.solve(score, done, iterations, target)
                yield score, done[score]
            return
        sorter.prepare()
        with _workers(self, jobs) as pool:
            waiting: dict[Future[SolvedScore], Score] = {}
            while sorter.is_active():
                for score in sorter.get_ready():
                    image = images[score]
                    if score not in done and image is not None:
                        done[score] = done[image].exchange_seats()
                        yield score, done[score]
                    if score in done:
                        sorter.done(score)
                        continue
                    next_scores = {s: done[s].without_play() for s in needs[score]}
                    waiting[pool.submit(_solve_here, score, next_scores, iterations, target)] = (
                        score
                    )
                if not waiting:
                    continue
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    score = waiting.pop(future)
                    done[score] = future.result()
                    sorter.done(score)
                    yield score, done[score]

    def solve(
        self, score: Score, known: Mapping[Score, SolvedScore], iterations: int, target: float
    ) -> SolvedScore:
        """Return a score solved; known: at least the scores that its deal leads to.

        target: stop at this exploitability of the deal, in matches.
        """
        ends = self.scores[score]
        solver = DealSolver(ends.tree)
        own, values = 0.5, {s: solved.value for s, solved in known.items()}
        returns = np.array([outcome.score == score for outcome in ends.outcomes])
        solver.set_gains(gains_of(ends, 0, values | {score: own}))
        for plans, _ in solver.improve(iterations, target):
            if returns.any():
                own = 0.5 + solver.value(plans)
                solver.set_gains(gains_of(ends, 0, values | {score: own}))
        play = store(solver.seats[0], plans[0]), store(solver.seats[1], plans[1])
        solver.set_gains(returns[ends.of_kind].astype(np.float64))
        if solver.value(_plans_of(solver, play)) > 1 - CLOSE:
            text = "under best play a match of this game need not end: only --deal fits"
            raise BadUsage(say(text))
        return evaluate_play(score, ends, solver, play, known)


def check_storable(match: MatchTrees) -> None:
    """Raise `BadUsage` if play of a match does not fit into a policy file."""
    if match.deals.codec.start != (DEALER,):
        text = "a deal of this game depends on who led in the one before: only --deal fits"
        raise BadUsage(say(text))
    sizes = [np.diff(seat.first) for tree in match.deals.trees.values() for seat in tree.seats]
    most = max(int(size.max(initial=0)) for size in sizes)
    if most > PARTS:
        text = "a seat may have {most} actions, and a policy file holds {parts}"
        raise BadUsage(say(text, most=most, parts=PARTS))


def evaluate_play(
    score: Score,
    ends: ScoreEnds,
    solver: DealSolver,
    play: tuple[StoredPlay, StoredPlay],
    known: Mapping[Score, SolvedScore],
) -> SolvedScore:
    """Return the score with its values: of stored play against itself, and against best responses.

    known: at least the scores that the deal leads to.
    """
    plans = _plans_of(solver, play)

    def value_of(team: int, values: Mapping[Score, float], of: Callable[[], float]) -> float:
        def gain(gains: Floats) -> float:
            solver.set_gains(gains)
            return of()

        return solve_fixed_point(score, ends, team, values, gain)

    value = value_of(0, {s: k.value for s, k in known.items()}, lambda: solver.value(plans))
    best = [
        value_of(
            seat,
            {s: k.best[seat] for s, k in known.items()},
            partial(solver.best_value, seat, plans[1 - seat]),
        )
        for seat in (0, 1)
    ]
    return SolvedScore(value, (best[0], best[1]), play, solver.iterations)


def _plans_of(solver: DealSolver, play: tuple[StoredPlay, StoredPlay]) -> tuple[Floats, Floats]:
    """Return the plans of stored play."""
    one, other = solver.seats
    return (
        one.plan_of(strategy_from(one, play[0])),
        other.plan_of(strategy_from(other, play[1])),
    )


def solve_fixed_point(
    score: Score,
    ends: ScoreEnds,
    team: int,
    values: Mapping[Score, float],
    gain: Callable[[Floats], float],
    endless: float = 0.5,
) -> float:
    """Return the chance of a team to win from a score to which its deal can lead back.

    gain: returns the team's gain from the deal, given the first seat's gain from each kind of end.
    endless: the worth of a match that does not end.
    """
    own, before = endless, -1.0
    while abs(own - before) > CLOSE:
        before = own
        own = 0.5 + gain(gains_of(ends, team, {**values, score: own}))
        if not any(outcome.score == score for outcome in ends.outcomes):
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


_solver: MatchSolver | None = None  # of this worker; forked processes share its trees


@contextmanager
def _workers(solver: MatchSolver, jobs: int) -> Iterator[ProcessPoolExecutor]:
    global _solver  # forked processes find it there
    _solver = solver
    allow_children()
    pool = ProcessPoolExecutor(jobs, get_context("fork"), end_with_parent)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
        _solver = None


def _solve_here(
    score: Score, known: Mapping[Score, SolvedScore], iterations: int, target: float
) -> SolvedScore:
    assert _solver is not None
    return _solver.solve(score, known, iterations, target)


def write_policy(
    path: Path,
    match: MatchTrees,
    solved_scores: Mapping[Score, SolvedScore],
    iterations: int,
    target: float,
) -> None:
    """Write the scores that are solved so far."""
    writer, game, deals = PolicyFileWriter(), match.game, match.deals
    trees = list(deals.trees.values())
    seats = [writer.add_tree(tree) for tree in trees]
    numbers = {id(tree): number for number, tree in enumerate(trees)}
    scores = [
        StoredScore(
            score.start, score.values, numbers[id(match.scores[score].tree)],
            (writer.add_play(one.play[0]), writer.add_play(one.play[1])),
            one.value, one.best, one.iterations,
        )
        for score in match.order
        if (one := solved_scores.get(score)) is not None
    ]  # fmt: skip
    head = PolicyFileHead(
        game.name, game.players, tuple(game.parameter_texts().items()), game.fingerprint,
        tuple(deals.codec.start), deals.stepper.classes.of, iterations, target,
        tuple(seats), tuple(scores), 0,
    )  # fmt: skip
    writer.write(path, asdict(head))


def read_scores(policy: SolvedPolicy) -> dict[Score, SolvedScore]:
    """Return the scores that a policy file holds."""
    return {
        Score(one.start, one.values): SolvedScore(
            one.value,
            one.best,
            (policy.play_at(one.play[0]), policy.play_at(one.play[1])),
            one.iterations,
        )
        for one in policy.head.scores
    }
