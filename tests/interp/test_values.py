"""The values of expressions.

Each case has a few statements and the digits that they log. Seats have the numbers 1 to 4, and the
strength of a card is its rank. The stock has 1h on top and 8h at the bottom (see conftest.py).
"""

from sentence_tables import sentences_in

EACH = ": do note(id[player])"

NUMBERS = {
    "div rounds down": ("do note(7 div 2)", "3"),
    "div rounds down below 0 too": ("do note(9 + -7 div 2)", "5"),
    "mod has the sign of the divisor": ("do note(-7 mod 3)", "2"),
    "minus is worked out from the left": ("do note(9 - 3 - 2)", "4"),
    "div and times from the left": ("do note(9 div 2 * 2)", "8"),
    "times before plus": ("do note(1 + 2 * 3)", "7"),
    "parentheses first": ("do note((1 + 2) * 3)", "9"),
    "minus twice": ("do note(- - 3)", "3"),
    "min and max": ("do note(min(3, 5))\ndo note(max(3, 5))", "35"),
    "a choice": ("do note(1 if players == 4 else 2)\ndo note(1 if players == 2 else 2)", "12"),
    "a choice within a choice": (
        "do note(1 if players == 2 else (2 if players == 3 else 3))",
        "3",
    ),
    "noughts before a number": ("do note(0000000000000007)", "7"),
    "adding and taking away": ("let n = 5\nn += 3\nn -= 1\ndo note(n)", "7"),
}

YES_AND_NO = {
    "and looks no further than a no": (
        'if not empty(played) and rank(top(played)) == "1": do note(1)\nelse: do note(2)',
        "2",
    ),
    "or looks no further than a yes": (
        'if empty(played) or rank(top(played)) == "1": do note(1)\nelse: do note(2)',
        "1",
    ),
    "a choice looks at one side only": (
        "do note(5 if empty(played) else strength(top(played)))",
        "5",
    ),
    "every looks no further than a no": (
        "if (every n in 1 to 2 has n == 2 and strength(top(played)) == 1): do note(1)\n"
        "else: do note(2)",
        "2",
    ),
    "and before or": ("if yes or yes and no: do note(1)\nelse: do note(2)", "1"),
    "not before and": ("if not no and yes: do note(1)\nelse: do note(2)", "1"),
    "not a comparison": ("if not players == 2: do note(1)\nelse: do note(2)", "1"),
}

QUANTIFIERS = {
    "count": ("do note(count player in seats where id[player] > 1)", "3"),
    "count of nothing": ("do note(1 + (count card in played))", "1"),
    "count of numbers": ("do note(count n in 1 to 9 where n mod 2 == 0)", "4"),
    "first by index": (
        "let player = first player_ in seats where id[player_] > 1\ndo note(id[player])",
        "2",
    ),
    "first in the order of play": (
        "let found = first player in seats from previous_seat(dealer) where id[player] < 4\n"
        "do note(id[found])",
        "1",
    ),
    "first in a zone as it lies": (
        "for n in 1 to 3: draw from stock to played\n"
        "let found = first card in played where strength(card) > 1\n"
        "do note(strength(found))",
        "2",
    ),
    "first of nothing is none": (
        "let found = first card in played\nif found == none: do note(1)",
        "1",
    ),
    "those": ("for player in (those player_ in seats where id[player_] > 2)" + EACH, "34"),
    "any": ("if (any player in seats has id[player] == 4): do note(1)", "1"),
    "any of nothing is no": ("if (any card in played has strength(card) > 0): do note(1)", ""),
    "any without has": (
        "if (any card in stock): do note(1)\nif (any card in played): do note(2)",
        "1",
    ),
    "every": ("if (every player in seats has id[player] > 0): do note(1)", "1"),
    "every of nothing is yes": (
        "if (every card in played has strength(card) > 99): do note(1)",
        "1",
    ),
    "highest and lowest": (
        "let most = highest id[player] for player in seats\ndo note(most)\n"
        "let least = lowest id[player] for player in seats where id[player] > 1\ndo note(least)",
        "42",
    ),
    "total": ("let sum = total n for n in 1 to 3\ndo note(sum)", "6"),
    "total of nothing": (
        "let sum = total strength(card) for card in played\ndo note(sum + 1)",
        "1",
    ),
}

SETS = {
    "either": ("for player in {dealer} + seats_of(team(next_seat(dealer)))" + EACH, "124"),
    "not the right": ("for player in seats - dealer" + EACH, "234"),
    "both": ("for player in seats & seats_of(team(dealer))" + EACH, "13"),
    "an element counts once": ("do note(size({dealer, on_lead, next_seat(dealer)}))", "2"),
    "in and not in": (
        "if dealer in seats_of(team(dealer)): do note(1)\n"
        "if dealer not in {next_seat(dealer)}: do note(2)",
        "12",
    ),
    "sets are equal by what they hold": (
        "if {dealer, next_seat(dealer)} == {next_seat(dealer), dealer}: do note(1)",
        "1",
    ),
    "adding to and taking from a set": (
        "let chosen = {dealer}\nchosen += next_seat(dealer)\nchosen -= dealer\n"
        "chosen += {dealer}\nfor player in chosen" + EACH,
        "12",
    ),
    "an element on the left of a set": (
        "let few: set of 0 to 9 = {1}\nfor n in 5 + few: do note(n)\nfor n in 1 - few: do note(n)\n"
        "for n in 1 & few: do note(n)",
        "151",
    ),
    "size and empty": (
        "do note(size(stock))\nif empty(played): do note(1)\nif not empty(stock): do note(2)",
        "812",
    ),
}

SEATS = {
    "next and previous go round": (
        "do note(id[next_seat(previous_seat(dealer))])\ndo note(id[previous_seat(dealer)])",
        "14",
    ),
    "partners sit opposite": (
        "for player in seats: do note(side_id[team(player)])",
        "1212",
    ),
    "the first seat deals and leads": ("do note(id[dealer])\ndo note(id[on_lead])", "11"),
}

NAMES = {
    "a name ends with its block": (
        "if yes:\n    let n = 1\n    do note(n)\nif yes:\n    let n = 2\n    do note(n)",
        "12",
    ),
    "a name from outside can be changed inside": (
        "let n = 1\nfor player in seats: n += 1\ndo note(n)",
        "5",
    ),
    "let binds anew at each turn": (
        "for n in 1 to 3:\n    let double = n\n    double += n\n    do note(double)",
        "246",
    ),
}

TABLES = {
    "numbers": NUMBERS,
    "yes and no": YES_AND_NO,
    "quantifiers": QUANTIFIERS,
    "sets": SETS,
    "seats": SEATS,
    "names": NAMES,
}


@sentences_in(TABLES)
def test_values(play, body, log):
    assert play(body).log == log
