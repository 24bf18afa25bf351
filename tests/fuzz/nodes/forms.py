"""Texts of rules: the expressions of each type, and the places that take one.

`HOLE` in a place stands for an expression.
"""

from __future__ import annotations

NAMES = {
    "yes_no": "yes_no", "number": "number", "0 to 9": "range", "-9 to 9999999999": "wide",
    "seat": "seat", "seat?": "some_seat", "team": "team", "team?": "some_team",
    "card": "card", "card?": "some_card", "suit": "suit", "suit?": "some_suit",
    "rank": "rank", "rank?": "some_rank", "seats": "seats", "teams": "teams", "cards": "cards",
    "suits": "suits", "ranks": "ranks", "mood": "mood", "set of mood": "moods",
    "set of 0 to 9": "digits",
}  # fmt: skip
FIRST = {
    "seat": "first x in seats", "team": "first x in teams", "card": '"As"',
    "suit": '"h"', "rank": '"A"',
    "-9 to 9999999999": "4000000000",
}  # fmt: skip
SINGLE = ("seat", "team", "card", "suit", "rank")
SETS = {
    "seats": "seats", "teams": "teams", "cards": "pack_cards", "suits": "suits", "ranks": "ranks",
    "set of mood": "all of mood", "set of 0 to 9": "{0, 3, v_range}",
}  # fmt: skip
ELEMENT = {"set of mood": "mood", "set of 0 to 9": "0 to 9"} | {f"{k}s": k for k in SINGLE}

# Expressions that only one type has; `expressions_of` adds those that all types have.
OWN = {
    "yes_no": [
        "yes", "boolean_set", "empty(heap)", "empty(v_seats)", "special(v_card)", "(v_range > 2)",
        "(v_card == v_some_card)", "(v_mood == calm)", "(v_yes_no and i_yes_no[dealer])",
        "(not v_yes_no)", "(v_seat in v_seats)", "(v_mood not in v_moods)",
        "(any x in v_seats has x == dealer)", "(every x in 1 to 3 has x < 3)",
    ],
    "number": [
        "(v_number + 1)", "(v_number - v_range)", "(v_wide div 9999999999)",
        "(total v_number for x in seats)",
        "(highest v_number for x in seats)", "min(v_number, v_wide)", "max(v_number, 3)",
        "(v_wide mod 1000000007)", "strength(v_card)", "eyes(v_card)",
    ],
    "0 to 9": [
        "2", "integer_set", "size(heap)", "size(v_seats)", "strength(v_card)", "eyes(v_card)",
        "(v_range + 1)", "(v_range mod 7)", "(count x in v_cards)", "(total 1 for x in teams)",
        "min(v_range, 3)", "players",
        "(lowest strength(x) for x in pack_cards)", "(integer_set + 1)",
    ],
    "-9 to 9999999999": [
        "4000000000", "(v_wide + 1)", "(v_wide * 2)", "(highest v_wide for x in seats)",
        "max(v_wide, 5000000000)", "(4000000000 + integer_set)",
    ],
    "seat": ["dealer", "on_lead", "next_seat(v_seat)", "previous_seat(dealer)"],
    "team": ["team(v_seat)"],
    "card": ['"Kh"', '"owl"', "top(heap)", "bottom(heap)"],
    "suit": ['"s"'],
    "suit?": ["suit(v_card)"],
    "rank": ['"K"', "rank(v_card)"],
    "seats": ["seats_of(v_team)", "partners(v_seat)"],
    "cards": ["pack_cards", "special_pack", "heap", "row", "hand[v_seat]", "won[v_team]",
        "cards_set",
        '{"As", "Kh"}', '(those x in pack_cards where rank(x) == "A")', "p_cards(pack_cards)",
        "(pack_cards if boolean_set else special_pack)",
    ],
    "mood": ["heated"],
}  # fmt: skip
CHANCE = {
    "0 to 9": ["roll 1 to 6", "roll v_range to 9", "random from v_digits"],
    "-9 to 9999999999": ["roll 1 to 5000000000"],
    "yes_no": ["chance 1 out of 3", "chance v_range out of 9", "chance probability_set"],
    "mood": ["random from v_moods"],
    **{kind: [f"random from v_{kind}s"] for kind in SINGLE},
}


