"""Harmful strategies: one line names the strategy, and its prints stay out of results."""

import json
import re
import sys
import time
from itertools import product

import pytest
from extent import covering, extent
from forked import trutdsl

from trutdsl.cli.app import run

LONGEST_MESSAGE = 400  # characters
PLAY = 'class S:\n    """Does harm."""\n    def choose(self, view):\n        {}\n'
FAILED_IN_PLAY = "in match 1, deal 1, asked for "
CANNOT_START = "cannot start"

# Files of `tests/hostile` and sources, each with parts of the expected message.
FILES = {
    "badstr": (FAILED_IN_PLAY, "badstr.py:10", "MuteError: (the error has no text)"),
    "clskill": (CANNOT_START, "clskill.py", "the class S is gone once the file has run"),
    "genexit": (FAILED_IN_PLAY, "genexit.py:5", "GeneratorExit"),
    "nativeprop": (CANNOT_START, "nativeprop.py:4", "RuntimeError: x"),
    "surr": (FAILED_IN_PLAY, "surr.py:5", "Exception: \\ud800"),
    "sysexit0": (FAILED_IN_PLAY, "sysexit0.py:5", "SystemExit"),
}
TEXTS = {
    "exits": (
        PLAY.format("import sys; sys.exit(0)"),
        (FAILED_IN_PLAY, "exits.py:4", "SystemExit: 0"),
    ),
    "long": (
        PLAY.format("raise ValueError('x' * 10**7)"),
        (FAILED_IN_PLAY, "ValueError: xxx", "..."),
    ),
    "traces": (
        PLAY.format("import sys; sys.settrace(lambda *_: 1 / 0)"),
        ("failed in match 1, outside of its choices", "traces.py:4", "ZeroDivisionError"),
    ),
    "lines": (
        PLAY.format("raise ValueError('\\x1b[2J\\nb')"),
        (FAILED_IN_PLAY, "ValueError: \\x1b[2J"),
    ),
    "deep": (
        PLAY.format("return self.choose(view)"),
        (FAILED_IN_PLAY, "deep.py:4", "RecursionError"),
    ),
    "equal": (
        "class All:\n    def __eq__(self, other): raise SystemExit\n    __hash__ = None\n"
        + PLAY.format("return All()"),
        ("equal.py", "chose no legal action", FAILED_IN_PLAY),
    ),
    "forged": (
        "class T(str):\n    def __eq__(self, other): raise SystemExit\n    __hash__ = None\n"
        + PLAY.format("return view.actions[0]._replace(text=T('pass'))"),
        (FAILED_IN_PLAY, "forged.py:2", "SystemExit"),
    ),
    "imports": (
        "raise SystemExit(0)\n" + PLAY.format("pass"),
        (CANNOT_START, "imports.py:1", "SystemExit: 0"),
    ),
    "closes": (
        "raise GeneratorExit\n" + PLAY.format("pass"),
        (CANNOT_START, "closes.py:1", "GeneratorExit"),
    ),
    "outside": ("return\n" + PLAY.format("pass"), (CANNOT_START, "outside.py", "'return' outside")),
    "begins": (
        "class S:\n    def __init__(self): raise SystemExit(0)\n    def choose(self, view): ...\n",
        (CANNOT_START, "begins.py:2", "SystemExit: 0"),
    ),
    "lacks": (
        "class S:\n    def choose(self, view): ...\n    def __getattribute__(self, name): 1 / 0\n",
        (FAILED_IN_PLAY, "lacks.py:3", "ZeroDivisionError"),
    ),
    "none": (
        "class S:\n    def choose(self, view): ...\nS = None\n",
        (CANNOT_START, "none.py", "NoneType"),
    ),
}


@pytest.fixture(params=[*FILES, *TEXTS])
def harmful(request, root, tmp_path, monkeypatch):
    """Change to the folder of a harmful strategy; return its file and the parts of the message."""
    monkeypatch.chdir(tmp_path)
    name = request.param
    file = tmp_path / f"{name}.py"
    if name in FILES:
        file.write_bytes((root / f"tests/hostile/{name}.py").read_bytes())
        return file.name, FILES[name]
    file.write_text(TEXTS[name][0], encoding="utf-8")
    return file.name, TEXTS[name][1]


def check_message(code, out, err, file, parts):
    """Check that the only output is one line with these parts on standard error."""
    assert out == ""
    assert len(err.splitlines()) == 1, err
    for part in (f"error: strategy '{file.removesuffix('.py')}' ({file}", *parts):
        assert part in err
    assert len(err) < LONGEST_MESSAGE
    assert code == 1


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_simulate_reports_the_failure(harmful, engine, capsys):
    file, parts = harmful
    code = run(
        ["simulate", "trut", "--strategies", f"{file},uniform", "--engine", engine, "--seed=1"]
    )
    check_message(code, *capsys.readouterr(), file, parts)


WITH_TWO_JOBS = [(name, "2") for name in [*FILES, *TEXTS]]
WITH_ONE_OR_TWO_JOBS = WITH_TWO_JOBS + [
    (name, "1") for name in extent(["badstr", "imports"], [*FILES, *TEXTS])
]


