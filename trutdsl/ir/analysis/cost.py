"""Cost bounds: how much rules can have to do at one place, so that what has no end is stopped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from math import comb

from trutdsl.ir import nodes
from trutdsl.ir.bounds import MOST_ACTIONS
from trutdsl.ir.intervals import hand_sizes, most_hands
from trutdsl.ir.types import Among, Kind, Number, SetOf
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

    def __init__(self, program: nodes.Program, count: Callable[[Among | None], int]) -> None:
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
            if isinstance(node, nodes.Option):
                steps = self._of_option(node, all_of_it)
            else:
                below = 1
                for part in (*children(node), *self._inside(node)):
                    below += self._of(part, all_of_it)
                steps = min(MANY, self._turns(node) * below)
            if isinstance(node, Counted) and node.steps:
                steps = max(steps, FEW + 1)  # it is counted, however short a pass has made it
            if not all_of_it and isinstance(node, Counted) and self._of(node, True) > FEW:
                steps = 0
            self._known[key] = steps
        return self._known[key]

    def _of_option(self, node: nodes.Option, all_of_it: bool) -> int:
        """Return how many steps an option has: its block is done for one of its choices only."""
        steps, choices = 1 + self._of(node.body, all_of_it), 1
        for binder in node.binders:
            steps += choices * self._of(binder, all_of_it)
            choices = min(choices * self._elements(binder), MOST_ACTIONS)
        if node.condition is not None:
            steps += choices * self._of(node.condition, all_of_it)
        return min(steps, MANY)

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
        return 1

    def _elements(self, domain: nodes.Domain | nodes.Binder) -> int:
        kind = domain.items.type
        if isinstance(domain.items, nodes.Hands):
            hands, cards = domain.items, self.count(Kind.CARD)
            if hands.last is None:
                return min(MANY, max(1, most_hands(cards, hands.size.type)))
            sizes = hand_sizes(cards, hands.size.type, hands.last.type)
            return min(MANY, max(1, sum(comb(cards, size) for size in sizes)))
        if domain.last is None:
            return max(1, self.count(kind.kind)) if isinstance(kind, SetOf) else MANY
        last = domain.last.type
        if not isinstance(kind, Number) or not isinstance(last, Number):
            return MANY
        return max(1, last.high - kind.low + 1)


def _given_times(program: nodes.Program) -> Iterator[tuple[nodes.Repeat, int]]:
    """Yield the repetitions whose times their rule is given, and how many it is given at most."""
    named: list[nodes.Rule | nodes.Function] = [
        *program.rules.values(),
        *program.functions.values(),
    ]
    inside = [list(walk(one.body)) for one in named]
    given: dict[tuple[str, int], int] = {}
    for found in inside:
        bound = _bound_once(found)
        for node in found:
            if isinstance(node, nodes.Do | nodes.Call):
                name = node.rule if isinstance(node, nodes.Do) else node.function
                for slot, value in enumerate(node.args):
                    high = _most(value, bound, program)
                    given[name, slot] = max(high, given.get((name, slot), 0))
    for one, found in zip(named, inside, strict=True):
        stored = _stored(found)
        for node in found:
            if isinstance(node, nodes.Repeat) and isinstance(node.times, nodes.Local):
                slot = node.times.slot
                if slot < len(one.params) and slot not in stored:
                    yield node, given.get((one.name, slot), MANY)


def _most(
    value: nodes.Expression, bound: Mapping[int, nodes.Expression], program: nodes.Program
) -> int:
    """Return the greatest number that a value can be: also of what a rule returns.

    bound: what the names of its rule stand for, if that is one value only.
    """
    most = value.type.high if isinstance(value.type, Number) else MANY
    match value:
        case nodes.Local(_, _, slot) if slot in bound:
            most = min(most, _most(bound[slot], bound, program))
        case nodes.Do(_, _, name):
            found = list(walk(program.rules[name].body))
            its_own = _bound_once(found)
            returned = [n.value for n in found if isinstance(n, nodes.Return)]
            values = (_most(v, its_own, program) for v in returned if v is not None)
            most = min(most, max(values, default=MANY))
    return most


def _bound_once(found: list[nodes.Node]) -> dict[int, nodes.Expression]:
    """Return what each slot stands for that a single `let` binds and nothing changes later."""
    lets = [node for node in found if isinstance(node, nodes.Let)]
    often = Counter(node.slot for node in lets)
    stored = _stored(found)
    return {n.slot: n.value for n in lets if often[n.slot] == 1 and n.slot not in stored}


def _stored(found: list[nodes.Node]) -> set[int]:
    """Return the slots of which the value is changed."""
    return {
        n.target.slot
        for n in found
        if isinstance(n, nodes.Assign) and isinstance(n.target, nodes.Local)
    }
