"""Scenarios with the cards of several deals, with redeals, and with a start in a later deal."""

import pytest

from trutdsl.cli.app import run
from trutdsl.scenario.record import record_scenario
from trutdsl.transcript.events import read_transcript


@pytest.fixture
def play(play_and_join_outputs):
    return play_and_join_outputs


TWO_DEALS = """\
scenario: two-deals
variant: trut
players: 2
start:
  dealer: 0
  hands: {0: [7c, 9d, 10c], 1: [8h, Ad, Ah]}
  later:
    - {hands: {0: [7h, 7d, 8c], 1: [8h, Ad, Ah]}}
actions:
  - 1: trut
  - 0: fold
  - expect: {deal_over: true, deal_winner: 1, counters: {petits: [0, 1]}}
  - 0: play 7h
  - 1: play 8h
expect:
  tricks: [0]
  zones: {hand: {0: [7d, 8c]}}
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_several_deals_have_their_own_cards(play, engine):
    assert play(TWO_DEALS, "--engine", engine)[1] == "ok   two-deals\n1 passed, 0 failed\n"


@pytest.mark.parametrize("last", ["  - 0: play 7h\n", ""])
def test_a_check_of_a_question_begins_the_next_deal(play, last):
    question = "{seat: 0, name: turn, actions: [play 7h, play 7d, play 8c, trut]}"
    check = f"  - expect: {{decision: {question}}}\n"
    text = TWO_DEALS[: TWO_DEALS.index("  - 0: play 7h")] + check + last
    assert play(text + "expect: {next_dealer: 0}\n")[0] == 1  # it is a question of the second deal
    assert play(text + "expect: {deal_over: false}\n") == (
        0,
        "ok   two-deals\n1 passed, 0 failed\n",
    )


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("7h, 7d, 8c]", "7h, 7d, 8c, Kd]", 1, "s.yaml:8:32: seat 0 was dealt fewer cards"),
        ("7h, 7d, 8c", "7h, 7h, 8c", 2, "'7h' lies in two places"),
        ("7c, 9d, 10c", "7c, 9d, 10c, Kc", 1, "s.yaml:6:28: seat 0 was dealt fewer cards"),
        ("7h, 7d, 8c], 1", "7h, 7d, 8c], 5", 2, "there is no seat 5 with 2 players"),
        ("- {hands:", "- {hand:", 2, "a later deal has no key 'hand'"),
    ],
)
def test_cards_of_later_deals_are_checked(play, old, new, code, message):
    assert TWO_DEALS.count(old) == 1
    found, out = play(TWO_DEALS.replace(old, new))
    assert found == code, out
    assert message in out


GROWING = """\
variant: growing
language: 3
title: A card more in each deal
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q, J]}
counters: {points: {help: One for each trick.}}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 4 cards, seen by owner
  zone table[seat]: up to 1 card, seen by all
  rule match:
      for many in 1 to 4:
          deal:
              do dealing(many)
              let asked = do wants_redeal
              if asked: do dealing(many)
              on_lead = next_seat(dealer)
              repeat many times:
                  do play_trick
              end deal because played
          dealer = next_seat(dealer)
      end match drawn
  rule dealing(many: number):
      gather hand, table into stock
      shuffle stock
      repeat many times:
          for p in seats from next_seat(dealer): draw from stock to hand[p]
  rule wants_redeal -> yes_no:
      ask next_seat(dealer) "redeal":
          redeal: return yes
          keep as pass: return no
  rule play_trick:
      trick on table:
          for p in seats from on_lead:
              ask p "turn":
                  play card from hand[p]: move card to table[p]
          let best = first p in seats with highest strength(top(table[p]))
          points[team(best)] += 1
          gather table into stock
          end trick won by best
"""
LATER_DEALS = """\
scenario: third-deal
variant: growing.yaml
players: 2
start:
  at: deal 3
  counters: {points: [3, 0]}
  dealer: 1
  hands: {0: [Ah, Kh, Qh]}
  redeals:
    - hands: {0: [As, Ks, Qs], 1: [Ah, Kh, Qh]}
    - hands: {0: [Jh]}
