"""Numbers have as many decimals as their error supports, everywhere."""

from math import inf

import pytest

from trutdsl.language import figure, speaking
from trutdsl.report.best_play import _range
from trutdsl.report.labels import both_values, change, estimate_text
from trutdsl.report.rounding import (
    bounded_estimate,
    format_estimate,
    format_of,
    lower_bound,
    round_as_shown,
    round_up,
    shorter,
    upper_bound,
)
from trutdsl.report.sweep import cell_text


def estimate(mean, half=None, kind="share"):
    low, high = (None, None) if half is None else (mean - half, mean + half)
    return {"mean": mean, "low": low, "high": high, "kind": kind}


FIRST_DEALER = estimate(0.4977, 1.96 * 0.00024)


@pytest.mark.parametrize(
    ("half", "text"),
    [
        (0.3, "50% (20% to 80%)"),
        (0.02, "50% (48% to 52%)"),
        (0.0199, "49.8% (47.8% to 51.8%)"),
        (0.002, "49.8% (49.6% to 50.0%)"),
        (0.0005, "49.77% (49.72% to 49.82%)"),
        (0.000012, "49.7700% (49.7688% to 49.7712%)"),
    ],
)
def test_half_an_interval_has_one_or_two_digits(half, text):
    assert format_estimate(estimate(0.4977, half), "%") == text


def test_a_share_near_one_half_is_not_rounded_to_it():
    texts = (
        format_estimate(FIRST_DEALER, "%"),
        estimate_text("share", FIRST_DEALER),
        cell_text(FIRST_DEALER),
        both_values({"kind": "share", "base": FIRST_DEALER, "other": FIRST_DEALER}),
    )
    assert all(text.startswith("49.77%") for text in texts)
    with speaking("fr", " "):
        assert format_estimate(FIRST_DEALER, "%") == "49,77 % (49,72 % à 49,82 %)"
        assert estimate_text("share", FIRST_DEALER) == cell_text(FIRST_DEALER)


def test_exact_values_stay_plain():
    for mean, text in ((0.0, "0%"), (1.0, "100%"), (0.5, "50%"), (0.125, "12.5%")):
        assert format_estimate(estimate(mean, 0.0), "%") == f"{text} ({text} to {text})"
    assert format_of([estimate(4.0, 0.0)]) == ",.0f"
    assert (
        format_of([estimate(1 / 3, 0.0)]) == ",.3f"
        and format_of([estimate(1 / 3, 0.0)], "%") == ",.1%"
    )


def test_without_an_interval_the_standard_error_decides():
    scores = [{**estimate(x), "se": 0.025} for x in (0.9140625, 0.0859375)]
    assert [format_estimate(score) for score in scores] == ["0.91", "0.09"]
    assert {format_estimate({**estimate(0.123), "se": error}) for error in (0.0, None)} == {"0.123"}


def test_without_an_interval_three_digits_are_written():
    assert [format_estimate(estimate(x), unit) for x, unit in ((0.123, "%"), (0.66667, "f"))] == [
        "12.3%",
        "0.667",
    ]
    assert format_estimate(estimate(12345.678)) == "12,346"


def test_adjacent_numbers_are_rounded_by_the_narrowest_interval():
    some = [estimate(0.5, 0.2), estimate(0.4, 0.0001), estimate(1.0, 0.0), None, estimate(0.5)]
    assert format_of(some) == format_of(reversed(some)) == ",.5f"
    assert shorter(",.5f") == ",.4f" and shorter("+,.0%") == "+,.0%"


def test_an_interval_that_excludes_zero_does_not_end_at_zero():
    found = {"mean": 0.012, "low": 0.0004, "high": 0.0236}
    assert change({"kind": "share", "difference": found}) == "+1.20 in 100 (+0.04 to +2.36)"
    less = {name: -value for name, value in found.items()}
    less |= {"low": less["high"], "high": less["low"]}
    assert change({"kind": "share", "difference": less}) == "-1.20 in 100 (-2.36 to -0.04)"
    around = {"mean": 0.01, "low": -0.0004, "high": 0.0204}
    assert change({"kind": "share", "difference": around}) == "+1.0 in 100 (0.0 to +2.0)"


@pytest.mark.parametrize(("form", "places"), [(".1f", 1), (".2f", 2), (".0%", 2), (".1%", 3)])
def test_shares_that_add_up_to_1_also_do_so_rounded(form, places):
    """As binary fractions, 0.45 and 0.55 would both be rounded up."""
    for number in range(5, 10 * 10**places, 10):  # in the middle of two roundings
        shares = (number / 10 ** (places + 1), 1 - number / 10 ** (places + 1))
        texts = [figure(round(share, 9), form) for share in shares]
        unit = 100 if "%" in form else 1
        assert sum(float(text.strip("%")) for text in texts) == pytest.approx(unit), texts


def test_the_first_sentence_is_rounded_as_the_table():
    first = estimate(0.45, 0.3)
    places = int(format_of([first]).partition(".")[2][0])
    assert figure(0.45, format_of([first])) == "0.4" == f"{round_as_shown(0.45, places):g}"


def test_an_end_in_the_middle_is_not_rounded_to_zero():
    """0.05 is rounded to the even 0.0, so that one more digit is needed."""
    assert (
        change({"kind": "number", "difference": {"mean": 0.3, "low": 0.05, "high": 0.55}})
        == "+0.30 (+0.05 to +0.55)"
    )


@pytest.mark.parametrize(
    ("value", "form", "low", "high"),
    [
        (0.00149, ".4f", "0.0014", "0.0015"),
        (-0.00141, "+.4f", "-0.0015", "-0.0014"),
        (0.5, "+.2f", "+0.50", "+0.50"),
        (0.1 + 0.2, ",.1f", "0.3", "0.3"),  # an error of the last bit
        (1234.561, ",.2f", "1,234.56", "1,234.57"),
        (1e-7, "+.4f", "0.0000", "+0.0001"),
    ],
)
def test_bounds_are_rounded_outward(value, form, low, high):
    assert (lower_bound(value, form), upper_bound(value, form)) == (low, high)


@pytest.mark.parametrize(
    ("error", "most", "text"),
    [
        (0.0121, inf, "0.013"),
        (0.0121, 0.0125, "0.0121"),
        (0.01246, 0.0125, "0.0125"),
        (0.012512346, 0.012512346, "0.012512346"),
        (0.02, 0.02, "0.02"),
        (2_250_001, inf, "2,300,000"),
        (0.000000004, inf, "4e-09"),
    ],
)
def test_an_error_is_rounded_up_but_not_beyond_what_it_does_not_exceed(error, most, text):
    assert round_up(error, most) == text


def test_best_play_has_bounds_that_hold():
    worth = {"mean": 0.123456, "low": 0.123449, "high": 0.123451}
    assert _range({"unit": "points"}, worth) == "+0.1235 (+0.1234 to +0.1235)"
    assert _range({"unit": "matches"}, worth, "") == "12.35 (12.34 to 12.35)"
    worth = {"mean": 0.51, "low": 0.49569, "high": 0.52431}
    assert bounded_estimate(worth, 100) == "51.0 (49.5 to 52.5)"
