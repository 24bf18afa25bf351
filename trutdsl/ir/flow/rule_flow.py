"""The rule that is followed: how it is left, and what the flow of its sentences asks for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, field

from trutdsl.ir import nodes
from trutdsl.ir.analysis.effects import Effects
from trutdsl.ir.flow.expressions import Values
from trutdsl.ir.flow.labels import NO_CONTROL, NO_MOVEMENT, Control, Label, Movement
from trutdsl.ir.flow.report import NAMES, Leaks
from trutdsl.ir.flow.state import Binding, Env
from trutdsl.source import Span

DEEPEST = 6  # each may be followed several times for each time that those around it are


@dataclass
class Frame:
    """A rule that is being looked at.

    jumps:  what is left early (the rule, a loop's turn, ...) -> the ways that leave it.
    blocks: for each deal and trick around, the ways that may end it.
    movement: where cards were moved, whichever way led there.
    """

    result: list[Binding] = field(default_factory=list)
    jumps: dict[Hashable, list[Env]] = field(default_factory=dict)
    loops: list[int] = field(default_factory=list)
    asks: list[int] = field(default_factory=list)
    blocks: list[list[Env]] = field(default_factory=list)
    movement: Movement = NO_MOVEMENT

    @property
    def depth(self) -> int:
        """How many loops and questions are around the present sentence."""
        return len(self.loops) + len(self.asks)


class RuleFlow(ABC):
    """Follows the sentences of one rule after the other.

    effects: what rules look at and change.
    frame:   the rule that is being looked at.
    control: what decides whether the present sentence is done.
    """

    def __init__(
        self, program: nodes.Program, values: Values, leaks: Leaks, effects: Effects
    ) -> None:
        self.program, self.values, self.leaks = program, values, leaks
        self.atoms, self.effects = values.atoms, effects
        self.frame = Frame()
        self.control: Control = NO_CONTROL

    @abstractmethod
    def follow(self, node: nodes.Statement | nodes.Block, env: Env, pc: Control) -> None:
        """Follow a sentence; `pc` is what decides that it is come to, besides `env.taints`."""

    def move(self, movement: Movement, env: Env) -> None:
        """Note that cards have moved."""
        self.frame.movement |= movement
        env.move(movement)

    def leave(self, what: Hashable, env: Env) -> None:
        """Follow the way that leaves a loop, a question or the rule early."""
        env.taint(what, self.control)
        self.frame.jumps.setdefault(what, []).append(env.copy())
        env.dead = True

    def leak(
        self,
        why: str,
        span: Span,
        secrets: Label | Control,
        value: nodes.Expression | None = None,
    ) -> None:
        """Report secrets that are shown by what all, or those named, notice.

        value: what the secrets are from that do not decide whether this is done.
        """
        message = f"this rests on {NAMES}, which not all may see, but {why}"
        self.leaks.error("leak", message, span, secrets, self.control, value=value)