def expressions_of(kind: str) -> list[str]:
    """Return expressions of a type, one of every node that can have it, without chance."""
    name = NAMES[kind]
    place = f"v_{name}"
    found = [place, f"i_{name}[v_seat]", f"t_{name}[v_team]", f"l_{name}", f"d_{name}"]
    found += [f"p_{name}({place})", f"({place} if v_yes_no else i_{name}[dealer])"]
    found += OWN.get(kind, [])
    if kind in SINGLE:
        found += [f"(first x in {SETS[kind + 's']})", f"v_some_{kind}"]
        found += [f"(first x in v_{kind}s with highest size(v_seats))", f"d_some_{kind}"]
        found += [f"(v_some_{kind} if v_yes_no else none)", f"l_some_{kind}"]
        found += ["suit(v_card)"] * (kind == "suit")
    elif kind.endswith("?"):
        found += ["none", f"(first x in v_{kind[:-1]}s where v_yes_no)"]
    elif kind == "mood":
        found += ["(first x in v_moods)"]
    elif kind in SETS:
        one = ELEMENT[kind]
        item = f"v_{NAMES[one]}"
        found += [SETS[kind], f"{{{item}, i_{NAMES[one]}[dealer]}}"]
        found += [f"({place} {op} {place})" for op in "+-&"]
        found += [f"(those x in {place} where v_yes_no)"]
        found += [f"(those x in {place} with lowest v_range)"]
    return found


def chance_expressions_of(kind: str) -> list[str]:
    """Return expressions of a type by chance or by a rule; a place must store them."""
    found = [f"do r_{NAMES[kind]}", f"do q_{NAMES[kind]}(v_{NAMES[kind]})", *CHANCE.get(kind, [])]
    return found + [f"do r_some_{kind}"] * (kind in SINGLE)


ALL = tuple(NAMES)
NUMBERS = ("number", "0 to 9", "-9 to 9999999999")
OPTIONAL = tuple(f"{kind}?" for kind in SINGLE)
ANNOUNCEABLE = tuple(k for k in ALL if k not in ("mood", "set of mood", "set of 0 to 9"))

