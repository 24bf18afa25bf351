"""The trees of a game's deals, one for each course of a deal, and the outcomes of their ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from trutdsl.diagnostics import BadUsage, did_you_mean
from trutdsl.game import Game
from trutdsl.ir.types import Number
from trutdsl.language import figure, say
from trutdsl.native.layout import HEARD
from trutdsl.solve.classes import find_classes
from trutdsl.solve.deals import DealEnumerator
from trutdsl.solve.fresh import Start, with_start
from trutdsl.solve.hidden_again import can_come_back, check_remembered
from trutdsl.solve.positions import Floats, Masks, Numbers, Positions, Stepper
from trutdsl.solve.scores import DEALER, Outcome, Score
from trutdsl.solve.steps import Deal, Ends
from trutdsl.solve.tree import SEQUENCE, DealTree, Explorer, check_choices, grow_tree, score_mark
from trutdsl.syntax.ast import Audience


@dataclass(frozen=True)
class ScoreEnds:
    """A deal at one score.

    outcomes: all of the deal; of_kind: uint16 (kinds,), the index of the outcome of each kind of
    end of the tree.
    """

    tree: DealTree
    outcomes: tuple[Outcome, ...]
    of_kind: NDArray[np.uint16]


class TreeEnumerator(DealEnumerator):
    """Enumerates deals as trees.

    alone: whether only single deals matter, not the state after them. trees: by the identity of
    the deal, with examples of the information sets if a class `keeps_examples`.
    """

    keeps_examples = False
    most_positions = 50_000_000  # which take about 4 GB

    def __init__(
        self,
        game: Game,
        start: tuple[str, ...] = (DEALER,),
        show: Callable[[str], None] = lambda _text: None,
        alone: bool = False,
    ) -> None:
        """Raises `BadUsage` for a game that cannot be solved, with the reason."""
        if game.players != 2 or game.team_count != 2:
            text = "only games of two players can be solved, not of {players}"
            raise BadUsage(say(text, players=game.players))
        classes = find_classes(game.program, game.setting)
        cards_return = can_come_back(game.optimized)
        if cards_return:  # players know each card again
            classes = replace(classes, of=tuple(range(len(classes.of))), order_span=None)
        stepper = Stepper(game, classes)
        if HEARD in stepper.layout.fields and not alone:  # a deal is refused only if it has some
            raise BadUsage(
                say("cards or words pass between the seats in this game: only --deal may fit")
            )
        self.explorer = Explorer(stepper, self.keeps_examples, cards_return, alone)
        super().__init__(self.explorer, start, show)
        for name in self.codec.lasting:
            if not alone and stepper.program.variables[name].audience is not Audience.ALL:
                text = "'{name}' lasts from deal to deal and is hidden: it cannot be solved"
                raise BadUsage(say(text, name=name))
        self.trees: dict[int, DealTree] = {}
        self._alone = alone
        self._checked = 0  # how many questions were asked when the memory of seats was checked

    def _enumerate(self, score: Score) -> Deal:
        self.explorer.start = score_mark(np.array([[score.start[0], *score.values]], np.int64))
        return super()._enumerate(score)

    def note_ends(self, deal: Deal, memories: Numbers, weight: Floats, kinds: Masks) -> None:
        """Record ends of a deal, with the choices that led there."""
        choices = np.ascontiguousarray(memories[:, :, SEQUENCE]).view(np.uint64)
        deal.ends.append(Ends(choices, weight, kinds))

    def finish(self, deal: Deal, _score: Score) -> None:
        """Grow the tree of a deal that was enumerated from this score."""
        self._show(say("sorting what the seats know"))
        if len(self.explorer.asked) > self._checked:
            self._checked = len(self.explorer.asked)
            asked = {self.stepper.code.plans[number].node.span for number in self.explorer.asked}
            check_remembered(self.stepper.game.optimized, asked)
        if not self._alone and (self.explorer.scores != self.explorer.start).any():
            text = "in this game the score can change before a question: only --deal fits"
            raise BadUsage(say(text))
        self.explorer.scores = self.explorer.scores[:0]
        self.trees[id(deal)] = grow_tree(self.explorer.questions, deal.ends)

    def check_ends(self, ends: Positions) -> None:
        """Check the deals after these ends, unless one deal is solved alone."""
        if not self._alone:
            super().check_ends(ends)

    def ends_at(self, score: Score) -> ScoreEnds:
        """Return a deal at this score, with its outcomes."""
        return self.at(score, self._ends)

    def _ends(self, deal: Deal, score: Score) -> ScoreEnds:
        tree = self.trees[id(deal)]
        numbers: dict[Outcome, int] = {}
        of_kind = np.empty(len(tree.kinds), np.uint16)
        for kinds, ends in self.last_steps(deal, score):
            outcomes, of = self.codec.outcomes_of(ends)
            places = [numbers.setdefault(outcome, len(numbers)) for outcome in outcomes]
            of_kind[np.searchsorted(tree.kinds, kinds)] = np.array(places, np.uint16)[of]
        return ScoreEnds(tree, tuple(numbers), of_kind)

    def first_scores(self, at: Mapping[str, tuple[int, ...]] = MappingProxyType({})) -> list[Score]:
        """Return the scores at which a match starts; at: other values of some counters.

        Raises `BadUsage` for what is no counter, and for values that it cannot have.
        """
        self._check_counters(at)
        self._check_bounds(at)
        for name, values in at.items():
            count = self.stepper.layout.fields[name].count
            if len(values) != count:
                text = "'{name}' needs {count} values, one a team, not {number}"
                raise BadUsage(say(text, name=name, count=count, number=len(values)))
        return [self._with_counters(score, at) for score in self.codec.first_scores()]

    def _with_counters(self, score: Score, at: Mapping[str, tuple[int, ...]]) -> Score:
        """Return a score with other values of some counters."""
        row = list(score.values)
        for name, values in at.items():
            row[self.codec.places[name]] = values
        return Score(score.start, tuple(row))

    def _check_counters(self, names: Iterable[str]) -> None:
        """Raise `BadUsage` for a name of no counter."""
        counters = [v.name for v in self.stepper.program.variables.values() if v.counter]
        for name in names:
            if name not in counters:
                hint = say("counters: {names}", names=", ".join(counters))
                near = did_you_mean(name, counters) or hint
                raise BadUsage(say("there is no counter '{name}'; {near}", name=name, near=near))

    def _check_bounds(self, at: Mapping[str, tuple[int, ...]]) -> None:
        """Raise `BadUsage` for values that a counter never has."""
        for name, values in at.items():
            bounds = self.stepper.program.variables[name].type
            assert isinstance(bounds, Number)
            for value in values:
                if not bounds.low <= value <= bounds.high:
                    numbers = {"low": bounds.low, "high": bounds.high, "value": value}
                    text = "'{name}' is from {low} to {high}, not {value}"
                    raise BadUsage(say(text, name=name, **numbers))

    def points_at(self, score: Score, worth: Mapping[str, float]) -> tuple[DealTree, Floats]:
        """Return a deal, and the net gain of the first seat from each kind of end.

        worth: the points for one unit of each counter. Raises `BadUsage` for others.
        """
        self._check_counters(worth)
        for name, value in worth.items():
            if not isfinite(value):
                text = "a unit of '{name}' is worth a number of points, not {points}"
                raise BadUsage(say(text, name=name, points=value))

        def points(positions: Positions) -> Floats:
            values = ((worth[n], self.stepper.values(positions.memory, n)) for n in worth)
            parts = [p * (v[:, 0] - v[:, 1]) for p, v in values]
            total: Floats = np.stack(parts).sum(axis=0).astype(np.float64)
            return total

        def of_kinds(deal: Deal, score: Score) -> tuple[DealTree, Floats]:
            tree = self.trees[id(deal)]
            gains = np.empty(len(tree.kinds))
            for kinds, ends in self.last_steps(deal, score):
                gains[np.searchsorted(tree.kinds, kinds)] = points(ends) - before
            return tree, gains

        before = points(self.codec.begin(score))
        return self.at(score, of_kinds)


class ExampleTrees(TreeEnumerator):
    """Enumerates deals as trees, and keeps an example of each information set."""

    keeps_examples = True


MOST_SCORES = 5_000
Scores = dict[Score, ScoreEnds]


class MatchTrees:
    """The scores of a match, and their deals as trees.

    game: without scripts. first: the scores at which the match starts. scores: each with its deal.
    order: every score after those that its deal leads to.
    """

    def __init__(
        self,
        game: Game,
        show: Callable[[str], None] = lambda _text: None,
        table: Game | None = None,
        at: Mapping[str, tuple[int, ...]] = MappingProxyType({}),
        trees: type[TreeEnumerator] = TreeEnumerator,
    ) -> None:
        """table: the game with scripts, if they answer.

        at: see `first_scores`. trees: the enumerator of the deals. Raises `BadUsage` for a game
        that cannot be solved, with the reason.
        """
        self.game = game

        def enumerate_scores(start: Start) -> Scores:
            self.deals = trees(table or game, start, show)
            self.first = self.deals.first_scores(at)
            return _scores_from(self.deals, self.first, show)

        self.scores = with_start(enumerate_scores)
        self.order = list(self.scores)
        check_choices(self.deals.trees.values())


def _scores_from(
    deals: TreeEnumerator, first: Sequence[Score], show: Callable[[str], None]
) -> Scores:
    """Return all scores, each after those that its deal leads to.

    Raises `BadUsage` as soon as a score comes back after other ones.
    """
    waiting, path, scores = list(first), Scores(), Scores()  # path: from deal to deal
    while waiting:
        score = waiting[-1]
        if score in path:
            scores[score] = path.pop(score)
        if score in scores:
            waiting.pop()
            continue
        text = "{scores} scores, {trees} trees of deals"
        show(say(text, scores=len(scores) + len(path), trees=len(deals.trees)))
        path[score] = deals.ends_at(score)
        for other in _others(path[score], score):
            if other in path:
                count = len(path) - list(path).index(other)
                text = (
                    "in this game a score can come back, here after {count} deals, so the "
                    "scores cannot be solved one after the other: only --deal fits"
                )
                raise BadUsage(say(text, count=count))
            waiting.append(other)
        if len(scores) + len(path) > MOST_SCORES:
            text = "this match has more than {most_scores} scores"
            raise BadUsage(say(text, most_scores=figure(MOST_SCORES, ",")))
    return scores


def _others(ends: ScoreEnds, score: Score) -> list[Score]:
    """Return the other scores that a deal leads to."""
    return [o.score for o in ends.outcomes if o.score is not None and o.score != score]


def needs_of(scores: Scores) -> dict[Score, list[Score]]:
    """Return, for each score, the other scores that its deal leads to."""
    return {score: _others(ends, score) for score, ends in scores.items()}
