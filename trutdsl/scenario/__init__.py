"""Scenarios: a start, some actions, and what must then hold; unit tests for rules."""

from trutdsl.scenario.compare import Difference
from trutdsl.scenario.model import Scenario
from trutdsl.scenario.read import read_scenarios
from trutdsl.scenario.record import record_scenario
from trutdsl.scenario.run import Games, Outcome, cover_scenarios, explain_scenario, run_scenario

__all__ = [
    "Difference",
    "Games",
    "Outcome",
    "Scenario",
    "cover_scenarios",
    "explain_scenario",
    "read_scenarios",
    "record_scenario",
    "run_scenario",
]
