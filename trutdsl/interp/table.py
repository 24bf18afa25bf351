"""The table of a match: its cards and variables, operations on cards, and audiences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from trutdsl.diagnostics import Span
from trutdsl.ir import Program, nodes
from trutdsl.ir.types import VARIABLES
from trutdsl.language import say, say_count
from trutdsl.table.chance import Chance, Draw
from trutdsl.table.faults import RuleError, describe_state, rule_error
from trutdsl.table.match import Event, Match, SightValues
from trutdsl.table.setting import Setting
from trutdsl.table.sight import HIDDEN, number_of, sees, variables_of


class Pile:
    """The cards of one zone.

    ordered: whether the zone is a pile; otherwise its cards have no order and are kept ascending.
    groups:  from the lowest card up; each is one card, or several in unknown order, ascending.
             Chance selects a card of a group when it is drawn.
    """

    __slots__ = ("groups", "ordered")

    def __init__(self, ordered: bool, groups: list[list[int]] | None = None) -> None:
        self.ordered = ordered
        self.groups = groups or []

    def __len__(self) -> int:
        return sum(map(len, self.groups))

    def cards(self) -> list[int]:
        """Return all cards from the lowest up; those in unknown order ascending."""
        return [card for group in self.groups for card in group]

    def is_settled(self) -> bool:
        return all(len(group) == 1 for group in self.groups)

    def end(self, top: bool) -> int | None:
        """Return the top (or bottom) card, or None if it is unknown; there must be one.

        A group without order has a top card only if it is a single card.
        """
        if not self.ordered and len(self.groups) > 1:
            return None
        group = self.groups[-1 if top else 0]
        return group[0] if len(group) == 1 else None

    def shuffle(self) -> None:
        cards = sorted(self.cards())
        self.groups = [cards] if cards else []

    def draw(self, chance: Chance, draw: Draw) -> int:
        """Take the top card, which must exist; chance selects it, or is told of a certain one."""
        group = self.groups[-1]
        card = chance.card(group, draw)
        group.remove(card)
        if not group:
            self.groups.pop()
        return card

    def put(self, groups: list[list[int]], under: bool) -> None:
        """Lay groups on top, the last of them uppermost, or under all others, the first lowest."""
        if not self.ordered:
            self.groups = sorted([*self.groups, *([card] for group in groups for card in group)])
        elif under:
            self.groups[:0] = groups
        else:
            self.groups += groups

    def take(self, card: int) -> bool:
        for place, group in enumerate(self.groups):
            if card in group:
                group.remove(card)
                if not group:
                    del self.groups[place]
                return True
        return False

    def replace(self, card: int, other: int) -> bool:
        """Put another card in a card's place; return whether that card was there."""
        for group in self.groups:
            if card in group:
                group.remove(card)
                group.append(other)
                group.sort()
                if not self.ordered:
                    self.groups.sort()
                return True
        return False

    def exchange(self, card: int, other: int) -> None:
        """Exchange two of its cards; without an order nothing changes."""
        if self.ordered:
            partners = {card: other, other: card}
            self.groups = [sorted(partners.get(c, c) for c in group) for group in self.groups]

    def clear(self) -> list[list[int]]:
        groups, self.groups = self.groups, []
        return groups


def observe(match: Match, program: Program, setting: Setting, seat: int) -> SightValues:
    """Return the view of a seat, see `Sight`, read from the match place by place."""

    def may_see(declaration: nodes.Zone | nodes.Variable, at: int) -> bool:
        return sees(declaration, at, seat, setting) or seat in match.may_see(declaration.name, at)

    seen: list[object] = [match.deals - 1, match.values("dealer")[0], match.values("on_lead")[0]]
    for zone in program.zones.values():
        for at in range(setting.count(zone.index)):
            lying = match.cards(zone.name, at)
            cards = bytes(lying) if zone.ordered else sum(1 << card for card in lying)
            seen.append(cards if may_see(zone, at) else ~len(lying))
    for variable in variables_of(program):
        values = match.values(variable.name)
        seen += [number_of(v) if may_see(variable, at) else HIDDEN for at, v in enumerate(values)]
    return tuple(seen)


