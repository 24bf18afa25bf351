"""The position of a scenario, from which a person plays on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from trutdsl.diagnostics import BadUsage
from trutdsl.game import Game, Question, State
from trutdsl.language import say
from trutdsl.scenario.model import Expect, Scenario
from trutdsl.scenario.run import check_scenario, scenario_game
from trutdsl.scenario.script import Respondents, ScenarioScript


class ScenarioPosition:
    """The first question with a choice after a scenario's actions; without one, after its start.

    game: the game of the scenario. seat: who is asked there.
    """

    def __init__(self, scenario: Scenario, file: Path, engine: str) -> None:
        """Find the position; raises `Rejected` or `BadUsage` if there is none."""
        self.game = scenario_game(scenario, file, engine)
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
