"""Plays a scenario and compares the result with the expectations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trutdsl.diagnostics import Failure, Rejected, Span, reject
from trutdsl.game import BadUsage, Game, Question, RuleError, State, load_game
from trutdsl.language import say
from trutdsl.scenario.arrange import ArrangedChance
from trutdsl.scenario.differences import Mismatch, check_scenario, find_differences
from trutdsl.scenario.middle import check_memory
from trutdsl.scenario.model import SEED, Expect, Scenario
from trutdsl.scenario.read import read_scenarios
from trutdsl.scenario.respondents import Respondents, load_chosen_scripts
from trutdsl.scenario.script import ScenarioScript
from trutdsl.strategy.explain import Explanation
from trutdsl.strategy.match_history import MatchHistory
from trutdsl.strategy.monte_carlo import MonteCarloSpec, SearchResult, search_after
from trutdsl.strategy.script import ScriptSpec, table_for
from trutdsl.strategy.solved_policy import SolvedSpec
from trutdsl.table.match import Event
from trutdsl.transcript.events import Recorder
from trutdsl.variant import BadParameter

if TYPE_CHECKING:
    from trutdsl.strategy.hints import Hint


@dataclass(frozen=True)
class ScenarioOutcome:
    """The result of a scenario; it passed if `mismatches` is empty.

    events:  all events of the match.
    variant: the fingerprint of its variant. counters: their values at its end.
    refusal: the action that the rules refused as expected, and the question; empty without one.
    unused:  the results of `random` that nothing used.
    """

    scenario: Scenario
    mismatches: tuple[Mismatch, ...]
    events: tuple[Event, ...]
    variant: str
    counters: Mapping[str, tuple[int, ...]]
    refusal: str
    unused: tuple[str, ...]

    @property
    def differences(self) -> tuple[str, ...]:
        """The failed expectations, a line each."""
        return tuple(one.text for one in self.mismatches)

    @property
    def passed(self) -> bool:
        """Whether every expectation holds."""
        return not self.mismatches


REFERENCE = "reference"
Games = dict[tuple[object, ...], Game]


def run_scenario(
    scenario: Scenario,
    file: Path,
    engine: str = REFERENCE,
    games: Games | None = None,
    tell: bool = False,
) -> ScenarioOutcome:
    """Play a scenario of the file; raises `Rejected` if its start is impossible.

    games: games of other scenarios, to use again. tell: keep the events.
    """
    cache = games if games is not None else {}
    texts = sorted((name, value.text) for name, value in scenario.parameters.items())
    key = (file.parent, scenario.variant.text, scenario.players, *texts)
    if key not in cache:
        cache[key] = scenario_game(scenario, file, engine)
    scripts = load_chosen_scripts(scenario, file)
    check_memory(scenario.start, scripts.values())
    respondents = Respondents(cache[key], scripts)
    check_scenario(respondents.game, scenario)
    try:
        play = _Played(scenario, respondents, tell)
    except RuleError:
        _Played(scenario, Respondents(cache[key].in_engine(REFERENCE), scripts), tell)
        raise
    if play.script.broken and engine != REFERENCE:
        best = _Played(scenario, Respondents(cache[key].in_engine(REFERENCE), scripts), tell)
        play = best if best.script.broken else play
    respondents, script, differences = play.respondents, play.script, play.mismatches
    if not differences:
        differences = list(find_differences(script.state, respondents.game, scenario.expect))
        span = scenario.expect.spans.get("choose")
        differences += [Mismatch(text, span) for text in respondents.differences(scenario)]
    if isinstance(script.emit, Recorder):
        script.emit.flush()
    notes = [script.refusal] if script.refusal and not tell else []
    more = [Mismatch(text) for text in (*notes, *script.unasked())] if differences else []
    variant, counters = respondents.game.variant.fingerprint, script.state.counters()
    unused = tuple(text.text for text in script.chance.random)
    differences = [*differences, *more]
    return ScenarioOutcome(
        scenario, tuple(differences), tuple(play.events), variant, counters, script.refusal, unused
    )


class _Played:
    """A scenario after its script. It runs in the reference engine, which explains errors best."""

    def __init__(self, scenario: Scenario, respondents: Respondents, tell: bool) -> None:
        self.respondents, self.events = respondents, list[Event]()
        emit = Recorder(self.events.append) if tell else None
        self.script = ScenarioScript(scenario, self.respondents, emit)
        self.mismatches = self.script.play()


def explain_scenario(
    scenario: Scenario,
    file: Path,
    spec: ScriptSpec | SolvedSpec | MonteCarloSpec,
    seat: int | None = None,
) -> tuple[State, Explanation | Hint | SearchResult] | None:
    """Return the end of a scenario, and a strategy's choice there; None if nobody is asked.

    seat: which must be asked there; else the one that the scenario expects, or any.

    Raises `Rejected` if its start is impossible, `BadUsage` if another question is open there, and
    `Failure` if the script or the rules fail.
    """
    game = scenario_game(scenario, file, REFERENCE)
    scripts = {spec.name: spec} if isinstance(spec, ScriptSpec) else {}
    check_memory(scenario.start, (*scripts.values(), *load_chosen_scripts(scenario, file).values()))
    respondents = Respondents(game, scripts, stops=True, fully=True)
    check_scenario(respondents.game, scenario)
    answers: list[Event] = []
    script = ScenarioScript(scenario, respondents, answers.append)
    wrong = script.play()
    if wrong:
        raise Failure(f"{wrong[0].span or scenario.span}: {scenario.name}: {wrong[0].text}")
    if not isinstance(script.state.pending, Question):
        return None
    asks, decision = script.state.pending, scenario.expect.decision
    expected = decision.seat if seat is None else seat
    if seat is not None and seat != asks.seat:
        raise BadUsage(
            say(
                "{span}: where '{scenario}' ends, player {asked} is asked '{decision}', "
                "not player {expected}",
                span=scenario.span,
                scenario=scenario.name,
                asked=asks.seat + 1,
                decision=asks.decision,
                expected=seat + 1,
            )
        )
    if expected not in (None, asks.seat) or decision.name not in (None, asks.decision):
        raise BadUsage(
            say(
                "{span}: where '{scenario}' ends, seat {asked} is asked '{decision}'; "
                "expected was seat {expected}",
                span=scenario.expect.spans.get("decision", scenario.span),
                scenario=scenario.name,
                asked=asks.seat,
                decision=asks.decision,
                expected=f"{asks.seat if expected is None else expected}"
                + (f", '{decision.name}'" if decision.name else ""),
            )
        )
    if isinstance(spec, MonteCarloSpec):
        texts = [event["action"] for event in answers if event["event"] == "action"]
        return _search(scenario, game.in_engine("native"), spec, asks.seat, texts)
    if isinstance(spec, SolvedSpec):
        from trutdsl.strategy.hints import SolvedPolicyAdviser  # it loads SciPy

        return script.state, SolvedPolicyAdviser(game, spec).hint(script.state.view())
    choice = respondents.choices[spec.name]
    if isinstance(choice, str):
        raise Failure(say("strategy '{spec}' failed: {choice}", spec=spec.name, choice=choice))
    return script.state, choice


def _search(
    scenario: Scenario, game: Game, spec: MonteCarloSpec, seat: int, answers: Sequence[str]
) -> tuple[State, SearchResult]:
    """Return the state after these answers of a scenario, and what a search finds there."""
    start = scenario.start
    if start.at is not None or start.zones or start.variables:
        text = "{span}: '{scenario}' begins in the middle of a deal: {spec} needs all of the deal"
        raise BadUsage(say(text, span=scenario.span, scenario=scenario.name, spec=spec.name))
    table = table_for(game, (spec.script_for(game),))
    chance = ArrangedChance(game, scenario)

    def prepare(state: State) -> None:
        for name, values in start.counters:
            state.set_counter(name.text, values)
        if start.dealer is not None and state.dealer != start.dealer:
            state.set_dealer(start.dealer)

    course = MatchHistory(table.compiled_game, (seat,), chance, arrangement=chance, prepare=prepare)
    return course.state, search_after(answers, spec, table, course, seat, SEED)


def scenario_game(scenario: Scenario, file: Path, engine: str) -> Game:
    """Return the game of a scenario of a file; raises `Rejected` at the scenario's words."""
    ref = scenario.variant.text
    if ref.endswith((".yaml", ".yml")):
        ref = str(file.parent / ref)
    try:
        return load_game(ref, scenario.players, scenario.parameters, engine)
    except BadParameter as e:
        value = scenario.parameters[e.name].span
        span = value if e.known else _key_before(value, e.name)
        raise reject("bad-parameter", str(e), span) from None
    except BadUsage as e:
        raise reject("bad-scenario", str(e), scenario.variant.span) from None
    except Rejected as e:
        first = e.diagnostics[0]
        if first.code != "unknown-variant" and (first.code != "missing-file" or first.span.text):
            raise
        if first.code == "missing-file":
            text = say("there is no file '{text}'", text=scenario.variant.text)
            first = replace(first, message=text)
        raise Rejected([replace(first, span=scenario.variant.span)]) from None


