"""Events in sentences, in the order in which a seat notices them, with the deciding rule."""

import re

from trutdsl.cli.app import run
from trutdsl.game import Announcement, HistoryEntry, PassedCards
from trutdsl.language import speaking
from trutdsl.report.people import People
from trutdsl.report.telling import Follower, Teller

FIRST = People((0, 1), ("me", "b"), 0)


def test_only_numbers_name_seats_and_teams():
    assert FIRST.outcome("seat", 1) == FIRST.outcome("team", "1") == "player 2 (b)"
    assert FIRST.value("1 0", "seats") == "player 2 (b), you"
    targets = People((0, 1), ("me", "b"), forms=["target SEAT"])
    assert targets.action("target 1") == "target player 2 (b)"
    forms = ["SEAT", "give CARD SEAT", "show CARDS TEAM", "to SEAT now", "bid SEAT", "bid NUMBER"]
    people = People((0, 1), ("me", "b"), forms=forms)
    for text, told in (
        ("1", "player 2 (b)"),
        ("give 7h 0", "give 7h player 1 (me)"),
        ("show 7h 8h 1", "show 7h 8h player 2 (b)"),
        ("to 1 now", "to player 2 (b) now"),
        ("bid 1", "bid 1"),  # it may be a number
    ):
        assert people.action(text) == told
    for text in ("²", "9" * 5000):
        assert FIRST.outcome("seat", text) == f"seat {text}"
        assert FIRST.value(text, "seats") == text
        assert targets.action(f"target {text}") == f"target {text}"


def test_unnoticed_events_are_left_out_and_keep_the_order():
    def action(seat, decision, text):
        return {"event": "action", "seat": seat, "decision": decision, "action": text}

    follower = Follower(FIRST)
    trick = {"event": "trick", "leader": 1, "cards": [], "winner": 1, "team": 1}
    for event in (action(1, "sign", "wink"), trick, action(1, "turn", "play 7h")):
        follower(event)
    noticed = [HistoryEntry(1, "turn", "play 7h")]
    assert list(follower.tell(noticed)) == [
        "  Player 2 (b) wins the trick.",
        "  Player 2 (b): play 7h",
    ]
    follower({"event": "passed"})
    follower({"event": "passed"})
    noticed += [PassedCards(0, "hand", "Js to 1"), PassedCards(1, "hand", "1 card to 0")]
    passes = ["  You to player 2 (b): Js", "  Player 2 (b) to you: 1 card"]
    assert list(follower.tell(noticed)) == passes
    follower(action(0, "turn", "play 8h"))
    follower({**trick, "winner": None})
    follower({**trick, "winner": None, "team": None})
    lines = list(follower.tell([*noticed, HistoryEntry(0, "turn", "play 8h")]))
    assert lines == [
        "  You: play 8h",
        "  Player 2 (b) wins the trick.",
        "  The trick is tied: nobody wins it.",
    ]


def test_passes_from_team_to_team():
    follower = Follower(People((0, 1, 0, 1), ("me", "b", "c", "d"), 0))
    follower({"event": "passed"})
    texts = ("Js 9h from team 0 to team 1", "1 card from team 1 to team 0")
    passes = [PassedCards(-1, "won", text) for text in texts]
    assert list(follower.tell(passes[:1])) == ["  Js 9h: to the other team"]
    follower({"event": "passed"})
    with speaking("fr"):
        assert list(follower.tell(passes)) == ["  1 carte\xa0: pour votre équipe"]


def test_a_trick_without_cards_has_no_line_for_them():
    trick = {"event": "trick", "leader": 1, "cards": [[1, "7h"]], "winner": 1, "team": 1}
    end = "  Player 2 (b) wins the trick."
    assert list(Teller(FIRST).tell(trick)) == ["  Trick: 7h player 2 (b)", end]
    assert list(Teller(FIRST).tell({**trick, "cards": []})) == [end]


