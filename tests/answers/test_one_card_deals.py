"""Truc with one card each: the higher rank wins, and the dealer loses a tie."""

from itertools import permutations, product

import pytest
from fixed_hands import answer, start_deal

from trutdsl.game import load_game

RANKS = ["4", "5", "6", "7", "10", "11", "12", "1", "2", "3"]  # the weakest first
PACK = [rank + suit for rank in RANKS for suit in "oceb"]


def strength_of(card):
    return RANKS.index(card[:-1])


def play_out(game, dealer, cards):
    """Deal one card each, without a cut, and play it without a bet; return tricks and winner."""
    state = start_deal(game, dealer, [[card] for card in cards])
    answer(state, "tap")
    answer(state, "deal 1")
    while state.deals_finished == 0:
        legal = {action.text for action in state.pending.actions}
        answer(state, (legal & {"none", "pass"} or legal - {"truc"}).pop())
    return state.tricks, state.deal_winner


@pytest.mark.parametrize("dealer", [0, 1])
def test_two_players_every_pair_of_cards(dealer):
    """There are 40 * 39 deals; one in thirteen is a tie, which the dealer loses."""
    game = load_game("truc-catalan", 2, engine="reference")
    drawn = 0
    for cards in permutations(PACK, 2):
        tricks, winner = play_out(game, dealer, cards)
        if strength_of(cards[0]) == strength_of(cards[1]):
            drawn += 1
            assert (tricks, winner) == ([None], 1 - dealer)
        else:
            higher = int(strength_of(cards[1]) > strength_of(cards[0]))
            assert (tricks, winner) == ([higher], higher)
    assert drawn * 13 == 40 * 39


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_four_players_every_order_of_ranks(engine):
    """Play every order of four cards, with ties, and every dealer."""
    game = load_game("truc-catalan", 4, engine=engine)
    orders = [o for o in product(range(4), repeat=4) if set(o) == set(range(max(o) + 1))]
    assert len(orders) == 75  # the ordered partitions of a set of four
    for order, dealer in product(orders, range(4)):
        cards = [RANKS[3 * rank] + suit for rank, suit in zip(order, "oceb", strict=True)]
        best = {seat % 2 for seat in range(4) if order[seat] == max(order)}
        tricks, winner = play_out(game, dealer, cards)
        if len(best) == 2:
            assert (tricks, winner) == ([None], 1 - dealer % 2)
        else:
            assert (tricks, winner) == ([*best], *best)