@pytest.mark.parametrize(
    ("harmful", "jobs"), WITH_ONE_OR_TWO_JOBS[:: extent(3, 1)], indirect=["harmful"]
)
def test_tournament_reports_the_failure(harmful, jobs, capsys):
    file, parts = harmful
    play = ["tournament", "trut", "--strategies", f"{file},uniform", "--sets", "4", "--seed=1"]
    code = run([*play, "--jobs", jobs, "--on-error", "stop", "--out", "stopped"])
    out, err = capsys.readouterr()
    check_message(code, out, err.partition("= 8 matches\n")[2], file, parts)


@pytest.mark.parametrize(
    ("harmful", "jobs"),
    extent([("badstr", "2"), ("traces", "2"), ("imports", "1")], WITH_ONE_OR_TWO_JOBS),
    indirect=["harmful"],
)
def test_a_tournament_continues_after_the_failure(harmful, jobs, tmp_path, capsys):
    file, parts = harmful
    play = ["tournament", "trut", "--strategies", f"{file},uniform", "--sets", "4", "--seed=1"]
    assert run([*play, "--jobs", jobs, "--out", "whole"]) == 1
    assert f"{file.removesuffix('.py')} forfeited 8 matches" in capsys.readouterr().out
    assert parts[0] in (tmp_path / "whole/run.log").read_text(encoding="utf-8")


# The tests above check the messages in this process. Here the program must not end otherwise.
ENDING_STRATEGIES = ["genexit", "sysexit0", "masked"]


@pytest.mark.parametrize("name", extent(ENDING_STRATEGIES, [*FILES, "masked"]))
def test_the_program_reports_the_failure(name, root, tmp_path):
    file = f"{name}.py"
    (tmp_path / file).write_bytes((root / f"tests/hostile/{file}").read_bytes())
    done = trutdsl(tmp_path, "simulate", "trut", "--strategies", f"{file},uniform")
    parts = FILES.get(name, (FAILED_IN_PLAY, "masked.py:15", "MaskedError"))
    check_message(done.returncode, done.stdout, done.stderr, file, parts)


def test_an_interrupt_of_a_strategy_is_not_ctrl_c(tmp_path):
    (tmp_path / "stops.py").write_text(PLAY.format("raise KeyboardInterrupt"))
    done = trutdsl(tmp_path, "simulate", "trut", "--strategies", "stops.py,quiet", "--matches=1")
    parts = (FAILED_IN_PLAY, "stops.py:4", "KeyboardInterrupt")
    check_message(done.returncode, done.stdout, done.stderr, "stops.py", parts)


@pytest.mark.parametrize("status", [0, 7])
@pytest.mark.parametrize("more", [["--engine", "native"], ["--transcript", "-"]], ids=["", "told"])
def test_a_strategy_that_ends_the_process_is_named(status, more, tmp_path):
    play = f"import os; os._exit({status})"
    (tmp_path / "leaves.py").write_text(PLAY.format(play))
    done = trutdsl(
        tmp_path, "simulate", "trut", "--strategies", "leaves.py,quiet", "--seed=1", *more
    )
    out = "" if more[0] == "--transcript" else done.stdout
    parts = (FAILED_IN_PLAY, "leaves.py:4", f"SystemExit: {status}")
    check_message(done.returncode, out, done.stderr, "leaves.py", parts)


def test_a_strategy_that_ends_the_process_at_import_is_named(tmp_path):
    (tmp_path / "leaves.py").write_text("import os\nos._exit(0)\n" + PLAY.format("pass"))
    done = trutdsl(tmp_path, "simulate", "trut", "--strategies", "leaves.py,quiet")
    parts = (CANNOT_START, "leaves.py:2", "SystemExit: 0")
    check_message(done.returncode, done.stdout, done.stderr, "leaves.py", parts)


@pytest.mark.parametrize("close", ["os.close(2)", "sys.stderr.close(), sys.__stdout__.close()"])
def test_a_failure_is_told_also_if_the_outputs_are_closed(close, tmp_path):
    (tmp_path / "closes.py").write_text(PLAY.format(f"import os, sys; {close}; 1 / 0"))
    done = trutdsl(tmp_path, "simulate", "trut", "--strategies", "closes.py,quiet")
    parts = (FAILED_IN_PLAY, "closes.py:4", "ZeroDivisionError")
    check_message(done.returncode, done.stdout, done.stderr, "closes.py", parts)


DAMAGE = {  # and parts of the message
    "import builtins; del builtins.len": ("has damaged the interpreter; repair it",),
    "import builtins; builtins.__dict__.clear()": ("has damaged the interpreter; repair it",),
    "import os; os.getpid = None": ("has probably damaged", "TypeError: 'NoneType' object"),
}