def test_announcements_to_others_keep_the_order():
    def announcement(*to):
        return {"event": "announced", "seat": 1, "what": "ace", "value": 1, "to": list(to)}

    follower = Follower(FIRST)
    trick = {"event": "trick", "leader": 1, "cards": [], "winner": 1, "team": 1}
    for event in (announcement(1, 3), trick, announcement(0, 1)):
        follower(event)
    lines = list(follower.tell([Announcement(1, "ace", "1")]))
    assert lines == ["  Player 2 (b) wins the trick.", "  Player 2 (b) announced ace: 1"]


def test_places_without_rules_count_from_1_and_a_word_may_have_no_hearer():
    teller = Teller(People((0, 1, 0, 1), ("a", "b", "c", "d")))
    passed = {"event": "passed", "from": ["hand", 0], "to": ["pile"], "cards": ["7h"]}
    assert teller.tell(passed) == ["  7h: from hand 1 to pile"]
    said = {"event": "announced", "seat": 0, "what": "ace", "value": True, "to": []}
    assert teller.tell(said) == ["  Player 1 (a) says: ace (heard by nobody)"]


def test_replay_prints_sentences_with_the_deciding_rule(capsys, tmp_path):
    file = tmp_path / "match.jsonl"
    call = ["simulate", "trut", "--strategies", "caller", "--matches", "1", "--seed", "5"]
    run([*call, "--transcript", str(file)])
    capsys.readouterr()
    assert run(["replay", str(file), "--deal", "2"]) == 0
    out = capsys.readouterr().out
    assert re.findall("(?m)^Deal .*", out) == ["Deal 2. Player 1 (caller) deals."]
    assert "Dealt to player 1 (caller): " in out and "Rule [T8 T13 000]: The deal is" in out
    assert run(["replay", str(file), "--deal", "2", "--lang", "fr"]) == 0
    assert "Manche 2. Joueur 1 (caller) donne." in capsys.readouterr().out
    assert run(["replay", str(file), "--deal", "999"]) == 2


CAPOT = """
variant: capot
title: Capot
extends: trut
rules: |
  when a deal is over "Capot: a petit more.":
      if let side = winner:
          if tricks[side] == 3: do gain_petits(side, 1)
"""


def test_a_hook_of_ends_does_not_hide_the_deciding_rule(capsys, tmp_path):
    (tmp_path / "capot.yaml").write_text(CAPOT)
    file = tmp_path / "match.jsonl"
    call = ["simulate", str(tmp_path / "capot.yaml"), "--strategies", "quiet", "--matches", "1"]
    assert run([*call, "--seed", "5", "--transcript", str(file)]) == 0
    capsys.readouterr()
    assert run(["replay", str(file), "--deal", "1"]) == 0
    assert "Rule [T8 T9 T22 K5]: Most tricks win the deal" in capsys.readouterr().out


def test_a_loss_has_a_minus_sign_in_french():
    with speaking("fr"):
        teller = Teller(FIRST)
        event = {"event": "counter", "name": "petits", "delta": -2, "team": 1, "value": 0}
        (line,) = teller.tell(event)
    assert line.endswith("\N{MINUS SIGN}2 petits, donc 0")


SETS = """\
variant: sets
title: Chance that picks from sets
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A]}
rules: |
  type call = one of grande | chica
  match state:
      calls: set of call = {chica}
      numbers: set of 0 to 12 = {7}
      moods: set of one of calm | heated = {heated}

  rule match:
      let one = random from calls
      let two = random from numbers
      let three = random from moods
      if one == chica and two == 7 and three == heated: end match won by team(dealer)
      end match drawn
"""


def test_chance_names_the_set_that_it_picks_from_if_that_has_a_name(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sets.yaml").write_text(SETS)
    assert run(["simulate", "sets.yaml", "--matches", "1", "--transcript", "sets.jsonl"]) == 0
    capsys.readouterr()
    assert run(["replay", "sets.jsonl"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "Chance" in line]
    assert lines == ["  Chance: call chica", "  Chance: 7", "  Chance: heated"]
