"""Plays a scenario and compares what comes out with what must."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from trutdsl.diagnostics import Failure, Rejected, counted, did_you_mean, reject
from trutdsl.game import BadUsage, DealStart, Game, Question, RuleError, State, load_game
from trutdsl.ir.types import Number
from trutdsl.scenario.arrange import Arranged
from trutdsl.scenario.asked import Asked, load_chosen
from trutdsl.scenario.model import Open, Scenario
from trutdsl.strategy import ScriptSpec
from trutdsl.strategy.explain import Explanation
from trutdsl.variant import BadParameter

FREE = ("pass", "none")
MOST_STEPS = 10_000
MOST_TOLD = 8


@dataclass(frozen=True)
class Outcome:
    """How a scenario ended: passed if `differences` is empty; each is a line to read."""

    scenario: Scenario
    differences: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether everything expected came out."""
        return not self.differences


Games = dict[tuple[object, ...], Game]


def run_scenario(
    scenario: Scenario, file: Path, engine: str = "reference", games: Games | None = None
) -> Outcome:
    """Play a scenario of the file; raises `Rejected` if it cannot be set up.

    games: those made for other scenarios, to be used again.
    """
    made = games if games is not None else {}
    texts = sorted((name, value.text) for name, value in scenario.parameters.items())
    key = (file.parent, scenario.variant.text, scenario.players, *texts)
    if key not in made:
        made[key] = _game(scenario, file, engine)
    asked = Asked(made[key], load_chosen(scenario, file))
    script = _Script(scenario, asked)
    found = script.play()
    if not found:
        found = [*_differences(script.state, scenario), *asked.differences(scenario)]
    return Outcome(scenario, (*found, *script.unasked()) if found else ())


def explain_scenario(scenario: Scenario, file: Path, spec: ScriptSpec) -> tuple[State, Explanation]:
    """Return where a scenario ends, and what a script chooses there; raises `Rejected`.

    Raises `BadUsage` if no question is open there, and `Failure` if the script or the rules fail.
    """
    asked = Asked(_game(scenario, file, "reference"), {spec.name: spec})
    script = _Script(scenario, asked)
    wrong = script.play()
    if wrong:
        raise Failure(f"{scenario.span}: {scenario.name}: {wrong[0]}")
    choice = asked.choices.get(spec.name)
    if isinstance(choice, str):
        raise Failure(f"strategy '{spec.name}' failed: {choice}")
    if choice is None or not isinstance(script.state.pending, Question):
        raise BadUsage(f"{scenario.span}: nobody is asked anything where '{scenario.name}' ends")
    return script.state, choice


def _game(scenario: Scenario, file: Path, engine: str) -> Game:
    ref = scenario.variant.text
    if ref.endswith((".yaml", ".yml")):
        ref = str(file.parent / ref)
    try:
        return load_game(ref, scenario.players, scenario.parameters, engine)
    except BadParameter as e:
        span = scenario.parameters[e.name].span
        raise reject("bad-parameter", str(e), span) from None
    except BadUsage as e:
        raise reject("bad-scenario", str(e), scenario.variant.span) from None
    except Rejected as e:
        if e.diagnostics[0].code != "unknown-variant":
            raise
        first = e.diagnostics[0]
        raise Rejected([replace(first, span=scenario.variant.span)]) from None


def _check_counters(game: Game, scenario: Scenario) -> None:
    known = [v.name for v in game.program.variables.values() if v.counter]
    start, expect = scenario.start.counters, scenario.expect.values.get("counters", {})
    assert isinstance(expect, dict)
    for name, values in [*start.items(), *expect.items()]:
        if name not in known:
            message = f"{game.name} has no counter '{name}'; it has {', '.join(known)}"
            span, near = scenario.counter_spans[name], did_you_mean(name, known)
            raise reject("unknown-name", message, span, help=near)
        if len(values) != game.team_count:
            message = (
                f"counter '{name}' has {counted(len(values), 'value')} for {game.team_count} teams"
            )
            raise reject("bad-scenario", message, scenario.counter_spans[name])
        bounds = game.program.variables[name].type
        assert isinstance(bounds, Number)
        if min(values) < bounds.low:
            message = f"counter '{name}' is never below {bounds.low}, found {min(values)}"
            raise reject("out-of-range", message, scenario.counter_spans[name])
    seats = [*scenario.start.hands, *scenario.start.kept, *(a.seat for a in scenario.actions)]
    dealer = [scenario.start.dealer] if scenario.start.dealer is not None else []
    for seat in [*seats, *dealer]:
        if seat >= game.players:
            message = f"there is no seat {seat} with {game.players} players"
            raise reject("bad-scenario", message, scenario.start_span)


