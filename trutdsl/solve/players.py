"""Players of exact evaluation: uniform play, a script, or a solved policy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from trutdsl.diagnostics import BadUsage
from trutdsl.language import say
from trutdsl.native import abi
from trutdsl.native.layout import READ
from trutdsl.native.play.observation import Observation
from trutdsl.solve.branches import NOTICED, Brancher, Branches, ExactPlayer, join_branches
from trutdsl.solve.classes import CardClasses
from trutdsl.solve.information import KeyReader
from trutdsl.solve.policy_file import SolvedPolicy
from trutdsl.solve.positions import Masks, Numbers, Positions, Stepper

UNIFORM = "uniform"  # the policy that takes each legal action equally often


class UniformPlayer(ExactPlayer):
    """Takes each legal action equally often."""

    def answer(self, brancher: Brancher, positions: Positions, _seat: int) -> Branches:
        """Return all legal actions."""
        every = brancher.actions(positions)
        legal, _ = brancher.legal(positions)
        total = np.bitwise_count(legal).sum(axis=1).astype(np.float64)
        share = every.share / total[every.rows]
        return Branches(every.rows, every.answers, share, positions.memories[every.rows])


class SolvedPlayer(ExactPlayer):
    """Plays from a policy file."""

    reader: KeyReader
    by_score = True

    def __init__(self, policy: SolvedPolicy, reader: KeyReader) -> None:
        self.policy, self.reader = policy, reader

    def answer(self, brancher: Brancher, positions: Positions, seat: int) -> Branches:
        """Return all actions that the policy may take."""
        rows, answers, count, place = brancher.named_actions(positions, self.reader)
        where = np.flatnonzero(count > 1).astype(np.int64)
        share = np.ones(len(rows))
        if len(where):
            parts = self._parts(brancher, positions.take(where), seat, count[where])
            is_choice = count[rows] > 1
            shares = parts / parts.sum(axis=1)[:, None]
            share[is_choice] = shares[np.searchsorted(where, rows[is_choice]), place[is_choice]]
        some = np.flatnonzero(share)
        rows = rows[some]
        return Branches(rows, answers[some], share[some], positions.memories[rows])

    def _parts(
        self, brancher: Brancher, positions: Positions, seat: int, count: Numbers
    ) -> Numbers:
        """Return the probability of each action, see `SolvedPolicy.parts`; count: of actions."""
        seen, keys = observe(self.reader, brancher.stepper, positions, seat, count)
        scores = self.policy.numbers_of(self.reader.scores(seen))
        return self.policy.parts(scores, seat, keys, count)

    def refine_classes(self, classes: CardClasses) -> CardClasses:
        """Return the classes of cards at a table where this policy plays.

        The policy takes the first card of its class. So if scripts distinguish cards of one class,
        all cards differ.
        """
        if classes.of == self.policy.head.classes:
            return classes
        return replace(classes, of=tuple(range(len(classes.of))), order_span=None)


class AnyPlayer(ExactPlayer):
    """Takes every action. Each is certain, or all are equally likely, if the player is `even`."""

    reader: KeyReader

    def __init__(self, reader: KeyReader, even: bool) -> None:
        self.reader, self.even = reader, even

    def answer(self, brancher: Brancher, positions: Positions, _seat: int) -> Branches:
        """Return all actions that differ."""
        rows, answers, count, _ = brancher.named_actions(positions, self.reader)
        share = 1 / count[rows] if self.even else np.ones(len(rows))
        return Branches(rows, answers, share, positions.memories[rows])


def observe(
    reader: KeyReader, stepper: Stepper, positions: Positions, seat: int, count: Numbers
) -> tuple[Observation, Masks]:
    """Return a seat's observations in positions that wait for it, and its information sets.

    count: of the actions of each.
    """
    noticed = positions.memories[:, seat, NOTICED].view(np.uint64)
    seen = stepper.observe(positions.memory, reader.fields)
    return seen, reader.keys(seen, count, noticed)[:, 0]


class ScriptPlayer(ExactPlayer):
    """Answers by a script, a policy of the program."""

    def __init__(self, stepper: Stepper, name: str) -> None:
        self.stepper, self.name = stepper, name
        self._tape = abi.tape_index(stepper.program)  # where its luck stands in its entry
        self._size = self._tape - 1 - abi.MEMORY  # how many numbers it remembers

    def answer(self, brancher: Brancher, positions: Positions, seat: int) -> Branches:
        """Return all answers in positions that wait for this seat: for every outcome of its luck.

        Each turn fixes some outcomes and uses the first possible one for all later draws. The draws
        after the fixed ones then show which other outcomes exist.
        """
        legal, _ = brancher.legal(positions)
        total = np.bitwise_count(legal).sum(axis=1).astype(np.int64)
        rows = np.arange(len(positions), dtype=np.int64)
        read_masks, code = self.stepper.masks(positions.memory, READ), self.stepper.code
        tapes = np.zeros((len(rows), abi.TAPE), np.int64)
        outcome_counts = np.zeros(len(rows), np.int64)  # the number of fixed outcomes
        done: list[Branches] = []
        while len(rows):
            waiting = positions.take(rows)
            entries = self._entries(waiting.memories[:, seat, : self._size], tapes)
            ranks = code.answer_rows(self.name, waiting.memory, entries, total[rows])
            self._check(entries)
            np.bitwise_or.at(read_masks, rows, self.stepper.masks(waiting.memory, READ))
            entry_counts = entries[:, self._tape - 1]
            _, outcomes, part = np.moveaxis(self._luck(entries), 2, 0)
            waiting.memories[:, seat, : self._size] = entries[:, abi.MEMORY : self._tape - 1]
            is_entry = np.arange(abi.TAPE) < entry_counts[:, None]
            likely = np.where(part < 0, 1, np.where(tapes == 1, part, outcomes - part))
            share = np.where(is_entry, likely / np.where(is_entry, outcomes, 1), 1.0).prod(axis=1)
            answers = brancher.stand_ins(waiting, legal[rows], ranks)
            done.append(Branches(rows, answers, share, waiting.memories))
            sizes = np.where(is_entry, np.where(part < 0, outcomes, 2), 0)
            more = [(rows[:0], tapes[:0], outcome_counts[:0])]
            for time in range(int(entry_counts.max(initial=0))):
                for value in range(1, int(sizes[:, time].max(initial=0))):
                    some = np.flatnonzero((time >= outcome_counts) & (value < sizes[:, time]))
                    fixed = _fix_outcome(tapes[some], time, value)
                    more.append((rows[some], fixed, np.full(len(some), time + 1)))
            rows, tapes, outcome_counts = map(np.concatenate, zip(*more, strict=True))
        self.stepper.field(positions.memory, READ)[:] = read_masks
        return join_branches(done)

    def _entries(self, memories: Numbers, tapes: Numbers) -> Numbers:
        """Return a seat's entries at the table, int64 (n, numbers)."""
        entries = np.zeros((len(memories), self.stepper.entry), np.int64)
        entries[:, abi.MEMORY : self._tape - 1] = memories
        self._luck(entries)[..., 0] = tapes
        return entries

    def _luck(self, entries: Numbers) -> Numbers:
        """Return the luck in entries, int64 (n, times, parts); writing there changes these."""
        return entries[:, self._tape :].reshape(len(entries), abi.TAPE, abi.TAPE_PARTS)

    def _check(self, entries: Numbers) -> None:
        if (entries[:, self._tape - 1] > abi.TAPE).any():
            text = "strategy '{name}' needs luck more than {tape} times for an answer"
            raise BadUsage(say(text, name=self.name, tape=abi.TAPE))
        fault = int(entries[:, abi.FAULT].max(initial=0))
        if fault:
            mistake = self.stepper.code.whole.mistakes[fault - 1]
            text = "strategy '{name}' fails at {span}: {message}"
            raise BadUsage(say(text, name=self.name, span=mistake.span, message=mistake.message))


def _fix_outcome(tapes: Numbers, time: int, outcome: int) -> Numbers:
    """Return fixed outcomes with another one at this draw, and none after it."""
    new_tapes = tapes.copy()
    new_tapes[:, time], new_tapes[:, time + 1 :] = outcome, 0
    return new_tapes


def player_for(stepper: Stepper, name: str) -> UniformPlayer | ScriptPlayer:
    """Return the player for a policy of the program, or for `UNIFORM`."""
    if name != UNIFORM and name not in stepper.program.policies:
        raise ValueError(f"the program has no policy named {name}")
    return UniformPlayer() if name == UNIFORM else ScriptPlayer(stepper, name)
