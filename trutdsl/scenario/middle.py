"""A start in the middle of a deal: where play comes to it, and what lies and stands there then."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from trutdsl.diagnostics import Span, counted, did_you_mean, reject
from trutdsl.game import Game
from trutdsl.ir.transforms import rules_with_tricks
from trutdsl.scenario.model import Scenario
from trutdsl.scenario.places import PlaceValue, read_card, read_variables, read_zones, said_in_words
from trutdsl.streams import Stream
from trutdsl.table import Event, Match
from trutdsl.variant import Scalar

DEAL = "deal"  # `at: deal`, where the deal begins
AT = re.compile(r"([a-z][a-z0-9_]*)(?:\s+([1-9][0-9]{0,3}))?")
SEED = 0


class Middle:
    """What is put in place when play comes to where a scenario begins.

    rule:   where that is; None for the start of the deal. skipped: how often it is left out first.
    names:  the zones and variables that are given, each settled by a `setup` of its own.
    placed: whether play has come there. emit: is told what is given, as an event.
    """

    def __init__(
        self, game: Game, scenario: Scenario, emit: Callable[[Event], None] | None = None
    ) -> None:
        self.emit = emit
        start = scenario.start
        self.span = start.at.span if start.at is not None else scenario.start_span
        self.rule, self.skipped = _where(game, start.at, scenario.start_span)
        self.zones = read_zones(game, start.zones, sizes=False, hidden=False)
        self.variables = read_variables(game, start.variables, hidden=False)
        self.names = tuple(dict.fromkeys(one.name for one in (*self.variables, *self.zones)))
        self.home = _homes(game)
        self.stock = tuple(read_card(game, text) for text in reversed(start.stock))
        self.game, self.placed = game, False
        self.coming, self.arming = (
            0,
            False,
        )  # how many setups are still to come, and if they are due
        self._refuse(game)

    def enter(self) -> bool:
        """Tell whether the rule that play has come to is left out."""
        if self.skipped:
            self.skipped -= 1
            return True
        self.coming, self.arming = len(self.names), not self.placed
        if self.emit is not None and not self.placed:
            given = [said_in_words(self.game, one) for one in (*self.zones, *self.variables)]
            self.emit({"event": "given", "given": given})
        self.placed = True
        return False

    def settle(self, name: str, match: Match) -> bool:
        """Put a zone or variable in its state, if it is time for it; tell whether it is given.

        That is where play comes to the scenario's beginning, and in a `setup` of the rules' own.
        """
        if name not in self.names:
            return False
        if self.coming:
            self.coming -= 1
            if not self.arming:
                return False
        values = list(match.values(name)) if self._is_variable(name) else []
        for one in self.variables:
            if one.name == name:
                values[one.at] = one.value
        if values:
            match.set_values(name, values)
        else:
            self._lay(match, [one for one in self.zones if one.name == name])
        return True

    def _is_variable(self, name: str) -> bool:
        return any(one.name == name for one in self.variables)

    def _lay(self, match: Match, zones: list[PlaceValue]) -> None:
        """Lay the cards of a zone; others that lie there go back to where they began."""
        wanted = {card for one in self.zones for card in one.value}
        full: set[str] = set()
        for one in zones:
            for card in match.cards(one.name, one.at):
                if card not in wanted:
                    match.lay(card, self.home[card], 0)
                    full.add(self.home[card])
        for one in zones:
            for card in one.value:
                match.lay(card, one.name, one.at)
        for name in sorted(full):
            if self.game.program.zones[name].ordered:
                self._settle_order(match, name)

    def _settle_order(self, match: Match, name: str) -> None:
        """Lay a pile in a seeded order, with what the stock gives on top."""
        cards, luck = list(match.cards(name, 0)), Stream(SEED)
        order = [cards.pop(luck.below(len(cards))) for _ in range(len(cards))]
        given = [card for card in self.stock if card in order]
        for card in [*(card for card in order if card not in given), *given]:
            match.lay(card, name, 0)

    def _refuse(self, game: Game) -> None:
        """Refuse cards that lie in two places or in none, and zones with too many."""
        seen: dict[int, PlaceValue] = {}
        for one in self.zones:
            most = game.code.capacity[one.name]
            if len(one.value) > most:
                message = f"'{one.where}' holds at most {counted(most, 'card')}"
                raise reject("bad-scenario", message, one.span)
            for card in one.value:
                if card in seen:
                    text = game.deck.texts[card]
                    message = f"'{text}' lies in '{seen[card].where}' and in '{one.where}'"
                    raise reject("duplicate-card", message, one.span)
                seen[card] = one


def _where(game: Game, at: Scalar | None, span: Span) -> tuple[str | None, int]:
    """Return the rule where the scenario begins, and how often it is left out before."""
    if at is None:
        rules = rules_with_tricks(game.program)
        if len(rules) != 1:
            raise reject(
                "bad-scenario",
                "where zones and variables are given, `at` says when",
                span,
                help="name the rule that begins then, `at: RULE`, or write `at: deal`",
            )
        return rules[0], 0
    found = AT.fullmatch(at.text)
    if found is None:
        message = (
            f"`at` must be a rule, and perhaps which time, as in `play_trick 2`, not '{at.text}'"
        )
        raise reject("bad-scenario", message, at.span)
    name, times = found[1], int(found[2] or 1)
    if name == DEAL:
        return None, times - 1
    known = [rule for rule in game.program.rules if " " not in rule]
    if name not in known:
        message = f"{game.name} has no rule '{name}'"
        raise reject("unknown-name", message, at.span, help=did_you_mean(name, known))
    if times > 1 and game.program.rules[name].result is not None:
        message = f"rule '{name}' returns something, so no time can be left out"
        raise reject("bad-scenario", message, at.span)
    return name, times - 1


def _homes(game: Game) -> dict[int, str]:
    """Return for each card the zone where it lies when a match begins, else some pile."""
    nowhere: Any = None
    homes = {}
    for name, content in game.code.contents.items():
        slots: list[Any] = [None] * game.program.zones[name].slots
        homes.update(dict.fromkeys(content(nowhere, slots), name))
    pile = next((z.name for z in game.program.zones.values() if z.ordered), None)
    return {
        c: homes.get(c) or pile or next(iter(game.program.zones), "")
        for c in range(len(game.deck.texts))
    }
