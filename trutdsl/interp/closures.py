"""Closures of a program: what its expressions and sentences become for the machine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from trutdsl.ir import nodes
from trutdsl.ir.effects import CountedNode
from trutdsl.table.match import Route
from trutdsl.table.setting import Setting

if TYPE_CHECKING:
    from trutdsl.interp.machine import Machine


class Leave(Enum):
    """The exits: from a loop, its turn, a question's answer, the trick, the deal, the match."""

    STOP = 1
    NEXT = 2
    AGAIN = 3
    END_TRICK = 4
    END_DEAL = 5
    END_MATCH = 6


@dataclass(frozen=True)
class ReturnSignal:
    """The exit from a rule or function, with its value."""

    value: Any


Signal = Leave | ReturnSignal | None

Slots = list[Any]
Talk = Generator[Any, Any, Any]


@dataclass(frozen=True)
class CompiledStatement:
    """A statement as a function; if it `asks`, that is a generator that returns the signal."""

    asks: bool
    run: Callable[[Machine, Slots], Any]


Evaluate = Callable[["Machine", Slots], Any]


class CompiledProgram(ABC):
    """A program compiled for one setting.

    cost:     returns the steps to count for one turn or use of a long part.
    bounds:   the range of each variable. capacity: the greatest number of cards in each zone.
    routes:   the pairs of zones between which passed cards are reported.
    initial:  the start values of variables. contents: the cards in zones at the start.
    """

    program: nodes.Program
    setting: Setting
    cost: Callable[[CountedNode], int]
    questions: dict[int, int]
    bounds: dict[str, tuple[int, int]]
    capacity: dict[str, int]
    initial: dict[str, Evaluate]
    contents: dict[str, Evaluate]
    routes: frozenset[Route]
    main: CompiledStatement

    @abstractmethod
    def value(self, node: nodes.Expression) -> Evaluate:
        """Return the function that evaluates an expression; expressions call it for their parts."""

    def place(self, node: nodes.ZoneCards) -> Evaluate:
        """Return the function for the place of a zone; a shared zone has place 0."""
        return (lambda _m, _f: 0) if node.index is None else self.value(node.index)

    @abstractmethod
    def rule(self, name: str) -> CompiledStatement:
        """Return the compiled rule; its arguments fill the first slots of its frame."""

    def observe_test(
        self, _node: nodes.If, _test: nodes.Expression, evaluate: Evaluate
    ) -> Evaluate:
        """Return the test of an `if`; subclasses that record its result override this."""
        return evaluate

    @abstractmethod
    def function(self, name: str) -> Evaluate:
        """Return the function of a `define`."""

    @abstractmethod
    def compile_ask(self, node: nodes.Ask) -> CompiledStatement:
        """Compile a question."""

    # Only the code of a policy implements these, see `interp.policy`.

    def policy_value(self, node: nodes.Legal | nodes.LegalAt | nodes.Remembered) -> Evaluate:
        raise AssertionError(f"{type(node).__name__} stands outside of a policy")

    def in_sight(self, node: nodes.Builtin) -> Evaluate:
        """Return the cards of a zone that the seat of a policy sees."""
        raise AssertionError(f"'{node.name}' stands outside of a policy")

    def take(self, node: nodes.Take | nodes.TakeAny) -> CompiledStatement:
        """Compile the answer of a policy."""
        raise AssertionError(f"{type(node).__name__} stands outside of a policy")

    def memory_store(
        self, target: nodes.Remembered, op: str
    ) -> Callable[[Machine, Slots, Any], Signal]:
        raise AssertionError(f"'{target.name}' {op} stands outside of a policy")