class TableState:
    """Zones with their cards, variables with their values, and revelations.

    emit_to:  receives every event as it happens, or None.
    headings: the rules in progress, outermost first.
    deals:    the number of begun deals.
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

    def cards(self, zone: str, at: int) -> list[int]:
        """Return the cards of a zone: of a pile from its lowest card up, else ascending."""
        return self.zones[zone][at].cards()

    def groups(self, zone: str, at: int) -> list[list[int]]:
        """Return the same in groups: several cards of a pile whose order nobody can know."""
        return [list(group) for group in self.zones[zone][at].groups]

    def values(self, variable: str) -> list[Any]:
        return self.variables[variable]

    def set_values(self, variable: str, values: Sequence[Any]) -> None:
        self.variables[variable] = list(values)

    def lay(self, card: int, zone: str | None, at: int = 0) -> None:
        """Move a card from its place to another one, or out of all zones."""
        for piles in self.zones.values():
            for pile in piles:
                pile.take(card)
        if zone is not None:
            self.zones[zone][at].put([[card]], False)

    def may_see(self, name: str, at: int) -> frozenset[int]:
        """Return the seats to which a zone or variable was revealed."""
        return frozenset(self.grants.get((name, at), ()))

    def counters(self) -> dict[str, list[int]]:
        variables = self.program.variables.values()
        return {v.name: list(self.variables[v.name]) for v in variables if v.counter}

    def swap(
        self, card: int, origin: str, at: int, other: int, target: str, index: int, span: Span
    ) -> None:
        one, two = self.zones[origin][at], self.zones[target][index]
        for moving_card, pile, name in ((card, one, origin), (other, two, target)):
            if moving_card not in pile.cards():
                raise self.no_such_card(moving_card, name, span)
        if one is two:
            one.exchange(card, other)
        else:
            one.replace(card, other)
            two.replace(other, card)
            self.report_passing(origin, at, target, index, [card])
            self.report_passing(target, index, origin, at, [other])

    def no_such_card(self, card: int, zone: str, span: Span) -> RuleError:
        text = self.setting.deck.texts[card]
        message = say("{card} does not lie in '{zone}'", card=text, zone=zone)
        return self.error("no-card", message, span, "elsewhere")

    def put(self, groups: list[list[int]], name: str, at: int, under: bool, span: Span) -> None:
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
        """Move all cards of a place to another one, in order or in reverse order."""
        pile = self.zones[origin][place]
        if pile is not self.zones[name][at]:
            self.make_sure_of_room(len(pile), name, at, span)
        groups = pile.clear()
        self.put(groups[::-1] if turned else groups, name, at, under, span)
        self.report_passing(
            origin, place, name, at, sorted(card for group in groups for card in group)
        )

    def make_sure_of_room(self, cards: int, name: str, at: int, span: Span) -> None:
        if len(self.zones[name][at]) + cards > self.capacity[name]:
            most = say_count(self.capacity[name], "{number} card", "{number} cards")
            message = say("'{where}' holds at most {most}", where=name, most=most)
            raise self.error("out-of-range", message, span, "no-room")

    def lay_out(self, name: str, cards: list[int], span: Span) -> None:
        """Put the initial cards of a zone into it."""
        for other, (pile, *_) in self.zones.items():
            if not set(cards).isdisjoint(pile.cards()):
                text = "'{name}' starts with cards that '{other}' starts with too"
                message = say(text, name=name, other=other)
                raise self.error("two-places", message, span)
        self.make_sure_of_room(len(cards), name, 0, span)
        self.zones[name][0] = Pile(self.program.zones[name].ordered, [[card] for card in cards])

    def grant(self, name: str, index: int, seats: Iterable[int]) -> None:
        """Let seats see a zone or variable until the deal ends."""
        self.grants.setdefault((name, index), set()).update(seats)

    def report_passing(self, origin: str, at: int, target: str, to: int, cards: list[int]) -> None:
        """Report cards that went between seats or teams, if some seats do not see them."""

    def emit_random(self, what: str, value: object) -> None:
        self.emit("random", what=what, value=value)

    def emit(self, event: str, **fields: object) -> None:
        if self.emit_to is not None:
            self.emit_to({"event": event, **fields})

    def error(self, code: str, message: str, span: Span, cure: str | None = None) -> RuleError:
        """Return the error for an impossible step of the rules, with the state."""
        place = self.headings[-1] if self.headings else None
        state = describe_state(self, self.program, self.setting)
        return rule_error(code, message, span, state, place, cure)
