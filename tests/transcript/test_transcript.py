"""Transcripts follow their format, and a replay gives the same events."""

import json
import re
from pathlib import Path

import pytest

from trutdsl.cli.app import run
from trutdsl.transcript.events import FIELDS


@pytest.fixture(scope="module")
def transcript_bytes(tmp_path_factory):
    path = tmp_path_factory.mktemp("written") / "t.jsonl"
    args = ["simulate", "trut", "--players", "4", "--matches", "3", "--seed", "7"]
    assert run([*args, "--transcript", str(path)]) == 0
    return path.read_bytes()


@pytest.fixture
def transcript(transcript_bytes, tmp_path, capsys):
    path = tmp_path / "t.jsonl"
    path.write_bytes(transcript_bytes)
    capsys.readouterr()
    return path


def read_events(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_events_have_the_fields_of_the_format(transcript):
    for event in read_events(transcript):
        assert set(event) == {"event", *FIELDS[event["event"]]}
    first = read_events(transcript)[0]
    assert first["variant"] == "trut"
    assert first["teams"] == [0, 1, 0, 1]
    assert first["parameters"]["goal"] == 7
    assert first["parameters"]["fortial"] is True


def test_each_seat_gets_its_hand_in_one_event(transcript):
    events = read_events(transcript)
    deals = [i for i, e in enumerate(events) if e["event"] == "deal"]
    for i in deals:
        dealer, cards = events[i]["dealer"], events[i + 1 : i + 5]
        assert [e["event"] for e in cards] == ["cards"] * 4
        assert [e["seat"] for e in cards] == [(dealer + k) % 4 for k in (1, 2, 3, 4)]
        assert all(len(e["cards"]) == 3 for e in cards)


def test_legal_actions_on_request(tmp_path, capsys):
    path = tmp_path / "t.jsonl"
    assert run(["simulate", "trut", "--matches", "1", "--legal", "--transcript", str(path)]) == 0
    actions = [e for e in read_events(path) if e["event"] == "action"]
    assert all(e["action"] in e["legal"] for e in actions)
    assert run(["replay", "--verify", str(path)]) == 0
    assert "all the same" in capsys.readouterr().out


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_transcript_is_the_same_in_every_language(engine, root, tmp_path, capsys):
    """The game picks numbers from a set by chance, whose name `2 to 8` is no text for the user."""
    file, call = tmp_path / "match.jsonl", ["simulate", str(root / "tests/good/narrowed.yaml")]
    call += ["--matches", "1", "--seed", "25", "--engine", engine, "--transcript", str(file)]
    assert run([*call, "--lang", "en"]) == 0
    english = file.read_text("utf-8")
    assert run([*call, "--lang", "fr"]) == 0
    assert file.read_text("utf-8") == english and "2 to 8" in english
    capsys.readouterr()
    assert run(["replay", str(file), "--lang", "fr"]) == 0
    assert re.search(r"Hasard\s: \d\n", capsys.readouterr().out)


def test_standard_output(capsys):
    assert run(["simulate", "trut", "--matches", "2", "--transcript", "-"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["event"] for line in lines].count("match_end") == 2


def test_verify_finds_every_changed_event(transcript, tmp_path, capsys):
    lines = transcript.read_text(encoding="utf-8").splitlines()
    changes = {
        "cards": lambda e: e["cards"].reverse(),
        "action": lambda e: e.update(seat=(e["seat"] + 1) % 4),
        "trick": lambda e: e.update(winner=3 if e["winner"] != 3 else 2),
        "counter": lambda e: e.update(value=e["value"] + 1),
        "deal_end": lambda e: e.update(reason="folded" if e["reason"] != "folded" else "played"),
        "match_end": lambda e: e.update(deals=e["deals"] + 1),
        "deal": lambda e: e.update(dealer=(e["dealer"] + 1) % 4),
        "turned": lambda e: e.update(card="7h" if e["card"] != "7h" else "8h"),
    }
    for kind, change in changes.items():
        number = next(i for i, line in enumerate(lines) if json.loads(line)["event"] == kind)
        event = json.loads(lines[number])
        change(event)
        path = tmp_path / f"{kind}.jsonl"
        path.write_text("\n".join([*lines[:number], json.dumps(event), *lines[number + 1 :]]))
        assert run(["replay", "--verify", str(path)]) == 1, kind
        assert f"{path}:{number + 1}: " in capsys.readouterr().out


def test_verify_finds_missing_and_extra_events(transcript, tmp_path, capsys):
    lines = transcript.read_text(encoding="utf-8").splitlines()
    for text in (lines[:-1], [*lines, lines[-1]], lines[:40] + lines[41:]):
        path = tmp_path / "t2.jsonl"
        path.write_text("\n".join(text))
        assert run(["replay", "--verify", str(path)]) == 1
    assert "(the transcript ends)" in capsys.readouterr().out


def test_verify_reports_a_match_without_its_end(transcript, tmp_path, capsys):
    """A transcript that ends before a deal has no difference."""
    lines = transcript.read_text(encoding="utf-8").splitlines()
    path = tmp_path / "cut.jsonl"
    for text, unfinished in (
        (lines, False),
        (lines[: lines.index(next(x for x in lines if '"deal"' in x))], True),
    ):
        path.write_text("\n".join(text))
        assert run(["replay", "--verify", str(path)]) == 0
        assert ("The last match is not over in this file." in capsys.readouterr().out) == unfinished


def test_a_byte_order_mark_may_begin_a_transcript(transcript, capsys):
    """Some editors write it, also to files of rules."""
    transcript.write_bytes(b"\xef\xbb\xbf" + transcript.read_bytes().replace(b"\n", b"\r\n"))
    assert run(["replay", "--verify", str(transcript)]) == 0
    assert "all the same" in capsys.readouterr().out


def test_verify_plays_deals_without_questions(tmp_path, capsys):
    game = Path(__file__).parents[1] / "good" / "deal-without-a-question.yaml"
    path = tmp_path / "deals.jsonl"
    assert run(["simulate", str(game), "--matches", "5", "--transcript", str(path)]) == 0
    assert run(["replay", "--verify", str(path)]) == 0
    lines = path.read_text(encoding="utf-8").splitlines()
    last = [number for number, line in enumerate(lines) if '"event": "deal"' in line][-1]
    path.write_text("\n".join(lines[: last + 1]), encoding="utf-8")
    capsys.readouterr()
    assert run(["replay", "--verify", str(path)]) == 1
    assert "(the transcript ends)" in capsys.readouterr().out


def test_verify_finds_an_illegal_action(transcript, tmp_path, capsys):
    lines = transcript.read_text(encoding="utf-8").splitlines()
    number = next(i for i, line in enumerate(lines) if '"action": "play ' in line)
    event = json.loads(lines[number]) | {"action": "play 6h"}
    path = tmp_path / "t.jsonl2"
    path.write_text("\n".join([*lines[:number], json.dumps(event), *lines[number + 1 :]]))
    assert run(["replay", "--verify", str(path)]) == 1
    assert "one of play" in capsys.readouterr().out


def test_replay_prints_readable_text(transcript, capsys):
    assert run(["replay", str(transcript)]) == 0
    out = capsys.readouterr().out
    assert "Match 1 of trut, seed 7\n  Team 1: player 1 (uniform), player 3 (uniform)" in out
    assert "wins the match after" in out
    turned = b'"event": "turned", "card"'
    more = transcript.read_bytes().replace(turned, b'"counters": 0, ' + turned)
    transcript.write_bytes(more)
    assert turned in more and run(["replay", str(transcript)]) == 0
    assert capsys.readouterr().out == out, "an event's unknown fields are ignored"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "1:1: error: this transcript holds no events"),
        (b"\x00\xff\xfe", "1:1: error: this line is not UTF-8 text"),
        (b"[1, 2", "1:6: error: this line is not JSON [transcript]"),
        (b"[" * 20000, "1:1: error: this line is not JSON"),
        (b'{"event": "deal"}', "1:1: error: this `deal` event has no `deal`"),
        (b'{"event": "dael"}', "1:1: error: this is not an event"),
        (b'{"event": "turned", "card": "7h"}', "1:1: error: a transcript begins with a `match`"),
        (b'{"event": "turned", "card": 7}', "1:1: error: `card` of this `turned` event"),
        (b"7" * 2_000_000, "1:1: error: this line is longer than"),
    ],
)
def test_hostile_transcripts(content, message, tmp_path, capsys):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    for args in (["replay", str(path)], ["replay", "--verify", str(path)]):
        assert run(args) == 2
        assert f"{path}:{message}" in capsys.readouterr().err


