"""Loops over a pile that pause for a question: they keep the order of its cards."""

import pytest

from trutdsl.cli.app import DONE, run

GAME = """\
variant: waiting
title: Waiting
players: [2]
teams: {2: 2}
pack: {suits: {s: spades, h: hearts}, ranks: [K, Q, J]}
counters:
  coins: {help: What a player has.}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  zone spare: pile, seen by all

  rule match "A coin for each card that the dealer takes, and for each heart.":
      repeat at most 1000 times:
          deal:
              shuffle stock
              for player in seats: draw from stock to spare
              for card in spare:
                  ask dealer "which":
                      pass
                      take: coins[team(dealer)] += 1
                  if suit(card) == "h": coins[team(next_seat(dealer))] += 1
              gather spare into stock
              end deal because played
          for side in teams where coins[side] >= 6: end match won by side
"""


@pytest.mark.parametrize("number", [2, 9])
def test_both_engines_loop_over_the_same_cards(number, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "waiting.yaml").write_text(GAME)
    outputs = []
    for engine in ("native", "reference"):
        command = ["simulate", "waiting.yaml", "--matches", str(number), "--seed", "1"]
        assert run([*command, "--engine", engine, "--transcript", "-"]) == DONE
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    assert '"coins"' in outputs[0]
