"""Tute: the legal plays follow from the player's own hand and from public cards alone."""

from itertools import product

import pytest
from random_play import play

from trutdsl.game import HIDDEN, Question, load_game

RANKS = ["2", "4", "5", "6", "7", "10", "11", "12", "3", "1"]  # the weakest first
TABLES = [
    (players, beat, free, follow)
    for players, beat, free, follow in product(
        [2, 3, 4], ["highest", "opponents"], [True, False], [True, False]
    )
    if players == 2 or follow  # only two players have a stock
    if players == 4 or beat == "highest"  # only four players have partners
]


def legal_cards(hand, trick, trump, *, to_beat, stock, free, follow):
    """Return the cards that rules U4 to U7 allow; trick: its cards in order of play.

    to_beat: the cards in the trick that must be beaten if their suit is played.
    """

    def beating(cards):
        better = [
            card
            for card in cards
            if all(
                RANKS.index(card[:-1]) > RANKS.index(other[:-1])
                for other in to_beat
                if other[-1] == card[-1]
            )
        ]
        return better or cards

    led = trick[0][-1] if trick else None
    ruffed = led != trump and any(card[-1] == trump for card in trick)
    if not trick or (ruffed and free) or (stock and not follow):
        return hand
    suited = [card for card in hand if card[-1] == led]
    if suited:
        return suited if ruffed else beating(suited)
    return beating([card for card in hand if card[-1] == trump]) or hand


@pytest.mark.parametrize(("players", "beat", "free", "follow"), TABLES)
def test_legal_plays(players, beat, free, follow):
    parameters = {"must_beat": beat, "free_after_ruff": free, "follow_while_stock": follow}
    game = load_game("tute", players, parameters, engine="reference")
    asked = restricted = 0

    def look(state):
        nonlocal asked, restricted
        if not isinstance(state.pending, Question) or state.pending.decision != "turn":
            return
        view = state.view()
        hands = view.zones["hand"]
        assert [s for s in range(players) if hands[s] is not HIDDEN] == [view.seat]
        order = [(view.leader + step) % players for step in range(players)]
        trick = [(seat, card) for seat in order for card in view.cards("table", seat)]
        expected = legal_cards(
            list(view.cards("hand")),
            [card for _, card in trick],
            view.variables["trump_card"][0][-1],
            to_beat=[c for s, c in trick if beat == "highest" or game.teams[s] != view.team],
            stock=players == 2 and view.sizes["turned"][0] > 0,
            free=free,
            follow=follow,
        )
        assert sorted(a.text for a in view.actions) == sorted(f"play {card}" for card in expected)
        asked += 1
        restricted += len(expected) < len(view.cards("hand"))

    for match in range(6):
        play(game, match, look=look)
    assert asked > 150
    assert restricted > 15
