"""The start of a scenario: cards, the dealer, random picks, and impossible ones."""

import pytest

from trutdsl.cli.app import run

WHOLE_PACK = """\
variant: whole-pack
title: Every card is dealt, the last one face up
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K, Q]}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: seen by owner
  zone turned: seen by all
  rule match:
      deal:
          shuffle stock
          for player in seats: draw from stock to hand[player]
          draw from stock to turned
          end deal because dealt
      end match drawn
"""


def test_the_last_card_of_the_stock_can_be_set(play, tmp_path):
    (tmp_path / "whole-pack.yaml").write_text(WHOLE_PACK, encoding="utf-8")
    head = "scenario: all\nvariant: whole-pack.yaml\nplayers: 2\nstart:\n"
    tail = "actions: []\nexpect: {deal_over: true}\n"
    right = "1 passed, 0 failed\n"
    cards = "  hands: {0: [Ah], 1: [Qh]}\n  turned: Kh\n"
    assert play(head + cards + tail) == (0, "ok   all\n" + right, "")


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("first", ["", "      dealer = next_seat(dealer)\n"])
def test_the_first_dealer_can_be_set_without_a_setup(engine, first, play, tmp_path):
    variant = WHOLE_PACK.replace("      deal:\n", first + "      deal:\n")
    (tmp_path / "whole-pack.yaml").write_text(variant, encoding="utf-8")
    for seat in (0, 1):
        text = (
            "scenario: first\nvariant: whole-pack.yaml\nplayers: 2\n"
            f"start: {{dealer: {seat}}}\nactions: []\nexpect: {{variables: {{dealer: {seat}}}}}\n"
        )
        assert play(text, "--engine", engine)[0] == 0


def test_cards_of_the_stock_come_in_order(play):
    """Without a dealer, the draw for the deal takes cards from the stock: a tie, then 7 and 9."""
    text = """\
scenario: draw
variant: trut
players: 2
start: {stock: [Kc, Kd, 9c, 7d], hands: {0: [8h, 8c, As]}}
actions: []
expect: {decision: {seat: 1, name: turn}}
"""
    assert play(text)[0] == 0
    code, out, _ = play(text.replace("9c, 7d", "7d, 9c"))
    assert code == 1
    assert "expected seat 1, found seat 0" in out


def test_a_card_that_is_not_dealt_is_named(play, tmp_path):
    """`whole-pack` deals one card to each seat, so a second one is left over."""
    (tmp_path / "whole-pack.yaml").write_text(WHOLE_PACK, encoding="utf-8")
    head = "scenario: all\nvariant: whole-pack.yaml\nplayers: 2\nstart:\n"
    code, out, _ = play(
        head + "  hands: {0: [Ah], 1: [Ah2]}\nactions: []\nexpect: {}\n".replace("Ah2", "Qh, Kh")
    )
    assert code == 1
    assert "s.yaml:5:28: seat 1 was dealt fewer cards than its hand lists: Kh" in out


@pytest.mark.parametrize(
    ("variant", "hand"), [("truc-catalan", "[3b, 4b, 1e]"), ("trut-deluxe", "[7c, 8c, As]")]
)
def test_cards_may_be_given_for_a_deal_that_has_not_begun(variant, hand, play):
    """Before the deal, a seat is asked to cut the pack, or to choose a special card."""
    text = f"scenario: cut\nvariant: {variant}\nplayers: 2\nactions: []\n"
    text += f"start: {{dealer: 0, hands: {{0: {hand}}}}}\nexpect: {{decision: {{seat: 1}}}}\n"
    assert play(text)[0] == 0


def test_a_seat_that_is_dealt_no_cards_is_named(play, tmp_path):
    variant = WHOLE_PACK.replace("in seats:", "in seats where player == dealer:")
    (tmp_path / "whole-pack.yaml").write_text(variant, encoding="utf-8")
    head = "scenario: all\nvariant: whole-pack.yaml\nplayers: 2\nactions: []\nexpect: {}\n"
    code, out, _ = play(head + "start: {dealer: 0, hands: {1: [Ah]}}\n")
    assert code == 1
    assert "s.yaml:6:32: seat 1 was dealt no cards before `actions` ended; given: Ah" in out


