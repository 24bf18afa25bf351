"""`check --watch` checks again after each change, until Ctrl-C."""

import os
import signal
import subprocess
import sys
import time

import pytest
from forked import INTERRUPTIBLE_MAIN

BASE = "variant: base\ntitle: Base\nextends: trut\nset: {goal: 3}\n"
HOUSE = "variant: house\ntitle: House\nextends: base.yaml\n"
TIMEOUT = 60  # seconds


@pytest.fixture
def watch(tmp_path):
    """Return a function that starts a check; its process ends with the test."""
    started = []

    def begin(*args):
        out, err = (tmp_path / name for name in ("out.txt", "err.txt"))
        with out.open("w") as stdout, err.open("w") as stderr:
            process = subprocess.Popen(
                [sys.executable, "-c", INTERRUPTIBLE_MAIN, "check", "--watch", *args],
                cwd=tmp_path,
                stdout=stdout,
                stderr=stderr,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            )
        started.append(process)
        return process, out, err

    yield begin
    for process in started:
        process.kill()
        process.wait()


def wait_for(path, text, times):
    until = time.monotonic() + TIMEOUT
    while path.read_text().count(text) < times:
        assert time.monotonic() < until, f"{text!r} {times} times in: {path.read_text()}"
        time.sleep(0.05)


def test_a_change_of_the_file_or_its_base_repeats_the_check(watch, tmp_path):
    house, base = tmp_path / "house.yaml", tmp_path / "base.yaml"
    house.write_text(HOUSE)
    process, out, err = watch("house.yaml")
    wait_for(err, "watching 2 files", 1)  # one of them is missing
    assert "there is no file 'base.yaml'" in err.read_text() and out.read_text() == ""
    base.write_text(BASE)
    wait_for(out, "house.yaml: ok", 1)
    base.write_text(BASE.replace("goal: 3", "goal: 0"))
    wait_for(err, "base.yaml:4:", 1)
    wait_for(err, "watching", 3)
    time.sleep(1.2)
    assert err.read_text().count("watching") == 3, "nothing has changed"
    house.write_text(HOUSE.replace("base.yaml", "trut"))
    wait_for(out, "house.yaml: ok", 2)
    process.send_signal(signal.SIGINT)
    assert process.wait(TIMEOUT) == 130
    assert err.read_text().endswith("stopped\n")


def test_watch_prints_what_check_prints(watch, tmp_path):
    (tmp_path / "wrong.yaml").write_text("variant: wrong\n")
    process, out, err = watch("wrong.yaml", "--json", "-q")
    wait_for(out, "missing", 1)
    process.send_signal(signal.SIGINT)
    assert process.wait(TIMEOUT) == 130
    command = [sys.executable, "-m", "trutdsl", "check", "wrong.yaml", "--json"]
    once = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert once.returncode == 2
    assert (out.read_text(), err.read_text()) == (once.stdout, "stopped\n")
