"""Facts that may hold at a place in the rules, such as which piles lie in the order of the pack.

A set of facts has those that may hold on some path to a place. It is empty if no path leads there.
An impossible fact makes classes of cards smaller, but no result wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trutdsl.ir import nodes
from trutdsl.ir.nodes import walk
from trutdsl.ir.types import CARDS, Element, Kind


@dataclass(frozen=True)
class Reached:
    """Some path leads here."""


@dataclass(frozen=True)
class InPackOrder:
    """Cards of this pile may lie in the order of the pack."""

    pile: str


@dataclass(frozen=True)
class Refers:
    """A name or variable may stand for a card in this zone."""

    name: str
    zone: str


Fact = Reached | InPackOrder | Refers
Facts = frozenset[Fact]
NOWHERE: Facts = frozenset()
START: Facts = frozenset([Reached()])


def forget(facts: Facts, names: Iterable[str]) -> Facts:
    """Return the facts without the references of these names."""
    gone = frozenset(names)
    return frozenset(f for f in facts if not (isinstance(f, Refers) and f.name in gone))


def moved(facts: Facts, origin: str, target: str) -> Facts:
    """Return the facts after some card of one zone may have come to another."""
    return facts | {
        Refers(f.name, target) for f in facts if isinstance(f, Refers) and f.zone == origin
    }


def holds_cards(node: nodes.Expression | nodes.Variable | nodes.Memory) -> bool:
    """Tell whether this is a card or a set of cards."""
    type_ = node.type
    return type_ == CARDS or (isinstance(type_, Element) and type_.kind is Kind.CARD)


def bound_slots(node: nodes.Node) -> frozenset[int]:
    """Return the slots that a statement binds, in its blocks too."""
    binding = nodes.Let, nodes.For, nodes.Binder, nodes.Draw
    slots = (one.slot for one in walk(node) if isinstance(one, binding))
    return frozenset(slot for slot in slots if slot is not None)
