"""Plays the script of a scenario, see `docs/scenarios.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from trutdsl.diagnostics import Span
from trutdsl.game import DealStart, Question, RuleError
from trutdsl.ir import nodes
from trutdsl.ir.nodes import questions_of, walk_rules
from trutdsl.language import one_by_one, say
from trutdsl.scenario.arrange import ArrangedChance
from trutdsl.scenario.differences import Mismatch, find_differences
from trutdsl.scenario.middle import Middle
from trutdsl.scenario.model import Expect, Expectation, Open, Scenario, ScriptedAction, Step
from trutdsl.scenario.places import has_option, is_action_of_other_rules, near_action
from trutdsl.scenario.respondents import Respondents
from trutdsl.table.match import Event

FREE = ("pass", "none")  # the options for passing, if no option is marked
MOST_STEPS = 10_000
MOST_MESSAGES, MOST_ACTIONS = 8, 40  # that a text lists
NOTHING = Open(None, None, None)


class ScenarioScript:
    """Answers questions from the script; where it says nothing, it passes or takes the only action.

    state: the match. emit: receives its events, if it is not None.
    """

    def __init__(
        self,
        scenario: Scenario,
        respondents: Respondents,
        emit: Callable[[Event], None] | None = None,
    ) -> None:
        self.scenario, self.respondents, self.emit = scenario, respondents, emit
        start, game = scenario.start, respondents.game
        self.middle: Middle | None = None
        self.before = list(start.before)
        self.refusal = ""  # the action that was refused as expected, and the question
        self.end_reason = ""  # why the last deal ended, if the scenario begins in the middle
        if start.at is not None or start.zones or start.variables:
            self.middle = Middle(game, scenario, emit)
            game = game.with_entry(self.middle.rule, self.middle.names)
            emit = self._hear
        self.chance = ArrangedChance(game, scenario, self.middle)
        self.state = game.start(0, 0, emit, arrangement=self.chance, chance=self.chance)
        for name, values in scenario.start.counters:
            self.state.set_counter(name.text, values)
        respondents.begin(self.state, scenario.start)
        has_dealer = any(one.name == "dealer" for one in walk_rules(game.program, nodes.Setup))
        self.dealer = None if has_dealer else start.dealer
        self._seat_dealer()
        self.passes = {
            (number, option)
            for number, node in enumerate(questions_of(game.program))
            for option, offered in enumerate(node.options)
            if offered.passes
        }
        self.actions: list[Step] = list(scenario.actions)
        self.free: Counter[str] = Counter()  # passes that are not in the script
        self.broken = False  # whether the rules have failed
        self.forced_answers: Counter[str] = Counter()
        self.first: Counter[str] = Counter()
        self._before_beginning: list[str] = []  # descriptions of such answers

    def play(self) -> list[Mismatch]:
        """Play until a question needs an answer or the match ends; return the mismatches."""
        try:
            mismatch = self._play()
        except RuleError as e:
            self.broken = True
            failure = e.diagnostic
            text = say(
                "the rules fail: {span}: {message}", span=failure.span, message=failure.message
            )
            if self.middle is not None and not self.middle.placed:
                return [self._never_there(self.middle, say(": {text}", text=text))]
            return [Mismatch(self._with_cure(text), self._span())]
        unused = self.chance.unused(begun=not isinstance(self.state.pending, Question))
        if unused is not None and (not mismatch or self.chance.missed or self.chance.redeals):
            mismatch = [Mismatch(*unused), *mismatch]
        return mismatch

    def unasked(self) -> list[str]:
        """Describe the answers that are not in the script."""
        texts = (
            (say("passed automatically"), self.free),
            (say("played automatically, the only legal action"), self.forced_answers),
            (say("played automatically, the first legal action"), self.first),
        )
        return self._before_beginning + [
            say("{what}: {steps}", what=what, steps=_count_texts(steps))
            for what, steps in texts
            if steps
        ]

    # -------------------------------------------------------- step by step

    def _play(self) -> list[Mismatch]:
        for _ in range(MOST_STEPS):
            pending = self.state.pending
            if self.middle is not None and not self.middle.placed:
                if not self._come_nearer():
                    return [self._never_there(self.middle), *self._not_done_before()]
                if self.middle.placed:
                    if self.before:
                        return self._not_done_before()
                    self.forced_answers.clear()
                    self._before_beginning = [
                        say("before the scenario begins, {answers}", answers=answers)
                        for answers in self.unasked()
                    ]
                    self.free.clear()
                    self.first.clear()
                continue
            check = self.actions[0] if self.actions else None
            if isinstance(check, Expectation) and self._is_due(check.expect):
                result = list(find_differences(self.state, self.respondents.game, check.expect))
                if result:
                    return result
                self.actions.pop(0)
                continue
            if pending is None:
                return self._compare_rest(say("the match is over"))
            if not isinstance(pending, Question):
                if self.state.deals and not self.actions:
                    return self._compare_rest(say("the deal is over"))
                self._begin_deal()
                continue
            self.respondents.ask(self.state, pending)
            if self._is_last(pending) or not self._answer(pending):
                return self._compare_stop(pending)
        return [Mismatch(say("no end after {most} steps", most=MOST_STEPS), self._span())]

    def _come_nearer(self) -> bool:
        """Take a step towards the beginning of the scenario; return False if it is out of reach."""
        pending = self.state.pending
        if isinstance(pending, Question):
            texts = pending.texts
            found = _find(self.before[0], pending) if self.before else None
            if found is not None:
                self.before.pop(0)
                self.state.apply(found)
            elif not self._by_itself(pending):
                self.first[f"{pending.decision}: {texts[0]}, seat {pending.seat}"] += 1
                self.state.apply(0)
            return True
        if pending is None or self.state.deals:
            return False
        self._begin_deal()
        return True

    def _begin_deal(self) -> None:
        self._seat_dealer()
        self.state.next_deal()

    def _seat_dealer(self) -> None:
        """Let the given seat deal first, unless a `setup dealer` of the rules does that."""
        if self.dealer is not None and not self.state.deals:
            self.state.set_dealer(self.dealer)

    def _is_due(self, expect: Expect) -> bool:
        """Return whether to check an expectation now, before any automatic answer."""
        pending = self.state.pending
        if not isinstance(pending, Question):
            between_deals = isinstance(pending, DealStart)
            asks = expect.decision != NOTHING and expect.values.get("deal_over") is not True
            return not (between_deals and (asks or not self.state.deals))
        if expect.values.get("deal_over") is not True:
            decision = expect.decision
            if decision == NOTHING or _names(decision, pending):
                return True
        return self._free(pending) is None and len(pending.actions) > 1

    def _is_last(self, question: Question) -> bool:
        """Return whether the scenario stops at a question, even if a pass is possible."""
        expect = self.scenario.expect
        if self._refuses(question) and expect.decision != NOTHING:
            return _names(expect.decision, question)
        return not self.actions and (
            self.respondents.stops_at(question, self.scenario) or _names(expect.decision, question)
        )

    def _refuses(self, question: Question) -> bool:
        """Return whether this question refuses an action as the scenario expects."""
        step = self.actions[0] if len(self.actions) == 1 else None
        return (
            "error" in self.scenario.expect.values
            and isinstance(step, ScriptedAction)
            and step.seat == question.seat
            and _find(step, question) is None
        )

    def _answer(self, question: Question) -> bool:
        step = self.actions[0] if self.actions else None
        found = _find(step, question) if isinstance(step, ScriptedAction) else None
        if found is not None:
            self.actions.pop(0)
            self.state.apply(found)
            return True
        return self._by_itself(question)

    def _by_itself(self, question: Question) -> bool:
        """Pass, or take the only action; return whether that was possible."""
        texts = question.texts
        seat = say("seat {seat}", seat=question.seat)
        if (free := self._free(question)) is not None:
            self.free[f"{question.decision}, {seat}"] += 1
            self.state.apply(free)
            return True
        if len(texts) == 1:
            self.forced_answers[f"{question.decision}: {texts[0]}, {seat}"] += 1
            self.state.apply(0)
            return True
        return False

    def _free(self, question: Question) -> int | None:
        """Return the number of the action that is a pass, None without one."""
        for index, action in enumerate(question.actions):
            if (question.number, action.option) in self.passes:
                return index
        texts = question.texts
        return next((texts.index(text) for text in FREE if text in texts), None)

    # -------------------------------------------------------- where it stops

    def _compare_stop(self, question: Question) -> list[Mismatch]:
        if not self.actions:
            return self._not_refused()
        action = self._next()
        if action is None:
            return []
        question_text = say(
            "seat {seat} is asked for '{decision}': ",
            seat=question.seat,
            decision=question.decision,
        ) + ", ".join(_some(question.texts, MOST_ACTIONS))
        action_text, game = f"`{action.seat}: {action.text}`", self.respondents.game
        if action.seat != question.seat:
            text = say(
                "the script does not fit: {said} comes when {asked}",
                said=action_text,
                asked=question_text,
            )
            return [Mismatch(self._with_cure(text), action.span)]
        refuses, written = self._refuses(question), action.text
        known = has_option(game, written)
        if not known and not (refuses and is_action_of_other_rules(game, written)):
            text = say(
                "{said} is no action of {game}: {asked}",
                said=action_text,
                game=game.name,
                asked=question_text,
            )
        elif not refuses:
            text = say("{said} is illegal: {asked}", said=action_text, asked=question_text)
        else:
            self.refusal = say("refused: {said}, as {asked}", said=action_text, asked=question_text)
            return []
        near = near_action(game, question.texts, action.text)
        return [Mismatch(f"{text}; {near}" if near else text, action.span)]

    def _compare_rest(self, why: str) -> list[Mismatch]:
        action = self._next()
        if action is None:
            return self._not_refused()
        game = self.respondents.game
        action_text = f"`{action.seat}: {action.text}`"
        text = say("{why}, but the script goes on with {said}", why=why, said=action_text)
        if not has_option(game, action.text) and not is_action_of_other_rules(game, action.text):
            text = say("`{said}` is no action of {game}", said=action.text, game=game.name)
            near = near_action(game, (), action.text)
            return [Mismatch(f"{text}; {near}" if near else text, action.span)]
        return [Mismatch(self._with_cure(text), action.span)]

    def _with_cure(self, text: str) -> str:
        """Return a message; if an action should be refused, with the cure for automatic answers."""
        expect = self.scenario.expect
        if "error" not in expect.values or expect.decision != NOTHING:
            return text
        cure = say("beside `error`, name the question that refuses it: `decision: {name: ...}`")
        return f"{text}; {cure}"

    def _not_refused(self) -> list[Mismatch]:
        expect = self.scenario.expect
        if "error" not in expect.values:
            return []
        text = say("no action was refused, but `error: illegal` is expected")
        return [Mismatch(self._with_cure(text), expect.spans["error"])]

    def _never_there(self, middle: Middle, failure: str = "") -> Mismatch:
        if middle.rule is None:
            where = say("its beginning")
        elif middle.call > 1:
            text = "call {number} of rule '{rule}'"
            where = say(text, number=middle.call, rule=middle.rule)
        else:
            where = say("rule '{rule}'", rule=middle.rule)
        if not self.state.deals:
            never = say("the match is over before that deal")
            return Mismatch(never, middle.span)
        ended = say(": it ends because {ended}", ended=self.end_reason) if self.end_reason else ""
        message = say(
            "the first deal never comes to {where}{ended}", where=where, ended=failure or ended
        )
        if not self.scenario.start.before and (self.free or self.forced_answers or self.first):
            message += "; " + say("give other answers in `before`")
        return Mismatch(message, middle.span)

    def _not_done_before(self) -> list[Mismatch]:
        end = say("could not be done before the scenario begins")
        each = ((f"`{step.seat}: {step.text}` {end}", step.span) for step in self.before[:1])
        return [Mismatch(*one) for one in each]

    def _hear(self, event: Event) -> None:
        """Record why a deal ends, and forward the event; numbers of deals count those left out."""
        if event["event"] == "deal_end":
            self.end_reason = event["reason"]
        number = {"deal": "deal", "match_end": "deals"}.get(event["event"])
        if number is not None and self.middle is not None:
            event = {**event, number: event[number] + self.middle.deals}
        if self.emit is not None:
            self.emit(event)

    def _next(self) -> ScriptedAction | None:
        return next((step for step in self.actions if isinstance(step, ScriptedAction)), None)

    def _span(self) -> Span:
        return self.actions[0].span if self.actions else self.scenario.span


def _find(action: ScriptedAction, question: Question) -> int | None:
    """Return the index of an action of the script among those of a question."""
    return question.find(action.text) if action.seat == question.seat else None


def _names(target: Open, question: Question) -> bool:
    """Return whether a question has the expected seat, name and actions."""
    return (
        target != NOTHING
        and target.seat in (None, question.seat)
        and target.name in (None, question.decision)
        and (target.actions is None or set(target.actions) == {a.text for a in question.actions})
    )


def _count_texts(steps: Counter[str]) -> str:
    texts = [text + (say(" ({n} times)", n=n) if n > 1 else "") for text, n in steps.items()]
    return one_by_one(_some(texts, MOST_MESSAGES))


def _some(texts: Sequence[str], most: int) -> list[str]:
    """Return the first texts, and how many more there are."""
    more = [say("and {number} more", number=len(texts) - most)] if len(texts) > most else []
    return [*texts[:most], *more]
