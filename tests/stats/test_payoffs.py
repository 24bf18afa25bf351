"""Statistics of the payoff matrix of all pairs: cycles, Nash averages, alpha-rank."""

from itertools import permutations
from random import Random

import numpy as np
import pytest
from scipy import stats
from set_results import draw_set, make_set, round_robin, tally_sets

from trutdsl.stats.multiplicity import poisson_weights
from trutdsl.stats.payoffs import (
    POPULATION,
    SWEEP,
    cyclic_part,
    estimate_alpha_rank,
    estimate_cyclic_share,
    estimate_nash,
    nash_average,
    pair_payoffs,
    payoff_replicates,
    stationary,
    transitions,
)
from trutdsl.stats.resampling import percentile_interval

CYCLE = np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]])
LADDER = np.array([[0.0, 1, 3], [-1, 0, 2], [-3, -2, 0]])


def cyclic_share(payoffs):
    """Return the cyclic share of payoffs without noise."""
    return estimate_cyclic_share(payoffs, payoffs[None]).mean


def test_weights_of_replicates_are_poisson():
    weights, rows = poisson_weights(400, 64), 400 * 64
    assert (weights == poisson_weights(400, 80)[:, :64]).all(), "more groups leave the others alone"
    for count in range(7):
        share = float((weights == count).mean())
        expected = stats.poisson.pmf(count, 1)
        assert share == pytest.approx(expected, abs=4 * np.sqrt(expected / rows))


def test_a_bootstrap_interval_leaves_out_a_fortieth_at_each_end_and_contains_the_mean():
    draws = np.arange(1001) / 1000
    found = percentile_interval(0.5, draws)
    assert (found.low, found.high, found.method) == (0.025, 0.975, "bootstrap")
    assert found.se == pytest.approx(1 / np.sqrt(12), abs=1e-3)
    assert percentile_interval(-1.0, draws).low == -1.0
    assert percentile_interval(2.0, draws).high == 2.0


def test_payoffs_are_differences_of_pairs():
    design = round_robin(3, 2)
    sets = [make_set([[0, 1], [0, 0], [None, 1]]), make_set([[0, 1], [0, 1], [0, 0]])]
    found = pair_payoffs(tally_sets(design, sets), design)
    assert found.tolist() == [[0, 1, 0.5], [-1, 0, 0.25], [-0.5, -0.25, 0]]


def test_replicates_scatter_as_the_sets_do():
    design, rng = round_robin(3, 2), Random(2)
    sets = [draw_set(design, rng) for _ in range(500)]
    tally = tally_sets(design, sets)
    replicates = payoff_replicates(tally, design)
    by_set = np.array([pair_payoffs(tally_sets(design, [s]), design) for s in sets])
    error = by_set.std(axis=0, ddof=1) / np.sqrt(len(sets))
    assert replicates.std(axis=0)[0, 1:] == pytest.approx(error[0, 1:], rel=0.25)
    assert replicates.mean(axis=0) == pytest.approx(pair_payoffs(tally, design), abs=0.01)


def test_the_cyclic_share_of_a_cycle_is_1_and_of_a_ladder_0():
    assert cyclic_share(CYCLE) == 1
    assert cyclic_share(LADDER) == 0
    assert cyclic_share(CYCLE + LADDER) == pytest.approx(6 / (6 + 28), abs=1e-8)
    assert cyclic_part(np.array([CYCLE, LADDER])).sum(axis=2) == pytest.approx(0)
    assert cyclic_share(np.zeros((3, 3))) == 0


def test_replicates_of_the_cyclic_share_have_noise_twice():
    """The noise is a tenth of the cycle, with both signs; squares are 6 and 34 without it."""
    payoffs = CYCLE + LADDER
    found = estimate_cyclic_share(payoffs, np.array([payoffs + CYCLE / 10, payoffs - CYCLE / 10]))
    part, whole, noise, cross = 6, 34, 0.06, 1.2
    assert found.mean == pytest.approx((part - noise) / (whole - noise))
    ends = np.array([(part - noise + s) / (whole - noise + s) for s in (-cross, cross)])
    middle, reach = ends.mean(), 0.95 * (ends[1] - ends[0]) / 2
    assert (found.low, found.high) == pytest.approx((middle - reach, middle + reach), abs=1e-8)


