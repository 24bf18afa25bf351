"""A match: its state, its events, and the generator that plays it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any

from trutdsl.diagnostics import Diagnostic, Note, counted, reject
from trutdsl.interp.compile_expressions import Evaluate, Slots, compile_expression
from trutdsl.interp.compile_statements import Compiled, Talk, compile_block
from trutdsl.interp.pile import Pile
from trutdsl.interp.questions import compile_ask
from trutdsl.interp.signals import END_MATCH, Returned
from trutdsl.ir import nodes
from trutdsl.ir.bounds import MOST_DEALS, MOST_QUESTIONS, MOST_QUESTIONS_A_DEAL, MOST_STEPS
from trutdsl.ir.builtins import VARIABLES
from trutdsl.ir.types import Number
from trutdsl.ir.work import Work
from trutdsl.source import Span
from trutdsl.syntax.ast import Audience
from trutdsl.table.chance import Chance
from trutdsl.table.describe import describe_state
from trutdsl.table.errors import RuleError
from trutdsl.table.match import Arrangement, Event, Pending
from trutdsl.table.questions import Action, DealStart, Question, Said, questions_of
from trutdsl.table.setting import Setting


class Code:
    """A program made ready to be played in one setting."""

    def __init__(self, program: nodes.Program, setting: Setting) -> None:
        self.program, self.setting = program, setting
        self.cost = Work(program, setting.count).cost
        self.questions = {id(node): n for n, node in enumerate(questions_of(program))}
        self.bounds: dict[str, tuple[int, int]] = {}
        self._rules: dict[str, Compiled] = {}
        self._functions: dict[str, Callable[[Machine, Slots], Any]] = {}
        nowhere: Any = None
        for variable in program.variables.values():
            if isinstance(variable.type, Number):
                self.bounds[variable.name] = (variable.type.low, variable.type.high)
            if variable.low is not None and variable.high is not None:
                low = compile_expression(variable.low, self)(nowhere, [])
                high = compile_expression(variable.high, self)(nowhere, [])
                self.bounds[variable.name] = (low, high)
        self.capacity = {
            zone.name: compile_expression(zone.capacity, self)(nowhere, [])
            if zone.capacity is not None
            else len(setting.deck.texts)
            for zone in program.zones.values()
        }
        self.initial: dict[str, Evaluate] = {
            v.name: compile_expression(v.initial, self) for v in program.variables.values()
        }
        self.main = self.rule("match")

    def rule(self, name: str) -> Compiled:
        """Return what a rule does; its arguments fill the first slots of its frame."""
        if name not in self._rules:
            self._rules[name] = self._compile_rule(self.program.rules[name])
        return self._rules[name]

    def _compile_rule(self, rule: nodes.Rule) -> Compiled:
        body, heading = compile_block(rule.body, self), rule.heading
        missing = rule.slots - len(rule.params)
        if body.asks:

            def talk(m: Machine, args: Slots) -> Talk:
                m.headings.append(heading)
                signal = yield from body.run(m, args + [None] * missing)
                m.headings.pop()
                return signal

            return Compiled(True, talk)

        def run(m: Machine, args: Slots) -> Any:
            m.headings.append(heading)
            signal = body.run(m, args + [None] * missing)
            m.headings.pop()
            return signal

        return Compiled(False, run)

    def function(self, name: str) -> Callable[[Machine, Slots], Any]:
        """Return what a `define` works out from its arguments."""
        if name not in self._functions:
            function = self.program.functions[name]
            missing = function.slots - len(function.params)
            if isinstance(function.body, nodes.Block):
                block = compile_block(function.body, self)

                def work(m: Machine, args: Slots) -> Any:
                    signal = block.run(m, args + [None] * missing)
                    assert isinstance(signal, Returned)
                    return signal.value
            else:
                value = compile_expression(function.body, self)

                def work(m: Machine, args: Slots) -> Any:
                    return value(m, args + [None] * missing)

            self._functions[name] = work
        return self._functions[name]

    def compile_ask(self, node: nodes.Ask) -> Compiled:
        """Return what a question does."""
        return compile_ask(node, self)


def compile_program(program: nodes.Program, setting: Setting) -> Code:
    """Return the program ready to be played by so many, with these parameters."""
    try:
        return Code(program, setting)
    except RecursionError:
        raise reject(
            "too-deep",
            "the rules stand too deep inside one another to be played",
            program.rules["match"].span,
            help="make them simpler: fewer rules and blocks inside one another",
        ) from None


class Machine:
    """One match being played.

    emit_to: gets every event as it happens, or None. Besides, what a result needs is kept here:
    the winner, the last finished deal and its tricks, the actions of the deal that is going on.
    """

    def __init__(
        self,
        code: Code,
        chance: Chance,
        emit_to: Callable[[Event], None] | None = None,
        arrangement: Arrangement | None = None,
    ) -> None:
        self.code, self.chance, self.emit_to = code, chance, emit_to
        self.arrangement = arrangement
        self.begin()

    def begin(self) -> None:
        """Begin the match, from the start."""
        code, setting = self.code, self.code.setting
        self.zones = {
            z.name: [Pile(z.ordered) for _ in range(setting.count(z.index))]
            for z in code.program.zones.values()
        }
        self.variables: dict[str, list[Any]] = {name: [0] for name in VARIABLES}
        self.headings: list[str] = []
        self.steps = 0
        self.grants: dict[tuple[str, int], set[int]] = {}
        self.history: list[tuple[Said, Audience]] = []
        self.deals = 0
        self.decisions = 0
        self._questions_end = MOST_QUESTIONS_A_DEAL  # where there are too many decisions
        self.over = False
        self.winner: int | None = None
        self.deal_open = False
        self.deal_winner: int | None = None
        self.deal_reason: str | None = None
        self.tricks: list[int | None] = []
        self.trick_zone: str | None = None
        self.trick_leader = 0
        for zone in code.program.zones.values():
            if zone.content is not None:
                cards = sorted(compile_expression(zone.content, code)(self, [None] * zone.slots))
                self.zones[zone.name][0] = Pile(zone.ordered, cards)
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

    def cards(self, zone: str, at: int) -> list[int]:
        """Return the cards of a zone: of a pile from its lowest card up, else ascending."""
        return self.zones[zone][at].cards()

    def values(self, variable: str) -> list[Any]:
        """Return a variable's or counter's values."""
        return self.variables[variable]

    def set_values(self, variable: str, values: Sequence[Any]) -> None:
        """Set a variable or counter."""
        self.variables[variable] = list(values)

    def lay(self, card: int, zone: str, at: int) -> None:
        """Take a card from where it lies and lay it somewhere else."""
        for piles in self.zones.values():
            for pile in piles:
                pile.take(card)
        self.zones[zone][at].put([[card]], False)

    def may_see(self, name: str, at: int) -> frozenset[int]:
        """Return the seats to which a zone or variable was revealed."""
        return frozenset(self.grants.get((name, at), ()))

    def _run(self) -> Generator[Question | DealStart, int, None]:
        """Play the match; yields questions, answered with an action's index, and deal starts."""
        self.chance.start(0, 0)
        main = self.code.main
        signal = (yield from main.run(self, [])) if main.asks else main.run(self, [])
        if signal is not END_MATCH:
            self.headings.append("rule 'match'")
            raise self.error(
                "no-end", "the match comes to no `end match`", self.code.program.rules["match"].span
            )

    # -------------------------------------------------------- deals and tricks

    def _start_variables(self, lifetime: str) -> None:
        for variable in self.code.program.variables.values():
            if variable.lifetime == lifetime:
                value = self.code.initial[variable.name](self, [None] * variable.slots)
                if variable.name in self.code.bounds:
                    low, high = self.code.bounds[variable.name]
                    if not low <= value <= high:
                        message = (
                            f"'{variable.name}' would start as {value}, but is from {low} to {high}"
                        )
                        raise self.error("out-of-range", message, variable.initial.span)
                count = self.code.setting.count(variable.index)
                self.variables[variable.name] = [value] * count

    def step(self, span: Span, cost: int) -> None:
        """Count the steps of something long, and stop rules that come to no end."""
        self.steps += cost
        if self.steps > MOST_STEPS:
            message = f"after {MOST_STEPS:,} steps the rules came to no question or deal"
            raise self.error("too-long", message, span)

    def before_deal(self) -> DealStart:
        """Return the mark between two deals."""
        return DealStart(self.deals)

    def count_question(self, span: Span) -> None:
        """Stop rules that ask for ever."""
        if self.decisions < self._questions_end:
            return
        if self.decisions >= MOST_QUESTIONS:
            message = f"the match has more than {MOST_QUESTIONS:,} questions"
        else:
            message = f"there are more than {MOST_QUESTIONS_A_DEAL:,} questions without a new deal"
        raise self.error("too-long", message, span)

    def start_deal(self, span: Span) -> None:
        """Begin the next deal: its chance stream, its variables, and nothing revealed any more."""
        if self.deals >= MOST_DEALS:
            message = f"the match has more than {MOST_DEALS:,} deals"
            raise self.error("too-long", message, span)
        self._questions_end = min(self.decisions + MOST_QUESTIONS_A_DEAL, MOST_QUESTIONS)
        self.steps = 0
        dealer = self.variables["dealer"][0]
        self.chance.start(self.deals + 1, dealer)
        self.grants.clear()
        self.history.clear()
        self.tricks = []
        self.deal_open = True
        self.emit("deal", deal=self.deals, dealer=dealer, counters=self.counters())
        self.deals += 1
        self._start_variables("deal")

    def end_deal(self, winner: int | None, reason: str) -> None:
        """Finish the deal."""
        self.deal_open = False
        self.deal_winner, self.deal_reason = winner, reason
        self.emit("deal_end", winner=winner, reason=reason)

    def start_trick(self, zone: str) -> None:
        """Begin a trick on this zone."""
        self.trick_zone = zone
        self.trick_leader = self.variables["on_lead"][0]
        self._start_variables("trick")

    def leave_trick(self) -> None:
        """There is no trick any more."""
        self.trick_zone = None

    def end_trick(self, winner: int | None) -> None:
        """Finish the trick: note who won it, and its cards in the order of play."""
        assert self.trick_zone is not None
        setting = self.code.setting
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

    def counters(self) -> dict[str, list[int]]:
        """Return every counter, a value for each team."""
        declared = self.code.program.variables.values()
        return {v.name: list(self.variables[v.name]) for v in declared if v.counter}

    # -------------------------------------------------------- what rules do

    def draw(self, origin: str, at: int, target: str, index: int, face_up: bool, span: Span) -> int:
        """Move the top card of a pile."""
        pile = self.zones[origin][at]
        if not len(pile):
            raise self.error("no-card", f"'{origin}' is empty", span)
        zone = self.code.program.zones[target]
        shown = face_up or zone.audience is Audience.ALL
        card = pile.draw(self.chance, target, index, shown)
        self.put([[card]], target, index, False, span)
        text = self.code.setting.deck.texts[card]
        if zone.audience is not Audience.ALL and zone.index is not None:
            self.emit("cards", seat=index, cards=[text])
        if shown:
            self.emit("turned", card=text)
        return card

    def swap(
        self, card: int, origin: str, at: int, other: int, target: str, index: int, span: Span
    ) -> None:
        """Let two cards change places."""
        here, there = self.zones[origin][at], self.zones[target][index]
        for moved, pile, name in ((card, here, origin), (other, there, target)):
            if moved not in pile.cards():
                raise self.no_such_card(moved, name, span)
        if here is there:
            here.exchange(card, other)
        else:
            here.replace(card, other)
            there.replace(other, card)

    def no_such_card(self, card: int, zone: str, span: Span) -> RuleError:
        """Return the error for a card that is not where the rules look for it."""
        text = self.code.setting.deck.texts[card]
        return self.error("no-card", f"{text} does not lie in '{zone}'", span)

    def put(self, groups: list[list[int]], name: str, at: int, under: bool, span: Span) -> None:
        """Lay cards in a zone."""
        self.make_sure_of_room(sum(map(len, groups)), name, at, span)
        self.zones[name][at].put(groups, under)

    def pour(
        self, pile: Pile, name: str, at: int, span: Span, under: bool = False, turned: bool = False
    ) -> None:
        """Lay all cards of a pile in a zone, in order or in reverse order."""
        if pile is not self.zones[name][at]:
            self.make_sure_of_room(len(pile), name, at, span)
        groups = pile.clear()
        self.put(groups[::-1] if turned else groups, name, at, under, span)

    def make_sure_of_room(self, cards: int, name: str, at: int, span: Span) -> None:
        """Raise a mistake if so many cards more are too many for a zone."""
        if len(self.zones[name][at]) + cards > self.code.capacity[name]:
            most = counted(self.code.capacity[name], "card")
            raise self.error("out-of-range", f"'{name}' holds at most {most}", span)

    def grant(self, name: str, index: int, seats: Iterable[int]) -> None:
        """Let seats see a zone or variable until the deal ends."""
        self.grants.setdefault((name, index), set()).update(seats)

    def arranged(self, name: str) -> bool:
        """Tell whether what a `setup` settles is given beforehand, and put it there."""
        return self.arrangement is not None and self.arrangement.settle(name, self)

    def note_action(self, question: Question, action: Action, audience: Audience) -> None:
        """Remember what a seat chose, and who noticed."""
        self.decisions += 1
        self.steps = 0
        self.history.append((Said(question.seat, question.decision, action.text), audience))
        self.emit(
            "action",
            seat=question.seat,
            decision=question.decision,
            action=action.text,
            legal=[a.text for a in question.actions],
        )

    def emit_random(self, what: str, value: object) -> None:
        """Tell of dice and other chance."""
        self.emit("random", what=what, value=value)

    def emit(self, event: str, **fields: object) -> None:
        """Tell of something that happened."""
        if self.emit_to is not None:
            self.emit_to({"event": event, **fields})

    # -------------------------------------------------------- mistakes in rules

    def error(self, code: str, message: str, span: Span) -> RuleError:
        """Return the error for rules that led to something impossible, with the state."""
        place = self.headings[-1] if self.headings else None
        note = Note("when " + describe_state(self, self.code.program, self.code.setting))
        return RuleError(Diagnostic(code, message, span, (note,), None, place))
