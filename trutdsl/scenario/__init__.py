"""Scenarios: a start, some actions and the expected end; unit tests for rules."""

from trutdsl.scenario.differences import Mismatch
from trutdsl.scenario.model import Scenario
from trutdsl.scenario.read import read_scenarios
from trutdsl.scenario.record import record_scenario
from trutdsl.scenario.run import (
    Games,
    ScenarioOutcome,
    ScenarioPosition,
    cover_scenarios,
    explain_scenario,
    run_scenario,
)

__all__ = [
    "Games",
    "Mismatch",
    "Scenario",
    "ScenarioOutcome",
    "ScenarioPosition",
    "cover_scenarios",
    "explain_scenario",
    "read_scenarios",
    "record_scenario",
    "run_scenario",
]
