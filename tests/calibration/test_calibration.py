"""The claims of `docs/statistics.md` with few runs; `make calibration` tests them with many."""

import csv
from functools import cache
from io import StringIO
from math import sqrt

import pytest
from extent import extent

from tests.calibration.comparisons import false_verdicts, interval_coverages
from tests.calibration.real_play import coverages, uneven_sets_of_self_play
from tests.calibration.tournaments import POINTS, calibrate
from trutdsl.stats.design import MATCHES

RUNS = extent(200, 300)


cached_calibrate = cache(calibrate)


def margin(share):
    """Three standard errors of a share of independent runs."""
    return 3 * sqrt(share * (1 - share) / RUNS)


@pytest.mark.parametrize(
    ("strategies", "teams", "metric", "sets"),
    [(4, 2, MATCHES, 20), (4, 2, MATCHES, 60), (4, 2, POINTS, 30), (4, 3, MATCHES, 20)][
        :: extent(2, 1)
    ],
)
@pytest.mark.usefixtures("few_draws")
def test_equal_strategies_are_not_separated(strategies, teams, metric, sets):
    found = cached_calibrate(strategies, teams, metric, sets, RUNS)
    assert found.alarms <= 0.05 + margin(0.05)
    # Intervals of one run are correlated, so the runs are the sample.
    assert 0.935 - margin(0.05) / 2 < found.scores < 0.965 + margin(0.05) / 2


@pytest.mark.usefixtures("few_draws")
def test_a_false_alarm_is_possible():
    """The tests use their level: tests that never reject would pass the test above, too."""
    assert cached_calibrate(4, 2, POINTS, 30, RUNS).alarms > 0.02


def test_intervals_cover_the_exact_answers_of_uniform_play():
    runs = 60
    for row in coverages(20, runs):
        assert row.covered >= 0.95 - 3 * sqrt(0.05 * 0.95 / runs), row


@pytest.mark.thorough
@pytest.mark.usefixtures("few_draws")
def test_intervals_of_comparisons_cover_zero():
    """All together in 95 % of the runs less four standard errors; each in 95 % less five."""
    runs = extent(30, 60)
    together, *alone = interval_coverages(("caller", "quiet"), 30, runs)
    error = sqrt(0.05 * 0.95 / runs)
    assert together.compared >= 0.95 - 4 * error
    assert all(row.compared >= 0.95 - 5 * error for row in alone)
    assert all(row.together >= row.alone for row in alone) and len(alone) > 25


@pytest.mark.thorough
@pytest.mark.usefixtures("few_draws")
def test_idle_dice_change_no_verdict():
    """With 4,000 deals, three of five comparisons are wrong in 0.1 % of all cases."""
    assert all(row.wrong < 3 / 5 for row in false_verdicts(5, 4_000))


@pytest.mark.parametrize(("variant", "players"), [("trut", 3), ("truc-catalan", 2)])
def test_a_deterministic_strategy_ties_with_itself_in_every_set(tmp_path, variant, players):
    assert uneven_sets_of_self_play(variant, players, 4, tmp_path) == 0


@pytest.mark.thorough
def test_only_rounding_makes_intervals_too_wide(root):
    """Check the table that `make calibration` wrote."""
    text = (root / "reports/calibration/compared.csv").read_text("utf-8")
    for row in csv.DictReader(StringIO(text)):
        coverage = float(row["compared"])
        assert coverage >= 0.935
        assert coverage <= 0.97 or float(row["rounded"]) >= 0.9695, row