# (the types that a place takes, its lines). `#` stands for the number of the text, `TYPE` for the
# type, and `NAME` for the name of the type in variables.
SLOTS: list[tuple[tuple[str, ...], str]] = [
    (ALL, "let u# = HOLE"),
    (ALL, "let u#: TYPE = HOLE"),
    (ALL, "v_NAME = HOLE"),
    (ALL, "i_NAME[dealer] = HOLE"),
    (ALL, "l_NAME = HOLE"),
    (NUMBERS, "v_NAME += HOLE"),
    (NUMBERS, "let u#: 0 to 2 = HOLE"),
    (NUMBERS, "points[v_team] = min(9, max(0, HOLE))"),
    (tuple(SETS), "v_NAME -= HOLE"),
    (ALL, "do q_NAME(HOLE)"),
    (ALL, "let u# = p_NAME(HOLE)"),
    (("yes_no",), "if HOLE: v_range = 1"),
    (("yes_no",), "if v_yes_no: v_range = 1\nelse if HOLE: v_range = 2"),
    (OPTIONAL, "if let u# = HOLE: v_range = 1"),
    (("yes_no",), "repeat 2 times while HOLE: v_range = 1"),
    (NUMBERS, "repeat min(3, HOLE) times: v_range = 1"),
    (NUMBERS, "repeat HOLE times: v_range = 1"),
    (tuple(SETS), "for u# in HOLE: v_range = 1"),
    (NUMBERS, "for u# in 1 to min(3, HOLE): v_range = 1"),
    (NUMBERS, "for u# in HOLE to 9: v_range = 1"),
    (NUMBERS, "for u# in 1 to HOLE: v_range = 1"),
    (("seat",), "for u# in seats from HOLE: v_range = 1"),
    (("seat",), "for u# in v_seats after HOLE: v_range = 1"),
    (("yes_no",), "for u# in teams where HOLE: v_range = 1"),
    (("card",), "move HOLE from heap to row"),
    (("card",), "swap HOLE from heap with (first y in row) from row"),
    (("card",), "swap (first y in row) from row with HOLE from heap"),
    (("seat",), "move (first y in row) from row to hand[HOLE]"),
    (("team",), "move all from row to won[HOLE]"),
    (("seat",), "draw from stock to hand[HOLE]"),
    (("seat",), "gather row, hand from HOLE into heap"),
    (("seat", "seat?"), "trick on table:\n    end trick won by HOLE"),
    (("team", "team?"), "if v_yes_no: end deal won by HOLE because over"),
    (("team", "team?"), "if v_yes_no: end match won by HOLE"),
    (("seats",), "reveal row to HOLE"),
    (("seat",), "reveal v_range to HOLE"),
    (("seat",), "reveal hand[HOLE] to seats"),
    (("seat",), "reveal i_range[HOLE] to seats"),
    (ANNOUNCEABLE, 'announce (HOLE) as "NAME" to all'),
    (("seats",), 'announce 1 as "one" to (HOLE)'),
    (("seat",), 'announce 1 as "one" by HOLE to all'),
    (("seat",), 'ask HOLE "q#":\n    pass'),
    (("seats",), 'ask any u# in HOLE "q#":\n    pass'),
    (("seat",), 'ask any u# in seats from HOLE "q#":\n    pass'),
    (tuple(SETS), 'ask dealer "q#":\n    take u# from HOLE\n    pass'),
    (("number", "0 to 9"),
     'ask dealer "q#":\n    take u# from 0 to min(5, max(0, HOLE))\n    pass'),
    (("0 to 9",), 'ask dealer "q#":\n    take u# from HOLE to 20\n    pass'),
    (("0 to 9",), 'ask dealer "q#":\n    take u# from 0 to HOLE\n    pass'),
    (("number", "0 to 9"),
     'ask dealer "q#":\n    take u# from min(2, max(0, HOLE)) cards of row\n    pass'),
    (("0 to 9",), 'ask dealer "q#":\n    take u# from HOLE cards of few\n    pass'),
    (("0 to 9",), 'ask dealer "q#":\n    take u# from 1 to HOLE cards of few\n    pass'),
    (("cards",), 'ask dealer "q#":\n    take u# from 1 cards of HOLE\n    pass'),
    (("yes_no",), 'ask dealer "q#":\n    take when HOLE\n    pass'),
    (NUMBERS, "let u# = HOLE + 1"),
    (NUMBERS, "let u# = v_range - HOLE"),
    (NUMBERS, "let u# = HOLE mod 5"),
    (NUMBERS, "let u# = 7 div max(1, HOLE)"),
    (NUMBERS, "let u# = min(HOLE, v_range)"),
    (NUMBERS, "let u# = HOLE < v_range"),
    (ALL, "let u# = (HOLE) == v_NAME"),
    (ALL, "let u# = v_NAME != (HOLE)"),
    (("yes_no",), "let u# = HOLE and v_yes_no"),
    (("yes_no",), "let u# = v_yes_no or HOLE"),
    (("yes_no",), "let u# = not (HOLE)"),
    (("yes_no",), "let u# = 1 if HOLE else 2"),
    (ALL, "let u# = HOLE if v_yes_no else v_NAME"),
    (ALL, "let u# = v_NAME if v_yes_no else HOLE"),
    (tuple(dict.fromkeys(ELEMENT.values())), "let u# = HOLE in SET"),
    (tuple(SETS), "let u# = ITEM not in (HOLE)"),
    (tuple(dict.fromkeys(ELEMENT.values())), "let u# = {HOLE, v_NAME}"),
    (tuple(SETS), "let u# = (HOLE) + v_NAME"),
    (tuple(SETS), "let u# = v_NAME & (HOLE)"),
    (tuple(SETS), "let u# = count y in HOLE"),
    (NUMBERS, "let u# = total HOLE for y in seats"),
    (NUMBERS, "let u#: seat? = first y in seats with highest HOLE"),
    (("yes_no",), "let u# = any y in seats has HOLE"),
    (("yes_no",), "let u# = count y in seats where HOLE"),
    (("seat",), "let u#: seat? = first y in seats from HOLE"),
    (("number", "0 to 9"), "let u# = count y in 0 to HOLE"),
    (tuple(SETS), "let u# = size(HOLE)"),
    (tuple(SETS), "let u# = empty(HOLE)"),
    (("card",), "let u# = strength(HOLE)"),
    (("card",), "let u# = eyes(HOLE)"),
    (("card",), "let u# = rank(HOLE)"),
    (("seat",), "let u# = next_seat(HOLE)"),
    (("seat",), "let u# = team(HOLE)"),
    (("team",), "let u# = seats_of(HOLE)"),
    (("seat",), "let u# = i_range[HOLE]"),
    (("team",), "let u# = t_range[HOLE]"),
    (("seat",), "let u# = size(hand[HOLE])"),
    (("seat",), "let u#: cards = hand[HOLE]"),
    (NUMBERS, "let u# = roll HOLE to 9"),
    (NUMBERS, "let u# = roll 1 to HOLE"),
    (NUMBERS, "let u# = chance HOLE out of 9"),
    (("0 to 9",), "let u# = chance 0 out of HOLE"),
    (tuple(SETS), "let u# = random from HOLE"),
]  # fmt: skip
# After `===` follows the sentence that uses the declaration.
DECLARATIONS: list[tuple[tuple[str, ...], str]] = [
    (ALL, "define e#(l_NAME: TYPE) -> TYPE: HOLE===let u# = e#(v_NAME)"),
    (ALL, "define e#(l_NAME: TYPE) -> TYPE:\n    return HOLE===let u# = e#(v_NAME)"),
    (ALL, "rule f#(l_NAME: TYPE) -> TYPE: return HOLE===let u#: TYPE = do f#(v_NAME)"),
    (ALL, "deal state:\n    w#: TYPE = HOLE===let u# = w#"),
    (("0 to 9",), "zone y#: seen by all, up to HOLE cards===move all from y# to heap"),
    (("cards",), "zone y#: seen by all, starts with HOLE===move all from y# to heap"),
    (("0 to 9",), "deal state:\n    w#: HOLE to 20===let u# = w#"),
    (("0 to 9", "-9 to 9999999999"), "deal state:\n    w#: -5 to HOLE===let u# = w#"),
]
# The places that can take chance or a call of a rule.
CHANCE_PLACES = (
    "let u#: TYPE = HOLE", "v_NAME = HOLE", "i_NAME[dealer] = HOLE", "l_NAME = HOLE",
    "let u#: 0 to 2 = HOLE", "if let u# = HOLE: v_range = 1", DECLARATIONS[2][1],
)  # fmt: skip

