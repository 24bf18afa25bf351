"""Compares the state of a match with the expectations of a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from trutdsl.diagnostics import Span
from trutdsl.game import HIDDEN, Announcement, DealStart, Game, PassedCards, Question, State
from trutdsl.game.legend import SightPart
from trutdsl.language import say, say_count
from trutdsl.scenario.model import Expect, Open, Sights
from trutdsl.scenario.places import PlaceValue, plain, read_variables, read_zones, reading
from trutdsl.table.sight import DEALER, LEADER, bits_in, is_hidden, number_of


@dataclass(frozen=True)
class Mismatch:
    """A failed expectation: one line of text, and its position in the scenario."""

    text: str
    span: Span | None = None


def check_places(game: Game, expect: Expect) -> None:
    """Raise `Rejected` for zones, variables and seats that the game does not have."""
    for _ in (*_expected_values(game, expect.values), *_sight_values(game, expect.values)):
        pass


def _expected_values(game: Game, values: Mapping[str, Any]) -> Iterator[PlaceValue]:
    yield from read_zones(game, values.get("zones", ()), sizes=True, hidden=False)
    yield from read_variables(game, values.get("variables", ()), hidden=False)


def _sight_values(game: Game, values: Mapping[str, Any]) -> Iterator[tuple[int, PlaceValue]]:
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
                    points = state.counters()[name.text]
                    if points != values:
                        where = say("counter {name}", name=name.text)
                        found = _mismatch(span, where, list(values), list(points))
                        yield replace(found, text=_with_question(found.text, state))
                continue
            case "deal_over":
                at_start = isinstance(state.pending, DealStart) and state.deals > 0
                actual = state.pending is None or at_start
            case "deal_winner":
                actual = state.deal_winner if state.deals_finished else say("no finished deal")
            case "match_winner":
                is_over = state.pending is None
                actual = ("draw" if state.winner is None else state.winner) if is_over else None
            case "next_dealer":
                follows = isinstance(state.pending, DealStart)
                none = say("no next deal yet") if state.pending else None  # None: the match is over
                actual = state.dealer if follows else none
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
            yield Mismatch(_with_question(text, state), span)
    for place_value in _expected_values(game, expect.values):
        yield from _of_place(state, game, place_value)
    for seat, place_value in _sight_values(game, expect.values):
        yield from _of_view(state, game, seat, place_value)
    for seat, sights in expect.values.get("views", {}).items():
        yield from _compare_told(state, seat, sights)


def _with_question(text: str, state: State) -> str:
    """Return a difference with the question that is open: the deal may not be over yet."""
    question = state.pending
    if not isinstance(question, Question):
        return text
    return say(
        "{difference}; seat {seat} is asked '{decision}'",
        difference=text,
        seat=question.seat,
        decision=question.decision,
    )


def _of_question(state: State, expected: Open) -> list[str]:
    question = state.pending
    if not isinstance(question, Question):
        where = say("the match is over") if question is None else say("the deal is over")
        name = f"'{expected.name}'" if expected.name is not None else say("a question")
        return [say("decision: expected {wanted}, but {where}", wanted=name, where=where)]
    result = []
    if expected.seat is not None and expected.seat != question.seat:
        result.append(
            say(
                "decision: expected seat {expected}, found seat {found}",
                expected=expected.seat,
                found=question.seat,
            )
        )
    if expected.name is not None and expected.name != question.decision:
        result.append(
            say(
                "decision: expected '{expected}', found '{decision}'",
                expected=expected.name,
                decision=question.decision,
            )
        )
    if expected.actions is not None:
        wanted_ones, legal = set(expected.actions), {a.text for a in question.actions}
        result += [
            say("decision: '{text}' is not legal", text=text)
            for text in sorted(wanted_ones - legal)
        ]
        result += [
            say("decision: '{text}' is legal too", text=text)
            for text in sorted(legal - wanted_ones)
        ]
    return result


def _of_place(state: State, game: Game, expected: PlaceValue) -> Iterator[Mismatch]:
    if expected.name not in game.program.zones:
        value = number_of(state.match.values(expected.name)[expected.at])
        yield from _of_value(game, expected, expected.where, value)
        return
    cards = state.match.cards(expected.name, expected.at)
    if expected.size is None:
        yield from _of_cards(game, expected, expected.where, cards)
    elif expected.size != len(cards):
        many = say_count(expected.size, "{number} card", "{number} cards")
        text = say(
            "{where}: expected {cards}, found {found}",
            where=expected.where,
            cards=many,
            found=len(cards),
        )
        yield Mismatch(text, expected.span)


def _of_view(state: State, game: Game, seat: int, expected: PlaceValue) -> Iterator[Mismatch]:
    legend, sight = game.legends[seat], state.sight(seat)
    where = say("view of seat {seat}, {where}", seat=seat, where=expected.where)
    zone = game.program.zones.get(expected.name)
    if zone is None and expected.name in ("dealer", "on_lead"):
        value: Any = sight.values[DEALER if expected.name == "dealer" else LEADER]
    elif zone is None:
        value = sight.values[
            _part(legend.variables, legend.variable_parts, expected.name) + expected.at
        ]
    else:
        value = sight.values[_part(legend.zones, legend.zone_parts, expected.name) + expected.at]
        value = HIDDEN if is_hidden(value) else value
    if expected.value is HIDDEN:
        if value is not HIDDEN:
            yield Mismatch(
                say("{where}: expected hidden, but it is seen", where=where), expected.span
            )
    elif value is HIDDEN:
        yield Mismatch(
            say("{where}: expected to be seen, but it is hidden", where=where), expected.span
        )
    elif zone is None:
        yield from _of_value(game, expected, where, value)
    else:
        cards = list(value) if isinstance(value, bytes) else bits_in(value)
        yield from _of_cards(game, expected, where, cards)


def _compare_told(state: State, seat: int, sights: Sights) -> Iterator[Mismatch]:
    entries = (s for s in state.sight(seat).history if isinstance(s, Announcement | PassedCards))
    events = tuple(
        f"{'nobody' if s.seat < 0 else s.seat}: {s.decision} {s.action}".removesuffix(" yes")
        for s in entries
    )
    if sights.told is not None and sights.told != events:
        where = say("view of seat {seat}, {where}", seat=seat, where="told")
        yield _mismatch(sights.span, where, sights.told, events)


def _part(names: tuple[str, ...], parts: tuple[SightPart, ...], name: str) -> int:
    return parts[names.index(name)].first


def _of_value(game: Game, expected: PlaceValue, where: str, number: int) -> Iterator[Mismatch]:
    """Compare the number of a variable's value."""
    read_plain, target = reading(game, expected.name).plain, number_of(expected.value)
    if number != target:
        yield _mismatch(expected.span, where, read_plain(target), read_plain(number))


def _of_cards(game: Game, expected: PlaceValue, where: str, cards: list[int]) -> Iterator[Mismatch]:
    ordered, texts = game.program.zones[expected.name].ordered, game.deck.texts
    if (list(expected.value) if ordered else sorted(expected.value)) != cards:
        target, actual = ([texts[card] for card in some] for some in (expected.value, cards))
        difference = _mismatch(expected.span, where, target, actual)
        if sorted(target) == sorted(actual):
            text = say(
                "{difference}; the lowest card of a pile comes first", difference=difference.text
            )
            difference = Mismatch(text, expected.span)
        yield difference


def _mismatch(span: Span, where: str, expected: Any, value: Any) -> Mismatch:
    text = say(
        "{where}: expected {expected}, found {found}",
        where=where,
        expected=plain(expected),
        found=plain(value),
    )
    return Mismatch(text, span)
