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


# ---------------------------------------------------------------- matches without end

# One side may throw the cards in, again and again. Then the cards are shown, or chance decides.
ENDLESS = """\
variant: endless
language: 3
title: Endless
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K, Q, J]}
counters: {points: {help: Two win.}}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 1 card, seen by owner
  zone table[seat]: up to 1 card, seen by all

  rule match:
      repeat at most 100000 times:
          deal:
              gather hand, table into stock
              shuffle stock
              for p in seats: draw from stock to hand[p]
              ask next_seat(dealer) "throw":
                  throw: end deal because void
                  go on
              SHOW
              let best = first p in seats with highest strength(top(table[p]))
              points[team(best)] += 1
              end deal won by team(best) because played
          for side in teams where points[side] >= 2: end match won by side
"""
HANDS = "for p in seats: move top(hand[p]) from hand[p] to table[p]"
CHANCE = "for p in seats: draw from stock to table[p]"


@pytest.fixture
def endless_game(tmp_path, request):
    path = tmp_path / "endless.yaml"
    path.write_text(ENDLESS.replace("SHOW", request.param))
    return str(path)


@pytest.mark.parametrize(
    ("endless_game", "wins"),
    [(CHANCE, [0.75, 0.25]), (HANDS, [0.75, 1.0])],
    indirect=["endless_game"],
)
def test_a_match_that_a_response_does_not_end_is_no_win(endless_game, wins, capsys):
    """The one who is behind could throw in forever, or wait for the ace twice."""
    assert run(["exploit", endless_game, "--at", "points=1,0", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)[0]
    assert found["wins_by_seat"] == pytest.approx(wins, abs=1e-9)


@pytest.mark.parametrize("endless_game", [CHANCE], indirect=True)
def test_best_play_without_end_is_refused(endless_game, tmp_path, capsys):
    assert run(["solve", endless_game, "-o", str(tmp_path / "a.policy")]) == 2
    assert "under best play a match of this game need not end" in capsys.readouterr().err


@pytest.mark.parametrize("endless_game", [HANDS], indirect=True)
def test_play_improves_until_the_value_of_its_own_score_is_right(endless_game, tmp_path, capsys):
    """At first a king seems good enough; but to wait for the ace wins each match."""
    command = ["solve", endless_game, "-o", str(tmp_path / "a.policy"), "--json"]
    assert run([*command, "--target", "0.001"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["exploitability"] < 1e-4 and found["value"] < 1e-4
