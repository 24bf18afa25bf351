"""`check --watch` checks again after each change, until Ctrl-C."""

import signal
import time

import pytest
from forked import INTERRUPTIBLE_MAIN, Forked, trutdsl

BASE = "variant: base\ntitle: Base\nextends: trut\nset: {goal: 3}\n"
HOUSE = "variant: house\ntitle: House\nextends: base.yaml\n"
TIMEOUT = 60  # seconds


@pytest.fixture
def watch(tmp_path):
    """Return a function that starts a check; its process ends with the test."""
    started = []

    def begin(*args):
        process = Forked(tmp_path, "check", "--watch", *args, program=INTERRUPTIBLE_MAIN)
        started.append(process)
        return process, process.out, process.err

    yield begin
    for process in started:
        process.kill()
        process.communicate()


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
    assert process.communicate()[1].endswith("stopped\n")
    assert process.returncode == 130


def test_watch_prints_what_check_prints(watch, tmp_path):
    (tmp_path / "wrong.yaml").write_text("variant: wrong\n")
    process, out, _ = watch("wrong.yaml", "--json", "-q")
    wait_for(out, "missing", 1)
    process.send_signal(signal.SIGINT)
    outputs = process.communicate()
    assert process.returncode == 130
    once = trutdsl(tmp_path, "check", "wrong.yaml", "--json")
    assert once.returncode == 2
    assert outputs == (once.stdout, "stopped\n")
