"""Single deals from a fixed score, compared with an enumeration of all deals."""

from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from extent import extent
from fixed_hands import z
from uniform_trut import RANKS, SUITS, TRICKS, pattern_chances, play_deal, play_pattern
from whole_runs import results_of_runs

from trutdsl.game import load_game
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.table.setting import SeatedPlayer

DEALS = 40_000
EMPTY_SCORE = {"longs": (0, 0), "petits": (0, 0)}
LAST_STAND = {"longs": (6, 6), "petits": (2, 2)}


def play_deals(game, seed=8):
    """Return winner, deals, decisions, longs and petits by team of each match."""
    seats = [SeatedPlayer("uniform")] * game.players
    return np.vstack([part.records() for part in game.runs.rows(seats, seed, 0, DEALS)])


@pytest.mark.parametrize("players", extent([2], [2, 4]))
def test_uniform_deals_score_as_enumerated(players):
    known = play_deal(players, pattern_chances(players), None, True)
    rows = play_deals(load_game("trut", players, engine="native").one_deal(EMPTY_SCORE))
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
    assert abs(mean - (known.questions - known.forced)) < 4 * rows[:, 2].std() / sqrt(DEALS)


def test_a_deal_can_end_the_match():
    known = play_deal(2, pattern_chances(2), None, False)
    rows = play_deals(load_game("trut", 2, engine="native").one_deal(LAST_STAND))
    void = sum(p for (end, _, _), p in known.ends.items() if end == "void")
    assert abs(z((rows[:, 0] == -1).sum(), DEALS, void)) < 4
    won = rows[:, 0] >= 0
    assert (rows[won, 3 + rows[won, 0]] == 7).all()
    assert (rows[~won, 3:] == [6, 6, 2, 2]).all()


@pytest.fixture(scope="module")
def first_action_shares():
    """Return the shares of void deals and of the dealer's wins, and the mean number of tricks.

    Both players play their cards in the order of the pack, suit by suit. Only the ranks of a hand
    in that order matter, so pairs of disjoint hands are counted by these.
    """
    hands = np.array(list(combinations(range(RANKS * SUITS), TRICKS)))
    cards = (np.int64(1) << hands.astype(np.int64)).sum(axis=1)
    ranks, kind = np.unique(hands % RANKS, axis=0, return_inverse=True)
    many = np.zeros((len(ranks), len(ranks)), np.int64)
    for hand, own in enumerate(kind):
        many[own] += np.bincount(kind[cards & cards[hand] == 0], minlength=len(ranks))
    found = np.zeros(3)
    for one, other in zip(*np.nonzero(many), strict=True):
        lead, pattern = 0, []
        for played in zip(ranks[one].tolist(), ranks[other].tolist(), strict=True):
            in_turn = played if lead == 0 else played[::-1]
            first = in_turn.index(min(in_turn))
            pattern.append((first, in_turn[0] == in_turn[1]))
            lead = (lead + first) % 2
        winner, tricks, _ = play_pattern(tuple(pattern), 2)
        found += many[one, other] * np.array([winner is None, winner == 0, tricks])
    assert many.sum() == 4960 * 3654
    return found / many.sum()


@pytest.mark.thorough
def test_the_enumeration_of_the_first_legal_action(first_action_shares):
    void, dealer, tricks = first_action_shares
    assert (round(void, 8), round(dealer, 5)) == (0.00077864, 0.49961)
    assert tricks == pytest.approx(2.42410, abs=1e-5)


def test_deals_of_the_first_legal_action_score_as_enumerated(first_action_shares):
    """Nobody calls. Before each card, its player and the other one are asked."""
    game, share = load_game("trut", 2, engine="native").one_deal(EMPTY_SCORE), first_action_shares
    seats = [SeatedPlayer("uniform")] * 2
    found = results_of_runs(game, seats, 8, 0, DEALS, lambda _m, _n: 0)
    assert all(r.deals == 1 and r.counters["longs"] == (0, 0) for r in found)
    void = sum(r.counters["petits"] == (0, 0) for r in found)
    assert abs(z(void, DEALS, share[0])) < 4
    assert {r.decisions for r in found} == {4 * 2, 4 * 3}
    assert abs(z(sum(r.decisions == 4 * 3 for r in found), DEALS, share[2] - 2)) < 4
    some = 3_000
    won = sum(found[m].counters["petits"][game.start(8, m, None).dealer] for m in range(some))
    assert abs(z(won, some, share[1])) < 4


def test_every_engine_plays_the_same_single_deals():
    score = {"longs": (3, 5), "petits": (2, 1)}
    games = [load_game("trut", 2, engine=e).one_deal(score) for e in ("native", "reference")]
    assert games[0].fingerprint != load_game("trut", 2, engine="reference").fingerprint
    seating = [load_strategy("steady"), load_strategy("caller")]
    for match in range(20):
        one, two = (play_match(game, seating, 5, match) for game in games)
        assert one == two and one.deals == 1


def test_an_impossible_score_is_refused():
    game = load_game("trut", 2, engine="reference")
    for score, message in (
        ({"long": (0, 0)}, "no counter 'long'"),
        ({"longs": (0,)}, "each of 2 teams"),
        ({"longs": (-1, 0)}, "'longs' is from 0"),
    ):
        with pytest.raises(ValueError, match=message):
            game.one_deal(score)
