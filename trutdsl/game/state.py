"""A match in play, independent of the engine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, NoReturn, Protocol

from trutdsl.arguments import check_arguments
from trutdsl.diagnostics import BadIndex, BadUsage, did_you_mean
from trutdsl.game.legend import Legend
from trutdsl.game.view import View, make_view
from trutdsl.ir import Program
from trutdsl.ir.intervals import MOST_DEALS
from trutdsl.ir.types import Number
from trutdsl.language import say
from trutdsl.streams import Stream
from trutdsl.table.actions import AskPlan
from trutdsl.table.faults import RuleError
from trutdsl.table.match import (
    ChanceNode,
    ClonableMatch,
    DealStart,
    Event,
    Match,
    Pending,
    Question,
    plain_entry,
)
from trutdsl.table.setting import Setting
from trutdsl.table.sight import Sight, number_of, reading_of
from trutdsl.variant import Variant


@dataclass(frozen=True)
class MatchResult:
    """A finished match.

    winner:   a team, or None for a draw; a match without winner after `MOST_DEALS` deals is
              unfinished, and a draw.
    decisions: answers among two or more legal actions; forced answers do not count.
    counters: each counter's final value for each team.
    """

    winner: int | None
    deals: int
    decisions: int
    counters: dict[str, tuple[int, ...]]

    @property
    def unfinished(self) -> bool:
        """Whether the match reached the limit of deals."""
        return self.winner is None and self.deals >= MOST_DEALS

    @check_arguments
    def points(self, worth: Mapping[str, float], team: int = 0) -> float:
        """Return the points of a team less the mean of the others.

        worth: what one of each counter is worth.
        """
        points = points_of(self.counters, worth)
        if not self.counters and team >= 0:
            return 0.0
        if not 0 <= team < len(points):
            raise BadIndex(f"found {team} for team, expected a team from 0 to {len(points) - 1}")
        return points[team]


def points_of(counters: Mapping[str, Sequence[int]], worth: Mapping[str, float]) -> list[float]:
    """Return the points of each team less the mean of the others.

    worth: what one of each counter is worth. Raises `BadUsage` for an unknown counter.
    """
    for name in worth.keys() - counters.keys():
        raise no_counter(name, counters)
    own = [
        sum(worth.get(name, 0) * value for name, value in zip(counters, values, strict=True))
        for values in zip(*counters.values(), strict=True)
    ]
    return [points - (sum(own) - points) / (len(own) - 1) for points in own]


def no_counter(name: str, known: Collection[str]) -> BadUsage:
    """Return the error of a counter that is none of these."""
    near = near_counter(name, known)
    return BadUsage(say("there is no counter '{name}'; {near}", name=name, near=near))


def near_counter(name: str, known: Collection[str]) -> str:
    """Return what to write in place of a name that no counter has."""
    choose = say("choose {names}", names=", ".join(known)) if known else say("it has none")
    return did_you_mean(name, known) or choose


def _pending(pending: Pending) -> dict[str, Any] | None:
    match pending:
        case Question():
            actions = list(pending.texts)
            return {"seat": pending.seat, "decision": pending.decision, "actions": actions}
        case DealStart(deal):
            return {"deal": deal}
        case ChanceNode():
            node: dict[str, Any] = {"chance": pending.what}
            if pending.zone is not None:
                node |= {"zone": pending.zone, "index": pending.index, "face_up": pending.face_up}
            if not pending.is_listed:
                return node | {"first": pending.outcomes[0], "last": pending.outcomes[-1]}
            return node | {"outcomes": list(pending.texts), "weights": list(pending.weights)}
    return None


class StateRules(Protocol):
    """The parts of a `Game` that a state uses."""

    @property
    def legends(self) -> Sequence[Legend]: ...

    @property
    def variant(self) -> Variant: ...
    @property
    def program(self) -> Program: ...
    @property
    def setting(self) -> Setting: ...
    @property
    def plans(self) -> Sequence[AskPlan]: ...
    @property
    def team_count(self) -> int: ...


class State:
    """A match at a question, before a deal, at open chance, or over.

    pending: a `Question` (continue with `apply`), a `DealStart` (continue with `next_deal`), a
             `ChanceNode` (continue with `decide`), or None when the match is over.

    After a step that raises, by an error of the rules or of a caller's code, no step is possible.
    """

    def __init__(
        self, game: StateRules, match: ClonableMatch, again: Callable[[], Match] | None = None
    ) -> None:
        """Wrap a match of some engine.

        again: starts the same match in the reference engine, whose messages are better.
        """
        self.game, self._machine = game, match
        self._restart = again
        self._problem: BaseException | None = None
        self._steps: list[int | tuple[str, tuple[int, ...]]] = []

    def __repr__(self) -> str:
        pending = self.pending
        if isinstance(pending, Question):
            stop = f"seat {pending.seat} is asked '{pending.decision}'"
        else:
            stop = "over" if pending is None else type(pending).__name__
        return f"<State: {self.deals} deals begun, {stop}>"

    @property
    def pending(self) -> Pending:
        """The event or question that the match waits for."""
        return self._machine.pending

    @property
    def match(self) -> Match:
        """The engine's match; not for strategies in Python, which get a view."""
        return self._machine

    @property
    def legal(self) -> tuple[int, ...]:
        """The number of each action of the open question, in their order; none if none is open.

        Whenever the same question (`Question.number`) is asked, a number means the same action.
        Numbers start at 0. They ascend, and are the set bits of the masks of a `Batch`.
        Raises ValueError for an action without a number, see `table.actions`.
        """
        if not isinstance(self.pending, Question):
            return ()
        options = self.game.plans[self.pending.number].options
        return tuple(options[a.option].number_of(a.values) for a in self.pending.actions)

    def apply(self, index: int) -> None:
        """Answer the open question with the action of this index.

        Raises `BadUsage` if no question is open, `BadIndex` if there is no such action.
        """
        question = self._machine.pending
        if not isinstance(question, Question):
            raise self._waits_for("apply")
        if not isinstance(index, Integral) or not 0 <= index < len(question.actions):
            raise no_index(index, "action", question.texts)
        self._steps.append(int(index))
        self._go_on(int(index))

    def next_deal(self) -> None:
        """Continue from before a deal."""
        if not isinstance(self.pending, DealStart):
            raise self._waits_for("next_deal")
        self._go_on(0)

    def decide(self, index: int) -> None:
        """Continue with the outcome of this index; raises `BadIndex` if there is none."""
        node = self.pending
        if not isinstance(node, ChanceNode):
            raise self._waits_for("decide")
        if not isinstance(index, Integral) or not 0 <= index < len(node.outcomes):
            raise no_index(index, "outcome", node.names or node.outcomes)
        index = int(index)
        self._steps.append(index)
        self._go_on(index)

    def clone(self, emit_to: Callable[[Event], None] | None = None) -> State:
        """Return an independent copy of the match at the same position.

        emit_to: receives the later events of the copy. The native engine copies memory; the
                 reference engine plays the match again.
        """
        if self._problem is not None:
            self._refuse_step()
        twin = State(self.game, self._machine.clone(emit_to), self._restart)
        twin._steps = list(self._steps)
        return twin

    def __copy__(self) -> State:
        return self.clone()

    def __reduce__(self) -> NoReturn:
        raise BadUsage("a state cannot be pickled; pickle its game, seed, match and answers")

    def __deepcopy__(self, _memo: object) -> State:
        return self.clone()

    def _waits_for(self, method: str) -> BadUsage:
        """Return the error of a method that does not fit what the match waits for."""
        match self.pending:
            case Question() as asked:
                stop = f"seat {asked.seat} is asked '{asked.decision}'; call `apply(index)`"
            case DealStart():
                stop = "the match stands before a deal; call `next_deal()`"
            case ChanceNode():
                stop = "chance is open; call `decide(index)`"
            case _:
                stop = "the match is over"
        return BadUsage(f"{method}() does not fit here: {stop}")

    def _check_seat(self, seat: int) -> None:
        if not isinstance(seat, Integral) or not 0 <= seat < self.game.setting.players:
            raise no_index(seat, "seat", [str(one) for one in range(self.game.setting.players)])

    def _go_on(self, index: int) -> None:
        if self._problem is not None:
            self._refuse_step()
        try:
            self._machine.go_on(index)
        except BaseException as problem:
            self._fail(problem)
            raise

    def _fail(self, problem: BaseException) -> None:
        """Note why a step failed; the reference engine raises a rule's error if it can."""
        self._problem = problem
        if isinstance(problem, RuleError) and self._restart is not None:
            try:
                _play_again(self._restart(), self._steps)
            except RuleError as clearer:
                self._problem = clearer
                raise

    def _refuse_step(self) -> NoReturn:
        """Raise the rule's error again, or another one after a step that failed."""
        if isinstance(self._problem, RuleError):
            raise self._problem.with_traceback(None)
        name = type(self._problem).__name__
        raise BadUsage(f"the last step ended with {name}; start the match again")

    def view(self, random: Stream | None = None) -> View:
        """Return exactly the knowledge of the asked seat.

        random: the stream for the seat's strategy.
        """
        if not isinstance(self.pending, Question):
            raise self._waits_for("view")
        return make_view(self._machine, self.game.legends, self.pending, random or Stream(0))

    def sight(self, seat: int) -> Sight:
        """Return all that a seat sees now, in plain numbers; see `game.legends`."""
        self._check_seat(seat)
        return Sight(*self._machine.sight(seat))

    def to_dict(self) -> dict[str, Any]:
        """Return the whole match with hidden cards, as JSON; both engines give the same.

        deals, decisions:    number of begun deals, of answered questions.
        deal_open:           whether a deal is in progress.
        dealer, leader:      the seat that deals or will deal, and the one that leads.
        winner, deal_winner: the team that won the match, the last finished deal; or None.
        tricks:              the winning team of each trick of the deal so far, None if tied.
        counters:            counter -> value for each team.
        variables:           variable -> its value for each place (one without an index), as
                             `View.variables` writes it; a set is a list in the order of the pack.
        zones:               zone -> for each place its cards as texts, ordered as `View.zones`.
        shown:               zone or variable -> for each place the seats that rules let see it;
                             only revealed ones.
        history:             this deal's actions, oldest first: seat, decision, action; other
                             entries have also `event`.
        pending:             None; of a question seat, decision, actions; before a deal its index
                             as deal; of open chance chance (see `ChanceNode.what`), outcomes,
                             weights, of a drawn card also zone, index, face_up.
        """
        match, setting = self._machine, self.game.setting
        texts = setting.deck.texts
        zones, revealed_places = {}, {}
        for zone in self.game.program.zones.values():
            places = range(setting.count(zone.index))
            zones[zone.name] = [[texts[card] for card in match.cards(zone.name, i)] for i in places]
            revealed_places[zone.name] = [sorted(match.may_see(zone.name, i)) for i in places]
        variables = {}
        for variable in self.game.program.variables.values():
            if not variable.counter and ":" not in variable.name:
                values = match.values(variable.name)
                reading = reading_of(variable.type, setting)
                variables[variable.name] = [reading.plain(number_of(v)) for v in values]
                seen = [sorted(match.may_see(variable.name, i)) for i in range(len(values))]
                revealed_places[variable.name] = seen
        return {
            "deals": match.deals,
            "decisions": match.decisions,
            "deal_open": match.deal_open,
            "dealer": match.values("dealer")[0],
            "leader": match.values("on_lead")[0],
            "winner": match.winner,
            "deal_winner": match.deal_winner,
            "tricks": list(match.tricks),
            "counters": {name: list(values) for name, values in match.counters().items()},
            "variables": variables,
            "zones": zones,
            "shown": {name: seats for name, seats in revealed_places.items() if any(seats)},
            "history": [plain_entry(entry) for entry, _ in match.history],
            "pending": _pending(match.pending),
        }

    @property
    def winner(self) -> int | None:
        """The team that has won the match; None for a draw or while it goes on."""
        return self._machine.winner

    @property
    def deals(self) -> int:
        """The number of begun deals."""
        return self._machine.deals

    @property
    def decisions(self) -> int:
        """The number of answered questions, forced answers included."""
        return self._machine.decisions

    @property
    def choices(self) -> int:
        """The number of answered questions with two or more legal actions."""
        return self._machine.choices

    @property
    def dealer(self) -> int:
        """The current or next dealer's seat."""
        return int(self._machine.values("dealer")[0])

    @property
    def deal_winner(self) -> int | None:
        """The team that won the last finished deal, or None."""
        return self._machine.deal_winner

    @property
    def deals_finished(self) -> int:
        """The number of finished deals."""
        return self._machine.deals - (1 if self._machine.deal_open else 0)

    @property
    def tricks(self) -> list[int | None]:
        """The winning team of each trick of the last deal so far, None for a tied one."""
        return list(self._machine.tricks)

    def counters(self) -> dict[str, tuple[int, ...]]:
        """Return every counter, a value for each team."""
        return {name: tuple(values) for name, values in self._machine.counters().items()}

    def set_dealer(self, seat: int) -> None:
        """Set the first dealer; raises `BadUsage` once the first deal has begun, or at chance."""
        self._check_seat(seat)
        if self._machine.deals:
            raise BadUsage("the first deal has begun; set the dealer before it")
        if isinstance(self.pending, ChanceNode):
            raise self._waits_for("set_dealer")
        self._steps.append(("dealer", (int(seat),)))
        self._machine.set_values("dealer", [int(seat)])

    @check_arguments
    def set_counter(self, name: str, values: Sequence[int]) -> None:
        """Set a counter before the first deal: a value for each team, within its bounds.

        Raises `BadUsage` for anything else.
        """
        check_counter(self.game.program, self.game.team_count, name, values)
        if self._machine.deals:
            raise BadUsage("the first deal has begun; set counters before it")
        if isinstance(self.pending, ChanceNode):
            raise self._waits_for("set_counter")
        self._steps.append((name, tuple(values)))
        self._machine.set_values(name, tuple(values))


