"""Lower bounds on the wins of a perfect opponent: learned play, measured on new matches.

A learner plays matches against a script. It keeps the mean gain of each action in each view (Monte
Carlo control, Sutton and Barto 2018, chapter 5). The gain of a deal is the change in the estimated
chance to win the match. A seat has several views, from its own cards to all that it knows, and the
score. A mean of one view is the prior of the next one, because most information sets are rare.

In games of partners a deal has many questions, so few deals are played. There the learner begins
from the play of a script, its adviser. It takes another action only where that is better by more
than a standard error. It tries such an action once a deal, and equally often at each kind of
question. All seats of the team share the means.

Then the play is fixed. It is compared with copies of the scripts at the table. The best of these is
measured on matches of another seed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from trutdsl.diagnostics import BadUsage
from trutdsl.game import Game
from trutdsl.language import figure, say
from trutdsl.native.play.batch import Batch
from trutdsl.native.play.observation import Observation, legal_actions
from trutdsl.solve.classes import find_classes
from trutdsl.solve.habits import ScriptResponse
from trutdsl.solve.information import KeyReader
from trutdsl.solve.players import UNIFORM
from trutdsl.solve.positions import Floats, Masks, Numbers, mix
from trutdsl.solve.tree import first_best, score_mark

SELECTED_MATCHES, MEASURED_MATCHES = 500, 5_000  # on each side
SIDE_BY_SIDE = 2048  # matches
SLOTS = 22  # bits of the numbers of slots in a table
LEARNING_SEED, SELECTING_SEED, MEASURING_SEED = 11, 13, 12


@dataclass(frozen=True)
class Manner:
    """How to learn.

    views: which ones of `KeyReader.views_of`; the score adds one. phases: their number; after each
    one, the means so far count half. prior: the weight of a mean of a wider view, in deals.
    explore: how often an action is random, at the start and at the end; with an adviser, in how
    many deals for each kind of question. caution: the standard deviation of a deal's gain, times
    the standard errors by which another action must be better than the advised one.
    """

    views: slice
    phases: int
    prior: float
    explore: tuple[float, float]
    caution: float = 0.0


ALONE = Manner(slice(1, 4), 12, 3.0, (0.25, 0.03))
ADVISED = Manner(slice(0, 3), 3, 30.0, (0.2, 0.2), 0.06)
MOST_EXPLORED = 0.5  # of all questions of a kind


class MeanTable:
    """Means by key. Keys of the same slot share a mean, so the table has a fixed size."""

    def __init__(self) -> None:
        self.sums, self.counts = np.zeros(1 << SLOTS), np.zeros(1 << SLOTS)

    def means(self, keys: Masks, prior: Floats | float, weight: float) -> Floats:
        """Return means of keys; the prior has the weight of `weight` numbers."""
        slots = self._slots(keys)
        means: Floats = (self.sums[slots] + weight * prior) / (self.counts[slots] + weight)
        return means

    def counts_of(self, keys: Masks) -> Floats:
        """Return how many numbers the mean of each key has."""
        counts: Floats = self.counts[self._slots(keys)]
        return counts

    def add(self, keys: Masks, numbers: Floats) -> None:
        """Add a number to the mean of each key."""
        slots = self._slots(keys)
        np.add.at(self.sums, slots, numbers)
        np.add.at(self.counts, slots, 1.0)

    def fade(self) -> None:
        """Let all numbers so far count half."""
        self.sums *= 0.5
        self.counts *= 0.5

    @staticmethod
    def _slots(keys: Masks) -> Numbers:
        return (keys >> np.uint64(64 - SLOTS)).astype(np.int64)


class _OpenDeals:
    """The choices of a team in the open deal of each of many matches, and its start.

    keys: uint64 (matches, choices, views). starts: uint64 (matches,), the key of the score.
    explored: bool (matches,), whether an action was random.
    """

    def __init__(self, matches: int, views: int) -> None:
        self.keys = np.zeros((matches, 16, views), np.uint64)
        self.count = np.zeros(matches, np.int64)
        self.starts = np.zeros(matches, np.uint64)
        self.deals = np.full(matches, -1, np.int64)
        self.explored = np.zeros(matches, np.bool_)

    def note(self, matches: Numbers, keys: Masks, explored: Numbers) -> None:
        """Record a choice in each of these matches; a random one discards those before it."""
        self.count[matches[explored]], self.explored[matches[explored]] = 0, True
        places = self.count[matches]
        if places.max(initial=0) >= self.keys.shape[1]:
            self.keys = np.concatenate([self.keys, np.zeros_like(self.keys)], axis=1)
        self.keys[matches, places] = keys
        self.count[matches] += 1


class Learner:
    """Learns to play against a script, on the seats of either team.

    table: the game with the script. adviser: the script with whose play it begins, if any.
    """

    def __init__(self, game: Game, table: Game, script: str) -> None:
        self.script, self._code, self._setting = script, table.steps, game.setting
        self._copied_script = self.adviser = ""
        self._copies = tuple(table.program.policies)
        classes = find_classes(game.program, game.setting)
        self._reader = KeyReader(game.optimized, game.setting, game.plans, classes)
        partners = self._setting.players > self._setting.teams
        self._manner = ADVISED if partners and self._copies else ALONE
        views = range(*self._manner.views.indices(KeyReader.views))
        self._actions = [MeanTable() for _ in (*views, "score")]
        self._scores = MeanTable()
        self._question_counts, self._deal_count = np.zeros(1 + int(self._reader.decisions.max())), 0
        self._chance = np.random.Generator(np.random.PCG64(LEARNING_SEED))

    def learn(self, choices: int, show: Callable[[str], None] = lambda _text: None) -> None:
        """Learn from about so many choices."""
        if self._manner is ADVISED:
            self.adviser = self._best_of(self._copies)
        self._choice_count, first, phase, self._copied_script = 0, 0, 0, ""
        while self._choice_count < choices:
            done = self._choice_count / choices
            text = "learning to beat {script}: {done}"
            show(say(text, script=self.script, done=figure(done, ".0%")))
            if phase < (phase := int(self._manner.phases * done)):
                for table in (*self._actions, self._scores):
                    table.fade()
            begin, end = self._manner.explore
            explore = begin + (end - begin) * done
            for team in range(self._setting.teams):
                self._play(team, LEARNING_SEED, first, SIDE_BY_SIDE, explore)
            first += SIDE_BY_SIDE

    def select(self) -> str:
        """Choose the better of the learned play and of copying a script at the table.

        Returns the name of the copied script, or an empty text.
        """
        return self._best_of(("", *self._copies))

    def _best_of(self, names: tuple[str, ...]) -> str:
        """Choose the copied script that wins most, or the learned play if the name is empty."""
        wins = {}
        for self._copied_script in names:
            wins[self._copied_script] = self._wins(SELECTING_SEED, SELECTED_MATCHES)
        self._copied_script = max(wins, key=lambda name: wins[name])
        return self._copied_script

    def measure(self, note: str) -> ScriptResponse:
        """Play fresh matches on each side without learning; note: how the play was found."""
        count = self._setting.teams * MEASURED_MATCHES
        share = self._wins(MEASURING_SEED, MEASURED_MATCHES) / count
        return ScriptResponse(self.script, share, match_count=count, note=note)

    def _wins(self, seed: int, matches: int) -> int:
        """Return the number of matches won, of so many on each side."""
        wins = 0
        for team in range(self._setting.teams):
            for first in range(0, matches, SIDE_BY_SIDE):
                count = min(SIDE_BY_SIDE, matches - first)
                batch = self._play(team, seed, first, count, None)
                wins += int((batch.winner == team).sum())
        return wins

    def _play(self, team: int, seed: int, first: int, count: int, explore: float | None) -> Batch:
        """Play matches with this play, or the copied script, on the seats of a team.

        explore: how often an action is random; None: as often as never, and nothing is learned.
        """
        seats = range(self._setting.players)
        own = [seat for seat in seats if seat % self._setting.teams == team]
        scripts = {} if self.script == UNIFORM else dict.fromkeys(set(seats) - {*own}, self.script)
        if self._copied_script:
            scripts |= dict.fromkeys(own, self._copied_script)
        advisers = dict.fromkeys(own if self.adviser else (), self.adviser)
        batch = Batch(self._code, seed, first, count, scripts, advisers)
        deals = _OpenDeals(count, len(self._actions))
        while len(batch.waiting):
            seen, advice = batch.observe(self._reader.fields), batch.advice()
            history = np.zeros(len(seen.seat), np.uint64)
            if self._manner is ALONE:
                history = self._reader.hash_history(batch.history(), seen.seat)
            scores = mix(score_mark(self._reader.scores(seen)) + np.uint64(team))
            if explore is not None:
                self._close(deals, seen, scores)
            batch.answer(self._choose(deals, seen, scores, history, advice, team, explore))
        if explore is not None:
            won = np.where(batch.winner < 0, 0.5, (batch.winner == team).astype(np.float64))
            self._learn(deals, np.flatnonzero(deals.deals >= 0).astype(np.int64), won)
        return batch

    def _choose(
        self,
        deals: _OpenDeals,
        seen: Observation,
        scores: Masks,
        history: Masks,
        advice: Numbers,
        team: int,
        explore: float | None,
    ) -> Numbers:
        """Return an action for each question: the best one so far, or a random one."""
        rows, numbers = legal_actions(seen.legal)
        count = np.bincount(rows, minlength=len(seen.legal)).astype(np.int64)
        starts = np.cumsum(count) - count
        own = seen.seat % self._setting.teams == team
        names = self._reader.action_names[seen.seat[rows], seen.decision[rows], numbers]
        views = self._reader.views_of(seen, count, history)[:, self._manner.views]
        views = np.concatenate([views, views[:, -1:] ^ scores[:, None]], axis=1)
        advised = (starts + advice)[advice >= 0]
        views[advice >= 0] ^= mix(names[advised])[:, None]
        keys = mix(views[rows] ^ mix(names)[:, None])
        worth = np.zeros(len(numbers))
        for table, column in zip(self._actions, keys.T, strict=True):
            worth = table.means(column, worth, self._manner.prior)
        if self.adviser:
            counts = sum(self._actions[view].counts_of(keys[:, view]) for view in (-2, -1))
            doubt = self._manner.caution / np.sqrt(counts + self._manner.prior)
            doubt[advised] = 0.0
            worth -= doubt
        best = np.maximum.reduceat(worth, starts)
        choices = first_best(worth, best, rows)
        at_random = ~own
        if explore is not None:
            often = self._exploration_rate(deals, seen, explore) if self.adviser else explore
            at_random |= self._chance.random(len(own)) < often
        random_choices = starts + (self._chance.random(len(own)) * count).astype(np.int64)
        choices = np.where(at_random, random_choices, choices)
        if explore is not None:
            self._choice_count += int(own.sum())
            deals.note(seen.matches[own], keys[choices[own]], np.flatnonzero(at_random[own]))
        return numbers[choices]

    def _exploration_rate(self, deals: _OpenDeals, seen: Observation, explore: float) -> Floats:
        """Return how often an action is random at each question: once a deal at most."""
        kinds = self._reader.decisions[seen.decision]
        self._question_counts += np.bincount(kinds, minlength=len(self._question_counts))
        often = np.minimum(explore * self._deal_count / self._question_counts[kinds], MOST_EXPLORED)
        return np.where(deals.explored[seen.matches], 0.0, often)

    def _close(self, deals: _OpenDeals, seen: Observation, scores: Masks) -> None:
        """Learn from the deals that are over, and begin new ones."""
        new = deals.deals[seen.matches] != seen.deal
        over = new & (deals.deals[seen.matches] >= 0)
        values = self._scores.means(scores[over], 0.5, self._manner.prior)
        worth = np.zeros(len(deals.deals))
        worth[seen.matches[over]] = values
        self._learn(deals, seen.matches[over], worth)
        matches = seen.matches[new]
        deals.count[matches], deals.deals[matches] = 0, seen.deal[new]
        deals.starts[matches], deals.explored[matches] = scores[new], False
        self._deal_count += len(matches)

    def _learn(self, deals: _OpenDeals, matches: Numbers, worth: Floats) -> None:
        """Add the gains of these deals to the means; worth: of every match, after its deal."""
        starts, after = deals.starts[matches], worth[matches]
        gains = after - self._scores.means(starts, 0.5, self._manner.prior)
        self._scores.add(starts, after)
        is_choice = np.arange(deals.keys.shape[1]) < deals.count[matches][:, None]
        row, place = np.nonzero(is_choice)
        for view, table in enumerate(self._actions):
            table.add(deals.keys[matches[row], place, view], gains[row])


def respond_by_learning(
    game: Game,
    table: Game,
    script: str,
    choices: int,
    reason: str,
    show: Callable[[str], None] = lambda _text: None,
) -> ScriptResponse:
    """Return the wins of a learned response to a script; reason: why there is no exact one.

    Raises `BadUsage` for a game without questions.
    """
    if not game.plans:
        raise BadUsage(say("the rules ask nobody anything: there is no play to learn"))
    learner = Learner(game, table, script)
    learner.learn(choices, show)
    copied_script = learner.select()
    text = (
        "A copy of {script}, measured in {matches} fresh matches on each side. Not exact: {reason}."
        if copied_script
        else "Learned with {choices} choices, beginning with the play of {script}, measured in "
        "{matches} fresh matches on each side. Not exact: {reason}."
        if learner.adviser
        else "Learned with {choices} choices, measured in {matches} fresh matches on each side. "
        "Not exact: {reason}."
    )
    script = copied_script or learner.adviser
    counts = {"choices": figure(choices, ",d"), "matches": figure(MEASURED_MATCHES, ",d")}
    return learner.measure(say(text, script=script, reason=reason, **counts))
