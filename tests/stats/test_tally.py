"""Tallies of sets against counts by hand, and sums of tallies."""

import json
from dataclasses import fields
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from set_results import (
    draw_set,
    make_set,
    round_robin,
    scores_by_hand,
    tally_block,
    tally_sets,
    tally_winners,
)

from trutdsl.stats.design import Design, Tally, merge_all
from trutdsl.stats.reduction import SetBlock, tally_blocks

PLAN = round_robin(3, 2)


def draw_tally(seed, sets=3):
    rng = Random(seed)
    return tally_sets(PLAN, [draw_set(PLAN, rng) for _ in range(sets)])


WINNERS = [[[0, 0], [1, -1]], [[0, 1], [0, 0]], [[1, 1], [-1, 0]]]  # of two sets


def tally_with_forfeits():
    """Return the tally of `WINNERS`; strategy 0 forfeits the first match of the first set."""
    winners = np.array(WINNERS)
    winners[0, 0, 0] = 1
    points = np.where(winners[:, :, None] < 0, 1, 2 * (winners[:, :, None] == [[0], [1]]))
    forfeited = np.full_like(winners, -1)
    forfeited[0, 0, 0] = 0
    length = np.full_like(winners, 7)
    return tally_block(PLAN, SetBlock(0, winners, length, 2 * length, points, forfeited, 1))


def test_forfeits_are_counted_and_left_out():
    """Strategies 0 and 1 meet first; in their leg 0 strategy 0 has team 0."""
    found = tally_with_forfeits()
    assert found.forfeited == (1, 0, 0)
    assert found.clean_matches == (7, 7, 8)
    # In the forfeited match strategy 0 had no points and strategy 1 had two.
    assert found.clean_score == (found.score[0], found.score[1] - 2, found.score[2])
    assert found.clean_matches_sq == (3 * 3 + 4 * 4, 3 * 3 + 4 * 4, 2 * 4 * 4)
    without = tally_winners(PLAN, np.array(WINNERS))
    assert (without.clean_score, without.clean_matches) == (without.score, (8, 8, 8))
    assert without.clean_score_sq == tuple(without.cross[i][i] for i in range(3))
    assert without.clean_product == tuple(4 * score for score in without.score)


seeds = st.integers(0, 10**6)


@given(seeds, seeds, seeds)
def test_merging_is_associative_and_commutative(one, two, three):
    a, b, c = draw_tally(one), draw_tally(two, 1), draw_tally(three, 2)
    assert a.merge(b).merge(c) == a.merge(b.merge(c))
    assert a.merge(b) == b.merge(a)


@given(seeds)
def test_a_tally_survives_a_round_trip_through_json(seed):
    tally = draw_tally(seed)
    assert Tally.from_counts(json.loads(json.dumps(tally.to_counts()))) == tally


def test_merging_takes_every_field():
    tally = tally_with_forfeits()
    double = tally.merge(tally)
    for field in fields(Tally):
        one, two = (json.dumps(getattr(t, field.name)) for t in (tally, double))
        assert one != two, field.name


@pytest.mark.parametrize(("strategies", "teams"), [(2, 2), (3, 2), (4, 2), (3, 3), (4, 3)])
def test_every_sum_agrees_with_a_count_by_hand(strategies, teams):
    plan, rng = round_robin(strategies, teams), Random(strategies * 10 + teams)
    sets = [draw_set(plan, rng) for _ in range(5)]
    tally = tally_sets(plan, sets)
    everyone = range(strategies)

    def total(points, i, together=()):
        return sum(
            sum(points[i, c])
            for c, combination in enumerate(plan.combinations)
            if i in combination and all(j in combination for j in together)
        )

    by_hand = [scores_by_hand(plan, s) for s in sets]
    for i in everyone:
        assert tally.score[i] == sum(total(p, i) for p in by_hand)
        everything = [
            x for p in by_hand for (strategy, _), xs in p.items() if strategy == i for x in xs
        ]
        assert tally.won[i] == everything.count(teams)
        assert tally.drawn_by[i] == everything.count(1)
        for k in everyone:
            assert tally.cross[i][k] == sum(total(p, i) * total(p, k) for p in by_hand)
            if i != k:
                mine = [total(p, i, (k,)) for p in by_hand]
                theirs = [total(p, k, (i,)) for p in by_hand]
                assert tally.pair_score[i][k] == sum(mine)
                assert tally.pair_sq[i][k] == sum(x * x for x in mine)
                product = sum(x * y for x, y in zip(mine, theirs, strict=True))
                assert tally.pair_product[i][k] == product
    legs = [r for s in sets for c in s for r in c]
    assert tally.drawn == sum(r.winner is None for r in legs)
    assert tally.deals == 7 * len(legs) and tally.decisions == 14 * len(legs)
    assert sum(tally.team_score) == teams * len(legs)