def test_a_mutant_of_equal_payoff_takes_over_by_chance():
    found = transitions(np.zeros((3, 3)), 1.0)
    chance = 1 / POPULATION / 2
    assert found == pytest.approx(np.where(np.eye(3), 1 - 2 * chance, chance))


def test_of_many_equilibria_the_nash_average_is_the_most_even():
    """Two independent rows: A p = 0 holds for a plane of p, and for the even one."""
    one, other = np.array([1.0, -1, 1, -1]), np.array([1.0, 1, -1, -1])
    payoffs = np.outer(one, other) - np.outer(other, one)
    orders = np.array(list(permutations(range(4))))
    stack = payoffs[orders[:, :, None], orders[:, None, :]]
    assert nash_average(stack) == pytest.approx(np.full((24, 4), 1 / 4))


def test_unequal_strategies_have_a_cyclic_share_without_a_cycle():
    """Odds of 9 to 1 and 81 to 1 give differences of 0.8, 0.8 and 80/82."""
    near, far = 8 / 10, 80 / 82
    ranked = np.array([[0, near, far], [-near, 0, near], [-far, -near, 0]])
    over = (2 * near - far) / 3
    share = 3 * over**2 / (2 * near**2 + far**2)
    assert cyclic_share(ranked) == pytest.approx(share, abs=1e-8)
    assert round(share, 2) == 0.06


def test_noise_does_not_bias_the_cyclic_share():
    """Noise makes the plain share too high; the corrected one has an interval that covers."""
    rng, plain, covered, runs = np.random.default_rng(1), [], 0, 200
    truth = LADDER / 10 + CYCLE / 25

    def noisy(around, count):
        noise = np.triu(rng.normal(0, 0.06, (count, 3, 3)), 1)
        return around + noise - noise.swapaxes(1, 2)

    corrected = []
    for _ in range(runs):
        observed = noisy(truth, 1)[0]
        found = estimate_cyclic_share(observed, noisy(observed, 300))
        plain.append(cyclic_share(observed))
        corrected.append(found.mean)
        covered += found.low <= cyclic_share(truth) <= found.high
    assert abs(np.mean(corrected) - cyclic_share(truth)) < abs(np.mean(plain) - cyclic_share(truth))
    assert covered / runs > 0.9


def average(payoffs):
    """Return the weights of one matrix, and the scores against them."""
    weights = nash_average(payoffs[None])[0]
    return weights, payoffs @ weights


def antisymmetric(random_payoffs):
    upper = np.triu(random_payoffs, 1)
    return upper - upper.swapaxes(-1, -2)


def test_nash_average_of_a_cycle_is_even_and_copies_share():
    assert average(CYCLE)[0] == pytest.approx([1 / 3] * 3, abs=1e-5)
    weights, scores = average(CYCLE[np.ix_([0, 0, 1, 2], [0, 0, 1, 2])])
    assert weights == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-4)
    assert scores == pytest.approx([0] * 4, abs=1e-4)


def test_nash_average_by_hand():
    weights, scores = average(LADDER)
    assert (weights.tolist(), scores.tolist()) == ([1, 0, 0], [0, -1, -3])
    assert average(np.zeros((4, 4)))[0] == pytest.approx([1 / 4] * 4, abs=1e-5)
    # A cycle of margins 1, 2 and 3: each weight is the margin of the game between the others.
    uneven = np.array([[0.0, 1, -3], [-1, 0, 2], [3, -2, 0]])
    assert average(uneven)[0] == pytest.approx([2 / 6, 3 / 6, 1 / 6], abs=1e-5)


