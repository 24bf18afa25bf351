"""Closed or unread standard output: every command reports it by its exit code."""

from pathlib import Path

import pytest
from extent import extent
from forked import MAIN, trutdsl

from trutdsl.cli.app import COMMANDS, run

CLOSED_OUTPUT = f"import os, sys\nos.close(1)\nsys.stdout = None\n{MAIN}"
BROKEN_PIPE = (
    f"import os\nreading, writing = os.pipe()\nos.close(reading)\nos.dup2(writing, 1)\n{MAIN}"
)
EXAMPLES = Path(__file__).parents[2] / "variants/examples"
STRATEGIES = ["--strategies", "uniform,quiet"]
SMALL_COMPARISON = ["--strategies", "uniform", "--sets", "4", "--jobs", "1"]
WRITERS = {
    "check": ["trut"],
    "list": [],
    "show": ["trut"],
    "rules": ["trut"],
    "diff": ["trut", "trut-club"],
    "where": ["trut"],
    "migrate": [str(EXAMPLES / "kuhn-poker.yaml")],
    "format": ["--check", str(EXAMPLES / "kuhn-poker.yaml")],
    "new": ["begun"],
    "scenario": ["one.yaml"],
    "coverage": ["trut", "--matches", "2"],
    "exact": [str(EXAMPLES / "kuhn-poker.yaml"), "--param", "goal=1"],
    "solve": [str(EXAMPLES / "kuhn-poker.yaml"), "--deal", "chips=1", "--iterations", "2"],
    "exploit": [str(EXAMPLES / "kuhn-poker.yaml"), "--param", "goal=1"],
    "simulate": ["trut", "--matches", "2"],
    "play": ["trut", "--seed", "1", "--strategies", "uniform"],
    "explain-choice": ["steady", "log.jsonl"],
    "lsp": ["--help"],  # it speaks with an editor
    "bench": ["--help"],  # it measures for 20 seconds before it writes anything
    "dump": ["trut"],
    "schema": ["scenario"],
    "replay": ["log.jsonl"],
    "tournament": ["trut", *STRATEGIES, "--sets", "2", "--jobs", "1", "--out", "another"],
    "compare": ["trut", "trut:goal=2", *SMALL_COMPARISON, "--out", "compared"],
    "sweep": ["trut", "--param", "goal=1,2", *SMALL_COMPARISON, "--out", "swept"],
    "ambiguities": ["trut", *SMALL_COMPARISON, "--out", "unclear"],
    "report": ["run"],
    "plan": ["trut", *STRATEGIES, "--detect", "0.5", "--pilot", "2", "--jobs", "1"],
    "resume": ["run", "--jobs", "1"],
    "extend": ["run", "--sets", "3", "--jobs", "1"],
    "merge": ["run", "--out", "merged"],
    "verify": ["run", "--jobs", "1"],
    "results": ["run"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder that contains a run, a transcript and a scenario."""
    path = tmp_path_factory.mktemp("written")
    tournament = ["tournament", "trut", *STRATEGIES, "--sets", "2", "--seed", "1", "--jobs", "1"]
    assert run([*tournament, "--out", str(path / "run")]) == 0
    log = ["simulate", "trut", "--seed", "1", "--transcript", str(path / "log.jsonl")]
    assert run([*log, "--matches", "1"]) == 0
    (path / "one.yaml").write_text(
        "scenario: one\nvariant: trut\nplayers: 2\nstart: {dealer: 0}\nactions: []\n"
        "expect:\n  deal_over: true\n"
    )
    return path


def test_every_command_has_arguments():
    assert WRITERS.keys() == COMMANDS.keys()


# `test_hostile_paths.py` tests the others; `sweep` and `ambiguities` end like `compare`.
TESTED_WITH_BROKEN_PIPE = (
    "play", "explain-choice", "bench", "compare", "report", "plan", "resume", "extend", "merge",
    "verify", "results",
)  # fmt: skip
WITH_DIFFERENT_OUTPUTS = ("play", "compare", "report", "results")
CASES = [
    *((name, CLOSED_OUTPUT) for name in [*WRITERS][:: extent(3, 1)]),
    *((name, BROKEN_PIPE) for name in extent(WITH_DIFFERENT_OUTPUTS, TESTED_WITH_BROKEN_PIPE)),
]


@pytest.mark.parametrize(("name", "program"), CASES, ids=lambda v: "" if "\n" in v else v)
def test_a_command_says_at_most_one_line(name, program, folder):
    done = trutdsl(folder, name, *WRITERS[name], program=program)
    lines = [
        line for line in done.stderr.splitlines() if "standard output" in line or "Trace" in line
    ]
    closed = ["error: standard output cannot be written: it is closed"]
    expected = (2, closed) if program is CLOSED_OUTPUT else (1, [])
    assert (done.returncode, lines) == expected, done.stderr


CLOSED_ERRORS = f"import os, sys\nos.close(2)\nsys.stderr = None\n{MAIN}"


def test_a_command_runs_without_standard_error(folder):
    done = trutdsl(
        folder, "simulate", "trut", "--matches", "1", "--seed", "1", program=CLOSED_ERRORS
    )
    assert done.returncode == 0 and done.stdout.startswith("Trut, 2 players")
    done = trutdsl(folder, "simulate", "trud", program=CLOSED_ERRORS)
    assert (done.returncode, done.stdout) == (2, "")
