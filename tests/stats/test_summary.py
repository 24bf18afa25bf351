"""Summaries of tournaments: sums, scores and orders of standings."""

from dataclasses import replace
from fractions import Fraction
from math import sqrt
from random import Random

import numpy as np
import pytest
from set_results import draw_set, make_set, round_robin, scores_by_hand, tally_block, tally_sets

from trutdsl.stats.design import MATCHES, Design, TournamentMetric
from trutdsl.stats.estimate import (
    Bounds,
    Estimate,
    Sums,
    estimate_points,
    estimate_ratio,
    ratio_sums,
)
from trutdsl.stats.reduction import SetBlock
from trutdsl.stats.summary import score_of, summarize


def summarize_sets(plan, sets):
    return summarize(plan, tally_sets(plan, sets))


@pytest.mark.parametrize(("strategies", "teams"), [(2, 2), (4, 2), (3, 3), (5, 3), (4, 4)])
def test_numbers_add_up(strategies, teams):
    plan, rng = round_robin(strategies, teams), Random(1)
    sets = [draw_set(plan, rng) for _ in range(12)]
    summary = summarize_sets(plan, sets)
    assert summary.matches == 12 * plan.matches_per_set
    assert sum(s.won for s in summary.standings) == summary.matches - summary.drawn
    assert sum(s.drawn for s in summary.standings) == teams * summary.drawn
    assert sum(s.matches for s in summary.standings) == teams * summary.matches
    assert sum(s.score.mean for s in summary.standings) == pytest.approx(strategies / teams)
    assert sum(t.mean for t in summary.team_scores) == pytest.approx(1)
    assert summary.deals_per_match.mean == 7
    for s in summary.standings:
        assert s.won + s.drawn + s.lost == s.matches
        assert s.deals == 7 * s.matches and s.decisions == 14 * s.matches
        scores = [
            x / teams
            for results in sets
            for (strategy, _), xs in scores_by_hand(plan, results).items()
            if strategy == s.strategy
            for x in xs
        ]
        assert s.score.mean == pytest.approx(sum(scores) / len(scores))
    for p in summary.pairs:
        assert p.won + p.lost + p.drawn + p.others == p.matches
        assert p.difference.mean == pytest.approx(p.score.mean - p.second_score.mean)
        if teams == 2:
            assert p.others == 0
            assert p.score.mean + p.second_score.mean == pytest.approx(1)
            assert p.difference.se == pytest.approx(2 * p.score.se)


def test_a_strategys_score_is_the_mean_over_its_pairs():
    plan, rng = round_robin(4, 2), Random(4)
    summary = summarize_sets(plan, [draw_set(plan, rng) for _ in range(9)])
    for s in summary.standings:
        against = [p.score.mean for p in summary.pairs if p.first == s.strategy]
        against += [p.second_score.mean for p in summary.pairs if p.second == s.strategy]
        assert s.score.mean == pytest.approx(sum(against) / 3)


def test_the_interval_of_a_score_is_that_of_a_mean_over_combinations():
    plan, rng = round_robin(4, 2), Random(7)
    sets = [draw_set(plan, rng) for _ in range(9)]
    points = [
        sum(sum(x) for (strategy, _), x in scores_by_hand(plan, results).items() if strategy == 2)
        for results in sets
    ]
    sums = Sums(9, sum(points), sum(p * p for p in points), 3 * 2 * 2)
    alone = estimate_points(sums, Bounds(0, 1, Fraction(1, 3**2))).within(0, 1)
    summary = summarize_sets(plan, sets)
    assert next(s.score for s in summary.standings if s.strategy == 2) == alone
    first = [
        sum(2 * (leg.winner == 0) + (leg.winner is None) for c in s for leg in c) for s in sets
    ]
    sums = Sums(9, sum(first), sum(p * p for p in first), 6 * 2 * 2)
    by_seat = estimate_points(sums, Bounds(0, 1)).within(0, 1)
    assert summary.team_scores[0] == by_seat


@pytest.mark.parametrize("sets", [2, 3, 4])
def test_a_seat_that_wins_few_sets_of_alike_strategies_is_no_advantage(sets):
    """The chance of this is one in 2^sets, however many strategies play."""
    plan = round_robin(7, 2)
    won = [make_set(len(plan.combinations) * [[0, 0]])] * sets
    first = summarize_sets(plan, won).team_scores[0]
    assert first.mean == 1 and first.low < 0.5


