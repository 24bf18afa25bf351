"""Scenarios: a start, some actions and the expected end; unit tests for rules."""
