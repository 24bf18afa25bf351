"""Counts of chunks, and the check that they fit their experiment."""

import json
from dataclasses import replace

import numpy as np
import pytest
from fake_game import FOUR, FakeGame, FakeStrategy, experiment, outcomes
from set_results import block_of, tally_block

from trutdsl.diagnostics import BadUsage
from trutdsl.ir.intervals import MOST_DEALS
from trutdsl.stats.design import Tally, TournamentMetric, merge_all
from trutdsl.stats.summary import summarize
from trutdsl.tournaments.play import (
    Fault,
    FaultCount,
    MatchIndex,
    PlayedSets,
    _with_forfeits,
    count_sets,
    fits_experiment,
    merge_faults,
    play_sets,
)
from trutdsl.tournaments.schedule import Chunk

PLAN = experiment(FOUR[:3])


def test_two_copies_of_a_strategy_tie_exactly():
    plan = experiment((*FOUR[:2], FakeStrategy("copy of b", 0.4)), sets=50)
    counts = count_sets(plan, play_sets(plan, Chunk(0, 50))[0])
    summary = summarize(plan.design, Tally.from_counts(counts))
    names = [s.name for s in plan.strategies]
    copies = {names.index("b"), names.index("copy of b")}
    (contrast,) = [c for c in summary.contrasts if {c.first, c.second} == copies]
    assert contrast.difference.mean == 0 and not contrast.separated
    (pair,) = [p for p in summary.pairs if {p.first, p.second} == copies]
    assert pair.score.mean == 0.5 and pair.won == pair.lost
    one, two = (s for s in summary.standings if s.strategy in copies)
    assert (one.score, one.won, one.drawn) == (two.score, two.won, two.drawn)
    assert one.ranks == two.ranks


COUNTS = json.loads(json.dumps(count_sets(PLAN, play_sets(PLAN, Chunk(0, 5))[0])))


def test_counts_fit_only_their_own_number_of_sets():
    assert fits_experiment(PLAN, 5, COUNTS)
    assert not fits_experiment(PLAN, 6, COUNTS)


def test_counts_add_up_for_any_division():
    parts = [play_sets(PLAN, Chunk(at, n))[0] for at, n in ((0, 2), (2, 1), (3, 2))]
    tallies = [Tally.from_counts(count_sets(PLAN, part)) for part in parts]
    assert merge_all(tallies) == Tally.from_counts(COUNTS)
    one_by_one = [block_of(*one, 2) for part in parts for one in outcomes(part, PLAN.design)]
    assert merge_all(tally_block(PLAN.design, one) for one in one_by_one) == merge_all(tallies)


def test_sets_may_have_more_points_than_a_byte():
    """With twelve strategies a set has 132 matches, and the first seat wins all."""
    plan = experiment(tuple(FakeStrategy(f"s{i}") for i in range(12)), sets=3)
    matches, _ = play_sets(plan, Chunk(0, 3))
    matches.winner[:] = 0
    tally = Tally.from_counts(count_sets(plan, matches))
    assert (tally.team_score, tally.team_score_sq) == ((3 * 264, 0), (3 * 264**2, 0))
    assert tally.score == (3 * 22,) * 12 and tally.cross == ((3 * 22**2,) * 12,) * 12


def test_one_wins_all_of_64_matches():
    """It has 128 points in a set, one more than fits a signed byte."""
    plan = experiment(tuple(FakeStrategy(f"s{i:02}") for i in range(33)), sets=1)
    plan = replace(plan, meetings=tuple((0, other) for other in range(1, 33)))
    matches, _ = play_sets(plan, Chunk(0, 1))
    matches.winner[:] = np.resize([[0], [1]], (64, 1))
    tally = Tally.from_counts(count_sets(plan, matches))
    assert (tally.score[0], tally.cross[0][0], tally.won[0]) == (128, 128**2, 64)
    assert set(tally.score[1:]) == {0}


def test_a_forfeit_brings_no_points():
    plan = experiment((FOUR[0], FakeStrategy("bad", trouble="raise")), sets=4)
    matches, faults = play_sets(plan, Chunk(0, 4))
    assert [f.place for f in faults] == [(s, leg) for s in range(4) for leg in range(2)]
    tally = Tally.from_counts(count_sets(plan, matches))
    assert (tally.won, tally.score, tally.deals) == ((8, 0), (16, 0), 0)
    three = experiment(
        (*FOUR[:2], FakeStrategy("bad", trouble="raise")),
        sets=1,
        game=FakeGame(players=3, teams=(0, 1, 2)),
    )
    tally = Tally.from_counts(count_sets(three, play_sets(three, Chunk(0, 1))[0]))
    assert tally.score == (6, 0, 6) or tally.score == (6, 6, 0)
    assert tally.score[[s.name for s in three.strategies].index("bad")] == 0


