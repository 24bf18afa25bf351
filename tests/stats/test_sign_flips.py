from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trutdsl.stats.hashed import hashed, normals, poisson_weights, signs
from trutdsl.stats.sign_flips import ENUMERATED, REPLICATES, sign_flip_p, step_down_p

columns = st.lists(st.integers(-9, 9), min_size=2, max_size=8)


@given(columns)
def test_the_p_value_is_the_share_of_flips_as_far_from_nothing(values):
    sums = [
        abs(sum(s * v for s, v in zip(flip, values, strict=True)))
        for flip in product((1, -1), repeat=len(values))
    ]
    expected = sum(s >= abs(sum(values)) for s in sums) / len(sums)
    assert sign_flip_p(np.array(values)[:, None]) == [pytest.approx(expected)]


def test_darwins_maize():
    """Fisher's own example: 15 pairs, 863 of 16,384 ways to reach the sum on either side."""
    pairs = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    (found,) = sign_flip_p(np.array(pairs)[:, None])
    truth = 863 * 2 / 2**15
    assert len(pairs) > ENUMERATED
    assert found == pytest.approx(truth, abs=3 * sqrt(truth * (1 - truth) / REPLICATES))


@given(st.lists(columns.map(lambda c: (c * 4)[:8]), min_size=1, max_size=4))
def test_adjusted_values_are_those_of_the_greatest_statistic(rows):
    table = np.array(rows).T
    spread = [sqrt(sum(v * v for v in row)) or 1 for row in rows]
    flips = np.array(list(product((1, -1), repeat=len(table)))) @ table
    null, seen = np.abs(flips) / spread, np.abs(table.sum(axis=0)) / spread
    reached = 0.0
    found = step_down_p(table)
    for index in np.argsort(-seen, kind="stable"):
        rest = [k for k in range(len(rows)) if seen[k] <= seen[index] + 1e-12]
        reached = max(reached, (null[:, rest].max(axis=1) >= seen[index] - 1e-12).mean())
        assert found[index] == pytest.approx(reached)


def test_one_contrast_needs_no_adjustment():
    table = np.array([3, 1, -1, 4, 2, 0, 2, 2, 5, 1, 1, -2, 3])[:, None]
    assert step_down_p(table) == sign_flip_p(table)


def test_five_sets_separate_nobody_and_six_do():
    assert sign_flip_p(np.ones((5, 1), np.int64)) == [2 / 2**5]
    assert sign_flip_p(np.ones((6, 1), np.int64)) == [2 / 2**6]


@pytest.mark.parametrize("sets", [8, 10, 20, 39])
def test_equal_strategies_are_called_different_as_often_as_the_level_says(sets):
    """Never more often; and not much less where the number of flips allows 5 %."""
    rng, runs = np.random.default_rng(sets), 800
    luck = rng.normal(size=(runs, sets, 4)).cumsum(axis=2)  # contrasts that hang together
    drawn = np.round(3 * luck).astype(np.int64)
    alone = np.mean([sign_flip_p(d)[0] <= 0.05 for d in drawn])
    any_ = np.mean([min(step_down_p(d)) <= 0.05 for d in drawn])
    margin = 3 * sqrt(0.05 * 0.95 / runs)
    assert 0.02 < alone <= 0.05 + margin
    assert 0.02 < any_ <= 0.05 + margin


def test_hashed_numbers_are_as_they_should_be():
    bits = hashed(0, 300, 200)
    assert len(np.unique(bits)) == bits.size
    share = np.unpackbits(bits.view(np.uint8)).mean()
    assert share == pytest.approx(0.5, abs=4 * 0.5 / sqrt(bits.size * 64))
    some = signs(2000, 30)
    assert abs(np.corrcoef(some.T) - np.eye(30)).max() < 5 / sqrt(2000)
    assert set(np.unique(some)) == {-1.0, 1.0}


def test_hashed_normals_and_poisson_weights_have_their_moments():
    z, w = normals(2000, 50), poisson_weights(2000, 50)
    n = z.size
    assert z.mean() == pytest.approx(0, abs=4 / sqrt(n))
    assert z.var() == pytest.approx(1, abs=4 * sqrt(2 / n))
    assert w.mean() == pytest.approx(1, abs=4 / sqrt(n))
    assert w.var() == pytest.approx(1, abs=4 * sqrt(3 / n))
    assert (w == 0).mean() == pytest.approx(np.exp(-1), abs=0.01)


def test_a_table_is_the_corner_of_a_larger_one():
    assert (hashed(1, 5, 7) == hashed(1, 50, 70)[:5, :7]).all()
