"""Each seat gets the same cards whoever deals, and all orders of a pile are equally likely."""

from collections import Counter
from itertools import permutations

import pytest

from trutdsl.game import ChanceNode, DealStart, load_game
from trutdsl.streams import Stream, mix_in
from trutdsl.table.chance import Reserve, StreamChance

TABLE = None
CARDS = [2, 3, 5, 7]
# The order in which two seats draw: in turn, in packets, a card for the table, one seat more often.
SCHEDULES = [
    [0, 1, 0, 1], [1, 0, 1, 0], [1, 1, 0, 0], [0, 1, TABLE, 1], [TABLE, 1, TABLE, 0], [1, 1, 1, 1],
    [1, TABLE, TABLE, 0], [1, TABLE, TABLE, TABLE],
]  # fmt: skip


def draw(reserve, cards, seat, stream):
    """Draw a card from a group; return the rest of the group, and the card."""
    card = (
        reserve.draw(cards, stream) if seat is TABLE else reserve.draw_for(seat, 2, cards, stream)
    )
    return [other for other in cards if other != card], card


def draw_in_turn(schedule, key):
    """Draw from a shuffled pile; return pairs of seat and card."""
    reserve, stream, left, found = Reserve(), Stream(mix_in(0, key)), CARDS, []
    for seat in schedule:
        left, card = draw(reserve, left, seat, stream)
        found.append((seat, card))
    return found


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
def test_every_order_is_equally_likely(schedule):
    """Chi-square test of all 24 orders; chance exceeds 68 once in 3 million times."""
    found = Counter(tuple(card for _, card in draw_in_turn(schedule, key)) for key in range(4800))
    assert sum((found[order] - 200) ** 2 / 200 for order in permutations(CARDS)) < 68


def test_a_seat_gets_the_same_cards_in_any_order_of_draws():
    for key in range(50):
        hands = [
            [[card for seat, card in draw_in_turn(schedule, key) if seat == own] for own in (0, 1)]
            for schedule in SCHEDULES[:3]
        ]
        assert hands[0] == hands[1] == hands[2]


def test_a_card_that_comes_back_can_go_to_any_seat():
    """Cards are set aside for a seat only until something other than a draw changes the group."""
    found = Counter()
    for key in range(4000):
        reserve, stream = Reserve(), Stream(mix_in(1, key))
        left, back = draw(reserve, CARDS, 0, stream)
        _, card = draw(reserve, sorted([*left, back]), 1, stream)
        found[card == back] += 1
    assert abs(found[True] - 1000) < 5 * (4000 * 1 / 4 * 3 / 4) ** 0.5


class FixedDealer(StreamChance):
    """Chance of a seed, except that this seat deals first."""

    def __init__(self, seat, match):
        super().__init__(4, match)
        self.seat = seat

    def settle(self, name, match):
        """Let this seat deal."""
        if name == "dealer":
            match.set_values(name, [self.seat])
        return name == "dealer"


def deal_hands(game, dealer, match):
    """Return all hands at the first question."""
    chance = FixedDealer(dealer, match)
    state = game.start(4, match, arrangement=chance, chance=chance)
    while isinstance(state.pending, DealStart | ChanceNode):
        state.next_deal()
    return [sorted(cards) for cards in state.to_dict()["zones"]["hand"]]


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(
    ("name", "players"), [("trut", 2), ("trut", 4), ("trut-club", 3), ("tute", 4)]
)
def test_a_deal_gives_each_seat_the_same_cards_whoever_deals(name, players, engine):
    game = load_game(name, players, engine=engine)
    found = set()
    for match in range(4):
        first, *others = [deal_hands(game, dealer, match) for dealer in range(players)]
        assert all(hands == first for hands in others) and all(first)
        found.add(str(first))
    assert len(found) == 4


@pytest.mark.thorough
@pytest.mark.parametrize("dealer", range(4))
def test_every_card_comes_to_every_seat_equally_often_whoever_deals(dealer):
    """Chi-square test with 31 degrees of freedom for each seat: above 95 once in 50 million."""
    game, found = load_game("trut", 4, engine="reference"), Counter()
    for match in range(640):
        for seat, hand in enumerate(deal_hands(game, dealer, match)):
            found.update((seat, card) for card in hand)
    for seat in range(4):
        expected = 640 * 3 / 32
        assert sum((found[seat, card] - expected) ** 2 / expected for card in game.deck.texts) < 95
