"""Strategies that do harm: one line says which, and what they print is nobody's result."""

import json
import re
from itertools import product

import pytest
from extent import covering, extent
from forked import trutdsl

from trutdsl.cli.app import run

LONG = 400  # characters; a message is shorter
PLAY = 'class S:\n    """Does harm."""\n    def choose(self, view):\n        {}\n'
FAILED = "in match 1, deal 1, asked for "
START = "cannot start"

# What it does, and what is said of it.
FILES = {
    "badstr": (FAILED, "badstr.py:10", "MuteError: (it cannot say what is wrong)"),
    "clskill": (START, "clskill.py", "the class S is gone once the file has run"),
    "genexit": (FAILED, "genexit.py:5", "GeneratorExit"),
    "nativeprop": (START, "nativeprop.py:4", "RuntimeError: x"),
    "surr": (FAILED, "surr.py:5", "Exception: \\ud800"),
    "sysexit0": (FAILED, "sysexit0.py:5", "SystemExit"),
}
TEXTS = {
    "exits": (PLAY.format("import sys; sys.exit(0)"), (FAILED, "exits.py:4", "SystemExit: 0")),
    "long": (PLAY.format("raise ValueError('x' * 10**8)"), (FAILED, "ValueError: xxx", "...")),
    "lines": (PLAY.format("raise ValueError('\\x1b[2J\\nb')"), (FAILED, "ValueError: \\x1b[2J")),
    "deep": (PLAY.format("return self.choose(view)"), (FAILED, "deep.py:4", "RecursionError")),
    "equal": (
        "class All:\n    def __eq__(self, other): raise SystemExit\n    __hash__ = None\n"
        + PLAY.format("return All()"),
        ("equal.py", "chose no legal action", FAILED),
    ),
    "forged": (
        "class T(str):\n    def __eq__(self, other): raise SystemExit\n    __hash__ = None\n"
        + PLAY.format("return view.actions[0]._replace(text=T('pass'))"),
        (FAILED, "forged.py:2", "SystemExit"),
    ),
    "imports": (
        "raise SystemExit(0)\n" + PLAY.format("pass"),
        (START, "imports.py:1", "SystemExit: 0"),
    ),
    "closes": (
        "raise GeneratorExit\n" + PLAY.format("pass"),
        (START, "closes.py:1", "GeneratorExit"),
    ),
    "outside": ("return\n" + PLAY.format("pass"), (START, "outside.py", "'return' outside")),
    "begins": (
        "class S:\n    def __init__(self): raise SystemExit(0)\n    def choose(self, view): ...\n",
        (START, "begins.py:2", "SystemExit: 0"),
    ),
    "lacks": (
        "class S:\n    def choose(self, view): ...\n    def __getattribute__(self, name): 1 / 0\n",
        (FAILED, "lacks.py:3", "ZeroDivisionError"),
    ),
    "none": (
        "class S:\n    def choose(self, view): ...\nS = None\n",
        (START, "none.py", "NoneType"),
    ),
}


@pytest.fixture(params=[*FILES, *TEXTS])
def harmful(request, root, tmp_path, monkeypatch):
    """Go to the folder of a strategy that does harm; return its file and what is said of it."""
    monkeypatch.chdir(tmp_path)
    name = request.param
    file = tmp_path / f"{name}.py"
    if name in FILES:
        file.write_bytes((root / f"tests/hostile/{name}.py").read_bytes())
        return file.name, FILES[name]
    file.write_text(TEXTS[name][0], encoding="utf-8")
    return file.name, TEXTS[name][1]


def is_said(code, out, err, file, parts):
    """Check that one line on standard error says what failed, and nothing else is said."""
    assert out == ""
    assert len(err.splitlines()) == 1, err
    for part in (f"error: strategy '{file.removesuffix('.py')}' ({file}", *parts):
        assert part in err
    assert len(err) < LONG
    assert code == 1


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_simulate_says_what_failed(harmful, engine, capsys):
    file, parts = harmful
    code = run(
        ["simulate", "trut", "--strategies", f"{file},uniform", "--engine", engine, "--seed=1"]
    )
    is_said(code, *capsys.readouterr(), file, parts)


EACH = [(name, "2") for name in [*FILES, *TEXTS]]
EACH_AND_ALONE = EACH + [(name, "1") for name in extent(["badstr", "imports"], [*FILES, *TEXTS])]


