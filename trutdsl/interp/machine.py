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
from trutdsl.language import figure, say
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
    SightValues,
    cards_named,
    passing,
    turns_up,
)
from trutdsl.table.setting import Setting
from trutdsl.table.sight import Reading, notices, sees

# Signals: how a statement changes the order of execution.


class Leave(Enum):
    """The exits: from a loop, its turn, a question's answer, the trick, the deal, the match."""

    STOP = 1
    NEXT = 2
    AGAIN = 3
    END_TRICK = 4
    END_DEAL = 5
    END_MATCH = 6


@dataclass(frozen=True)
class ReturnSignal:
    """The exit from a rule or function, with its value."""

    value: Any


Signal = Leave | ReturnSignal | None

Slots = list[Any]
Talk = Generator[Any, Any, Any]


@dataclass(frozen=True)
class CompiledStatement:
    """A statement as a function; if it `asks`, that is a generator that returns the signal."""

    asks: bool
    run: Callable[[Machine, Slots], Any]


Evaluate = Callable[["Machine", Slots], Any]


class CompiledProgram(ABC):
    """A program compiled for one setting.

    cost:     returns the steps to count for one turn or use of a long part.
    bounds:   the range of each variable. capacity: the greatest number of cards in each zone.
    routes:   the pairs of zones between which passed cards are reported.
    initial:  the start values of variables. contents: the cards in zones at the start.
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
        """Return the function that evaluates an expression; expressions call it for their parts."""

    def place(self, node: nodes.ZoneCards) -> Evaluate:
        """Return the function for the place of a zone; a shared zone has place 0."""
        return (lambda _m, _f: 0) if node.index is None else self.value(node.index)

    @abstractmethod
    def rule(self, name: str) -> CompiledStatement:
        """Return the compiled rule; its arguments fill the first slots of its frame."""

    def observe_test(
        self, _node: nodes.If, _test: nodes.Expression, evaluate: Evaluate
    ) -> Evaluate:
        """Return the test of an `if`; subclasses that record its result override this."""
        return evaluate

    @abstractmethod
    def function(self, name: str) -> Evaluate:
        """Return the function of a `define`."""

    @abstractmethod
    def compile_ask(self, node: nodes.Ask) -> CompiledStatement:
        """Compile a question."""

    # Only the code of a policy implements these, see `interp.policy`.

    def policy_value(self, node: nodes.Legal | nodes.LegalAt | nodes.Remembered) -> Evaluate:
        raise AssertionError(f"{type(node).__name__} stands outside of a policy")

    def in_sight(self, node: nodes.Builtin) -> Evaluate:
        """Return the cards of a zone that the seat of a policy sees."""
        raise AssertionError(f"'{node.name}' stands outside of a policy")

    def take(self, node: nodes.Take | nodes.TakeAny) -> CompiledStatement:
        """Compile the answer of a policy."""
        raise AssertionError(f"{type(node).__name__} stands outside of a policy")

    def memory_store(
        self, target: nodes.Remembered, op: str
    ) -> Callable[[Machine, Slots, Any], Signal]:
        raise AssertionError(f"'{target.name}' {op} stands outside of a policy")


class Machine(TableState):
    """One match in play; it records all calls from outside, for copies and open chance.

    emit_to: receives every event as it happens, or None. The machine also stores the data of a
             result: the winner, the last finished deal and its tricks, the actions of the current
             deal.
    chance:  an `OpenChance` makes it stop at a `ChanceNode` at each chance event. Other chance and
             the arrangement are copied by `copy.deepcopy`.
    """

    # A generator cannot be copied, and cannot continue after an exception. So a new one repeats all
    # answers of the old one. That is slow, but simple.

    def __init__(
        self,
        code: CompiledProgram,
        chance: Chance,
        emit_to: Callable[[Event], None] | None = None,
        arrangement: Arrangement | None = None,
    ) -> None:
        super().__init__(code.program, code.setting, code.capacity, emit_to)
        self.code, self.chance, self.arrangement = code, chance, arrangement
        self._start = deepcopy((chance, arrangement))
        self._steps: list[int | tuple[str, Sequence[Any]]] = []
        self._outcomes: list[int] = []
        self._events = self._known_events = 0
        self.routes = code.routes
        self.begin()

    def begin(self) -> None:
        """Begin the match."""
        self.clear()
        self.steps = 0
        self.history: list[tuple[HistoryEntry, Hearers]] = []
        self.decisions = self.choices = 0
        self._questions_end = MOST_QUESTIONS_A_DEAL  # the limit of decisions
        self.over = False
        self.winner: int | None = None
        self.deal_open = False
        self.deal_winner: int | None = None
        self.tricks: list[int | None] = []
        self._named = frozenset[str]()  # by the last answer, of cards that are not yet turned up
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
        self._resume(None)

    def go_on(self, index: int) -> None:
        """Continue with the action or the outcome of this index, or with the next deal."""
        if isinstance(self.pending, ChanceNode):
            self._outcomes.append(index)
            self._play_again()
        else:
            self._steps.append(index)
            self._resume(index)

    def _resume(self, answer: int | None) -> None:
        try:
            self.pending = self._play.send(answer)
        except StopIteration:
            self.pending = None
        except ChancePending as stop:
            self.pending = stop.node

    def set_values(self, variable: str, values: Sequence[Any]) -> None:
        """Set a variable or counter; an arrangement repeats its own changes."""
        if getgeneratorstate(self._play) != GEN_RUNNING:
            self._steps.append((variable, values))
        super().set_values(variable, values)

    def emit(self, event: str, **fields: object) -> None:
        """Report an event once."""
        self._events += 1
        if self._events > self._known_events:
            super().emit(event, **fields)

    def clone(self, emit_to: Callable[[Event], None] | None = None) -> Machine:
        """Return an independent copy of the match at the same position."""
        twin = copy(self)
        twin.emit_to, twin._outcomes = emit_to, list(self._outcomes)
        twin._play_again()
        return twin

    def _play_again(self) -> None:
        """Repeat all calls from the start; report only new events."""
        self._known_events, self._events = self._events, 0
        self.chance, self.arrangement = deepcopy(self._start)
        if isinstance(self.chance, OpenChance):
            self.chance.outcomes = list(self._outcomes)
        done, self._steps = self._steps, []
        self.begin()
        for step in done:
            if isinstance(step, int):
                self.go_on(step)
            else:
                self.set_values(*step)

    def sight(self, seat: int) -> tuple[SightValues, tuple[HistoryEntry, ...]]:
        """Return the view of a seat, and what it heard in this deal."""
        entries = (answer for answer, by in self.history if notices(answer, by, seat, self.setting))
        return observe(self, self.program, self.setting, seat), tuple(entries)

    def _run(self) -> Generator[Question | DealStart, int | None, None]:
        """Play the match; yields questions, answered with an action's index, and deal starts."""
        self.chance.start(0)
        main = self.code.main
        signal = (yield from main.run(self, [])) if main.asks else main.run(self, [])
        if signal is not Leave.END_MATCH:
            self.headings.append(self.program.rules["match"].heading)
            text = say("the match never reaches an `end match`")
            raise self.error("no-end", text, self.program.rules["match"].span)

    def _start_variables(self, lifetime: str) -> None:
        for variable in self.program.variables.values():
            if variable.lifetime == lifetime:
                value = self.code.initial[variable.name](self, [None] * variable.slots)
                if variable.name in self.code.bounds:
                    low, high = self.code.bounds[variable.name]
                    if not low <= value <= high:
                        text = "'{name}' would start as {value}, but is from {low} to {high}"
                        message = say(text, name=variable.name, value=value, low=low, high=high)
                        raise self.error("out-of-range", message, variable.initial.span)
                count = self.setting.count(variable.index)
                self.variables[variable.name] = [value] * count

    def step(self, span: Span, cost: int) -> None:
        self.steps += cost
        if self.steps > MOST_STEPS:
            text = "after {steps} steps the rules reached no question or deal"
            message = say(text, steps=figure(MOST_STEPS, ",d"))
            raise self.error("too-long", message, span)

    def count_question(self, span: Span) -> None:
        if self.decisions < self._questions_end:
            return
        if self.decisions >= MOST_QUESTIONS:
            text, most = "the match has more than {most} questions", MOST_QUESTIONS
        else:
            text = "there are more than {most} questions without a new deal"
            most = MOST_QUESTIONS_A_DEAL
        message = say(text, most=figure(most, ",d"))
        raise self.error("too-long", message, span, "no-new-deal")

    def start_deal(self) -> None:
        """Begin the next deal: its chance stream and its variables, without revealed places."""
        self._questions_end = min(self.decisions + MOST_QUESTIONS_A_DEAL, MOST_QUESTIONS)
        self.steps = 0
        dealer = self.variables["dealer"][0]
        self.chance.start(self.deals + 1)
        self.grants.clear()
        self.history.clear()
        self.tricks, self._named = [], frozenset()
        self.deal_open = True
        self.emit("deal", deal=self.deals, dealer=dealer, counters=self.counters())
        self.deals += 1
        self._start_variables("deal")

    def end_deal(self, winner: int | None, reason: str) -> None:
        self.deal_open = False
        self.deal_winner = winner
        self.emit("deal_end", winner=winner, reason=reason)

    def start_trick(self, zone: str) -> None:
        self.trick_zone = zone
        self.trick_leader = self.variables["on_lead"][0]
        self._start_variables("trick")

    def end_trick(self, winner: int | None) -> None:
        """Finish the trick: record its winner, and its cards in the order of play."""
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
        """Finish the match, and an open deal with it."""
        if self.deal_open:
            self.end_deal(winner, reason or "match_over")
        self.over, self.winner = True, winner
        self.emit("match_end", winner=winner, counters=self.counters(), deals=self.deals)

    def draw(self, origin: str, at: int, target: str, index: int, face_up: bool, span: Span) -> int:
        """Move the top card of a pile."""
        pile = self.zones[origin][at]
        if not len(pile):
            raise self.error("no-card", say("'{zone}' is empty", zone=origin), span)
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

    def arrange(self, name: str) -> bool:
        """Put the place of a `setup` into its given state; return whether there is one."""
        return self.arrangement is not None and self.arrangement.settle(name, self)

    def announce(
        self, words: str, reading: Reading, speaker: int | None, value: int, seats: Iterable[int]
    ) -> None:
        """Announce a value to seats, and to the speaker, if any."""
        hearers = frozenset(seats) | ({speaker} if speaker is not None else frozenset())
        who = -1 if speaker is None else speaker
        self.history.append((Announcement(who, words, reading.text(value)), hearers))
        text = reading.plain(value)
        self.emit("announced", seat=speaker, what=words, value=text, to=sorted(hearers))

    def report_passing(self, origin: str, at: int, target: str, to: int, cards: list[int]) -> None:
        """Report cards that went between seats or teams, if some seats do not see them.

        Cards that come to where all see them are turned up, unless the last answer names them.
        """
        route = Route(origin, target)
        if turns_up(self.program, route):
            texts = [self.setting.deck.texts[card] for card in cards]
            for text in texts:
                if text not in self._named:
                    self.emit("turned", card=text)
            self._named -= {*texts}
            return
        if at == to or not cards or route not in self.routes:
            return
        event = passing(route, at, to, cards, self.program, self.setting)
        seats = range(self.setting.players)
        seers = {s for s in seats if self._sees(origin, at, s) or self._sees(target, to, s)}
        self.history += [
            (event.seen_cards, frozenset(seers)),
            (event.hidden_cards, frozenset(seats) - seers),
        ]
        self.emit("passed", **event.event)

    def _sees(self, zone: str, at: int, seat: int) -> bool:
        shown = seat in self.grants.get((zone, at), ())
        return shown or sees(self.program.zones[zone], at, seat, self.setting)

    def note_action(self, question: Question, action: Action, audience: Audience) -> None:
        """Record the choice of a seat, and who noticed it."""
        self.decisions += 1
        self.choices += len(question.actions) > 1
        self.steps = 0
        self.history.append((HistoryEntry(question.seat, question.decision, action.text), audience))
        self._named = cards_named(action.text, audience)
        self.emit(
            "action",
            seat=question.seat,
            decision=question.decision,
            action=action.text,
            legal=list(question.texts),
        )
