"""The gain in precision from matches on the same deals."""

from math import sqrt
from random import Random
from statistics import fmean

import numpy as np
import pytest
from set_results import make_set, round_robin, tally_block, tally_sets

from trutdsl.stats.contrast import NO_GAIN, measure_gain
from trutdsl.stats.design import TournamentMetric
from trutdsl.stats.reduction import SetBlock

POINTS = TournamentMetric((("points", 1),))


def play(sets, shared, rng):
    """Return sets of two equal strategies; `shared` is the influence of the deal on a match."""
    results = []
    for _ in range(sets):
        deal = rng.gauss(0, shared)
        results.append(make_set([[int(deal + rng.gauss(0, 1) < 0) for _ in range(2)]]))
    return results


@pytest.mark.parametrize("shared", [0, 1, 2])
def test_gain_and_correlation_agree_with_the_matches(shared):
    design, sets = round_robin(2, 2), play(4000, shared, Random(shared))
    found = measure_gain(tally_sets(design, sets), design, 0, 1)
    legs = [[1 if leg.winner == order else -1 for order, leg in enumerate(one[0])] for one in sets]
    one, other = np.array(legs).T
    by_hand = np.var([*one, *other]) / (2 * np.var((one + other) / 2))
    assert found.gain == pytest.approx(by_hand, rel=2e-3)
    assert found.correlation == pytest.approx(1 / by_hand - 1, abs=2e-3)
    assert found.correlation == pytest.approx(np.corrcoef(one, other)[0, 1], abs=0.02)
    assert (found.gain > 1.3) == (shared > 0)


def test_the_gain_of_four_sets_by_hand():
    """Differences in the matches: 1 1, 1 1, 1 1, -1 1. The variance of a set is 1/4."""
    design = round_robin(2, 2)
    tally = tally_sets(design, [make_set([legs]) for legs in ([0, 1], [0, 1], [0, 1], [1, 1])])
    found = measure_gain(tally, design, 0, 1)
    assert found.gain == pytest.approx((8 / 8 - (6 / 8) ** 2 + 1 / 4 / 4) / 2 / (1 / 4))
    assert found.correlation == pytest.approx(1 / found.gain - 1)
    two = measure_gain(tally_sets(design, [make_set([[0, 1]]), make_set([[1, 1]])]), design, 0, 1)
    assert two.gain is not None and two.gain_low is None and two.gain_high is None


def test_the_interval_of_the_gain_contains_it():
    """Three sets are won and three are even, each with the same influence: an interval of a point.

    It is rounded to 9 decimals, and the gain of 4/3 is not.
    """
    design = round_robin(2, 2)
    tally = tally_sets(design, [make_set([legs]) for legs in ([0, 1], [0, 0]) * 3])
    found = measure_gain(tally, design, 0, 1)
    assert found.gain == 4 / 3 == found.gain_high
    assert found.gain_low == round(4 / 3, 9)


def test_the_correlation_of_equal_matches_is_1():
    """The deal decides both matches of a set, so four sets count as four matches."""
    design = round_robin(2, 2)
    tally = tally_sets(design, [make_set([legs]) for legs in ([0, 1], [1, 0]) * 2])
    found = measure_gain(tally, design, 0, 1)
    assert (found.gain, found.correlation) == (1 / 2, 1)


def test_a_deal_that_decides_everything_leaves_no_variance():
    design = round_robin(2, 2)
    tally = tally_sets(design, [make_set([[0, 0]]), make_set([[1, 1]])] * 5)
    assert measure_gain(tally, design, 0, 1) is NO_GAIN
    assert measure_gain(tally_sets(design, [make_set([[0, 0]])]), design, 0, 1) is NO_GAIN


def test_three_teams_have_six_legs():
    design, rng = round_robin(3, 3), Random(3)
    sets = []
    for _ in range(2000):
        luck = [rng.gauss(0, 2) for _ in range(3)]
        reached = [[own + rng.gauss(0, 1) for own in luck] for _ in range(6)]
        sets.append(make_set([[r.index(max(r)) for r in reached]]))
    found = measure_gain(tally_sets(design, sets), design, 0, 1)
    differences = []
    for one in sets:
        legs = []
        for order, leg in zip(design.orders, one[0], strict=True):
            legs.append((order[leg.winner] == 0) - (order[leg.winner] == 1))
        differences.append(legs)
    single = np.var([d for legs in differences for d in legs])
    assert found.gain == pytest.approx(
        single / 6 / np.var([fmean(d) for d in differences]), rel=2e-3
    )


@pytest.mark.parametrize(("sets", "runs"), [(20, 300), (300, 300)])
def test_the_interval_of_the_gain_covers(sets, runs):
    """Two matches of a set share -0.6 of their variance: the gain is 1 / (1 - 0.6) = 2.5."""
    design, rng, covered = round_robin(2, 2, POINTS), np.random.default_rng(8), 0
    for _ in range(runs):
        shared = rng.normal(size=(1, 1, 1, sets)) * sqrt(0.6)
        own = rng.normal(size=(1, 2, 1, sets)) * sqrt(0.4)
        # A deal favours one team as much as it hurts the other.
        ahead = np.round(500 * (shared + own)).astype(np.int64)
        points = np.concatenate([ahead, -ahead], axis=2)
        winners = (ahead[:, :, 0] < 0).astype(np.int64)
        tally = tally_block(design, SetBlock(0, winners, winners + 5, winners + 9, points))
        found = measure_gain(tally, design, 0, 1)
        covered += found.gain_low <= 2.5 <= found.gain_high
    assert covered / runs >= 0.92
