"""How much the rules can have to do at one place, so that what comes to no end can be stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trutdsl.ir import nodes
from trutdsl.ir.bounds import MOST_ACTIONS
from trutdsl.ir.types import Kind, Number, SetOf
from trutdsl.ir.walk import children, walk

FEW = 100_000  # steps that need no counting
MANY = 10**18
Counted = nodes.For | nodes.Quantifier | nodes.Repeat | nodes.Call | nodes.Do
MOST_COST = 10**6  # of one turn


class Work:
    """Bounds of the steps that rules take, for a table with so many of each kind.

    A step is one node that is worked out. A loop, a use of a `define` and a rule that is done are
    long if all their steps can be more than `FEW`. Engines count at each turn or use of what is
    long how many steps it has at most, what is long within it left aside: so whatever rules do is
    stopped in time, and what is short costs nothing.
    """

    def __init__(self, program: nodes.Program, count: Callable[[Kind | None], int]) -> None:
        self.program, self.count = program, count
        self._known: dict[tuple[int, bool], int] = {}
        self._times = {id(node): most for node, most in _given_times(program)}

    def cost(self, node: Counted) -> int:
        """Return how many steps to count for one turn or use; 0 if all together are few."""
        if node.steps is not None:
            return node.steps
        if self._of(node, True) <= FEW:
            return 0
        steps = 1 + sum(self._of(part, False) for part in (*children(node), *self._inside(node)))
        return min(steps, MOST_COST)

    def of(self, node: nodes.Node) -> int:
        """Return how many steps a node has at most, up to `MANY`."""
        return self._of(node, True)

    def _of(self, node: nodes.Node, all_of_it: bool) -> int:
        """Return how many steps a node has at most, up to `MANY`, with or without what is long."""
        key = id(node), all_of_it
        if key not in self._known:
            below = 1 + sum(
                self._of(part, all_of_it) for part in (*children(node), *self._inside(node))
            )
            steps = min(MANY, self._turns(node) * below)
            if isinstance(node, Counted) and node.steps:
                steps = max(steps, FEW + 1)  # it is counted, however short a pass has made it
            if not all_of_it and isinstance(node, Counted) and self._of(node, True) > FEW:
                steps = 0
            self._known[key] = steps
        return self._known[key]

    def _inside(self, node: nodes.Node) -> tuple[nodes.Node, ...]:
        """Return what a node leads to elsewhere."""
        match node:
            case nodes.Call(_, _, name):
                return (self.program.functions[name].body,)
            case nodes.Do(_, _, name):
                return (self.program.rules[name].body,)
        return ()

    def _turns(self, node: nodes.Node) -> int:
        match node:
            case nodes.For(_, _, domain) | nodes.Quantifier(_, _, _, _, domain):
                return self._elements(domain)
            case nodes.Repeat(_, times):
                most = times.type.high if isinstance(times.type, Number) else MANY
                return max(1, min(most, self._times.get(id(node), MANY)))
            case nodes.Option(_, _, binders):
                turns = 1
                for binder in binders:
                    turns *= self._elements(binder)
                return min(turns, MOST_ACTIONS)
        return 1

    def _elements(self, domain: nodes.Domain | nodes.Binder) -> int:
        kind = domain.items.type
        if domain.last is None:
            return max(1, self.count(kind.kind)) if isinstance(kind, SetOf) else MANY
        last = domain.last.type
        if not isinstance(kind, Number) or not isinstance(last, Number):
            return MANY
        return max(1, last.high - kind.low + 1)


def _given_times(program: nodes.Program) -> Iterator[tuple[nodes.Repeat, int]]:
    """Yield the repetitions whose times their rule is given, and how many it is given at most."""
    named: list[tuple[str, nodes.Rule | nodes.Function]] = [
        *program.rules.items(),
        *program.functions.items(),
    ]
    inside = {name: list(walk(one.body)) for name, one in named}
    given: dict[tuple[str, int], int] = {}
    for node in (n for found in inside.values() for n in found):
        if isinstance(node, nodes.Do | nodes.Call):
            name = node.rule if isinstance(node, nodes.Do) else node.function
            for slot, value in enumerate(node.args):
                high = value.type.high if isinstance(value.type, Number) else MANY
                given[name, slot] = max(high, given.get((name, slot), 0))
    for name, one in named:
        stored = {
            n.target.slot
            for n in inside[name]
            if isinstance(n, nodes.Assign) and isinstance(n.target, nodes.Local)
        }
        for node in inside[name]:
            if isinstance(node, nodes.Repeat) and isinstance(node.times, nodes.Local):
                slot = node.times.slot
                if slot < len(one.params) and slot not in stored:
                    yield node, given.get((name, slot), MANY)
