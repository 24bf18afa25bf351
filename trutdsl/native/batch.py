"""Many matches side by side: each stands at its next question, all are answered at once."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trutdsl.ir.builtins import VARIABLES
from trutdsl.ir.types import Kind
from trutdsl.native.emit_steps import EVENTS, OVER
from trutdsl.native.engine import StepCode
from trutdsl.native.memory import Memory, mistake_in
from trutdsl.native.questions import POLICY_SIZE
from trutdsl.syntax.ast import Audience

Numbers = NDArray[np.int64]
Masks = NDArray[np.uint64]


@dataclass(frozen=True)
class Observation:
    """What the asked seats may know, one row for each match that waits; nothing hidden is in it.

    matches:   which matches these are, int64 (n,).
    seat:      who is asked, int64 (n,); decision: the question's number, int64 (n,).
    legal:     masks of the legal actions' numbers, uint64 (n, words).
    zones:     zone -> masks of cards, uint64: (n, places) where all may see it; (n, 1), the asked
               seat's own, where only the owner or the owner's team may.
    sizes:     zone -> how many cards lie there, int64 (n, places), of every zone.
    variables: variable or counter -> values, int64, shaped as zones; none is -1, a set its mask.
    """

    matches: Numbers
    seat: Numbers
    decision: Numbers
    legal: Masks
    zones: dict[str, Masks]
    sizes: dict[str, Numbers]
    variables: dict[str, Numbers]


class Batch:
    """Matches `first` to `first + count - 1` under a seed, played by whoever answers.

    winner, deals, decisions: int64 (count,); winner is -1 for a draw or while the match goes on.
    """

    def __init__(self, code: StepCode, seed: int, first: int, count: int) -> None:
        self.code, self.layout = code, code.unit.layout
        self.memory = np.zeros((count, code.size), np.uint8)
        width = POLICY_SIZE // 8 * code.setting.players + EVENTS
        self.tables = np.zeros((count, width), np.int64)
        self.why = np.zeros(count, np.int64)
        for i in range(count):
            code.start(self.memory[i].ctypes.data, self.tables[i].ctypes.data, seed, first + i)
        self._advance(np.arange(count, dtype=np.int64))

    @property
    def waiting(self) -> Numbers:
        """The indices of the matches that are not over."""
        return np.flatnonzero(self.why != OVER).astype(np.int64)

    @property
    def winner(self) -> Numbers:
        """The team that has won each match."""
        return self._field("#winner", slice(None))[:, 0]

    @property
    def deals(self) -> Numbers:
        """How many deals have begun in each match."""
        return self._field("#deals", slice(None))[:, 0]

    @property
    def decisions(self) -> Numbers:
        """How many questions were answered in each match."""
        return self._field("#decisions", slice(None))[:, 0]

    def observe(self) -> Observation:
        """Return what the seats that are now asked may know."""
        rows = self.waiting
        seat = self._field("#seat", rows)[:, 0]
        zones: dict[str, Any] = {}
        sizes: dict[str, Numbers] = {}
        variables: dict[str, Any] = {}
        for zone in self.code.program.zones.values():
            name = f"{zone.name}.all" if zone.ordered else zone.name
            masks = self._field(name, rows).view(np.uint64)
            sizes[zone.name] = np.bitwise_count(masks).astype(np.int64)
            seen = self._seen(masks, zone.audience, zone.index, seat)
            if seen is not None:
                zones[zone.name] = seen
        for variable in self.code.program.variables.values():
            values = self._field(variable.name, rows)
            seen = self._seen(values, variable.audience, variable.index, seat)
            if seen is not None:
                variables[variable.name] = seen
        for name in VARIABLES:
            variables[name] = self._field(name, rows)
        legal = self._field("#legal", rows).view(np.uint64)
        decision = self._field("#decision", rows)[:, 0]
        return Observation(rows, seat, decision, legal, zones, sizes, variables)

    def answer(self, actions: Numbers) -> None:
        """Answer every waiting match with the number of a legal action, int64 in its order.

        Raises ValueError for one that is not legal, and `RuleError` where rules fail.
        """
        rows = self.waiting
        actions = np.asarray(actions, np.int64)
        if actions.shape != rows.shape:
            raise ValueError(f"{len(rows)} matches wait for an action each, not {actions.shape}")
        legal = self._field("#legal", rows).view(np.uint64)
        inside = (actions >= 0) & (actions < 64 * legal.shape[1])
        word = np.where(inside, actions // 64, 0)
        bit = np.where(inside, actions % 64, 0).astype(np.uint64)
        held = (legal[np.arange(len(rows)), word] >> bit) & np.uint64(1)
        if not bool((inside & (held == 1)).all()):
            raise ValueError("an action is not legal")
        field = self.layout.fields["#answer"]
        at = slice(field.offset, field.offset + field.size)
        self.memory[rows, at] = actions.astype("<i8").view(np.uint8).reshape(len(rows), 8)
        self._advance(rows)

    def _advance(self, rows: Numbers) -> None:
        rows = np.ascontiguousarray(rows)
        self.code.advance_many(
            self.memory.ctypes.data, self.tables.ctypes.data, self.memory.shape[1],
            8 * self.tables.shape[1], rows.ctypes.data, len(rows), self.why.ctypes.data,
        )  # fmt: skip
        errors = self._field("#error", rows)[:, 0]
        if errors.any():
            row = int(rows[int(np.flatnonzero(errors)[0])])
            memory = (ctypes.c_uint8 * self.code.size).from_buffer(self.memory[row])
            match = Memory(memory, self.code.unit, self.code.program, self.code.setting)
            raise mistake_in(match, self.code.whole.mistakes)

    def _field(self, name: str, rows: Numbers | slice) -> Numbers:
        """Return a field of these matches, a column for each place."""
        field = self.layout.fields[name]
        end = field.offset + field.size * field.count
        kind = f"<{'i' if field.signed else 'u'}{field.size}"
        raw = np.ascontiguousarray(self.memory[rows, field.offset : end]).view(kind)
        return raw if field.bits == 64 else raw.astype(np.int64)

    def _seen(
        self, values: NDArray[Any], audience: Audience, index: Kind | None, seat: Numbers
    ) -> NDArray[Any] | None:
        """Return what the asked seats may see of a zone or variable, None if nothing."""
        if audience is Audience.ALL:
            return values
        if audience is Audience.NOBODY or index is None:
            return None
        own = seat if index is Kind.SEAT else seat % self.code.setting.teams
        return values[np.arange(len(seat)), own][:, None]
