"""What may last from deal to deal: rules that remember more are refused, with their place."""

import pytest

from trutdsl import load_game
from trutdsl.diagnostics import BadUsage
from trutdsl.solve.exact import evaluate

GAME = """\
variant: coin
title: Coin
players: [2]
teams: {2: 2}
pack: {suits: {s: spades}, ranks: [K, Q, J]}
counters:
  points: {help: Deals won.}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
%s
  rule match "Three points win.":
%s

  rule play_deal "Who turns the higher card has a point.":
      shuffle stock
      ask dealer "nothing":
          pass
      let winner = random from seats
      points[team(winner)] += 1
      end deal won by team(winner) because played
"""
LOOP = """\
      repeat at most 100000 times:
          deal:
              do play_deal
          for side in teams where points[side] >= 3: end match won by side
"""


def played(folder, body, state=""):
    (folder / "coin.yaml").write_text(GAME % (state, body))
    game = load_game(folder / "coin.yaml", 2, (), "native")
    return evaluate(game, ("uniform", "uniform"))


def test_the_game_as_it_stands(tmp_path):
    # Of at most five deals: a negative binomial distribution.
    found = played(tmp_path, LOOP)
    assert found.lengths == pytest.approx([0, 0, 0, 1 / 4, 3 / 8, 3 / 8])
    assert found.scores == 9


BEFORE = "      let goal = 3\n" + LOOP.replace("points[side] >= 3", "points[side] >= goal")
COUNTED = LOOP.replace("100000", "7") + "      end match drawn\n"
BY_SEAT = LOOP.replace("repeat at most 100000 times", "for player in seats") + COUNTED
TWO = "      deal:\n          do play_deal\n" + LOOP


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (BEFORE, "a rule remembers something from deal to deal"),
        (COUNTED, "a loop counts the deals"),
        (BY_SEAT, "a loop counts the deals|more than one place"),
        (TWO, "this game deals in more than one place"),
    ],
)
def test_rules_that_remember_are_refused(body, reason, tmp_path):
    with pytest.raises(BadUsage, match=reason):
        played(tmp_path, body)


def test_a_variable_that_lasts_is_part_of_the_score(tmp_path):
    # The dealer, who never changes, has a point for the first deal.
    state = "  match state:\n      fresh: yes_no = yes\n"
    body = LOOP.replace(
        "              do play_deal\n",
        "              do play_deal\n"
        "          if fresh: points[team(dealer)] += 1\n"
        "          fresh = no\n",
    )
    found = played(tmp_path, body, state)
    assert found.scores > 5
    assert found.deals_per_match < 4


def test_cards_that_last_are_refused(tmp_path):
    state = "  match state:\n      kept: card?\n"
    body = LOOP.replace("          deal:", "          kept = none\n          deal:")
    with pytest.raises(BadUsage, match="'kept' keeps cards"):
        played(tmp_path, body, state)
