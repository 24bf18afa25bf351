"""Drawing, moving, gathering and shuffling cards, and the attributes of a card.

Each case has a few statements and the digits that they log. Seats have the numbers 1 to 4, and the
strength of a card is its rank. The stock has 1h on top and 8h at the bottom (see conftest.py).
"""

import pytest
from sentence_tables import sentences_in

CARDS = {
    "draw takes the top card": ("draw from stock to played as card\ndo note(strength(card))", "1"),
    "move lays a card on top": (
        "repeat 2 times: draw from stock to played\nmove bottom(stock) from stock to played\n"
        "for card in played: do note(strength(card))",
        "128",
    ),
    "move under lays it under all others": (
        "repeat 2 times: draw from stock to played\nmove bottom(stock) from stock under played\n"
        "for card in played: do note(strength(card))",
        "812",
    ),
    "move all keeps the order": (
        "draw from stock to played\nmove all from stock to played\n"
        "for card in played: do note(strength(card))",
        "18765432",
    ),
    "move all turned over reverses it": (
        "draw from stock to played\nmove all from stock to played turned over\n"
        "for card in played: do note(strength(card))",
        "12345678",
    ),
    "move all under": (
        "draw from stock to played\nmove all from stock under played\n"
        "for card in played: do note(strength(card))",
        "87654321",
    ),
    "gather goes zone by zone and seat by seat": (
        "for player in seats from next_seat(dealer): draw from stock to table[player]\n"
        "draw from stock to played\nmove all from stock to table[dealer]\n"
        "gather table, played into stock\nfor card in stock: do note(strength(card))",
        "48761235",
    ),
    "top and bottom": ("do note(strength(top(stock)))\ndo note(strength(bottom(stock)))", "18"),
    "a card laid on a shuffled pile is its top": (
        "draw from stock to played\nshuffle stock\nmove top(played) from played to stock\n"
        "do note(strength(top(stock)))\ndraw from stock to played as card\n"
        "do note(strength(card))",
        "11",
    ),
    "a card laid under a shuffled pile is its bottom": (
        "draw from stock to played\nshuffle stock\nmove top(played) from played under stock\n"
        "do note(strength(bottom(stock)))\nrepeat 7 times: draw from stock to played\n"
        "draw from stock to table[dealer] as card\ndo note(strength(card))",
        "11",
    ),
    "what is drawn from a shuffled pile has an order again": (
        "shuffle stock\nrepeat 8 times: draw from stock to played\n"
        "for card in played: move card to stock\ndo note(size(stock))\ndo note(size(played))",
        "80",
    ),
    "all cards of a shuffled pile come out once": (
        "shuffle stock\nrepeat 8 times: draw from stock to played\ndo note_cards(played)",
        "87654321",
    ),
}

TABLES = {
    "cards": CARDS,
}


@sentences_in(TABLES)
def test_moves(play, body, log):
    assert play(body).log == log


def test_cards_have_a_rank_a_suit_and_a_strength(play):
    declared = """
    define plain: first card in pack_cards where rank(card) == "5"
    """
    body = """
    do note(strength(plain))
    if suit(plain) == "h" and not special(plain): do note(1)
    if plain == "5h": do note(2)
    if rank(plain) != "6": do note(3)
    do note(size(suits))
    do note(size(ranks))
    """
    assert play(body, declared).log == "512318"


WILD = (
    "parameters: {wild: {type: cards, choices: pack_cards, default: all, help: Which are wild.}}\n"
)


@pytest.mark.parametrize(("value", "log"), [("all", "87654321"), ("none", ""), ("1h,8h", "81")])
def test_a_parameter_can_be_a_set_of_cards(play, value, log):
    assert play("do note_cards(wild)", head=WILD, param=[f"wild={value}"]).log == log
