import json
from dataclasses import fields
from random import Random

import pytest
from fake_game import FOUR, FakeStrategy, experiment
from hypothesis import given
from hypothesis import strategies as st
from simulated import draw_set, make_plan, make_set, scores_by_hand

from trutdsl.arena.play import play_sets
from trutdsl.arena.schedule import Chunk, chunk_key, cut_chunks
from trutdsl.stats.summary import summarize
from trutdsl.stats.tally import Tally, count_sets, fits_experiment, merge_all, tally_set

PLAN = make_plan(3)


def draw_tally(seed, sets=3):
    rng = Random(seed)
    return merge_all(tally_set(PLAN, draw_set(PLAN, rng)) for _ in range(sets))


seeds = st.integers(0, 10**6)


@given(seeds, seeds, seeds)
def test_merging_is_associative_and_commutative(one, two, three):
    a, b, c = draw_tally(one), draw_tally(two, 1), draw_tally(three, 2)
    assert a.merge(b).merge(c) == a.merge(b.merge(c))
    assert a.merge(b) == b.merge(a)


@given(seeds)
def test_a_tally_comes_back_from_json_as_it_was(seed):
    tally = draw_tally(seed)
    assert Tally.from_counts(json.loads(json.dumps(tally.to_counts()))) == tally


def test_merging_takes_every_field():
    tally = draw_tally(1)
    double = tally.merge(tally)
    for field in fields(Tally):
        one, two = (json.dumps(getattr(t, field.name)) for t in (tally, double))
        assert one != two, field.name


@pytest.mark.parametrize(("strategies", "teams"), [(2, 2), (3, 2), (4, 2), (3, 3), (4, 3)])
def test_every_sum_is_what_counting_by_hand_gives(strategies, teams):
    plan, rng = make_plan(strategies, teams), Random(strategies * 10 + teams)
    sets = [draw_set(plan, rng) for _ in range(5)]
    tally = merge_all(tally_set(plan, s) for s in sets)
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
        everything = [x for p in by_hand for (who, _), xs in p.items() if who == i for x in xs]
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
    legs = [r for s in sets for c in s.results for r in c]
    assert tally.drawn == sum(r.winner is None for r in legs)
    assert tally.deals == 7 * len(legs) and tally.decisions == 14 * len(legs)
    assert sum(tally.team_score) == teams * len(legs)


def test_who_wins_is_told_from_where_they_sit():
    plan = make_plan(2)
    first_seat_wins, best_wins = make_set([[0, 0]]), make_set([[0, 1]])
    assert tally_set(plan, first_seat_wins).score == (2, 2)
    assert tally_set(plan, first_seat_wins).team_score == (4, 0)
    assert tally_set(plan, best_wins).score == (4, 0)
    assert tally_set(plan, best_wins).team_score == (2, 2)


def test_two_copies_of_a_strategy_tie_exactly():
    plan = experiment((*FOUR[:2], FakeStrategy("copy of b", 0.4)), sets=50)
    counts = count_sets(plan, play_sets(plan, Chunk(0, 0, 50), lambda: False))
    summary = summarize(plan, Tally.from_counts(counts))
    names = [s.name for s in plan.strategies]
    copies = {names.index("b"), names.index("copy of b")}
    (contrast,) = [c for c in summary.contrasts if {c.first, c.second} == copies]
    assert contrast.difference.mean == 0 and not contrast.separated
    (pair,) = [p for p in summary.pairs if {p.first, p.second} == copies]
    assert pair.score.mean == 0.5 and pair.won == pair.lost
    one, two = (s for s in summary.standings if s.strategy in copies)
    assert (one.score, one.won, one.drawn) == (two.score, two.won, two.drawn)
    assert one.ranks == two.ranks


CHUNK = next(cut_chunks(PLAN))
ROW = (chunk_key(PLAN, CHUNK), CHUNK.index, CHUNK.sets)
COUNTS = json.loads(json.dumps(draw_tally(1, CHUNK.sets).to_counts()))


def test_what_a_chunk_counts_fits_and_nothing_else_does():
    assert fits_experiment(PLAN, *ROW, COUNTS)
    key, number, sets = ROW
    for row in [("x", number, sets), (key, 1, sets), (key, -1, sets), (key, 10**9, sets),
                (key, "0", sets), (key, None, sets), (key, number, sets + 1)]:  # fmt: skip
        assert not fits_experiment(PLAN, *row, COUNTS)


@pytest.mark.parametrize("odd", [None, True, -1, 2**63, 1.0, "1", [], [1], [[1]], {}])
@pytest.mark.parametrize("name", ["sets", "drawn", "team_score", "score", "cross", "pair_won"])
def test_counts_of_another_shape_do_not_fit(name, odd):
    assert not fits_experiment(PLAN, *ROW, COUNTS | {name: odd})
    if isinstance(COUNTS[name], list):
        assert not fits_experiment(PLAN, *ROW, COUNTS | {name: [*COUNTS[name][1:], odd]})
        assert not fits_experiment(PLAN, *ROW, COUNTS | {name: COUNTS[name][1:]})


@pytest.mark.parametrize("counts", [None, [], "x", {}, COUNTS | {"more": 1}])
def test_what_is_no_tally_does_not_fit(counts):
    assert not fits_experiment(PLAN, *ROW, counts)
