"""Each metric by hand: from counts in known places, and from the matches of drawn sets."""

from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np
import pytest
from set_results import draw_set, round_robin, tally_sets

from trutdsl.comparison.cell import make_cell
from trutdsl.comparison.compare import estimate_all
from trutdsl.comparison.measurement import Measurement
from trutdsl.comparison.metrics import (
    debiased_skill,
    expected_metrics,
    metrics_of,
    noise_of_skill,
    sets_needed,
)
from trutdsl.game import load_game
from trutdsl.stats.estimate import Bounds
from trutdsl.stats.sequential import sets_to_find

PLAN = make_cell("trut", load_game("trut", 2), ("caller", "quiet"), 1).game.count_plan
LONGS, FOLDED, PLAYED = PLAN.counters.index("longs"), *map(PLAN.reasons.index, ("folded", "played"))
TRUT = PLAN.betting.index(("turn", "trut"))
ACCEPT, FOLD = (PLAN.options["respond", option] for option in ("accept", "fold"))
NOBODY = 2
COUNTS = {
    ("matches",): 10,
    ("deals",): 40,
    ("deals_sq",): 180,
    ("decisions",): 90,
    ("decisions_sq",): 890,
    ("forced",): 8,
    ("winners", 0): 3,
    ("winners", 1): 5,
    ("winners", NOBODY): 2,
    ("first_dealer", 0): 6,
    ("first_dealer", 1): 2,
    ("first_dealer", NOBODY): 2,
    ("after_dealer", 0): 30,
    ("after_dealer", 1): 8,
    ("after_leader", 0): 9,
    ("after_leader", 1): 27,
    ("ended", PLAYED, 0): 20,
    ("ended", PLAYED, NOBODY): 10,
    ("ended", FOLDED, 1): 10,
    ("tricks", 0): 100,
    ("tricks", 1): 25,
    ("gained", LONGS): 60,
    ("lead_changes", LONGS): 7,
    ("behind", LONGS, 0): 1,
    ("behind", LONGS, 1): 2,
    ("behind", LONGS, 2): 3,
    ("behind", LONGS, 5): 2,
    ("deficits", LONGS): 18,
    ("led", LONGS, 0): 5,
    ("led", LONGS, 1): 10,
    ("led", LONGS, 3): 10,
    ("held", LONGS, 1): 6,
    ("held", LONGS, 3): 9,
    ("chosen", 0, ACCEPT): 3,
    ("chosen", 1, ACCEPT): 4,
    ("chosen", 1, FOLD): 13,
    ("offered", TRUT, 2): 10,
    ("offered", TRUT, 3): 100,
    ("bet_ended", TRUT, 2, PLAYED, 0): 3,
    ("bet_ended", TRUT, 2, PLAYED, 1): 1,
    ("bet_ended", TRUT, 3, PLAYED, 0): 50,
}
VALUES = {
    "length.deals": 4,
    "length.decisions": 9,
    "length.per_deal": 90 / 40,
    "length.forced": 8 / 40,
    "spread.deals": ((180 - 40**2 / 10) / 9) ** 0.5,
    "spread.decisions": ((890 - 90**2 / 10) / 9) ** 0.5,
    "draws": 2 / 10,
    "first_seat": 3 / 8,
    "first_dealer": 6 / 8,
    "dealer": 30 / 38,
    "leader": 9 / 36,
    "ends.played": 30 / 40,
    "ends.folded": 10 / 40,
    "tied_tricks": 25 / 125,
    "stake.longs": 60 / 40,
    "lead_changes.longs": 7 / 10,
    "comebacks.longs": 5 / 8,
    "deficit.longs": 18 / 8,
    "held.longs": 15 / 20,
    "answer.respond.fold": 13 / 20,
    "weak.turn.trut": 4 / 10,
    "weak_wins.turn.trut": 3 / 4,
}


@pytest.fixture
def counts():
    result = np.zeros((1, PLAN.size), np.int64)
    for (name, *place), number in COUNTS.items():
        shape = PLAN.shapes[name]
        result[0, PLAN.offsets[name] + (np.ravel_multi_index(place, shape) if shape else 0)] = (
            number
        )
    return result


def test_every_metric_of_counts_by_hand(counts):
    measurement = Measurement(PLAN, round_robin(1, 1), counts, *[counts[:, :0]] * 2, ())
    found = {name: one.value for name, (_, one) in estimate_all(measurement).items()}
    assert {name: found[name] for name in VALUES} == pytest.approx(VALUES)


