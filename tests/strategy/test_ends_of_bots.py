"""No bot outlives its match's end, with all that it has started, however that end comes."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest
from forked import MAIN, trutdsl

from trutdsl.strategy.bots import Bot, BotProcess

# Notes itself and a program that it starts, answers some questions, and goes on for ever.
BOT = """\
import json, os, subprocess, sys, time
child = subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL)
with open("pids", "a") as file:
    file.write(f"{os.getpid()} {child.pid}\\n")
print("{}", flush=True) if sys.argv[1] == "told" else None
for line in sys.stdin:
    said = json.loads(line)
    if "match" not in said:
        if sys.argv[1] == "silent":
            break
        answer = {"id": said["id"], "action": said["view"]["actions"][0]}
        print(json.dumps(answer), flush=True)
time.sleep(1000)
"""
PLAY = ("tournament", "trut", "--param", "goal=1", "--sets", "1", "--jobs", "2", "--seed", "3")
# Ends a run outright, once a bot is asked.
KILL = f"""\
import os, pathlib, signal, time
run = os.fork()
if not run:
    {MAIN.splitlines()[0]}
    main()
while not pathlib.Path("pids").exists() or not pathlib.Path("pids").read_text():
    time.sleep(0.02)
os.kill(run, signal.SIGKILL)
os.waitpid(run, 0)
"""


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def nothing_left(tmp_path):
    """After the test all that bots noted has to end; what does not is ended."""
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    yield
    pids = [int(word) for word in (tmp_path / "pids").read_text().split()]
    until = time.monotonic() + 5
    while (left := [pid for pid in pids if alive(pid)]) and time.monotonic() < until:
        time.sleep(0.02)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert pids and not left


def bot(folder, how):
    (folder / f"{how}.bot").write_text(f"{sys.executable} -SE bot.py {how}\n", encoding="utf-8")
    return f"{how}.bot"


@pytest.mark.usefixtures("nothing_left")
def test_of_a_tournament(tmp_path):
    """One goes on when it is asked no more, the other one when its time is over."""
    both = (bot(tmp_path, "answers"), bot(tmp_path, "silent"))
    given = ("--strategies", ",".join(both), "--move-timeout", "0.3")
    done = trutdsl(tmp_path, *PLAY, *given)
    assert "silent forfeited 2 matches: it took too long" in done.stdout, done


@pytest.mark.usefixtures("nothing_left")
def test_of_a_run_that_is_killed(tmp_path):
    given = (*PLAY, "--strategies", f"{bot(tmp_path, 'silent')},steady")
    assert trutdsl(tmp_path, *given, program=KILL).returncode == 0


@pytest.mark.usefixtures("nothing_left")
def test_of_a_process_that_is_killed_while_it_starts_them(tmp_path):
    """At any moment: of six processes each has come a little farther than the one before."""
    for more in range(6):
        if not (child := os.fork()):
            signal.setitimer(signal.ITIMER_REAL, 0.001 + 0.003 * more)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            BotProcess([sys.executable, "-SE", "bot.py", "silent"], tmp_path)
            time.sleep(60)
        os.waitpid(child, 0)
    BotProcess([sys.executable, "bot.py", "told"], tmp_path).read_line()  # it has noted itself


@pytest.mark.usefixtures("nothing_left")
def test_of_whoever_has_had_enough_of_waiting(tmp_path):
    def enough(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, enough)
    process = BotProcess([sys.executable, "bot.py", "told"], tmp_path)
    process.read_line()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(TimeoutError):
            Bot(process, None).answer()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert process.over
