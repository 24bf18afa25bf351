"""A match in the reference engine: its state, its events, and the generator that plays it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass
from enum import Enum
from inspect import GEN_RUNNING, getgeneratorstate
from typing import Any

from trutdsl.diagnostics import Span
from trutdsl.interp.table import TableState, observe
from trutdsl.ir import nodes
from trutdsl.ir.effects import CountedNode
from trutdsl.ir.intervals import MOST_QUESTIONS, MOST_QUESTIONS_A_DEAL, MOST_STEPS
from trutdsl.ir.types import Kind
from trutdsl.syntax.ast import Audience
from trutdsl.table.chance import Chance, ChancePending, Draw, OpenChance
from trutdsl.table.match import (
    Action,
    Announcement,
    Arrangement,
    ChanceNode,
    DealStart,
    Event,
    Hearers,
    HistoryEntry,
    Pending,
    Question,
    Route,
    Seen,
    passing,
)
from trutdsl.table.setting import Setting
from trutdsl.table.sight import Reading, notices, sees

# How a statement says that those after it are not the next to be done.


class Leave(Enum):
    """What is left: the loop, its turn, the question's answer, the trick, the deal, the match."""

    STOP = 1
    NEXT = 2
    AGAIN = 3
    END_TRICK = 4
    END_DEAL = 5
    END_MATCH = 6


@dataclass(frozen=True)
class ReturnSignal:
    """The rule or function is left, with this value."""

    value: Any


Signal = Leave | ReturnSignal | None

Slots = list[Any]
Talk = Generator[Any, Any, Any]


@dataclass(frozen=True)
class CompiledStatement:
    """A statement's function; if it `asks`, that is a generator which returns the signal."""

    asks: bool
    run: Callable[[Machine, Slots], Any]


Evaluate = Callable[["Machine", Slots], Any]


class CompiledProgram(ABC):
    """A program made ready to be played in one setting.

    cost:     gives the steps that are counted for one turn or use of what is long.
    bounds:   from where to where a variable goes. capacity: how many cards a zone holds.
    routes:   between which zones cards are passed, of which seats are told.
    initial:  what a variable starts as. contents: the cards that a zone starts with.
    """

    program: nodes.Program
    setting: Setting
    cost: Callable[[CountedNode], int]
    questions: dict[int, int]
    bounds: dict[str, tuple[int, int]]
    capacity: dict[str, int]
    initial: dict[str, Evaluate]
    contents: dict[str, Evaluate]
    routes: frozenset[Route]
    main: CompiledStatement

    @abstractmethod
    def value(self, node: nodes.Expression) -> Evaluate:
        """Return what works an expression out, for what stands in expressions itself."""

    def place(self, node: nodes.ZoneCards) -> Evaluate:
        """Return what says which place of a zone is meant; a shared zone has place 0."""
        return (lambda _m, _f: 0) if node.index is None else self.value(node.index)

    @abstractmethod
    def rule(self, name: str) -> CompiledStatement:
        """Return what a rule does; its arguments fill the first slots of its frame."""

    def watched(self, _node: nodes.If, _test: nodes.Expression, evaluate: Evaluate) -> Evaluate:
        """Return the test of an `if`; whoever wants to know what comes of it changes this."""
        return evaluate

    @abstractmethod
    def function(self, name: str) -> Evaluate:
        """Return what a `define` works out from its arguments."""

    @abstractmethod
    def compile_ask(self, node: nodes.Ask) -> CompiledStatement:
        """Return what a question does."""

    # What only the code of a policy does, see `interp.policy`.

    def policy_value(self, node: nodes.Legal | nodes.LegalAt | nodes.Remembered) -> Evaluate:
        raise AssertionError(f"{type(node).__name__} stands outside of a policy")

    def in_sight(self, node: nodes.Builtin) -> Evaluate:
        """Return the cards of a zone as far as the seat of a policy sees them."""
        raise AssertionError(f"'{node.name}' stands outside of a policy")

    def take(self, node: nodes.Take | nodes.TakeAny) -> CompiledStatement:
        """Return how a policy answers."""
        raise AssertionError(f"{type(node).__name__} stands outside of a policy")

    def memory_store(
        self, target: nodes.Remembered, op: str
    ) -> Callable[[Machine, Slots, Any], Signal]:
        raise AssertionError(f"'{target.name}' {op} stands outside of a policy")


