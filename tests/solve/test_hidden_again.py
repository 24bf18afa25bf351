"""What is seen and hidden again: seats remember it, so such deals are not solved."""

from collections import Counter
from contextlib import nullcontext
from fractions import Fraction
from itertools import permutations
from textwrap import indent

import pytest

from trutdsl import load_game
from trutdsl.diagnostics import BadUsage
from trutdsl.ir import nodes
from trutdsl.ir.nodes import walk
from trutdsl.solve.equilibrium import solve_deal
from trutdsl.solve.hidden_again import can_come_back, check_remembered
from trutdsl.solve.trees import MatchTrees, TreeEnumerator

GAME = """\
variant: burn
title: Burn
players: [2]
teams: {2: 2}
pack: {suits: {s: spades}, ranks: [A, K, Q, J]}
counters: {points: {help: One wins.}}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 4 cards, seen by owner
  zone kept[seat]: up to 4 cards, seen by owner
  zone table[seat]: up to 1 card, seen by all
  zone shown: up to 4 cards, seen by all
  zone burnt: pile, seen by nobody

  rule match:
      for c in pack_cards:
          do turn
          do burn
          do lay(dealer, c)
      repeat at most 10000 times:
          deal:
              gather hand, kept, table, shown, burnt into stock
              shuffle stock
              for p in seats: draw from stock to hand[p]
              do middle
              ask dealer "last":
                  one: do win(dealer)
                  two: do win(next_seat(dealer))

  rule win(p):
      points[team(p)] += 1
      end match won by team(p)

  rule middle:
"""
TURN = "draw from stock to shown\n"
BURN = "move top(shown) from shown to burnt\n"
HIDDEN = [
    TURN + BURN,
    "draw from stock to hand[dealer] face up",
    TURN + "gather shown into burnt",
    TURN + "move all from shown to burnt",
    TURN + "swap top(shown) from shown with top(stock) from stock",
    "reveal hand[dealer] to seats\nmove top(hand[dealer]) from hand[dealer] to burnt",
    "draw from stock to burnt\nreveal burnt to seats\nmove all from burnt to stock",
    TURN + "reveal burnt to {dealer}\n" + BURN,
    TURN + "reveal hand[dealer] to {dealer}\nmove top(shown) from shown to hand[dealer]",
    TURN + "if points[team(dealer)] > 0: reveal burnt to seats\n" + BURN,
    "do turn\ndo burn",
    TURN + "repeat 2 times:\n    " + BURN + "    stop",
    TURN + 'ask dealer "some":\n    pass\n    burn: ' + BURN,
    'ask dealer "some":\n    turn:\n        '
    + TURN
    + "        again\n    burn: gather shown into burnt",
    # The answer is known to one seat only, but both saw the card.
    TURN + 'ask dealer "some" seen by owner:\n    burn card from shown: move openly(card) to burnt',
    "trick on table:\n    for p in seats: move top(hand[p]) from hand[p] to table[p]\n"
    "    gather table into burnt\n    end trick tied",
]
SEEN = [
    "",
    TURN + "reveal burnt to seats\n" + BURN,
    TURN,
    TURN + "draw from stock to burnt",
    TURN + "if points[team(dealer)] > 0:\n    " + BURN + "    end match drawn",
    'ask dealer "some":\n    card from hand[dealer]: move card to shown\n' + BURN,
    'ask dealer "some":\n    card from hand[dealer]: do lay(dealer, card)\ngather table into burnt',
    'ask dealer "some" seen by owner:\n    card from hand[dealer]: move card to burnt',
    'ask dealer "some" seen by owner:\n    put them from 1 cards of hand[dealer]:\n'
    "        for c in them: move c from hand[dealer] to burnt",
    "for p in seats: move all from hand[p] to kept[p]",
    TURN + "if players > 2:\n    " + BURN,
    TURN + "if players == 2: draw from stock to burnt\nelse:\n    " + BURN,
    TURN + "repeat 2 times:\n    do win(dealer)\n" + BURN,
    TURN + "draw from stock to burnt\ndraw from burnt to shown",  # none had seen the cards
    TURN + "draw from stock to table[dealer]\nmove all from table[dealer] to shown\n"
    "move all from shown to table[dealer]",
]


MORE = """
  rule turn: draw from stock to shown
  rule burn: move top(shown) from shown to burnt
  rule lay(p, c: card): move c from hand[p] to table[p]
"""


def middle(text, folder, game=GAME):
    body = "\n".join(" " * 6 + line for line in (text or "return").splitlines())
    (folder / "burn.yaml").write_text(game + body + MORE)
    game = load_game(folder / "burn.yaml", 2)
    asks = {
        a.span
        for r in game.program.rules.values()
        for a in walk(r.body)
        if isinstance(a, nodes.Ask)
    }
    return game.program, game.setting, asks


