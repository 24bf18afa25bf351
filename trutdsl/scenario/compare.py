"""Compares where a scenario stands with what must hold there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trutdsl.diagnostics import Span
from trutdsl.game import HIDDEN, Announcement, DealStart, Game, PassedCards, Question, State
from trutdsl.game.legend import SightPart
from trutdsl.scenario.model import Expect, Open, Sights
from trutdsl.scenario.places import PlaceValue, plain, read_variables, read_zones, reading
from trutdsl.table.sight import DEALER, LEADER, bits_in, is_hidden, number_of


@dataclass(frozen=True)
class Mismatch:
    """What is not as it must be, a line to read, and where the scenario says what must be."""

    text: str
    span: Span | None = None


def find_differences(state: State, game: Game, expect: Expect) -> list[Mismatch]:
    """Return what is not as it is expected; raises `Rejected` for what cannot be."""
    return list(_differences(state, game, expect))


def is_over(state: State) -> bool:
    """Tell whether the deal that was played is over."""
    return state.pending is None or (isinstance(state.pending, DealStart) and state.deals > 0)


def check_places(game: Game, expect: Expect) -> None:
    """Raise `Rejected` for zones, variables and seats that are not those of the game."""
    for _ in (*_said(game, expect.values), *_seen(game, expect.values)):
        pass


def _said(game: Game, values: object) -> Iterator[PlaceValue]:
    assert isinstance(values, dict)
    yield from read_zones(game, values.get("zones", ()), sizes=True, hidden=False)
    yield from read_variables(game, values.get("variables", ()), hidden=False)


def _seen(game: Game, values: object) -> Iterator[tuple[int, PlaceValue]]:
    assert isinstance(values, dict)
    views: dict[int, Sights] = values.get("views", {})
    for seat, sights in views.items():
        yield from ((seat, s) for s in read_zones(game, sights.zones, sizes=False, hidden=True))
        yield from ((seat, s) for s in read_variables(game, sights.variables, hidden=True))


def _differences(state: State, game: Game, expect: Expect) -> Iterator[Mismatch]:
    for key, expected in expect.values.items():
        span = expect.spans[key]
        actual: object
        match key:
            case "counters":
                assert isinstance(expected, dict)
                for name, values in expected.items():
                    now = state.counters()[name]
                    if now != values:
                        text = f"counter {name}: expected {list(values)}, found {list(now)}"
                        yield Mismatch(text, span)
                continue
            case "deal_over":
                actual = is_over(state)
            case "deal_winner":
                actual = state.deal_winner if state.deals_finished else "no finished deal"
            case "match_winner":
                ended = state.pending is None
                actual = ("draw" if state.winner is None else state.winner) if ended else None
            case "next_dealer":
                actual = (
                    state.dealer if isinstance(state.pending, DealStart) else "no next deal yet"
                )
            case "tricks":
                actual = state.tricks
            case "decision":
                assert isinstance(expected, Open)
                yield from (Mismatch(text, span) for text in _of_question(state, expected))
                continue
            case _:
                continue
        if actual != expected or isinstance(actual, bool) != isinstance(expected, bool):
            yield Mismatch(f"{key}: expected {plain(expected)}, found {plain(actual)}", span)
    for said in _said(game, expect.values):
        yield from _of_place(state, game, said)
    for seat, said in _seen(game, expect.values):
        yield from _of_view(state, game, seat, said)
    views = expect.values.get("views", {})
    assert isinstance(views, dict)
    for seat, sights in views.items():
        yield from _of_told(state, seat, sights)


def _of_question(state: State, expected: Open) -> list[str]:
    question = state.pending
    if not isinstance(question, Question):
        where = "the match is over" if question is None else "the deal is over"
        wanted = f"'{expected.name}'" if expected.name is not None else "a question"
        return [f"decision: expected {wanted}, but {where}"]
    found = []
    if expected.seat is not None and expected.seat != question.seat:
        found.append(f"decision: expected seat {expected.seat}, found seat {question.seat}")
    if expected.name is not None and expected.name != question.decision:
        found.append(f"decision: expected '{expected.name}', found '{question.decision}'")
    if expected.actions is not None:
        wanted_ones, legal = set(expected.actions), {a.text for a in question.actions}
        found += [f"decision: '{text}' is not legal" for text in sorted(wanted_ones - legal)]
        found += [f"decision: '{text}' is legal too" for text in sorted(legal - wanted_ones)]
    return found


def _of_place(state: State, game: Game, said: PlaceValue) -> Iterator[Mismatch]:
    zone = game.program.zones.get(said.name)
    if zone is None:
        value = state.match.values(said.name)[said.at]
        if value != said.value:
            read = reading(game, said.name).plain
            wanted, found = plain(read(number_of(said.value))), plain(read(number_of(value)))
            yield Mismatch(f"{said.where}: expected {wanted}, found {found}", said.span)
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
    where = f"view of seat {seat}, {said.where}"
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
            yield Mismatch(f"{where}: expected hidden, but it is seen", said.span)
    elif found is HIDDEN:
        yield Mismatch(f"{where}: expected to be seen, but it is hidden", said.span)
    elif zone is None:
        if found != number_of(said.value):
            read = reading(game, said.name).plain
            wanted = plain(read(number_of(said.value)))
            yield Mismatch(f"{where}: expected {wanted}, found {plain(read(found))}", said.span)
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
    return f"{where}: expected {plain(wanted)}, found {plain(found)}"