def test_the_most_even_of_several_equilibria():
    """Two strategies draw and beat the third, so any mixture of both is an equilibrium.

    With a copy of the first, the most even one gives a third to each of the three.
    """
    even = np.array([[0.0, 0, 1], [0, 0, 2], [-1, -2, 0]])
    assert average(even)[0] == pytest.approx([1 / 2, 1 / 2, 0], abs=1e-5)
    copied = even[np.ix_([0, 0, 1, 2], [0, 0, 1, 2])]
    assert average(copied)[0] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_nash_averages_are_equilibria(seed):
    """A game has the same average alone and in a stack, also with ties."""
    rng = np.random.default_rng(seed)
    random_payoffs = antisymmetric(rng.normal(size=(30, 7, 7)))
    tied = antisymmetric(rng.integers(-1, 2, (10, 7, 7)).astype(float))
    for payoffs in (random_payoffs, tied):
        found = nash_average(payoffs)
        scores = np.vecdot(payoffs, found[:, None])
        assert found.sum(axis=1) == pytest.approx(1)
        assert scores.max() < 1e-5
        assert scores[found > 1e-4].min() > -1e-4
        assert nash_average(payoffs[3:4])[0] == pytest.approx(found[3], abs=1e-5)


@pytest.mark.thorough
def test_the_interval_of_a_nash_average_covers():
    """The weights are 1/3, 1/2 and 1/6; the coverage is that of 200 fields."""
    truth = np.array([[0.0, 1, -3], [-1, 0, 2], [3, -2, 0]]) / 30
    rng, covered, wide = np.random.default_rng(4), np.zeros(3), np.zeros(3)
    for _ in range(200):
        noise = antisymmetric(rng.normal(0, 0.012, (101, 3, 3)))
        observed = truth + noise[0]
        found = estimate_nash(observed, observed + noise[1:])
        ends = np.array([(one.low, one.high) for one in found.weights])
        covered += (ends[:, 0] <= [1 / 3, 1 / 2, 1 / 6]) & (ends[:, 1] >= [1 / 3, 1 / 2, 1 / 6])
        wide += ends[:, 1] - ends[:, 0]
    assert (covered / 200 > 0.89).all() and (covered / 200 < 0.995).all()
    assert (wide / 200 < 0.4).all()


def test_few_groups_give_no_interval():
    found = estimate_nash(CYCLE, CYCLE[None][:0])
    assert {(one.low, one.method) for one in found.weights} == {(None, "none")}
    assert [one.mean for one in found.weights] == pytest.approx([1 / 3] * 3, abs=1e-5)


def test_alpha_rank_of_two_is_a_closed_form():
    found = stationary(transitions(np.array([[0.0, 0.3], [-0.3, 0]]), 0.2))
    ratio = np.exp((POPULATION - 1) * 0.2 * 0.3)
    assert found == pytest.approx([ratio / (1 + ratio), 1 / (1 + ratio)])


def test_alpha_rank_of_cycles_and_ladders():
    def shares(payoffs):
        found = estimate_alpha_rank(payoffs, payoffs[None].repeat(30, axis=0))
        assert all(one.low == one.mean == one.high for one in found.shares)
        assert [alpha for alpha, _ in found.sweep] == list(SWEEP)
        assert found.sweep[-1][1] == tuple(one.mean for one in found.shares)
        return found

    assert [one.mean for one in shares(CYCLE).shares] == pytest.approx([1 / 3] * 3, abs=1e-6)
    ladder = shares(LADDER)
    assert [one.mean for one in ladder.shares] == [1, 0, 0]
    best = [each[0] for _, each in ladder.sweep]
    assert best == sorted(best) and best[0] < 0.6  # stronger selection gives it more
    assert [one.mean for one in shares(np.zeros((2, 2))).shares] == [0.5, 0.5]


def test_a_stack_gives_the_stationary_distribution_of_each():
    payoffs = antisymmetric(np.random.default_rng(2).normal(0, 0.3, (20, 5, 5)))
    together = stationary(transitions(payoffs, 3.0))
    for one, found in zip(payoffs, together, strict=True):
        assert stationary(transitions(one, 3.0)) == pytest.approx(found, abs=1e-12)


def test_transitions_are_those_of_the_formula():
    found, m, a = transitions(LADDER / 4, 0.5), POPULATION, 0.5
    gap = LADDER[0, 1] / 4  # strategy 0 invades a population of strategy 1
    assert found[1, 0] == pytest.approx((1 - np.exp(-a * gap)) / (1 - np.exp(-m * a * gap)) / 2)
    assert found.sum(axis=1) == pytest.approx(1)
    pi = stationary(found)
    assert pi @ found == pytest.approx(pi)
