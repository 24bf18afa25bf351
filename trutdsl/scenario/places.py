"""Reads a scenario's zones and variables by their declarations, and compares them with play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trutdsl.diagnostics import Rejected, Span, did_you_mean, reject
from trutdsl.game import HIDDEN, Announcement, DealStart, Game, PassedCards, Question, State
from trutdsl.game.legend import SightPart
from trutdsl.ir.types import (
    NUMBER,
    VARIABLES,
    Among,
    Element,
    Kind,
    Number,
    OneOf,
    SetOf,
    Type,
    YesNo,
    among,
)
from trutdsl.language import say
from trutdsl.scenario.model import Expect, Named, Open, Sights
from trutdsl.scenario.read import is_null
from trutdsl.table.sight import DEALER, LEADER, Reading, bits_in, is_hidden, number_of, reading_of
from trutdsl.variant import Node, Scalar, Sequence, YamlMapping
from trutdsl.variant.read_values import BOOLEANS, describe, parse_integer

ANY = "hidden"  # the text for a place that a seat may not see


@dataclass(frozen=True)
class PlaceValue:
    """The given or expected content of one place of a zone or variable.

    where: its name as a person writes it. value: cards (a tuple of their indices), a variable's
    value as Python's own, or `HIDDEN`. size: the number of cards, if only that is given.
    """

    name: str
    at: int
    where: str
    value: Any
    size: int | None
    span: Span


def read_zones(game: Game, named: Named, sizes: bool, hidden: bool) -> list[PlaceValue]:
    """Return the values of zones, place by place; raises `Rejected`.

    sizes: a number of cards is enough; hidden: places may be `hidden`.
    """
    found = []
    for name, node in named:
        zone = game.program.zones.get(name.text)
        if zone is None:
            raise _unknown(game, name, "zone", [*game.program.zones])
        for at, where, part in places_of(game, name, zone.index, node):
            value: Any = None
            size = None
            if hidden and _is_hidden(part):
                value = HIDDEN
            elif sizes and isinstance(part, Scalar) and part.style == "plain":
                size = parse_integer(part.text)
            if value is None and size is None:
                value = _cards(game, where, part, sizes)
            found.append(PlaceValue(zone.name, at, where, value, size, part.span))
    return found


def read_variables(game: Game, named: Named, hidden: bool) -> list[PlaceValue]:
    """Return the values of variables, place by place; raises `Rejected`."""
    known = [n for n, v in game.program.variables.items() if not v.counter and ":" not in n]
    found = []
    for name, node in named:
        if name.text not in (*known, *VARIABLES):
            counter = name.text in game.program.variables
            help_ = say("it is a counter: name it under `counters`") if counter else None
            raise _unknown(game, name, "variable", known, help_)
        index, type_ = _declared(game, name.text)
        for at, where, part in places_of(game, name, index, node):
            value = HIDDEN if hidden and _is_hidden(part) else value_of(game, where, type_, part)
            found.append(PlaceValue(name.text, at, where, value, None, part.span))
    return found


def reading(game: Game, name: str) -> Reading:
    """Return the function that turns values of a variable into text."""
    return reading_of(_declared(game, name)[1], game.setting)


def describe_value(game: Game, said: PlaceValue) -> str:
    """Return the value of a place as text: a zone's cards or a variable's value."""
    if said.name in game.program.zones:
        texts = [game.deck.texts[card] for card in said.value]
        return f"{said.where} {' '.join(texts) or 'no cards'}"
    return f"{said.where} {plain(reading(game, said.name).plain(number_of(said.value)))}"


def plain(value: Any) -> str:
    """Return a value in the notation of scenarios."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case list() | tuple():
            return "[" + ", ".join(plain(v) for v in value) + "]"
    return str(value)


def _declared(game: Game, name: str) -> tuple[Among | None, Type]:
    if name in VARIABLES:
        return None, VARIABLES[name][0]
    variable = game.program.variables[name]
    return variable.index, variable.type


def _unknown(
    game: Game, name: Scalar, what: str, known: list[str], help_: str | None = None
) -> Rejected:
    message = say(
        "{game} has no {what} '{name}'; it has {names}",
        game=game.name,
        what=what,
        name=name.text,
        names=", ".join(known) or "none",
    )
    help_ = help_ or did_you_mean(name.text, known)
    return reject("unknown-name", message, name.span, help=help_)