class _Script:
    """Answers questions from the script, and by itself where `docs/scenarios.md` says so."""

    def __init__(self, scenario: Scenario, asked: Asked) -> None:
        self.scenario, self.asked = scenario, asked
        self.chance = Arranged(asked.game, scenario)
        _check_counters(asked.game, scenario)
        self.state = asked.game.start(0, 0, arrangement=self.chance, chance=self.chance)
        for name, values in scenario.start.counters.items():
            self.state.set_counter(name, values)
        self.left = list(scenario.actions)
        self.free: Counter[str] = Counter()  # what was done without standing in the script
        self.forced: Counter[str] = Counter()

    def play(self) -> list[str]:
        """Play until a real question is open or nothing more can be; return what went wrong."""
        try:
            stopped = self._play()
        except RuleError as e:
            return [f"the rules fail: {e.diagnostic.span}: {e.diagnostic.message}"]
        unused = self.chance.unused()
        return [found for found in (stopped or unused,) if found is not None]

    def _play(self) -> str | None:
        for _ in range(MOST_STEPS):
            pending = self.state.pending
            if pending is None:
                return self._left_over("the match is over")
            if not isinstance(pending, Question):
                if self.state.deals and not self.left:
                    return self._left_over("the deal is over")
                self.state.next_deal()
                continue
            self.asked.ask(self.state, pending)
            if not self.left and self.asked.stops_at(pending, self.scenario):
                return self._stopped(pending)
            if not self._answer(pending):
                return self._stopped(pending)
        return f"no end after {MOST_STEPS} steps"

    def _answer(self, question: Question) -> bool:
        texts = [a.text for a in question.actions]
        if self.left and self.left[0].seat == question.seat and self.left[0].text in texts:
            self.state.apply(texts.index(self.left.pop(0).text))
            return True
        for free in FREE:
            if free in texts:
                self.free[f"{question.decision}, seat {question.seat}"] += 1
                self.state.apply(texts.index(free))
                return True
        if len(texts) == 1:
            self.forced[f"{question.decision}: {texts[0]}, seat {question.seat}"] += 1
            self.state.apply(0)
            return True
        return False

    def unasked(self) -> list[str]:
        """Return in words what was answered that does not stand in the script."""
        told = (("passed unasked", self.free), ("done unasked, the only action", self.forced))
        return [f"{what}: {_counted(steps)}" for what, steps in told if steps]

    def _stopped(self, question: Question) -> str | None:
        expects_illegal = "error" in self.scenario.expect.values
        if not self.left:
            return (
                "no action was refused, but `error: illegal` is expected"
                if expects_illegal
                else None
            )
        action = self.left[0]
        asked = f"seat {question.seat} is asked for '{question.decision}': " + ", ".join(
            a.text for a in question.actions
        )
        if action.seat != question.seat:
            return f"the script does not fit: `{action.seat}: {action.text}` comes when {asked}"
        if expects_illegal and len(self.left) == 1:
            return None
        return f"`{action.seat}: {action.text}` is illegal: {asked}"

    def _left_over(self, why: str) -> str | None:
        if not self.left:
            if "error" in self.scenario.expect.values:
                return "no action was refused, but `error: illegal` is expected"
            return None
        action = self.left[0]
        return f"{why}, but the script goes on with `{action.seat}: {action.text}`"


def _counted(steps: Counter[str]) -> str:
    texts = [text + (f" ({n} times)" if n > 1 else "") for text, n in steps.items()]
    more = [f"and {len(texts) - MOST_TOLD} more"] if len(texts) > MOST_TOLD else []
    return "; ".join([*texts[:MOST_TOLD], *more])


def _differences(state: State, scenario: Scenario) -> list[str]:
    found: list[str] = []
    over = state.pending is None or (isinstance(state.pending, DealStart) and state.deals > 0)
    for key, expected in scenario.expect.values.items():
        actual: object
        match key:
            case "counters":
                assert isinstance(expected, dict)
                for name, values in expected.items():
                    now = state.counters()[name]
                    if now != values:
                        found.append(f"counter {name}: expected {list(values)}, found {list(now)}")
                continue
            case "deal_over":
                actual = over
            case "deal_winner":
                actual = state.deal_winner if state.deals_finished else "no finished deal"
            case "match_winner":
                ended = state.pending is None
                actual = ("draw" if state.winner is None else state.winner) if ended else None
            case "next_dealer":
                actual = (
                    state.dealer if isinstance(state.pending, DealStart) else "no next deal yet"
                )
            case "tricks":
                actual = state.tricks
            case "decision":
                assert isinstance(expected, Open)
                found += _open_differences(state, expected)
                continue
            case _:
                continue
        if actual != expected or isinstance(actual, bool) != isinstance(expected, bool):
            found.append(f"{key}: expected {_shown(expected)}, found {_shown(actual)}")
    return found


def _open_differences(state: State, expected: Open) -> list[str]:
    question = state.pending
    if not isinstance(question, Question):
        where = "the match is over" if question is None else "the deal is over"
        return [f"decision: expected '{expected.name}', but {where}"]
    found = []
    if expected.seat is not None and expected.seat != question.seat:
        found.append(f"decision: expected seat {expected.seat}, found seat {question.seat}")
    if expected.name is not None and expected.name != question.decision:
        found.append(f"decision: expected '{expected.name}', found '{question.decision}'")
    if expected.actions is not None:
        wanted, legal = set(expected.actions), {a.text for a in question.actions}
        found += [f"decision: '{text}' is not legal" for text in sorted(wanted - legal)]
        found += [f"decision: '{text}' is legal too" for text in sorted(legal - wanted)]
    return found


def _shown(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(_shown(v) for v in value) + "]"
    return str(value)
