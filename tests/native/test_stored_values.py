"""Values that whole matches store instead of computing agree with the reference engine."""

import pytest
from both_engines import load_both
from whole_runs import results_of_runs

from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.table.setting import SeatedPlayer
from trutdsl.variant import load_variant

MATCHES = 12
RULES = """\
variant: known
title: What is known
players: [2, 3]
teams: {2: 2, 3: 3}
pack:
  suits: {h: hearts, s: spades, c: clubs, d: diamonds}
  ranks: RANKS
counters:
  points: {help: Counted in every way there is.}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 4 cards, seen by all
  zone row: pile, seen by all

  deal state:
      won[team]: 0 to 9
      left: 0 to 3 = 3

  define ahead -> team?: first side in teams where won[side] > left
  define over: left == 0 or ahead != none

  rule match:
      repeat 6 times:
          deal:
              do play_deal
          dealer = next_seat(dealer)
      end match drawn

  rule play_deal:
      gather hand, row into stock openly
      shuffle stock
      repeat at most 3 times until over:
          JUMP
          ask dealer "who":
              take p from seats: won[team(p)] += 1
              early:
                  LEAVE
          left -= 1
          if over: points[team(dealer)] += 1
      if ahead != none: points[team(dealer)] += 10
      if left == 0: points[team(dealer)] += 1000
      repeat 2 times while not over:
          left -= 1
      if ahead != none: points[team(dealer)] += 10000
      do best
      end deal because done

  rule best:
      ask dealer "many":
          draw n from 0 to 4:
              repeat n times:
                  draw from stock to hand[dealer]
      let all_best = those c in hand[dealer] with lowest strength(c)
      let one = first c in hand[dealer] with highest strength(c)
      points[team(dealer)] += size(all_best)
      if one == none: points[team(dealer)] += 7
      if one != none:
          points[team(dealer)] += strength(one)
          if suit(one) == "h": points[team(dealer)] += 5
          move one from hand[dealer] to row
          let lies = first c in row with lowest strength(c)
          if lies == one: points[team(dealer)] += 3
"""
EIGHT, FIVE = "[A, K, Q, J, 10, 9, 8, 7]", "[A, K, Q, J, 10]"


@pytest.mark.parametrize(
    ("players", "pack", "jump", "leave"),
    [
        (2, FIVE, "left = left", "left = left"),
        (2, EIGHT, "left = left", "stop"),
        (3, EIGHT, "if left == 2 and won[team(dealer)] == 0: next", "won[team(dealer)] += 2"),
    ],
)
def test_whole_matches_give_the_same_result(players, pack, jump, leave, tmp_path):
    text = RULES.replace("RANKS", pack).replace("JUMP", jump).replace("LEAVE", leave)
    (tmp_path / "known.yaml").write_text(text, encoding="utf-8")
    uniform = load_strategy("uniform")
    reference, native = load_both(load_variant(tmp_path / "known.yaml"), players)
    results = results_of_runs(native, [SeatedPlayer("uniform")] * players, 9, 0, MATCHES)
    for number, result in enumerate(results):
        assert result == play_match(reference, [uniform] * players, 9, number), number
