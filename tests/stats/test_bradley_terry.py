"""Strengths by the Bradley-Terry model and by Luce's model for several teams."""

from dataclasses import replace
from math import log10, sqrt
from random import Random

import numpy as np
import pytest
from exact_ratios import elo_of
from set_results import make_set, round_robin, tally_sets, tally_winners

from trutdsl.stats.field import ELO, fit_strengths, is_strongly_connected


def fit(design, sets):
    return fit_strengths([(design, tally_sets(design, sets))])


def test_two_strategies_by_hand():
    """The first wins 1, 1, 1, 0 on the first seat and 1, 1, 0, 0 on the other one.

    The logits of 3/4 and 1/2 are theta + eta and theta - eta. The delta method gives their errors.
    """
    design = round_robin(2, 2)
    sets = [make_set([legs]) for legs in ([0, 1], [0, 1], [0, 0], [1, 0])]
    found = fit(design, sets)
    better, other = found.elo
    assert better.mean - other.mean == pytest.approx(400 * log10(3) / 2)
    assert better.mean == pytest.approx(-other.mean)
    assert found.first_seat.mean == pytest.approx(400 * log10(3) / 2)
    seats = np.cov([1, 1, 1, 0], [1, 1, 0, 0]) / 4
    slope = np.array([1 / (3 / 4 * 1 / 4), 1 / (1 / 2 * 1 / 2)]) / 2
    assert 2 * better.se == pytest.approx(ELO * sqrt(slope @ seats @ slope))
    against = slope * [1, -1]
    assert found.first_seat.se == pytest.approx(ELO * sqrt(against @ seats @ against))
    assert (found.misfit, found.freedom) == (pytest.approx(0), 0)
    assert elo_of(0.75) == pytest.approx(190.848, abs=1e-3)


def test_every_strategy_and_the_first_seat_score_what_the_model_expects():
    design, rng = round_robin(4, 2), Random(1)
    sets = [make_set([[rng.randrange(2) for _ in range(2)] for _ in range(6)]) for _ in range(50)]
    tally = tally_sets(design, sets)
    found = fit_strengths([(design, tally)])
    theta = np.array([e.mean for e in found.elo]) / ELO
    gaps, eta = theta[:, None] - theta, found.first_seat.mean / ELO
    seated, behind = 1 / (1 + np.exp(-gaps - eta)), 1 / (1 + np.exp(-gaps + eta))
    expected = 50 * ((seated + behind).sum(axis=1) - 1)
    assert np.array(tally.score) / 2 == pytest.approx(expected, abs=1e-6)
    everyone = ~np.eye(4, dtype=bool)
    assert tally.team_score[0] / 2 == pytest.approx(50 * seated[everyone].sum(), abs=1e-6)


def test_an_advantage_of_a_seat_does_not_change_strengths():
    """Estimates are near the truth, and their errors match their spread."""
    design, rng = round_robin(3, 2), np.random.default_rng(3)
    theta, eta = np.array([0.8, 0.1, -0.9]), 0.7
    gaps = np.array([theta[a] - theta[b] for a, b in design.combinations])[:, None, None]
    values, errors = [], []
    for _ in range(400):
        deal = rng.normal(0, 0.5, 80)  # luck of the first seat, in all matches of the set
        chance = 1 / (1 + np.exp(-(np.array([1, -1])[:, None] * gaps + eta + deal)))
        winners = (rng.random((3, 2, 80)) > chance).astype(np.int64)
        found = fit_strengths([(design, tally_winners(design, winners))])
        estimated = [*found.elo, found.first_seat]
        values.append([e.mean / ELO for e in estimated])
        errors.append([e.se / ELO for e in estimated])
    assert np.mean(errors, axis=0) == pytest.approx(np.std(values, axis=0), rel=0.1)
    # Luck that all matches of a set share makes all logits a little smaller.
    assert np.mean(values, axis=0) == pytest.approx([*theta, eta], rel=0.1, abs=0.03)


ALWAYS = [  # two sets; theta + eta, or both, are infinite
    ([[0, 0], [0, 1]], 3 / 4),
    ([[1, 0], [1, 1]], 1 / 4),
    ([[0, 0], [0, 0]], 1 / 2),
    ([[1, 1], [1, 1]], 1 / 2),
]


@pytest.mark.parametrize(("legs", "share"), ALWAYS)
def test_a_seat_that_always_wins_has_no_strength(legs, share):
    """The strengths are those of the model without the seat, which are finite."""
    found = fit(round_robin(2, 2), [make_set([one]) for one in legs])
    assert found.first_seat is None
    one, other = found.elo
    assert one.mean - other.mean == pytest.approx(400 * log10(share / (1 - share)), abs=1e-5)


def test_strengths_are_infinite_without_a_cycle_of_wins():
    design = round_robin(3, 2)
    assert fit(design, [make_set([[0, 1], [0, 1], [0, 0]])] * 3) is None
    assert fit(design, [make_set([[0, 1], [1, 0], [0, 1]])] * 3) is not None  # a cycle
    assert is_strongly_connected(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]))
    assert not is_strongly_connected(np.array([[0, 1, 1], [1, 0, 1], [0, 0, 0]]))


