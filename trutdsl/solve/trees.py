"""The trees of a game's deals, one for each course of a deal, and the outcomes of their ends."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from trutdsl.diagnostics import BadUsage, did_you_mean
from trutdsl.game import Game
from trutdsl.ir.types import Number
from trutdsl.language import figure, say
from trutdsl.native.layout import HEARD
from trutdsl.solve.classes import find_classes
from trutdsl.solve.deals import DealEnumerator, Part
from trutdsl.solve.fresh import Start, with_start
from trutdsl.solve.hidden_again import can_come_back, can_mix, check_remembered
from trutdsl.solve.positions import Floats, Masks, Numbers, Positions, Stepper
from trutdsl.solve.scores import DEALER, Outcome, Score
from trutdsl.solve.steps import Deal, Ends, QuestionLog
from trutdsl.solve.tree import SEQUENCE, DealTree, Explorer, check_choices, grow_tree, score_mark
from trutdsl.syntax.ast import Audience

MOST_POINTS = 1_000_000_000  # for one unit of a counter


@dataclass(frozen=True)
class ScoreEnds:
    """A deal at one score.

    outcomes: all of the deal; of_kind: uint16 (kinds,), the index of the outcome of each kind of
    end of the tree.
    """

    tree: DealTree
    outcomes: tuple[Outcome, ...]
    of_kind: NDArray[np.uint16]

    def outcome_chances(self, chance_of_ends: Floats) -> dict[Outcome, float]:
        """Return how likely each outcome is; chance_of_ends: see `DealTree.chance_of_ends`."""
        of = self.of_kind[self.tree.kind]
        chances = np.bincount(of, chance_of_ends, len(self.outcomes)).tolist()
        return dict(zip(self.outcomes, chances, strict=True))


class TreeEnumerator(DealEnumerator):
    """Enumerates deals as trees.

    trees: by deal, with examples of the information sets if a class `keeps_examples`.
    """

    keeps_examples = False
    most_positions = 50_000_000  # which take about 4 GB

    def __init__(
        self,
        game: Game,
        start: tuple[str, ...] = (DEALER,),
        show: Callable[[str], None] = lambda _text: None,
        alone: bool = False,
        jobs: int = 1,
    ) -> None:
        """Raises `BadUsage` for a game that cannot be solved, with the reason."""
        if game.players != 2 or game.team_count != 2:
            text = "only games of two players can be solved, not of {players}"
            raise BadUsage(say(text, players=game.players))
        classes = find_classes(game.program, game.setting)
        cards_return = can_come_back(game.optimized, game.setting)
        if cards_return:  # players know each card again
            classes = replace(classes, of=tuple(range(len(classes.of))), order_span=None)
        stepper = Stepper(game, classes)
        if HEARD in stepper.layout.fields and not alone:  # a deal is refused only if it has some
            raise BadUsage(
                say("cards or words pass between the seats in this game: only --deal may fit")
            )
        keeps_sights = cards_return or can_mix(game.optimized, game.setting)
        self.explorer = Explorer(stepper, self.keeps_examples, keeps_sights, alone)
        super().__init__(self.explorer, start, show, jobs, alone)
        for name in self.codec.lasting:
            if not alone and stepper.program.variables[name].audience is not Audience.ALL:
                text = "'{name}' lasts from deal to deal and is hidden: it cannot be solved"
                raise BadUsage(say(text, name=name))
        self.trees: dict[Deal, DealTree] = {}
        self._questions: set[int] = set()  # those of all deals so far
        self._remembered: list[Set[int]] = []  # questions for which the memory of seats suffices

    def _enumerate(self, score: Score) -> Deal:
        self.explorer.start = score_mark(np.array([[score.start[0], *score.values]], np.int64))
        return super()._enumerate(score)

    def play_part(self, starts: Positions, fixed: bool, first: int, size: int) -> Part:
        """Play a part of a deal, with a log of its questions."""
        before, self.explorer.log = self.explorer.log, QuestionLog()
        part = super().play_part(starts, fixed, first, size)
        part.deal.log, self.explorer.log = self.explorer.log, before
        self._check_remembered(part.deal.log.numbers)  # refuse a game before all parts are played
        part.deal.log.drop_equal()
        return part

    def _check_remembered(self, questions: Set[int]) -> None:
        if not any(questions <= some for some in self._remembered):
            asked = {self.stepper.code.plans[number].node.span for number in questions}
            game = self.stepper.game
            check_remembered(game.optimized, game.setting, asked)
            self._remembered.append(frozenset(questions))

    def note_ends(self, deal: Deal, memories: Numbers, weight: Floats, kinds: Masks) -> None:
        """Record ends of a deal, with the choices that led there."""
        choices = np.ascontiguousarray(memories[:, :, SEQUENCE]).view(np.uint64)
        deal.ends.append(Ends(choices, weight, kinds))

    def finish(self, deal: Deal, _score: Score) -> None:
        """Grow the tree of a deal that was enumerated from this score."""
        self._show(say("sorting what the seats know"))
        log, self.explorer.log = self.explorer.log, QuestionLog()
        if deal.log is not None:
            log.extend(deal.log)
            deal.log = None
        self._questions |= log.numbers
        self._check_remembered(self._questions)
        if not self._alone and (log.scores != self.explorer.start).any():
            text = "in this game the score can change before a question: only --deal fits"
            raise BadUsage(say(text))
        self.trees[deal] = grow_tree(log, deal.ends)

    def ends_at(self, score: Score) -> ScoreEnds:
        """Return a deal at this score, with its outcomes."""
        return self.at(score, self._ends)

    def _ends(self, deal: Deal, score: Score) -> ScoreEnds:
        tree = self.trees[deal]
        numbers: dict[Outcome, int] = {}
        of_kind = np.empty(len(tree.kinds), np.uint16)
        for kinds, ends in self.last_steps(deal, score):
            outcomes, of = self.codec.outcomes_of(ends)
            places = [numbers.setdefault(outcome, len(numbers)) for outcome in outcomes]
            of_kind[np.searchsorted(tree.kinds, kinds)] = np.array(places, np.uint16)[of]
        return ScoreEnds(tree, tuple(numbers), of_kind)

    def first_scores(
        self, at: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    ) -> dict[Score, float]:
        """Return the scores at which a match starts, with their probabilities.

        at: other values of some counters. Raises `BadUsage` for what is no counter, and for values
        that it cannot have.
        """
        self._check_counters(at)
        for name, values in at.items():
            bounds = self.stepper.program.variables[name].type
            assert isinstance(bounds, Number)
            for value in values:
                if not bounds.low <= value <= bounds.high:
                    numbers = {"low": bounds.low, "high": bounds.high, "value": value}
                    text = "'{name}' is from {low} to {high}, not {value}"
                    raise BadUsage(say(text, name=name, **numbers))
            count = self.stepper.layout.fields[name].count
            if len(values) != count:
                text = "'{name}' needs {count} values, one a team, not {number}"
                raise BadUsage(say(text, name=name, count=count, number=len(values)))
        result = dict[Score, float]()
        for score, share in super().first_scores().items():
            row = list(score.values)
            for name, values in at.items():
                row[self.codec.places[name]] = values
            changed = Score(score.start, tuple(row))
            result[changed] = result.get(changed, 0.0) + share
        return result

    def _check_counters(self, names: Iterable[str]) -> None:
        """Raise `BadUsage` for a name of no counter."""
        counters = [v.name for v in self.stepper.program.variables.values() if v.counter]
        for name in names:
            if name not in counters:
                hint = say("counters: {names}", names=", ".join(counters))
                near = did_you_mean(name, counters) or hint
                raise BadUsage(say("there is no counter '{name}'; {near}", name=name, near=near))

    def points_at(self, score: Score, worth: Mapping[str, float]) -> tuple[DealTree, Floats]:
        """Return a deal, and the net gain of the first seat from each kind of end.

        worth: the points for one unit of each counter. Raises `BadUsage` for others.
        """
        self._check_counters(worth)
        for name, value in worth.items():
            if not abs(value) <= MOST_POINTS:
                text = "a unit of '{name}' is worth from -{most} to {most} points, not {points}"
                most = figure(MOST_POINTS, ",")
                raise BadUsage(say(text, name=name, most=most, points=f"{value:g}"))

        def points(positions: Positions) -> Floats:
            each = np.array([*worth.values()])[:, None] * self.leads_of(positions, worth)
            total: Floats = each.sum(axis=0)
            return total

        def of_kinds(deal: Deal, score: Score) -> tuple[DealTree, Floats]:
            tree = self.trees[deal]
            gains = np.empty(len(tree.kinds))
            for kinds, ends in self.last_steps(deal, score):
                gains[np.searchsorted(tree.kinds, kinds)] = points(ends) - before
            return tree, gains

        before = points(self.codec.begin(score))
        return self.at(score, of_kinds)

    def leads_of(self, positions: Positions, counters: Collection[str]) -> Floats:
        """Return how much more the first side has, float64 (counters, n)."""
        leads = np.zeros((len(counters), len(positions)))
        for place, name in enumerate(counters):
            values = self.stepper.values(positions.memory, name)
            leads[place] = values[:, 0] - values[:, 1]
        return leads


class ExampleTrees(TreeEnumerator):
    """Enumerates deals as trees, and keeps an example of each information set."""

    keeps_examples = True


MOST_SCORES = 5_000
MOST_ENDS = 20_000_000  # of deals that are solved together; 8 million took 1.1 GB in all
Group = tuple[Score, ...]


class MatchTrees:
    """The scores of a match, and their deals as trees.

    game: without scripts. first: the scores at which the match starts, with their probabilities.
    scores: each with its deal.
    groups: all scores, each group after those that its deals lead to. The scores of a group lead
    to each other, so they are solved together. order: the same without groups. group_of: of each
    score.
    """

    def __init__(
        self,
        game: Game,
        show: Callable[[str], None] = lambda _text: None,
        table: Game | None = None,
        at: Mapping[str, tuple[int, ...]] = MappingProxyType({}),
        trees: type[TreeEnumerator] = TreeEnumerator,
        jobs: int = 1,
    ) -> None:
        """table: the game with scripts, if they answer.

        at: see `first_scores`. trees: the enumerator of the deals, and jobs: its processes. Raises
        `BadUsage` for a game that cannot be solved, with the reason.
        """
        self.game = game

        def enumerate_scores(start: Start) -> ScoreGraph:
            self.deals = trees(table or game, start, show, jobs=jobs)
            self.first = self.deals.first_scores(at)
            return ScoreGraph(self.deals, self.first, show)

        graph = with_start(enumerate_scores)
        self.scores, self.groups = graph.scores, graph.groups
        self.order = [score for group in self.groups for score in group]
        self.group_of = {score: group for group in self.groups for score in group}
        check_choices(self.deals.trees.values())

    def next_scores(self, group: Group) -> list[Score]:
        """Return the scores outside a group that its deals lead to."""
        others = (_others(self.scores[score], score) for score in group)
        return [score for score in dict.fromkeys(chain(*others)) if score not in group]


class ScoreGraph:
    """The scores of a match, each with its deal, and which of them lead to each other.

    groups: the strongly connected components, each after those that it leads to (Gabow, Path-based
    depth-first search for strong and biconnected components, 2000).
    """

    def __init__(
        self, deals: TreeEnumerator, first: Mapping[Score, float], show: Callable[[str], None]
    ) -> None:
        """Raises `BadUsage` for too many scores, or for too many that lead to each other."""
        self.scores, self.groups = dict[Score, ScoreEnds](), list[Group]()
        self._deals, self._show = deals, show
        self._waiting: list[Score] = []  # in no group yet, in the order of their visit
        self._places: dict[Score, int] = {}  # of these
        self._starts: list[int] = []  # where those begin that lead to each other, as far as known
        for score in reversed([*first]):
            if score not in self.scores:
                self._search(score)

    def _search(self, first: Score) -> None:
        """Visit all scores that this one leads to."""
        path = [(first, self._visit(first))]
        while path:
            score, others = path[-1]
            if not others:
                path.pop()
                self._close(score)
                continue
            other = others.pop()
            if other not in self.scores:
                path.append((other, self._visit(other)))
            elif other in self._places:
                while self._starts[-1] > self._places[other]:
                    self._starts.pop()
                self._check_size(self._waiting[self._starts[-1] :])

    def _visit(self, score: Score) -> list[Score]:
        """Enumerate the deal of a score; return the scores that it leads to."""
        text = "{scores} scores, {trees} trees of deals"
        self._show(say(text, scores=len(self.scores), trees=len(self._deals.trees)))
        ends = self.scores[score] = self._deals.ends_at(score)
        if len(self.scores) > MOST_SCORES:
            text = "this match has more than {most_scores} scores"
            raise BadUsage(say(text, most_scores=figure(MOST_SCORES, ",")))
        self._places[score] = len(self._waiting)
        self._starts.append(len(self._waiting))
        self._waiting.append(score)
        return _others(ends, score)

    def _close(self, score: Score) -> None:
        """Make a group of a score and all later ones, if none of them leads to an earlier one."""
        place = self._places[score]
        if self._starts[-1] == place:
            self._starts.pop()
            group = tuple(self._waiting[place:])
            del self._waiting[place:]
            for one in group:
                del self._places[one]
            self.groups.append(group)

    def _check_size(self, group: Sequence[Score]) -> None:
        """Raise `BadUsage` if the deals of a group are too large to be solved together."""
        ends = sum(len(self.scores[score].tree.kind) for score in group)
        if ends > MOST_ENDS:
            text = (
                "in this game a score can come back after other ones: {count} scores or more have "
                "to be solved together, and their deals have more than {most} million ends: "
                "only --deal fits"
            )
            most = figure(MOST_ENDS / 1e6, ".0f")
            raise BadUsage(say(text, count=len(group), most=most))


def _others(ends: ScoreEnds, score: Score) -> list[Score]:
    """Return the other scores that a deal leads to."""
    return [o.score for o in ends.outcomes if o.score is not None and o.score != score]
