"""A request to terminate ends commands as Ctrl-C does: with a word, and nothing left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMPILING = ["compare", "trut", "trut-gatinaise", "--sets", "40", "--strategies", "uniform"]
TOURNAMENT = ["tournament", "trut", "--strategies", "steady,quiet", "--sets", "200", "--seed", "3"]
SLEEPER = """\
import os, time
class A:
    def choose(self, view):
        open("begun", "w").close()
        time.sleep(1000)
"""
NUMBERS = (signal.SIGINT, signal.SIGTERM)
HANGS = 120  # seconds after which a process is thought to wait for ever
# A process started in the background of a shell has SIGINT ignored; here it is to be received.
START = """\
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from trutdsl.cli import main
main()
"""


def children_of(process):
    """Return the processes that it has started and that are still there."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True)
    return found.stdout.split()


def stopped(folder, command, number, ready):
    """Start a command, send it a signal once it is ready; return what became of it."""
    process = subprocess.Popen(
        [sys.executable, "-c", START, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join(sys.path), "TRUTDSL_CACHE": str(folder / "cache")},
    )
    try:
        until = time.monotonic() + HANGS
        while not ready(process):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until
            time.sleep(0.01)
        children = children_of(process)
        process.send_signal(number)
        _, said = process.communicate(timeout=HANGS)
    finally:
        process.kill()
        process.communicate()
    left = [pid for pid in children if Path(f"/proc/{int(pid)}").exists()]
    return process.returncode, said, left


def compiles_ahead(process):
    return len(children_of(process)) > 1


@pytest.mark.parametrize("number", NUMBERS)
def test_while_a_comparison_compiles_ahead(number, tmp_path):
    command = [*COMPILING, "--jobs", "2", "--out", "out"]
    code, said, left = stopped(tmp_path, command, number, compiles_ahead)
    assert (code, left) == (128 + number, [])
    assert said.splitlines()[-1] == "stopped; what is finished is kept in out"
    assert said.count("stopped") == 1


def begun(process):
    return Path(f"/proc/{process.pid}/cwd/out/run.log").exists()


@pytest.mark.parametrize("number", NUMBERS)
def test_a_tournament_that_has_begun_can_be_resumed(number, tmp_path):
    from trutdsl.cli.app import run

    command = [*TOURNAMENT, "--jobs", "2", "--out", "out"]
    code, said, left = stopped(tmp_path, command, number, begun)
    assert (code, left) == (128 + number, []), said
    assert said.count("stopped") == 1
    assert run(["resume", str(tmp_path / "out"), "--jobs", "1"]) == 0
    assert run(["verify", str(tmp_path / "out"), "--jobs", "1"]) == 0


@pytest.mark.parametrize("number", NUMBERS)
def test_while_a_strategy_is_asked_it_is_no_fault_of_the_strategy(number, tmp_path):
    (tmp_path / "a.py").write_text(SLEEPER)
    command = ["simulate", "trut", "--strategies", "a.py", "--matches", "1", "--seed", "1"]
    ready = (tmp_path / "begun").exists
    assert stopped(tmp_path, command, number, lambda _: ready()) == (128 + number, "stopped\n", [])