def test_one_set_has_no_strengths():
    assert fit(round_robin(2, 2), [make_set([[0, 0]])]) is None


def test_strengths_of_three_teams_follow_luces_model():
    """Estimates are near the truth, and their errors match their spread."""
    design, rng = round_robin(4, 3), np.random.default_rng(7)
    theta = np.array([0.5, 0.2, -0.2, -0.5])
    strength = np.exp(theta)[design.seatings]  # (combinations, orders, teams)
    values, errors = [], []
    for _ in range(300):
        deal = np.exp(rng.normal(0, 0.8, (3, 60)))  # luck of each team, in all matches of a set
        worth = strength[..., None] * deal
        share = np.cumsum(worth / worth.sum(axis=2, keepdims=True), axis=2)
        winners = (rng.random((*share.shape[:2], 1, 60)) > share).sum(axis=2)
        found = fit_strengths([(design, tally_winners(design, winners))])
        values.append([e.mean / ELO for e in found.elo])
        errors.append([e.se / ELO for e in found.elo])
    spread, estimated = np.std(values, axis=0), np.mean(errors, axis=0)
    assert estimated == pytest.approx(spread, rel=0.15)
    # Luck that all seatings share makes the differences of strength a little smaller.
    assert np.mean(values, axis=0) == pytest.approx(theta, rel=0.25)


def test_luces_model_by_hand():
    """For two strategies only their own wins count, 4 to 2; the third has no effect."""
    three = round_robin(3, 3)
    sets = [make_set([[0, 0, 0, 0, 0, 0]]), make_set([[0, 1, 2, 0, 1, 2]])]
    found = fit_strengths([(three, tally_sets(three, sets))])
    won = np.array(tally_sets(three, sets).pair_won)
    theta = np.array([e.mean for e in found.elo]) / ELO
    chance = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
    assert (won - (won + won.T) * chance).sum(axis=1) == pytest.approx([0, 0, 0], abs=1e-6)


@pytest.mark.thorough
def test_standard_errors_allow_for_shared_deals():
    """Errors match the spread over many tournaments, and intervals have their coverage."""
    design, rng, runs = round_robin(4, 2), np.random.default_rng(5), 1000
    skill = np.array([0.6, 0.2, -0.3, -0.5])
    gaps = np.array([skill[a] - skill[b] for a, b in design.combinations])[:, None, None]
    side, values, errors = np.array([1, -1])[:, None], [], []
    for _ in range(runs):
        deal = rng.normal(0, 1.5, 60)  # luck of the first seat, in all matches of the set
        chance = 1 / (1 + np.exp(-(side * gaps + deal)))
        winners = (rng.random((6, 2, 60)) > chance).astype(np.int64)
        found = fit_strengths([(design, tally_winners(design, winners))])
        values.append([e.mean for e in found.elo])
        errors.append([e.se for e in found.elo])
    spread, estimated = np.std(values, axis=0), np.mean(errors, axis=0)
    assert estimated == pytest.approx(spread, rel=0.1)
    reach = np.abs(np.array(values) - np.mean(values, axis=0)) <= 2.0 * np.array(errors)
    assert 0.935 < reach.mean() < 0.965


def test_equal_strategies_have_an_interval():
    """No set has a difference, but nobody knows that 0 is exact."""
    for count in (2, 3):
        design = round_robin(count, 2)
        even = make_set([[0, 0]] * len(design.combinations))
        for sequential in (False, True):
            watched = replace(design, sequential=sequential)
            found = fit(watched, [even] * 240).elo[0]
            assert (found.mean, found.se) == (0, 0)
            assert found.low == pytest.approx(-found.high) and found.high > 1


@pytest.mark.parametrize("sets", [10, 60])
def test_intervals_cover_with_few_sets(sets):
    design, rng, covered, runs = round_robin(4, 2), np.random.default_rng(5), 0, 200
    theta = np.array([0.3, 0.1, -0.1, -0.3])
    gaps = np.array([theta[a] - theta[b] for a, b in design.combinations])[:, None, None]
    chance = 1 / (1 + np.exp(-np.array([1, -1])[:, None] * gaps))
    for _ in range(runs):
        winners = (rng.random((6, 2, sets)) > chance).astype(np.int64)
        found = fit_strengths([(design, tally_winners(design, winners))]).elo
        covered += sum(e.low <= ELO * t <= e.high for e, t in zip(found, theta, strict=True))
    assert 0.93 < covered / (4 * runs) < 0.99


def test_the_first_seat_is_estimated_with_distant_strengths():
    """Each of six strategies wins 99 of 100 matches against the next, on either seat."""
    design, rng = round_robin(6, 2), np.random.default_rng(1)
    theta = -4.6 * np.arange(6)
    gaps = np.array([theta[a] - theta[b] for a, b in design.combinations])[:, None, None]
    chance = 1 / (1 + np.exp(-(np.array([1, -1])[:, None] * gaps + 1)))
    winners = (rng.random((15, 2, 3000)) > chance).astype(np.int64)
    found = fit_strengths([(design, tally_winners(design, winners))])
    assert found.first_seat.low <= ELO <= found.first_seat.high
    assert found.elo[0].mean - found.elo[-1].mean > 5 * 700
