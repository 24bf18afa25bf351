"""Cards that go from one seat or team to another: what is told of them, and to whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from trutdsl.ir import Program, nodes
from trutdsl.ir.types import Kind
from trutdsl.ir.walk import walk
from trutdsl.syntax.ast import Audience
from trutdsl.table.match import Event
from trutdsl.table.questions import PassedCards
from trutdsl.table.setting import Setting


class Route(NamedTuple):
    """From which zone cards go to which; both have a place for each seat, or for each team."""

    origin: str
    target: str


class Passage(NamedTuple):
    """Cards that went to a place of a zone: of which seat or team, and whether it is seen which."""

    zone: str
    to: int
    seen: bool


def passages_of(routes: Iterable[Route], program: Program, setting: Setting) -> list[Passage]:
    """Return all that can be told of cards that pass: zone by zone, place by place, seen first."""
    zones = dict.fromkeys(route.target for route in routes)
    return [
        Passage(zone, to, seen)
        for zone in zones
        for to in range(setting.count(program.zones[zone].index))
        for seen in (True, False)
    ]


def routes_of(program: Program) -> list[Route]:
    """Return between which zones rules pass cards that not all see, in the order of their text."""
    everywhere = (node for rule in program.rules.values() for node in walk(rule.body))
    found = dict.fromkeys(route for node in everywhere for route in _routes(node))
    return [route for route in found if _is_told(program, route)]


def _routes(node: nodes.Node) -> Iterator[Route]:
    match node:
        case nodes.Move(_, _, origin, target) | nodes.MoveAll(_, origin, target):
            yield Route(origin.name, target.name)
        case nodes.Swap(_, _, origin, _, target):
            yield Route(origin.name, target.name)
            yield Route(target.name, origin.name)
        case nodes.Gather(_, names, _, target):
            for name in names:
                yield Route(name, target.name)


def _is_told(program: Program, route: Route) -> bool:
    origin, target = (program.zones[name] for name in route)
    hidden = Audience.ALL not in (origin.audience, target.audience)
    return hidden and origin.index is target.index and origin.index in (Kind.SEAT, Kind.TEAM)


class Passing(NamedTuple):
    """Cards that went: the event, what those notice who see them, and what all others do."""

    event: Event
    seen: PassedCards
    unseen: PassedCards


def passing(
    route: Route, at: int, to: int, cards: Sequence[int], program: Program, setting: Setting
) -> Passing:
    """Return what is told of cards that went from one place to another, of other seats or teams."""
    texts = [setting.deck.texts[card] for card in cards]
    many = "1 card" if len(cards) == 1 else f"{len(cards)} cards"
    by_seat = program.zones[route.origin].index is Kind.SEAT
    where = f"to {to}" if by_seat else f"from team {at} to team {to}"
    seen, unseen = (
        PassedCards(at if by_seat else -1, route.target, f"{what} {where}")
        for what in (" ".join(texts), many)
    )
    event = {"from": [route.origin, at], "to": [route.target, to], "cards": texts}
    return Passing(event, seen, unseen)


class VisiblePass(NamedTuple):
    """What a `Passed` says: from which place to which, how many, which cards; none if unseen."""

    at: int
    to: int
    many: int
    cards: tuple[int, ...]


def read_passed(said: PassedCards, setting: Setting) -> VisiblePass:
    """Return what was told, as `passing` writes it."""
    words = said.action.split()
    numbers = [int(word) for word in words if word.isdecimal()]
    if said.seat >= 0:
        at, to, what = said.seat, numbers[-1], words[:-2]
    else:
        at, to, what = *numbers[-2:], words[:-6]
    if what[0].isdecimal():
        return VisiblePass(at, to, numbers[0], ())
    return VisiblePass(at, to, len(what), tuple(map(setting.deck.texts.index, what)))