def test_ratios_of_unknown_counts_are_left_out(counts):
    expected = counts[0].astype(float)
    expected[PLAN.offsets["forced"]] = np.nan
    found = {metric.name: value for metric, value in expected_metrics(PLAN, expected)}
    known = {name: value for name, value in VALUES.items() if not name.startswith("spread")}
    del known["length.forced"]
    assert "length.forced" not in found
    assert {name: found[name] for name in known} == pytest.approx(known)


CLUSTERS, SETS = 6, 4


@pytest.fixture(scope="module")
def drawn():
    """Return a measurement of three strategies, and the differences in matches.

    These are an array (pairs, sets, matches).
    """
    design, rng = round_robin(3, 2), Random(6)
    sets = [draw_set(design, rng) for _ in range(CLUSTERS * SETS)]
    tallies = tuple(
        tally_sets(design, sets[at : at + SETS], at) for at in range(0, len(sets), SETS)
    )
    counts = np.zeros((CLUSTERS, PLAN.size), np.int64)
    measurement = Measurement(PLAN, design, counts, *[counts[:, :0]] * 2, tallies)
    won = {None: 0, 0: 1, 1: -1}
    each = [
        [[won[leg.winner] * sign for leg, sign in zip(of[c], (1, -1), strict=True)] for of in sets]
        for c in range(3)
    ]
    assert list(design.combinations) == list(combinations(range(3), 2))
    return measurement, np.array(each, float)


def test_shares_of_luck_and_skill_by_hand(drawn):
    """The squared mean, less its variance, is skill; the covariance of both matches is luck."""
    measurement, each = drawn
    means = each.mean(axis=2)
    of_mean = means.var(axis=1, ddof=1) / means.shape[1]
    squared = means.mean(axis=1) ** 2 - of_mean
    products = (each[:, :, 0] * each[:, :, 1]).mean(axis=1)
    whole = (each**2).mean(axis=(1, 2)).sum()
    metrics = metrics_of(measurement.plan, measurement.design)
    skill, luck = (metrics[name].estimate(measurement) for name in ("skill", "deal_luck"))
    assert skill.value == pytest.approx(squared.sum() / whole)
    assert luck.value == pytest.approx(-(products - squared).sum() / whole)
    assert debiased_skill(measurement) == pytest.approx(of_mean.sum() / whole)
    assert skill.debiased == debiased_skill(measurement)


def test_the_noise_of_skill_is_twice_the_squared_covariance(drawn):
    """Clusters are equally large, so the covariance of the means is that of clusters over n."""
    measurement, each = drawn
    by_cluster = each.mean(axis=2).reshape(3, CLUSTERS, SETS).mean(axis=2)
    covariance = np.cov(by_cluster) / CLUSTERS
    whole = (each**2).mean(axis=(1, 2)).sum()
    expected = 2 * (covariance**2).sum() / whole**2
    assert noise_of_skill(measurement) == pytest.approx(expected)


def test_larger_clusters_weigh_more(drawn):
    """The last cluster has twice as many sets as each of the four others."""
    measurement, each = drawn
    *first, one, other = measurement.tallies
    fewer = replace(measurement, counts=measurement.counts[1:], tallies=(*first, one.merge(other)))
    means = each.mean(axis=2)
    by_cluster = np.split(means, range(SETS, SETS * (CLUSTERS - 1), SETS), axis=1)
    away = [part.shape[1] / 24 * (part.mean(axis=1) - means.mean(axis=1)) for part in by_cluster]
    covariance = 5 / 4 * sum(np.outer(one, one) for one in away)
    whole = (each**2).mean(axis=(1, 2)).sum()
    expected = 2 * (covariance**2).sum() / whole**2
    assert noise_of_skill(fewer) == pytest.approx(expected)


def test_sets_needed_are_those_of_a_typical_pair(drawn):
    measurement, each = drawn
    means = each.mean(axis=2)
    variance = means.var(axis=1, ddof=1)
    squared = (means.mean(axis=1) ** 2 - variance / means.shape[1]).mean()
    found = sets_needed(measurement)["mean"]
    if squared <= 0:
        assert found is None
    else:
        deviation = variance.mean() ** 0.5
        assert found == sets_to_find(deviation, squared**0.5, Bounds(-1, 1))
