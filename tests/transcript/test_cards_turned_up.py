"""Cards that come to where all see them, in the transcripts of both engines."""

import json

import pytest

from trutdsl.cli.app import run

OPEN = """\
variant: open
title: Cards turned up
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q, J]}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  zone hand[seat]: seen by owner
  zone own[seat]: seen by owner
  zone table[seat]: seen by all
  zone row: pile, seen by all

  rule match:
      deal:
          shuffle stock
          repeat 3 times:
              for p in seats: draw from stock to hand[p]
          draw from stock to row
          let other = next_seat(dealer)
          ask dealer "play":
              play c from hand[dealer]: move c from hand[dealer] to table[dealer]
          ask other "keep" seen by owner:
              keep c from hand[other]: move c from hand[other] to table[other]
          do lay_open(dealer)
          move all from hand[other] to own[other]
          swap (first c in own[other]) from own[other] with top(row) from row
          gather table into row
          end deal because played
      end match drawn

  rule lay_open(player):
      for c in hand[player]: move c to table[player]
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_card_that_is_turned_up_is_an_event_unless_the_answer_names_it(
    engine, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "open.yaml").write_text(OPEN)
    options = ["--matches", "1", "--engine", engine, "--transcript", "open.jsonl"]
    assert run(["simulate", "open.yaml", *options]) == 0
    events = [json.loads(line) for line in (tmp_path / "open.jsonl").read_text().splitlines()]
    hands = {e["seat"]: {*e["cards"]} for e in events if e["event"] == "cards"}
    play, keep = (n for n, e in enumerate(events) if e["event"] == "action")
    assert events[play]["seat"] == 0
    played, kept = (events[n]["action"].split()[1] for n in (play, keep))
    turned = [(n, e["card"]) for n, e in enumerate(events) if e["event"] == "turned"]
    (first, drawn), (second, secret), *laid, (_, swapped) = turned
    assert first < play and drawn not in hands[0] | hands[1]
    assert second > keep and secret == kept
    assert {card for _, card in laid} == hands[0] - {played}
    assert swapped in hands[1] - {kept}
    capsys.readouterr()
    assert run(["replay", "open.jsonl", "--verify"]) == 0


BURIED = """\
variant: buried
title: A buried card is turned up in the next deal
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K]}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  zone hand[seat]: seen by owner
  zone row: seen by all

  rule match:
      shuffle stock
      repeat 2 times:
          deal:
              if deal_number > 1: move top(stock) from stock to row
              draw from stock to hand[dealer]
              ask dealer "bury":
                  bury c from hand[dealer]: move c from hand[dealer] to stock
              end deal because played
      end match drawn
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_card_named_in_the_deal_before_is_turned_up(engine, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "buried.yaml").write_text(BURIED)
    options = ["--matches", "1", "--engine", engine, "--transcript", "buried.jsonl"]
    assert run(["simulate", "buried.yaml", *options]) == 0
    events = [json.loads(line) for line in (tmp_path / "buried.jsonl").read_text().splitlines()]
    (buried, _) = (e["action"].split()[1] for e in events if e["event"] == "action")
    assert [e["card"] for e in events if e["event"] == "turned"] == [buried]


def test_cards_of_a_pile_that_is_shuffled_then_are_turned_up_in_the_same_order(tmp_path, capsys):
    path = tmp_path / "open.yaml"
    head, _ = OPEN.split("          let other")
    shuffled = (
        "          gather hand from next_seat(dealer) into row openly\n          shuffle row\n"
    )
    unused = "  zone own[seat]: seen by owner\n  zone table[seat]: seen by all\n"
    end = "          end deal because played\n      end match drawn\n"
    path.write_text(head.replace(unused, "") + shuffled + end)
    found = []
    for engine in ("reference", "native"):
        options = ["--matches", "3", "--engine", engine, "--transcript", "-"]
        assert run(["simulate", str(path), *options]) == 0
        found.append([line for line in capsys.readouterr().out.splitlines() if "turned" in line])
    assert found[0] == found[1] and len(found[0]) == 3 * 7
