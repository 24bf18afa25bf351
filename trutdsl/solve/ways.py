"""Ways through the rules of a deal: what happened on all ways to a place, or on any of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from trutdsl.diagnostics import Span

NOBODY, OWNER, ALL = range(3)  # who sees a zone at a table of two
SOME = ""  # an element of a variable that is not known


class Transfer(NamedTuple):
    """A transfer of cards between zones, whose number chance decides.

    decision: the block that is run if chance decides so; all its transfers between two zones are
    one. None: the block is left.
    """

    zones: frozenset[str]
    decision: Span | None


@dataclass(frozen=True)
class Way:
    """What the ways to a place have in common, or any of them.

    seen: the zones with cards that seats saw without an answer that names them. revealed: the zones
    and variables of which rules have revealed some place to some seat. public: the zones that rules
    have revealed to all seats in all ways. values: variables with a value that may come from
    chance, and which of their elements have one. once_seen: who has seen cards of a zone in this
    deal, here or elsewhere. new: the zones that got cards without an answer after the last
    question. changed: piles that have got cards that were seen, each with a zone that had got new
    cards before. transfers: those after the last question. read: the zones whose cards rules have
    read. hidden: a message on what was hidden first.
    """

    seen: frozenset[str] = frozenset()
    revealed: frozenset[str] = frozenset()
    public: frozenset[str] = frozenset()
    values: frozenset[tuple[str, str]] = frozenset()
    once_seen: frozenset[tuple[str, int]] = frozenset()
    new: frozenset[str] = frozenset()
    changed: frozenset[tuple[str, str]] = frozenset()
    transfers: frozenset[Transfer] = frozenset()
    read: frozenset[str] = frozenset()
    hidden: str | None = None

    def join(self, other: Way | None) -> Way:
        if other is None:
            return self
        return Way(
            self.seen | other.seen,
            self.revealed | other.revealed,
            self.public & other.public,
            self.values | other.values,
            self.once_seen | other.once_seen,
            self.new | other.new,
            self.changed | other.changed,
            self.transfers | other.transfers,
            self.read | other.read,
            self.hidden or other.hidden,
        )

    def hide(self, message: str) -> Way:
        """Return the way after something was hidden; message: says what, and where."""
        return replace(self, hidden=self.hidden or message)

    def at_end(self, running: Collection[Span]) -> Way:
        """Return the way at the end of a rule or of a turn; running: the blocks around it."""
        transfers = (
            one if one.decision in running else one._replace(decision=None)
            for one in self.transfers
        )
        return replace(self, transfers=frozenset(transfers))

    def at_question(self) -> Way:
        """Return the way at a question, where `Explorer` notes what the seats always see."""
        values = frozenset(value for value in self.values if value[0] in self.revealed)
        return replace(self, new=frozenset(), values=values, transfers=frozenset())

    def forget_elements(self, *names: str) -> Way:
        """Return a way on which these no longer say which elements of variables have values."""
        values = frozenset((name, SOME if one in names else one) for name, one in self.values)
        return replace(self, values=values)

    def who_once_saw(self, zone: str) -> int:
        """Return who may have seen a card that lies in this zone."""
        return max((who for name, who in self.once_seen if name == zone), default=NOBODY)

    def may_hide(self, new: Transfer) -> bool:
        """Tell whether sizes of zones may no longer tell all sizes before, after a new transfer.

        Transfers are the edges of a graph whose nodes are the zones. The number of cards in each
        transfer of a forest follows from the sizes, from the leaves inwards.
        """
        if new in self.transfers:
            return False
        first, *_ = new.zones
        reached, before = {first}, 0
        while len(reached) > before:
            before = len(reached)
            for one in self.transfers:
                if one.zones & reached:
                    reached |= one.zones
        return new.zones <= reached


def any_way(ways: Sequence[Way | None]) -> Way | None:
    result: Way | None = None
    for way in ways:
        result = result if way is None else way.join(result)
    return result