@pytest.mark.parametrize("text", HIDDEN)
def test_cards_that_are_hidden_again_are_refused(text, tmp_path):
    with pytest.raises(BadUsage, match=r"cards in '\w+' are seen, and hidden again"):
        check_remembered(*middle(text, tmp_path))


@pytest.mark.parametrize("text", SEEN)
def test_cards_that_seats_still_see_or_know_from_an_answer_are_not(text, tmp_path):
    check_remembered(*middle(text, tmp_path))


@pytest.mark.parametrize(
    ("test", "is_refused"),
    [
        ("turned < most", False),
        ("most > turned", False),
        ("turned >= 0 and turned > 3 + most", False),
        ("not turned <= 3 + most", False),
        ("turned <= most", True),
        ("turned == most + 1", True),
        ("turned < most + 1", True),
    ],
)
def test_no_way_leads_through_a_test_that_the_bounds_of_a_variable_rule_out(
    tmp_path, test, is_refused
):
    state = "rules: |\n  deal state:\n      turned: 0 to 3\n"
    most = "parameters: {most: {type: integer, min: 0, max: 3, default: 0, help: Turned.}}\n"
    text = f"{TURN}if {test}:\n    turned += 1\n    {BURN}"
    arguments = middle(text, tmp_path, GAME.replace("rules: |\n", most + state))
    with pytest.raises(BadUsage) if is_refused else nullcontext():
        check_remembered(*arguments)


# ---------------------------------------------------------------- cards that come back


def maybe(text):
    return f"if points[team(dealer)] > 0:\n{indent(text, '    ')}"


THROW = 'ask dealer "some" seen by owner:\n    card from hand[dealer]: move card to {}\n'
BACK = THROW.format("stock") + "shuffle stock\n"
PUT_UNDER = "move all from burnt to stock\nshuffle stock\n"
RETURNING = [
    BACK + "draw from stock to hand[dealer]",
    BACK + "draw from stock to burnt face up",
    BACK + "move all from stock to burnt\ndraw from burnt to shown",
    BACK + "reveal stock to seats",
    maybe(BACK) + "draw from stock to shown",
    THROW.format("burnt") + PUT_UNDER + TURN,
    TURN + 'ask dealer "some":\n    take card from shown: move card to hand[dealer]\n'
    "reveal hand[dealer] to seats",
]
GONE = [
    BACK,
    BACK + "draw from stock to burnt",
    THROW.format("burnt") + TURN,
    THROW.format("kept[dealer]") + "move all from kept[dealer] to hand[dealer]",
    TURN + 'ask dealer "some":\n    take card from shown: move card to hand[dealer]',
    "draw from stock to burnt\n" + PUT_UNDER + TURN,
]


@pytest.mark.parametrize("text", RETURNING)
def test_cards_that_were_seen_can_come_back(text, tmp_path):
    assert can_come_back(*middle(text, tmp_path)[:2])


@pytest.mark.parametrize("text", GONE)
def test_cards_that_stay_hidden_or_are_seen_by_nobody_before_do_not(text, tmp_path):
    assert not can_come_back(*middle(text, tmp_path)[:2])


@pytest.mark.parametrize(
    ("shown", "put"), [(TURN, PUT_UNDER), (maybe(TURN), PUT_UNDER), (TURN, maybe(PUT_UNDER))]
)
def test_cards_of_one_zone_from_a_changed_pile_are_refused(shown, put, tmp_path):
    text = THROW.format("burnt") + shown + put + TURN
    with pytest.raises(BadUsage, match="before and after others come into 'stock'"):
        check_remembered(*middle(text, tmp_path))
    check_remembered(*middle(text.replace(shown, "", 1), tmp_path))


RETURN = """\
variant: return
title: Return
players: [2]
teams: {2: 2}
pack: {suits: {a: acorns, b: bells}, ranks: [K, Q, J]}
counters: {points: {help: Points.}}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 2 cards, seen by owner
  zone table: up to 1 card, seen by all

  rule match:
      repeat at most 10000 times:
          deal:
              gather hand, table into stock
              shuffle stock
              for p in seats: draw from stock to hand[p]
              do give_back(next_seat(dealer))
              shuffle stock
              draw from stock to hand[dealer]
              do show
              do guess(next_seat(dealer))

  rule give_back(p):
      ask p "return" seen by owner:
          give card from hand[p]: move card to stock

  rule show:
      let card = random from hand[dealer]
      move card from hand[dealer] to table

  rule guess(p):
      ask p "guess":
          guess r from ranks: do settle(p, r)

  rule settle(p, r: rank):
      if openly(any c in hand[dealer] has rank(c) == r):
          points[team(p)] += 5 if r == "K" else 1
          end deal won by team(p) because right
      points[team(dealer)] += 1
      end deal won by team(dealer) because wrong
"""


