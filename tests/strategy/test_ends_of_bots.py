"""Bots and their child processes end with the program, however it ends."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest
from forked import MAIN, trutdsl

from trutdsl.strategy.bots import Bot, BotProcess

# Writes its process ID and that of a child, answers questions, and never ends.
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
# Kills a run as soon as a bot has started.
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


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def no_process_remains(tmp_path):
    """After the test, check that all processes of the bots end; kill the others."""
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    yield
    pids = [int(word) for word in (tmp_path / "pids").read_text().split()]
    until = time.monotonic() + 5
    while (left := [pid for pid in pids if is_alive(pid)]) and time.monotonic() < until:
        time.sleep(0.02)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert pids and not left


def write_bot(folder, how):
    (folder / f"{how}.bot").write_text(f"{sys.executable} -SE bot.py {how}\n", encoding="utf-8")
    return f"{how}.bot"


@pytest.mark.usefixtures("no_process_remains")
def test_bots_end_with_a_tournament(tmp_path):
    """One bot runs on after the last question, the other one after a timeout."""
    both = (write_bot(tmp_path, "answers"), write_bot(tmp_path, "silent"))
    options = ("--strategies", ",".join(both), "--move-timeout", "0.3")
    done = trutdsl(tmp_path, *PLAY, *options)
    assert "silent forfeited 2 matches: it took too long" in done.stdout, done


@pytest.mark.usefixtures("no_process_remains")
def test_bots_end_with_a_killed_run(tmp_path):
    options = (*PLAY, "--strategies", f"{write_bot(tmp_path, 'silent')},steady")
    assert trutdsl(tmp_path, *options, program=KILL).returncode == 0


@pytest.mark.usefixtures("no_process_remains")
def test_bots_end_with_a_process_that_is_killed_while_it_starts_them(tmp_path):
    """Each of six processes is killed a little later than the one before."""
    for more in range(6):
        if not (child := os.fork()):
            signal.setitimer(signal.ITIMER_REAL, 0.001 + 0.003 * more)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            BotProcess([sys.executable, "-SE", "bot.py", "silent"], tmp_path)
            time.sleep(60)
        os.waitpid(child, 0)
    BotProcess([sys.executable, "bot.py", "told"], tmp_path).read_line()  # it has written its ID


@pytest.mark.usefixtures("no_process_remains")
def test_a_bot_ends_when_its_caller_times_out(tmp_path):
    def raise_timeout(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, raise_timeout)
    process = BotProcess([sys.executable, "bot.py", "told"], tmp_path)
    process.read_line()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(TimeoutError):
            Bot(process, None).answer()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert process.over
