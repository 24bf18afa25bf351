"""Markers that parametrize tests with rules that the visibility check refuses or allows."""

from textwrap import dedent

import pytest


def refused_rules(rows):
    """Return a marker for rows of (name, rules, codes and lines of the errors)."""
    cases = [pytest.param(rules, expected, id=name) for name, rules, expected in rows]
    return pytest.mark.parametrize(("rules", "expected"), cases)


def allowed_rules(rows):
    """Return a marker for rows of (name, rules)."""
    cases = [pytest.param(rules, id=name) for name, rules in rows]
    return pytest.mark.parametrize("rules", cases)


def make_tests(unsound, sound):
    """Return two tests: the check refuses the unsound rules, and allows the sound ones."""

    @refused_rules(unsound)
    def test_is_refused(codes, rules, expected):
        assert codes(rules) == expected

    @allowed_rules(sound)
    def test_is_allowed(codes, rules):
        assert codes(rules) == []

    return test_is_refused, test_is_allowed


# A card of a place, by a secret of that place.
ONE_OF = """
define one_of(held: cards, lucky: yes_no) -> card?:
    first c in held where lucky or strength(c) > 2
"""


def with_one_of(rules):
    return dedent(rules) + ONE_OF * ("one_of" in rules)
