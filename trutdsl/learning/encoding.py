"""Feature encoding: the view of a seat as an array of numbers, and actions as numbers from 0 up."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trutdsl.game import BadUsage, Game, Question, State
from trutdsl.ir.script.history import announcement_types
from trutdsl.ir.types import Number
from trutdsl.table.match import (
    Announcement,
    PassedCards,
    SightValues,
    action_of,
    read_passed,
    routes_of,
)
from trutdsl.table.sight import (
    DEAL,
    DEALER,
    HIDDEN,
    LEADER,
    SET,
    Reading,
    Sight,
    bits_in,
    count_cards,
    is_hidden,
    reading_of,
)

Features = NDArray[np.float32]
Mask = NDArray[np.int8]
LATEST_ANSWERS = 32  # the last answers of a deal that are encoded


class Encoder:
    """How one game is written as numbers, the same for each of its seats.

    actions: the number of actions in all; the actions of question q have the numbers from
             `first[q]` up, in the order of `State.legal`.
    parts:   name -> its position among the features. They are:
             - `seat`, `dealer`, `leader`, `decision`: one of each kind is 1, the others 0. A seat
               that is not asked has only 0 in `decision`.
             - `deal`: its index.
             - A zone: for each place and card, 1 if the card lies there. In a pile the lowest card
               is 1, the next 2. Then for each place the number of its cards, and whether the seat
               sees them.
             - A variable or counter: for each place its number as in `Sight`. A set has a 1 for
               each element. Then for each place whether the seat sees it.
             - `heard`: the last `LATEST_ANSWERS` answers of the deal that the seat noticed, the
               latest first. Each is 1 + the seat and 1 + the action's number, or 0 if there are
               no more.
             - `announced WORDS`, for each seat and then for nobody: the value that the seat heard
               last in the deal, as of a variable, then whether it heard any. Announcements with
               values of several kinds have only the latter.
             - `passed ZONE`: the cards that go there from seat to seat or from team to team. For
               each place that they leave and each card: 0, or 1 + the place to which the seat last
               saw it go in the deal. Then for each place, and each possible target, the number of
               cards.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.cards = game, len(game.deck.texts)
        self.first: list[int] = []
        self.actions = 0
        for plan in game.plans:
            self.first.append(self.actions)
            self.actions += max(option.first + option.size for option in plan.options)
        legend = game.legends[0]
        self._zones = legend.zones
        self._variables = sorted((*legend.variables, *legend.counters))
        widths = {"seat": game.players, "dealer": game.players, "leader": game.players}
        widths |= {"decision": len(game.plans), "deal": 1}
        for part in self._zones:
            widths[part.name] = (part.end - part.first) * (self.cards + 2)
        for part in self._variables:
            widths[part.name] = (part.end - part.first) * (part.reading.size + 1)
        widths["heard"] = 2 * LATEST_ANSWERS
        self._announcements: dict[str, tuple[int, Reading | None]] = {}
        for words, type_ in announcement_types(game.program).items():
            reading = None if type_ is None else reading_of(type_, game.setting)
            width = 0 if reading is None else reading.size
            self._announcements[words] = width, reading
            widths[f"announced {words}"] = (game.players + 1) * (width + 1)
        self._passed_places: dict[str, int] = {}
        for route in routes_of(game.program):
            places = game.setting.count(game.program.zones[route.target].index)
            self._passed_places[route.target] = places
            widths[f"passed {route.target}"] = places * (self.cards + places)
        self.parts: dict[str, slice] = {}
        self.size = 0
        for name, width in widths.items():
            self.parts[name] = slice(self.size, self.size + width)
            self.size += width

    def check_questions(self) -> None:
        """Raise `BadUsage` for a game in which an agent has nothing to do."""
        if not self.actions:
            raise BadUsage(f"{self.game.name} asks no questions, so an agent cannot act in it")

    @cached_property
    def largest(self) -> float:
        """A power of two above the size of all variables and announced values."""
        types = [variable.type for variable in self.game.program.variables.values()]
        types += filter(None, announcement_types(self.game.program).values())
        ends = [max(-one.low, one.high) for one in types if isinstance(one, Number)]
        return 2.0 ** (max(ends, default=1) - 1).bit_length()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each action, `DECISION: ACTION`.

        An action that several variants of a family have has the same name in all of them.
        """
        result = [""] * self.actions
        for number, decision, text in self._actions():
            result[number] = f"{decision}: {text}"
        return tuple(result)

    @cached_property
    def _numbers(self) -> dict[tuple[str, str], int]:
        """The number of each action, by its decision and text; the first of equal texts."""
        result: dict[tuple[str, str], int] = {}
        for number, decision, text in self._actions():
            result.setdefault((decision, text), number)
        return result

    def _actions(self) -> Iterator[tuple[int, str, str]]:
        """Yield the number of each action, its decision and its text."""
        for first, plan in zip(self.first, self.game.plans, strict=True):
            for which, option in enumerate(plan.options):
                node = plan.node.options[which]
                for number in range(option.first, option.first + option.size):
                    action = action_of(self.game.setting, node, which, option.values(number))
                    yield first + number, plan.node.decision, action.text

    def number(self, decision: str, text: str) -> int:
        """Return the number of an action, the first of those with equal texts."""
        return self._numbers[decision, text]

    def legal(self, state: State) -> list[int]:
        """Return the numbers of the legal actions, ascending; none if no question is open."""
        question = state.pending
        if not isinstance(question, Question):
            return []
        first = self.first[question.number]
        return [first + number for number in state.legal]

    def mask(self, state: State, seat: int) -> Mask:
        """Return 1 for each legal action if the seat is asked, int8 (actions,)."""
        result = np.zeros(self.actions, np.int8)
        if isinstance(state.pending, Question) and state.pending.seat == seat:
            result[self.legal(state)] = 1
        return result

    def features(self, state: State, seat: int) -> Features:
        """Return the view of a seat, asked or not, float32 (size,)."""
        return self.encode(state.sight(seat), seat, state.pending)

    def encode(self, sight: Sight, seat: int, question: object) -> Features:
        """Return what a seat sees, while a question to anybody or nothing is open."""
        seen = sight.values
        result = np.zeros(self.size, np.float32)
        for name, index in (("seat", seat), ("dealer", seen[DEALER]), ("leader", seen[LEADER])):
            result[self.parts[name].start + index] = 1
        if isinstance(question, Question) and question.seat == seat:
            result[self.parts["decision"].start + question.number] = 1
        result[self.parts["deal"]] = seen[DEAL]
        at = self.parts["deal"].stop
        at = self._put_zones(result, at, seen)
        at = self._put_variables(result, at, seen)
        answers = [
            entry for entry in sight.history if not isinstance(entry, Announcement | PassedCards)
        ]
        for entry in reversed(answers[-LATEST_ANSWERS:]):
            result[at] = 1 + entry.seat
            result[at + 1] = 1 + self.number(entry.decision, entry.action)
            at += 2
        for entry in sight.history:
            if isinstance(entry, Announcement):
                self._put_announced(result, entry)
            elif isinstance(entry, PassedCards):
                self._put_passed(result, entry)
        return result

    def _put_announced(self, features: Features, entry: Announcement) -> None:
        width, reading = self._announcements[entry.decision]
        who = entry.seat if entry.seat >= 0 else self.game.players
        at = self.parts[f"announced {entry.decision}"].start + who * (width + 1)
        features[at + width] = 1
        if reading is None:
            return
        number = reading.number(entry.action)
        if reading.how == SET:
            features[at : at + width] = [number >> i & 1 for i in range(width)]
        else:
            features[at] = number

    def _put_passed(self, features: Features, entry: PassedCards) -> None:
        report = read_passed(entry, self.game.setting)
        places = self._passed_places[entry.decision]
        start = self.parts[f"passed {entry.decision}"].start
        first = start + report.at * self.cards
        features[[first + card for card in report.cards]] = 1 + report.to
        features[start + places * (self.cards + report.at) + report.to] += report.many

    def _put_zones(self, features: Features, at: int, seen: SightValues) -> int:
        for part in self._zones:
            for place in range(part.first, part.end):
                cards, hidden = seen[place], is_hidden(seen[place])
                if isinstance(cards, bytes):
                    features[[at + card for card in cards]] = range(1, len(cards) + 1)
                elif not hidden:
                    features[[at + card for card in bits_in(cards)]] = 1
                features[at + self.cards] = count_cards(cards)
                features[at + self.cards + 1] = not hidden
                at += self.cards + 2
        return at

    def _put_variables(self, features: Features, at: int, seen: SightValues) -> int:
        for part in self._variables:
            width = part.reading.size
            for number in seen[part.first : part.end]:
                if number is not HIDDEN:
                    assert isinstance(number, int)
                    if part.reading.how == SET:
                        features[[at + i for i in bits_in(number)]] = 1
                    else:
                        features[at] = number
                    features[at + width] = 1
                at += width + 1
        return at