def test_a_card_out_of_play_is_reported_first(play, tmp_path):
    variant = WHOLE_PACK.replace("whole-pack", "aside").replace("K, Q]", "K, Q, J, 9]")
    variant = variant.replace(
        "zone turned: seen by all", "zone turned: seen by all\n  zone out: seen by all"
    )
    variant = variant.replace(
        "          shuffle stock\n",
        '          move "9h" from stock to out\n          shuffle stock\n',
    )
    (tmp_path / "aside.yaml").write_text(variant, encoding="utf-8")
    head = "scenario: all\nvariant: aside.yaml\nplayers: 2\nstart: {hands: {0: [9h]}}\n"
    code, output, _ = play(head + "actions: [0: play 9h]\nexpect: {}\n")
    assert code == 1
    lines = output.splitlines()
    assert lines[2].endswith(
        "s.yaml:4:21: seat 0 was dealt fewer cards than its hand lists: 9h; "
        "9h could not be drawn from 'stock'"
    )
    assert "the script goes on with `0: play 9h`" in lines[3]


BLIND = """\
variant: blind
title: Cards are drawn from what a seat has
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K, Q, J]}
rules: |
  zone stock: pile, starts with pack_cards
  zone blind[seat]: pile, seen by nobody
  zone table[seat]: seen by all
  rule match:
      deal:
          shuffle stock
          repeat 2 times:
              for p in seats: draw from stock to blind[p]
          for p in seats: shuffle blind[p]
          repeat 2 times:
              for p in seats: draw from blind[p] to table[p]
          end deal because dealt
      end match drawn
"""


def test_a_card_outside_its_pile_is_reported(play, tmp_path):
    (tmp_path / "blind.yaml").write_text(BLIND, encoding="utf-8")
    draws = "Ah, Kh, Qh, Jh, Ah, Kh, Qh, Jh"
    text = "scenario: all\nvariant: blind.yaml\nplayers: 2\nstart: {draws: [DRAWS]}\n"
    text = text.replace("DRAWS", draws) + "actions: []\nexpect: {deal_over: true}\n"
    assert play(text)[0] == 0
    code, output, _ = play(text.replace("Ah, Kh, Qh, Jh]", "Ah, Kh, Jh, Qh]"))
    assert code == 1
    message = output.splitlines()[2]
    assert message.endswith("s.yaml:4:41: Jh is not in blind[0], which is drawn from then")
    _, output, _ = play(text.replace("Jh]", "Jh, Ah]"))
    assert "s.yaml:4:49: never drawn: Ah\n" in output


RANDOM_PICKS = """\
variant: picked
title: Chance picks a suit, a rank, a number and a name
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, 7]}
rules: |
  type call = one of high | low
  match state:
      suited: suit?
      ranked: rank?
      number_of: 0 to 9
      named: call
  rule match:
      deal:
          let s = random from suits
          let r = random from ranks
          let n = random from {2, 5}
          let c = random from all of call
          suited = s
          ranked = r
          number_of = n
          named = c
          ask dealer "turn":
              go on
              stop it
          end deal because done
      end match drawn
"""


@pytest.mark.parametrize("suit", ["spades", "s"])
def test_random_picks_can_be_set_by_their_names(suit, play, tmp_path):
    (tmp_path / "picked.yaml").write_text(RANDOM_PICKS, encoding="utf-8")
    text = (
        "scenario: picked\nvariant: picked.yaml\nplayers: 2\n"
        f"start: {{random: [{suit}, 7, 5, low]}}\nactions: []\n"
        "expect: {variables: {suited: s, ranked: 7, number_of: 5, named: low}}\n"
    )
    assert play(text) == play(text, "--engine", "native")
    assert play(text)[0] == 0
    code, _, err = play(text.replace("7, 5, low]", "8, 5, low]"))
    assert code == 2 and "chance gives one of A, 7 here, not '8'" in err
    assert "one of 2, 5 here, not '0'" in play(text.replace("7, 5, low]", "7, 0, low]"))[2]


def test_recorded_random_picks_can_be_read(play, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "picked.yaml").write_text(RANDOM_PICKS, encoding="utf-8")
    options = ["--matches", "1", "--seed", "4", "--transcript", "t.jsonl"]
    assert run(["simulate", "picked.yaml", *options]) == 0
    capsys.readouterr()
    assert run(["scenario", "--from", "t.jsonl:1:1"]) == 0
    assert play(capsys.readouterr().out)[0] == 0