actions:
  - expect: {decision: {name: redeal, seat: 0}, zones: {hand: {0: [Ah, Kh, Qh], 1: 3}}}
  - 0: redeal
  - expect: {decision: {name: turn}, zones: {hand: {0: [As, Ks, Qs], 1: [Ah, Kh, Qh]}}}
expect: {counters: {points: [3, 0]}}
---
scenario: last-trick-of-the-third-deal
variant: growing.yaml
players: 2
start:
  at: play_trick 3 of deal 3
  zones: {hand: {0: [Kh], 1: [Ah]}}
  variables: {on_lead: 0}
actions:
  - 0: play Kh
  - 1: play Ah
expect: {deal_over: true, counters: {points: [0, 1]}}
"""


@pytest.fixture
def growing(play, tmp_path):
    (tmp_path / "growing.yaml").write_text(GROWING, encoding="utf-8")
    return play


UNUSED_REDEAL = "    - hands: {0: [Jh]}\n"


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_scenario_may_start_in_a_later_deal_with_redeals(growing, engine):
    code, out = growing(LATER_DEALS.replace(UNUSED_REDEAL, ""), "--engine", engine)
    assert (code, out.splitlines()[-1]) == (0, "2 passed, 0 failed"), out


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            UNUSED_REDEAL,
            UNUSED_REDEAL,
            "s.yaml:11:19: no redeal came: no drawn card was shuffled into its pile",
        ),
        (
            UNUSED_REDEAL,
            "      turned: Js\n",
            "s.yaml:11:15: no card was turned up, but `turned` gives one",
        ),
        ("deal 3\n", "deal 5\n", "s.yaml:5:7: the match is over before that deal"),
        ("play_trick 3 of", "play_trick 4 of", "deal never comes to call 4 of rule 'play_trick'"),
        ("at: deal 3", "at: deal 3 of deal 2", "or a deal, `deal 4`; not 'deal 3 of deal 2'"),
    ],
)
def test_a_redeal_or_deal_that_never_comes_is_reported(growing, old, new, message):
    assert old in LATER_DEALS
    code, out = growing(LATER_DEALS.replace(old, new, 1))
    assert code in (1, 2), out
    assert message in out


def test_a_deal_that_depends_on_its_number_keeps_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "growing.yaml").write_text(GROWING, encoding="utf-8")
    args = ["simulate", "growing.yaml", "--matches", "1", "--seed", "4", "--transcript", "m.jsonl"]
    assert run(args) == 0
    (record,) = read_transcript(tmp_path / "m.jsonl", "m.jsonl")
    assert "  at: deal 4\n" in record_scenario(record, 3)
    assert "  at:" not in record_scenario(record, 0)


def test_the_named_seat_deals_the_first_played_deal(tmp_path, monkeypatch, play):
    """`setup dealer` sets a seat before the skipped deals, which then pass the deal to this one."""
    monkeypatch.chdir(tmp_path)
    setup = "setup dealer:\n          let p = random from seats\n          dealer = p"
    rules = GROWING.replace("rule match:", f"rule match:\n      {setup}")
    (tmp_path / "growing.yaml").write_text(rules, encoding="utf-8")
    scenario = """\
scenario: second-deal
variant: growing.yaml
players: 2
start: {at: deal 2, dealer: 0}
actions: []
expect: {decision: {seat: 1, name: redeal}, variables: {dealer: 0}}
"""
    code, out = play(scenario)
    assert code == 0, out
    args = ["simulate", "growing.yaml", "--matches", "1", "--seed", "4", "--transcript", "m.jsonl"]
    assert run(args) == 0
    (record,) = read_transcript(tmp_path / "m.jsonl", "m.jsonl")
    dealers = [event["dealer"] for event in record.events if event["event"] == "deal"]
    text = record_scenario(record, 3)
    assert f"  dealer: {dealers[3]}\n" in text
    code, out = play(text, "--tell")
    assert f"Deal 4. Player {dealers[3] + 1} deals." in out


def test_tell_prints_the_number_of_the_first_played_deal(growing):
    _, out = growing(LATER_DEALS.replace(UNUSED_REDEAL, ""), "--tell")
    assert out.count("Deal 3. Player") == 2
    assert "Deal 1." not in out
