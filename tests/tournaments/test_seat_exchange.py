"""An exchange of seats exchanges the luck: a seat keeps its cards."""

import pytest

from trutdsl.game import load_game
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match


def play_and_list_hands(game, seating, match):
    """Return the dealer and the first cards of each seat, for every deal."""
    events = []
    play_match(game, [load_strategy(name) for name in seating], 77, match, events.append)
    deals = []
    for event in events:
        if event["event"] == "deal":
            deals.append((event["dealer"], {}))
        elif event["event"] == "cards" and deals:
            deals[-1][1].setdefault(event["seat"], []).extend(event["cards"])
    return deals


@pytest.mark.thorough
def test_a_strategy_gets_the_cards_that_the_other_had_on_its_seat():
    """This holds for any dealer, so a strategy never gets its own cards again."""
    game = load_game("trut", 2, engine="reference")
    same_dealer = others = 0
    for match in range(12):
        one = play_and_list_hands(game, ("steady", "quiet"), match)
        two = play_and_list_hands(game, ("quiet", "steady"), match)
        for (dealer, cards), (other_dealer, other_cards) in zip(one, two, strict=False):
            assert cards == other_cards
            assert cards != {seat: other_cards[1 - seat] for seat in cards}
            same_dealer += dealer == other_dealer
            others += dealer != other_dealer
    assert same_dealer > 5
    assert others > 50
