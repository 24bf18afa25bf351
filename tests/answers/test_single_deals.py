"""Single deals of uniform play from a stated score, against all deals worked out by enumeration."""

from math import sqrt

import numpy as np
import pytest
from given import z
from uniform_trut import pattern_chances, play_deal

from trutdsl.game import load_game
from trutdsl.strategy import load_strategy, play_match
from trutdsl.table import Seated

DEALS = 40_000
NOTHING = {"longs": (0, 0), "petits": (0, 0)}
LAST_STAND = {"longs": (6, 6), "petits": (2, 2)}


def rows_of(game, seed=8):
    """Return winner, deals, decisions, longs and petits by team of each match."""
    seats = [Seated("uniform")] * game.players
    return np.vstack([part.records() for part in game.runs.rows(seats, seed, 0, DEALS)])


@pytest.mark.parametrize("players", [2, 4])
def test_a_deal_brings_what_it_should(players):
    known = play_deal(players, pattern_chances(players), None, True)
    rows = rows_of(load_game("trut", players, engine="native").one_deal(NOTHING))
    assert (rows[:, 1] == 1).all() and (rows[:, 0] == -1).all()
    longs, petits = rows[:, 3:5].sum(axis=1), rows[:, 5:7].sum(axis=1)
    assert (longs + petits <= 1).all()
    for what, found in (
        ("long", longs == 1),
        ("petit", petits == 1),
        ("void", longs + petits == 0),
    ):
        share = sum(p for (end, _, _), p in known.ends.items() if end == what)
        assert abs(z(found.sum(), DEALS, share)) < 4
    mean = rows[:, 2].mean()
    assert abs(mean - known.questions) < 4 * rows[:, 2].std() / sqrt(DEALS)


def test_a_deal_can_end_the_match():
    known = play_deal(2, pattern_chances(2), None, False)
    rows = rows_of(load_game("trut", 2, engine="native").one_deal(LAST_STAND))
    void = sum(p for (end, _, _), p in known.ends.items() if end == "void")
    assert abs(z((rows[:, 0] == -1).sum(), DEALS, void)) < 4
    won = rows[:, 0] >= 0
    assert (rows[won, 3 + rows[won, 0]] == 7).all()
    assert (rows[~won, 3:] == [6, 6, 2, 2]).all()


def test_the_first_legal_action_always():
    """No call, every deal is played out: the share without a winner over all pairs of hands."""
    code = load_game("trut", 2, engine="native").one_deal(NOTHING).runs
    found = list(code.run([Seated("uniform")] * 2, 8, 0, DEALS, lambda _m, _n: 0))
    assert all(r.deals == 1 and r.counters["longs"] == (0, 0) for r in found)
    void = sum(r.counters["petits"] == (0, 0) for r in found)
    assert abs(z(void, DEALS, 0.00077864)) < 4


def test_every_engine_plays_the_same_single_deals():
    score = {"longs": (3, 5), "petits": (2, 1)}
    games = [load_game("trut", 2, engine=e).one_deal(score) for e in ("native", "reference")]
    assert games[0].fingerprint != load_game("trut", 2).fingerprint
    seating = [load_strategy("steady"), load_strategy("caller")]
    for match in range(20):
        one, two = (play_match(game, seating, 5, match) for game in games)
        assert one == two and one.deals == 1


def test_a_score_that_cannot_be():
    game = load_game("trut", 2)
    for score, said in (
        ({"long": (0, 0)}, "no counter 'long'"),
        ({"longs": (0,)}, "each of 2 teams"),
        ({"longs": (-1, 0)}, "'longs' is from 0"),
    ):
        with pytest.raises(ValueError, match=said):
            game.one_deal(score)
