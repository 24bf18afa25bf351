"""Lower bounds on the wins of a perfect opponent: learned play, measured on new matches.

A learner plays matches against a script. It keeps the mean gain of each action in each view (Monte
Carlo control, Sutton and Barto 2018, chapter 5). The gain of a deal is the change in the estimated
chance to win the match. A seat has four views. The first has its own cards; each next one adds the
table, the answers so far, and the score. A mean of one view is the prior of the next one, because
most information sets are rare. Then the play is fixed. It is compared with copies of the scripts at
the table. The best of these is measured on matches of another seed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from trutdsl.game import Game
from trutdsl.language import figure, say
from trutdsl.native.play.batch import Batch
from trutdsl.native.play.observation import Observation
from trutdsl.solve.classes import find_classes
from trutdsl.solve.habits import ScriptResponse
from trutdsl.solve.information import KeyReader
from trutdsl.solve.players import UNIFORM
from trutdsl.solve.positions import Floats, Masks, Numbers, mix
from trutdsl.solve.tree import score_mark

SELECTED_MATCHES, MEASURED_MATCHES = 500, 5_000  # on each side
SIDE_BY_SIDE = 2048  # matches
PHASES = 12  # of learning; after each one, the means so far count half
EXPLORE = 0.25, 0.03  # how often an action is random: at the start and at the end
PRIOR = 3.0  # weight of a mean of a wider view, in deals
SLOTS = 22  # bits of the numbers of slots in a table
VIEWS = KeyReader.views + 1  # the last one with the score
LEARNING_SEED, SELECTING_SEED, MEASURING_SEED = 11, 13, 12


class MeanTable:
    """Means by key. Keys of the same slot share a mean, so the table has a fixed size."""

    def __init__(self) -> None:
        self.sums, self.counts = np.zeros(1 << SLOTS), np.zeros(1 << SLOTS)

    def means(self, keys: Masks, prior: Floats | float, weight: float) -> Floats:
        """Return means of keys; the prior has the weight of `weight` numbers."""
        slots = self._slots(keys)
        found: Floats = (self.sums[slots] + weight * prior) / (self.counts[slots] + weight)
        return found

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
    """

    def __init__(self, matches: int, views: int) -> None:
        self.keys = np.zeros((matches, 16, views), np.uint64)
        self.count = np.zeros(matches, np.int64)
        self.starts = np.zeros(matches, np.uint64)
        self.deals = np.full(matches, -1, np.int64)

    def note(self, matches: Numbers, keys: Masks, explored: Numbers) -> None:
        """Record a choice in each of these matches; a random one discards those before it."""
        self.count[matches[explored]] = 0
        places = self.count[matches]
        if places.max(initial=0) >= self.keys.shape[1]:
            self.keys = np.concatenate([self.keys, np.zeros_like(self.keys)], axis=1)
        self.keys[matches, places] = keys
        self.count[matches] += 1


