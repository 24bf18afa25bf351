"""Strategies that answer every question of a scenario, and their choices at its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from trutdsl.diagnostics import BadUsage, reject
from trutdsl.files import SCRIPT
from trutdsl.game import Game, Question, State
from trutdsl.language import say
from trutdsl.scenario.middle import give_memory, give_rates
from trutdsl.scenario.model import SEED, ExpectedChoice, Scenario, Start
from trutdsl.strategy.explain import Advisers, Explanation
from trutdsl.strategy.fitness import check_for
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.script import ScriptSpec
from trutdsl.table.faults import PolicyError


def expected_choices(scenario: Scenario) -> tuple[ExpectedChoice, ...]:
    """Return the choices that a scenario expects of strategies at its end."""
    result: tuple[ExpectedChoice, ...] = scenario.expect.values.get("choose", ())
    return result


class Respondents:
    """Scripts that answer every question of a scenario, each as if it sat on that seat.

    game: the one to be played. choices: each script's last choice with reasons; a text if it
    failed. stops: whether the scenario ends at a question; by default, if there are scripts.
    """

    def __init__(
        self,
        game: Game,
        specs: Mapping[str, ScriptSpec],
        stops: bool | None = None,
        fully: bool = False,
    ) -> None:
        """Prepare the scripts by name; raises `Rejected` if one does not fit the variant."""
        self.specs = specs
        self.stops = bool(specs) if stops is None else stops
        for spec in self.specs.values():
            check_for(spec, game)
        each = tuple(dict.fromkeys(specs.values()))
        self.advisers = Advisers(game, each, SEED, 0, fully) if each else None
        self.game = self.advisers.game if self.advisers else game
        self.question: Question | None = None
        self.choices: dict[str, Explanation | str] = {}

    def begin(self, state: State, start: Start) -> None:
        """Give the scripts the past of the match that a scenario names; raises `Rejected`."""
        give_rates(self.game, start, state)
        for spec in dict.fromkeys(self.specs.values()) if start.memory else ():
            assert self.advisers is not None
            for seat in range(self.game.players):
                give_memory(self.game, start, spec, self.advisers.player(state, seat, spec))

    def ask(self, state: State, question: Question) -> None:
        """Record the choice of every script."""
        self.question = question
        for text, spec in self.specs.items():
            assert self.advisers is not None
            try:
                self.choices[text] = self.advisers.choose(state, question, spec)
            except PolicyError as failed:
                self.choices[text] = f"{failed.diagnostic.span}: {failed.diagnostic.message}"

    def stops_at(self, question: Question, scenario: Scenario) -> bool:
        """Return whether the scenario ends at a question, for the choices of strategies.

        It is the first one with a choice that has the expected seat and name, if these are given.
        """
        decision = scenario.expect.decision
        return (
            self.stops
            and len(question.actions) > 1
            and decision.seat in (None, question.seat)
            and decision.name in (None, question.decision)
        )

    def differences(self, scenario: Scenario) -> Iterator[str]:
        """Yield the unexpected choices of scripts, a line each."""
        for one in expected_choices(scenario):
            name, choice = one.strategy, self.choices.get(one.strategy)
            if choice is None or self.question is None:
                yield say("choose {strategy}: nothing was asked", strategy=name)
            elif isinstance(choice, str):
                yield say("choose {strategy}: it failed, {choice}", strategy=name, choice=choice)
            elif (found := self.question.actions[choice.index].text) != one.action:
                last = choice.looked[-1]
                by = say("by `{last}` ({span})", last=last.text, span=last.span)
                text = "choose {strategy}: expected `{action}`, found `{text}`, {by}"
                yield say(text, strategy=name, action=one.action, text=found, by=by)


def load_chosen_scripts(scenario: Scenario, file: Path) -> dict[str, ScriptSpec]:
    """Return the scripts that a scenario names; a path starts from the folder of its file."""
    return {one.strategy: _load(one, file) for one in expected_choices(scenario)}


def _load(one: ExpectedChoice, file: Path) -> ScriptSpec:
    path, colon, settings = one.strategy.partition(":")
    path_here = f"{file.parent / path}{colon}{settings}" if path.endswith(SCRIPT) else one.strategy
    try:
        spec = load_strategy(path_here)
    except BadUsage as bad:
        raise reject("bad-scenario", str(bad), one.span) from None
    if not isinstance(spec, ScriptSpec):
        message = say(
            "'{strategy}' is not a script, and cannot be asked here", strategy=one.strategy
        )
        help_ = say("a script's file ends in {script}", script=SCRIPT)
        raise reject("bad-scenario", message, one.span, help=help_)
    return spec
