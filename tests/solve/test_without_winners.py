"""A game that is always drawn: it has no tree to solve, and the first dealer never wins."""

import pytest

from trutdsl.cli.app import run
from trutdsl.diagnostics import BadUsage
from trutdsl.solve.tree import grow_tree

DRAWN_GAME = """\
variant: drawn
language: 3
title: Always drawn
players: [2]
teams: {2: 2}
uses: [lib/dealing]
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q, J]}
rules: |
  rule match:
      do choose_dealer
      deal:
          do shuffle_pack
          do deal_cards(2)
          for p in seats:
              ask p "turn":
                  play card from hand[p]: move card to table[p]
          end deal because over
      end match drawn
"""


@pytest.fixture
def drawn_game(tmp_path):
    path = tmp_path / "drawn.yaml"
    path.write_text(DRAWN_GAME, encoding="utf-8")
    return str(path)


def test_a_tree_without_questions_is_refused():
    """`exploit` then learns a response, as for each game without a tree."""
    with pytest.raises(BadUsage, match="no answer changes the outcome of a deal"):
        grow_tree([], [])


def test_the_first_dealer_never_wins(drawn_game, capsys):
    assert run(["exact", drawn_game, "--players", "2", "--strategies", "uniform,uniform"]) == 0
    out = capsys.readouterr().out
    assert "nobody  wins 100" in out and "the first dealer wins" not in out
