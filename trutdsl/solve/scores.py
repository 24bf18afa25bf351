"""Scores: the state that lasts from deal to deal, read from positions and written into them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from trutdsl.diagnostics import BadUsage
from trutdsl.language import say
from trutdsl.native import abi
from trutdsl.solve.lasting import lasting_variables
from trutdsl.solve.positions import Masks, Numbers, Positions, Stepper

DEALER = "dealer"


class Score(NamedTuple):
    """The state that lasts from one deal to the next.

    start: the values of `ScoreCodec.start`, the dealer first. values: those of all lasting
    variables.
    """

    start: tuple[int, ...]
    values: tuple[int, ...]


class Outcome(NamedTuple):
    """The outcome of a deal: the next score, or the winner of the match (None for a draw)."""

    score: Score | None
    winner: int | None


class ScoreCodec:
    """Reads the scores of positions, and writes a score into them.

    start: the engine's fields that last from deal to deal. lasting: the variables that do; places:
    where each stands in `Score.values`.
    """

    def __init__(self, stepper: Stepper, start: Sequence[str], no_memories: Numbers) -> None:
        """no_memories: the memories of the seats before a deal, as `Positions.memories`."""
        self.stepper, self.start, self.no_memories = stepper, start, no_memories
        self.lasting = lasting_variables(stepper.program)
        sizes = [stepper.layout.fields[name].count for name in self.lasting]
        ends = accumulate(sizes)
        self.places = {
            name: slice(end - size, end)
            for name, size, end in zip(self.lasting, sizes, ends, strict=True)
        }

    def start_match(self, dealer: int) -> Positions:
        """Return the match before its first deal; dealer: the first one, if one is drawn."""
        stepper, position = self.stepper, self.stepper.start()
        while position.why[0] == abi.SETTLED:
            number = int(stepper.number(position.memory, "#luck_zone")[0])
            is_dealer = stepper.code.unit.setups[number] == DEALER
            if is_dealer:
                stepper.field(position.memory, DEALER)[:] = dealer
            stepper.step(position, np.array([int(is_dealer)]))
        if position.why[0] != abi.BEFORE_DEAL:
            raise settled_before()
        return position

    def begin(self, score: Score) -> Positions:
        """Return the match before a deal at this score."""
        position = self.start_match(score.start[0])
        position.memories = self.no_memories.copy()
        for name, value in zip(self.start, score.start, strict=True):
            self.stepper.field(position.memory, name)[:] = value
        self.set_values(position, score)
        return position

    def scores_of(self, positions: Positions) -> list[Score]:
        starts, values = self._starts(positions).tolist(), self.values_of(positions).tolist()
        return [Score(tuple(start), tuple(row)) for start, row in zip(starts, values, strict=True)]

    def _starts(self, positions: Positions) -> Numbers:
        columns = [self.stepper.values(positions.memory, name) for name in self.start]
        return np.concatenate(columns, axis=1)

    def values_of(self, positions: Positions) -> Numbers:
        """Return the values of all lasting variables, int64 (n, values)."""
        memory = positions.memory
        columns = [self.stepper.values(memory, name) for name in self.lasting]
        return np.concatenate([np.zeros((len(memory), 0), np.int64), *columns], axis=1)

    def marks_of(self, positions: Positions) -> Masks:
        """Return the score at which each position stands, as a row of words."""
        columns = [self._starts(positions), self.values_of(positions)]
        return np.ascontiguousarray(np.concatenate(columns, axis=1)).view(np.uint64)

    def set_values(self, positions: Positions, score: Score) -> None:
        """Set the lasting variables of positions to those of a score."""
        for name, place in self.places.items():
            self.stepper.field(positions.memory, name)[:] = np.array(score.values[place], np.int64)

    def outcomes_of(self, ends: Positions) -> tuple[list[Outcome], Numbers]:
        """Return the outcomes of ended deals, and the number of each deal's outcome."""
        over, width = ends.why == abi.OVER, 1 + len(self.start)
        starts, values = self._starts(ends), self.values_of(ends)
        winner = self.stepper.number(ends.memory, "#winner")
        starts[over], values[over] = winner[over, None], 0
        columns = np.concatenate([over[:, None], starts, values], axis=1)
        unique, numbers = np.unique(columns, axis=0, return_inverse=True)
        outcomes = [
            Outcome(None, row[1] if row[1] >= 0 else None)
            if row[0]
            else Outcome(Score(tuple(row[1:width]), tuple(row[width:])), None)
            for row in unique.tolist()
        ]
        return outcomes, numbers.ravel().astype(np.int64)


def settled_before() -> BadUsage:
    """Return the refusal of a game that settles more than a first dealer before the first deal."""
    text = (
        "something is decided before the first deal of this game; only `setup dealer:` may draw the"
        " first dealer"
    )
    return BadUsage(say(text))
