"""Loops: their turns, the order of the turns, and ways to leave a loop.

Each case has a few statements and the digits that they log. Seats have the numbers 1 to 4, and the
strength of a card is its rank. The stock has 1h on top and 8h at the bottom (see conftest.py).
"""

from sentence_tables import sentences_in

EACH = ": do note(id[player])"

ORDER_OF_LOOPS = {
    "seats come by index": ("for player in seats" + EACH, "1234"),
    "from a seat in the order of play": (
        "for player in seats from next_seat(dealer)" + EACH,
        "2341",
    ),
    "after a seat, which is left out": (
        "for player in seats after next_seat(dealer)" + EACH,
        "341",
    ),
    "a set from a seat outside it": (
        "for player in seats_of(team(dealer)) from next_seat(dealer)" + EACH,
        "31",
    ),
    "a set literal by index": ("for player in {next_seat(dealer), dealer}" + EACH, "12"),
    "a set literal from a seat": (
        "for player in {dealer, previous_seat(dealer)} from on_lead" + EACH,
        "14",
    ),
    "teams by index, and their seats": (
        "for side in teams:\n    for player in seats_of(side)" + EACH,
        "1324",
    ),
    "numbers upwards, both ends included": ("for n in 2 to 5: do note(n)", "2345"),
    "one number": ("for n in 3 to 3: do note(n)", "3"),
    "no number": ("for n in 3 to 2: do note(n)", ""),
    "the bound of numbers is asked once": (
        "let last = 3\nfor n in 1 to last:\n    last = 5\n    do note(n)",
        "123",
    ),
    "a zone as its cards lie, the lowest first": (
        "for n in 1 to 3: draw from stock to played\ndo note_cards(played)",
        "321",
    ),
    "a zone itself goes as it lies": (
        "for n in 1 to 3: draw from stock to played\nfor card in played: do note(strength(card))",
        "123",
    ),
    "a set of cards by index, the strongest first": ("do note_cards(pack_cards)", "87654321"),
    "two zones together are a set": (
        "for n in 1 to 3: draw from stock to played\nfor card in played + stock: "
        "do note(strength(card))",
        "87654321",
    ),
}

WHERE = {
    "where is asked at each turn": (
        "for player in seats: go[player] = yes\n"
        "for player in seats where go[player]:\n"
        "    go[next_seat(player)] = no\n"
        "    do note(id[player])",
        "13",
    ),
    "the set is fixed when the loop begins": (
        "let left = seats\nfor player in left:\n    left -= next_seat(player)\n"
        "    do note(id[player])",
        "1234",
    ),
    "the cards of a zone are fixed when the loop begins": (
        "for card in stock:\n    move card to played\n    do note(size(stock))",
        "76543210",
    ),
    "where goes with from": (
        "for player in seats from previous_seat(dealer) where id[player] != 1" + EACH,
        "423",
    ),
    "where sees the name that is bound": ("for n in 1 to 9 where n mod 3 == 0: do note(n)", "369"),
}

REPEAT = {
    "so many times": ("repeat 3 times: do note(7)", "777"),
    "no times": ("repeat 0 times: do note(7)", ""),
    "less than no times": ("repeat 2 - 3 times: do note(7)", ""),
    "the number of times is asked once": (
        "let n = 2\nrepeat n times:\n    n = 5\n    do note(n)",
        "55",
    ),
    "while is asked before each turn": (
        "let n = 0\nrepeat at most 9 times while n < 3:\n    n += 1\n    do note(n)",
        "123",
    ),
    "until is asked before each turn": (
        "let n = 0\nrepeat at most 9 times until n == 3:\n    n += 1\n    do note(n)",
        "123",
    ),
    "until may hold at once": ("repeat at most 9 times until players == 4: do note(1)", ""),
    "at most so many": ("repeat at most 2 times while players == 4: do note(1)", "11"),
}

LEAVING = {
    "stop leaves the innermost loop": (
        "for player in seats:\n    for n in 1 to 3:\n        if n == 2: stop\n        do note(n)",
        "1111",
    ),
    "stop leaves a repetition": (
        "let n = 0\nrepeat 9 times:\n    n += 1\n    if n == 3: stop\n    do note(n)",
        "12",
    ),
    "next goes on with the next turn": (
        "for n in 1 to 4:\n    if n == 2: next\n    do note(n)",
        "134",
    ),
    "next in a repetition": (
        "let n = 0\nrepeat 4 times:\n    n += 1\n    if n == 2: next\n    do note(n)",
        "134",
    ),
    "return leaves loops and the rule": (
        "for n in 1 to 3:\n    for m in 1 to 3:\n        do note(m)\n        if m == 2: return",
        "12",
    ),
    "if takes the first branch that holds": (
        "if players == 2: do note(1)\nelse if players > 2: do note(2)\nelse if players > 3: "
        "do note(3)\nelse: do note(4)",
        "2",
    ),
}

TABLES = {
    "order": ORDER_OF_LOOPS,
    "where": WHERE,
    "repeat": REPEAT,
    "leaving": LEAVING,
}


@sentences_in(TABLES)
def test_loops(play, body, log):
    declared = "match state:\n    go[seat]: yes_no\n" if "go[" in body else ""
    assert play(body, declared).log == log