def test_the_score_of_several_entrants_has_the_variance_of_their_sum():
    plan, rng = round_robin(4, 2), Random(8)
    sets = [draw_set(plan, rng) for _ in range(9)]
    points = [
        sum(sum(x) for (strategy, _), x in scores_by_hand(plan, results).items() if strategy > 1)
        for results in sets
    ]
    found = score_of(tally_sets(plan, sets), plan, 2, 3)
    assert found.mean == pytest.approx(sum(points) / 9 / (2 * 3 * 2 * 2))
    sums = Sums(9, sum(points), sum(p * p for p in points), 2 * 3 * 2 * 2)
    assert found == estimate_points(sums, Bounds(0, 1, Fraction(1, 6**2))).within(0, 1)


@pytest.mark.parametrize("metric", [MATCHES, TournamentMetric((("points", 1),))], ids=str)
def test_the_score_without_forfeits_is_a_ratio_over_sets(metric):
    """Strategy 0 loses only the second set. Two of six matches are forfeited."""
    design = round_robin(2, 2, metric)
    winners = np.array([[[0, 1, 0], [1, 0, 1]]])
    forfeited = np.array([[[-1, 0, -1], [0, -1, -1]]])
    points = 2 * (winners[:, :, None] == np.arange(2)[:, None])
    block = SetBlock(0, winners, winners + 5, winners + 9, points, forfeited)
    summary = summarize(design, tally_block(design, block))
    found = {s.strategy: s for s in summary.standings}
    clean = ratio_sums([2, 0, 4], [metric.unit(2) * matches for matches in (1, 1, 2)])
    most, least = (1.0, 0.0) if metric.by_match else (None, None)
    assert found[0].without_forfeits == estimate_ratio(clean, most, least)
    assert [found[i].forfeited for i in range(2)] == [1, 1]
    watched = summarize(replace(design, sequential=True), tally_block(design, block))
    only = next(s.without_forfeits for s in watched.standings if s.strategy == 0)
    assert only == Estimate(found[0].without_forfeits.mean)


def test_ranks_come_before_scores_of_different_opponents():
    """The one beats two weak strategies, and loses to the third, which has no other opponent."""
    design = Design(4, 2, ((0, 1), (0, 2), (0, 3)))
    lost = make_set([[0, 1], [0, 1], [1, 0]])
    won = make_set([[0, 1], [0, 1], [0, 1]])
    summary = summarize_sets(design, [lost, lost, won] * 20)
    assert [s.strategy for s in summary.standings] == [3, 0, 1, 2]
    best, one = summary.standings[:2]
    assert (best.score.mean, one.score.mean) == pytest.approx((2 / 3, 7 / 9))


def test_a_test_of_two_says_nothing_of_their_scores_against_a_third():
    plan, rng = replace(round_robin(3, 2), sequential=True), Random(5)
    tally = tally_sets(plan, [draw_set(plan, rng) for _ in range(5)])
    summary = summarize(plan, tally, frozenset((0, 1)))
    assert [pair.separated for pair in summary.pairs] == [True, None, None]
    assert [contrast.separated for contrast in summary.contrasts] == [None, None, None]


def test_the_error_of_the_length_of_matches_is_over_sets():
    plan = round_robin(2, 2)
    sets = [make_set([[0, 1]], deals) for deals in (4, 6, 8)]
    found = summarize_sets(plan, sets).deals_per_match
    assert (found.mean, found.se) == (6, pytest.approx((4 / 3) ** 0.5))
    half = 4.302652730 * sqrt((4 + 1 / 24) / 3)  # a set has two matches, so 1/12 is halved
    assert found.high == pytest.approx(6 + half)


def test_incomparable_scores_are_ordered_by_rank():
    """Strategy 0 loses to 1, which plays nobody else, but has more points from 2."""
    against_all = Design(3, 2, ((0, 1), (0, 2)))
    one_wins, evens = [1, 0], [1, 1]  # teams, in both orders
    sets = [make_set([first, [0, 1]]) for first in 20 * [one_wins, evens]]
    standings = summarize(against_all, tally_sets(against_all, sets)).standings
    assert [row.strategy for row in standings] == [1, 0, 2]
    assert [row.score.mean for row in standings] == [0.75, 0.625, 0.0]
    assert [row.ranks for row in standings] == [(1, 1), (2, 2), (3, 3)]
    sets = [make_set([evens, [0, 1]])] * 40
    first, second, _ = summarize(against_all, tally_sets(against_all, sets)).standings
    assert (first.strategy, first.ranks) == (0, (1, 2)) and second.ranks == (1, 2)


def test_standings_are_ordered_by_score_and_then_by_name():
    plan = round_robin(3, 2)
    one_decided = make_set([[None, None], [None, None], [1, 0]])
    summary = summarize_sets(plan, [one_decided, one_decided])
    assert [s.strategy for s in summary.standings] == [2, 0, 1]
    assert [
        s.strategy for s in summarize_sets(plan, [make_set([[None] * 2] * 3)] * 2).standings
    ] == [
        0,
        1,
        2,
    ]
