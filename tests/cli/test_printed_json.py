"""The output of every command with `--json` matches its schema from `trutdsl schema`."""

import json
from pathlib import Path

import pytest
from extent import THOROUGH
from jsonschema import Draft202012Validator
from test_closed_output import STRATEGIES, WRITERS

from tests.solve.test_learner import REMEMBERING_MIXER
from trutdsl.bench.measure import Figure
from trutdsl.cli.app import COMMANDS, load_command, run
from trutdsl.cli.printed import TYPES, printed_schema, read_docstring

ROOT = Path(__file__).parents[2]
KUHN = str(ROOT / "variants/examples/kuhn-poker.yaml")
OLD = str(ROOT / "tests/editions/names.yaml")
SMALL = [KUHN, "--param", "goal=1"]
HOUSE = f"""\
variant: house
title: Kuhn poker at home
extends: {KUHN}
set: {{goal: 1}}
rules: |
  before rule play_deal "The deal passes to the left.":
      dealer = next_seat(dealer)
"""
FOUR_SETS = ["--sets", "4", "--jobs", "1"]
# These write a file, or print a path, text for readers, or JSON without an option.
WITHOUT = {"lsp", "where", "new", "rules", "play", "report", "schema", "dump"}
BY_COMMAND = {name: args for name, args in WRITERS.items() if name in TYPES}
BY_COMMAND |= {
    "replay": ["log.jsonl", "--verify"],
    "bench": ["--all"],
    "extend": ["run", "--sets", "6", "--jobs", "1"],
    "solve": [*SMALL, "-o", "kuhn.policy", "--iterations", "2"],
}
MORE_CASES = {
    "list with its matrix": ["list", "--matrix"],
    "check with a warning": ["check", OLD],
    "check with a mistake": ["check", "wrong.yaml"],
    "replay of another match": ["replay", "changed.jsonl", "--verify"],
    "scenarios that fail": ["scenario", "failing.yaml"],
    "format of a file": ["format", "--check", OLD],
    "migrate of an old file": ["migrate", OLD],
    "coverage of all": [
        *("coverage", "trut", "--strategies", "steady", "--matches", "4"),
        *("--scenarios", "one.yaml", "--examples", "shortest"),
    ],
    "simulate deals": ["simulate", "trut", "--mode", "deals", "--matches", "40"],
    "simulate several": ["simulate", "trut", "--strategies", "honest,steady", "--matches", "40"],
    "bench of a variant": ["bench", *SMALL, "--seconds", "0.01"],
    "solve a deal": ["solve", KUHN, "--deal", "chips=1", "--iterations", "2"],
    "exploit by a bound": ["exploit", *SMALL, "--against", "keeper.strategy", "--choices", "9999"],
    "exploit a deal": ["exploit", KUHN, "--deal", "chips=1"],
    "explain-choice of a search": ["explain-choice", "monte-carlo", "kuhn.jsonl"],
    "explain-choice of a policy": ["explain-choice", "solved.policy", "kuhn.jsonl"],
    "tournament in rounds": [
        *("tournament", "trut", "--strategies", "uniform,quiet,caller", "--format", "swiss"),
        *(*FOUR_SETS, "--out", "swiss"),
    ],
    "tournament of partners": [
        *("tournament", "trut", "--strategies", "uniform,quiet,caller", "--players", "4"),
        *("--format", "partnerships", *FOUR_SETS, "--out", "partners"),
    ],
    "tournament with a test": [
        *("tournament", "trut", *STRATEGIES, "--test", "quiet,uniform", "--margin", "0.3"),
        *("--sets", "64", "--jobs", "1", "--out", "test"),
    ],
    "tournament to a precision": [
        *(
            "tournament",
            "trut",
            *STRATEGIES,
            "--precision",
            "0.4",
            *FOUR_SETS,
            "--out",
            "precision",
        ),
    ],
    "tournament with a failure": [
        *(
            "tournament",
            "trut",
            "--strategies",
            "uniform,failing.py",
            *FOUR_SETS,
            "--out",
            "failing",
        ),
    ],
    "compare by points": [
        *("compare", KUHN, "house.yaml", *STRATEGIES, *FOUR_SETS, "--out", "points"),
    ],
    "compare best play": [
        *("compare", KUHN, f"{KUHN}:goal=2", "--strategies", "best-play", "--deal", "chips=1"),
        *("--out", "best"),
    ],
}
CASES = {name: [name, *args] for name, args in BY_COMMAND.items()} | MORE_CASES
EXIT_CODES = {
    "check with a mistake": 2, "replay of another match": 1, "scenarios that fail": 1,
    "tournament with a failure": 1,
}  # fmt: skip
FIGURES = {
    "deals_per_second": {"trut-2p": Figure(3.0, 2.0)},
    "compile_seconds": {"trut-2p": {"cold": 2.0, "cached": 1.0}},
    "uniform_over_script": {"steady": Figure(3.0, 2.0)},
    **{
        f"{name}_per_second": Figure(3.0, 2.0)
        for name in (
            *("callback_decisions", "batch_decisions", "view_decisions", "bot_decisions"),
            "playouts",
        )
    },
    "parallel_speedup": Figure(1.9, 1.8),
    "runner_over_machine_code": 1.2,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the files that the commands read."""
    folder = tmp_path_factory.mktemp("printed")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        one = ["--seed", "1", "--matches", "1", "--transcript"]
        (folder / "wrong.yaml").write_text("variant: wrong\n")
        (folder / "house.yaml").write_text(HOUSE)
        (folder / "keeper.strategy").write_text(REMEMBERING_MIXER)
        (folder / "failing.py").write_text(
            "class Failing:\n    def choose(self, view):\n        raise ValueError\n"
        )
        scenario = (
            "scenario: one\nvariant: trut\nplayers: 2\nstart: {dealer: 0}\nactions: []\n"
            "expect:\n  deal_over: false\n"
        )
        (folder / "one.yaml").write_text(scenario)
        (folder / "failing.yaml").write_text(scenario.replace("false", "true"))
        assert run(["simulate", "trut", *one, "log.jsonl"]) == 0
        assert run(["simulate", *SMALL, *one, "kuhn.jsonl"]) == 0
        assert run(["solve", *SMALL, "-o", "solved.policy", "--iterations", "2"]) == 0
        text = (folder / "log.jsonl").read_text()
        (folder / "changed.jsonl").write_text(text.replace('"winner": 0', '"winner": 1', 1))
        assert (
            run(["tournament", "trut", *STRATEGIES, *FOUR_SETS, "--seed", "1", "--out", "run"]) == 0
        )
    return folder


def find_mistakes(command, text):
    """Return the innermost mistakes of an output by the schema of its command."""

    def innermost(error):
        return [one for inner in error.context for one in innermost(inner)] or [
            f"{[*error.absolute_path]}: {error.message[:200]}"
        ]

    validator = Draft202012Validator(printed_schema(command))
    return [one for error in validator.iter_errors(json.loads(text)) for one in innermost(error)]


def test_a_command_prints_json_or_has_a_reason():
    printing = {
        name for name in COMMANDS for param in load_command(name).params if "--json" in param.opts
    }
    assert printing == TYPES.keys() == COMMANDS.keys() - WITHOUT
    assert {name.split()[0] for name in CASES} - {"scenarios"} == TYPES.keys()


# Longer ones, of types that other cases print, too.
LONG = {"compare by points", "bench of a variant", "exploit by a bound", "tournament in rounds"}


@pytest.mark.parametrize("case", [case for case in CASES if THOROUGH or case not in LONG])
def test_the_output_matches_its_schema(case, folder, monkeypatch, capfd):
    monkeypatch.chdir(folder)
    monkeypatch.setattr("trutdsl.bench.benchmark", lambda *_, **__: FIGURES)
    monkeypatch.setattr("trutdsl.cli.list._read_cached", lambda _, read: read())
    monkeypatch.setattr("trutdsl.variant.list_variants", lambda: ["trut", "tute"])
    name, *args = CASES[case]
    capfd.readouterr()
    assert run([name, *args, "--json"]) == EXIT_CODES.get(case, 0)
    assert find_mistakes(name, capfd.readouterr().out) == []


@pytest.mark.parametrize("name", TYPES)
def test_every_field_is_described(name, capsys):
    assert run(["schema", f"{name}.json"]) == 0
    schema = json.loads(capsys.readouterr().out)
    Draft202012Validator.check_schema(schema)
    for title, record in schema.get("$defs", {}).items():
        fields = record["properties"]
        assert [field for field, one in fields.items() if "description" not in one] == [], title
        assert record["title"]


def test_a_docstring_describes_fields():
    class Record:
        """A record; what it is.

        first:  the first one,
                in two lines.
        second, third_: the others.
        """

    assert read_docstring(Record) == (
        "A record; what it is",
        {"first": "the first one, in two lines.", "second": "the others.", "third": "the others."},
    )


def test_a_wrong_output_is_a_mistake():
    printed = '[{"file": "a", "scenario": "b", "rules": [1], "passed": true, "more": 0}]'
    assert find_mistakes("scenario", printed) == [
        "[0, 'rules', 0]: 1 is not of type 'string'",
        *(
            f"[0]: '{name}' is a required property"
            for name in ("differences", "refused", "unused", "places")
        ),
        "[0]: Additional properties are not allowed ('more' was unexpected)",
    ]


def test_conflicting_requests_for_json_are_refused(capsys):
    assert run(["check", "trut", "--json", "--output-format", "github"]) == 2
    assert "two ways" in capsys.readouterr().err
    assert run(["replay", "log.jsonl", "--json"]) == 2
    assert "--json needs --verify" in capsys.readouterr().err
