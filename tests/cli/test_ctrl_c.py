"""Ctrl-C ends what is played in machine code as it ends what the reference engine plays."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from trutdsl.cli.app import run
from trutdsl.tournaments.processes import look_at

# A process started in the background of a shell has SIGINT ignored; here it is to be received.
START = """\
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from trutdsl.cli import main
main()
"""
# What is the same however matches are put into clusters.
EXACT = ("matches", "deals", "deals_per_match", "decisions_per_deal", "wins", "draws")
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


def code_in(cache):
    """Return the entries of a cache that hold machine code, an object file in the ELF format."""
    entries = (path for path in cache.glob("*") if path.suffix != ".part")
    return [path for path in entries if b"\x7fELF" in path.read_bytes()]


def interrupted(process):
    """Send Ctrl-C; return the exit status, standard output and standard error."""
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=HANGS)
    return process.returncode, out, err


def test_nothing_is_finished(start, tmp_path):
    mark = tmp_path / "mark"
    text = STRATEGY.format(mark=str(mark)).replace("return", "import time; time.sleep(99); return")
    (tmp_path / "marking.py").write_text(text, encoding="utf-8")
    process = start("simulate", "trut", "--strategies", "marking.py")
    wait_for(process, mark.exists)
    assert interrupted(process) == (130, "", "stopped\n")


def play_on(process, seconds):
    """Wait until a process has used so much more processor time."""
    before = look_at(process.pid).used
    wait_for(process, lambda: look_at(process.pid).used > before + seconds)


def finished_in(told):
    """Return how many matches a stopped command has finished, of which it gives the figures."""
    status, out, err = told
    *_, last = err.splitlines()  # before it stands how long all would take, where that is known
    found = re.fullmatch(r"stopped: ([\d,]+) of 1,000,000,000 matches are finished", last)
    assert status == 130 and found, told
    done = int(found[1].replace(",", ""))
    assert 0 < done < 10**9 and json.loads(out)["matches"] == done
    return done


def test_matches_in_machine_code(start, tmp_path, capsys):
    """The figures of what is finished are those of so many matches."""
    process = start("simulate", "trut", "--matches", str(10**9), "--json")
    wait_for(process, lambda: code_in(tmp_path / "cache"))
    play_on(process, 0.3)  # from the code that was just kept to the matches, and some of them
    told = interrupted(process)
    done = finished_in(told)
    assert run(["simulate", "trut", "--matches", str(done), "--json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert {name: whole[name] for name in EXACT} == {n: json.loads(told[1])[n] for n in EXACT}


def test_long_matches_in_machine_code(start, tmp_path):
    (tmp_path / "slow.yaml").write_text(SLOW, encoding="utf-8")
    process = start("simulate", "slow.yaml", "--matches", str(10**9), "--json")
    wait_for(process, lambda: code_in(tmp_path / "cache"))
    play_on(process, 0.3)
    finished_in(interrupted(process))


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_matches_of_strategies(start, tmp_path, engine):
    mark = tmp_path / "mark"
    text = STRATEGY.format(mark=str(mark))
    (tmp_path / "marking.py").write_text(text, encoding="utf-8")
    many = ("--strategies", "marking.py", "--matches", str(10**9), "--engine", engine, "--json")
    bounded = ("--move-timeout", "9") if engine == "native" else ()
    process = start("simulate", "trut", *many, *bounded)
    wait_for(process, mark.exists)
    play_on(process, 0.3)
    finished_in(interrupted(process))


def test_a_transcript_has_all_matches_that_are_counted(start, tmp_path):
    lines = tmp_path / "matches.jsonl"
    many = ("--matches", str(10**9), "--json", "--transcript", str(lines))
    process = start("simulate", "trut", *many)
    wait_for(process, lambda: lines.exists() and lines.read_text().count('"match_end"') > 2)
    done = finished_in(interrupted(process))
    assert lines.read_text().count('"match_end"') - done in (0, 1)


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


def test_one_more_ctrl_c_while_the_standings_are_told_ends_all_at_once():
    """And not in the middle of an import, which would then say that it cannot be done."""
    text = (
        "import os, signal\n"
        "from trutdsl.cli.output import leaving_at_once\n"
        "with leaving_at_once():\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    print('still here')\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
