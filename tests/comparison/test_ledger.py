"""The bluff ledger: shares agree with counts, break-even with a calculation by hand."""

from dataclasses import replace

import numpy as np
import pytest
from measuring import measure_variant

from trutdsl.comparison.compare import estimate_all
from trutdsl.comparison.results import bluff_ledger
from trutdsl.report.csv_files import ledger_rows
from trutdsl.stats.resampling import break_even, ratio_influences


@pytest.fixture(scope="module")
def measurement():
    return measure_variant("trut", ("bluffer", "honest"), sets=40)


def test_rows_add_up_to_the_choices(measurement):
    rows = bluff_ledger(measurement)
    assert len(rows) == 10 * len(measurement.plan.betting)
    chosen = measurement.chosen.sum(axis=(0, 1))
    for (question, option), place in measurement.plan.options.items():
        own_rows = [row for row in rows if (row["question"], row["option"]) == (question, option)]
        if own_rows:
            assert sum(row["chosen"] for row in own_rows) == chosen[place]
    for row in rows:
        assert row["chosen"] == sum(row["ends"].values()) <= row["offered"]
        if row["offered"]:
            assert row["rate"]["mean"] == pytest.approx(row["chosen"] / row["offered"])
    folds = [row for row in rows if row["option"] == "fold" and row["wins"]]
    assert folds and all(row["wins"]["mean"] == 0 for row in folds)  # with two players


def test_weak_hands_are_the_three_weakest_tenths(measurement):
    rows = [
        r for r in bluff_ledger(measurement) if (r["question"], r["option"]) == ("turn", "trut")
    ]
    weak = [row for row in rows if row["beats"] < 3]
    value = {name: found.value for name, (_, found) in estimate_all(measurement).items()}
    chosen = sum(row["chosen"] for row in weak)
    assert value["weak.turn.trut"] == pytest.approx(chosen / sum(row["offered"] for row in weak))
    wins = sum(row["chosen"] * row["wins"]["mean"] for row in weak if row["wins"])
    assert value["weak_wins.turn.trut"] == pytest.approx(wins / chosen)


def test_break_even_balances_gains_and_losses(measurement):
    """20 deals won bring 30 longs, 10 lost ones cost 45: l/(g + l) = 4.5/(1.5 + 4.5) = 3/4."""
    plan = measurement.plan
    counts = np.zeros_like(measurement.counts)
    ended, points = (plan.offsets[name] for name in ("bet_ended", "bet_points"))
    counts[0, ended], counts[0, ended + 1] = 20, 10
    longs = plan.counters.index("longs")
    counts[0, points + longs], counts[0, points + len(plan.counters) + longs] = 30, -45
    first = bluff_ledger(replace(measurement, counts=counts))[0]
    assert (first["gain"]["longs"]["mean"], first["loss"]["longs"]["mean"]) == (1.5, 4.5)
    assert first["break_even"]["longs"]["mean"] == 0.75
    assert first["wins"]["mean"] == pytest.approx(2 / 3)
    assert first["won_by"][plan.reasons[0]]["mean"] == pytest.approx(2 / 3)
    assert first["worth"]["longs"]["mean"] == pytest.approx((30 - 45) / 30)
    counts[0, ended + 2] = 15  # deals that nobody won
    again = bluff_ledger(replace(measurement, counts=counts))[0]
    assert again["worth"]["longs"]["mean"] == pytest.approx((30 - 45) / 45)
    assert again["gain"] == first["gain"] and again["loss"] == first["loss"]


def test_the_error_of_break_even_comes_from_gain_and_loss():
    """Two clusters: 10 deals won bring 10 and 20, and 10 deals lost cost 45 in each.

    Influences on the gain are -1/2 and 1/2, and 0 on the loss. The derivative of l/(g + l) by g is
    -4.5/36. So the influences are 1/16 and -1/16, and the standard error is 1/16.
    """
    whole = np.array([10, 10])
    gain = ratio_influences(np.array([10, 20]), whole)
    loss = ratio_influences(np.array([45, 45]), whole)
    found = break_even(gain, loss)
    assert found.value == 0.75 and found.each == pytest.approx((1 / 16, -1 / 16))
    assert found.error == pytest.approx(1 / 16)
    assert break_even(gain, ratio_influences(np.array([-1, 0]), whole)) is None
    nothing = ratio_influences(np.array([0, 0]), whole)
    assert break_even(nothing, nothing) is None
    # The derivatives are l/(g + l)^2 and g/(g + l)^2, also for the rounding of counts.
    more = ratio_influences(np.array([45, 225]), np.array([10, 50]))
    variance = (4.5**2 * gain.rounding + 1.5**2 * more.rounding) / 6**4
    assert break_even(gain, more).rounding == pytest.approx(variance)


def test_every_estimate_has_an_interval(measurement):
    rows = [row for row in bluff_ledger(measurement) if row["chosen"] > 100]
    assert rows
    for row in rows:
        payoffs = [
            one for name in ("gain", "loss", "break_even", "worth") for one in row[name].values()
        ]
        for one in (row["rate"], row["wins"], *payoffs):
            assert one is None or one["low"] <= one["mean"] <= one["high"]
        assert sum(one["mean"] for one in row["won_by"].values()) == pytest.approx(
            row["wins"]["mean"]
        )


def test_games_without_bets_have_no_ledger():
    assert bluff_ledger(measure_variant("tute", ("uniform",), sets=4)) == []


def test_the_table_of_a_game_without_counters_has_a_row_for_each_call(measurement):
    plan = replace(measurement.plan, counters=())
    of_game = replace(measurement, plan=plan, counts=np.ones((2, plan.size), np.int64))
    ledger = bluff_ledger(of_game)
    assert len(ledger) == 10 * len(plan.betting)
    rows = list(ledger_rows({"variants": [{"name": "bare", "ledger": ledger}]}))
    assert [row["rate"] for row in rows] == [row["rate"] for row in ledger]
    assert {row["counter"] for row in rows} == {row["worth"] for row in rows} == {None}
