"""The trees of a game's deals, one for each way a deal can go, and what their ends lead to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trutdsl.diagnostics import BadUsage, did_you_mean
from trutdsl.game import Game
from trutdsl.native.layout import HEARD
from trutdsl.solve.classes import find_classes
from trutdsl.solve.deals import DEALER, Deal, DealEnumerator, Outcome, Score
from trutdsl.solve.positions import Floats, Positions, Stepper
from trutdsl.solve.tree import DealTree, Explorer, grow_tree


@dataclass(frozen=True)
class ScoreEnds:
    """A deal at one score.

    outcomes: everything that it can lead to; of_kind: uint16 (kinds,), which of them each kind of
    end of the tree leads to.
    """

    tree: DealTree
    outcomes: tuple[Outcome, ...]
    of_kind: NDArray[np.uint16]


class TreeEnumerator(DealEnumerator):
    """Enumerates deals as trees.

    alone: whether only single deals matter, not what they leave to the next one.
    """

    keeps_ends = True

    def __init__(
        self,
        game: Game,
        start: tuple[str, ...] = (DEALER,),
        show: Callable[[str], None] = lambda _text: None,
        alone: bool = False,
    ) -> None:
        """Raises `BadUsage` for a game that cannot be solved, with the reason."""
        if game.players != 2 or game.team_count != 2:
            raise BadUsage(f"only games of two players can be solved, not of {game.players}")
        classes = find_classes(game.program, game.setting)
        stepper = Stepper(game, classes)
        if HEARD in stepper.layout.fields:
            raise BadUsage(
                "cards or words pass between the seats in this game: it cannot be solved"
            )
        self.explorer = Explorer(stepper)
        super().__init__(self.explorer, start, show)
        self.trees: dict[int, DealTree] = {}
        self._alone = alone

    def finish(self, deal: Deal) -> None:
        """Grow the tree of a deal that was enumerated."""
        self._show("sorting what the seats know")
        self.trees[id(deal)] = grow_tree(self.explorer.noted, deal.ends)
        self.explorer.noted.clear()
        deal.ends.clear()
        if not self._alone:
            super().finish(deal)

    def tree_at(self, score: Score) -> DealTree:
        """Return the tree of a deal at this score."""
        return self.trees[id(self.deal_at(score))]

    def ends_at(self, score: Score) -> ScoreEnds:
        """Return a deal at this score, with what it leads to."""
        deal = self.deal_at(score)
        tree = self.trees[id(deal)]
        numbers: dict[Outcome, int] = {}
        of_kind = np.empty(len(tree.kinds), np.int64)
        for kinds, ended in self.last_steps(deal, score):
            outcomes, of = self.outcomes_of(ended)
            places = [numbers.setdefault(outcome, len(numbers)) for outcome in outcomes]
            of_kind[np.searchsorted(tree.kinds, kinds)] = np.array(places, np.int64)[of]
        return ScoreEnds(tree, tuple(numbers), of_kind.astype(np.uint16))

    def points_at(self, score: Score, worth: Mapping[str, float]) -> Floats:
        """Return what each kind of end brings the first seat in points, less what the other gets.

        worth: of each counter, how many points one of it is worth. Raises `BadUsage` for others.
        """
        counters = [v.name for v in self.stepper.program.variables.values() if v.counter]
        for name in worth:
            if name not in counters:
                near = did_you_mean(name, counters) or f"counters: {', '.join(counters)}"
                raise BadUsage(f"there is no counter '{name}'; {near}")
        deal = self.deal_at(score)
        tree = self.trees[id(deal)]
        found = np.empty(len(tree.kinds))

        def points(positions: Positions) -> Floats:
            values = ((worth[n], self.stepper.values(positions.memory, n)) for n in worth)
            parts = [p * (v[:, 0] - v[:, 1]) for p, v in values]
            total: Floats = np.stack(parts).sum(axis=0).astype(np.float64)
            return total

        before = points(self.begin(score))
        for kinds, ended in self.last_steps(deal, score):
            found[np.searchsorted(tree.kinds, kinds)] = points(ended) - before
        return found
