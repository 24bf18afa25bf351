"""What is worked out from the matrix of all pairs: cycles, Nash averages, alpha-rank."""

from random import Random

import numpy as np
import pytest
from simulated import draw_set, make_set, round_robin, tally_sets

from trutdsl.stats.alpha_rank import POPULATION, alpha_rank, stationary, transitions
from trutdsl.stats.cyclic import cyclic_part, cyclic_share, estimate_cyclic_share
from trutdsl.stats.nash import nash_average
from trutdsl.stats.payoffs import pair_payoffs, payoff_replicates

CYCLE = np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]])
LADDER = np.array([[0.0, 1, 3], [-1, 0, 2], [-3, -2, 0]])


def test_payoffs_are_the_differences_of_the_pairs():
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


def test_shares_of_what_is_all_cycle_or_none():
    assert cyclic_share(CYCLE) == 1
    assert cyclic_share(LADDER) == 0
    assert cyclic_share(CYCLE + LADDER) == pytest.approx(6 / (6 + 28))
    assert cyclic_part(np.array([CYCLE, LADDER])).sum(axis=2) == pytest.approx(0)
    assert cyclic_share(np.zeros((3, 3))) == 0


def test_noise_is_no_cycle():
    """Of a ladder with noise the plain share is too high; the interval of the corrected holds."""
    rng, plain, held, runs = np.random.default_rng(1), [], 0, 200
    truth = LADDER / 10 + CYCLE / 25

    def noisy(around, count):
        noise = np.triu(rng.normal(0, 0.06, (count, 3, 3)), 1)
        return around + noise - noise.swapaxes(1, 2)

    corrected = []
    for _ in range(runs):
        seen = noisy(truth, 1)[0]
        found = estimate_cyclic_share(seen, noisy(seen, 300))
        plain.append(cyclic_share(seen))
        corrected.append(found.mean)
        held += found.low <= cyclic_share(truth) <= found.high
    assert abs(np.mean(corrected) - cyclic_share(truth)) < abs(np.mean(plain) - cyclic_share(truth))
    assert held / runs > 0.9


def test_nash_average_of_a_cycle_is_even_and_copies_share():
    assert nash_average(CYCLE).weights == pytest.approx([1 / 3] * 3, abs=1e-5)
    copied = CYCLE[np.ix_([0, 0, 1, 2], [0, 0, 1, 2])]
    found = nash_average(copied)
    assert found.weights == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-4)
    assert found.scores == pytest.approx([0] * 4, abs=1e-4)


def test_nash_average_by_hand():
    assert nash_average(LADDER).weights == (1, 0, 0)
    assert nash_average(LADDER).scores == (0, -1, -3)
    assert nash_average(np.zeros((4, 4))).weights == pytest.approx([1 / 4] * 4, abs=1e-5)
    # A cycle won by 1, 2 and 3: each has the weight of the game that it is not in.
    uneven = np.array([[0.0, 1, -3], [-1, 0, 2], [3, -2, 0]])
    assert nash_average(uneven).weights == pytest.approx([2 / 6, 3 / 6, 1 / 6], abs=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_nash_averages_are_equilibria(seed):
    drawn = np.triu(np.random.default_rng(seed).normal(size=(7, 7)), 1)
    payoffs = drawn - drawn.T
    found = nash_average(payoffs)
    assert sum(found.weights) == pytest.approx(1)
    assert max(found.scores) < 1e-5
    assert all(s > -1e-4 for s, w in zip(found.scores, found.weights, strict=True) if w > 1e-4)


def test_alpha_rank_of_two_is_a_closed_form():
    found = stationary(transitions(np.array([[0.0, 0.3], [-0.3, 0]]), 0.2))
    ratio = np.exp((POPULATION - 1) * 0.2 * 0.3)
    assert found == pytest.approx([ratio / (1 + ratio), 1 / (1 + ratio)])


def test_alpha_rank_of_cycles_and_ladders():
    assert alpha_rank(CYCLE) == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert alpha_rank(LADDER) == (1, 0, 0)
    assert alpha_rank(np.zeros((2, 2))) == (0.5, 0.5)


def test_transitions_are_those_of_the_formula():
    found, m, a = transitions(LADDER / 4, 0.5), POPULATION, 0.5
    gap = LADDER[0, 1] / 4  # strategy 0 comes into a population of strategy 1
    assert found[1, 0] == pytest.approx((1 - np.exp(-a * gap)) / (1 - np.exp(-m * a * gap)) / 2)
    assert found.sum(axis=1) == pytest.approx(1)
    pi = stationary(found)
    assert pi @ found == pytest.approx(pi)