@pytest.mark.parametrize(
    ("command", "damage"), covering(list(product(["simulate", "coverage"], DAMAGE)))
)
def test_damage_to_the_interpreter_is_told_in_one_line(command, damage, tmp_path):
    (tmp_path / "harms.py").write_text(PLAY.format(f"{damage}; return view.actions[0]"))
    done = trutdsl(tmp_path, command, "trut", "--strategies", "harms.py,quiet", "--seed=1")
    check_message(done.returncode, done.stdout, done.stderr, "harms.py", DAMAGE[damage])


LOWER_LIMIT = """\
import sys
for depth in range(1, 10**6):
    try:
        sys.setrecursionlimit(depth)
        break
    except RecursionError:
        pass
"""


def test_a_lowered_recursion_limit_is_raised_again(tmp_path):
    before = sys.getrecursionlimit()
    path = tmp_path / "lowers.py"
    path.write_text(LOWER_LIMIT + PLAY.format("return view.actions[0]"))
    assert run(["simulate", "trut", "--strategies", f"{path},quiet", "--matches", "1"]) == 0
    assert sys.getrecursionlimit() == before


def test_the_log_has_the_call_stack(tmp_path):
    (tmp_path / "deep.py").write_text(
        "class S:\n    def choose(self, view):\n        self.think()\n"
        "    def think(self):\n        1 / 0\n"
    )
    play = ["tournament", "trut", "--strategies", "deep.py,quiet", "--sets", "2", "--seed", "1"]
    assert trutdsl(tmp_path, *play).returncode == 1
    log = (tmp_path / "reports/trut-1/run.log").read_text(encoding="utf-8")
    assert "deep.py:3 in choose\ndeep.py:5 in think" in log


TALKING_STRATEGY = """\
import ctypes, os, sys
libc = ctypes.CDLL(None)
def talk(*_):
    print("psst")
    os.write(1, b"psst\\n")
    sys.__stdout__.write("psst\\n")
    libc.printf(b"psst\\n")
talk()
import atexit
atexit.register(talk)
class S:
    "Talks."
    __init__ = talk
    def choose(self, view):
        talk()
        return view.actions[0]
"""


def test_prints_of_a_strategy_stay_out_of_results(tmp_path):
    (tmp_path / "talks.py").write_text(TALKING_STRATEGY)
    play = ["simulate", "trut", "--strategies", "talks.py,quiet", "--matches", "2"]
    done = trutdsl(tmp_path, *play, "--json")
    assert json.loads(done.stdout)["matches"] == 2
    assert "psst" in done.stderr
    done = trutdsl(tmp_path, *play, "--transcript", "-")
    events = [json.loads(line)["event"] for line in done.stdout.splitlines()]
    assert events.count("match_end") == 2
    done = trutdsl(
        tmp_path, "tournament", "trut", "--strategies", "talks.py,quiet", "--sets", "3", "--json"
    )
    assert json.loads(done.stdout)["run"]["sets"] == 3


AFTER_FORK = ["return view.actions[0]", "raise SystemExit(5)", "1 / 0"]


FORKS = ["os.fork()", "ctypes.PyDLL(None).fork()"]


@pytest.mark.parametrize(
    ("command", "then", "fork"),
    covering(list(product(["simulate", "tournament"], AFTER_FORK, FORKS))),
)
def test_a_forked_process_does_not_continue_the_match(tmp_path, command, then, fork):
    fork = f"child = {fork} if view.deal == 0 and view.decision == 'turn' else -1"
    (tmp_path / "forks.py").write_text(
        f"import ctypes, os\nclass S:\n    def choose(self, view):\n        {fork}\n"
        "        if child > 0: os.wait()\n"
        f"        if child == 0: {then}\n        return view.actions[0]\n"
    )
    play = ["--strategies", "forks.py,quiet", "--matches", "1", "--json", "--seed", "1"]
    done = trutdsl(tmp_path, command, "trut", *play)
    assert (done.returncode, "Error" in done.stderr) == (0, False)
    json.loads(done.stdout)


def test_a_strategy_cannot_change_what_others_see(root, tmp_path):
    strategies = f"{root}/tests/hostile/proxy.py,quiet"
    done = trutdsl(
        tmp_path, "simulate", "trut", "--strategies", strategies, "--transcript", "-", "--seed", "1"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not re.search(r'"value": 7[78]', done.stdout)


def test_luck_reveals_no_cards(root, tmp_path):
    strategy = f"{root}/tests/hostile/invert_stream.py"
    done = trutdsl(
        tmp_path, "simulate", "trut", "--strategies", strategy, "--matches", "2", "--seed=1"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_strategy_does_not_hold_the_program(tmp_path):
    start = "import atexit, threading, time\natexit.register(time.sleep, 20)\n"
    start += "threading.Thread(target=time.sleep, args=(20,)).start()\n"
    (tmp_path / "threaded.py").write_text(start + PLAY.format("return view.actions[0]"))
    began = time.monotonic()
    done = trutdsl(
        tmp_path, "simulate", "trut", "--strategies", "threaded.py,uniform", "--matches", "1"
    )
    assert (done.returncode, time.monotonic() - began < 15) == (0, True)
    assert "1 match" in done.stdout
