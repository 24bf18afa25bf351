"""Ctrl-C and other signals to the whole command in its own process."""

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest
from extent import covering, extent
from forked import Forked
from run_files import FILES

FAKE_COMMAND = Path(__file__).parents[1] / "support" / "fake_command.py"
PROGRAM = f"import runpy\nrunpy.run_path({str(FAKE_COMMAND)!r}, run_name='__main__')"


def start_tournament(folder, strategies, sets, *more, **limits):
    """Start a tournament with two workers."""
    args = ("--strategies", strategies, "--sets", sets, "--jobs", "2", "--chunk", "1", *more)
    return Forked(
        *(folder.parent, "tournament", "game", *args, "--out", str(folder)),
        program=PROGRAM,
        **limits,
    )


@pytest.fixture(scope="module")
def start():
    """Return a function that starts the command in its own session, which ends with the module."""
    started = []

    def start_process(folder, matches, *strategies, more=()):
        started.append(start_tournament(folder, ",".join(strategies), str(matches), *more))
        return started[-1]

    yield start_process
    for process in started:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def wait_for_log(process, path, text):
    until = time.monotonic() + 60
    while not (path.exists() and text in path.read_text(errors="replace")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until, f"{path} did not get {text!r}"
        time.sleep(0.01)


def list_alive(session):
    found = subprocess.run(
        ["ps", "-s", str(session), "-o", "pid=,stat="], capture_output=True, text=True
    )
    return [line for line in found.stdout.splitlines() if "Z" not in line.split()[1]]


def list_children(process):
    found = subprocess.run(
        ["ps", "--ppid", str(process), "-o", "pid="], capture_output=True, text=True
    )
    return found.stdout.split()


STRATEGIES = ("a:0:slow:-1", "b:0.5", "c:1")
SETS = 40


@pytest.fixture(scope="module")
def expected_files(start, tmp_path_factory):
    """Return the contents of the files of a run without a signal."""
    folder = tmp_path_factory.mktemp("undisturbed")
    process = start(folder, SETS, *STRATEGIES)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0 and "240 matches" in err
    return {name: (folder / name).read_bytes() for name in FILES}


SIGNALS = [
    (signal.SIGTERM, 143, True),
    (signal.SIGINT, 130, False),
    (signal.SIGHUP, 129, True),
    (signal.SIGTERM, 143, False),
    (signal.SIGINT, 130, True),
]


@pytest.mark.parametrize(("number", "code", "to_group"), covering(SIGNALS)[: extent(1, None)])
def test_a_signal_stops_the_run_and_the_same_command_resumes(
    start, tmp_path, expected_files, number, code, to_group
):
    process = start(tmp_path, SETS, *STRATEGIES)
    # A worker logs a set before the parent has it. At most two sets are on the way.
    wait_for_log(process, tmp_path / "run.log", " sets 5 to 5 ")
    (os.killpg if to_group else os.kill)(process.pid, number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert "sets of deals, each" in out, "the standings so far"
    assert len(err.splitlines()) == 2 and f"trutdsl resume {tmp_path} goes on from there" in err
    assert not list_alive(process.pid)
    assert not (tmp_path / "results.json").exists()

    second = start(tmp_path, SETS, *STRATEGIES)
    out, err = second.communicate(timeout=60)
    assert second.returncode == 0 and "are there already" in err and "files:" in out
    log = (tmp_path / "run.log").read_text()
    assert log.count(" sets 0 to 0 ") == log.count(" sets 2 to 2 ") == 1, "it was played twice"
    assert {name: (tmp_path / name).read_bytes() for name in FILES} == expected_files


def test_ctrl_c_ends_an_endless_match(start, tmp_path):
    process = start(tmp_path, 60, "a:0", "b:0:hang:5")
    wait_for_log(process, tmp_path / "run.log", " sets 4 to 4 ")
    time.sleep(0.3)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and len(err.splitlines()) == 2, err
    assert not list_alive(process.pid)


def test_a_second_ctrl_c_ends_everything_at_once(start, tmp_path):
    process = start(tmp_path, 60, "a:0", "b:0:hang:5")
    wait_for_log(process, tmp_path / "run.log", " sets 4 to 4 ")
    for _ in range(2):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.1)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert not list_alive(process.pid)


def test_workers_end_if_the_parent_is_killed(start, tmp_path):
    process = start(tmp_path, 60, "a:0", "b:0:slow:-1")
    wait_for_log(process, tmp_path / "run.log", " sets 2 to 2 ")
    process.kill()
    process.communicate(timeout=60)
    until = time.monotonic() + 5
    while list_alive(process.pid):
        assert time.monotonic() < until, "a worker outlives its parent"
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("lang", "message"),
    [("en", "{} was ended by SIGKILL; it is"), ("fr", "{} a été arrêté par SIGKILL\xa0; il est")][
        : extent(1, None)
    ],
)
def test_a_lost_worker_is_reported(start, tmp_path, expected_files, lang, message):
    process = start(tmp_path, SETS, *STRATEGIES, more=("--lang", lang))
    wait_for_log(process, tmp_path / "run.log", " sets 2 to 2 ")
    worker = int(list_children(process.pid)[0])
    os.kill(worker, signal.SIGKILL)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert message.format(worker) in err
    assert {name: (tmp_path / name).read_bytes() for name in FILES} == expected_files
