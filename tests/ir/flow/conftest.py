"""Fixtures of the tests of the visibility check."""

import pytest


@pytest.fixture
def codes(rejections):
    """Return a function that lists the errors of rules: code, and lines of the statements."""

    def check(rules):
        # An error at a condition notes the statements that would show it.
        found = [(code, at) for code, line, _, notes in rejections(rules) for at in notes or [line]]
        return sorted(dict.fromkeys(found), key=lambda error: error[1])

    return check
