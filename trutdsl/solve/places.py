"""Facts that may hold at a place in the rules, such as which piles lie in the order of the pack.

`Knowledge` has the facts that may hold on some path to a place. It is a set of worlds. In each
world certain yes/no variables have known values, and some facts may hold. An impossible fact makes
classes of cards smaller, but no result wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from trutdsl.ir import nodes
from trutdsl.ir.nodes import Program, walk
from trutdsl.ir.types import CARDS, Element, Kind, YesNo

MOST_FLAGS = 4


@dataclass(frozen=True)
class InPackOrder:
    """Cards of this pile may lie in the order of the pack."""

    pile: str


@dataclass(frozen=True)
class Refers:
    """A name or variable may stand for a card in this zone."""

    name: str
    zone: str


Fact = InPackOrder | Refers
Facts = frozenset[Fact]
Flags = frozenset[tuple[str, bool]]


class Knowledge(frozenset[tuple[Flags, Facts]]):
    """Worlds, perhaps none: known values of some variables, and the facts that may hold then."""

    def facts(self) -> Facts:
        """Return the facts that may hold in any world."""
        return frozenset[Fact]().union(*(facts for _, facts in self))

    def changed(self, change: Callable[[Facts], Iterable[Fact]]) -> Knowledge:
        """Return the state with the facts of each world changed."""
        return _state((flags, frozenset(change(facts))) for flags, facts in self)

    def plus(self, facts: Iterable[Fact]) -> Knowledge:
        """Return the state with more facts."""
        more = frozenset(facts)
        return self.changed(lambda old: old | more) if more else self

    def without(self, names: Iterable[str]) -> Knowledge:
        """Return the state without the references of these names."""
        gone = frozenset(names)
        return self.changed(
            lambda old: (f for f in old if not (isinstance(f, Refers) and f.name in gone))
        )

    def where(self, name: str, value: bool) -> Knowledge:
        """Return the worlds in which a variable may have this value."""
        return Knowledge((flags, facts) for flags, facts in self if (name, not value) not in flags)

    def setting(self, name: str, value: bool) -> Knowledge:
        """Return the state after a variable is set."""
        return _state(
            (frozenset({f for f in flags if f[0] != name} | {(name, value)}), facts)
            for flags, facts in self
        )

    def join(self, other: Knowledge) -> Knowledge:
        """Return the facts that may hold if either state is reached."""
        return self if self == other else _state([*self, *other])


def _state(worlds: Iterable[tuple[Flags, Facts]]) -> Knowledge:
    found: dict[Flags, Facts] = {}
    for flags, facts in worlds:
        found[flags] = found.get(flags, frozenset()) | facts
    return Knowledge(found.items())


NOWHERE = Knowledge()  # nothing comes here


def find_flags(program: Program) -> dict[str, bool]:
    """Return the variables of the match that rules test and set to constants, as they start."""
    tested = {_flag_of(test) for rule in program.rules.values() for test in _tests(rule.body)}
    found = {
        name: bool(one.initial.value)
        for name, one in program.variables.items()
        if name in tested and isinstance(one.type, YesNo) and one.lifetime == "match"
        and isinstance(one.initial, nodes.Const)
    }  # fmt: skip
    for rule in program.rules.values():
        for node in walk(rule.body):
            if (
                isinstance(node, nodes.Assign)
                and isinstance(node.target, nodes.Var)
                and not isinstance(node.value, nodes.Const)
            ):
                found.pop(node.target.name, None)
    return found if len(found) <= MOST_FLAGS else {}


def _tests(body: nodes.Block) -> Iterable[nodes.Expression]:
    return (test for node in walk(body) if isinstance(node, nodes.If) for test, _ in node.branches)


def _flag_of(test: nodes.Expression) -> str | None:
    inner = test.value if isinstance(test, nodes.Not) else test
    return inner.name if isinstance(inner, nodes.Var) and inner.index is None else None


def assume(state: Knowledge, test: nodes.Expression, holds: bool) -> Knowledge:
    """Return the worlds in which a test may hold, or may not."""
    name = _flag_of(test)
    return state if name is None else state.where(name, holds != isinstance(test, nodes.Not))


def moved(state: Knowledge, origin: str, target: str) -> Knowledge:
    """Return the state after some card of one zone may have come to another."""

    def change(facts: Facts) -> Iterable[Fact]:
        more = {Refers(f.name, target) for f in facts if isinstance(f, Refers) and f.zone == origin}
        return facts | more

    return state.changed(change)


def holds_cards(node: nodes.Expression | nodes.Variable | nodes.Memory) -> bool:
    """Tell whether this is a card or a set of cards."""
    type_ = node.type
    return type_ == CARDS or (isinstance(type_, Element) and type_.kind is Kind.CARD)


def bound_slots(node: nodes.Node) -> frozenset[int]:
    """Return the slots that a statement binds, in its blocks too."""
    binding = nodes.Let, nodes.For, nodes.Binder, nodes.Draw
    slots = (one.slot for one in walk(node) if isinstance(one, binding))
    return frozenset(slot for slot in slots if slot is not None)