def test_players_know_a_card_again_that_comes_back(tmp_path):
    """The play of the seat that guesses is compared with an enumeration of all cases."""
    (tmp_path / "return.yaml").write_text(RETURN)
    found = solve_one(tmp_path / "return.yaml", 1)
    cases = Counter()
    for given, kept in permutations(range(6), 2):
        for drawn in {*range(6)} - {kept}:
            for shown, hidden in permutations((kept, drawn)):
                cases[given, shown, hidden // 2] += Fraction(1, 30 * 5 * 2)
    value = Fraction(0)
    for place in {case[:2] for case in cases}:
        chances = [cases[*place, rank] for rank in range(3)]
        value += max((1 + (5, 1, 1)[rank]) * chances[rank] for rank in range(3)) - sum(chances)
    sets = sum(len(seat.keys) for seat in found.tree.seats)
    assert sets == len({case[:2] for case in cases}) == 36
    assert abs(found.value + value) < 1e-9


def test_players_remember_which_of_two_cards_came_from_a_changed_pile(tmp_path):
    chosen = """ask dealer "show":
          show card from hand[dealer]: move card to table
"""
    old = RETURN[RETURN.index("let card") : RETURN.index("\n  rule guess")]
    (tmp_path / "return.yaml").write_text(RETURN.replace(old, chosen))
    with pytest.raises(BadUsage, match="no longer sees what it saw"):
        solve_one(tmp_path / "return.yaml", 1)


# ---------------------------------------------------------------- what all seats saw

COIN = """\
variant: coin
title: Coin
players: [2]
teams: {2: 2}
pack: {suits: {a: acorns}, ranks: [K, Q]}
counters: {points: {help: Points.}, tosses: {help: Heads so far.}}
rules: |
  zone stock: pile, starts with pack_cards
  zone burnt: pile
  deal state:
      coin: 0 to 1, seen by nobody
      shown: 0 to 2

  rule match:
      repeat at most 10000 times:
          deal:
              gather burnt into stock
              shuffle stock
              let lucky = chance 1 out of 2
              coin = 1 if lucky else 0
              let other = dealer
              SHOW
              ask other "wait":
                  wait
              HIDE
              ask next_seat(dealer) "guess":
                  guess n from 0 to 1:
                      let side = team(next_seat(dealer) if openly(coin == n) else dealer)
                      points[side] += 1
                      end deal won by side because guessed
"""
FORGOTTEN = [
    ("on_lead = dealer if lucky else next_seat(dealer)", "on_lead = dealer"),
    ("if lucky: dealer = next_seat(other)", "dealer = other"),
    ("if lucky: draw from stock to burnt", "move all from burnt to stock"),
    ("if lucky: tosses[team(dealer)] += 1", "tosses[team(dealer)] = 0"),
    ("draw from stock to burnt\n              shown = openly(strength(top(burnt)))", "shown = 0"),
]
REMEMBERED = [
    ("on_lead = dealer if lucky else next_seat(dealer)", "shuffle stock"),
    ("if lucky: draw from stock to burnt", "draw from stock to burnt"),
    ("shown = openly(coin)", "shuffle stock"),
    ("if lucky: tosses[team(dealer)] += 1", "shuffle stock"),
]


def solve_one(path, iterations):
    return solve_deal(TreeEnumerator(load_game(path, 2), alone=True), {"points": 1}, iterations)


def coin(show, hide):
    game = COIN.replace("SHOW", show).replace("HIDE", hide)
    return game if "shown" in show else game.replace("      shown: 0 to 2\n", "")


def solve_coin(show, hide, folder):
    (folder / "coin.yaml").write_text(coin(show, hide))
    return solve_one(folder / "coin.yaml", 10)


@pytest.mark.parametrize(("show", "hide"), FORGOTTEN)
def test_seats_do_not_forget_what_all_saw_at_a_question(show, hide, tmp_path):
    with pytest.raises(BadUsage, match=r"no longer sees what it saw|is seen, and replaced"):
        solve_coin(show, hide, tmp_path)


@pytest.mark.parametrize(("show", "hide"), REMEMBERED)
def test_who_still_sees_the_coin_guesses_it(show, hide, tmp_path):
    """Also if it shows only in a counter that lasts longer than the deal."""
    assert solve_coin(show, hide, tmp_path).value == -1


def test_a_score_that_seats_see_change_is_no_part_of_a_deal_in_a_match(tmp_path):
    """Its information sets are those of all scores. A single deal has the change in them."""
    show, hide = REMEMBERED[-1]
    (tmp_path / "coin.yaml").write_text(coin(show, hide))
    with pytest.raises(BadUsage, match="the score can change before a question"):
        MatchTrees(load_game(tmp_path / "coin.yaml", 2))


# ---------------------------------------------------------------- values of variables

STATE = """\
  deal state:
      low: 0 to 9
      die[seat]: 0 to 9, seen by owner
      secret: 0 to 9, seen by nobody

  trick state:
      opened: 0 to 9

  rule throw(p): die[p] = roll 1 to 6
  rule luck:
      let lucky = chance 1 out of 2
      if lucky: return
      low = 1
  rule high -> number: return roll 1 to 6

  rule match:
"""
ROLL = "low = roll 1 to 6\n"
USES = """
      for p in seats: do throw(p)
      do luck
      secret = do high
      trick on table:
          opened = 1
          end trick tied
      end match drawn
"""
TRICK = """\
trick on table:
    let lucky = chance 1 out of 2
    if lucky: {}
    {}
"""
END = "end trick tied"
FINISH = """
  rule finish:
      let lucky = chance 1 out of 2
      if lucky: end trick tied
      low = 1
"""
REPLACED = [
    ROLL + "low = 0",
    ROLL + "low += 1",
    ROLL + ROLL,
    "repeat 2 times: low = do high",
    "low = openly(strength(top(hand[dealer])))\nlow = 0",
    "let x = roll 1 to 6\nlow = x + 1\nlow = 0",
    "secret = roll 1 to 6\nreveal secret to seats\nsecret = 0",
    "for p in seats:\n    do throw(p)\n    do throw(p)",
    "for p in seats: do throw(dealer)",
    "repeat 2 times:\n    for p in seats: do throw(p)",
    "let p = dealer\nrepeat 2 times:\n    do throw(p)\n    p = next_seat(p)\n    do throw(dealer)",
    "do throw(dealer)\ndealer = next_seat(dealer)\ndo throw(next_seat(dealer))",
    "let p = next_seat(dealer)\ndealer = p\ndo throw(p)\ndo throw(dealer)",
    "for p in seats: do throw(p)\ndo throw(dealer)",
    "let lucky = chance 1 out of 2\nif lucky: low = 1\nelse: low = 2\nlow = 3",
    "do luck\nlow = 2",
    "repeat 2 times:\n    trick on table:\n        opened = roll 1 to 6\n        end trick tied",
    'ask dealer "some" seen by owner:\n    bid n from 1 to 3 openly: low = n\n    pass openly\n'
    "low = roll 1 to 6\nlow = 2",
    TRICK.format("low = 0", "do finish\n    " + END) + "low = 2",
    TRICK.format(END, "low = 1\n    " + END) + "low = 2",
]
KEPT = [
    ROLL,
    TRICK.format(END, END) + "low = 1\nlow = 2",
    "low = 0\n" + ROLL,
    ROLL + "die[dealer] = 0",
    "for p in seats: do throw(p)",
    "do throw(dealer)\ndo throw(next_seat(dealer))",
    "secret = roll 1 to 6\nsecret = roll 1 to 6\nlow = 1\nlow = 2",
    'ask dealer "some":\n    bid n from 1 to 3: low = n\nlow = low + 1',
    ROLL + "if points[team(dealer)] > 0:\n    low = 0\n    end match drawn",
]


def values(text, folder):
    rules = GAME.replace("  rule match:\n", STATE)
    rules = rules.replace("  rule win(p):", f"  rule never:{USES}\n  rule win(p):")
    rules = rules.replace("deal:\n", "deal:\n              if players > 2: do never\n")
    body = "\n".join(" " * 6 + line for line in text.splitlines())
    more = MORE + FINISH * ("do finish" in text)
    (folder / "burn.yaml").write_text(rules + body + more)
    game = load_game(folder / "burn.yaml", 2)
    parts = (a for r in game.program.rules.values() for a in walk(r.body))
    return game.program, game.setting, {a.span for a in parts if isinstance(a, nodes.Ask)}


@pytest.mark.parametrize("text", REPLACED)
def test_values_from_chance_that_are_replaced_are_refused(text, tmp_path):
    with pytest.raises(BadUsage, match=r"a value of '\w+' that may come from chance"):
        check_remembered(*values(text, tmp_path))


@pytest.mark.parametrize("text", KEPT)
def test_other_values_may_be_replaced(text, tmp_path):
    check_remembered(*values(text, tmp_path))