class Machine(TableState):
    """One match being played.

    emit_to: gets every event as it happens, or None. Besides, what a result needs is kept here:
    the winner, the last finished deal and its tricks, the actions of the deal that is going on.
    """

    def __init__(
        self,
        code: CompiledProgram,
        chance: Chance,
        emit_to: Callable[[Event], None] | None = None,
        arrangement: Arrangement | None = None,
    ) -> None:
        super().__init__(code.program, code.setting, code.capacity, emit_to)
        self.code, self.chance, self.arrangement = code, chance, arrangement
        self.routes = code.routes
        self.begin()

    def begin(self) -> None:
        """Begin the match, from the start."""
        self.clear()
        self.steps = 0
        self.history: list[tuple[HistoryEntry, Hearers]] = []
        self.decisions = self.choices = 0
        self._questions_end = MOST_QUESTIONS_A_DEAL  # where there are too many decisions
        self.over = False
        self.winner: int | None = None
        self.deal_open = False
        self.deal_winner: int | None = None
        self.deal_reason: str | None = None
        self.tricks: list[int | None] = []
        self.trick_zone: str | None = None
        self.trick_leader = 0
        for name, content in self.code.contents.items():
            zone = self.program.zones[name]
            assert zone.content is not None
            cards = sorted(content(self, [None] * zone.slots))
            self.lay_out(name, cards, zone.content.span)
        for lifetime in ("match", "deal", "trick"):
            self._start_variables(lifetime)
        self._play = self._run()
        self.pending: Pending = None
        self.pending = next(self._play, None)

    def go_on(self, index: int) -> None:
        """Answer the question with its action of this index, or begin the next deal."""
        try:
            self.pending = self._play.send(index)
        except StopIteration:
            self.pending = None

    def sight(self, seat: int) -> tuple[Seen, tuple[HistoryEntry, ...]]:
        """Return what a seat sees, and what it heard in this deal."""
        heard = (said for said, by in self.history if notices(said, by, seat, self.setting))
        return observe(self, self.program, self.setting, seat), tuple(heard)

    def _run(self) -> Generator[Question | DealStart, int, None]:
        """Play the match; yields questions, answered with an action's index, and deal starts."""
        self.chance.start(0)
        main = self.code.main
        signal = (yield from main.run(self, [])) if main.asks else main.run(self, [])
        if signal is not Leave.END_MATCH:
            self.headings.append("rule 'match'")
            raise self.error(
                "no-end", "the match never reaches an `end match`", self.program.rules["match"].span
            )

    def _start_variables(self, lifetime: str) -> None:
        for variable in self.program.variables.values():
            if variable.lifetime == lifetime:
                value = self.code.initial[variable.name](self, [None] * variable.slots)
                if variable.name in self.code.bounds:
                    low, high = self.code.bounds[variable.name]
                    if not low <= value <= high:
                        message = (
                            f"'{variable.name}' would start as {value}, but is from {low} to {high}"
                        )
                        raise self.error("out-of-range", message, variable.initial.span)
                count = self.setting.count(variable.index)
                self.variables[variable.name] = [value] * count

    def step(self, span: Span, cost: int) -> None:
        self.steps += cost
        if self.steps > MOST_STEPS:
            message = f"after {MOST_STEPS:,} steps the rules reached no question or deal"
            raise self.error("too-long", message, span)

    def before_deal(self) -> DealStart:
        return DealStart(self.deals)

    def count_question(self, span: Span) -> None:
        if self.decisions < self._questions_end:
            return
        if self.decisions >= MOST_QUESTIONS:
            message = f"the match has more than {MOST_QUESTIONS:,} questions"
        else:
            message = f"there are more than {MOST_QUESTIONS_A_DEAL:,} questions without a new deal"
        raise self.error("too-long", message, span)

    def start_deal(self) -> None:
        """Begin the next deal: its chance stream, its variables, and nothing revealed any more."""
        self._questions_end = min(self.decisions + MOST_QUESTIONS_A_DEAL, MOST_QUESTIONS)
        self.steps = 0
        dealer = self.variables["dealer"][0]
        self.chance.start(self.deals + 1)
        self.grants.clear()
        self.history.clear()
        self.tricks = []
        self.deal_open = True
        self.emit("deal", deal=self.deals, dealer=dealer, counters=self.counters())
        self.deals += 1
        self._start_variables("deal")

    def end_deal(self, winner: int | None, reason: str) -> None:
        self.deal_open = False
        self.deal_winner, self.deal_reason = winner, reason
        self.emit("deal_end", winner=winner, reason=reason)

    def start_trick(self, zone: str) -> None:
        self.trick_zone = zone
        self.trick_leader = self.variables["on_lead"][0]
        self._start_variables("trick")

    def leave_trick(self) -> None:
        self.trick_zone = None

    def end_trick(self, winner: int | None) -> None:
        """Finish the trick: note who won it, and its cards in the order of play."""
        assert self.trick_zone is not None
        setting = self.setting
        order = [(self.trick_leader + i) % setting.players for i in range(setting.players)]
        cards = [
            [seat, setting.deck.texts[card]]
            for seat in order
            for card in self.zones[self.trick_zone][seat].cards()
        ]
        team = setting.team(winner) if winner is not None else None
        self.tricks.append(team)
        self.emit("trick", leader=self.trick_leader, cards=cards, winner=winner, team=team)

    def end_match(self, winner: int | None, reason: str | None) -> None:
        """Finish the match, and with it a deal that is open."""
        if self.deal_open:
            self.end_deal(winner, reason or "match_over")
        self.over, self.winner = True, winner
        self.emit("match_end", winner=winner, counters=self.counters(), deals=self.deals)

    def draw(self, origin: str, at: int, target: str, index: int, face_up: bool, span: Span) -> int:
        """Move the top card of a pile."""
        pile = self.zones[origin][at]
        if not len(pile):
            raise self.error("no-card", f"'{origin}' is empty", span)
        zone = self.program.zones[target]
        shown = face_up or zone.audience is Audience.ALL
        seats = self.setting.players if zone.index is Kind.SEAT else 0
        card = pile.draw(self.chance, Draw(origin, at, target, index, shown, seats))
        self.put([[card]], target, index, False, span)
        text = self.setting.deck.texts[card]
        if zone.audience is not Audience.ALL and zone.index is not None:
            self.emit("cards", seat=index, cards=[text])
        if shown:
            self.emit("turned", card=text)
        return card

    def arranged(self, name: str) -> bool:
        """Tell whether what a `setup` settles is given beforehand, and put it there."""
        return self.arrangement is not None and self.arrangement.settle(name, self)

    def announce(
        self, words: str, reading: Reading, speaker: int | None, value: int, seats: Iterable[int]
    ) -> None:
        """Tell seats a value, and the one that says it, if any does."""
        hearers = frozenset(seats) | ({speaker} if speaker is not None else frozenset())
        who = -1 if speaker is None else speaker
        self.history.append((Announcement(who, words, reading.text(value)), hearers))
        told = reading.plain(value)
        self.emit("announced", seat=speaker, what=words, value=told, to=sorted(hearers))

    def passed(self, origin: str, at: int, target: str, to: int, cards: list[int]) -> None:
        """Tell of cards that went from one seat or team to another, where not all see that."""
        route = Route(origin, target)
        if at == to or not cards or route not in self.routes:
            return
        told = passing(route, at, to, cards, self.program, self.setting)
        seats = range(self.setting.players)
        seers = {s for s in seats if self._sees(origin, at, s) or self._sees(target, to, s)}
        self.history += [(told.seen, frozenset(seers)), (told.unseen, frozenset(seats) - seers)]
        self.emit("passed", **told.event)

    def _sees(self, zone: str, at: int, seat: int) -> bool:
        shown = seat in self.grants.get((zone, at), ())
        return shown or sees(self.program.zones[zone], at, seat, self.setting)

    def note_action(self, question: Question, action: Action, audience: Audience) -> None:
        """Remember what a seat chose, and who noticed."""
        self.decisions += 1
        self.choices += len(question.actions) > 1
        self.steps = 0
        self.history.append((HistoryEntry(question.seat, question.decision, action.text), audience))
        self.emit(
            "action",
            seat=question.seat,
            decision=question.decision,
            action=action.text,
            legal=list(question.texts),
        )


