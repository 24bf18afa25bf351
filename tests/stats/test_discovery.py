"""False discovery rate against published adjusted values, by definition, and how often it errs."""

from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy import stats

from trutdsl.stats.multiplicity import correct_discoveries, interval_level

# Benjamini and Hochberg 1995, table 1: fifteen p-values, of which theirs picks the first four.
THEIRS = (
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
    0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000,
)  # fmt: skip


def test_the_example_of_benjamini_and_hochberg():
    found = correct_discoveries(THEIRS)
    assert [p <= 0.05 for p in found] == [True] * 4 + [False] * 11
    assert interval_level(THEIRS) == pytest.approx(0.05 * 4 / 15)
    assert found == pytest.approx(stats.false_discovery_control(THEIRS).tolist())


@pytest.mark.parametrize("values", list(product((0.004, 0.02, 0.04, 0.3), repeat=4)))
def test_a_discovery_is_what_the_step_up_rule_picks_and_its_interval_leaves_out_0(values):
    ordered = sorted(values)
    picked = max((k for k in range(1, 5) if ordered[k - 1] <= 0.05 * k / 4 + 1e-15), default=0)
    threshold = ordered[picked - 1] if picked else -1.0
    found = correct_discoveries(values)
    level = interval_level(values)
    for p, adjusted in zip(values, found, strict=True):
        assert (adjusted <= 0.05) == (p <= threshold)
        # An interval of this level leaves out 0 just where p is at most the level.
        assert (p <= level + 1e-15) == (adjusted <= 0.05)


def test_nothing_is_looked_at():
    assert correct_discoveries(()) == [] and interval_level(()) == 0.05


def test_at_most_5_of_100_discoveries_and_of_their_intervals_are_false():
    rng, runs, many, freedom = np.random.default_rng(3), 1500, 40, 60
    true = np.where(np.arange(many) < 30, 0.0, np.linspace(2.0, 5.0, many))
    false, missed, by_themselves = [], [], []
    for _ in range(runs):
        # All share a part of their luck, as cells on the same deals do.
        t = true + sqrt(0.5) * rng.normal() + sqrt(0.5) * rng.normal(size=many)
        t /= np.sqrt(rng.chisquare(freedom, many) / freedom)
        p = (2 * stats.t.sf(np.abs(t), freedom)).tolist()
        picked = np.array(correct_discoveries(p)) <= 0.05
        reach = stats.t.ppf(1 - interval_level(p) / 2, freedom)
        count = max(1, picked.sum())
        false.append((picked & (true == 0)).sum() / count)
        missed.append((picked & (np.abs(t - true) > reach)).sum() / count)
        alone = np.array(p) <= 0.05
        by_themselves.append((alone & (true == 0)).sum() / max(1, alone.sum()))
    assert 0.01 < np.mean(false) <= 0.05 + 3 * np.std(false) / sqrt(runs)
    assert np.mean(missed) <= 0.05 + 3 * np.std(missed) / sqrt(runs)
    assert np.mean(by_themselves) > 0.07  # uncorrected it is more: the check can fail
