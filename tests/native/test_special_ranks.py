"""Each special card has its own rank, which both engines know in sets, choices and places."""

import pytest
from both_engines import ExternalChance, assert_same, load_both, play

from trutdsl.variant import load_variant

MATCHES = 6
RULES = """\
variant: ranks
title: Ranks of special cards
players: [2]
teams: {2: 2}
pack:
  suits: {h: hearts, s: spades}
  ranks: [A, K, Q]
  special_cards: {owl: {strength: 9}, stork: {}}
rules: |
  zone stock: pile, starts with pack_cards + special_pack, seen by all
  match state:
      met[rank]: 0 to 9
      last: rank = "A"
      many: 0 to 99

  rule match:
      repeat 3 times:
          deal:
              for c in pack_cards + special_pack where special(c) or rank(c) == last:
                  met[rank(c)] += 1
              let birds = {rank("owl"), rank("stork")}
              many = count r in ranks + birds where met[r] > 0
              many += total met[r] for r in birds + last
              many += 10 * size(birds - ranks)
              if every r in birds has met[r] > 1: many += 50
              ask dealer "rank":
                  take r from ranks + birds: last = r
              ask dealer "rank":
                  take r from {last, rank(first c in stock)} when met[r] > 0:
                      met[rank("stork")] = met[r]
                  pass
              end deal because done
      end match drawn
"""


@pytest.fixture
def games(tmp_path):
    (tmp_path / "ranks.yaml").write_text(RULES, encoding="utf-8")
    return load_both(load_variant(tmp_path / "ranks.yaml"), 2)


@pytest.mark.parametrize("external", [False, True])
def test_both_engines_know_the_rank_of_a_special_card(games, external):
    for match in range(MATCHES):
        shown = [
            play(game, match, True, chance=ExternalChance(3, match) if external else None)[0]
            for game in games
        ]
        assert_same(*shown, f"match {match}")
        assert shown[0][-1][1] == 3, "three deals are played"


def test_a_variable_has_a_place_for_each_special_rank(games):
    for game in games:
        state = game.start(1, 0)
        state.next_deal()
        assert state.view().variables["met"] == (2, 0, 0, 1, 1)
