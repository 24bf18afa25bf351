"""A whole match under best play: from the scores at its end back to its start.

A deal is played for the chance to win the match from the next score. So the scores are solved
backwards. Scores that lead back to themselves or to each other are solved together: their values
are computed along with their play. The play is stored, and all values are those of the stored play.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from copy import copy
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from graphlib import TopologicalSorter
from hashlib import sha256
from math import inf
from operator import methodcaller
from pathlib import Path
from typing import Self

import numpy as np

from trutdsl.diagnostics import BadUsage, Remark
from trutdsl.files import hash_of, open_plain, seal, source_hash, unseal, write_whole
from trutdsl.game import Game
from trutdsl.ir.types import Kind, Number, YesNo
from trutdsl.language import say
from trutdsl.solve.equilibrium import (
    WORTHS,
    DealSolver,
    Plays,
    SolvedScore,
    can_end,
    can_recur,
    chances_of_outcomes,
    evaluate_plays,
    gains_of,
    plans_of,
    values_of_play,
)
from trutdsl.solve.policy_file import PolicyFileHead, PolicyFileWriter, SolvedPolicy, StoredScore
from trutdsl.solve.positions import Floats
from trutdsl.solve.scores import DEALER, Outcome, Score
from trutdsl.solve.stored import PARTS, store
from trutdsl.solve.trees import Group, MatchTrees, ScoreEnds, TreeEnumerator
from trutdsl.solve.workers import fork_workers

# Mirror images: a score whose deal is that of another one with the seats exchanged.
#
# Most rules treat both seats alike. Then play for one score is also play for its mirror image. The
# program does not assume this: it compares the information sets and the payoffs of both trees. The
# scores that they lead to must be mirror images, too.

SAME = 1e-12  # tolerance between equal payoffs that were summed in different orders


class Mirrors:
    """Finds the mirror images of the scores of a match."""

    def __init__(self, match: MatchTrees) -> None:
        self._match = match
        self._order = _mirror_places(match)
        self._alike = set[Score]()  # the scores that have a mirror image
        self._images = {group: self._find(group) for group in match.groups}
        self._exact = set[Score]()  # the scores of `is_exact`
        for group, images in self._images.items():
            others = images is not None and {*group}.isdisjoint(images.values())
            if others and self._exact >= {*match.next_scores(group)}:
                self._exact |= {*group}

    def image_of(self, group: Group) -> dict[Score, Score] | None:
        """Return the mirror image of each score of a group, if they are an earlier group.

        The matches from an image are those from its score with the seats exchanged.
        """
        images = self._images[group]
        return images if images and min(images.values()) < min(group) else None

    def is_exact(self, group: Group) -> bool:
        """Tell whether these scores, and all after them, have the play of their images.

        A group that is its own image does not: each of its scores is solved by itself.
        """
        return self._exact >= {*group}

    def _find(self, group: Group) -> dict[Score, Score] | None:
        """Return the images of a group; those of all groups that it leads to are known."""
        images = {score: image for score in group if (image := self._mirror(score)) is not None}
        scores = self._match.scores
        if len(images) < len(group) or not scores.keys() >= {*images.values()}:
            return None
        if not self._alike >= {*group}:
            if not self._alike >= {*self._match.next_scores(group)}:
                return None
            if not all(self._agree(scores[score], scores[s]) for score, s in images.items()):
                return None
            self._alike |= {*group, *images.values()}
        return images

    def _mirror(self, score: Score) -> Score | None:
        if self._order is None or len(score.start) != 1:
            return None
        return Score((1 - score.start[0],), tuple(score.values[place] for place in self._order))

    def _agree(self, one: ScoreEnds, other: ScoreEnds) -> bool:
        """Tell whether a deal, with its outcomes, is another one with the seats exchanged.

        For this each outcome is worth a random number. If any two sequences lead to other outcomes
        there, or with another probability, their payoffs differ.
        """
        for seat in (0, 1):
            own, theirs = one.tree.seats[seat], other.tree.seats[1 - seat]
            for name in ("keys", "decisions", "parents", "first", "cuts"):
                if not np.array_equal(getattr(own, name), getattr(theirs, name)):
                    return False
        numbers = {outcome: number for number, outcome in enumerate(other.outcomes)}
        mine = [numbers.get(self._outcome(o), len(numbers)) for o in one.outcomes]
        gains = 1 + np.random.Generator(np.random.PCG64(0)).random(len(numbers) + 1)
        exchanged = other.tree.payoffs(gains[other.of_kind]).T.tocsr()
        gap = abs(one.tree.payoffs(gains[mine][one.of_kind]) - exchanged)
        return bool(gap.max() <= SAME)

    def _outcome(self, outcome: Outcome) -> Outcome:
        """Return an outcome with the seats exchanged."""
        winner = None if outcome.winner is None else 1 - outcome.winner
        score = None if outcome.score is None else self._mirror(outcome.score)
        return Outcome(score, winner)


def _mirror_places(match: MatchTrees) -> list[int] | None:
    """Return the index of the value at each place of a score after the seats are exchanged.

    None if a variable that lasts is a seat or a team, or has an index of another kind.
    """
    stepper, places = match.deals.stepper, list[int]()
    for name in match.deals.codec.lasting:
        variable, first = stepper.program.variables[name], len(places)
        if not isinstance(variable.type, Number | YesNo):
            return None
        if variable.index is None:
            places.append(first)
        elif variable.index in (Kind.SEAT, Kind.TEAM):
            places += [first + 1, first]
        else:
            return None
    return places


SAVE_EVERY = 60.0  # seconds
LARGEST_SEAL = 1024  # bytes of a file besides its data


Solved = tuple[Score, SolvedScore]


@dataclass
class WorkFile:
    """What the iterations of scores in work have computed, in a file for after a stop.

    path: None for no file. key: returns a hash of all that these scores depend on. arrays: the
    latest ones, float64.
    """

    path: Path | None
    key: Callable[[], str]
    arrays: Sequence[Floats] = ()
    _last_write: float = field(default_factory=time.monotonic)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind in (KeyboardInterrupt, MemoryError):
            self.write()

    def read(self, sizes: Sequence[int]) -> bool:
        """Take the arrays of a stopped run, with these sizes; tell whether there are any."""
        if self.path is None or not self.path.exists():
            return False
        content, size = b"", 8 * sum(sizes)
        with suppress(OSError), open_plain(self.path) as file:
            content = file.read(size + LARGEST_SEAL)
        data = unseal(self.key(), content)
        if data is None or len(data) != size:
            text = "{path} is damaged, or of another run; its scores begin again"
            warnings.warn(say(text, path=self.path), Remark, stacklevel=2)
            return False
        numbers = np.frombuffer(data, "<f8").astype(np.float64)
        self.arrays = np.split(numbers, np.cumsum(sizes)[:-1])
        return True

    def update(self, arrays: Sequence[Floats]) -> None:
        """Take new arrays, and write them now and then."""
        self.arrays = arrays
        if time.monotonic() > self._last_write + SAVE_EVERY:
            self.write()

    def write(self) -> None:
        if self.path is not None and self.arrays:
            data = np.concatenate(self.arrays).astype("<f8").tobytes()
            write_whole(self.path, seal(self.key(), data))
            self._last_write = time.monotonic()


class MatchSolver(MatchTrees):
    """Solves the scores of a match.

    show: receives the progress, as a text.
    """

    def __init__(
        self,
        game: Game,
        show: Callable[[str], None] = lambda _text: None,
        trees: type[TreeEnumerator] = TreeEnumerator,
        jobs: int = 1,
    ) -> None:
        """trees, jobs: see `MatchTrees`.

        Raises `BadUsage` for a game that cannot be solved, with the reason.
        """
        super().__init__(game, show, trees=trees, jobs=jobs)
        self.show = show
        check_storable(self)

    def solve_all(
        self,
        iterations: int,
        target: float,
        known: Mapping[Score, SolvedScore],
        jobs: int = 1,
        out: Path | None = None,
    ) -> Generator[Solved]:
        """Solve and yield all unknown scores, each after those that it needs.

        Only one of two mirror images is solved. jobs: processes that share the trees; the result is
        the same for any number. out: see `work_paths`; None if a stopped run does not continue.
        Raises `Failure` if a process is killed.
        """
        mirrors, done = Mirrors(self), dict(known)
        images = {group: mirrors.image_of(group) for group in self.groups}
        paths = {} if out is None else self.work_paths(out)
        needs = {
            group: self._needs(group, images[group], mirrors.is_exact(group))
            for group in self.groups
        }

        def look_up(group: Group) -> dict[Score, SolvedScore] | None:
            """Return a group without solving it, if it or its image is known."""
            image = images[group]
            if known.keys() >= {*group}:
                return {score: known[score] for score in group}
            if image is None:
                return None
            solved = {score: done[image[score]].exchange_seats() for score in group}
            return solved if mirrors.is_exact(group) else self._evaluate(solved, done)

        def add(group: Group, solved: dict[Score, SolvedScore]) -> Iterator[Solved]:
            done.update(solved)
            yield from ((score, solved[score]) for score in group if score not in known)

        sorter = TopologicalSorter(needs)
        sorter.prepare()
        quiet = copy(self)
        quiet.show = lambda _text: None  # the line of progress is not for workers
        with fork_workers(quiet, jobs) if jobs > 1 else nullcontext() as pool:
            waiting = 0
            while sorter.is_active():
                ready = sorter.get_ready()
                for group in ready:
                    solved = look_up(group)
                    if solved is None and pool and (len(ready) > 1 or waiting):
                        next_scores = {s: done[s].without_play() for s in self.next_scores(group)}
                        order = group, next_scores, iterations, target, paths.get(group)
                        pool.submit(group, methodcaller("solve", *order))
                        waiting += 1
                        continue
                    if solved is None:
                        solved = self.solve(group, done, iterations, target, paths.get(group))
                    yield from add(group, solved)
                    sorter.done(group)
                for group, solved in pool.receive() if pool and waiting else ():
                    waiting -= 1
                    yield from add(group, solved)
                    sorter.done(group)

    def _needs(
        self, group: Group, image: Mapping[Score, Score] | None, is_exact: bool
    ) -> set[Group]:
        """Return the groups that have to be solved before a group."""
        scores = [] if image is None else [*image.values()]
        if not scores or not is_exact:
            scores += self.next_scores(group)
        return {self.group_of[score] for score in scores}

    def solve(
        self,
        group: Group,
        known: Mapping[Score, SolvedScore],
        iterations: int,
        target: float,
        path: Path | None = None,
    ) -> dict[Score, SolvedScore]:
        """Return the scores of a group solved; known: at least those that their deals lead to.

        target: stop when each deal has at most this exploitability, in matches. path: of the
        file for a stopped run, if any.
        """
        key = partial(self._key_of, group, known, iterations, target)
        all_ends = {score: self.scores[score] for score in group}
        with WorkFile(path, key) as work:
            solvers = {score: DealSolver(ends.tree) for score, ends in all_ends.items()}
            later = {score: solved.value for score, solved in known.items()}
            values = later | dict.fromkeys(group, 0.5)

            def set_gains() -> None:
                for score, solver in solvers.items():
                    solver.set_gains(gains_of(all_ends[score], 0, values))

            def arrays() -> list[Floats]:
                """Return all that changes; everything else depends on it."""
                own = np.array([done, exploitability, *(values[score] for score in group)])
                return [own, *(array for solver in solvers.values() for array in solver.arrays)]

            done, exploitability = 0, inf
            if work.read([len(array) for array in arrays()]):
                own, *rest = work.arrays
                done, exploitability = int(own[0]), float(own[1])
                values |= zip(group, own[2:].tolist(), strict=True)
                for place, solver in enumerate(solvers.values()):
                    solver.resume(done, rest[4 * place : 4 * place + 4])
                plans = {score: solver.average() for score, solver in solvers.items()}
            set_gains()
            while done < iterations and exploitability > target:
                plans = {score: solver.improve(iterations) for score, solver in solvers.items()}
                if can_recur(all_ends):
                    chances = chances_of_outcomes(all_ends, plans)
                    values |= values_of_play(chances, later, WORTHS[0], 0.5)
                    set_gains()
                done = solvers[group[0]].iterations
                exploitability = max(solvers[score].exploitability(plans[score]) for score in group)
                text = (
                    "{done} of {all} scores solved, {count} more after {number} of at most"
                    " {iterations} iterations"
                )
                work.update(arrays())
                numbers = {"done": len(known), "all": len(self.order), "count": len(group)}
                self.show(say(text, **numbers, number=done, iterations=iterations))
            plays = {score: _store(solvers[score], plans[score]) for score in group}
            if can_recur(all_ends):
                plans = {score: plans_of(solvers[score].seats, plays[score]) for score in group}
                if not can_end(chances_of_outcomes(all_ends, plans)):
                    text = "under best play a match of this game need not end: only --deal fits"
                    raise BadUsage(say(text))
            return evaluate_plays(all_ends, solvers, plays, known)

    def _evaluate(
        self, solved: Mapping[Score, SolvedScore], known: Mapping[Score, SolvedScore]
    ) -> dict[Score, SolvedScore]:
        """Return scores with the values of their play; known: at least those they lead to."""
        solvers = {score: DealSolver(self.scores[score].tree) for score in solved}
        plays = {score: one.play for score, one in solved.items()}
        ends = {score: self.scores[score] for score in solved}
        found = evaluate_plays(ends, solvers, plays, known)
        return {s: replace(one, iterations=solved[s].iterations) for s, one in found.items()}

    def work_paths(self, out: Path) -> dict[Group, Path]:
        """Return the files in which a stopped run keeps groups in work; out: its policy file."""
        paths = (out.with_name(f"{out.name}.part.{number}") for number in range(len(self.groups)))
        return dict(zip(self.groups, paths, strict=True))

    def _key_of(
        self, group: Group, known: Mapping[Score, SolvedScore], iterations: int, target: float
    ) -> str:
        """Return a hash of all that solving a group depends on."""
        values = [(score, known[score].value) for score in self.next_scores(group)]
        outcomes = [self.scores[score].outcomes for score in group]
        inputs = repr((group, values, outcomes, iterations, target))
        trees = [(self.scores[score].tree, self.scores[score].of_kind) for score in group]
        hashes = [
            sha256(np.ascontiguousarray(array).data).digest()
            for tree, of_kind in trees
            for array in (
                of_kind, tree.ends, tree.chance, tree.kind,
                *(part for seat in tree.seats for part in (seat.keys, seat.parents, seat.first)),
            )
        ]  # fmt: skip
        return hash_of(source_hash("solve"), inputs, *hashes)


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


def _store(solver: DealSolver, plans: tuple[Floats, Floats]) -> Plays:
    return store(solver.seats[0], plans[0]), store(solver.seats[1], plans[1])


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
    numbers = {tree: number for number, tree in enumerate(trees)}
    scores = [
        StoredScore(
            score.start, score.values, numbers[match.scores[score].tree],
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
        one.score: SolvedScore(
            one.value,
            one.best,
            (policy.play_at(one.play[0]), policy.play_at(one.play[1])),
            one.iterations,
        )
        for one in policy.head.scores
    }
