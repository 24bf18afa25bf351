"""Matches that repeat their play from the start, for copies and open chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from inspect import GEN_RUNNING, getgeneratorstate
from typing import Any

from trutdsl.interp.machine import CompiledProgram, Machine
from trutdsl.table.chance import Chance, ChancePending, OpenChance
from trutdsl.table.match import Arrangement, ChanceNode, Event

# A generator cannot be copied, and cannot continue after an exception. So a new one repeats all
# answers of the old one. That is slow, but simple.


class RepeatableMachine(Machine):
    """A match that records all calls from outside.

    chance: an `OpenChance` makes it stop at a `ChanceNode` at each chance event. Other chance and
    the arrangement are copied by `copy.deepcopy`.
    """

    def __init__(
        self,
        code: CompiledProgram,
        chance: Chance,
        emit_to: Callable[[Event], None] | None = None,
        arrangement: Arrangement | None = None,
    ) -> None:
        self._start = deepcopy((chance, arrangement))
        self._steps: list[int | tuple[str, Sequence[Any]]] = []
        self._outcomes: list[int] = []
        self._events = self._known_events = 0
        super().__init__(code, chance, emit_to, arrangement)

    def begin(self) -> None:
        self._until_open(super().begin)

    def go_on(self, index: int) -> None:
        """Continue with the action or the outcome of this index, or with the next deal."""
        if isinstance(self.pending, ChanceNode):
            self._outcomes.append(index)
            self._play_again()
        else:
            self._steps.append(index)
            self._until_open(lambda: Machine.go_on(self, index))

    def set_values(self, variable: str, values: Sequence[Any]) -> None:
        """Set a variable or counter; an arrangement repeats its own changes."""
        if getgeneratorstate(self._play) != GEN_RUNNING:
            self._steps.append((variable, values))
        super().set_values(variable, values)

    def emit(self, event: str, **fields: object) -> None:
        """Report an event once."""
        self._events += 1
        if self._events > self._known_events:
            super().emit(event, **fields)

    def clone(self, emit_to: Callable[[Event], None] | None = None) -> RepeatableMachine:
        """Return an independent copy of the match at the same position."""
        twin = copy(self)
        twin.emit_to, twin._outcomes = emit_to, list(self._outcomes)
        twin._play_again()
        return twin

    def _play_again(self) -> None:
        """Repeat all calls from the start; report only new events."""
        self._known_events, self._events = self._events, 0
        self.chance, self.arrangement = deepcopy(self._start)
        if isinstance(self.chance, OpenChance):
            self.chance.outcomes = list(self._outcomes)
        done, self._steps = self._steps, []
        self.begin()
        for step in done:
            if isinstance(step, int):
                self.go_on(step)
            else:
                self.set_values(*step)

    def _until_open(self, play: Callable[[], None]) -> None:
        try:
            play()
        except ChancePending as stop:
            self.pending = stop.node
