"""State that lasts between deals: rules that remember more than a score are refused."""

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


def evaluate_coin(folder, body, state=""):
    (folder / "coin.yaml").write_text(GAME % (state, body))
    game = load_game(folder / "coin.yaml", 2, (), "native")
    return evaluate(game, ("uniform", "uniform"))


def test_the_unchanged_game_is_evaluated(tmp_path):
    # The length has a negative binomial distribution with at most five deals.
    found = evaluate_coin(tmp_path, LOOP)
    assert found.lengths == pytest.approx([0, 0, 0, 1 / 4, 3 / 8, 3 / 8])
    assert found.scores == 9


BEFORE = "      let goal = 3\n" + LOOP.replace("points[side] >= 3", "points[side] >= goal")
COUNTED_LOOP = LOOP.replace("100000", "7") + "      end match drawn\n"
BY_SEAT = LOOP.replace("repeat at most 100000 times", "for player in seats") + COUNTED_LOOP
TWO_DEALS = "      deal:\n          do play_deal\n" + LOOP


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (BEFORE, "a rule remembers something from deal to deal"),
        (COUNTED_LOOP, "a loop counts the deals"),
        (BY_SEAT, "a loop counts the deals|more than one place"),
        (TWO_DEALS, "this game deals in more than one place"),
    ],
)
def test_rules_that_remember_more_than_the_score_are_refused(body, reason, tmp_path):
    with pytest.raises(BadUsage, match=reason):
        evaluate_coin(tmp_path, body)


def test_a_variable_that_lasts_is_part_of_the_score(tmp_path):
    # The dealer never changes, and gets a point for the first deal.
    state = "  match state:\n      fresh: yes_no = yes\n"
    body = LOOP.replace(
        "              do play_deal\n",
        "              do play_deal\n"
        "          if fresh: points[team(dealer)] += 1\n"
        "          fresh = no\n",
    )
    found = evaluate_coin(tmp_path, body, state)
    assert found.scores > 5
    assert found.deals_per_match < 4


def test_cards_that_last_are_refused(tmp_path):
    state = "  match state:\n      kept: card?\n"
    body = LOOP.replace("          deal:", "          kept = none\n          deal:")
    with pytest.raises(BadUsage, match="'kept' keeps cards"):
        evaluate_coin(tmp_path, body, state)
