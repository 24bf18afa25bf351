"""Agreement of two variants on the order of strategies: Kendall's tau-b, with ties."""

from dataclasses import replace
from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from measuring import measure_variant

from trutdsl.comparison.results import agreement, kendall_tau
from trutdsl.stats.payoffs import pair_payoffs


def tau_by_pairs(one, other):
    """Return tau-b: pairs in the same order less those in the opposite one, over untied pairs."""
    pairs = list(combinations(range(len(one)), 2))
    alike = sum((one[i] - one[j]) * (other[i] - other[j]) > 0 for i, j in pairs)
    unlike = sum((one[i] - one[j]) * (other[i] - other[j]) < 0 for i, j in pairs)
    untied = [sum(scores[i] != scores[j] for i, j in pairs) for scores in (one, other)]
    return (alike - unlike) / sqrt(untied[0] * untied[1])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((1, 2, 3), (1, 2, 3)),
        ((1, 2, 3), (3, 2, 1)),
        ((1, 2, 3, 4), (2, 1, 3, 4)),
        ((1, 1, 2, 3), (1, 2, 3, 4)),
        ((1, 1, 2, 3), (2, 1, 3, 3)),
    ],
)
def test_tau_b_counts_pairs(one, other):
    found = kendall_tau(np.array(one, float), np.array(other, float))
    assert found == pytest.approx(tau_by_pairs(one, other))


def test_equal_scores_are_tied_despite_rounding_errors():
    """Over 10 matches, the strategies are 6 points behind, 3 ahead and 3 ahead."""
    ahead = np.array([[0, 1, -7], [-1, 0, 4], [7, -4, 0]])
    exact, rounded = ahead.sum(axis=1) / 30, (ahead / 10).mean(axis=1)
    assert rounded[1] != rounded[2]
    assert kendall_tau(rounded, exact) == 1
    order = np.array([1.0, 2.0, 3.0])
    assert kendall_tau(rounded, order) == pytest.approx(2 / sqrt(6))
    assert kendall_tau(np.zeros(3), order) is None


@pytest.mark.thorough
def test_agreement_is_that_of_mean_scores():
    base, other = (measure_variant("trut", sets=40, goal=goal) for goal in (7, 3))
    scores = [pair_payoffs(m.tally, m.design).mean(axis=1).tolist() for m in (base, other)]
    found = agreement(base, other)
    assert found.mean == pytest.approx(tau_by_pairs(*scores))
    assert -1 <= found.low <= found.mean <= found.high <= 1
    assert (same := agreement(base, base)).mean == same.low == same.high == 1
    few, enough = (replace(base, tallies=base.tallies[:groups]) for groups in (19, 20))
    assert agreement(few, few) is None, "a bootstrap over fewer than 20 groups"
    assert agreement(enough, enough) is not None
    assert agreement(base, measure_variant("trut", ("caller", "quiet"), sets=40)) is None
