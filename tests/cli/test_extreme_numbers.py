"""Extreme numbers in every option that takes one: refused in a line, or work to be stopped."""

import gc
import os
import signal
import threading
from io import StringIO
from pathlib import Path

import pytest
from test_option_values import NUMBERS, given

from trutdsl.cli.app import COMMANDS, load_command, run

MOST = str(10**15)
VALUES = ("0", "-1", "1e-300", MOST)
TEXTS = {  # options whose texts hold numbers, and how one stands there
    "--margin": ["length.deals={}"],
    "--param": ["goal={}"],
    "--score": ["longs={0},{0}"],
    "--shard": ["{}/2", "1/{}"],
}
EXAMPLES = Path(__file__).parents[2] / "variants/examples"
WHO = ["--strategies", "uniform,quiet", "--seed", "1", "--jobs", "1"]
FEW = ["--strategies", "uniform", "--seed", "1", "--jobs", "1", "--sets", "4"]
CALLS = {
    "coverage": ["trut", "--matches", "1", "--seed", "1"],
    "exact": [str(EXAMPLES / "kuhn-poker.yaml")],
    "solve": [str(EXAMPLES / "kuhn-poker.yaml"), "--deal", "chips=1"],
    "exploit": [str(EXAMPLES / "kuhn-poker.yaml")],
    "simulate": ["trut", "--matches", "1", "--seed", "1"],
    "tournament": ["trut", "--sets", "2", *WHO],
    "plan": ["trut", "--detect", "0.5", "--pilot", "2", *WHO],
    "compare": ["trut", "trut:goal=2", *FEW],
    "sweep": ["trut", "--param", "goal=1,2", *FEW],
    "ambiguities": ["trut", *FEW],
    "extend": ["run", "--sets", "2", "--jobs", "1"],
    "resume": ["run", "--jobs", "1"],
    "verify": ["run", "--jobs", "1"],
}
BUDGETS = ("--sets", "--matches", "--deals", "--time")
SECONDS = 0.3  # after which work is stopped


def cases():
    for name in COMMANDS:
        for param in load_command(name).params:
            flag = max(param.opts, key=len)
            if param.param_type_name == "option":
                numeric = type(param.type).__name__ in NUMBERS
                for form in ["{}"] if numeric else TEXTS.get(flag, ()):
                    yield name, flag, form


def without(call, *flags):
    """Return a call without options of these names."""
    found = list(call)
    for flag in flags:
        if flag in found:
            at = found.index(flag)
            del found[at : at + 2]
    return found


class Stopping:
    """Presses Ctrl-C again and again, from some time on."""

    def __enter__(self):
        self.done, self.lock = threading.Event(), threading.Lock()
        self.thread = threading.Thread(target=self.press)
        self.thread.start()
        return self

    def press(self):
        while not self.done.wait(SECONDS):
            with self.lock:
                if not self.done.is_set():
                    os.kill(os.getpid(), signal.SIGINT)

    def __exit__(self, *_):
        with self.lock:
            self.done.set()
        self.thread.join()


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """Return the folder of a run."""
    folder = tmp_path_factory.mktemp("run")
    assert run(["tournament", "trut", "--sets", "2", *WHO, "--out", str(folder)]) == 0
    return folder


# Ctrl-C may fall between the making of a pipe and what would close it.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("name", "flag", "form"), [*cases()])
def test_no_number_leads_to_a_traceback_or_to_work_without_end(
    name, flag, form, begun, tmp_path, monkeypatch, capfd
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", StringIO())
    (tmp_path / "run").symlink_to(begun)
    for number, value in enumerate(VALUES):
        if name == "bench" and value == "1e-300":
            continue  # as fast as it can, it measures for 10 seconds
        call = [name, *CALLS[name]] if name in CALLS else given(name, flag)
        call = without(call, *(BUDGETS if flag in BUDGETS else [flag]))
        if "--out" in [o for p in load_command(name).params for o in p.opts] and flag != "--out":
            call += ["--out", f"out-{number}"] if "--out" not in call else []
        call += [f"{flag}={form.format(value)}"]
        capfd.readouterr()
        if value == MOST:
            with Stopping():
                code = run(call)
        else:
            code = run(call)
        said = capfd.readouterr().err
        assert "Traceback" not in said, call
        allowed = (0, 2, 130) if value == MOST else (0, 2)
        assert code in allowed, (call, said)
        if code == 130:
            gc.collect()  # here, where it is no mistake that a pipe is still open
        if code:
            last = said.strip().splitlines()[-1]
            assert last.lower().startswith(("error: ", "stopped")), (call, said)