@pytest.mark.parametrize(("harmful", "jobs"), EACH_AND_ALONE, indirect=["harmful"])
def test_tournament_says_what_failed(harmful, jobs, tmp_path, capsys):
    file, parts = harmful
    play = ["tournament", "trut", "--strategies", f"{file},uniform", "--sets", "4", "--seed=1"]
    code = run([*play, "--jobs", jobs, "--on-error", "stop", "--out", "stopped"])
    out, err = capsys.readouterr()
    is_said(code, out, err.partition("= 8 matches\n")[2], file, parts)
    assert run([*play, "--jobs", jobs, "--out", "whole"]) == 1
    assert f"{file.removesuffix('.py')} forfeited 8 matches" in capsys.readouterr().out
    assert parts[0] in (tmp_path / "whole/run.log").read_text(encoding="utf-8")


# What is said is said in this process above; here it must not end the program in another way.
ENDING = ["genexit", "sysexit0", "masked"]


@pytest.mark.parametrize("name", extent(ENDING, [*FILES, "masked"]))
def test_the_program_says_what_failed(name, root, tmp_path):
    file = f"{name}.py"
    (tmp_path / file).write_bytes((root / f"tests/hostile/{file}").read_bytes())
    done = trutdsl(tmp_path, "simulate", "trut", "--strategies", f"{file},uniform")
    parts = FILES.get(name, (FAILED, "masked.py:15", "MaskedError"))
    is_said(done.returncode, done.stdout, done.stderr, file, parts)


@pytest.mark.parametrize("status", [0, 7])
@pytest.mark.parametrize("more", [["--engine", "native"], ["--transcript", "-"]], ids=["", "told"])
def test_a_strategy_that_ends_the_process_is_named(status, more, tmp_path):
    play = f"import os; os._exit({status})"
    (tmp_path / "leaves.py").write_text(PLAY.format(play))
    done = trutdsl(
        tmp_path, "simulate", "trut", "--strategies", "leaves.py,quiet", "--seed=1", *more
    )
    out = "" if more[0] == "--transcript" else done.stdout
    parts = (FAILED, "leaves.py:4", f"SystemExit: {status}")
    is_said(done.returncode, out, done.stderr, "leaves.py", parts)


def test_a_strategy_that_ends_the_process_when_it_is_read_is_named(tmp_path):
    (tmp_path / "leaves.py").write_text("import os\nos._exit(0)\n" + PLAY.format("pass"))
    done = trutdsl(tmp_path, "simulate", "trut", "--strategies", "leaves.py,quiet")
    parts = (START, "leaves.py:2", "SystemExit: 0")
    is_said(done.returncode, done.stdout, done.stderr, "leaves.py", parts)


def test_the_log_says_what_called_what(tmp_path):
    (tmp_path / "deep.py").write_text(
        "class S:\n    def choose(self, view):\n        self.think()\n"
        "    def think(self):\n        1 / 0\n"
    )
    play = ["tournament", "trut", "--strategies", "deep.py,quiet", "--sets", "2", "--seed", "1"]
    assert trutdsl(tmp_path, *play).returncode == 1
    log = (tmp_path / "reports/trut-1/run.log").read_text(encoding="utf-8")
    assert "deep.py:3 in choose\ndeep.py:5 in think" in log


TALKS = """\
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


def test_what_a_strategy_prints_is_no_result(tmp_path):
    (tmp_path / "talks.py").write_text(TALKS)
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


THEN = ["return view.actions[0]", "raise SystemExit(5)", "1 / 0"]


FORKS = ["os.fork()", "ctypes.CDLL(None).fork()"]


@pytest.mark.parametrize(
    ("command", "then", "fork"), covering(list(product(["simulate", "tournament"], THEN, FORKS)))
)
def test_a_process_that_a_strategy_forks_does_not_play_on(tmp_path, command, then, fork):
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


def test_luck_leads_back_to_no_cards(root, tmp_path):
    strategy = f"{root}/tests/hostile/invert_stream.py"
    done = trutdsl(
        tmp_path, "simulate", "trut", "--strategies", strategy, "--matches", "2", "--seed=1"
    )
    assert (done.returncode, done.stderr) == (0, "")