def _key_before(value: Span, name: str) -> Span:
    """Return where the key of a value stands on its line, else the value."""
    hit = re.search(rf"{re.escape(name)}\s*:\s*$", value.source.line(value.line)[: value.col - 1])
    if hit is None:
        return value
    return Span(value.source, value.line, hit.start() + 1, value.line, hit.start() + 1 + len(name))


# Coverage: the parts of the rules that scenarios reach.


class _Covered(Games):
    """Games for scenarios; those of one variant count the parts that they reach."""

    def __init__(self, decision: str) -> None:
        super().__init__()
        self.fingerprint = decision

    def __setitem__(self, key: tuple[object, ...], game: Game) -> None:
        counts = game.variant.fingerprint == self.fingerprint
        super().__setitem__(key, game.with_counters[0] if counts else game)


def cover_scenarios(game: Game, files: Sequence[Path]) -> tuple[dict[str, int], int]:
    """Return how often scenarios of a variant reach each part, and the number of these scenarios.

    Expectations do not matter; scenarios of other variants are left out. Raises `Rejected` for a
    file without scenarios.
    """
    games = _Covered(game.variant.fingerprint)
    counts: Counter[str] = Counter()
    many = 0
    for file in files:
        for one in read_scenarios(file, str(file)):
            outcome = run_scenario(one, file, "reference", games)
            if outcome.variant == game.variant.fingerprint:
                many += 1
                counts.update({n: sum(v) for n, v in outcome.counters.items()})
    return {name: counts[name] for name in game.with_counters[1]}, many


class ScenarioPosition:
    """The first question with a choice after a scenario's actions; without one, after its start.

    game: the game of the scenario. seat: who is asked there.
    """

    def __init__(self, scenario: Scenario, file: Path, engine: str) -> None:
        """Find the position; raises `Rejected` or `BadUsage` if there is none."""
        self.game = scenario_game(scenario, file, engine)
        check_memory(scenario.start, load_chosen_scripts(scenario, file).values())
        check_scenario(self.game, scenario)
        start_only = replace(scenario, actions=(), expect=Expect({}, {}))
        for self._scenario in (scenario, start_only):
            pending = self.begin(self.game).pending
            if isinstance(pending, Question):
                self.seat = pending.seat
                return
        text = "{span}: nobody is asked anything in '{scenario}'"
        raise BadUsage(say(text, span=scenario.span, scenario=scenario.name))

    def begin(self, game: Game, emit: Callable[[dict[str, Any]], None] | None = None) -> State:
        """Return a match at the position; game: the same, perhaps with the past for scripts."""
        script = ScenarioScript(self._scenario, Respondents(game, {}, stops=True), emit)
        script.play()
        return script.state
