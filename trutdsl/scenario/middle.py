"""The middle of a match that a scenario gives: its state, its past, and where play takes over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from trutdsl.diagnostics import Rejected, Span, did_you_mean, reject
from trutdsl.files import list_scripts
from trutdsl.game import Game, State
from trutdsl.interp.policy import Player
from trutdsl.ir.nodes import questions_of
from trutdsl.ir.script.history import Words, words_of
from trutdsl.ir.script.names import place_of
from trutdsl.ir.script.record import MOST_ANSWERS, rate_names
from trutdsl.ir.transforms import rules_with_tricks
from trutdsl.ir.types import Kind, Number
from trutdsl.language import say, say_count
from trutdsl.scenario.model import SEED, Scenario, Start
from trutdsl.scenario.places import (
    PlaceValue,
    describe_value,
    places_of,
    read_card,
    read_variables,
    read_zones,
    value_of,
)
from trutdsl.strategy.script import ScriptSpec
from trutdsl.streams import Stream
from trutdsl.table.match import Event, Match
from trutdsl.variant import Node, Scalar, Sequence, YamlMapping
from trutdsl.variant.read_values import parse_integer

DEAL = "deal"  # `at: deal`, where the deal begins
AT = re.compile(r"([a-z][a-z0-9_]*)(?:\s+([1-9][0-9]{0,3}))?(?:\s+of\s+deal\s+([1-9][0-9]{0,3}))?")


class Middle:
    """The state that a scenario gives, placed when play reaches the beginning of the scenario.

    rule:   the rule where it begins; None for the start of the deal. skipped: how many calls of
            the rule are left out first. call: the number of the first one that is not.
    deals:  how many deals are left out before the first one.
    dealer: who deals after left-out deals; None if nobody is given. reached: how many deals began.
    names:  the given zones and variables, each settled by a `setup` of its own.
    placed: whether play has reached the beginning. emit: receives the given state as an event.
    absent: cards without a place in this deal, because their zone at the start is given, too.
    """

    def __init__(
        self, game: Game, scenario: Scenario, emit: Callable[[Event], None] | None = None
    ) -> None:
        self.emit = emit
        start = scenario.start
        self.span = start.at.span if start.at is not None else scenario.start_span
        self.rule, self.skipped, self.deals = _where(game, start.at, scenario.start_span)
        self.call = self.skipped + 1
        self.dealer, self.deals_done = start.dealer, 0
        self.zones = read_zones(game, start.zones, sizes=False, hidden=False)
        self.variables = read_variables(game, start.variables, hidden=False, counters=True)
        self.names = tuple(dict.fromkeys(one.name for one in (*self.variables, *self.zones)))
        self.home = _homes(game)
        self.absent: list[int] = []
        self.stock = tuple(read_card(game, text) for text in reversed(start.stock))
        self.game, self.placed = game, False
        # How many setups follow, and whether they take effect.
        self.setups_left, self.arming = 0, False
        self._refuse(game)

    def leave_out_deal(self, match: Match) -> bool:
        """Return whether to leave out the deal that play has reached.

        After left-out deals, the given seat deals the first one that is played.
        """
        self.deals_done += 1
        if self.deals_done == self.deals + 1 > 1 and self.dealer is not None:
            match.set_values("dealer", [self.dealer])
        return self.deals_done <= self.deals

    def begin_deal(self, match: Match) -> None:
        """Lay the cards that were absent from the deal before where they lay at the start."""
        self._return_home(match, self.absent)
        self.absent.clear()

    def enter(self) -> bool:
        """Return whether to leave out the rule that play has reached."""
        if self.skipped:
            self.skipped -= 1
            return True
        self.setups_left, self.arming = len(self.names), not self.placed
        if self.emit is not None and not self.placed:
            values = [describe_value(self.game, one) for one in (*self.zones, *self.variables)]
            self.emit({"event": "given", "given": values})
        self.placed = True
        return False

    def settle(self, name: str, match: Match) -> bool:
        """Put a zone or variable into its given state if it is due; return whether it was.

        It is due at the scenario's beginning, and in the `setup` blocks of the rules.
        """
        if name not in self.names:
            return False
        if self.setups_left:
            self.setups_left -= 1
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
        """Lay the cards of a zone; other cards there go back to their zone at the start.

        If that zone is given, it holds no other cards. Then they are absent until the next deal.
        """
        cards = {card for one in self.zones for card in one.value}
        given = {one.name for one in self.zones if one.at == 0}
        others = [c for one in zones for c in match.cards(one.name, one.at) if c not in cards]
        for card in others:
            if self.home[card] in given:
                match.lay(card, None)
                self.absent.append(card)
        for one in zones:
            for card in one.value:
                match.lay(card, one.name, one.at)
        self._return_home(match, [card for card in others if self.home[card] not in given])

    def _return_home(self, match: Match, cards: list[int]) -> None:
        """Lay cards where they lay at the start of the match; a pile gets a seeded order."""
        for card in cards:
            match.lay(card, self.home[card])
        for name in sorted({self.home[card] for card in cards}):
            if self.game.program.zones[name].ordered:
                self._settle_order(match, name)

    def _settle_order(self, match: Match, name: str) -> None:
        """Lay a pile in a seeded order, the cards of the given stock on top."""
        cards, luck = list(match.cards(name, 0)), Stream(SEED)
        order = [cards.pop(luck.below(len(cards))) for _ in range(len(cards))]
        on_top = [card for card in self.stock if card in order]
        for card in [*(card for card in order if card not in on_top), *on_top]:
            match.lay(card, name, 0)

    def _refuse(self, game: Game) -> None:
        """Refuse cards in two places or in none, and zones with too many cards."""
        seen: dict[int, PlaceValue] = {}
        for one in self.zones:
            most = game.code.capacity[one.name]
            if len(one.value) > most:
                message = say(
                    "'{where}' holds at most {most}",
                    where=one.where,
                    most=say_count(most, "{number} card", "{number} cards"),
                )
                raise reject("bad-scenario", message, one.span)
            for card in one.value:
                if card in seen:
                    text = game.deck.texts[card]
                    message = say(
                        "'{text}' lies in '{first}' and in '{second}'",
                        text=text,
                        first=seen[card].where,
                        second=one.where,
                    )
                    raise reject("duplicate-card", message, one.span)
                seen[card] = one


def _where(game: Game, at: Scalar | None, span: Span) -> tuple[str | None, int, int]:
    """Return the rule where the scenario begins; how many calls and deals are left out first."""
    if at is None:
        rules = rules_with_tricks(game.program)
        if len(rules) != 1:
            message = say("where zones and variables are given, `at` says when")
            help_ = say("name the rule that begins then, `at: RULE`, or write `at: deal`")
            raise reject("bad-scenario", message, span, help=help_)
        return rules[0], 0, 0
    hit = AT.fullmatch(at.text)
    if hit is None or (hit[1] == DEAL and hit[3]):
        message = say(
            "`at` must be a rule, and perhaps which time and which deal, as in `play_trick 2` "
            "or `play_trick 2 of deal 4`, or a deal, `deal 4`; not '{at}'",
            at=at.text,
        )
        raise reject("bad-scenario", message, at.span)
    name, times, deal = hit[1], int(hit[2] or 1), int(hit[3] or 1)
    if name == DEAL:
        return None, 0, times - 1
    known = [rule for rule in game.program.rules if " " not in rule]
    if name not in known:
        message = say("{game} has no rule '{name}'", game=game.name, name=name)
        raise reject("unknown-name", message, at.span, help=did_you_mean(name, known))
    if times > 1 and game.program.rules[name].result is not None:
        message = say("rule '{name}' returns something, so no time can be left out", name=name)
        raise reject("bad-scenario", message, at.span)
    return name, times - 1, deal - 1


def _homes(game: Game) -> dict[int, str]:
    """Return the zone of each card at the start of a match; for cards without one, a pile."""
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


def check_memory(start: Start, scripts: Iterable[ScriptSpec]) -> None:
    """Raise `Rejected` if a script's memory is no mapping, or if there is no such script.

    scripts: the scripts that answer in the scenario. Shipped scripts are allowed, too.
    """
    known = {name: None for one in scripts for name in (one.name, one.script.name)}
    for script, node in start.memory:
        if script.text not in known and script.text not in list_scripts():
            message = say("`memory` names '{name}', and no such script is asked", name=script.text)
            help_ = did_you_mean(script.text, [*known, *list_scripts()])
            names = ", ".join(known)
            if help_ is None and names:
                help_ = say("the scripts of this scenario are {names}", names=names)
            help_ = help_ or say("name the script under `choose` of `expect`")
            raise reject("unknown-name", message, script.span, help=help_)
        if not isinstance(node, YamlMapping):
            help_ = say("write NAME: VALUE lines below it, as in `{folds: 3}`")
            message = say("the memory of a script is a value for each name")
            raise reject("bad-scenario", message, node.span, help=help_)


def give_memory(game: Game, start: Start, spec: ScriptSpec, player: Player) -> None:
    """Give a player the match memory of its script that a scenario names; raises `Rejected`."""
    for script, node in start.memory:
        if script.text not in (spec.name, spec.script.name):
            continue
        assert isinstance(node, YamlMapping)
        for name, value in node.entries:
            for place, number in _read_memory(game, spec, player, name, value):
                player.remember(place, number)


def _read_memory(
    game: Game, spec: ScriptSpec, player: Player, name: Scalar, node: Node
) -> Iterator[tuple[str, Any]]:
    """Yield each place of a match memory with its value."""
    memory = spec.script.memory
    known = [n for n, one in memory.items() if one.lifetime == "match"]
    if name.text not in known:
        names = ", ".join(known) or say("none")
        text = "'{script}' has no match memory '{name}'; it has {names}"
        message = say(text, script=spec.name, name=name.text, names=names)
        raise reject("unknown-name", message, name.span, help=did_you_mean(name.text, known))
    index = memory[name.text].index
    kind = None if index is None else Kind(index.text)
    for at, where, part in places_of(game, name, kind, node):
        place = name.text if kind is None else place_of(name.text, at)
        type_ = player.code.memory[place].type
        value = value_of(game, where, type_, part)
        if isinstance(type_, Number) and not type_.low <= value <= type_.high:
            expected = say(
                "'{where}' is from {low} to {high}", where=where, low=type_.low, high=type_.high
            )
            raise _wrong(part, expected)
        yield place, value


def give_rates(game: Game, start: Start, state: State) -> None:
    """Record how often seats have chosen options in the match; raises `Rejected`."""
    for words, node in start.rates:
        option, at, decision = words.text.partition(" at ")
        decision = decision.strip() if at else ""
        _check_asked(game, words, tuple(option.split()), decision)
        names = rate_names(tuple(option.split()), decision)
        chose, could = ([0] * game.players for _ in names)
        for seat, where, part in places_of(game, words, Kind.SEAT, node):
            items = part.items if isinstance(part, Sequence) else ()
            numbers = [parse_integer(one.text) for one in items if isinstance(one, Scalar)]
            match numbers:
                case [int(many), int(of)] if 0 <= many <= of <= MOST_ANSWERS:
                    chose[seat], could[seat] = many, of
                case _:
                    expected = say(
                        "'{where}' is how often it was chosen, and how often it could be, "
                        "as in `[3, 10]`",
                        where=where,
                    )
                    raise _wrong(part, expected)
        for name, values in zip(names, (chose, could), strict=True):
            if name in game.program.variables:  # some script asks for it
                state.match.set_values(name, values)


def _check_asked(game: Game, words: Scalar, option: Words, decision: str) -> None:
    """Raise `Rejected` if no question has an option; decision: empty for any."""
    known = [
        (" ".join(words_of(one, ask.decision)), ask.decision)
        for ask in questions_of(game.program)
        for one in ask.options
    ]
    if not any(" ".join(option) == one and decision in ("", where) for one, where in known):
        message = say("{game} has no option '{words}'", game=game.name, words=words.text)
        texts = [*dict.fromkeys(one for one, _ in known), *(f"{o} at {d}" for o, d in known)]
        raise reject("unknown-name", message, words.span, help=did_you_mean(words.text, texts))


def _wrong(node: Node, message: str) -> Rejected:
    return reject("bad-scenario", message, node.span)
