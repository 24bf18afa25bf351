"""A standard output that is closed or that nobody reads: every command says so by its exit code."""

from pathlib import Path

import pytest
from forked import MAIN, trutdsl

from trutdsl.cli.app import COMMANDS, run

CLOSED = f"import os, sys\nos.close(1)\nsys.stdout = None\n{MAIN}"
UNREAD = f"import os\nreading, writing = os.pipe()\nos.close(reading)\nos.dup2(writing, 1)\n{MAIN}"
# Standard input is that of the process which all are forked from.
NO_INPUT = "import os, sys\nsys.stdin = open(os.devnull)\n"
EXAMPLES = Path(__file__).parents[2] / "variants/examples"
WHO = ["--strategies", "uniform,quiet"]
FEW = ["--strategies", "uniform", "--sets", "4", "--jobs", "1"]
WRITERS = {
    "check": ["trut"],
    "list": [],
    "show": ["trut"],
    "rules": ["trut"],
    "diff": ["trut", "trut-club"],
    "where": ["trut"],
    "migrate": [str(EXAMPLES / "kuhn-poker.yaml")],
    "new": ["begun"],
    "scenario": ["one.yaml"],
    "coverage": ["trut", "--matches", "2"],
    "exact": [str(EXAMPLES / "kuhn-poker.yaml"), "--param", "goal=1"],
    "solve": [str(EXAMPLES / "kuhn-poker.yaml"), "--deal", "chips=1", "--iterations", "2"],
    "exploit": [str(EXAMPLES / "kuhn-poker.yaml"), "--param", "goal=1"],
    "simulate": ["trut", "--matches", "2"],
    "play": ["trut", "--seed", "1", "--strategies", "uniform"],
    "explain-choice": ["steady", "log.jsonl"],
    "bench": ["--help"],  # it measures for 20 seconds before it writes anything
    "dump": ["trut"],
    "schema": ["scenario"],
    "replay": ["log.jsonl"],
    "tournament": ["trut", *WHO, "--sets", "2", "--jobs", "1", "--out", "another"],
    "compare": ["trut", "trut:goal=2", *FEW, "--out", "compared"],
    "sweep": ["trut", "--param", "goal=1,2", *FEW, "--out", "swept"],
    "ambiguities": ["trut", *FEW, "--out", "unclear"],
    "report": ["run"],
    "plan": ["trut", *WHO, "--detect", "0.5", "--pilot", "2", "--jobs", "1"],
    "resume": ["run", "--jobs", "1"],
    "extend": ["run", "--sets", "3", "--jobs", "1"],
    "merge": ["run", "--out", "merged"],
    "verify": ["run", "--jobs", "1"],
    "results": ["run"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a run, a transcript and a scenario in it."""
    made = tmp_path_factory.mktemp("written")
    run_of = ["tournament", "trut", *WHO, "--sets", "2", "--seed", "1", "--jobs", "1"]
    assert run([*run_of, "--out", str(made / "run")]) == 0
    log = ["simulate", "trut", "--seed", "1", "--transcript", str(made / "log.jsonl")]
    assert run([*log, "--matches", "1"]) == 0
    (made / "one.yaml").write_text(
        "scenario: one\nvariant: trut\nplayers: 2\nstart: {dealer: 0}\nactions: []\n"
        "expect:\n  deal_over: true\n"
    )
    return made


def test_every_command_is_here():
    assert WRITERS.keys() == COMMANDS.keys()


# Of others `test_hostile_paths.py` tells it; `sweep` and `ambiguities` end as `compare` does.
UNTOLD = (
    "play", "explain-choice", "bench", "compare", "report", "plan", "resume", "extend", "merge",
    "verify", "results",
)  # fmt: skip
CASES = [*((name, CLOSED) for name in WRITERS), *((name, UNREAD) for name in UNTOLD)]


@pytest.mark.parametrize(("name", "how"), CASES, ids=lambda v: "" if "\n" in v else v)
def test_it_ends_with_1_and_at_most_a_line(name, how, folder):
    done = trutdsl(folder, name, *WRITERS[name], program=NO_INPUT + how)
    said = [
        line for line in done.stderr.splitlines() if "standard output" in line or "Trace" in line
    ]
    closed = ["error: standard output cannot be written: it is closed"]
    assert (done.returncode, said) == (1, closed if how is CLOSED else []), done.stderr


MUTE = f"import os, sys\nos.close(2)\nsys.stderr = None\n{MAIN}"


def test_a_command_runs_without_standard_error(folder):
    done = trutdsl(folder, "simulate", "trut", "--matches", "1", "--seed", "1", program=MUTE)
    assert done.returncode == 0 and done.stdout.startswith("Trut, 2 players")
    done = trutdsl(folder, "simulate", "trud", program=MUTE)
    assert (done.returncode, done.stdout) == (2, "")
