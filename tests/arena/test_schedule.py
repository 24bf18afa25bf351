from dataclasses import replace

import pytest
from fake_game import FOUR, FakeGame, FakeStrategy, experiment

from trutdsl.arena.schedule import chunk_at, chunk_key, cut_chunks, sets_per_chunk
from trutdsl.game import BadUsage

A, B, C, D = FOUR
THREE_TEAMS = FakeGame(players=3, teams=(0, 1, 2))
PARTNERS = FakeGame(players=4, teams=(0, 1, 0, 1))


def test_every_two_strategies_meet_once_with_two_teams():
    names = [tuple(experiment().strategies[i].name for i in c) for c in experiment().combinations]
    assert names == [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]


def test_seats_are_exchanged():
    plan = experiment((A, B))
    assert [plan.seating((0, 1), r) for r in range(plan.rotations)] == [(A, B), (B, A)]


def test_partners_share_a_strategy():
    plan = experiment((A, B), game=PARTNERS)
    assert [plan.seating((0, 1), r) for r in (0, 1)] == [(A, B, A, B), (B, A, B, A)]


def test_three_teams_play_the_three_cyclic_rotations():
    plan = experiment((A, B, C), game=THREE_TEAMS)
    assert [plan.seating((0, 1, 2), r) for r in range(plan.rotations)] == [
        (A, B, C),
        (B, C, A),
        (C, A, B),
    ]
    assert experiment(game=THREE_TEAMS).matches_per_set == 4 * 3


def test_the_order_in_which_strategies_are_given_changes_nothing():
    assert experiment((D, B, A, C)) == experiment((A, B, C, D))


@pytest.mark.parametrize("sets", [1, 2, 63, 64, 65, 100, 1000, 12345])
@pytest.mark.parametrize("strategies", [FOUR[:2], FOUR])
def test_chunks_cover_every_set_once_and_in_order(sets, strategies):
    plan = experiment(strategies, sets)
    covered = [s for c in cut_chunks(plan) for s in range(c.first, c.first + c.sets)]
    assert covered == list(range(sets))
    assert [c.index for c in cut_chunks(plan)] == list(range(len(list(cut_chunks(plan)))))


def test_a_chunk_is_found_by_its_number():
    plan = experiment(sets=150)
    chunks = list(cut_chunks(plan))
    assert [chunk_at(plan, chunk.index) for chunk in chunks] == chunks
    assert chunk_at(plan, len(chunks)) is None and chunk_at(plan, -1) is None


def test_a_set_larger_than_a_chunk_is_a_chunk_of_its_own():
    many = [FakeStrategy(f"s{i:02}") for i in range(20)]
    assert sets_per_chunk(experiment(many, 1000)) == 1


def test_a_chunk_is_known_by_everything_that_decides_it_and_nothing_else():
    plan = experiment()
    chunk = next(cut_chunks(plan))
    others = [
        chunk_key(experiment(seed=2), chunk),
        chunk_key(experiment(game=FakeGame(fingerprint="0")), chunk),
        chunk_key(experiment((*FOUR[:3], FakeStrategy("d", 0.9))), chunk),
        chunk_key(plan, replace(chunk, first=1)),
        chunk_key(plan, replace(chunk, sets=chunk.sets + 1)),
    ]
    assert len({chunk_key(plan, chunk), *others}) == 6
    assert chunk_key(experiment(sets=4000), chunk) == chunk_key(plan, chunk)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"strategies": (A, B, A)}, "strategy 'a' is given more than once"),
        ({"strategies": (A,)}, "has 2 teams and needs at least as many strategies; 1 given"),
        ({"strategies": (A, B), "game": THREE_TEAMS}, "has 3 teams"),
        ({"seed": -1}, "--seed must be from 0 to"),
        ({"seed": 2**128}, "--seed must be from 0 to"),
        ({"sets": 0}, "--matches must be at least 1, not 0"),
    ],
)
def test_an_experiment_that_cannot_be_held_is_refused(arguments, message):
    with pytest.raises(BadUsage, match=message):
        experiment(**arguments)
