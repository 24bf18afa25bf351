"""Cycles of strategies that beat each other significantly, and their pairs."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from math import sqrt
from random import Random

import numpy as np
import pytest
from scipy import stats
from set_results import make_set, round_robin, tally_sets, tally_winners

from trutdsl.stats.contrast import compare_pairs, pair_bounds
from trutdsl.stats.estimate import Bounds
from trutdsl.stats.field import describe_field, shortest_cycles
from trutdsl.stats.summary import summarize


def find_cycles_by_enumeration(beats, count):
    """Return the shortest cycles among all orders of all strategies."""
    for length in range(3, count + 1):
        found = sorted(
            path
            for path in permutations(range(count), length)
            if path[0] == min(path)
            and all(step in beats for step in zip(path, (*path[1:], path[0]), strict=True))
        )
        if found:
            return tuple(found)
    return ()


@pytest.mark.parametrize("seed", range(60))
def test_the_shortest_cycles_agree_with_an_enumeration(seed):
    rng, count = Random(seed), 6
    sparse = rng.choice((0.3, 0.5, 0.9))
    beats = {
        (i, j) if rng.random() < 0.5 else (j, i)
        for i, j in product(range(count), repeat=2)
        if i < j and rng.random() < sparse
    }
    assert shortest_cycles(beats) == find_cycles_by_enumeration(beats, count)


def test_cycles_of_four_are_found_without_cycles_of_three():
    assert shortest_cycles([(2, 0), (0, 3), (3, 1), (1, 2)]) == ((0, 3, 1, 2),)
    assert shortest_cycles([(0, 1), (1, 2), (0, 2)]) == ()


def draw_winners(design, chances, sets, rng):
    """Return winning teams; chances[c] is the chance of the first strategy of combination c."""
    chance = np.array(chances)[:, None, None]
    first = rng.random((len(design.combinations), len(design.orders), sets)) < chance
    team = np.array(design.orders).argmin(axis=1)[None, :, None]
    return np.where(first, team, 1 - team)


def test_a_cycle_needs_three_significant_pairs():
    """0 beats 1, 1 beats 2 and 2 beats 0 in 7 of 10 matches; with one equal pair there is none."""
    design, rng = round_robin(3, 2), np.random.default_rng(1)
    tally = tally_winners(design, draw_winners(design, [0.7, 0.3, 0.7], 200, rng))
    pairs = compare_pairs([(design, tally)])
    assert [pair.beats for pair in pairs] == [(0, 1), (2, 0), (1, 2)]
    assert describe_field([(design, tally)], pairs).cycles == ((0, 1, 2),)
    half = tally_winners(design, draw_winners(design, [0.7, 0.3, 0.5], 200, rng))
    assert describe_field([(design, half)], compare_pairs([(design, half)])).cycles == ()


@pytest.mark.thorough
@pytest.mark.usefixtures("few_draws")
def test_equal_strategies_have_5_percent_false_positives():
    design, rng, alarms, runs = round_robin(4, 2), np.random.default_rng(3), 0, 300
    for _ in range(runs):
        tally = tally_winners(design, draw_winners(design, [0.5] * 6, 60, rng))
        alarms += any(pair.separated for pair in compare_pairs([(design, tally)]))
    assert 0.02 < alarms / runs < 0.08


def test_few_sets_that_all_agree():
    """Six sets and 3/4 of a pseudo-set at -1 and 1: Student's t with Bonferroni's correction."""
    design = round_robin(3, 2)
    sets = [make_set([[0, 1], [0, 1], [0, 1]])] * 6
    pairs = compare_pairs([(design, tally_sets(design, sets))])
    centre, squares = 6 / 7.5, 7.5
    error = sqrt((squares - 7.5 * centre**2) / 6.5 / 7.5)
    alone = 2 * stats.t.sf(centre / error, 6.5)
    assert [pair.p for pair in pairs] == pytest.approx([alone] * 3, abs=1e-9)
    assert [pair.p_adjusted for pair in pairs] == pytest.approx([3 * alone] * 3, abs=1e-9)
    assert 3 * alone <= 0.05 and all(pair.separated for pair in pairs)


def test_meetings_of_all_rounds_are_corrected_together():
    """Rounds are independent, so two of them have Sidak's correction for two."""
    design, rng = round_robin(2, 2), np.random.default_rng(3)
    rounds = [
        (design, tally_winners(design, rng.binomial(1, odds, (1, 2, 60)))) for odds in (0.4, 0.5)
    ]
    alone, both = compare_pairs(rounds[:1]), compare_pairs(rounds)
    assert alone[0].p == alone[0].p_adjusted == both[0].p
    for pair in both:
        assert pair.p_adjusted == pytest.approx(1 - (1 - pair.p) ** 2, abs=0.015)
        assert pair.separated is not (pair.difference.low <= 0 <= pair.difference.high)


