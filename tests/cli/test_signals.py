"""SIGTERM ends commands as Ctrl-C does: with one word, and without processes left over."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from extent import extent
from forked import INTERRUPTIBLE_MAIN, Forked

from trutdsl import cli
from trutdsl.cli import output, stop_at_once
from trutdsl.cli.output import interruptible, stopped_code
from trutdsl.tournaments.processes import StopRequest, look_at

# Commands that a signal stops must not end before it, not even on a fast machine.
COMPILING = ["compare", "trut", "trut-gatinaise", "--sets", "10000000", "--strategies", "uniform"]
TOURNAMENT = ["tournament", "trut", "--strategies", "steady,quiet", "--seed", "3", "--sets"]
SLEEPER = """\
import os, time
class A:
    def choose(self, view):
        open("begun", "w").close()
        time.sleep(1000)
"""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
HANDLED = 1 << (signal.SIGHUP - 1)  # the last signal that a command begins to handle
TIMEOUT = 120  # seconds


@pytest.fixture(autouse=True)
def forget_signals():
    """Let this test and later ones begin as a command does."""
    cli.stop_is_told = False
    yield
    output._received.append(signal.SIGINT)


def has_begun(process):
    """Tell whether a command handles signals; before, they end it without a word."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"SigCgt:\s*(\w+)", status)[1], 16) & HANDLED


def wait_until(ready, process):
    until = time.monotonic() + TIMEOUT
    while not ready(process):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.01)


def list_children(process):
    """Return the numbers of the running child processes."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True)
    return found.stdout.split()


# Sends a second signal right after the message about the first one.
AGAIN = f"""\
import os, signal, typer
echo = typer.echo

def echo_and_signal(text="", *args, **more):
    echo(text, *args, **more)
    if str(text).startswith("stopped"):
        os.kill(os.getpid(), signal.SIGTERM)

typer.echo = echo_and_signal
{INTERRUPTIBLE_MAIN}
"""


def start_and_signal(folder, command, number, ready, program=INTERRUPTIBLE_MAIN):
    """Start a command, and signal it once it is ready.

    Return its exit code, its errors and the child processes that still run.
    """
    cache = {"TRUTDSL_CACHE": str(folder / "cache")}
    process = Forked(folder, *command, program=program, environment=cache)
    try:
        wait_until(ready, process)
        children = list_children(process)
        process.send_signal(number)
        _, errors = process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
        process.communicate()
    running = [pid for pid in children if Path(f"/proc/{int(pid)}").exists()]
    return process.returncode, errors, running


def is_compiling(process):
    return len(list_children(process)) > 1


@pytest.mark.parametrize("number", extent(SIGNALS[1:2], SIGNALS))
def test_a_signal_while_a_comparison_compiles_ahead(number, tmp_path):
    command = [*COMPILING, "--jobs", "2", "--out", "out"]
    code, errors, running = start_and_signal(tmp_path, command, number, is_compiling)
    assert (code, running) == (128 + number, [])
    assert errors.splitlines()[-1] == "stopped; what is finished is kept in out"
    assert errors.count("stopped") == 1


def has_log(process):
    return Path(f"/proc/{process.pid}/cwd/out/run.log").exists()


@pytest.mark.parametrize("number", extent(SIGNALS[:1], SIGNALS))
def test_an_interrupted_tournament_can_be_resumed(number, tmp_path):
    from trutdsl.cli.app import run

    command = [*TOURNAMENT, "20000", "--jobs", "2", "--out", "out"]
    code, errors, running = start_and_signal(tmp_path, command, number, has_log)
    assert (code, running) == (128 + number, []), errors
    assert errors.count("stopped") == 1
    assert run(["resume", str(tmp_path / "out"), "--jobs", "1"]) == 0
    assert run(["verify", str(tmp_path / "out"), "--jobs", "1"]) == 0


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_during_a_choice_is_no_fault_of_the_strategy(number, tmp_path):
    (tmp_path / "a.py").write_text(SLEEPER)
    command = ["simulate", "trut", "--strategies", "a.py", "--matches", "1", "--seed", "1"]
    ready = (tmp_path / "begun").exists
    assert start_and_signal(tmp_path, command, number, lambda _: ready()) == (
        128 + number,
        "stopped\n",
        [],
    )


def is_busy(process):
    """Tell whether a process and its children have used some processor time."""
    pids = [process.pid, *map(int, list_children(process))]
    return sum(look.cpu_seconds for pid in pids if (look := look_at(pid))) > 0.3


PLANNING = ["plan", *TOURNAMENT[1:4], "--detect", "0.01", "--pilot", "100000000"]


@pytest.mark.parametrize(
    ("command", "ready"),
    [
        ([*COMPILING, "--jobs", "2", "--out", "out"], is_compiling),
        ([*TOURNAMENT, "100000000", "--jobs", "1", "--out", "out"], has_log),
        (PLANNING, is_busy),
        (["simulate", "trut", "--matches", "1000000000"], is_busy),
        (["exact", "trut", "--strategies", "caller,steady"], is_busy),
        (["solve", "trut", "-o", "a.policy"], is_busy),
        (["compare", "trut", "trut-club", "--strategies", "best-play"], is_busy),
    ][:: extent(2, 1)],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_signals_after_the_message_change_nothing(command, ready, tmp_path):
    code, errors, running = start_and_signal(tmp_path, command, signal.SIGINT, ready, AGAIN)
    assert errors.count("stopped") == 1, errors
    assert (code, running) == (130, [])


def test_a_second_signal_gives_the_exit_code():
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.signal(number, stop_at_once)
        try:
            with pytest.raises(KeyboardInterrupt), interruptible(), StopRequest() as stop:
                os.kill(os.getpid(), number)
                assert stop.signal == number
                os.kill(os.getpid(), number)
        finally:
            signal.signal(number, before)
        assert stopped_code() == 128 + number


def test_a_signal_in_a_finalizer_is_not_lost(capsys):
    """Python drops what a finalizer or a callback raises, such as those of an import's locks."""

    class Ends:
        def __del__(self):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0)

    before, report = signal.signal(signal.SIGTERM, stop_at_once), sys.unraisablehook
    try:
        with pytest.raises(KeyboardInterrupt), interruptible():
            Ends()
            time.sleep(1)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert (stopped_code(), sys.unraisablehook) == (128 + signal.SIGTERM, report)
    assert capsys.readouterr().err == ""


