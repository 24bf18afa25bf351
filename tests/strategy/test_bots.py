"""Faulty bots: one line describes each fault, and none hangs the program."""

import os
import re
import sys
import time
from pathlib import Path

import pytest

from trutdsl.cli.app import run
from trutdsl.diagnostics import Rejected
from trutdsl.game import load_game
from trutdsl.options import Means, Settings
from trutdsl.report.tournament_text import OF_BOTS
from trutdsl.strategy import bots
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.strategy.spec import StrategyError
from trutdsl.tournaments.load import load_run
from trutdsl.tournaments.run import play_run

ANSWER = """\
import json, os, sys, time
for line in sys.stdin:
    said = json.loads(line)
    if "match" in said:
        continue
    answer = {"id": said["id"], "action": said["view"]["actions"][0]}
"""
SAY = "    print(json.dumps(answer), flush=True)\n"
FAULTS = {
    "ends": ("    sys.exit(3)\n", ": it ended with exit code 3"),
    "leaves a process": (
        "    if os.fork(): os._exit(4)\n    time.sleep(1000)\n",
        "it ended with exit code 4",
    ),
    "killed": ("    os.kill(os.getpid(), 9)\n", "it ended by signal 9"),
    "silent": ("    time.sleep(1000)\n", "it said nothing for 0.5 seconds"),
    "closes": ("    os.close(1); time.sleep(1000)\n", "it closed its standard output"),
    "half a line": ("    os.write(1, b'{'); time.sleep(1000)\n", "it said nothing for 0.5"),
    "leaves its group": (
        "    os.setsid()\n    print('no', flush=True)\n    time.sleep(1000)\n",
        ": it wrote no JSON: 'no'",
    ),
    "long line": (
        "    answer['x'] = 'x' * 12_000\n    os.write(1, json.dumps(answer).encode() + b'\\n')\n",
        "a line of more than 10,000 bytes",
    ),
    "babbles": ("    while True: os.write(1, b'x' * 1000)\n", "a line of more than 10,000 bytes"),
    "no JSON": ("    print('fold\\x1b', flush=True)\n", ": it wrote no JSON: 'fold\\x1b'"),
    "no action": ("    print('[]', flush=True)\n", "it wrote no object with an action: '[]'"),
    "deep": ("    print('[' * 9000, flush=True)\n", "it wrote no JSON: '[[["),
    "another question": (
        "    answer['id'] += 1\n" + SAY,
        "it was asked question 0, and answered 1",
    ),
    "twice": (SAY + SAY, "it was asked question 1, and answered 0"),
    "illegal": (
        "    answer['action'] = 'trutt'\n" + SAY,
        "it returned 'trutt'; did you mean 'trut'",
    ),
}


def write_bot(folder, body, name="b"):
    """Write a bot in Python; return its path."""
    (folder / f"{name}.py").write_text(ANSWER + body)
    path = folder / f"{name}.bot"
    path.write_text(f"# A bot.\n{sys.executable} {name}.py\n")
    return str(path)


@pytest.fixture
def short_timeout(monkeypatch):
    monkeypatch.setattr(bots, "SILENCE", 0.5)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.usefixtures("short_timeout")
def test_a_faulty_bot_is_reported_in_one_line(fault, tmp_path, capsys, monkeypatch):
    if "0.5" not in FAULTS[fault][1]:
        monkeypatch.setattr(bots, "SILENCE", 60.0)
    monkeypatch.setattr(bots, "SILENCE_OF_OTHERS", 0.05)
    ref = write_bot(tmp_path, FAULTS[fault][0])
    assert run(["simulate", "trut", "--strategies", ref, "--matches", "1"]) == 1
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert f"error: strategy 'b' ({ref})" in error
    assert FAULTS[fault][1] in error
    assert "in match 1, deal " in error
    assert not re.search("ProcessFailed|ProcessSilent|BotError", error)


def test_a_command_that_cannot_be_run_is_reported_in_french(tmp_path, capsys):
    (tmp_path / "b.bot").write_text("no-such-program\n")
    ref = str(tmp_path / "b.bot")
    assert run(["simulate", "trut", "--strategies", ref, "--matches", "1", "--lang", "fr"]) == 1
    end = "sa commande ne peut pas être exécutée : no-such-program : ce fichier n'existe pas\n"
    assert capsys.readouterr().err.replace("\u00a0", " ").endswith(end)
    with pytest.raises(StrategyError) as failed:
        play_match(load_game("trut", 2), [load_strategy(ref), load_strategy("uniform")], 1, 0)
    assert OF_BOTS[failed.value.kind] == "cannot be run"


def test_a_bot_that_changes_after_the_start_of_a_run_does_not_play(tmp_path):
    ref = write_bot(tmp_path, SAY)
    settings = Settings(variant="trut", strategies=(ref, "quiet"), sets=1, seed=1)
    begun = load_run(settings, Means(out=str(tmp_path / "run"), jobs=1))
    write_bot(tmp_path, SAY + "# another one\n")
    with pytest.raises(Rejected, match="this program has changed since the run began"):
        play_run(begun)