# A match that is played again from its start, to be copied or to go on where chance is open.
#
# A generator can neither be copied nor go on after an exception. So a new one gets all answers of
# the old one again. That is slow, and plainly right.


class RepeatableMachine(Machine):
    """A match that remembers all that was done with it from outside.

    chance: an `OpenChance` makes it stop at a `ChanceNode` wherever chance is asked. Any other
    chance, and the arrangement, is copied as it is given, by `copy.deepcopy`.
    """

    def __init__(
        self,
        code: CompiledProgram,
        chance: Chance,
        emit_to: Callable[[Event], None] | None = None,
        arrangement: Arrangement | None = None,
    ) -> None:
        self._given = deepcopy((chance, arrangement))
        self._done: list[int | tuple[str, Sequence[Any]]] = []
        self._decided: list[int] = []
        self._events = self._told = 0
        super().__init__(code, chance, emit_to, arrangement)

    def begin(self) -> None:
        self._until_open(super().begin)

    def go_on(self, index: int) -> None:
        """Go on with the action or the outcome of this index, or with the next deal."""
        if isinstance(self.pending, ChanceNode):
            self._decided.append(index)
            self._play_again()
        else:
            self._done.append(index)
            self._until_open(lambda: Machine.go_on(self, index))

    def set_values(self, variable: str, values: Sequence[Any]) -> None:
        """Set a variable or counter; what an arrangement sets is set again by it."""
        if getgeneratorstate(self._play) != GEN_RUNNING:
            self._done.append((variable, values))
        super().set_values(variable, values)

    def emit(self, event: str, **fields: object) -> None:
        """Tell of something that happened, once."""
        self._events += 1
        if self._events > self._told:
            super().emit(event, **fields)

    def clone(self, emit_to: Callable[[Event], None] | None = None) -> RepeatableMachine:
        """Return a match that stands where this one does and plays on by itself."""
        twin = copy(self)
        twin.emit_to, twin._decided = emit_to, list(self._decided)
        twin._play_again()
        return twin

    def _play_again(self) -> None:
        """Do from the start what was done; tell only what was not told yet."""
        self._told, self._events = self._events, 0
        self.chance, self.arrangement = deepcopy(self._given)
        if isinstance(self.chance, OpenChance):
            self.chance.decided = list(self._decided)
        done, self._done = self._done, []
        self.begin()
        for step in done:
            if isinstance(step, int):
                self.go_on(step)
            else:
                self.set_values(*step)

    def _until_open(self, play: Callable[[], None]) -> None:
        try:
            play()
        except ChancePending as stop:
            self.pending = stop.node
