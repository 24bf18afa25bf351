"""One match in native code: its memory, and what happens in it told as events."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from trutdsl.diagnostics import Diagnostic, Note
from trutdsl.ir.builtins import VARIABLES
from trutdsl.ir.types import Element, Kind, SetOf, Type, YesNo
from trutdsl.native.emit_statements import (
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
from trutdsl.native.questions import POLICY_SIZE
from trutdsl.syntax.ast import Audience
from trutdsl.table import (
    Action,
    Arrangement,
    Chance,
    DealStart,
    Event,
    Question,
    RuleError,
    StreamChance,
    action_of,
)
from trutdsl.table.describe import describe_state

MOST_EVENTS = 4096


class NativeMatch:
    """A match being played by machine code; see `trutdsl.table.Match`.

    chance: a plain `StreamChance` is drawn from by the machine code itself; any other chance is
    asked each time.
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
        self.setting, self.layout = code.setting, code.unit.layout
        self.memory = (ctypes.c_uint8 * code.size)()
        self.table = (ctypes.c_int64 * (self._first_event + EVENT * MOST_EVENTS))()
        self.own_chance = type(chance) is StreamChance
        self.pending: Question | DealStart | None = None
        self.history: list[tuple[Question, Action, Audience]] = []
        self.tricks: list[int | None] = []
        self._trick_cards: list[list[Any]] = []
        self._numbers: tuple[int, ...] = ()
        seed, number = (chance.seed, chance.match) if isinstance(chance, StreamChance) else (0, 0)
        self.table[self._at_table + STOPS] = int(not self.own_chance or arrangement is not None)
        self.table[self._at_table + ROOM] = MOST_EVENTS
        code.start(self.memory, self.table, seed, number)
        chance.start(0, 0)
        self._go()

    @property
    def _at_table(self) -> int:
        return POLICY_SIZE // 8 * self.setting.players

    @property
    def _first_event(self) -> int:
        return self._at_table + EVENTS

    # -------------------------------------------------------- going on

    def go_on(self, index: int) -> None:
        """Answer the question with its action of this index, or begin the next deal."""
        if isinstance(self.pending, Question):
            self._write("#answer", 0, self._numbers[index])
            question, action = self.pending, self.pending.actions[index]
            option = self._plan.node.options[action.option]
            audience = Audience.ALL if option.openly else question.audience
            self.history.append((question, action, audience))
            self._tell(
                "action",
                seat=question.seat,
                decision=question.decision,
                action=action.text,
                legal=[a.text for a in question.actions],
            )
        else:
            self.chance.start(self.deals + 1, self._read("dealer"))
            self._counters_before = self.counters()
        self._go()

    def _go(self) -> None:
        while True:
            why = self.code.advance(self.memory, self.table)
            self._tell_events()
            if self._read("#error"):
                raise self._mistake()
            if why == LUCK:
                self._write("#answer", 0, self._by_chance())
            elif why == SETTLED:
                name = self.code.unit.setups[self._read("#luck_zone")]
                given = self.arrangement is not None and self.arrangement.settle(name, self)
                self._write("#answer", 0, int(given))
            else:
                break
        self.pending = None
        if why == QUESTION:
            self.pending = self._question()
        elif why == BEFORE_DEAL:
            self.pending = DealStart(self.deals)

    def _question(self) -> Question:
        self._plan = plan = self.code.plans[self._read("#decision")]
        words = [self._read("#legal", i) for i in range(plan.words)]
        self._numbers = tuple(
            64 * i + bit for i, word in enumerate(words) for bit in range(64) if word >> bit & 1
        )
        actions = []
        for number in self._numbers:
            which = plan.option_of(number)
            values = plan.options[which].values(number)
            actions.append(action_of(self.setting, plan.node.options[which], which, values))
        node = plan.node
        return Question(self._read("#seat"), node.decision, node.audience, tuple(actions))

    def _by_chance(self) -> int:
        kind, one, two = (self._read(name) for name in ("#luck", "#luck_one", "#luck_two"))
        if kind == DRAW:
            zone = list(self.code.program.zones)[self._read("#luck_zone")]
            return self.chance.card(_bits(one), zone, two, bool(self._read("#luck_shown")))
        if kind == ROLL:
            return self.chance.number(one, two)
        if kind == RANDOM:
            return self.chance.element(_bits(one))
        return int(self.chance.yes(one, two))

    def _mistake(self) -> RuleError:
        mistake = self.code.unit.mistakes[self._read("#error") - 1]
        state = describe_state(self, self.code.program, self.setting)
        note = Note("when " + state)
        return RuleError(
            Diagnostic(mistake.code, mistake.message, mistake.span, (note,), None, mistake.place)
        )

    # -------------------------------------------------------- events

    def _tell_events(self) -> None:
        count = self.table[self._at_table + COUNT]
        self.table[self._at_table + COUNT] = 0
        for first in range(min(count, MOST_EVENTS)):
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
                    name = self.code.unit.counters[one]
                    self._tell("counter", name=name, team=two, delta=four - three, value=four)
            case _ if kind == DEAL_END:
                reason = self.code.unit.reasons[two]
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

    # -------------------------------------------------------- what lies in memory

    def _read(self, name: str, at: int = 0) -> int:
        field = self.layout.fields[name]
        first = field.offset + field.size * at
        raw = bytes(self.memory[first : first + field.size])
        return int.from_bytes(raw, "little", signed=field.signed)

    def _write(self, name: str, at: int, value: int) -> None:
        field = self.layout.fields[name]
        first = field.offset + field.size * at
        raw = (value & ((1 << field.bits) - 1)).to_bytes(field.size, "little")
        self.memory[first : first + field.size] = list(raw)

    @property
    def winner(self) -> int | None:
        """The team that has won the match."""
        return _team(self._read("#winner"))

    @property
    def deal_winner(self) -> int | None:
        """The team that won the last finished deal."""
        return _team(self._read("#deal_winner"))

    @property
    def deal_open(self) -> bool:
        """Whether a deal is going on."""
        return bool(self._read("#deal_open"))

    @property
    def deals(self) -> int:
        """How many deals have begun."""
        return self._read("#deals")

    @property
    def decisions(self) -> int:
        """How many questions have been answered."""
        return self._read("#decisions")

    def cards(self, zone: str, at: int) -> list[int]:
        """Return the cards of a zone: of a pile from its lowest card up, else ascending."""
        return [card for group in self._groups(zone, at) for card in group]

    def _groups(self, zone: str, at: int) -> list[list[int]]:
        if not self.code.program.zones[zone].ordered:
            return [[card] for card in _bits(self._read(zone, at))]
        depth, starts = self._read(f"{zone}.depth", at), self._read(f"{zone}.starts", at)
        groups: list[list[int]] = []
        for position in range(depth):
            if starts >> position & 1:
                groups.append([])
            groups[-1].append(self._read(f"{zone}.below", 64 * at + position))
        top = _bits(self._read(f"{zone}.top", at))
        return [*groups, top] if top else groups

    def _set_groups(self, zone: str, at: int, groups: list[list[int]]) -> None:
        cards = sum(1 << card for group in groups for card in group)
        if not self.code.program.zones[zone].ordered:
            self._write(zone, at, cards)
            return
        *below, top = groups or [[]]
        self._write(f"{zone}.all", at, cards)
        self._write(f"{zone}.top", at, sum(1 << card for card in top))
        position = starts = 0
        for group in below:
            starts |= 1 << position
            for card in group:
                self._write(f"{zone}.below", 64 * at + position, card)
                position += 1
        self._write(f"{zone}.depth", at, position)
        self._write(f"{zone}.starts", at, starts)

    def lay(self, card: int, zone: str, at: int) -> None:
        """Take a card from where it lies and lay it somewhere else."""
        for name, one in self.code.program.zones.items():
            for i in range(self.setting.count(one.index)):
                groups = self._groups(name, i)
                if any(card in group for group in groups):
                    left = [[c for c in group if c != card] for group in groups]
                    self._set_groups(name, i, [group for group in left if group])
        self._set_groups(zone, at, [*self._groups(zone, at), [card]])

    def values(self, variable: str) -> list[Any]:
        """Return a variable's or counter's values."""
        field = self.layout.fields[variable]
        type_: Type | None = None
        if variable not in VARIABLES:
            type_ = self.code.program.variables[variable].type
        return [_value(self._read(variable, i), type_) for i in range(field.count)]

    def set_values(self, variable: str, values: Sequence[Any]) -> None:
        """Set a variable or counter to numbers, seats or teams."""
        for i, value in enumerate(values):
            self._write(variable, i, -1 if value is None else int(value))

    def may_see(self, name: str, at: int) -> frozenset[int]:
        """Return the seats to which a zone or variable was revealed."""
        if f"{name}.shown" not in self.layout.fields:
            return frozenset()
        return frozenset(_bits(self._read(f"{name}.shown", at)))

    def counters(self) -> dict[str, list[int]]:
        """Return every counter, a value for each team."""
        return {name: self.values(name) for name in self.code.unit.counters}


def _bits(mask: int) -> list[int]:
    return [i for i in range(64) if mask >> i & 1]


def _team(number: int) -> int | None:
    return None if number < 0 else number


def _value(number: int, type_: Type | None) -> Any:
    match type_:
        case YesNo():
            return bool(number)
        case SetOf():
            return frozenset(_bits(number))
        case Element():
            return None if number < 0 else number
    return number