def test_a_bot_may_write_to_a_file_that_its_command_names(tmp_path):
    """Each seat has a process; the second one starts after the first has written."""
    ref = write_bot(tmp_path, "    print(line, file=open('bot.log', 'a'))\n" + SAY)
    log = tmp_path / "bot.log"
    log.touch()
    Path(ref).write_text(Path(ref).read_text().replace("b.py", "b.py --log bot.log"))
    bot, uniform = load_strategy(ref), load_strategy("uniform")
    sizes = []
    for seating in ([bot, uniform], [uniform, bot]):
        play_match(load_game("trut", 2), seating, 1, 0)
        sizes.append(log.stat().st_size)
    assert 0 < sizes[0] < sizes[1]


@pytest.mark.usefixtures("short_timeout")
def test_a_bot_that_reads_nothing_does_not_hang_the_match(tmp_path):
    """It answers without reading, until the pipe is full of questions."""
    body = "    for i in range(10 ** 6):\n        answer['id'] = i\n    " + SAY
    spec = load_strategy(write_bot(tmp_path, body.replace("['actions'][0]", "")))
    game = load_game("trut", 2, engine="native")
    with pytest.raises(StrategyError, match=r"reads no more questions|no legal action"):
        for match in range(1000):
            play_match(game, [spec, load_strategy("uniform")], 1, match)


def test_a_failed_bot_is_restarted(tmp_path):
    """A failure affects only its own match."""
    spec = load_strategy(write_bot(tmp_path, "    if said['luck'] % 400 == 7: sys.exit()\n" + SAY))
    game, failed, played = load_game("trut", 2, engine="native"), 0, 0
    for match in range(12):
        try:
            play_match(game, [spec, load_strategy("quiet")], 1, match)
            played += 1
        except StrategyError:
            failed += 1
    assert failed >= 2
    assert played >= 2


def test_each_seat_has_one_process_for_all_matches(tmp_path):
    note = (
        "    print(os.getpid(), said['view']['zones']['hand'].index('?'), file=open('seen', 'a'))\n"
    )
    spec = load_strategy(write_bot(tmp_path, note + SAY))
    game = load_game("trut", 2, engine="native")
    for match in range(3):
        play_match(game, [spec, spec], 1, match)
    seen = {tuple(line.split()) for line in (tmp_path / "seen").read_text().splitlines()}
    assert len(seen) == len({pid for pid, _ in seen}) == 2


def test_equal_bots_in_two_folders_have_a_process_each(tmp_path):
    """Their programs may load different files, such as weights beside them."""
    processes = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / f"{folder}.bot"
        path.write_text("sleep 1000\n")
        processes.append(load_strategy(str(path)).make("", 0).process)
    assert processes[0] is not processes[1]


def test_child_processes_end_with_their_bot(tmp_path):
    child = "    import subprocess\n    child = subprocess.Popen(['sleep', '1000'])\n"
    child += "    print(child.pid, file=open('p', 'w'), flush=True)\n"
    ref = write_bot(tmp_path, child + "    print('no', flush=True)\n    time.sleep(1000)\n")
    assert run(["simulate", "trut", "--strategies", f"{ref},uniform", "--matches", "1"]) == 1
    pid = int((tmp_path / "p").read_text())
    for _ in range(1000):
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text().split()[2]
        except OSError:
            break
        if state == "Z":
            break
        time.sleep(0.01)
    else:
        raise AssertionError("the child process still runs")


FILES = {
    "": ("x.bot:1:1: error: a bot's file holds one command, not 0", 2),
    "a\nb\n": ("x.bot:2:1: error: a bot's file holds one command, not 2", 2),
    "a 'b\n": (
        "x.bot:1:1: error: the command has a quotation mark that is not closed, or ends with",
        2,
    ),
    "tables: many\na\n": (
        "x.bot:1:1: error: a bot plays at 1 to 256 tables at once, not at many",
        2,
    ),
    "tables: -1\na\n": ("x.bot:1:1: error: a bot plays at 1 to 256 tables at once, not at -1", 2),
    "tables:\na\n": ("x.bot:1:1: error: a bot plays at 1 to 256 tables at once, not at nothing", 2),
    "no-such-program-at-all\n": (
        "player 1 in match 1: its command cannot be run: no-such-program-at-all: No such file",
        1,
    ),
}


@pytest.mark.parametrize("text", FILES)
def test_a_file_without_a_bot_is_refused(text, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("x.bot").write_text(text)
    message, code = FILES[text]
    assert run(["simulate", "trut", "--strategies", "x.bot", "--matches", "1"]) == code
    assert message in capsys.readouterr().err


def test_the_fingerprint_of_a_bot_includes_its_files(tmp_path):
    ref = write_bot(tmp_path, SAY)
    first = load_strategy(ref)
    assert (first.name, first.summary) == ("b", "A bot.")
    assert load_strategy(ref).fingerprint == first.fingerprint
    (tmp_path / "b.py").write_text(ANSWER + SAY + "\n")
    assert load_strategy(ref).fingerprint != first.fingerprint


def test_unreadable_words_of_a_command_are_ignored(tmp_path):
    (tmp_path / "memory.bin").symlink_to("/proc/1/mem")
    ref = tmp_path / "odd.bot"
    ref.write_text(f"./play memory.bin {'x' * 300} {'../' * 2_000}", encoding="utf-8")
    assert load_strategy(str(ref)).name == "odd"