def _is_hidden(node: Node) -> bool:
    return isinstance(node, Scalar) and node.text == ANY


def places_of(
    game: Game, name: Scalar, index: Among | None, node: Node
) -> Iterator[tuple[int, str, Node]]:
    """Yield each given place: its number, its name, and its node."""
    if index is None:
        yield 0, name.text, node
        return
    count = game.setting.count(index)
    if isinstance(node, YamlMapping):
        for key, value in node.entries:
            at = _place(game, name.text, index, key.text)
            if at is None:
                message = say(
                    "'{name}' has no place '{key}': it has one for each {among}",
                    name=name.text,
                    key=key.text,
                    among=among(index),
                )
                raise reject("bad-scenario", message, key.span)
            yield at, f"{name.text}[{key.text}]", value
        return
    if isinstance(node, Sequence) and len(node.items) == count:
        for at, item in enumerate(node.items):
            yield at, f"{name.text}[{game.setting.text_of(index, at)}]", item
        return
    each = say("`{{PLACE: ...}}` for some, or a list of all {count}", count=count)
    message = say(
        "'{name}' has a place for each {among}; write {each}",
        name=name.text,
        among=among(index),
        each=each,
    )
    raise reject("bad-scenario", message, node.span)


def _place(game: Game, name: str, index: Among, text: str) -> int | None:
    """Return the number of the place of a zone that a text names, None if it names none."""
    if isinstance(index, Number):
        number, first = parse_integer(text), game.program.variables[name].first
        inside = number is not None and first <= number <= first + index.high
        return number - first if number is not None and inside else None
    return _element(game, index, text)


def _element(game: Game, kind: Among, text: str) -> int | None:
    """Return the index of an element by its text, None if there is none."""
    names = [game.setting.text_of(kind, i) for i in range(game.setting.count(kind))]
    if text in names:
        return names.index(text)
    if not isinstance(kind, Kind) or kind in (Kind.SEAT, Kind.TEAM):
        return None
    return game.deck.index_of(kind, text)


def _cards(game: Game, where: str, node: Node, sizes: bool) -> tuple[int, ...]:
    if not isinstance(node, Sequence):
        more = say(", or how many") if sizes else ""
        message = say(
            "'{where}' must be a list of cards{more}, found {found}",
            where=where,
            more=more,
            found=describe(node),
        )
        raise reject("bad-scenario", message, node.span)
    return tuple(read_card(game, item) for item in node.items)


def read_card(game: Game, node: Node) -> int:
    """Return the index of a card; raises `Rejected` if the pack has none."""
    text = node.text if isinstance(node, Scalar) else describe(node)
    card = game.deck.index_of(Kind.CARD, text)
    if card is None:
        raise reject(
            "unknown-card",
            say("the pack of {game} has no card '{text}'", game=game.name, text=text),
            node.span,
            help=did_you_mean(text, game.deck.texts),
        )
    return card


def value_of(game: Game, where: str, type_: Type, node: Node) -> Any:
    """Return the Python value of a node."""

    def wrong(wanted: str) -> Rejected:
        return reject(
            "bad-scenario",
            say(
                "'{where}' must be {wanted}, found {found}",
                where=where,
                wanted=wanted,
                found=describe(node),
            ),
            node.span,
        )

    text = node.text if isinstance(node, Scalar) else None
    match type_:
        case YesNo():
            if text not in BOOLEANS:
                raise wrong(say("true or false"))
            return BOOLEANS[text]
        case Number():
            number = parse_integer(text) if text is not None else None
            low, high = game.code.bounds.get(where.partition("[")[0], (NUMBER.low, NUMBER.high))
            if number is None or not low <= number <= high:
                raise wrong(say("a number from {low} to {high}", low=low, high=high))
            return number
        case OneOf(names):
            if text not in names:
                raise wrong(say("one of ") + ", ".join(names))
            return names.index(text)
        case Element(kind, optional):
            if optional and (is_null(node) or text == "none"):
                return None
            element = _element(game, kind, text) if text is not None else None
            if element is None:
                raise wrong(f"a {kind.value}" + (say(" or null") if optional else ""))
            return element
        case SetOf(kind):
            return frozenset(_elements(node, lambda t: _element(game, kind, t), wrong, str(type_)))
    raise wrong(say("left out: it cannot be given"))


