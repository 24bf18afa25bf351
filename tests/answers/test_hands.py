"""Hands of three cards: the chances of three alike and of tied best cards, exactly and in play."""

from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
import pytest
from extent import extent
from fixed_hands import z

from trutdsl.game import load_game
from trutdsl.native.play.batch import Batch

DEALS = 50_000
PACKS = {
    "truc-40": ("truc-catalan", 2, {}, 10),
    "truc-40-4p": ("truc-catalan", 4, {}, 10),
    "truc-36": ("truc-french", 2, {"pack": "36", "max_redeals": 0}, 9),
    "truc-32": ("truc-french", 2, {"pack": "32-eight-low", "max_redeals": 0}, 8),
    "trut-32": ("trut", 2, {"trut_window": "own_turn"}, 8),
}


# ---------------------------------------------------------------- exact chances


def chance_of_three_alike(ranks):
    """Return the chance that three cards of a pack with four suits have one rank."""
    hands = list(combinations([rank for rank in range(ranks) for _ in range(4)], 3))
    return Fraction(sum(a == b == c for a, b, c in hands), len(hands))


def chance_of_equal_best(ranks):
    """Return the chance that the best cards of two hands have one rank.

    C(4b, 3) * C(4a - 3, 3) pairs of disjoint hands have the first hand within the `a` weakest ranks
    and the second within the `b <= a` weakest. By inclusion and exclusion, four such numbers give
    the pairs with their best cards exactly at a rank.
    """

    def within(a, b):
        return comb(4 * min(a, b), 3) * comb(max(0, 4 * max(a, b) - 3), 3)

    ties = sum(
        within(r, r) - within(r, r - 1) - within(r - 1, r) + within(r - 1, r - 1)
        for r in range(1, ranks + 1)
    )
    return Fraction(ties, comb(4 * ranks, 3) * comb(4 * ranks - 3, 3))


def test_the_formulas_agree_with_enumeration():
    pack = [(rank, suit) for rank in range(3) for suit in range(4)]
    pairs = [
        (max(one)[0], max(two)[0])
        for one in combinations(pack, 3)
        for two in combinations([card for card in pack if card not in one], 3)
    ]
    assert chance_of_equal_best(3) == Fraction(sum(a == b for a, b in pairs), len(pairs))
    assert chance_of_three_alike(10) == Fraction(10 * comb(4, 3), comb(40, 3))
    assert chance_of_three_alike(8) == Fraction(8 * comb(4, 3), comb(32, 3))


# ---------------------------------------------------------------- dealt hands


@lru_cache
def deal_hands(pack):
    """Return masks of two players' hands in many first deals, and a mask of each rank.

    All players take the first legal action until two with three cards in hand were asked.
    """
    name, players, parameters, _ = PACKS[pack]
    game = load_game(name, players, parameters, "native")
    batch = Batch(game.steps, 7, 0, DEALS)
    hands = {}
    while len(hands) < 2:
        seen = batch.observe()
        own = seen.zones["hand"][np.arange(DEALS), seen.seat]
        (place,) = set((seen.seat - seen.dealer) % players)
        if (np.bitwise_count(own) == 3).all():
            hands.setdefault(place, own)
        legal = seen.legal[:, 0]
        batch.answer(np.bitwise_count((legal & (~legal + np.uint64(1))) - np.uint64(1)))
    ranks = np.zeros(len(game.deck.ranks), np.uint64)
    for card, strength in enumerate(game.deck.strength):
        ranks[strength - 1] |= np.uint64(1 << card)
    return list(hands.values()), ranks


@pytest.mark.parametrize("pack", list(PACKS)[: extent(2, None)])
def test_three_alike(pack):
    hands, ranks = deal_hands(pack)
    share = chance_of_three_alike(PACKS[pack][-1])
    for hand in hands:
        alike = (np.bitwise_count(hand[:, None] & ranks) == 3).any(axis=1)
        assert abs(z(int(alike.sum()), DEALS, share)) < 5


@pytest.mark.parametrize("pack", PACKS)
def test_best_cards_tie(pack):
    hands, ranks = deal_hands(pack)
    ranks_held = [(hand[:, None] & ranks) != 0 for hand in hands]
    best = [len(ranks) - 1 - np.argmax(cards[:, ::-1], axis=1) for cards in ranks_held]
    ties = int((best[0] == best[1]).sum())
    assert abs(z(ties, DEALS, chance_of_equal_best(PACKS[pack][-1]))) < 5
