"""Rules that the visibility check refuses or lets pass, as the tests of them are given."""

import pytest


def refused_rules(rows):
    """Return what gives a test each of these rules: (name, rules, codes and lines)."""
    cases = [pytest.param(rules, expected, id=name) for name, rules, expected in rows]
    return pytest.mark.parametrize(("rules", "expected"), cases)


def allowed(rows):
    """Return what gives a test each of these rules: (name, rules)."""
    cases = [pytest.param(rules, id=name) for name, rules in rows]
    return pytest.mark.parametrize("rules", cases)


def both_tests(unsound, sound):
    """Return the test that rules are refused, and the test that others are not."""

    @refused_rules(unsound)
    def test_is_refused(codes, rules, expected):
        assert codes(rules) == expected

    @allowed(sound)
    def test_is_allowed(codes, rules):
        assert codes(rules) == []

    return test_is_refused, test_is_allowed