def sets_of(winner, deals, counters=()):
    """Return sets of two strategies by match and set; counters: by counter, team, match and set."""
    return PlayedSets(
        0,
        np.array(winner, np.int8),
        np.array(deals, np.int32),
        np.array(deals, np.int32),
        np.array(counters, np.int64).reshape(len(counters), 2, 2, len(winner[0])),
    )


def test_a_draw_after_the_most_deals_is_unfinished():
    sets = sets_of([[-1, -1], [0, -1]], [[MOST_DEALS, MOST_DEALS - 1], [MOST_DEALS, MOST_DEALS]])
    tally = Tally.from_counts(count_sets(experiment(FOUR[:2], sets=2), sets))
    assert (tally.drawn, tally.unfinished) == (3, 2)


def test_a_head_start_in_single_deals_does_not_count():
    """From 5 to 0, a deal brings 2 and 1, and in the other seating 0 and 4, each worth 3.

    The second set brings 1 and 1 twice: nobody wins these deals.
    """
    metric = TournamentMetric((("longs", 3),), level=True)
    plan = experiment(FOUR[:2], sets=2, game=FakeGame(score={"longs": (5, 0)}))
    gains = [[[7, 6], [5, 6]], [[1, 1], [4, 1]]]
    sets = sets_of([[-1, -1], [-1, -1]], [[1, 1], [1, 1]], [gains])
    tally = Tally.from_counts(count_sets(replace(plan, metric=metric), sets))
    assert tally.score == (3 * (2 - 1) + 3 * (4 - 0), -15)
    assert (tally.won, tally.drawn, tally.team_score) == ((2, 0), 2, (3 - 12, 12 - 3))


def test_faults_of_a_kind_are_shown_by_the_first_match():
    later, first = (
        FaultCount(0, "failed", matches, MatchIndex(match, 1), seat)
        for matches, match, seat in ((2, 5, 1), (1, 3, 0))
    )
    other = FaultCount(1, "failed", 1, MatchIndex(4, 0), 0)
    for order in ([later, other, first], [first, later, other]):
        assert merge_faults(order) == [first._replace(matches=3), other]


def test_a_forfeited_match_brings_nobody_points_of_counters():
    metric = TournamentMetric((("longs", 1),))
    plan = replace(experiment(FOUR[:2], sets=1), metric=metric)
    played = sets_of([[0], [0]], [[9], [9]], [[[[7], [7]], [[2], [2]]]])
    fault = Fault(MatchIndex(0, 1), 0, "failed", "failed")
    tally = Tally.from_counts(count_sets(plan, _with_forfeits(played, (0, 1), [fault])))
    assert (tally.score, tally.won, tally.deals) == ((7, 2), (2, 0), 9)
    assert (tally.forfeited, tally.clean_matches) == ((0, 1), (1, 1))


def test_points_that_are_too_large_to_be_summed_are_refused():
    metric = TournamentMetric((("longs", 999_999),))
    plan = replace(experiment(FOUR[:2], sets=1), metric=metric)
    sets = sets_of([[0], [0]], [[9], [9]], [[[[999], [0]], [[0], [0]]]])
    expected = "--metric 999999 longs: these points are too large to be summed"
    with pytest.raises(BadUsage, match=expected):
        count_sets(plan, sets)


@pytest.mark.parametrize("bad", [None, True, -(2**63), 2**63, 1.0, "1", [], [1], [[1]], {}])
@pytest.mark.parametrize(
    "name", ["sets", "drawn", "team_score", "score", "cross", "pair_won", "groups"]
)
def test_counts_of_another_shape_do_not_fit(name, bad):
    assert not fits_experiment(PLAN, 5, COUNTS | {name: bad})
    if isinstance(COUNTS[name], list):
        assert not fits_experiment(PLAN, 5, COUNTS | {name: [*COUNTS[name][1:], bad]})
        assert not fits_experiment(PLAN, 5, COUNTS | {name: COUNTS[name][1:]})


@pytest.mark.parametrize("counts", [None, [], "x", {}, COUNTS | {"more": 1}])
def test_other_values_do_not_fit(counts):
    assert not fits_experiment(PLAN, 5, counts)
