"""Tute: the exchange of the turned-up card, and the 120 points of the pack."""

from collections import Counter
from fractions import Fraction

import pytest
from fixed_hands import start_deal, z
from random_play import play

from trutdsl.game import load_game

RANKS = ["1", "3", "12", "11", "10", "7", "6", "5", "4", "2"]
PACK = [rank + suit for suit in "oceb" for rank in RANKS]
POINTS = {"1": 11, "3": 10, "12": 4, "11": 3, "10": 2}


def points(cards):
    return sum(POINTS.get(card[:-1], 0) for card in cards)


def exchange_card(turned):
    """Return the card whose holder may exchange it for the turned one, or None."""
    if turned[:-1] == "2":
        return None
    return ("7" if points([turned]) else "2") + turned[-1]


def test_every_turned_card_except_the_two_can_be_exchanged():
    """Turn up each of the 40 cards, with its exchange card in each of the hands."""
    game = load_game("tute", 3, engine="reference")
    asked = Counter()
    for turned in PACK:
        rest = [card for card in PACK if card != turned]
        taker = exchange_card(turned)
        for holder in range(3):
            rest.sort(key=lambda card: card != taker)
            mixed = rest[13 * (3 - holder) :] + rest[: 13 * (3 - holder)]
            hands = [mixed[13 * seat : 13 * seat + 13] for seat in range(3)]
            state = start_deal(game, 0, hands, turned)
            if taker is None:
                assert state.pending.decision != "exchange"
                continue
            assert taker in hands[holder]
            assert (state.pending.decision, state.pending.seat) == ("exchange", holder)
            asked[holder] += 1
    assert asked == dict.fromkeys(range(3), 36)


def test_each_seat_holds_the_exchange_card_equally_often():
    """36 of 40 turned cards can be exchanged, by each seat in a third of the deals."""
    game, deals = load_game("tute", 3, engine="native"), 4000
    holders = Counter()
    for match in range(deals):
        state = game.start(2, match)
        state.next_deal()
        if state.pending.decision == "exchange":
            holders[(state.pending.seat - state.dealer) % 3] += 1
    assert abs(z(holders.total(), deals, Fraction(36, 40))) < 5
    assert set(holders) == {0, 1, 2}
    for count in holders.values():
        assert abs(z(count, deals, Fraction(36, 40) / 3)) < 5


def complete_deals(game, matches):
    """Yield the events of each deal in which all cards were played, over many matches."""
    for match in range(matches):
        events = []
        play(game, match, events.append)
        starts = [at for at, event in enumerate(events) if event["event"] == "deal"]
        for start, end in zip(starts, [*starts[1:], len(events)], strict=True):
            deal = events[start:end]
            (last,) = [event for event in deal if event["event"] == "deal_end"]
            if last["reason"] != "tute":
                yield deal


@pytest.mark.parametrize("players", [2, 3, 4])
def test_tricks_contain_all_120_points(players):
    """With three players, nobody gets the card that lies turned up when the tricks begin."""
    assert points(PACK) == 120
    game = load_game("tute", players, {"end_at_101": False, "deals_to_win": 3}, "native")
    deals = 0
    for deal in complete_deals(game, 12):
        deals += 1
        of_kind = {kind: [e for e in deal if e["event"] == kind] for kind in ("trick", "action")}
        taken, sung, left = Counter(), Counter(), []
        for trick in of_kind["trick"]:
            taken[trick["team"]] += points(card for _, card in trick["cards"])
        turned = [event["card"] for event in deal if event["event"] == "turned"]
        trump = turned[0][-1]
        actions = [(event["seat"], event["action"]) for event in of_kind["action"]]
        for seat, action in actions:
            if action.startswith("sing"):
                sung[seat % game.team_count] += 40 if action[5] == trump else 20
        if players == 3:
            left = [] if "exchange" in dict(map(reversed, actions)) else turned
        assert taken.total() + points(left) == 120
        assert sum(len(trick["cards"]) for trick in of_kind["trick"]) == 40 - (players == 3)
        scored = Counter()
        for event in deal:
            if event["event"] == "counter" and event["name"] == "points" and event["delta"] > 0:
                scored[event["team"]] += event["delta"]
        assert scored == taken + sung
    assert deals > 20
