"""The schedule of an experiment: combinations of strategies and their seatings."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise, permutations

import pytest
from fake_game import FOUR, FakeGame, FakeStrategy, experiment

from trutdsl.game import BadUsage
from trutdsl.options import Settings
from trutdsl.stats.design import TournamentMetric, team_orders
from trutdsl.tournaments.schedule import Chunk, MissingSets, arrange

A, B, C, D = FOUR
THREE_TEAMS = FakeGame(players=3, teams=(0, 1, 2))
PARTNERS = FakeGame(players=4, teams=(0, 1, 0, 1))


def test_every_two_strategies_meet_once_with_two_teams():
    names = [
        tuple(experiment().strategies[i].name for i in c) for c in experiment().design.combinations
    ]
    assert names == [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]


def list_seatings(plan):
    return [tuple(plan.strategies[i] for i in leg) for leg in plan.legs]


def test_seats_are_exchanged():
    assert list_seatings(experiment((A, B))) == [(A, B), (B, A)]


def test_partners_share_a_strategy():
    assert list_seatings(experiment((A, B), game=PARTNERS)) == [(A, B, A, B), (B, A, B, A)]


def test_three_teams_play_in_every_order():
    plan = experiment((A, B, C), game=THREE_TEAMS)
    assert sorted(list_seatings(plan), key=str) == sorted(permutations((A, B, C)), key=str)
    assert experiment(game=THREE_TEAMS).design.matches_per_set == 4 * 6


def test_everything_that_changes_results_changes_the_digest():
    plan = experiment((A, B))
    others = [
        replace(plan, seed=plan.seed + 1),
        replace(plan, metric=TournamentMetric((("longs", 1),))),
        replace(plan, game=FakeGame(fingerprint="e" * 64)),
        experiment((A, C)),
        replace(plan, meetings=()),
    ]
    assert len({one.digest for one in (plan, *others)}) == 6
    assert replace(plan, sets=plan.sets + 1).digest == plan.digest


def test_chunks_before_a_span_leave_it_as_it_is():
    missing = MissingSets(Chunk(5, 5), [Chunk(0, 3), Chunk(7, 1)])
    assert (missing.left, missing.take(9), missing.take(9)) == (4, Chunk(5, 2), Chunk(8, 2))
    assert missing.take(9) is None and missing.left == 0


@pytest.mark.parametrize("teams", [5, 6, 7, 8])
def test_many_teams_play_in_a_williams_design(teams):
    """Each place has everyone equally often, and so does the place before each other one."""
    orders = team_orders(teams)
    assert len(orders) == teams * (1 + teams % 2)
    for place in range(teams):
        assert set(Counter(order[place] for order in orders).values()) == {1 + teams % 2}
    neighbours = Counter(pair for order in orders for pair in pairwise(order))
    assert len(neighbours) == teams * (teams - 1)
    assert set(neighbours.values()) == {1 + teams % 2}


def test_partnerships_of_the_same_name_are_refused():
    names = map(FakeStrategy, ("a", "a+b", "c", "b+c"))
    plan = experiment(tuple(names), game=PARTNERS)
    with pytest.raises(BadUsage, match=r"two of them are called 'a\+b\+c'; give a strategy a name"):
        arrange(plan, Settings(variant="fake", strategies=(), format="partnerships"))


def test_partnerships_take_their_seats_in_every_order():
    pairs = tuple(combinations(range(4), 2))
    plan = replace(experiment(game=PARTNERS), partners=pairs)
    assert plan.entrants == ("a+b", "a+c", "a+d", "b+c", "b+d", "c+d")
    assert plan.design.matches_per_set == 15 * 8 == len(plan.legs)
    meeting = plan.design.combinations.index((0, 5))  # a+b and c+d
    seatings = list_seatings(plan)[8 * meeting : 8 * meeting + 8]
    assert sorted(seatings, key=str) == sorted(
        (s for s in permutations(FOUR) if {s[0], s[2]} in ({A, B}, {C, D})), key=str
    )
    for leg, seats in enumerate(plan.legs):
        teams = plan.design.seatings.reshape(-1, 2)[leg]
        for team in range(2):
            assert tuple(sorted((seats[team], seats[team + 2]))) == pairs[teams[team]]


def test_the_order_of_strategies_changes_nothing():
    assert experiment((D, B, A, C)) == experiment((A, B, C, D))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"strategies": (A, B, A)}, "strategy 'a' is given more than once"),
        ({"strategies": (A,)}, "has 2 teams and needs at least as many strategies; 1 given"),
        ({"strategies": (A, B), "game": THREE_TEAMS}, "has 3 teams"),
        ({"seed": -1}, "--seed must be from 0 to"),
        ({"seed": 2**128}, "--seed must be from 0 to"),
        ({"sets": 0}, "--sets must be at least 1, not 0"),
    ],
)
def test_a_bad_experiment_is_refused(arguments, message):
    with pytest.raises(BadUsage, match=message):
        experiment(**arguments)
