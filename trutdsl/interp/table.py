"""A match's table: what lies and stands there, what rules do with cards, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from trutdsl.diagnostics import Diagnostic, Note, counted
from trutdsl.interp.pile import Pile
from trutdsl.ir import nodes
from trutdsl.ir.builtins import VARIABLES
from trutdsl.source import Span
from trutdsl.table.describe import describe_state
from trutdsl.table.errors import RuleError
from trutdsl.table.match import Event
from trutdsl.table.setting import Setting


class Table:
    """Zones with their cards, variables with their values, and who was shown which of them.

    emit_to:  gets every event as it happens, or None.
    headings: the rules that are being done, outermost first.
    deals:    how many have begun.
    """

    def __init__(
        self,
        program: nodes.Program,
        setting: Setting,
        capacity: Mapping[str, int],
        emit_to: Callable[[Event], None] | None,
    ) -> None:
        self.program, self.setting, self.capacity = program, setting, capacity
        self.emit_to = emit_to

    def clear(self) -> None:
        """Take everything off the table."""
        self.zones = {
            z.name: [Pile(z.ordered) for _ in range(self.setting.count(z.index))]
            for z in self.program.zones.values()
        }
        self.variables: dict[str, list[Any]] = {name: [0] for name in VARIABLES}
        for variable in self.program.variables.values():
            if variable.counter:
                self.variables[variable.name] = [0] * self.setting.count(variable.index)
        self.headings: list[str] = []
        self.deals = 0
        self.grants: dict[tuple[str, int], set[int]] = {}

    # -------------------------------------------------------- looked at from outside

    def cards(self, zone: str, at: int) -> list[int]:
        """Return the cards of a zone: of a pile from its lowest card up, else ascending."""
        return self.zones[zone][at].cards()

    def values(self, variable: str) -> list[Any]:
        """Return a variable's or counter's values."""
        return self.variables[variable]

    def set_values(self, variable: str, values: Sequence[Any]) -> None:
        """Set a variable or counter."""
        self.variables[variable] = list(values)

    def lay(self, card: int, zone: str, at: int) -> None:
        """Take a card from where it lies and lay it somewhere else."""
        for piles in self.zones.values():
            for pile in piles:
                pile.take(card)
        self.zones[zone][at].put([[card]], False)

    def may_see(self, name: str, at: int) -> frozenset[int]:
        """Return the seats to which a zone or variable was revealed."""
        return frozenset(self.grants.get((name, at), ()))

    def counters(self) -> dict[str, list[int]]:
        """Return every counter, a value for each team."""
        declared = self.program.variables.values()
        return {v.name: list(self.variables[v.name]) for v in declared if v.counter}

    # -------------------------------------------------------- what rules do

    def swap(
        self, card: int, origin: str, at: int, other: int, target: str, index: int, span: Span
    ) -> None:
        """Let two cards change places."""
        here, there = self.zones[origin][at], self.zones[target][index]
        for moved, pile, name in ((card, here, origin), (other, there, target)):
            if moved not in pile.cards():
                raise self.no_such_card(moved, name, span)
        if here is there:
            here.exchange(card, other)
        else:
            here.replace(card, other)
            there.replace(other, card)
            self.passed(origin, at, target, index, [card])
            self.passed(target, index, origin, at, [other])

    def no_such_card(self, card: int, zone: str, span: Span) -> RuleError:
        """Return the error for a card that is not where the rules look for it."""
        text = self.setting.deck.texts[card]
        return self.error("no-card", f"{text} does not lie in '{zone}'", span)

    def put(self, groups: list[list[int]], name: str, at: int, under: bool, span: Span) -> None:
        """Lay cards in a zone."""
        self.make_sure_of_room(sum(map(len, groups)), name, at, span)
        self.zones[name][at].put(groups, under)

    def pour(
        self,
        origin: str,
        place: int,
        name: str,
        at: int,
        span: Span,
        under: bool = False,
        turned: bool = False,
    ) -> None:
        """Lay all cards of a place in another one, in order or in reverse order."""
        pile = self.zones[origin][place]
        if pile is not self.zones[name][at]:
            self.make_sure_of_room(len(pile), name, at, span)
        groups = pile.clear()
        self.put(groups[::-1] if turned else groups, name, at, under, span)
        self.passed(origin, place, name, at, sorted(card for group in groups for card in group))

    def make_sure_of_room(self, cards: int, name: str, at: int, span: Span) -> None:
        """Raise a mistake if so many cards more are too many for a zone."""
        if len(self.zones[name][at]) + cards > self.capacity[name]:
            most = counted(self.capacity[name], "card")
            raise self.error("out-of-range", f"'{name}' holds at most {most}", span)

    def lay_out(self, name: str, cards: list[int], span: Span) -> None:
        """Lay out what a zone starts with, which lies nowhere yet."""
        for other, (pile, *_) in self.zones.items():
            if not set(cards).isdisjoint(pile.cards()):
                message = f"'{name}' starts with cards that '{other}' starts with too"
                raise self.error("two-places", message, span)
        self.make_sure_of_room(len(cards), name, 0, span)
        self.zones[name][0] = Pile(self.program.zones[name].ordered, cards)

    def grant(self, name: str, index: int, seats: Iterable[int]) -> None:
        """Let seats see a zone or variable until the deal ends."""
        self.grants.setdefault((name, index), set()).update(seats)

    # -------------------------------------------------------- what is told

    def passed(self, origin: str, at: int, target: str, to: int, cards: list[int]) -> None:
        """Tell of cards that went from one seat or team to another, where not all see that."""

    def emit_random(self, what: str, value: object) -> None:
        """Tell of dice and other chance."""
        self.emit("random", what=what, value=value)

    def emit(self, event: str, **fields: object) -> None:
        """Tell of something that happened."""
        if self.emit_to is not None:
            self.emit_to({"event": event, **fields})

    def error(self, code: str, message: str, span: Span) -> RuleError:
        """Return the error for rules that led to something impossible, with the state."""
        place = self.headings[-1] if self.headings else None
        note = Note("when " + describe_state(self, self.program, self.setting))
        return RuleError(Diagnostic(code, message, span, (note,), None, place))