class Learner:
    """Learns to play against a script, on the seats of either team.

    table: the game with the script.
    """

    def __init__(self, game: Game, table: Game, script: str) -> None:
        self.script, self._code, self._setting = script, table.steps, game.setting
        self._copied = ""
        self._copies = tuple(table.program.policies)
        classes = find_classes(game.program, game.setting)
        self._reader = KeyReader(game.optimized, game.setting, game.plans, classes)
        self._actions = [MeanTable() for _ in range(VIEWS)]
        self._scores = MeanTable()
        self._chance = np.random.Generator(np.random.PCG64(LEARNING_SEED))

    def learn(self, choices: int, show: Callable[[str], None] = lambda _text: None) -> None:
        """Learn from about so many choices."""
        self._made, first, phase = 0, 0, 0
        while self._made < choices:
            done = self._made / choices
            show(
                say(
                    "learning to beat {script}: {done}",
                    script=self.script,
                    done=figure(done, ".0%"),
                )
            )
            if phase < (phase := int(PHASES * done)):
                for table in (*self._actions, self._scores):
                    table.fade()
            explore = EXPLORE[0] + (EXPLORE[1] - EXPLORE[0]) * done
            for team in range(self._setting.teams):
                self._play(team, LEARNING_SEED, first, SIDE_BY_SIDE, explore)
            first += SIDE_BY_SIDE

    def select(self, matches: int = SELECTED_MATCHES) -> str:
        """Choose the better of the learned play and of copying a script at the table.

        Returns the name of the copied script, or an empty text.
        """
        wins = {}
        for name in ("", *self._copies):
            self._copied = name
            wins[name] = self._wins(SELECTING_SEED, matches)
        self._copied = max(wins, key=lambda name: wins[name])
        return self._copied

    def measure(self, matches: int = MEASURED_MATCHES) -> ScriptResponse:
        """Play so many fresh matches on each side without learning."""
        wins, played = self._wins(MEASURING_SEED, matches), self._setting.teams * matches
        return ScriptResponse(self.script, wins / played, measured=played)

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
        others = [s for s in range(self._setting.players) if s % self._setting.teams != team]
        scripts = {} if self.script == UNIFORM else dict.fromkeys(others, self.script)
        if self._copied:
            scripts |= {s: self._copied for s in range(self._setting.players) if s not in others}
        batch = Batch(self._code, seed, first, count, scripts)
        deals = _OpenDeals(count, VIEWS)
        while len(batch.waiting):
            seen, history = batch.observe(self._reader.needed), batch.history()
            scores = mix(score_mark(self._reader.scores(seen)) + np.uint64(team))
            if explore is not None:
                self._close(deals, seen, scores)
            batch.answer(self._choose(deals, seen, scores, history, team, explore))
        if explore is not None:
            won = np.where(batch.winner < 0, 0.5, (batch.winner == team).astype(np.float64))
            self._learn(deals, np.flatnonzero(deals.deals >= 0).astype(np.int64), won)
        return batch

    def _choose(
        self,
        deals: _OpenDeals,
        seen: Observation,
        scores: Masks,
        history: Numbers,
        team: int,
        explore: float | None,
    ) -> Numbers:
        """Return an action for each question: the best one so far, or a random one."""
        legal = np.unpackbits(
            np.ascontiguousarray(seen.legal).view(np.uint8), axis=1, bitorder="little"
        )
        rows, numbers = np.nonzero(legal)
        count = np.bincount(rows, minlength=len(legal)).astype(np.int64)
        starts = np.cumsum(count) - count
        own = seen.seat % self._setting.teams == team
        names = self._reader.action_names[seen.seat[rows], seen.decision[rows], numbers]
        views = self._reader.views_of(seen, count, self._reader.heard_in(history, seen.seat))
        views = np.concatenate([views, views[:, -1:] ^ scores[:, None]], axis=1)
        keys = mix(views[rows] ^ mix(names)[:, None])
        worth: Floats | float = 0.0
        for table, column in zip(self._actions, keys.T, strict=True):
            worth = table.means(column, worth, PRIOR)
        best = np.maximum.reduceat(worth, starts)
        top = np.flatnonzero(worth == best[rows])
        _, once = np.unique(rows[top], return_index=True)
        chosen = top[once]
        at_random = ~own
        if explore is not None:
            at_random |= self._chance.random(len(own)) < explore
        drawn = starts + (self._chance.random(len(own)) * count).astype(np.int64)
        chosen = np.where(at_random, drawn, chosen)
        if explore is not None:
            self._made += int(own.sum())
            deals.note(seen.matches[own], keys[chosen[own]], np.flatnonzero(at_random[own]))
        return numbers[chosen].astype(np.int64)

    def _close(self, deals: _OpenDeals, seen: Observation, scores: Masks) -> None:
        """Learn from the deals that are over, and begin new ones."""
        new = deals.deals[seen.matches] != seen.deal
        over = new & (deals.deals[seen.matches] >= 0)
        now = self._scores.means(scores[over], 0.5, PRIOR)
        worth = np.zeros(len(deals.deals))
        worth[seen.matches[over]] = now
        self._learn(deals, seen.matches[over], worth)
        begun = seen.matches[new]
        deals.count[begun], deals.deals[begun] = 0, seen.deal[new]
        deals.starts[begun] = scores[new]

    def _learn(self, deals: _OpenDeals, matches: Numbers, worth: Floats) -> None:
        """Add the gains of these deals to the means; worth: of every match, after its deal."""
        starts, after = deals.starts[matches], worth[matches]
        gains = after - self._scores.means(starts, 0.5, PRIOR)
        self._scores.add(starts, after)
        held = np.arange(deals.keys.shape[1]) < deals.count[matches][:, None]
        row, place = np.nonzero(held)
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
    """Return the wins of a learned response to a script; reason: why there is no exact one."""
    learner = Learner(game, table, script)
    learner.learn(choices, show)
    copied = learner.select()
    text = (
        "A copy of {script}, measured in {matches} fresh matches on each side. Not exact: {reason}."
        if copied
        else "Learned with {choices} choices, measured in {matches} fresh matches on each side. "
        "Not exact: {reason}."
    )
    note = say(
        text,
        script=copied,
        choices=figure(choices, ",d"),
        matches=figure(MEASURED_MATCHES, ",d"),
        reason=reason,
    )
    return replace(learner.measure(), note=note)
