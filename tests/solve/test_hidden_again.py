"""Cards that are seen and hidden again: seats remember them, so such deals are not solved."""

import pytest

from trutdsl import load_game
from trutdsl.diagnostics import BadUsage
from trutdsl.ir import nodes
from trutdsl.ir.nodes import walk
from trutdsl.solve.hidden_again import check_remembered_cards

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
        check_remembered_cards(*middle(text, tmp_path))


@pytest.mark.parametrize("text", SEEN)
def test_cards_that_seats_still_see_or_know_from_an_answer_are_not(text, tmp_path):
    check_remembered_cards(*middle(text, tmp_path))
