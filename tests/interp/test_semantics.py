"""What the language means: a few sentences each, and the digits that they write down.

Seats have the numbers 1 to 4, a card's strength is its text, the stock has 1h on top and 8h at the
bottom (see conftest.py).
"""

from __future__ import annotations

import pytest

from trutdsl.streams import SETUP, Stream, chance_key, deal_start, match_start

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
    "order": ORDER_OF_LOOPS,
    "where": WHERE,
    "repeat": REPEAT,
    "leaving": LEAVING,
    "numbers": NUMBERS,
    "yes and no": YES_AND_NO,
    "quantifiers": QUANTIFIERS,
    "sets": SETS,
    "seats": SEATS,
    "cards": CARDS,
    "names": NAMES,
}
CASES = [
    pytest.param(*case, id=f"{t}: {n}") for t, rows in TABLES.items() for n, case in rows.items()
]


@pytest.mark.parametrize(("body", "log"), CASES)
def test_what_sentences_do(play, body, log):
    declared = "match state:\n    go[seat]: yes_no\n" if "go[" in body else ""
    assert play(body, declared).log == log


# ---------------------------------------------------------------- lifetimes

LASTING = {
    "of_match": "match state:\n    of_match: number\n",
    "of_deal": "deal state:\n    of_deal: number = 5 + 10 * of_match\n",
    "hands": "deal state:\n    hands[seat]: number\n",
    "of_trick": "trick state:\n    of_trick: number = 7\n",
}


def counted(body):
    """Declare the variables that are used, and what they start from."""
    return "".join(
        declared
        for name, declared in LASTING.items()
        if name in body or (name == "of_match" and "of_deal" in body)
    )


@pytest.mark.parametrize(("name", "log"), [("of_match", "1234"), ("of_deal", "6767"),
                                           ("of_trick", "8888")])  # fmt: skip
def test_variables_start_anew_with_what_they_belong_to(play, name, log):
    body = f"""
    repeat 2 times:
        deal:
            repeat 2 times:
                trick on table:
                    {name} += 1
                    do note({name})
                    end trick tied
            end deal because played
    """
    assert play(body, counted(body)).log == log


def test_a_deal_variable_starts_from_what_the_match_holds_then(play):
    body = """
    repeat 2 times:
        of_match += 1
        deal:
            do note(of_deal div 10)
            end deal because played
        of_match += 1
    """
    assert play(body, counted(body)).log == "13"


def test_every_part_of_a_variable_starts_anew(play):
    body = """
    repeat 2 times:
        deal:
            for player in seats: hands[player] += id[player]
            for player in seats: do note(hands[player])
            end deal because played
    """
    assert play(body, counted(body)).log == "12341234"


def test_a_deal_variable_can_be_looked_at_after_its_deal(play):
    body = """
    deal:
        of_deal = 3
        end deal because played
    do note(of_deal)
    """
    assert play(body, counted(body)).log == "3"


def test_cards_lie_where_they_are_from_deal_to_deal(play):
    body = """
    repeat 2 times:
        deal:
            draw from stock to played
            end deal because played
    do note(size(stock))
    """
    assert play(body).log == "6"


# ---------------------------------------------------------------- rules and defines


def test_return_gives_a_value_and_leaves_only_its_own_rule(play):
    declared = """
    rule look(most: number) -> number:
        for n in 1 to 9:
            if n == most: return n
        return 0

    rule twice:
        let found = do look(4)
        do note(found)
        found = do look(7)
        do note(found)
    """
    assert play("do twice\ndo note(9)", declared).log == "479"


def test_a_rule_gets_values_not_variables(play):
    declared = """
    rule grow(n: number):
        n += 5
        do note(n)
    """
    assert play("let n = 1\ndo grow(n)\ndo note(n)", declared).log == "61"


def test_arguments_are_worked_out_from_the_left_before_the_rule(play):
    declared = """
    match state:
        turn: number = 1
    rule show(a: number, b: number):
        turn = 5
        do note(a)
        do note(b)
        do note(turn)
    """
    assert play("do show(turn, turn + 1)", declared).log == "125"


def test_a_define_with_sentences_works_something_out(play):
    declared = """
    define steps(n: number) -> number:
        let left = n
        let count_of_steps = 0
        repeat at most 20 times until left == 1:
            left = left div 2 if left mod 2 == 0 else 3 * left + 1
            count_of_steps += 1
        return count_of_steps
    """
    assert (
        play("do note(steps(3))\ndo note(steps(8))\ndo note(steps(1) + 9)", declared).log == "739"
    )


def test_a_define_is_worked_out_anew_each_time(play):
    declared = "define left: size(stock)\n"
    assert play("do note(left)\ndraw from stock to played\ndo note(left)", declared).log == "87"


# ---------------------------------------------------------------- questions


