"""Mirror images: a score whose deal is that of another one with the seats exchanged.

Most rules treat both seats alike. Then play for one score is also play for its mirror image. The
program does not assume this: it compares the information sets and the payoffs of both trees.
"""

from __future__ import annotations

import numpy as np

from trutdsl.ir.types import Kind, Number, YesNo
from trutdsl.solve.scores import Outcome, Score
from trutdsl.solve.trees import Group, MatchTrees, ScoreEnds

SAME = 1e-12  # tolerance between equal payoffs that were summed in different orders


class Mirrors:
    """Finds the mirror images of the scores of a match."""

    def __init__(self, match: MatchTrees) -> None:
        self._match = match
        self._order = _mirror_places(match)

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
        """Tell whether a deal, with its outcomes, is another one with the seats exchanged.

        For this each outcome is worth a random number. If any two sequences lead to other outcomes
        there, or with another probability, their payoffs differ.
        """
        for seat in (0, 1):
            own, theirs = one.tree.seats[seat], other.tree.seats[1 - seat]
            for name in ("keys", "decisions", "parents", "first", "levels"):
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
