"""Hints: the choices of a policy at a question, and the price of each choice against best play.

The price of a choice is its loss against the stored play of the other seat. The deals that fit the
asked seat's knowledge are enumerated. Their probabilities come from chance and the stored play of
the other seat. From the question on, every action is taken. The worth of a choice is the chance to
win the match if its seat plays best afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import fsum

import numpy as np

from trutdsl.game import Game, View
from trutdsl.native import abi
from trutdsl.native.play.observation import distinct_actions
from trutdsl.solve.branches import NOTICED, Brancher, Branches
from trutdsl.solve.equilibrium import DealSolver, gain_of
from trutdsl.solve.players import AnyPlayer, SolvedPlayer, observe
from trutdsl.solve.policy_file import SolvedPolicy
from trutdsl.solve.positions import Floats, Masks, Positions, join_positions, merge_equal
from trutdsl.solve.scores import Outcome, Score
from trutdsl.solve.steps import Ends, QuestionLog
from trutdsl.solve.stored import PARTS
from trutdsl.solve.tree import SEQUENCE, SeatTree, grow_tree
from trutdsl.solve.trees import TreeEnumerator
from trutdsl.strategy.solved_policy import SolvedSpec


@dataclass(frozen=True)
class ChoiceWorth:
    """The worth of the choices at an information set.

    wins: the chance to win the match with each choice, by the names of the actions, ascending.
    expected: whether the stored play of the other seat can lead here. If not, all its possible
    answers count as equally likely. reach: the share of deals from this score that lead here if
    both seats play as stored.
    """

    wins: tuple[float, ...]
    expected: bool
    reach: float


class ChoicePricer:
    """Computes what choices are worth against a policy."""

    def __init__(self, game: Game, policy: SolvedPolicy) -> None:
        self.policy = policy
        self.deals = TreeEnumerator(game.whole_match.in_engine("native"))
        self.explorer, self.stepper = self.deals.explorer, self.deals.stepper
        self._last_deal: tuple[Score, Positions] | None = None

    def worth(self, score: Score, seat: int, key: int, history: Masks) -> ChoiceWorth | None:
        """Return the worth of the choices at an information set of a seat.

        history: uint64 (n,), the seat's hash of the answers that it noticed, after each one, from
        none to all. Returns None if no deal of a match leads there.
        """
        row = np.array([[*score.start, *score.values]], np.int64)
        number = int(self.policy.numbers_of(row)[0])
        if number < 0:
            return None
        reader = self.explorer.reader
        player = SolvedPlayer(self.policy, reader)
        every, even = AnyPlayer(reader, even=False), AnyPlayer(reader, even=True)
        for own, other in ((player, player), (every, player), (every, even)):
            players = (own, other) if seat == 0 else (other, own)
            positions = self._positions_at(
                Brancher(self.stepper, players), score, seat, key, history
            )
            if len(positions):
                reach = float(positions.weight.sum()) if own is player else 0.0
                return ChoiceWorth(self._wins(positions, number, seat, key), other is player, reach)
        return None

    # -------------------------------------------------------- up to the question

    def _positions_at(
        self, brancher: Brancher, score: Score, seat: int, key: int, history: Masks
    ) -> Positions:
        """Return the positions at an information set, with their probabilities.

        The answers that others noticed are in their memories.
        """

        def follow(part: Positions) -> Branches:
            every = brancher.by_policy(part)
            assert every.memories is not None
            fits = np.isin(every.memories[:, seat, NOTICED].view(np.uint64), history)
            return every.take(fits)

        positions = self._deal(score)
        positions.memories = np.tile(brancher.no_memories(), (len(positions), 1, 1))
        parts = [positions.take(np.zeros(0, np.int64))]
        while len(positions):
            own = (positions.why != abi.LUCK) & (
                self.stepper.number(positions.memory, "#seat") == seat
            )
            own &= positions.memories[:, seat, NOTICED].view(np.uint64) == history[-1]
            if own.any():
                waiting = positions.take(own)
                count = brancher.named_actions(waiting, self.explorer.reader).counts
                _, keys = observe(self.explorer.reader, self.stepper, waiting, seat, count)
                parts.append(waiting.take(keys == np.uint64(key)))
            positions, _ = self._go_on(positions.take(~own), follow)
        return join_positions(parts)

    def _deal(self, score: Score) -> Positions:
        """Return the first stops of a deal at which no chance is open, without duplicates.

        The last deal is cached, because it has several questions.
        """
        if self._last_deal is None or self._last_deal[0] != score:
            positions = self.deals.codec.begin(score)
            self.stepper.step(positions, np.zeros(len(positions), np.int64))
            while (positions.why == abi.LUCK).any():
                positions, _ = self._go_on(positions, None)
                positions = merge_equal(self.stepper, positions)
            self._last_deal = score, positions
        return self._last_deal[1].take(np.ones(len(self._last_deal[1]), np.bool_))

    def _go_on(
        self, positions: Positions, choose: Callable[[Positions], Branches] | None
    ) -> tuple[Positions, Positions]:
        """Return the next stops of positions, and those whose deal is over.

        choose: returns the answers to questions; None to stop there.
        """
        chance = positions.why == abi.LUCK
        parts = [positions.take(~chance)] if choose is None else []
        for rows, branch in ((chance, self.explorer.by_chance), (~chance, choose)):
            if rows.any() and branch is not None:
                part = positions.take(rows)
                parts.append(self.explorer.follow(part, branch(part)))
        after = join_positions([*parts, positions.take(np.zeros(0, np.int64))])
        return after.take(~after.is_over), after.take(after.is_over)

    # -------------------------------------------------------- from the question on

    def _wins(self, positions: Positions, number: int, seat: int, key: int) -> tuple[float, ...]:
        """Return the chance to win with each choice at an information set, from its positions."""
        noticed, total = positions.memories[:, :, NOTICED], positions.weight.sum()
        positions.memories = np.tile(self.explorer.no_memories(), (len(positions), 1, 1))
        positions.memories[:, :, NOTICED] = noticed
        numbers: dict[Outcome, int] = {}
        ends: list[Ends] = []
        self.explorer.log = QuestionLog()
        while len(positions):
            positions, end_positions = self._go_on(positions, self.explorer.by_policy)
            outcomes, of = self.deals.codec.outcomes_of(end_positions)
            places = [numbers.setdefault(outcome, len(numbers)) for outcome in outcomes]
            kinds = np.array(places, np.uint64)[of]
            choices = np.ascontiguousarray(end_positions.memories[:, :, SEQUENCE]).view(np.uint64)
            ends.append(Ends(choices, end_positions.weight, kinds))
        tree = grow_tree(self.explorer.log, ends)
        values = {one.score: one.value for one in self.policy.head.scores}
        solver = DealSolver(tree)
        gains = np.array([gain_of(outcome, 0, values) for outcome in numbers])
        solver.set_gains(gains[tree.kinds.view(np.int64)])
        other = solver.seats[1 - seat]
        plan = other.plan_of(self._strategy(other, number, 1 - seat))
        worth, _ = solver.seats[seat].worth_of_best(solver.worth(seat, plan))
        own = tree.seats[seat]
        row = int(np.flatnonzero(own.keys == np.uint64(key))[0])
        wins = 0.5 + worth[own.first[row] : own.first[row + 1]] / total
        return tuple(wins.tolist())

    def _strategy(self, tree: SeatTree, number: int, seat: int) -> Floats:
        """Return the stored play of a seat in a tree, float64 (sequences,)."""
        counts = np.diff(tree.first)
        parts = self.policy.parts(np.full(len(counts), number), seat, tree.keys, counts)
        shares = parts / parts.sum(axis=1)[:, None]
        return np.append(1.0, shares[np.arange(shares.shape[1]) < counts[:, None]])


@dataclass(frozen=True)
class ChoiceHint:
    """A choice: its equivalent actions, and the probability that the policy takes one of them.

    price: the loss from the choice, in matches; None if it is unknown.
    """

    texts: tuple[str, ...]
    share: float
    price: float | None = None


@dataclass(frozen=True)
class Hint:
    """The choices of a policy at a question.

    wins: the chance to win the match with the best choice. known: whether the policy's own play can
    reach the question; if not, the shares are those of a random action. expected: whether the other
    seat's play can reach it; if not, all its possible answers count as equally likely. reach: the
    share of deals that reach the question if both seats play as stored.
    """

    choices: tuple[ChoiceHint, ...]
    known: bool
    expected: bool = True
    wins: float | None = None
    reach: float = 0.0

    @property
    def loss(self) -> float:
        """The mean loss of the policy over its choices here, in matches."""
        return fsum(one.share * (one.price or 0.0) for one in self.choices)


class SolvedPolicyAdviser:
    """Gives the choices of a policy at any question of a game."""

    def __init__(self, game: Game, spec: SolvedSpec) -> None:
        """Raises `BadUsage` for a policy of another game."""
        spec.policy.check_for(game.whole_match)
        self.game, self.spec = game, spec

    @cached_property
    def _pricer(self) -> ChoicePricer:
        return ChoicePricer(self.game, self.spec.policy)

    def hint(self, view: View) -> Hint:
        """Return the hint for the asked seat."""
        player = self.spec.player_for(self.game, view.seat)
        names = player.names_of(view)
        history = player.hash_history(view)
        seen = player.observe(view)
        first, count = distinct_actions(np.zeros(len(names), np.int64), names, 1)
        texts = [
            tuple(t for t, name in zip(view.texts, names, strict=True) if name == names[place])
            for place in first.tolist()
        ]
        if len(texts) == 1:
            return Hint((ChoiceHint(texts[0], 1.0),), True)
        keys, parts = player.look_up(seen, count, history[-1:])
        known, shares = int(parts.sum()) == PARTS, (parts[0] / parts.sum()).tolist()
        dealer, *values = player.reader.scores(seen)[0].tolist()
        score = Score((dealer,), tuple(values))
        result = self._pricer.worth(score, view.seat, int(keys[0]), history)
        order = np.argsort(first).tolist()  # of the actions, as the question has them
        if result is None:
            return Hint(tuple(ChoiceHint(texts[i], shares[i]) for i in order), known)
        best = max(result.wins)
        choices = (ChoiceHint(texts[i], shares[i], best - result.wins[i]) for i in order)
        return Hint(tuple(choices), known, result.expected, best, result.reach)