def test_the_last_meeting_counts():
    """In the second round the other wins. This closes a cycle with the third strategy."""
    three, two = round_robin(3, 2), replace(round_robin(3, 2), combinations=((0, 2),))
    first = (three, tally_sets(three, [make_set([[0, 1], [0, 1], [0, 1]])] * 30))
    second = (two, tally_sets(two, [make_set([[1, 0]])] * 30))
    assert describe_field([first], compare_pairs([first])).cycles == ()
    assert describe_field([first, second], compare_pairs([first, second])).cycles == ((0, 1, 2),)
    reversed_rounds = [second, first]
    assert describe_field(reversed_rounds, compare_pairs(reversed_rounds)).cycles == ()


def test_sequential_pairs_are_significant_by_bonferroni_or_by_the_test():
    """0 beats 1 clearly. 1 and 2 are equal, but a test called them different."""
    design, rng = replace(round_robin(3, 2), sequential=True), np.random.default_rng(2)
    tally = tally_winners(design, draw_winners(design, [0.8, 0.8, 0.5], 256, rng))
    pairs = compare_pairs([(design, tally)])
    assert [(pair.p, pair.separated) for pair in pairs] == [
        (None, True),
        (None, True),
        (None, False),
    ]
    known = compare_pairs([(design, tally)], frozenset({1, 2}))
    assert [pair.separated for pair in known] == [True, True, True]
    field = describe_field([(design, tally)], pairs)
    assert field.cyclic_share is None and {one.low for one in field.nash.weights} == {None}


def test_a_test_of_two_does_not_decide_on_all_their_matches():
    """1 beats 0 by a little, and 0 does better against 2, so their total scores may be equal."""
    design, rng = replace(round_robin(3, 2), sequential=True), np.random.default_rng(4)
    tally = tally_winners(design, draw_winners(design, [0.45, 0.6, 0.5], 256, rng))
    summary = summarize(design, tally, frozenset({0, 1}))
    assert summary.pairs[0].separated and not summary.contrasts[0].separated
    two = replace(round_robin(2, 2), sequential=True)
    alone = tally_winners(two, draw_winners(two, [0.45], 256, rng))
    assert summarize(two, alone, frozenset({0, 1})).contrasts[0].separated


def test_bounds_of_a_pair_weigh_less_with_several_combinations():
    assert pair_bounds(round_robin(4, 2), 0, 3) == Bounds(-1, 1)
    assert pair_bounds(round_robin(4, 3), 0, 3) == Bounds(-1, 1, Fraction(1, 4))
    assert pair_bounds(round_robin(5, 3), 0, 3) == Bounds(-1, 1, Fraction(1, 9))


def test_matches_of_all_strategies_have_no_cyclic_share():
    three, rng = round_robin(3, 3), np.random.default_rng(1)
    tally = tally_winners(three, rng.integers(3, size=(1, 6, 40)))
    assert describe_field([(three, tally)], ()).cyclic_share is None
    four = round_robin(4, 3)
    tally = tally_winners(four, rng.integers(3, size=(4, 6, 40)))
    assert describe_field([(four, tally)], ()).cyclic_share is not None
