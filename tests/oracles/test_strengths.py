"""Strengths and their errors, compared with choix and statsmodels' generalized linear model."""

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


def sum_to_zero_columns(strategies):
    """Return the columns of a design matrix for strengths with the sum 0."""
    return np.vstack([np.eye(strategies - 1), -np.ones(strategies - 1)])


def strengths_and_first_seat(strategies):
    """Return the matrix from free parameters to all strengths and the first seat's advantage."""
    return block_diag(sum_to_zero_columns(strategies), 1)


def model(design, match_rows):
    """Return the binomial model of these matches; a draw is half a success.

    logit P(first beats second) = theta_first - theta_second + eta.
    """
    seats = np.eye(design.strategies + 1)
    rows = seats[match_rows.first] - seats[match_rows.second] + seats[-1]
    return sm.GLM(
        match_rows.score,
        rows @ strengths_and_first_seat(design.strategies),
        family=sm.families.Binomial(),
    )


def to_elo(free, values, variance):
    """Return estimates and standard errors from free parameters and their covariance."""
    return ELO * free @ values, ELO * np.sqrt(np.diag(free @ variance @ free.T))


def means_and_errors(found):
    return np.array([[e.mean, e.se] for e in (*found.elo, found.first_seat)]).T


def test_strengths_agree_with_a_clustered_binomial_model():
    """We multiply by G/(G - 1): the scores of G sets are centered by their mean, 0 at the fit."""
    winners = draw_winners(DESIGN, SETS, 1)
    match_rows = list_matches(DESIGN, winners)
    groups = {"groups": match_rows.set, "use_correction": False}
    fitted = model(DESIGN, match_rows).fit(tol=1e-12, cov_type="cluster", cov_kwds=groups)
    expected = to_elo(
        strengths_and_first_seat(5), fitted.params, fitted.cov_params() * SETS / (SETS - 1)
    )
    found = fit_strengths([(DESIGN, tally_winners(DESIGN, winners))])
    assert means_and_errors(found) == pytest.approx(np.array(expected), abs=1e-6)


def test_errors_in_rounds_center_the_scores_of_each_round():
    """Each round has other pairs and its own sets: I^-1 (sum over rounds) I^-1."""
    rounds, spread, rows_of_rounds = [], 0, []
    for number, pairs_of_round in enumerate([((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 4))]):
        design = Design(5, 2, pairs_of_round)
        winners = draw_winners(design, 40 + 10 * number, number)
        rounds.append((design, tally_winners(design, winners)))
        rows_of_rounds.append(list_matches(design, winners))
    whole = type(rows_of_rounds[0])(
        *(np.concatenate(parts) for parts in zip(*rows_of_rounds, strict=True))
    )
    fitted = model(DESIGN, whole).fit(tol=1e-12)
    for (_, tally), match_rows in zip(rounds, rows_of_rounds, strict=True):
        by_match = model(DESIGN, match_rows).score_obs(fitted.params)
        by_set = np.array([by_match[match_rows.set == at].sum(axis=0) for at in range(tally.sets)])
        spread = spread + tally.sets * np.cov(by_set.T)
    inverse = np.linalg.inv(-fitted.model.hessian(fitted.params))
    expected = to_elo(strengths_and_first_seat(5), fitted.params, inverse @ spread @ inverse)
    assert means_and_errors(fit_strengths(rounds)) == pytest.approx(np.array(expected), abs=1e-6)


def test_strengths_agree_with_choix():
    """Choix ignores seats, so each set is mirrored: played again with exchanged seats."""
    winners = draw_winners(DESIGN, SETS, 2)
    mirrored = np.where(winners < 0, -1, 1 - winners)[:, ::-1]
    both = np.concatenate([winners, mirrored], axis=2)
    match_rows = list_matches(DESIGN, both)
    pairs = []
    for first, second, score in zip(*match_rows[:3], strict=True):
        pairs += [(first, second)] * int(2 * score) + [(second, first)] * int(2 - 2 * score)
    found, _ = means_and_errors(fit_strengths([(DESIGN, tally_winners(DESIGN, both))]))
    for expected in (
        choix.opt_pairwise(5, pairs, 0, tol=1e-12),
        choix.ilsr_pairwise(5, pairs, tol=1e-12),
    ):
        assert found[:-1] == pytest.approx(ELO * expected, abs=1e-6)
    assert found[-1] == pytest.approx(0, abs=1e-6)


def test_strengths_of_three_teams_agree_with_a_model_of_pairs():
    """A match is two pairs of the winner and each loser; a draw is a third of all six pairs."""
    design, free = round_robin(4, 3), sum_to_zero_columns(4)
    winners = draw_winners(design, 50, 3)
    rows = []  # three times each match, so that a third of a pair is a row
    for (c, order, at), winner in np.ndenumerate(winners):
        seated = design.seatings[c, order]
        if winner < 0:
            rows += [(i, j, 1, at) for i, j in permutations(seated, 2)]
        else:
            rows += [(seated[winner], j, 1, at) for j in np.delete(seated, winner)] * 3
    first, second, score, number = np.array(rows).T
    fitted = sm.GLM(score, free[first] - free[second], family=sm.families.Binomial()).fit(
        tol=1e-12, cov_type="cluster", cov_kwds={"groups": number, "use_correction": False}
    )
    expected = to_elo(free, fitted.params, fitted.cov_params() * 50 / 49)
    strengths = fit_strengths([(design, tally_winners(design, winners))]).elo
    found = np.array([[e.mean, e.se] for e in strengths]).T
    assert found == pytest.approx(np.array(expected), abs=1e-6)