def _elements(
    node: Node, known: Callable[[str], int | None], wrong: Callable[[str], Rejected], what: str
) -> Iterator[int]:
    items = node.items if isinstance(node, Sequence) else None
    for item in items if items is not None else [node]:
        one = known(item.text) if isinstance(item, Scalar) else None
        if items is None or one is None:
            raise wrong(say("a list of {what}", what=what))
        yield one


# Compares the state of a match with the expectations.


@dataclass(frozen=True)
class Mismatch:
    """A failed expectation: one line of text, and its position in the scenario."""

    text: str
    span: Span | None = None


def is_over(state: State) -> bool:
    """Return whether the current deal is over."""
    return state.pending is None or (isinstance(state.pending, DealStart) and state.deals > 0)


def check_places(game: Game, expect: Expect) -> None:
    """Raise `Rejected` for zones, variables and seats that the game does not have."""
    for _ in (*_expected_values(game, expect.values), *_seen(game, expect.values)):
        pass


def _expected_values(game: Game, values: Mapping[str, Any]) -> Iterator[PlaceValue]:
    yield from read_zones(game, values.get("zones", ()), sizes=True, hidden=False)
    yield from read_variables(game, values.get("variables", ()), hidden=False)


def _seen(game: Game, values: Mapping[str, Any]) -> Iterator[tuple[int, PlaceValue]]:
    views: dict[int, Sights] = values.get("views", {})
    for seat, sights in views.items():
        yield from ((seat, s) for s in read_zones(game, sights.zones, sizes=False, hidden=True))
        yield from ((seat, s) for s in read_variables(game, sights.variables, hidden=True))


def find_differences(state: State, game: Game, expect: Expect) -> Iterator[Mismatch]:
    """Yield every failed expectation; raises `Rejected` for impossible ones."""
    for key, expected in expect.values.items():
        span = expect.spans[key]
        actual: Any
        match key:
            case "counters":
                for name, values in expected:
                    now = state.counters()[name.text]
                    if now != values:
                        text = f"counter {name.text}: expected {list(values)}, found {list(now)}"
                        yield Mismatch(text, span)
                continue
            case "deal_over":
                actual = is_over(state)
            case "deal_winner":
                actual = state.deal_winner if state.deals_finished else say("no finished deal")
            case "match_winner":
                ended = state.pending is None
                actual = ("draw" if state.winner is None else state.winner) if ended else None
            case "next_dealer":
                actual = (
                    state.dealer
                    if isinstance(state.pending, DealStart)
                    else say("no next deal yet")
                )
            case "tricks":
                actual = state.tricks
            case "decision":
                yield from (Mismatch(text, span) for text in _of_question(state, expected))
                continue
            case _:
                continue
        if actual != expected or isinstance(actual, bool) != isinstance(expected, bool):
            text = say(
                "{key}: expected {expected}, found {found}",
                key=key,
                expected=plain(expected),
                found=plain(actual),
            )
            question = state.pending
            ends = key in ("deal_over", "match_winner", "next_dealer")
            if ends and isinstance(question, Question):
                text = say(
                    "{difference}; seat {seat} is asked '{decision}'",
                    difference=text,
                    seat=question.seat,
                    decision=question.decision,
                )
            yield Mismatch(text, span)
    for said in _expected_values(game, expect.values):
        yield from _of_place(state, game, said)
    for seat, said in _seen(game, expect.values):
        yield from _of_view(state, game, seat, said)
    for seat, sights in expect.values.get("views", {}).items():
        yield from _of_told(state, seat, sights)


