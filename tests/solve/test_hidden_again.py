"""What is seen and hidden again: seats remember it, so such deals are not solved."""

import pytest

from trutdsl import load_game
from trutdsl.diagnostics import BadUsage
from trutdsl.ir import nodes
from trutdsl.ir.nodes import walk
from trutdsl.solve.hidden_again import check_remembered

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
    TURN,
    TURN + "draw from stock to burnt",
    TURN + "if points[team(dealer)] > 0:\n    " + BURN + "    end match drawn",
    'ask dealer "some":\n    card from hand[dealer]: move card to shown\n' + BURN,
    'ask dealer "some":\n    card from hand[dealer]: do lay(dealer, card)\ngather table into burnt',
    'ask dealer "some" seen by owner:\n    card from hand[dealer]: move card to burnt',
    'ask dealer "some" seen by owner:\n    put them from 1 cards of hand[dealer]:\n'
    "        for c in them: move c from hand[dealer] to burnt",
    "for p in seats: move all from hand[p] to kept[p]",
    TURN + "repeat 2 times:\n    do win(dealer)\n" + BURN,
]


MORE = """
  rule turn: draw from stock to shown
  rule burn: move top(shown) from shown to burnt
  rule lay(p, c: card): move c from hand[p] to table[p]
"""


def middle(text, folder):
    body = "\n".join(" " * 6 + line for line in (text or "return").splitlines())
    (folder / "burn.yaml").write_text(GAME + body + MORE)
    program = load_game(folder / "burn.yaml", 2).program
    asks = {
        a.span for r in program.rules.values() for a in walk(r.body) if isinstance(a, nodes.Ask)
    }
    return program, asks


@pytest.mark.parametrize("text", HIDDEN)
def test_cards_that_are_hidden_again_are_refused(text, tmp_path):
    with pytest.raises(BadUsage, match=r"cards in '\w+' are seen, and hidden again"):
        check_remembered(*middle(text, tmp_path))


@pytest.mark.parametrize("text", SEEN)
def test_cards_that_seats_still_see_or_know_from_an_answer_are_not(text, tmp_path):
    check_remembered(*middle(text, tmp_path))


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
REPLACED = [
    ROLL + "low = 0",
    ROLL + "low += 1",
    ROLL + ROLL,
    "repeat 2 times: low = do high",
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
]
KEPT = [
    ROLL,
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
    (folder / "burn.yaml").write_text(rules + body + MORE)
    program = load_game(folder / "burn.yaml", 2).program
    parts = (a for r in program.rules.values() for a in walk(r.body))
    return program, {a.span for a in parts if isinstance(a, nodes.Ask)}


@pytest.mark.parametrize("text", REPLACED)
def test_values_from_chance_that_are_replaced_are_refused(text, tmp_path):
    with pytest.raises(BadUsage, match=r"a value of '\w+' that may come from chance"):
        check_remembered(*values(text, tmp_path))


@pytest.mark.parametrize("text", KEPT)
def test_other_values_may_be_replaced(text, tmp_path):
    check_remembered(*values(text, tmp_path))
