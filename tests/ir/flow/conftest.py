"""Fixtures of the tests of the visibility check."""

import pytest


@pytest.fixture
def codes(rejections):
    """Return a function that lists the errors of rules: code and line."""
    return lambda rules: [(code, line) for code, line, _, _ in rejections(rules)]
