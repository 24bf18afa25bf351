"""A match that is played again from its start, to be copied or to go on where chance is open.

A generator can neither be copied nor go on after an exception; what it was told before can be told
to a new one. That is slow, and plainly right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from inspect import GEN_RUNNING, getgeneratorstate
from typing import Any

from trutdsl.interp.machine import CompiledProgram, Machine
from trutdsl.table.chance import Chance, ChancePending, OpenChance
from trutdsl.table.match import Arrangement, ChanceNode, Event


class RepeatableMachine(Machine):
    """A match that remembers all that was done with it from outside.

    chance: an `OpenChance` makes it stop at a `ChanceNode` wherever chance is asked. Any other
    chance, and the arrangement, is copied as it is given, by `copy.deepcopy`.
    """

    def __init__(
        self,
        code: CompiledProgram,
        chance: Chance,
        emit_to: Callable[[Event], None] | None = None,
        arrangement: Arrangement | None = None,
    ) -> None:
        self._given = deepcopy((chance, arrangement))
        self._done: list[int | tuple[str, Sequence[Any]]] = []
        self._decided: list[int] = []
        self._events = self._told = 0
        super().__init__(code, chance, emit_to, arrangement)

    def begin(self) -> None:
        """Begin the match, from the start."""
        self._until_open(super().begin)

    def go_on(self, index: int) -> None:
        """Go on with the action or the outcome of this index, or with the next deal."""
        if isinstance(self.pending, ChanceNode):
            self._decided.append(index)
            self._play_again()
        else:
            self._done.append(index)
            self._until_open(lambda: Machine.go_on(self, index))

    def set_values(self, variable: str, values: Sequence[Any]) -> None:
        """Set a variable or counter; what an arrangement sets is set again by it."""
        if getgeneratorstate(self._play) != GEN_RUNNING:
            self._done.append((variable, values))
        super().set_values(variable, values)

    def emit(self, event: str, **fields: object) -> None:
        """Tell of something that happened, once."""
        self._events += 1
        if self._events > self._told:
            super().emit(event, **fields)

    def clone(self, emit_to: Callable[[Event], None] | None = None) -> RepeatableMachine:
        """Return a match that stands where this one does and plays on by itself."""
        twin = copy(self)
        twin.emit_to, twin._decided = emit_to, list(self._decided)
        twin._play_again()
        return twin

    def _play_again(self) -> None:
        """Do from the start what was done; tell only what was not told yet."""
        self._told, self._events = self._events, 0
        self.chance, self.arrangement = deepcopy(self._given)
        if isinstance(self.chance, OpenChance):
            self.chance.decided = list(self._decided)
        done, self._done = self._done, []
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