def test_strategies_and_seats_are_distinguished():
    plan = round_robin(2, 2)
    first_seat_wins, best_wins = make_set([[0, 0]]), make_set([[0, 1]])
    assert tally_sets(plan, [first_seat_wins]).score == (2, 2)
    assert tally_sets(plan, [first_seat_wins]).team_score == (4, 0)
    assert tally_sets(plan, [best_wins]).score == (4, 0)
    assert tally_sets(plan, [best_wins]).team_score == (2, 2)


@pytest.mark.parametrize(("strategies", "teams"), [(4, 2), (3, 3)])
def test_a_block_equals_its_sets_one_by_one(strategies, teams):
    design, rng = round_robin(strategies, teams), Random(6)
    sets = [draw_set(design, rng) for _ in range(70)]
    winners = [
        [[-1 if s[c][o].winner is None else s[c][o].winner for s in sets] for o in order]
        for c in range(len(design.combinations))
        for order in (range(len(design.orders)),)
    ]
    assert tally_winners(design, np.array(winners)) == tally_sets(design, sets)


def test_blocks_with_any_start_and_forfeits_add_up():
    design, rng = round_robin(3, 2), np.random.default_rng(7)
    blocks, first = [], 50
    for count, lost in ((3, -1), (70, 0), (64, -1), (1, 1)):
        winners = rng.integers(-1, 2, (3, 2, count))
        forfeited = np.where(rng.random(winners.shape) < 0.2, lost, -1)
        points = rng.integers(0, 9, (3, 2, 2, count))
        arrays = (winners, winners + 5, winners + 9, points, None if lost < 0 else forfeited)
        blocks.append(SetBlock(first, *arrays))
        first += count
    together = tally_blocks(design, blocks)
    assert together == merge_all(tally_block(design, block) for block in blocks)
    assert [(g, n) for g, n, _ in together.groups] == [
        (g, sum(i % 64 == g for i in range(50, first))) for g in range(64)
    ]


def test_groups_are_the_sets_up_to_64():
    design = round_robin(2, 2)
    sets = [make_set([[0, 1]]), make_set([[1, 0]]), make_set([[0, 0]])]
    tally = tally_sets(design, sets, first=63)
    assert [(g, n, pairs[0][1]) for g, n, pairs in tally.groups] == [
        (0, 1, 0),
        (1, 1, 2),
        (63, 1, 4),
    ]
    assert tally.merge(tally).groups[0] == (0, 2, ((0, 0), (8, 0)))


@pytest.mark.parametrize("most", [2**26, 2**40, -(2**62)])
def test_squares_that_are_not_exact_as_floats_are_refused(most):
    """With 2 to the 26th in both matches, squares are 2 to the 54th; half of it is exact."""
    points = np.array([[[[most], [0]], [[0], [most]]]])
    winners, length = np.array([[[0], [1]]]), np.ones((1, 2, 1), np.int64)
    with pytest.raises(OverflowError, match="too large to be summed"):
        tally_block(round_robin(2, 2), SetBlock(0, winners, length, length, points))
    half = np.array([[[[2**25 + 1], [0]], [[0], [2**24]]]])
    found = tally_block(round_robin(2, 2), SetBlock(0, winners, length, length, half))
    assert found.cross == (((2**25 + 2**24 + 1) ** 2, 0), (0, 0))


@pytest.mark.parametrize("combinations", [((0, 0),), ((0, 1), (0, 2)), ((0, 0, 1), (1, 2, 2))])
def test_sums_agree_with_a_loop_also_if_a_strategy_meets_itself(combinations):
    """A match counts its deals, draws and decisions once for each strategy in it."""
    teams, rng, sets = len(combinations[0]), np.random.default_rng(1), 70
    design = Design(3, teams, combinations, PLAN.metric)
    shape = (len(combinations), len(design.orders))
    winners = rng.integers(-1, teams, (*shape, sets))
    deals, points = rng.integers(1, 30, winners.shape), rng.integers(0, 3, (*shape, teams, sets))
    found = tally_block(design, SetBlock(0, winners, deals, 3 * deals, points))
    deals_by, drawn_by, scores = np.zeros((3, 3), int)
    pairs = np.zeros((3, 3, sets), int)
    for leg in np.ndindex(shape):
        seated = design.seatings[leg]
        for one in set(seated.tolist()):
            deals_by[one] += deals[leg].sum()
            drawn_by[one] += (winners[leg] < 0).sum()
        for place, one in enumerate(seated):
            scores[one] += points[leg][place].sum()
            for other in set(seated.tolist()) - {one}:
                pairs[one, other] += points[leg][place]
    assert found.deals_by == tuple(deals_by) and found.drawn_by == tuple(drawn_by)
    assert found.decisions_by == tuple(3 * deals_by) and found.score == tuple(scores)
    assert np.array_equal(found.pair_score, pairs.sum(axis=2))
    assert np.array_equal(found.pair_sq, (pairs**2).sum(axis=2))
    assert np.array_equal(found.pair_product, (pairs * pairs.swapaxes(0, 1)).sum(axis=2))
