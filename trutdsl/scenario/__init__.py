"""Scenarios: a start, some actions, and what must then hold; unit tests for rules."""

from trutdsl.scenario.model import Scenario
from trutdsl.scenario.read import read_scenarios
from trutdsl.scenario.run import Games, Outcome, explain_scenario, run_scenario

__all__ = ["Games", "Outcome", "Scenario", "explain_scenario", "read_scenarios", "run_scenario"]