def no_index(index: object, what: str, texts: Sequence[object]) -> BadIndex:
    """Return the error of an index that none of these texts has."""
    first = texts[:8]
    known = ", ".join(map(str, first)) + (", ..." if len(texts) > len(first) else "")
    last = len(texts) - 1
    return BadIndex(f"found {index!r}, expected the index of the {what}, 0 to {last}: {known}")


def check_counter(program: Program, teams: int, name: str, values: Sequence[int]) -> None:
    """Raise `BadUsage` unless this is a counter with a value for each team, within its bounds."""
    counter = program.variables.get(name)
    if counter is None or not isinstance(counter.type, Number) or not counter.counter:
        known = [one.name for one in program.variables.values() if one.counter]
        raise no_counter(name, known)
    if len(values) != teams:
        raise BadUsage(f"'{name}' needs a value for each of {teams} teams")
    least, most = counter.type.low, counter.type.high
    if not all(isinstance(value, Integral) and least <= value <= most for value in values):
        raise BadUsage(f"'{name}' is from {least} to {most}")


def _play_again(match: Match, steps: Sequence[int | tuple[str, tuple[int, ...]]]) -> None:
    """Repeat these steps with a match, and begin every deal."""
    for step in (*steps, None):
        if isinstance(step, tuple):
            match.set_values(*step)
            continue
        while isinstance(match.pending, DealStart):
            match.go_on(0)
        if step is not None:
            match.go_on(step)
