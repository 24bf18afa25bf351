"""What habits cost, if several answers are equally good."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.solve.plain_kuhn import KUHN
from trutdsl import load_game
from trutdsl.solve.exploit import exploit_deal
from trutdsl.solve.trees import ExampleTrees
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.script import table_with


def habits_of(variant, points, script="uniform"):
    """Return what each habit of a script costs in a deal for points."""
    game = load_game(variant, 2, (), "native")
    table, names = table_with(game, load_strategies((script,), game))
    (found,) = exploit_deal(table, names, points, {})
    return {(habit.decision, habit.situation_text()): habit.costs for habit in found.habits}


def test_costs_do_not_depend_on_the_order_of_equally_good_answers(tmp_path):
    """With K the dealer gains as much by a check as by a bet. After each, uniform may slip."""
    text = Path(KUHN).read_text()
    swapped = re.sub(r"( +check: .*\n)( +bet: .*\n)", r"\2\1", text)
    swapped = re.sub(r"( +call: .*\n)( +fold: .*\n)", r"\2\1", swapped)
    assert swapped.count("bet: ") == swapped.count("check: ") == 2
    (tmp_path / "swapped.yaml").write_text(swapped.replace("kuhn-poker", "swapped"))
    habits, others = (
        habits_of(KUHN, {"chips": 1}),
        habits_of(tmp_path / "swapped.yaml", {"chips": 1}),
    )
    assert habits == pytest.approx(others, abs=1e-12)
    # The dealer has K in 1/6 of the deals with Q, on one of two seats, and checks half of the time.
    # A bet, with chance 1/2, then loses one chip more.
    assert habits["speak", "hand (own) Qs"] == pytest.approx(1 / 6 / 2 / 2 / 2, abs=1e-12)


ROUNDED = """\
variant: rounded
title: Rounded
players: [2]
teams: {2: 2}
pack: {suits: {s: spades}, ranks: [K, Q]}
counters: {points: {help: Two win.}}
rules: |
  deal state:
      picked: 0 to 2
      mistake: 0 to 1

  rule match:
      repeat at most 100000 times:
          deal:
              ask dealer "pick":
                  left: picked = 1
                  right: picked = 2
              ask next_seat(dealer) "reply":
                  good: mistake = 0
                  bad: mistake = 1
              let tenth = roll 1 to 10
              let twentieth = roll 1 to 20
              points[team(dealer)] += mistake
              if picked == 1: points[team(dealer)] += 1 if tenth <= 3 else 0
              if picked == 2: points[team(dealer)] += 1 if twentieth <= 6 else 0
              end deal because over
          for side in teams where points[side] >= 2: end match won by side
          dealer = next_seat(dealer)
"""


def test_gains_that_differ_by_rounding_are_equally_good(tmp_path):
    """The sums of 3 tenths and of 6 twentieths differ as floats."""
    (tmp_path / "rounded.yaml").write_text(ROUNDED)
    costs = habits_of(tmp_path / "rounded.yaml", {"points": 1})
    assert costs == pytest.approx(
        {("reply", f"picked = {picked}"): 1 / 8 for picked in (1, 2)}, abs=1e-12
    )


TWO_SLIPS = """\
variant: two-slips
title: Two slips
players: [2]
teams: {2: 2}
pack: {suits: {s: spades}, ranks: [K, Q]}
counters: {points: {help: Four win.}}
rules: |
  deal state:
      hidden[seat]: yes_no, seen by owner
      guess: 0 to 2

  rule match:
      repeat at most 100000 times:
          deal:
              ask dealer "hide" seen by owner:
                  coin: hidden[dealer] = yes
                  none: hidden[dealer] = no
              ask next_seat(dealer) "guess":
                  coin: guess = 1
                  none: guess = 2
              ask dealer "bet":
                  low: points[team(dealer)] += 1
                  high: do settle
              end deal because over
          for side in teams where points[side] >= 4: end match won by side
          dealer = next_seat(dealer)

  rule settle "A high bet fails only if both say that there is no coin.":
      if openly(hidden[dealer] or guess == 1): points[team(dealer)] += 2
"""


def test_two_slips_decide_if_one_does_not(tmp_path):
    """To guess that there is no coin is better only if the dealer hides none and bets high."""
    (tmp_path / "two-slips.yaml").write_text(TWO_SLIPS)
    (tmp_path / "timid.strategy").write_text(
        'strategy timid "Hides the coin and bets low.":\n    on hide: coin\n    on bet: low\n'
        "    otherwise: any\n"
    )
    costs = habits_of(tmp_path / "two-slips.yaml", {"points": 1}, str(tmp_path / "timid.strategy"))
    assert costs == pytest.approx({("bet", "hidden (own) = yes; guess = 2"): 1 / 2}, abs=1e-12)


def test_slips_decide_only_between_equally_good_answers():
    deals = ExampleTrees(load_game(KUHN, 2, (), "native"), alone=True)
    tree, _ = deals.points_at(next(iter(deals.first_scores())), {"chips": 1})
    seat = tree.seats[0]
    one, other = np.eye(seat.sequences)[1:3]  # two answers to a question
    for gain, wanted in ((0.0, [0, 1]), (1e-9, [1, 0])):
        worths = gain * one, other
        mean = seat.mean_best_response(*((worth, worth) for worth in worths))
        assert seat.best_response(*worths)[1][1:3].tolist() == mean[1:3].tolist() == wanted
