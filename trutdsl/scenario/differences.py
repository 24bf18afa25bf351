"""The expectations of a scenario: checked by the game, compared with the state of a match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from trutdsl.diagnostics import Span, did_you_mean, reject
from trutdsl.game import HIDDEN, Announcement, DealStart, Game, PassedCards, Question, State
from trutdsl.game.legend import part_of
from trutdsl.ir.nodes import questions_of
from trutdsl.ir.types import Number
from trutdsl.language import say, say_count
from trutdsl.scenario.arrange import SPECIAL_ZONE
from trutdsl.scenario.model import Counters, Expect, Open, Scenario, ScriptedAction, Sights
from trutdsl.scenario.places import (
    PlaceValue,
    has_option,
    plain,
    read_variables,
    read_zones,
    reading,
)
from trutdsl.table.sight import DEALER, LEADER, bits_in, is_hidden, number_of
from trutdsl.variant.read_values import parse_integer


@dataclass(frozen=True)
class Mismatch:
    """A failed expectation: one line of text, and its position in the scenario."""

    text: str
    span: Span | None = None


def check_scenario(game: Game, scenario: Scenario) -> None:
    """Raise `Rejected` for names and numbers that the game does not have."""
    _check_counters(game, scenario.start.counters)
    for seat, span in _seats(scenario):
        _check_seat(game, seat, span)
    if scenario.start.special_cards and SPECIAL_ZONE not in game.program.zones:
        span = next(iter(scenario.start.special_cards.values())).span
        message = say("no seat keeps a special card in {game}", game=game.name)
        raise reject("bad-scenario", message, span)
    for expect in scenario.expectations:
        _check_counters(game, expect.values.get("counters", ()))
        for team, span in _teams(expect):
            _check_team(game, team, span)
        _check_words(game, expect)
        for _ in (*_expected_values(game, expect.values), *_sight_values(game, expect.values)):
            pass  # reading them refuses what the game does not have


def _check_counters(game: Game, counters: Counters) -> None:
    known = [v.name for v in game.program.variables.values() if v.counter]
    for word, values in counters:
        name = word.text
        if name not in known:
            text = "{game} has no counter '{name}'; it has {names}"
            message = say(text, game=game.name, name=name, names=", ".join(known))
            raise reject("unknown-name", message, word.span, help=did_you_mean(name, known))
        if len(values) != game.team_count:
            message = say(
                "counter '{name}' has {number} for {teams} teams",
                name=name,
                number=say_count(len(values), "value", "values"),
                teams=game.team_count,
            )
            raise reject("bad-scenario", message, word.span)
        bounds = game.program.variables[name].type
        assert isinstance(bounds, Number)
        if min(values) < bounds.low:
            text = "counter '{name}' is never below {low}, found {number}"
            message = say(text, name=name, low=bounds.low, number=min(values))
            raise reject("out-of-range", message, word.span)


def _seats(scenario: Scenario) -> Iterator[tuple[int, Span]]:
    """Yield every seat that a scenario names."""
    yield from scenario.seat_spans.items()
    for expect in scenario.expectations:
        views: dict[int, Sights] = expect.values.get("views", {})
        for seat, sights in views.items():
            yield seat, sights.span
            speakers = (parse_integer(text.partition(":")[0]) for text in sights.told or ())
            yield from ((one, sights.span) for one in speakers if one is not None)
        if expect.decision.seat is not None:
            yield expect.decision.seat, expect.spans["decision"]
        if expect.values.get("next_dealer") is not None:
            yield expect.values["next_dealer"], expect.spans["next_dealer"]
    actions = (one for one in scenario.actions if isinstance(one, ScriptedAction))
    yield from ((one.seat, one.span) for one in (*actions, *scenario.start.before))


def _teams(expect: Expect) -> Iterator[tuple[int, Span]]:
    """Yield every team that an expectation names as a winner."""
    for key in ("deal_winner", "match_winner", "tricks"):
        value = expect.values.get(key)
        for team in value if isinstance(value, list) else [value]:
            if isinstance(team, int):
                yield team, expect.spans[key]


def _check_seat(game: Game, seat: int, span: Span) -> None:
    if seat >= game.players:
        message = say(
            "there is no seat {seat} with {players} players", seat=seat, players=game.players
        )
        help_ = say("seats are numbers from 0 to {last}", last=game.players - 1)
        raise reject("bad-scenario", message, span, help=help_)


def _check_team(game: Game, team: int, span: Span) -> None:
    if team >= game.team_count:
        message = say(
            "there is no team {team} with {players} players", team=team, players=game.players
        )
        help_ = say("teams are numbers from 0 to {last}", last=game.team_count - 1)
        raise reject("bad-scenario", message, span, help=help_)


def _check_words(game: Game, expect: Expect) -> None:
    """Refuse a question that the rules never ask, and an action that no question has."""
    decision = expect.decision
    known = [] if decision.name is None else [one.decision for one in questions_of(game.program)]
    if decision.name is not None and decision.name not in known:
        message = say("{game} never asks '{name}'", game=game.name, name=decision.name)
        names = say("its questions are {names}", names=", ".join(dict.fromkeys(known)) or "none")
        help_ = did_you_mean(decision.name, known) or names
        raise reject("unknown-name", message, expect.spans["decision"], help=help_)
    for text in decision.actions or ():
        _check_action(game, text, expect.spans["decision"])
    for one in expect.values.get("choose", ()):
        _check_action(game, one.action, one.span)


def _check_action(game: Game, text: str, span: Span) -> None:
    if has_option(game, text):
        return
    options = (option for ask in questions_of(game.program) for option in ask.options)
    known = [*dict.fromkeys(" ".join(option.words) for option in options)]
    message = say("`{said}` is no action of {game}", said=text, game=game.name)
    help_ = say("its actions are, or begin with: {names}", names=", ".join(known))
    raise reject("unknown-name", message, span, help=did_you_mean(text, known) or help_)


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
                        yield _with_question(found, state)
                continue
            case "deal_over":
                actual = not isinstance(state.pending, Question)
            case "deal_winner":
                none = None if expect.values.get("deal_over") is False else say("no finished deal")
                actual = state.deal_winner if state.deals_finished else none
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
        if actual != expected:
            yield _with_question(_mismatch(span, key, expected, actual), state)
    for place_value in _expected_values(game, expect.values):
        yield from _of_place(state, game, place_value)
    for seat, place_value in _sight_values(game, expect.values):
        yield from _of_view(state, game, seat, place_value)
    for seat, sights in expect.values.get("views", {}).items():
        yield from _compare_told(state, seat, sights)


def _with_question(found: Mismatch, state: State) -> Mismatch:
    """Return a difference with the question that is open: the deal may not be over yet."""
    question = state.pending
    if not isinstance(question, Question):
        return found
    text, asked = "{difference}; seat {seat} is asked '{decision}'", question.decision
    return replace(found, text=say(text, difference=found.text, seat=question.seat, decision=asked))


def _of_question(state: State, expected: Open) -> Iterator[str]:
    question = state.pending
    if not isinstance(question, Question):
        where = say("the match is over") if question is None else say("the deal is over")
        name = f"'{expected.name}'" if expected.name is not None else say("a question")
        yield say("decision: expected {wanted}, but {where}", wanted=name, where=where)
        return
    if expected.seat not in (None, question.seat):
        text = "decision: expected seat {expected}, found seat {found}"
        yield say(text, expected=expected.seat, found=question.seat)
    if expected.name not in (None, question.decision):
        text = "decision: expected '{expected}', found '{decision}'"
        yield say(text, expected=expected.name, decision=question.decision)
    if expected.actions is not None:
        wanted_ones, legal = set(expected.actions), {a.text for a in question.actions}
        for text in sorted(wanted_ones - legal):
            yield say("decision: '{text}' is not legal", text=text)
        for text in sorted(legal - wanted_ones):
            yield say("decision: '{text}' is legal too", text=text)


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
        yield _mismatch(expected.span, expected.where, many, len(cards))


def _of_view(state: State, game: Game, seat: int, expected: PlaceValue) -> Iterator[Mismatch]:
    legend, sight = game.legends[seat], state.sight(seat)
    where = say("view of seat {seat}, {where}", seat=seat, where=expected.where)
    zone = game.program.zones.get(expected.name)
    if zone is None and expected.name in ("dealer", "on_lead"):
        value: Any = sight.values[DEALER if expected.name == "dealer" else LEADER]
    elif zone is None:
        part = part_of(legend.variables, "variable", expected.name)
        value = sight.values[part.first + expected.at]
    else:
        value = sight.values[part_of(legend.zones, "zone", expected.name).first + expected.at]
        value = HIDDEN if is_hidden(value) else value
    if expected.value is HIDDEN:
        if value is not HIDDEN:
            text = "{where}: expected hidden, but it is seen"
            if zone is not None and not value:
                text = "{where}: expected hidden, but it is empty"
            yield Mismatch(say(text, where=where), expected.span)
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