@pytest.mark.parametrize("character", ["\x1b", "\x00", "\u202e", "\u2028", "\x85"])
@pytest.mark.parametrize("place", ["value", "name", "inside"])
def test_control_characters_are_refused(place, character, transcript, capsys):
    first = read_events(transcript)[0]
    if place == "inside":
        first["strategies"] = [[{"x": character}]]
    else:
        first["variant" if place == "value" else character] = character
    transcript.write_text(json.dumps(first) + "\n")
    for more in ([], ["--verify"]):
        assert run(["replay", str(transcript), *more]) == 2
        message = f"found the character U+{ord(character):04X}, expected text"
        assert capsys.readouterr().err == f"{transcript}:1:1: error: {message} [transcript]\n"


def test_a_match_of_more_than_twenty_megabytes_is_refused(transcript, capsys, monkeypatch):
    data = transcript.read_bytes()
    longest = max(len(one) for one in data.split(b'{"event": "match",')) + len(
        b'{"event": "match",'
    )
    monkeypatch.setattr("trutdsl.transcript.events.LARGEST_MATCH", longest)
    assert run(["replay", str(transcript)]) == 0
    monkeypatch.setattr("trutdsl.transcript.events.LARGEST_MATCH", longest - 1)
    assert run(["replay", str(transcript)]) == 2
    assert f"this match is longer than {longest - 1:,} bytes" in capsys.readouterr().err