def test_a_signal_while_a_class_is_created_is_no_error():
    """Python 3.11 reports what `__set_name__` raises as a `RuntimeError`, such as in an import."""

    class Name:
        def __set_name__(self, _owner, _name):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0)

    before = signal.signal(signal.SIGTERM, stop_at_once)
    try:
        with pytest.raises(KeyboardInterrupt), interruptible():
            type("Owner", (), {"name": Name()})
    finally:
        signal.signal(signal.SIGTERM, before)
    with pytest.raises(RuntimeError), interruptible():
        raise RuntimeError


EXAMPLES = Path(__file__).parents[2] / "variants/examples"
LEDUC = [str(EXAMPLES / "leduc-poker.yaml"), "--param", "goal=1"]
RESUMABLE = {  # each command, and the file that it writes
    "solve": ([*LEDUC, "--iterations", "200", "--target", "0", "-o", "a.policy"], "a.policy"),
    "exploit": ([*LEDUC, "-o", "a.policy"], "a.policy"),
    "report": (["out", "--verify"], "out/report.html"),
}


@pytest.mark.parametrize("name", list(RESUMABLE)[: extent(1, None)])
def test_a_command_that_is_stopped_at_any_moment_writes_the_same_bytes(name, tmp_path):
    from trutdsl.cli.app import run

    assert run([*TOURNAMENT, "200", "--out", str(tmp_path / "out"), "-q"]) == 0
    arguments, file = RESUMABLE[name]
    chance, begin, path = Random(name), time.monotonic(), tmp_path / file
    assert Forked(tmp_path, name, *arguments).communicate()[1].count("stopped") == 0
    longest, whole = time.monotonic() - begin, path.read_bytes()
    path.unlink()
    for number in extent(SIGNALS, 5 * SIGNALS):
        process = Forked(tmp_path, name, *arguments, program=INTERRUPTIBLE_MAIN)
        wait_until(has_begun, process)
        time.sleep(chance.uniform(0, longest))
        for _ in range(chance.choice((1, 2))):
            process.send_signal(number)
            time.sleep(chance.uniform(0, 0.02))
        _, errors = process.communicate(timeout=TIMEOUT)
        assert (process.returncode, errors.count("stopped")) in ((128 + number, 1), (0, 0)), errors
        assert "Traceback" not in errors
    assert not path.exists() or path.read_bytes() == whole
    assert Forked(tmp_path, name, *arguments).communicate()[1].count("stopped") == 0
    assert path.read_bytes() == whole
    assert not [*path.parent.glob("*.part*")]


ENDS_LATE = """\
from trutdsl.cli import app

def run(_args):
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        return 143

app.run = run
app.main()
"""


def test_python_m_keeps_the_exit_code_after_a_signal_in_exec(tmp_path):
    (tmp_path / "ends_late.py").write_text(ENDS_LATE, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    command = [sys.executable, "-m", "ends_late"]
    assert subprocess.run(command, env=os.environ | {"PYTHONPATH": path}).returncode == 143
