"""Mirror images: a score whose deal is that of another one with the seats exchanged.

Most rules treat both seats alike. Then play for one score is also play for its mirror image. The
program does not assume this: it compares both trees, and the outcomes of their ends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trutdsl.ir.types import Kind, Number, YesNo
from trutdsl.solve.positions import Floats
from trutdsl.solve.scores import Outcome, Score
from trutdsl.solve.tree import DealTree
from trutdsl.solve.trees import Group, MatchTrees, ScoreEnds

SAME = 1e-12  # tolerance between equal probabilities that were summed in different orders


class Mirrors:
    """Finds the mirror images of the scores of a match."""

    def __init__(self, match: MatchTrees) -> None:
        self._match = match
        self._order = _mirror_places(match)
        self._pairs: dict[tuple[int, int], SameEnds | None] = {}

    def image_of(self, group: Group) -> dict[Score, Score] | None:
        """Return the mirror image of each score of a group, if they are an earlier group.

        The deal of an image is that of its score with the seats exchanged.
        """
        images = {score: image for score in group if (image := self._mirror(score)) is not None}
        if len(images) < len(group) or min(images.values()) >= min(group):
            return None
        scores = self._match.scores
        if all(
            s in scores and self._agree(scores[score], scores[s]) for score, s in images.items()
        ):
            return images
        return None

    def _mirror(self, score: Score) -> Score | None:
        if self._order is None or len(score.start) != 1:
            return None
        return Score((1 - score.start[0],), tuple(score.values[place] for place in self._order))

    def _agree(self, one: ScoreEnds, other: ScoreEnds) -> bool:
        """Tell whether a deal, with its outcomes, is another one with the seats exchanged."""
        pair = id(one.tree), id(other.tree)
        if pair not in self._pairs:
            self._pairs[pair] = same_ends(one.tree, other.tree)
        same = self._pairs[pair]
        if same is None:
            return False
        numbers = {outcome: number for number, outcome in enumerate(other.outcomes)}
        expected = np.array([numbers.get(self._outcome(o), len(numbers)) for o in one.outcomes])
        mine = expected.astype(np.uint16)[one.of_kind][one.tree.kind]
        theirs = other.of_kind[other.tree.kind][same.order]
        return same.agree(mine, theirs)

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


@dataclass(frozen=True)
class SameEnds:
    """The ends of a tree and of another one with the seats exchanged, whose sequences are the same.

    order: int32 (ends,), the rows of the other tree. shared_rows: int32, the rows of the first tree
    whose two sequences belong to several ends, and group: to which two. weights: float64 (2,
    shared), the probabilities of these ends in both trees.
    """

    order: NDArray[np.int32]
    shared_rows: NDArray[np.int32]
    group: NDArray[np.int32]
    weights: Floats

    def agree(self, mine: NDArray[np.uint16], theirs: NDArray[np.uint16]) -> bool:
        """Tell whether the ends have the same outcomes; mine, theirs: their numbers."""
        differ = mine != theirs
        differ[self.shared_rows] = False
        if differ.any():
            return False
        sides = [mine[self.shared_rows], theirs[self.shared_rows]]
        rows = [
            np.lexsort((weight, side, self.group))
            for side, weight in zip(sides, self.weights, strict=True)
        ]
        gap = self.weights[0][rows[0]] - self.weights[1][rows[1]]
        return np.array_equal(sides[0][rows[0]], sides[1][rows[1]]) and bool(
            (np.abs(gap) <= SAME).all()
        )


def same_ends(one: DealTree, other: DealTree) -> SameEnds | None:
    """Return the ends of two trees side by side; None if seats, sequences or chances differ."""
    for seat in (0, 1):
        own, theirs = one.seats[seat], other.seats[1 - seat]
        for name in ("keys", "decisions", "parents", "first", "levels"):
            if not np.array_equal(getattr(own, name), getattr(theirs, name)):
                return None
    order = np.argsort(other.ends[1], kind="stable").astype(np.int32)
    if not np.array_equal(other.ends[::-1, order], one.ends):
        return None
    group = np.cumsum(np.append(True, (one.ends[:, 1:] != one.ends[:, :-1]).any(axis=0))) - 1
    shared_rows = np.flatnonzero(np.bincount(group)[group] > 1)
    weights = np.stack([one.chance, other.chance[order]])
    gap = np.abs(weights[0] - weights[1])
    gap[shared_rows] = 0.0  # their order is not known yet
    if (gap > SAME).any():
        return None
    return SameEnds(
        order, shared_rows.astype(np.int32), group[shared_rows].astype(np.int32),
        weights[:, shared_rows],
    )  # fmt: skip
