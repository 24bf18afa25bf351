"""Strengths and their errors against statsmodels' generalized linear model and choix."""

from itertools import permutations

import choix
import numpy as np
import pytest
import statsmodels.api as sm
from drawn import draw_winners, list_matches
from scipy.linalg import block_diag
from set_results import round_robin, tally_winners

from trutdsl.stats.design import Design
from trutdsl.stats.field import ELO, fit_strengths

DESIGN, SETS = round_robin(5, 2), 70


def around_their_mean(strategies):
    """Return the columns of a design matrix in which strengths add up to 0."""
    return np.vstack([np.eye(strategies - 1), -np.ones(strategies - 1)])


def with_first_seat(strategies):
    """Return what makes all strengths and the first seat's advantage of the free parameters."""
    return block_diag(around_their_mean(strategies), 1)


def model(design, played):
    """Return the binomial model of these matches, a draw being half a success.

    logit P(first beats second) = theta_first - theta_second + eta.
    """
    seats = np.eye(design.strategies + 1)
    rows = seats[played.first] - seats[played.second] + seats[-1]
    return sm.GLM(
        played.score, rows @ with_first_seat(design.strategies), family=sm.families.Binomial()
    )


def in_elo(free, values, variance):
    """Return estimates and standard errors from free parameters and their covariance."""
    return ELO * free @ values, ELO * np.sqrt(np.diag(free @ variance @ free.T))


def told(found):
    return np.array([[e.mean, e.se] for e in (*found.elo, found.first_seat)]).T


def test_strengths_and_errors_are_those_of_a_clustered_binomial_model():
    """G/(G - 1) is ours: scores of G sets are taken around their mean, which is 0 at the fit."""
    winners = draw_winners(DESIGN, SETS, 1)
    played = list_matches(DESIGN, winners)
    groups = {"groups": played.set, "use_correction": False}
    fitted = model(DESIGN, played).fit(tol=1e-12, cov_type="cluster", cov_kwds=groups)
    expected = in_elo(with_first_seat(5), fitted.params, fitted.cov_params() * SETS / (SETS - 1))
    found = fit_strengths([(DESIGN, tally_winners(DESIGN, winners))])
    assert told(found) == pytest.approx(np.array(expected), abs=1e-6)


def test_errors_in_rounds_are_of_scores_around_the_mean_of_each_round():
    """Other pairs in each round, on sets of its own: I^-1 (sum over rounds) I^-1."""
    rounds, spread, every = [], 0, []
    for number, met in enumerate([((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 4))]):
        design = Design(5, 2, met)
        winners = draw_winners(design, 40 + 10 * number, number)
        rounds.append((design, tally_winners(design, winners)))
        every.append(list_matches(design, winners))
    whole = type(every[0])(*(np.concatenate(parts) for parts in zip(*every, strict=True)))
    fitted = model(DESIGN, whole).fit(tol=1e-12)
    for (_, tally), played in zip(rounds, every, strict=True):
        by_match = model(DESIGN, played).score_obs(fitted.params)
        by_set = np.array([by_match[played.set == at].sum(axis=0) for at in range(tally.sets)])
        spread = spread + tally.sets * np.cov(by_set.T)
    inverse = np.linalg.inv(-fitted.model.hessian(fitted.params))
    expected = in_elo(with_first_seat(5), fitted.params, inverse @ spread @ inverse)
    assert told(fit_strengths(rounds)) == pytest.approx(np.array(expected), abs=1e-6)


def test_strengths_are_those_of_the_greatest_likelihood():
    """By choix, which knows no seats: each set comes with its mirror image, seats exchanged."""
    winners = draw_winners(DESIGN, SETS, 2)
    mirrored = np.where(winners < 0, -1, 1 - winners)[:, ::-1]
    both = np.concatenate([winners, mirrored], axis=2)
    played = list_matches(DESIGN, both)
    pairs = []
    for first, second, score in zip(*played[:3], strict=True):
        pairs += [(first, second)] * int(2 * score) + [(second, first)] * int(2 - 2 * score)
    found, _ = told(fit_strengths([(DESIGN, tally_winners(DESIGN, both))]))
    for expected in (
        choix.opt_pairwise(5, pairs, 0, tol=1e-12),
        choix.ilsr_pairwise(5, pairs, tol=1e-12),
    ):
        assert found[:-1] == pytest.approx(ELO * expected, abs=1e-6)
    assert found[-1] == pytest.approx(0, abs=1e-6)


def test_strengths_of_three_teams_are_those_of_who_wins_from_whom():
    """A match is two pairs there, of the winner with each other; if drawn, a third of each."""
    design, free = round_robin(4, 3), around_their_mean(4)
    winners = draw_winners(design, 50, 3)  # as many sets as there are groups, or fewer
    rows = []  # everything three times over, so that a third of a match is a row
    for (c, order, at), winner in np.ndenumerate(winners):
        seated = design.seated[c, order]
        if winner < 0:
            rows += [(i, j, 1, at) for i, j in permutations(seated, 2)]
        else:
            rows += [(seated[winner], j, 1, at) for j in np.delete(seated, winner)] * 3
    first, second, score, number = np.array(rows).T
    fitted = sm.GLM(score, free[first] - free[second], family=sm.families.Binomial()).fit(
        tol=1e-12, cov_type="cluster", cov_kwds={"groups": number, "use_correction": False}
    )
    expected = in_elo(free, fitted.params, fitted.cov_params() * 50 / 49)
    strengths = fit_strengths([(design, tally_winners(design, winners))]).elo
    found = np.array([[e.mean, e.se] for e in strengths]).T
    assert found == pytest.approx(np.array(expected), abs=1e-6)
