"""Ctrl-C ends matches in machine code as it ends matches of the reference engine."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from forked import INTERRUPTIBLE_MAIN, Forked

from trutdsl.cli import app
from trutdsl.cli.app import run
from trutdsl.diagnostics import RunStopped
from trutdsl.language import speaking
from trutdsl.tournaments.processes import look_at

# Figures that do not depend on the division into clusters.
EXACT = ("matches", "deals", "deals_per_match", "decisions_per_deal", "wins", "draws")
TIMEOUT = 300  # seconds
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
    """Return a function that starts a command with its own cache, until the test ends."""
    started = []

    def begin(*args):
        cache = {"TRUTDSL_CACHE": str(tmp_path / "cache")}
        process = Forked(tmp_path, *args, program=INTERRUPTIBLE_MAIN, environment=cache)
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def wait_for(process, holds):
    until = time.monotonic() + TIMEOUT
    while not holds():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.01)


def find_machine_code(cache):
    """Return the cache entries that hold machine code, which is in the ELF format."""
    entries = (path for path in cache.glob("*") if path.suffix != ".part")
    return [path for path in entries if b"\x7fELF" in path.read_bytes()]


def interrupt(process):
    """Send Ctrl-C; return the exit status, standard output and standard error."""
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=TIMEOUT)
    return process.returncode, out, err


def test_without_a_finished_match_nothing_is_printed(start, tmp_path):
    mark = tmp_path / "mark"
    text = STRATEGY.format(mark=str(mark)).replace("return", "import time; time.sleep(99); return")
    (tmp_path / "marking.py").write_text(text, encoding="utf-8")
    process = start("simulate", "trut", "--strategies", "marking.py")
    wait_for(process, mark.exists)
    assert interrupt(process) == (130, "", "stopped\n")


def wait_for_processor_time(process, seconds):
    """Wait until a process has used this much more processor time."""
    before = look_at(process.pid).cpu_seconds
    wait_for(process, lambda: look_at(process.pid).cpu_seconds > before + seconds)


def count_finished(ending):
    """Return how many matches a stopped command finished; check that its figures are of these."""
    status, out, err = ending
    *_, last = err.splitlines()  # an estimate of the duration may come before it
    found = re.fullmatch(r"stopped: ([\d,]+) of 1,000,000,000 matches are finished", last)
    assert status == 130 and found, ending
    done = int(found[1].replace(",", ""))
    assert 0 < done < 10**9 and json.loads(out)["matches"] == done
    return done


def test_matches_in_machine_code(start, tmp_path, capsys):
    """The figures equal those of a run of the finished matches alone."""
    process = start("simulate", "trut", "--matches", str(10**9), "--json")
    wait_for(process, lambda: find_machine_code(tmp_path / "cache"))
    wait_for_processor_time(process, 0.3)  # enough to load the code and play some matches
    ending = interrupt(process)
    done = count_finished(ending)
    assert run(["simulate", "trut", "--matches", str(done), "--json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert {name: whole[name] for name in EXACT} == {n: json.loads(ending[1])[n] for n in EXACT}


def test_long_matches_in_machine_code(start, tmp_path):
    (tmp_path / "slow.yaml").write_text(SLOW, encoding="utf-8")
    process = start("simulate", "slow.yaml", "--matches", str(10**9), "--json")
    wait_for(process, lambda: find_machine_code(tmp_path / "cache"))
    wait_for_processor_time(process, 0.3)
    count_finished(interrupt(process))


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_matches_of_strategies(start, tmp_path, engine):
    mark = tmp_path / "mark"
    text = STRATEGY.format(mark=str(mark))
    (tmp_path / "marking.py").write_text(text, encoding="utf-8")
    many = ("--strategies", "marking.py", "--matches", str(10**9), "--engine", engine, "--json")
    bounded = ("--move-timeout", "9") if engine == "native" else ()
    process = start("simulate", "trut", *many, *bounded)
    wait_for(process, mark.exists)
    wait_for_processor_time(process, 0.3)
    count_finished(interrupt(process))


def test_a_transcript_contains_all_counted_matches(start, tmp_path):
    lines = tmp_path / "matches.jsonl"
    many = ("--matches", str(10**9), "--json", "--transcript", str(lines))
    process = start("simulate", "trut", *many)
    wait_for(process, lambda: lines.exists() and lines.read_text().count('"match_end"') > 2)
    done = count_finished(interrupt(process))
    assert lines.read_text().count('"match_end"') - done in (0, 1)


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_tournament(start, tmp_path, engine):
    many = ("--strategies", "uniform,steady", "--sets", str(10**6), "--param", "goal=1")
    log = tmp_path / "run" / "run.log"
    where = ("--engine", engine, "--jobs", "2", "--out", "run")
    process = start("tournament", "trut", *many, *where)
    wait_for(process, lambda: log.exists() and " sets 1 to " in log.read_text(errors="replace"))
    status, out, err = interrupt(process)
    assert status == 130 and " of deals, each" in out, "the standings so far"
    assert err.splitlines()[-1].endswith(
        f" of {10**6:,} sets are done and kept in run; trutdsl resume run goes on from there"
    )


def test_a_second_ctrl_c_ends_the_program_at_once():
    """It must not interrupt an import, which would then report a failure."""
    text = (
        "import os, signal\n"
        "from trutdsl.cli.output import leaving_at_once\n"
        "with leaving_at_once():\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    print('still here')\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_an_ignored_signal_stays_ignored_at_the_end():
    """`nohup` ignores SIGHUP."""
    text = (
        "import os, signal\n"
        "from trutdsl.cli.output import leaving_at_once\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "with leaving_at_once():\n"
        "    os.kill(os.getpid(), signal.SIGHUP)\n"
        "    print('still here')\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "still here\n", "")


def test_a_stop_is_told_in_french(monkeypatch, capsys):
    def stop(*_args, **_more):
        raise KeyboardInterrupt

    monkeypatch.setattr("trutdsl.game.load_game", stop)
    assert run(["simulate", "trut", "--lang", "fr"]) == 130
    assert capsys.readouterr().err == "arrêté\n"
    with speaking("fr"):
        message = "arrêté\u00a0: 1\u00a0234 séries sur 2\u00a0000 sont jouées et gardées"
        assert str(RunStopped(1234, 2000, 2)) == message


def test_ctrl_c_within_a_clean_up_is_no_error_of_output(monkeypatch, capsys):
    def interrupted(_args):
        try:
            raise KeyboardInterrupt
        finally:
            os.close(-1)  # as the clean-up of a temporary folder can do, after its own `close`

    monkeypatch.setattr(app, "_run_command", interrupted)
    assert run([]) == 130
    assert capsys.readouterr().err == "stopped\n"
