"""Checks that a scenario names only what its table has: seats, teams, counters, questions."""

from __future__ import annotations

from collections.abc import Iterator

from trutdsl.diagnostics import Span, did_you_mean, reject
from trutdsl.game import Game
from trutdsl.ir.nodes import questions_of
from trutdsl.ir.types import Number
from trutdsl.language import say, say_count
from trutdsl.scenario.arrange import SPECIAL_ZONE
from trutdsl.scenario.differences import check_places
from trutdsl.scenario.model import Counters, Expect, Scenario, ScriptedAction, Sights
from trutdsl.scenario.places import has_option


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
        check_places(game, expect)


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
            speakers = (text.partition(":")[0] for text in sights.told or ())
            yield from ((int(one), sights.span) for one in speakers if one.isdigit())
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
    decision, known = expect.decision, [ask.decision for ask in questions_of(game.program)]
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
