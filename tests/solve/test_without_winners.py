"""Games with drawn matches: nobody wins these, and nobody loses them."""

import json

import pytest

from trutdsl.cli.app import run

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


def test_the_first_dealer_never_wins(drawn_game, capsys):
    assert run(["exact", drawn_game, "--players", "2", "--strategies", "uniform,uniform"]) == 0
    out = capsys.readouterr().out
    assert "nobody  wins 100" in out and "the first dealer wins" not in out


# Whoever has the higher card wins, if the other seat wants to see them; else nobody does.
DUEL = """\
variant: duel
language: 3
title: Duel
players: [2]
teams: {2: 2}
uses: [lib/dealing]
pack: {suits: {h: hearts, s: spades}, ranks: [K, Q]}
rules: |
  zone shown[seat]: up to 1 card, seen by all

  rule match:
      do choose_dealer
      repeat at most 100000 times:
          deal:
              do shuffle_pack
              do deal_cards(1)
              let other = next_seat(dealer)
              ask other "duel":
                  show:
                      for p in seats:
                          for card in hand[p]: move card from hand[p] to shown[p]
                      for one in shown[dealer]:
                          for two in shown[other]:
                              if strength(one) > strength(two): end match won by team(dealer)
                              if strength(two) > strength(one): end match won by team(other)
                      end match drawn
                  rest: REST
              for p in seats:
                  for card in hand[p]: move card from hand[p] to stock
      end match drawn
"""
NOBODY_WINS = DUEL.replace("won by team(dealer)", "drawn").replace("won by team(other)", "drawn")


@pytest.mark.parametrize(
    ("game", "rest", "wins", "draws"),
    [
        # The dealer wins 1/6 and draws 2/3; the other one wins 1/3 and draws 2/3.
        (DUEL, "end match drawn", 1 / 4, 2 / 3),
        # The other one waits for a king, while `uniform` rests every second time; so from any deal
        # the dealer wins 1/3, and the other one 2/3 with a king.
        (DUEL, "end deal because rested", 1 / 2, 1 / 3),
        (NOBODY_WINS, "end match drawn", 0, 1),
    ],
)
def test_a_perfect_opponent_does_not_win_drawn_matches(tmp_path, capsys, game, rest, wins, draws):
    path = tmp_path / "duel.yaml"
    path.write_text(game.replace("REST", rest), encoding="utf-8")
    assert run(["exploit", str(path), "--json"]) == 0
    (response,) = json.loads(capsys.readouterr().out)
    assert (response["wins"], response["draws"]) == (pytest.approx(wins), pytest.approx(draws))
    assert run(["exploit", str(path)]) == 0
    sentence = f"uniform loses {100 * wins:.4f} of 100 matches and draws {100 * draws:.4f} (exact)"
    assert sentence in capsys.readouterr().out


def test_a_solution_says_that_drawn_matches_are_half_wins(tmp_path, capsys):
    path = tmp_path / "duel.yaml"
    path.write_text(DUEL.replace("REST", "end match drawn"), encoding="utf-8")
    solve = ["solve", str(path), "--players", "2", "-o", str(tmp_path / "duel.policy")]
    assert run(solve) == 0
    out = capsys.readouterr().out
    assert "the first dealer wins 33.3333 of 100 matches" in out  # none, and draws 2 of 3
    assert "A drawn match counts as half a win." in out
    assert run([*solve, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["can_be_drawn"] is True
