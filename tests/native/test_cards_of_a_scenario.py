"""Chance from outside decides every card, also a card without an alternative."""

import pytest

from trutdsl.cli.app import run

VARIANT = """\
variant: pair
title: A card each
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 1 card, seen by owner

  rule match "A card each, and nobody wins.":
      deal:
          shuffle stock
          for player in seats: draw from stock to hand[player]
          ask dealer "show":
              show
          end deal because shown
      end match drawn
"""
SCENARIO = """\
scenario: a-card-each
variant: pair.yaml
players: 2
start:
  hands: {0: [Ah], 1: [Kh]}
actions:
  - 0: show
expect:
  deal_over: true
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_scenario_gives_the_last_card_of_the_pack(tmp_path, engine, capsys):
    (tmp_path / "pair.yaml").write_text(VARIANT, encoding="utf-8")
    (tmp_path / "pair-scenario.yaml").write_text(SCENARIO, encoding="utf-8")
    code = run(["scenario", str(tmp_path / "pair-scenario.yaml"), "--engine", engine])
    assert (code, capsys.readouterr().out) == (0, "ok   a-card-each\n1 passed, 0 failed\n")
