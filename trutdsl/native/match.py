"""One match in native code: its memory, and what happens in it told as events."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from copy import copy, deepcopy
from typing import Any

from trutdsl.ir.types import Kind
from trutdsl.native.emit_steps import (
    BEFORE_DEAL,
    COUNT,
    EVENT,
    EVENTS,
    LUCK,
    QUESTION,
    ROOM,
    SETTLED,
    STOPS,
)
from trutdsl.native.engine import StepCode
from trutdsl.native.luck import (
    CARDS,
    COUNTER,
    DEAL,
    DEAL_END,
    DRAW,
    MATCH_END,
    RANDOM,
    RANDOMLY,
    ROLL,
    TRICK,
    TRICK_CARD,
    TURNED,
)
from trutdsl.native.memory import Memory, bits_in, mistake_in
from trutdsl.native.unit import POLICY_SIZE
from trutdsl.syntax.ast import Audience
from trutdsl.table import (
    Arrangement,
    Chance,
    ChanceNode,
    DealStart,
    Event,
    Question,
    Said,
    StreamChance,
    Undecided,
    action_of,
)

FIRST_ROOM = 128  # events between two stops; more room is made where it is needed


class NativeMatch(Memory):
    """A match being played by machine code; see `trutdsl.table.Match`.

    chance: a plain `StreamChance` is drawn from by the machine code itself; any other chance is
    asked each time, and may say by `Undecided` that the match stops there.
    """

    def __init__(
        self,
        code: StepCode,
        chance: Chance,
        emit_to: Callable[[Event], None] | None = None,
        arrangement: Arrangement | None = None,
    ) -> None:
        self.code, self.chance, self.emit_to = code, chance, emit_to
        self.arrangement = arrangement
        memory = (ctypes.c_uint8 * code.size)()
        super().__init__(memory, code.unit, code.program, code.setting)
        self.table = (ctypes.c_int64 * self._first_event)()
        self.own_chance = type(chance) is StreamChance
        self._trick_cards: list[list[Any]] = []
        self._numbers: tuple[int, ...] = ()
        key, number = (0, 0), 0
        if isinstance(chance, StreamChance):
            key, number = chance.key, chance.match
        self.table[self._at_table + STOPS] = int(not self.own_chance or arrangement is not None)
        self._make_room(FIRST_ROOM)
        code.start(self.memory, self.table, *key, number)
        chance.start(0, 0)
        self._go()

    @property
    def _at_table(self) -> int:
        return POLICY_SIZE // 8 * self.setting.players

    @property
    def _first_event(self) -> int:
        return self._at_table + EVENTS

    def _make_room(self, events: int) -> None:
        """Lay a larger table, for so many events between two stops."""
        head = self.table[: self._first_event]
        self.table = (ctypes.c_int64 * (self._first_event + EVENT * events))(*head)
        self.table[self._at_table + ROOM] = events

    def clone(self, emit_to: Callable[[Event], None] | None = None) -> NativeMatch:
        """Return a match that stands where this one does and plays on by itself."""
        twin = copy(self)
        twin.emit_to = emit_to
        twin.memory = type(self.memory).from_buffer_copy(self.memory)
        twin.table = type(self.table).from_buffer_copy(self.table)
        twin.history, twin.tricks = list(self.history), list(self.tricks)
        twin._trick_cards = list(self._trick_cards)
        if not self.own_chance or self.arrangement is not None:
            twin.chance, twin.arrangement = deepcopy((self.chance, self.arrangement))
        return twin

    # -------------------------------------------------------- going on

    def go_on(self, index: int) -> None:
        """Go on with the action or the outcome of this index, or with the next deal."""
        if isinstance(self.pending, ChanceNode):
            self.write("#answer", 0, self.pending.outcomes[index])
        elif isinstance(self.pending, Question):
            self.write("#answer", 0, self._numbers[index])
            question, action = self.pending, self.pending.actions[index]
            option = self._plan.node.options[action.option]
            audience = Audience.ALL if option.openly else question.audience
            said = Said(question.seat, question.decision, action.text)
            self.history.append((said, audience))
            self._tell(
                "action",
                seat=question.seat,
                decision=question.decision,
                action=action.text,
                legal=[a.text for a in question.actions],
            )
        else:
            self.chance.start(self.deals + 1, self.read("dealer"))
            self._counters_before = self.counters()
        self._go()

    def _go(self) -> None:
        while True:
            why = self._advance()
            self._tell_events()
            if self.read("#error"):
                raise mistake_in(self, self.code.whole.mistakes)
            if why == LUCK:
                try:
                    self.write("#answer", 0, self._by_chance())
                except Undecided as stop:
                    self.pending = stop.node
                    return
            elif why == SETTLED:
                name = self.unit.setups[self.read("#luck_zone")]
                given = self.arrangement is not None and self.arrangement.settle(name, self)
                self.write("#answer", 0, int(given))
            else:
                break
        self.pending = None
        if why == QUESTION:
            self.pending = self._question()
        elif why == BEFORE_DEAL:
            self.pending = DealStart(self.deals)

    def _advance(self) -> int:
        """Play up to the next stop; from the last one again if it has more events than room."""
        stood = bytes(self.memory)
        while True:
            why = int(self.code.advance(self.memory, self.table))
            count = self.table[self._at_table + COUNT]
            if count <= self.table[self._at_table + ROOM]:
                return why
            ctypes.memmove(self.memory, stood, len(stood))
            self.table[self._at_table + COUNT] = 0
            self._make_room(count)

    def _question(self) -> Question:
        self._plan = plan = self.code.plans[self.read("#decision")]
        words = [self.read("#legal", i) for i in range(plan.words)]
        self._numbers = tuple(
            64 * i + bit for i, word in enumerate(words) for bit in range(64) if word >> bit & 1
        )
        actions = []
        for number in self._numbers:
            which = plan.option_of(number)
            values = plan.options[which].values(number)
            actions.append(action_of(self.setting, plan.node.options[which], which, values))
        node = plan.node
        return Question(
            self.read("#seat"), node.decision, node.audience, tuple(actions), plan.number
        )

    def _by_chance(self) -> int:
        kind, one, two = (self.read(name) for name in ("#luck", "#luck_one", "#luck_two"))
        if kind == DRAW:
            zone = list(self.program.zones)[self.read("#luck_zone")]
            return self.chance.card(bits_in(one), zone, two, bool(self.read("#luck_shown")))
        if kind == ROLL:
            return self.chance.number(one, two)
        if kind == RANDOM:
            return self.chance.element(bits_in(one), list(Kind)[two])
        return int(self.chance.yes(one, two))

    # -------------------------------------------------------- events

    def _tell_events(self) -> None:
        count = self.table[self._at_table + COUNT]
        self.table[self._at_table + COUNT] = 0
        for first in range(count):
            at = self._first_event + EVENT * first
            self._tell_event(*self.table[at : at + EVENT])

    def _tell_event(self, kind: int, one: int, two: int, three: int, four: int) -> None:
        texts = self.setting.deck.texts
        match kind:
            case _ if kind == DEAL:
                self.history, self.tricks = [], []
                self._tell("deal", deal=one, dealer=two, counters=self._counters_before)
            case _ if kind == CARDS:
                self._tell("cards", seat=one, cards=[texts[two]])
            case _ if kind == TURNED:
                self._tell("turned", card=texts[one])
            case _ if kind == RANDOMLY:
                self._tell_random(one, two, three)
            case _ if kind == TRICK_CARD:
                self._trick_cards.append([one, texts[two]])
            case _ if kind == TRICK:
                winner = None if two < 0 else two
                team = None if winner is None else self.setting.team(winner)
                self.tricks.append(team)
                cards, self._trick_cards = self._trick_cards, []
                self._tell("trick", leader=one, cards=cards, winner=winner, team=team)
            case _ if kind == COUNTER:
                if three != four:
                    name = self.unit.counters[one]
                    self._tell("counter", name=name, team=two, delta=four - three, value=four)
            case _ if kind == DEAL_END:
                reason = self.code.facts.reasons[two]
                self._tell("deal_end", winner=None if one < 0 else one, reason=reason)
            case _ if kind == MATCH_END:
                winner = None if one < 0 else one
                counters = self.counters()
                self._tell("match_end", winner=winner, counters=counters, deals=self.deals)
            case _:
                raise AssertionError(kind)

    def _tell_random(self, luck: int, value: int, two: int) -> None:
        if luck == ROLL:
            self._tell("random", what="die", value=value)
        elif luck == RANDOM:
            kind = list(Kind)[two]
            self._tell("random", what=kind.value, value=self.setting.text_of(kind, value))
        else:
            self._tell("random", what="chance", value=bool(value))

    def _tell(self, event: str, **fields: object) -> None:
        if self.emit_to is not None:
            self.emit_to({"event": event, **fields})
