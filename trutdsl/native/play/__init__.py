"""Matches in machine code: one match with its events; many, or many side by side."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from copy import copy, deepcopy
from typing import Any

from trutdsl.ir.types import Kind, SetOf
from trutdsl.native import abi
from trutdsl.native.jit import StepCode
from trutdsl.native.layout import WORD
from trutdsl.native.play.memory import MatchMemory, mistake_in
from trutdsl.syntax.ast import Audience
from trutdsl.table.chance import Chance, ChancePending, Draw, StreamChance
from trutdsl.table.match import (
    Announcement,
    Arrangement,
    ChanceNode,
    DealStart,
    Event,
    Hearers,
    HistoryEntry,
    Question,
    Route,
    SightValues,
    cards_named,
    passing,
)
from trutdsl.table.sight import bits_in, notices, reading_of

ALL = Audience.ALL
DEAL, EVENT, QUESTION, TRICK = abi.DEAL, abi.EVENT, abi.QUESTION, abi.TRICK
FIRST_ROOM = 128  # capacity of events between two stops; it grows if needed


class NativeMatch(MatchMemory):
    """A match in play in machine code; see `trutdsl.table.Match`.

    chance: machine code draws from a plain `StreamChance` itself. It asks any other chance each
            time; `Undecided` stops the match there.
    pauses: whether it stops before each deal.
    """

    def __init__(
        self,
        code: StepCode,
        chance: Chance,
        emit_to: Callable[[Event], None] | None = None,
        arrangement: Arrangement | None = None,
        pauses: bool = True,
    ) -> None:
        self.code, self.chance, self.emit_to = code, chance, emit_to
        self.arrangement, self.pauses = arrangement, pauses
        super().__init__((ctypes.c_uint8 * code.size)(), code.unit, code.program, code.setting)
        self._at_table = code.facts.entry * code.setting.players
        self._count_at = self._at_table + abi.COUNT
        self._first_event = self._at_table + abi.EVENTS
        self.own_chance = type(chance) is StreamChance
        self._noticed: list[tuple[HistoryEntry, ...]]
        self._forget_deal()
        self._trick_cards: list[list[Any]] = []
        self._texts = code.setting.deck.texts
        # The team of each seat, then that of seat -1, which means no seat.
        seats = range(code.setting.players)
        self._teams = (*(code.setting.team(seat) for seat in seats), None)
        key, number = (0, 0), 0
        if isinstance(chance, StreamChance):
            key, number = chance.key, chance.match
        head = [0] * self._first_event
        head[self._at_table + abi.STOPS] = int(not self.own_chance or arrangement is not None)
        head[self._at_table + abi.LISTENED] = int(emit_to is not None)
        self._lay_table(head, FIRST_ROOM)
        code.start(self._memory_at, self._table_at, *key, number)
        if not self.own_chance:
            chance.start(0)
        self._go()

    def _lay_table(self, head: list[int], events: int) -> None:
        """Allocate a table with this start, with room for so many events between two stops."""
        head[self._at_table + abi.ROOM] = self._room = events
        self.table = (ctypes.c_int64 * (self._first_event + abi.EVENT * events))(*head)
        self._find()

    def _find(self) -> None:
        """Store the addresses of the match and its table."""
        self._memory_at = ctypes.addressof(self.memory)
        self._table_at = ctypes.addressof(self.table)
        self.bytes = memoryview(self.memory).cast("B")
        self._words = self.bytes.cast("q")
        self._asks = self.bytes[self.code.asked_at]
        self.events = memoryview(self.table).cast("B").cast("q")

    def clone(self, emit_to: Callable[[Event], None] | None = None) -> NativeMatch:
        """Return an independent copy of the match at the same position."""
        twin = copy(self)
        twin.emit_to = emit_to
        twin.memory = type(self.memory).from_buffer_copy(self.memory)
        twin.table = type(self.table).from_buffer_copy(self.table)
        twin._find()
        twin.events[self._at_table + abi.LISTENED] = int(emit_to is not None)
        twin.history, twin.tricks = list(self.history), list(self.tricks)
        twin._noticed = list(self._noticed)
        twin._trick_cards = list(self._trick_cards)
        if not self.own_chance or self.arrangement is not None:
            twin.chance, twin.arrangement = deepcopy((self.chance, self.arrangement))
        return twin

    # -------------------------------------------------------- continuing

    def go_on(self, index: int) -> None:
        """Continue with the action or outcome of this index, or with the next deal."""
        pending = self.pending
        if isinstance(pending, Question):
            question = self._question
            self._words[self.code.answer_at] = question.numbers[index]
            answer = entry, audience = question.announcements[index]
            if audience is ALL and self._all_alike:
                self.history.append(answer)
                self._noticed = [(*self._noticed[0], entry)] * self.setting.players
            else:
                self._note(entry, audience)
            self._named = cards_named(entry.action, audience)
            if self.emit_to is not None:
                legal = list(pending.texts)
                self._tell("action", **entry._asdict(), legal=legal)
        elif isinstance(pending, ChanceNode):
            self.write("#answer", 0, pending.outcomes[index])
        else:
            self._begin_deal()
        self._go()

    def _begin_deal(self) -> None:
        """Let the next deal begin when the match continues."""
        if not self.own_chance:
            self.chance.start(self.deals + 1)
        if self.emit_to is not None:
            self._before = self.code.counters.read(self.bytes)

    def _note(self, entry: HistoryEntry, audience: Hearers) -> None:
        self.history.append((entry, audience))
        self._all_alike = False
        self._noticed = [
            (*entries, entry) if notices(entry, audience, seat, self.setting) else entries
            for seat, entries in enumerate(self._noticed)
        ]

    def sight(self, seat: int) -> tuple[SightValues, tuple[HistoryEntry, ...]]:
        """Return the view of a seat, and its entries of this deal."""
        return self.code.observers[seat](self.bytes), self._noticed[seat]

    def _go(self) -> None:
        code = self.code
        while True:
            old_bytes = self.bytes.tobytes()
            why: int = code.advance(self._memory_at, self._table_at)
            if self.events[self._count_at]:
                why = self._hear(old_bytes, why)
            if why == QUESTION:
                self._question = question = code.questions[self._asks.tobytes()]
                self.pending = question.question
                return
            if why == abi.BEFORE_DEAL:
                if self.pauses:
                    self.pending = DealStart(self.deals)
                    return
                self._begin_deal()
            elif why == abi.LUCK:
                try:
                    self.write("#answer", 0, self._by_chance())
                except ChancePending as stopped:
                    self.pending = stopped.node
                    return
            elif why == abi.SETTLED:
                name = self.unit.setups[self.read("#luck_zone")]
                value = self.arrangement is not None and self.arrangement.settle(name, self)
                self.write("#answer", 0, int(value))
            else:
                if self.read("#error"):
                    raise mistake_in(self, code.whole.mistakes)
                self.pending = None
                return

    def _hear(self, old_bytes: bytes, why: int) -> int:
        """Report the events since the last stop, from this state; return why it stops now.

        If there were more events than room, it plays from there again.
        """
        at = self._count_at
        while (count := self.events[at]) > self._room:
            self.bytes[:] = old_bytes
            self.events[at] = 0
            self._lay_table(self.table[: self._first_event], count)
            why = self.code.advance(self._memory_at, self._table_at)
        events, first = self.events, self._first_event
        events[at] = 0
        for event in range(first, first + EVENT * count, EVENT):
            kind = events[event]
            if kind == TRICK and self.emit_to is None:
                self.tricks.append(self._teams[events[event + 2]])
            elif kind == DEAL and self.emit_to is None:
                self._forget_deal()
            else:
                self._tell_event(*events[event : event + EVENT].tolist())
        return why

    def _forget_deal(self) -> None:
        """Forget the entries and trick winners of the previous deal."""
        self.history, self.tricks = [], []
        self._noticed = [()] * self.setting.players
        self._all_alike = True  # whether all seats heard the same
        self._named = frozenset[str]()  # by the last answer, of cards that are not yet turned up

    def _by_chance(self) -> int:
        kind, one, two = (self.read(name) for name in ("#luck", "#luck_one", "#luck_two"))
        if kind == abi.DRAW:
            zones = list(self.program.zones.values())
            origin, target = zones[self.read("#luck_origin")], zones[self.read("#luck_zone")]
            seats = self.setting.players if target.index is Kind.SEAT else 0
            place, shown = self.read("#luck_place"), bool(self.read("#luck_shown"))
            draw = Draw(origin.name, place, target.name, two, shown, seats)
            return self.chance.card(bits_in(one & WORD), draw)
        if kind == abi.ROLL:
            return self.chance.number(one, two)
        if kind == abi.RANDOM:
            return self.chance.element(
                bits_in(one & WORD), [*self.layout.chance_sets.values()][two]
            )
        return int(self.chance.yes(one, two))

    # -------------------------------------------------------- events

    def _tell_event(self, kind: int, one: int, two: int, three: int, four: int) -> None:
        match kind:
            case abi.DEAL:
                self._forget_deal()
                at, teams = self.code.counters.at, self.setting.teams
                counters = {n: [*self._before[at[n] : at[n] + teams]] for n in self.unit.counters}
                self._tell("deal", deal=one, dealer=two, counters=counters)
            case abi.CARDS:
                self._tell("cards", seat=one, cards=[self._texts[two]])
            case abi.TURNED:
                self._tell("turned", card=self._texts[one])
            case abi.TURNED_BY_RULES:
                if self._texts[one] not in self._named:
                    self._tell("turned", card=self._texts[one])
                self._named -= {self._texts[one]}
            case abi.RANDOMLY:
                self._tell_random(one, two, three)
            case abi.TRICK_CARD:
                self._trick_cards.append([one, self._texts[two]])
            case abi.TRICK:
                winner, team = None if two < 0 else two, self._teams[two]
                self.tricks.append(team)
                cards, self._trick_cards = self._trick_cards, []
                self._tell("trick", leader=one, cards=cards, winner=winner, team=team)
            case abi.COUNTER:
                if three != four:
                    name = self.unit.counters[one]
                    self._tell("counter", name=name, team=two, delta=four - three, value=four)
            case abi.DEAL_END:
                reason = self.code.facts.reasons[two]
                self._tell("deal_end", winner=None if one < 0 else one, reason=reason)
            case abi.MATCH_END:
                winner = None if one < 0 else one
                counters = self.counters()
                self._tell("match_end", winner=winner, counters=counters, deals=self.deals)
            case abi.ANNOUNCED:
                self._tell_announced(one, two, three, four)
            case abi.PASSED:
                places = divmod(two, abi.PLACES)
                self._tell_passed(self.layout.routes[one], *places, three, four)
            case _:
                raise AssertionError(kind)

    def _tell_announced(self, number: int, who: int, value: int, mask: int) -> None:
        words, type_ = self.layout.announcements[number]
        if isinstance(type_, SetOf):
            value &= WORD  # a mask
        reading, hearers = reading_of(type_, self.setting), bits_in(mask)
        self._note(Announcement(who, words, reading.text(value)), frozenset(hearers))
        speaker, text = None if who < 0 else who, reading.plain(value)
        self._tell("announced", seat=speaker, what=words, value=text, to=hearers)

    def _tell_passed(self, route: Route, at: int, to: int, mask: int, seers: int) -> None:
        cards, seats = bits_in(mask & WORD), frozenset(range(self.setting.players))
        event = passing(route, at, to, cards, self.program, self.setting)
        see = frozenset(bits_in(seers))
        self._note(event.seen_cards, see)
        self._note(event.hidden_cards, seats - see)
        self._tell("passed", **event.event)

    def _tell_random(self, luck: int, value: int, two: int) -> None:
        if luck == abi.ROLL:
            self._tell("random", what="die", value=value)
        elif luck == abi.RANDOM:
            name, kind = [*self.layout.chance_sets.items()][two]
            self._tell("random", what=name, value=self.setting.text_of(kind, value))
        else:
            self._tell("random", what="chance", value=bool(value))

    def _tell(self, event: str, **fields: object) -> None:
        if self.emit_to is not None:
            self.emit_to({"event": event, **fields})
