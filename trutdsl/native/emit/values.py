"""Values: what is asked of whoever writes expressions, by those who write one kind of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from trutdsl.ir import nodes
from trutdsl.ir.analysis.cost import FEW
from trutdsl.ir.analysis.effects import slot_name
from trutdsl.native.emit.available_values import value_key
from trutdsl.native.emit.body import Body
from trutdsl.native.llvm.unit import Value, const

CHEAP = 24  # nodes that are rather worked out than stepped around
CHEAP_ONCE = 200  # such nodes of what is wanted in any case soon after


class Values(Body, ABC):
    """Writes values into the body of one rule or define."""

    cheap = CHEAP
    around: Value | None = None  # the seat from which all are looked at, if any
    in_rule = True  # and not in the function of a define

    @abstractmethod
    def value(self, node: nodes.Expression) -> Value:
        """Write the instructions for an expression and return its value."""

    @abstractmethod
    def call_function(self, define: nodes.Function, args: list[Value]) -> Value:
        """Return what the function of a define gives."""

    @abstractmethod
    def in_place(self, part: nodes.Function | nodes.Rule, args: list[Value]) -> Value:
        """Write a `define` or rule here, and return what it gives."""

    def worked_out(self, node: nodes.Expression) -> Value:
        """Return a value, worked out whole as it will be wanted again soon."""
        self.cheap = CHEAP_ONCE
        found = self.value(node)
        self.cheap = CHEAP
        return found

    def note_place(self, slot: int, zone: nodes.ZoneCards) -> None:
        """Note that the card in a slot lies in a zone."""
        name = slot_name(slot, self.frame)
        card = self.memo.find(frozenset({name}))
        if card is not None:
            key = ("lies", zone.name, *value_key(self.place_of(zone)), *value_key(card))
            self.memo.keep(key, True, frozenset({zone.name, name}))

    def lies_in(self, card: Value, zone: str, at: Value) -> bool:
        """Tell whether a card is known to lie in a zone."""
        return bool(self.memo.find(("lies", zone, *value_key(at), *value_key(card))))

    def place_of(self, node: nodes.ZoneCards) -> Value:
        """Return which place of a zone is meant."""
        return const(0) if node.index is None else self.value(node.index)

    @contextmanager
    def going_round(self, start: Value) -> Iterator[None]:
        """Look at the seats from this one on meanwhile, wherever all are looked at."""
        before, self.around = self.around, start
        yield
        self.around = before

    def guarded(self, wanted: Value, guard: Value | None, node: nodes.Expression) -> Value:
        """Return a value that is of use only if it is wanted, and so is what it is a part of."""
        before = self.guard
        self.guard = wanted if guard is None else self.b.and_(guard, wanted)
        value = self.value(node)
        self.guard = before
        return value

    def is_safe(self, node: nodes.Node) -> bool:
        """Tell whether a part of a rule cannot run into a mistake, and needs no counting."""
        return not self.unit.effects.can_fail(node) and self.unit.work.of(node) <= FEW
