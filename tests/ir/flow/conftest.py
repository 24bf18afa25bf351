"""What the tests of the visibility check share: where rules are refused, and as what."""

import pytest


@pytest.fixture
def codes(refused):
    """Return (code, line of the rules) of all that is refused in rules."""
    return lambda rules: [(code, line) for code, line, _, _ in refused(rules)]