def _of_question(state: State, expected: Open) -> list[str]:
    question = state.pending
    if not isinstance(question, Question):
        where = say("the match is over") if question is None else say("the deal is over")
        wanted = f"'{expected.name}'" if expected.name is not None else say("a question")
        return [say("decision: expected {wanted}, but {where}", wanted=wanted, where=where)]
    found = []
    if expected.seat is not None and expected.seat != question.seat:
        found.append(
            say(
                "decision: expected seat {expected}, found seat {found}",
                expected=expected.seat,
                found=question.seat,
            )
        )
    if expected.name is not None and expected.name != question.decision:
        found.append(
            say(
                "decision: expected '{expected}', found '{decision}'",
                expected=expected.name,
                decision=question.decision,
            )
        )
    if expected.actions is not None:
        wanted_ones, legal = set(expected.actions), {a.text for a in question.actions}
        found += [
            say("decision: '{text}' is not legal", text=text)
            for text in sorted(wanted_ones - legal)
        ]
        found += [
            say("decision: '{text}' is legal too", text=text)
            for text in sorted(legal - wanted_ones)
        ]
    return found


def _of_place(state: State, game: Game, said: PlaceValue) -> Iterator[Mismatch]:
    zone = game.program.zones.get(said.name)
    if zone is None:
        value = state.match.values(said.name)[said.at]
        if value != said.value:
            read = reading(game, said.name).plain
            wanted, found = plain(read(number_of(said.value))), plain(read(number_of(value)))
            yield Mismatch(
                say(
                    "{where}: expected {wanted}, found {found}",
                    where=said.where,
                    wanted=wanted,
                    found=found,
                ),
                said.span,
            )
        return
    cards = state.match.cards(said.name, said.at)
    if said.size is not None:
        if said.size != len(cards):
            text = f"{said.where}: expected {said.size} cards, found {len(cards)}"
            yield Mismatch(text, said.span)
    elif (list(said.value) if zone.ordered else sorted(said.value)) != cards:
        yield Mismatch(_cards_differ(game, said, said.where, cards), said.span)


def _of_view(state: State, game: Game, seat: int, said: PlaceValue) -> Iterator[Mismatch]:
    legend, sight = game.legends[seat], state.sight(seat)
    where = say("view of seat {seat}, {where}", seat=seat, where=said.where)
    zone = game.program.zones.get(said.name)
    if zone is None and said.name in ("dealer", "on_lead"):
        found: Any = sight.seen[DEALER if said.name == "dealer" else LEADER]
    elif zone is None:
        found = sight.seen[_part(legend.variables, legend.variable_parts, said.name) + said.at]
    else:
        found = sight.seen[_part(legend.zones, legend.zone_parts, said.name) + said.at]
        found = HIDDEN if is_hidden(found) else found
    if said.value is HIDDEN:
        if found is not HIDDEN:
            yield Mismatch(say("{where}: expected hidden, but it is seen", where=where), said.span)
    elif found is HIDDEN:
        yield Mismatch(
            say("{where}: expected to be seen, but it is hidden", where=where), said.span
        )
    elif zone is None:
        if found != number_of(said.value):
            read = reading(game, said.name).plain
            wanted = plain(read(number_of(said.value)))
            yield Mismatch(
                say(
                    "{where}: expected {wanted}, found {plain}",
                    where=where,
                    wanted=wanted,
                    plain=plain(read(found)),
                ),
                said.span,
            )
    else:
        cards = list(found) if isinstance(found, bytes) else bits_in(found)
        if (list(said.value) if zone.ordered else sorted(said.value)) != cards:
            yield Mismatch(_cards_differ(game, said, where, cards), said.span)


def _of_told(state: State, seat: int, sights: Sights) -> Iterator[Mismatch]:
    heard = (s for s in state.sight(seat).heard if isinstance(s, Announcement | PassedCards))
    found = tuple(
        f"{'nobody' if s.seat < 0 else s.seat}: {s.decision} {s.action}".removesuffix(" yes")
        for s in heard
    )
    if sights.told is not None and sights.told != found:
        text = f"view of seat {seat}, told: expected {plain(sights.told)}, found {plain(found)}"
        yield Mismatch(text, sights.span)


def _part(names: tuple[str, ...], parts: tuple[SightPart, ...], name: str) -> int:
    return parts[names.index(name)].first


def _cards_differ(game: Game, said: PlaceValue, where: str, cards: list[int]) -> str:
    texts = game.deck.texts
    wanted, found = ([texts[card] for card in some] for some in (said.value, cards))
    return say(
        "{where}: expected {expected}, found {found}",
        where=where,
        expected=plain(wanted),
        found=plain(found),
    )
