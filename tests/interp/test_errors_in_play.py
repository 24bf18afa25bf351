"""Errors in play: bounds of places and numbers, and cards that are missing."""

import pytest


@pytest.mark.parametrize(("body", "expected"), {
    "too many cards": (
        "repeat 3 times: draw from stock to little",
        ("out-of-range", "'little' holds at most 2 cards"),
    ),
    "too many at once": (
        "move all from stock to little",
        ("out-of-range", "'little' holds at most 2 cards"),
    ),
    "above a variable's bounds": (
        "small = 4",
        ("out-of-range", "'small' would be 4, but is from 1 to 3"),
    ),
    "below a variable's bounds": (
        "small -= 2",
        ("out-of-range", "'small' would be 0, but is from 1 to 3"),
    ),
    "a counter below 0": (
        "points[team(dealer)] -= 1",
        ("out-of-range", "'points' would be -1, but is from 0 to 1000000"),
    ),
    "drawing from nothing": ("draw from played to stock", ("no-card", "'played' is empty")),
    "moving what is not there": (
        "move top(stock) from played to little",
        ("no-card", "1h does not lie in 'played'"),
    ),
}.items(), ids=lambda v: v if isinstance(v, str) else "")  # fmt: skip
def test_an_impossible_value_or_move_is_an_error(play, body, expected):
    sentences, error = expected
    declared = """
    zone little: up to 2 cards, seen by all
    match state:
        small: 1 to 3 = 2
    """
    head = "counters: {points: {help: Points.}}\n"
    used = "if small == 9 or size(little) == 9: do note(1)\n"
    assert play.error(used + sentences, declared, head=head) == error, body


def test_a_variable_with_bounds_above_0_starts_at_the_lower_bound(play):
    assert play("do note(small)", "match state:\n    small: 3 to 5\n").log == "3"