@pytest.mark.parametrize(
    "change",
    [
        {"variant": "trud"},
        {"variant": "../../etc/passwd"},
        {"players": 5},
        {"seed": -1},
        {"seed": True},
        {"parameters": {"goal": 1000}},
        {"parameters": {"gaol": 7}},
        {"strategies": ["uniform"]},
    ],
)
def test_a_match_that_cannot_be_repeated_is_refused(change, transcript, capsys):
    lines = transcript.read_text(encoding="utf-8").splitlines()
    lines[0] = json.dumps(json.loads(lines[0]) | change)
    transcript.write_text("\n".join(lines))
    assert run(["replay", "--verify", str(transcript)]) == 2
    assert ": error: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        ("deal", {"dealer": 4}, "`dealer` of this `deal` event is seat 4; seats are 0 to 3"),
        ("deal", {"counters": {"longs": [0, 0, 9]}}, "counter 'longs' of this `deal` event needs"),
        ("cards", {"seat": -1}, "`seat` of this `cards` event is seat -1; seats are 0 to 3"),
        ("action", {"seat": 100}, "`seat` of this `action` event is seat 100; seats are 0 to 3"),
        ("action", {"seat": True}, "`seat` of this `action` event has the wrong type"),
        ("match", {"players": True}, "`players` of this `match` event has the wrong type"),
        ("trick", {"leader": 9}, "`leader` of this `trick` event is seat 9"),
        ("trick", {"cards": [[9, "7h"]]}, "`cards` of this `trick` event is seat 9"),
        ("trick", {"team": 2}, "`team` of this `trick` event is team 2; teams are 0 to 1"),
        ("counter", {"team": 2}, "`team` of this `counter` event is team 2"),
        ("deal_end", {"winner": 7}, "`winner` of this `deal_end` event is team 7"),
        ("match_end", {"winner": 7}, "`winner` of this `match_end` event is team 7"),
        ("match", {"teams": [0, 1, 0]}, "`teams` must hold the team of each of the 4 seats"),
        ("match", {"teams": ["a", 1, 0, 1]}, "`teams` must hold the team of each of the 4 seats"),
    ],
)
def test_seats_and_teams_that_the_table_does_not_have(kind, change, message, transcript, capsys):
    lines = transcript.read_text(encoding="utf-8").splitlines()
    number = next(i for i, line in enumerate(lines) if f'"event": "{kind}"' in line)
    lines[number] = json.dumps(json.loads(lines[number]) | change)
    transcript.write_text("\n".join(lines))
    assert run(["replay", str(transcript)]) == 2
    assert f"{transcript}:{number + 1}:1: error: {message}" in capsys.readouterr().err


EMPTY = """\
variant: empty
title: The pack is empty after the first card
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  zone hand[seat]: seen by owner

  rule match:
      deal:
          ask dealer "cut":
              cut
          repeat 3 times: draw from stock to hand[dealer]
          end deal because played
      end match drawn
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_an_error_of_the_rules_stands_behind_the_cards_of_its_deal(
    engine, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.yaml").write_text(EMPTY)
    options = ["--matches", "1", "--engine", engine, "--transcript", "empty.jsonl", "--seed", "1"]
    assert run(["simulate", "empty.yaml", *options]) == 2
    assert "is empty" in capsys.readouterr().err
    events = read_events(tmp_path / "empty.jsonl")
    assert [event["event"] for event in events] == ["match", "deal", "action", "cards"]
    assert len(events[-1]["cards"]) == 2
