"""Extreme numbers in every numeric option: one line refuses them, or Ctrl-C stops the work."""

import gc
import multiprocessing
import os
import signal
import threading
from io import StringIO
from pathlib import Path

import pytest
from extent import THOROUGH, extent
from test_option_values import NUMBER_TYPES, make_call

from trutdsl.cli.app import COMMANDS, load_command, run

HUGE = str(10**15)
VALUES = ("0", "-1", "1e-300", HUGE)
TEXTS = {  # text options that contain numbers
    "--margin": ["length.deals={}"],
    "--param": ["goal={}"],
    "--score": ["longs={0},{0}"],
    "--shard": ["{}/2", "1/{}"],
}
EXAMPLES = Path(__file__).parents[2] / "variants/examples"
STRATEGIES = ["--strategies", "uniform,quiet", "--seed", "1", "--jobs", "1"]
SMALL_COMPARISON = ["--strategies", "uniform", "--seed", "1", "--jobs", "1", "--sets", "4"]
CALLS = {
    "coverage": ["trut", "--matches", "1", "--seed", "1"],
    "exact": [str(EXAMPLES / "kuhn-poker.yaml")],
    "solve": [str(EXAMPLES / "kuhn-poker.yaml"), "--deal", "chips=1"],
    "exploit": [str(EXAMPLES / "kuhn-poker.yaml")],
    "simulate": ["trut", "--matches", "1", "--seed", "1"],
    "tournament": ["trut", "--sets", "2", *STRATEGIES],
    "plan": ["trut", "--detect", "0.5", "--pilot", "2", *STRATEGIES],
    "compare": ["trut", "trut:goal=2", *SMALL_COMPARISON],
    "sweep": ["trut", "--param", "goal=1,2", *SMALL_COMPARISON],
    "ambiguities": ["trut", *SMALL_COMPARISON],
    "extend": ["run", "--sets", "2", "--jobs", "1"],
    "resume": ["run", "--jobs", "1"],
    "verify": ["run", "--jobs", "1"],
}
BUDGETS = ("--sets", "--matches", "--deals", "--time")
SECONDS = 0.3  # before the first Ctrl-C


SHARED = {"sweep": "compare", "ambiguities": "compare"}  # a command, and one with its options


def numeric_options():
    """Yield each command and option; leave out options of `SHARED` in the usual run."""
    for name in COMMANDS:
        others = load_command(SHARED[name]).params if name in SHARED and not THOROUGH else ()
        known = {flag for param in others for flag in param.opts}
        for param in load_command(name).params:
            flag = max(param.opts, key=len)
            if param.param_type_name == "option" and flag not in known:
                numeric = type(param.type).__name__ in NUMBER_TYPES
                for form in ["{}"] if numeric else TEXTS.get(flag, ()):
                    yield name, flag, form


def drop_options(call, *flags):
    """Return a call without these options and their values."""
    found = list(call)
    for flag in flags:
        if flag in found:
            at = found.index(flag)
            del found[at : at + 2]
    return found


class RepeatedCtrlC:
    """Presses Ctrl-C repeatedly, each time after twice as long: a busy machine reacts late."""

    def __enter__(self):
        self.done, self.lock = threading.Event(), threading.Lock()
        self.thread = threading.Thread(target=self.press)
        self.thread.start()
        return self

    def press(self):
        seconds = SECONDS
        while not self.done.wait(seconds):
            with self.lock:
                if not self.done.is_set():
                    os.kill(os.getpid(), signal.SIGINT)
            seconds *= 2

    def __exit__(self, *_):
        with self.lock:
            self.done.set()
        self.thread.join()


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    """Return the folder of a run."""
    folder = tmp_path_factory.mktemp("run")
    assert run(["tournament", "trut", "--sets", "2", *STRATEGIES, "--out", str(folder)]) == 0
    return folder


# Ctrl-C may come before the code that closes a new pipe.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("name", "flag", "form"), [*numeric_options()][:: extent(2, 1)])
def test_no_number_causes_a_traceback_or_endless_work(
    name, flag, form, run_folder, tmp_path, monkeypatch, capfd
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", StringIO())
    (tmp_path / "run").symlink_to(run_folder)
    for number, value in enumerate(VALUES):
        if name == "bench" and value == "1e-300":
            continue  # each measurement would take 10 seconds
        call = [name, *CALLS[name]] if name in CALLS else make_call(name, flag)
        call = drop_options(call, *(BUDGETS if flag in BUDGETS else [flag]))
        if "--out" in [o for p in load_command(name).params for o in p.opts] and flag != "--out":
            call += ["--out", f"out-{number}"] if "--out" not in call else []
        call += [f"{flag}={form.format(value)}"]
        capfd.readouterr()
        if value == HUGE:
            with RepeatedCtrlC():
                code = run(call)
            for child in multiprocessing.active_children():  # a late Ctrl-C stops the clean-up
                child.kill()
        else:
            code = run(call)
        errors = capfd.readouterr().err
        assert "Traceback" not in errors, call
        allowed = (0, 2, 130) if value == HUGE else (0, 2)
        assert code in allowed, (call, errors)
        if code == 130:
            gc.collect()  # here an open pipe is no mistake
        if code:
            last = errors.strip().splitlines()[-1]
            assert last.lower().startswith(("error: ", "stopped")), (call, errors)