def test_legal_actions_come_as_written_then_by_index_the_first_choice_slowest(play):
    body = """
    ask next_seat(dealer) "turn":
        pass
        play "a" card from pack_cards when strength(card) == 8 or strength(card) == 2
        give card from pack_cards, other from seats when strength(card) == 4 and id[other] > 2
        bid amount from 2 to 4 "points"
    """
    played = play(body, answers=["pass"])
    assert played.asked == [
        (1, "turn", ["pass", "play a 8h", "play a 2h", "give 4h 2", "give 4h 3", "bid 2 points",
                     "bid 3 points", "bid 4 points"]),
    ]  # fmt: skip


def test_what_is_chosen_is_bound_in_the_options_sentences(play):
    body = """
    ask dealer "turn":
        give card from pack_cards, other from seats:
            do note(strength(card))
            do note(id[other])
    ask dealer "bid":
        bid amount from 2 to 4: do note(amount)
    """
    assert play(body, answers=["give 5h 3", "bid 3"]).log == "543"


def test_a_later_choice_can_rest_on_an_earlier_one(play):
    body = """
    ask dealer "turn":
        pick low from 1 to 3, high from low + 1 to 3:
            do note(low)
            do note(high)
    """
    played = play(body, answers=["pick 1 3"])
    assert played.asked[0][2] == ["pick 1 2", "pick 1 3", "pick 2 3"]
    assert played.log == "13"


def test_again_asks_the_same_question_with_conditions_looked_at_anew(play):
    body = """
    let raised = 0
    ask dealer "turn":
        raise_it when raised < 2:
            raised += 1
            do note(1)
            again
        pass: do note(2)
    do note(3)
    """
    played = play(body, answers=["raise_it", "raise_it", "pass"])
    assert [texts for _, _, texts in played.asked] == [["raise_it", "pass"]] * 2 + [["pass"]]
    assert played.log == "1123"


def test_stop_in_an_option_leaves_the_loop_around_the_question(play):
    body = """
    for player in seats:
        do note(id[player])
        ask player "turn":
            pass
            enough: stop
    """
    played = play(body, answers=["pass", "enough"])
    assert (played.log, [seat for seat, _, _ in played.asked]) == ("12", [0, 1])


def test_return_in_an_option_leaves_the_rule(play):
    declared = """
    rule offer(player) -> yes_no:
        ask player "offer":
            take: return yes
            leave_it
        do note(5)
        return no
    """
    body = """
    let taken = do offer(dealer)
    if taken: do note(1)
    taken = do offer(next_seat(dealer))
    if not taken: do note(2)
    """
    assert play(body, declared, answers=["take", "leave_it"]).log == "152"


def test_words_of_the_language_can_be_options(play):
    body = """
    ask dealer "turn":
        play all
        pass
        end 7
        "two words" when yes
    """
    played = play(body, answers=["play all"])
    assert played.asked[0][2] == ["play all", "pass", "end 7", "two words"]


def test_a_question_without_a_legal_action_is_a_mistake_in_the_rules(play):
    body = 'ask dealer "show":\n    show card from played'
    assert play.error(body) == ("no-option", "seat 0 has no legal action for 'show'")


# ---------------------------------------------------------------- ends


def test_a_deal_is_ended_from_deep_inside(play):
    declared = """
    rule play_trick:
        trick on table:
            for player in seats:
                ask player "turn":
                    pass
                    fold:
                        repeat 3 times:
                            for n in 1 to 3:
                                end deal won by team(next_seat(player)) because folded
            end trick tied

    rule play_deal:
        do play_trick
        do note(1)
        end deal because played
    """
    body = """
    deal:
        do play_deal
    do note(2)
    deal:
        do play_deal
    do note(3)
    """
    played = play(body, declared, answers=["pass", "fold", *["pass"] * 4])
    assert (played.log, played.deals) == ("213", 2)
    ends = [(e["winner"], e["reason"]) for e in played.events if e["event"] == "deal_end"]
    assert ends == [(0, "folded"), (None, "played")]


def test_the_end_of_the_match_ends_a_deal_and_a_trick(play):
    body = """
    deal:
        trick on table:
            for player in seats:
                if id[player] == 2: end match won by team(player)
                do note(id[player])
            end trick tied
        end deal because played
    """
    played = play(body)
    assert (played.log, played.winner, played.deals) == ("1", 1, 1)
    assert [e["event"] for e in played.events] == ["deal", "deal_end", "match_end"]


def test_a_trick_tells_who_won_it_with_the_cards_from_the_leader_on(play):
    body = """
    deal:
        on_lead = next_seat(dealer)
        trick on table:
            for player in seats from on_lead: draw from stock to table[player]
            end trick won by dealer
        end deal won by team(dealer) because played
    """
    trick = next(e for e in play(body).events if e["event"] == "trick")
    assert trick["cards"] == [[1, "1h"], [2, "2h"], [3, "3h"], [0, "4h"]]
    assert (trick["leader"], trick["winner"], trick["team"]) == (1, 0, 0)


def test_a_match_without_deal_or_question_ends_at_once(play):
    played = play("do note(1)")
    assert (played.log, played.deals, played.asked, played.winner) == ("1", 0, [], None)


# ---------------------------------------------------------------- bounds


