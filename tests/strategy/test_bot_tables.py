"""Bots that play several matches at once: the same results, and a fault loses only one match."""

import sys

import pytest

from trutdsl.cli.app import run
from trutdsl.game import load_game
from trutdsl.strategy import bots, play
from trutdsl.strategy.legs import read_leg
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.spec import StrategyError
from trutdsl.tournaments.move_clock import OwnClock

ANSWER = """\
import json, os, sys, time
asked = {}
for line in sys.stdin:
    said = json.loads(line)
    if "match" in said:
        asked[said.get("table")] = 0
        continue
    at, actions, luck = said.get("table"), said["view"]["actions"], said["luck"]
    asked[at] += 1
    answer = {"id": said["id"], "action": actions[(asked[at] + luck) % len(actions)]}
"""
SAY = "    print(json.dumps(answer), flush=True)\n"
FAULTS = {
    "ends": "    if luck % 150 == 7: sys.exit(3)\n" + SAY,
    "silent": "    if luck % 900 == 7: time.sleep(1000)\n" + SAY,
    "babbles": "    if luck % 150 == 7: os.write(1, b'x' * 20000)\n" + SAY,
    "illegal": "    if luck % 150 == 7: answer['action'] = 'no'\n" + SAY,
    "twice": "    if luck % 150 == 7: print(json.dumps(answer))\n" + SAY,
}
MATCHES = 7


@pytest.fixture(autouse=True)
def no_earlier_failures(monkeypatch):
    monkeypatch.setattr(play, "_failed", set())


def write_bot(folder, body, many):
    """Write a bot in Python for this number of tables; return its path."""
    folder /= str(many)
    folder.mkdir(exist_ok=True)
    (folder / "b.py").write_text(ANSWER + body)
    path = folder / "b.bot"
    path.write_text(f"# A bot.\n{f'tables: {many}' if many else ''}\n{sys.executable} b.py\n")
    return str(path)


def play_matches(refs, matches=MATCHES):
    """Return the row of each match, or the seat and the kind of its failure."""
    game, meeting, found = load_game("trut", 2, engine="native"), list(map(load_strategy, refs)), []
    while len(found) < matches:
        try:
            for rows in read_leg(game, meeting, (0, 1), 1, len(found), matches - len(found)):
                found += rows.tolist()
        except StrategyError as failed:
            found.append((failed.seat, failed.kind))
    return found


def test_the_number_of_tables_does_not_change_results(tmp_path, monkeypatch):
    most, write_out = [], bots.BotProcess._write_out

    def note(process):
        most.append(process._unwritten.count(b'{"id"'))
        write_out(process)

    expected = play_matches([write_bot(tmp_path, SAY, 0)] * 2)
    assert len({str(row) for row in expected}) > 3
    monkeypatch.setattr(bots.BotProcess, "_write_out", note)
    for many in (1, 6):
        most.clear()
        assert play_matches([write_bot(tmp_path, SAY, many)] * 2) == expected
        assert max(most) <= max(many, 1) and (max(most) > 2) == (many > 2)
    assert play_matches([write_bot(tmp_path, SAY, 8), "steady"]) == play_matches(
        [write_bot(tmp_path, SAY, 0), "steady"]
    )


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_at_one_table_loses_one_match(fault, tmp_path, monkeypatch):
    monkeypatch.setattr(bots, "SILENCE", 0.4 if fault == "silent" else 60.0)
    expected = play_matches([write_bot(tmp_path, FAULTS[fault], 0), "uniform"])
    assert 0 < sum(isinstance(row, tuple) for row in expected) < MATCHES
    assert play_matches([write_bot(tmp_path, FAULTS[fault], 4), "uniform"]) == expected


@pytest.mark.parametrize("silence", [0.2, 60.0])
@pytest.mark.parametrize("body", ["    time.sleep(1000)\n", "    time.sleep(0)\n"])
def test_both_clocks_report_a_silent_bot_alike(silence, body, tmp_path, monkeypatch):
    monkeypatch.setattr(bots, "SILENCE", silence)
    game, meeting = (
        load_game("trut", 2, engine="reference"),
        [load_strategy(ref) for ref in (write_bot(tmp_path, body, 0), "uniform")],
    )
    with OwnClock(meeting, 0.5), pytest.raises(StrategyError) as failed:
        list(read_leg(game, meeting, (0, 1), 1, 0, 2))
    assert (failed.value.seat, failed.value.kind) == (0, "took too long")


def test_a_bot_that_confuses_matches_is_detected(tmp_path):
    body = "    asked['all'] = asked.get('all', 0) + 1\n"
    body += "    if at and asked['all'] % 9 == 0: answer['action'] = actions[-1]\n"
    body += "    if asked['all'] > 20 and at is not None: answer['action'] = actions[0]\n" + SAY
    (failed, *_) = play_matches([write_bot(tmp_path, body, 4), "uniform"], 1)
    assert failed == (0, "does not choose the same again")


def test_a_bot_beside_a_python_strategy_plays_one_match_at_a_time(tmp_path):
    (tmp_path / "p.py").write_text(
        "class P:\n    def choose(self, view):\n        return view.actions[0]\n"
    )
    many = load_strategy(write_bot(tmp_path, SAY, 8))
    game = load_game("trut", 2, engine="reference")
    assert play.tables_for(game, [many, load_strategy("steady")]) == 8
    assert play.tables_for(game, [many, load_strategy(str(tmp_path / "p.py"))]) == 0


@pytest.mark.parametrize("many", ["0", "257"])
def test_an_impossible_number_of_tables_is_refused(many, tmp_path, capsys):
    (tmp_path / "x.bot").write_text(f"# X.\ntables: {many}\nsh x.sh\n")
    ref = str(tmp_path / "x.bot")
    assert run(["simulate", "trut", "--strategies", ref, "--matches", "1"]) == 2
    error = capsys.readouterr().err
    assert f"x.bot:2:1: error: a bot plays at 1 to 256 tables at once, not at {many}" in error