# Sentences of every kind, and the blocks that can contain them; `BODY` stands for the sentence.
SENTENCES = (
    "let u# = 1", "v_range = 2", "l_range = 2", "do turn", "return", "return 1", "stop", "next",
    "again", "shuffle heap", "draw from stock to row", "move top(heap) from heap to row",
    "move all from row to heap", "swap top(heap) from heap with (first y in row) from row",
    "gather row, hand into heap", "end trick tied", "end deal because over", "end match drawn",
    "reveal row to seats", 'announce 1 as "one" to all', "if v_yes_no: v_range = 1",
    "if v_yes_no: l_range = 1", "for y# in seats: l_range = 1", "repeat 2 times: l_range = 1",
    "reveal v_cards to seats", "for y# in seats: v_range = 1", "repeat 2 times: v_range = 1",
    "deal:\n    end deal because over", "trick on table:\n    end trick tied",
    "setup dealer:\n    dealer = random from seats", 'ask dealer "q#":\n    pass',
)  # fmt: skip
BODIES = (
    "if v_yes_no:\n    BODY", "if v_yes_no: v_range = 1\nelse:\n    BODY",
    "if v_yes_no: v_range = 1\nelse if v_seat == dealer:\n    BODY",
    "for z# in seats:\n    BODY", "repeat 3 times:\n    BODY",
    'ask dealer "p#":\n    take:\n        BODY\n    pass',
    "trick on table:\n    BODY\n    end trick tied", "trick on table:\n    BODY",
    "setup on_lead:\n    BODY\n    on_lead = random from seats", "setup on_lead:\n    BODY",
)  # fmt: skip
IN_RULES = (
    "rule f#:\n    let l_range: 0 to 9 = 1\n    BODY===if v_yes_no: do f#",
    "rule f# -> 0 to 9:\n    let l_range: 0 to 9 = 1\n    BODY===if let g# = do f#: v_range = g#",
    "rule f# -> seat?:\n    let l_range: 0 to 9 = 1\n    BODY\n    return dealer"
    "===if let g# = do f#: v_seat = g#",
    "define e# -> number:\n    let l_range: 0 to 9 = 1\n    BODY\n    return 2===let g# = e#",
    "define e# -> number:\n    let l_range: 0 to 9 = 1\n    BODY===let g# = e#",
    "rule f#:\n    let l_range: 0 to 9 = 1\n    deal:\n        BODY===DEAL f#",
    "rule f#:\n    let l_range: 0 to 9 = 1\n    repeat 2 times:\n        deal:\n"
    "            BODY===DEAL f#",
    'rule f#:\n    let l_range: 0 to 9 = 1\n    ask dealer "p#":\n        take:\n'
    "            deal:\n"
    "                BODY\n        pass===DEAL f#",
    "rule f#:\n    let l_range: 0 to 9 = 1\n    deal:\n        BODY\n"
    "        end deal because over===DEAL f#",
)  # fmt: skip
LEAVING_SENTENCES = ("stop", "next", "again", "end trick tied")
OUTER_BLOCKS = (
    "for o# in seats:\n    INNER", 'ask dealer "o#":\n    take:\n        INNER\n    pass',
    "trick on table:\n    if v_yes_no:\n        INNER\n    end trick tied",
    "if v_yes_no:\n    INNER",
)  # fmt: skip
