"""The false discovery rate against published values, its definition and a simulation."""

from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy import stats

from trutdsl.stats.multiplicity import correct_discoveries, interval_level

# Benjamini and Hochberg 1995, table 1: fifteen p-values, with four discoveries.
PUBLISHED = (
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
    0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000,
)  # fmt: skip


def test_the_example_of_benjamini_and_hochberg():
    found = correct_discoveries(PUBLISHED)
    assert [p <= 0.05 for p in found] == [True] * 4 + [False] * 11
    assert interval_level(PUBLISHED) == pytest.approx(0.05 * 4 / 15)
    assert found == pytest.approx(stats.false_discovery_control(PUBLISHED).tolist())


@pytest.mark.parametrize("values", list(product((0.004, 0.02, 0.04, 0.3), repeat=4)))
def test_discoveries_follow_the_step_up_rule_and_their_intervals_exclude_0(values):
    ordered = sorted(values)
    discoveries = max((k for k in range(1, 5) if ordered[k - 1] <= 0.05 * k / 4 + 1e-15), default=0)
    threshold = ordered[discoveries - 1] if discoveries else -1.0
    found = correct_discoveries(values)
    level = interval_level(values)
    for p, adjusted in zip(values, found, strict=True):
        assert (adjusted <= 0.05) == (p <= threshold)
        # An interval of this level excludes 0 if p is at most the level.
        assert (p <= level + 1e-15) == (adjusted <= 0.05)


def test_an_empty_family_has_no_discoveries():
    assert correct_discoveries(()) == [] and interval_level(()) == 0.05


def test_at_most_5_of_100_discoveries_and_of_their_intervals_are_false():
    rng, runs, many, freedom = np.random.default_rng(3), 1500, 40, 60
    true = np.where(np.arange(many) < 30, 0.0, np.linspace(2.0, 5.0, many))
    false, missed, uncorrected = [], [], []
    for _ in range(runs):
        # All share some luck, as cells with the same deals do.
        t = true + sqrt(0.5) * rng.normal() + sqrt(0.5) * rng.normal(size=many)
        t /= np.sqrt(rng.chisquare(freedom, many) / freedom)
        p = (2 * stats.t.sf(np.abs(t), freedom)).tolist()
        discoveries = np.array(correct_discoveries(p)) <= 0.05
        reach = stats.t.ppf(1 - interval_level(p) / 2, freedom)
        count = max(1, discoveries.sum())
        false.append((discoveries & (true == 0)).sum() / count)
        missed.append((discoveries & (np.abs(t - true) > reach)).sum() / count)
        alone = np.array(p) <= 0.05
        uncorrected.append((alone & (true == 0)).sum() / max(1, alone.sum()))
    assert 0.01 < np.mean(false) <= 0.05 + 3 * np.std(false) / sqrt(runs)
    assert np.mean(missed) <= 0.05 + 3 * np.std(missed) / sqrt(runs)
    assert np.mean(uncorrected) > 0.07  # without a correction it is more
