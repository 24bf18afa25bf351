"""Ctrl-C ends what is played in machine code as it ends what the reference engine plays."""

import os
import signal
import subprocess
import sys
import time

import pytest

# A process started in the background of a shell has SIGINT ignored; here it is to be received.
START = """\
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from trutdsl.cli import main
main()
"""
HANGS = 300  # seconds after which a process is thought to wait for ever
SLOW = """\
variant: slow
title: A match of very many deals
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K, Q, J]}
rules: |
  zone stock: pile, starts with pack_cards

  rule match "Nothing but shuffling.":
      repeat 900000 times:
          deal:
              shuffle stock
              ask dealer "going":
                  go_on
              end deal because shuffled
      end match drawn
"""
STRATEGY = """\
from pathlib import Path

class Marking:
    def choose(self, view):
        Path({mark!r}).touch()
        return view.actions[view.random.below(len(view.actions))]
"""


@pytest.fixture
def start(tmp_path):
    """Start a command with a cache of its own; it is ended whatever becomes of the test."""
    started = []

    def begin(*args):
        process = subprocess.Popen(
            [sys.executable, "-c", START, *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=os.environ
            | {"PYTHONPATH": os.pathsep.join(sys.path), "TRUTDSL_CACHE": str(tmp_path / "cache")},
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def wait_for(process, holds):
    until = time.monotonic() + HANGS
    while not holds():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.01)


def kept_in(cache):
    """Return the entries of a cache that are written to their end."""
    return [path for path in cache.glob("*") if path.suffix != ".part"]


def interrupted(process):
    """Send Ctrl-C; return the exit status, standard output and standard error."""
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=HANGS)
    return process.returncode, out, err


@pytest.mark.parametrize("variant", ["trut", "slow.yaml"])
def test_matches_in_machine_code(start, tmp_path, variant):
    (tmp_path / "slow.yaml").write_text(SLOW, encoding="utf-8")
    process = start("simulate", variant, "--matches", str(10**9))
    wait_for(process, lambda: kept_in(tmp_path / "cache"))
    time.sleep(0.3)  # from the code that was just kept to the matches
    assert interrupted(process) == (130, "", "stopped\n")


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_matches_of_strategies(start, tmp_path, engine):
    mark = tmp_path / "mark"
    (tmp_path / "marking.py").write_text(STRATEGY.format(mark=str(mark)), encoding="utf-8")
    many = ("--strategies", "marking.py", "--matches", str(10**9), "--engine", engine)
    process = start("simulate", "trut", *many)
    wait_for(process, mark.exists)
    assert interrupted(process) == (130, "", "stopped\n")


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_tournament(start, tmp_path, engine):
    many = ("--strategies", "uniform,steady", "--sets", str(10**6), "--param", "goal=1")
    log = tmp_path / "run" / "run.log"
    where = ("--engine", engine, "--jobs", "2", "--out", "run")
    process = start("tournament", "trut", *many, *where)
    wait_for(process, lambda: log.exists() and " sets 1 to " in log.read_text(errors="replace"))
    status, out, err = interrupted(process)
    assert status == 130 and " of deals, each" in out, "the standings so far"
    assert err.splitlines()[-1].endswith(
        f" of {10**6} sets are done and kept in run; trutdsl resume run goes on from there"
    )
