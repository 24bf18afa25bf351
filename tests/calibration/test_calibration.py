"""The claims of `docs/statistics.md`: in short here, in long by `make calibration`."""

from functools import cache
from math import sqrt

import pytest

from tests.calibration.real_play import coverages, uneven_sets
from tests.calibration.tournaments import POINTS, calibrate
from trutdsl.stats.metric import MATCHES

RUNS = 300


calibrated = cache(calibrate)


def margin(share):
    """Three standard errors of a share of independent runs."""
    return 3 * sqrt(share * (1 - share) / RUNS)


@pytest.mark.parametrize(
    ("strategies", "teams", "metric", "sets"),
    [(4, 2, MATCHES, 20), (4, 2, MATCHES, 60), (4, 2, POINTS, 30), (4, 3, MATCHES, 20)],
)
def test_equal_strategies_are_called_equal(strategies, teams, metric, sets):
    found = calibrated(strategies, teams, metric, sets, RUNS)
    assert found.alarms <= 0.05 + margin(0.05)
    # Intervals of one run hang together, so that only runs count.
    for share in (found.scores, found.contrasts):
        assert 0.935 - margin(0.05) / 2 < share < 0.965 + margin(0.05) / 2


def test_a_false_alarm_is_possible():
    """The level is used up: tests that never speak would pass the test above, too."""
    assert calibrated(4, 2, POINTS, 30, RUNS).alarms > 0.02


def test_intervals_hold_the_exact_answers_of_uniform_play():
    runs = 60
    for row in coverages(20, runs):
        assert row.covered >= 0.95 - 3 * sqrt(0.05 * 0.95 / runs), row


@pytest.mark.parametrize(("variant", "players"), [("trut", 3), ("truc-catalan", 2)])
def test_a_strategy_without_luck_ties_with_itself_in_every_set(tmp_path, variant, players):
    assert uneven_sets(variant, players, 4, tmp_path) == 0