@pytest.mark.parametrize(("body", "expected"), {
    "too many cards": (
        "repeat 3 times: draw from stock to little",
        ("out-of-range", "'little' holds at most 2 cards"),
    ),
    "too many at once": (
        "move all from stock to little",
        ("out-of-range", "'little' holds at most 2 cards"),
    ),
    "above a variable's bounds": (
        "small = 4",
        ("out-of-range", "'small' would be 4, but is from 1 to 3"),
    ),
    "below a variable's bounds": (
        "small -= 2",
        ("out-of-range", "'small' would be 0, but is from 1 to 3"),
    ),
    "a counter below 0": (
        "points[team(dealer)] -= 1",
        ("out-of-range", "'points' would be -1, but is from 0 to 1000000"),
    ),
    "drawing from nothing": ("draw from played to stock", ("no-card", "'played' is empty")),
    "moving what is not there": (
        "move top(stock) from played to little",
        ("no-card", "1h does not lie in 'played'"),
    ),
}.items(), ids=lambda v: v if isinstance(v, str) else "")  # fmt: skip
def test_what_cannot_be_is_a_mistake_in_the_rules(play, body, expected):
    sentences, error = expected
    declared = """
    zone little: up to 2 cards, seen by all
    match state:
        small: 1 to 3 = 2
    """
    head = "counters: {points: {help: Points.}}\n"
    used = "if small == 9 or size(little) == 9: do note(1)\n"
    assert play.error(used + sentences, declared, head=head) == error, body


def test_a_variable_with_bounds_above_0_starts_at_the_lower_one(play):
    assert play("do note(small)", "match state:\n    small: 3 to 5\n").log == "3"


# ---------------------------------------------------------------- chance


def stream_of(seed, match, part):
    """Return the chance stream of a part of a match, in which seat 0 deals."""
    return Stream(deal_start(match_start(chance_key(seed), match), part))


def drawn(stream, cards, count):
    """Return what is drawn from a shuffled pile of these cards, given in ascending order."""
    left = list(cards)
    return [left.pop(stream.below(len(left))) for _ in range(count)]


def test_each_draw_from_a_shuffled_pile_takes_one_of_its_cards_by_index(play):
    body = "shuffle stock\nrepeat 8 times: draw from stock to played\n" \
           "for card in played: do note(strength(card))"  # fmt: skip
    for seed, match in [(1, 0), (1, 1), (2, 0), (2**64 - 1, 7), (2**128 - 1, 7), (2**64, 7)]:
        order = drawn(stream_of(seed, match, SETUP), range(8), 8)
        log = play(body, seed=seed, match=match).log
        assert log == "".join(str(8 - card) for card in order)


def test_every_deal_has_a_chance_stream_of_its_own(play):
    body = """
    shuffle stock
    repeat 2 times:
        deal:
            gather played, table into stock
            shuffle stock
            repeat 3 times: draw from stock to played
            repeat 5 times: draw from stock to table[dealer]
            for card in played: do note(strength(card))
            end deal because played
    """
    expected = [8 - c for d in (1, 2) for c in drawn(stream_of(5, 3, d), range(8), 3)]
    assert play(body, seed=5, match=3).log == "".join(map(str, expected))


def test_the_stream_of_a_deal_goes_on_after_it(play):
    body = """
    deal:
        let first_roll = roll 1 to 9
        do note(first_roll)
        end deal because played
    let second_roll = roll 1 to 9
    do note(second_roll)
    """
    stream = stream_of(4, 0, 1)
    assert play(body, seed=4).log == f"{1 + stream.below(9)}{1 + stream.below(9)}"


def test_dice_elements_and_chances_are_drawn_as_the_stream_says(play):
    body = """
    let eyes = roll 2 to 7
    do note(eyes)
    let player = random from seats - dealer
    do note(id[player])
    let card = random from stock
    do note(strength(card))
    let lucky = chance 1 out of 3
    do note(1 if lucky else 2)
    lucky = chance luck
    do note(1 if lucky else 2)
    """
    head = "parameters: {luck: {type: probability, default: 0.25, help: Luck.}}\n"
    for seed in range(6):
        stream = stream_of(seed, 0, SETUP)
        expected = [2 + stream.below(6), 2 + stream.below(3), 8 - stream.below(8),
                    1 if stream.below(3) < 1 else 2,
                    1 if stream.below(10**6) < 250_000 else 2]  # fmt: skip
        played = play(body, head=head, seed=seed)
        assert played.log == "".join(map(str, expected))
        told = [e["what"] for e in played.events if e["event"] == "random"]
        assert told == ["die", "seat", "card", "chance", "chance"]


def test_certain_and_impossible_chances(play):
    body = """
    for n in 0 to 3:
        let lucky = chance n * n div 9 out of 1
        do note(1 if lucky else 2)
    """
    assert play(body).log == "2221"


def test_a_setup_is_done_in_its_place(play):
    body = """
    do note(1)
    setup dealer:
        dealer = next_seat(dealer)
        do note(id[dealer])
    do note(3)
    """
    assert play(body).log == "123"


# ---------------------------------------------------------------- cards of a kind


def test_cards_have_a_rank_a_suit_and_the_numbers_printed_on_them(play):
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
