"""Each command has a call that returns its output, or a reason for having none."""

import json
from pathlib import Path

import pytest

import trutdsl
from trutdsl import BadUsage
from trutdsl.cli.app import COMMANDS, run

CALLS = {
    "list": "list_variants list_strategies",
    "show": "describe",
    "rules": "rulebook",
    "format": "format_files",
    "migrate": "migrate",
    "new": "new_variant",
    "diff": "diff",
    "check": "check",
    "scenario": "run_scenarios",
    "coverage": "coverage",
    "simulate": "simulate",
    "exact": "exact",
    "solve": "best_play",
    "exploit": "exploit",
    "explain-choice": "explain_choice",
    "replay": "replay",
    "tournament": "tournament",
    "compare": "compare",
    "sweep": "sweep",
    "ambiguities": "ambiguities",
    "plan": "plan",
    "resume": "tournament",
    "extend": "Tournament.extend Comparison.extend Sweep.extend",
    "merge": "merge_runs",
    "verify": "Tournament.verify Comparison.verify Sweep.verify",
    "results": "load_run",
    "report": "Tournament.to_html Comparison.to_html Sweep.to_html",
}
NO_CALL = {
    "play": "a person plays",
    "where": "paths are for shells; all calls take names",
    "bench": "it measures the machine",
    "lsp": "an editor starts it",
    "schema": "schemas are for editors and for readers of JSON",
    "dump": "stages of the compiler are for those who change it",
}


def test_a_command_has_a_call_or_a_reason(root):
    assert CALLS.keys() | NO_CALL.keys() == COMMANDS.keys() and not CALLS.keys() & NO_CALL.keys()
    page = (root / "docs" / "python.md").read_text("utf-8")
    for command, names in CALLS.items():
        for name in names.split():
            first, *rest = name.split(".")
            assert first in trutdsl.__all__
            found = getattr(trutdsl, first)
            assert callable(getattr(found, rest[0]) if rest else found)
            assert f"`{name}" in page or (rest and f"`{rest[0]}`" in page), name
        assert f"`{command}`" in page or f"`trutdsl {command}" in page, command


def run_json(capsys, *command):
    assert run([*command, "--json"]) in (0, 2)
    return json.loads(capsys.readouterr().out)


def test_calls_on_rules_return_the_output_of_commands(tmp_path, monkeypatch, capsys, root):
    monkeypatch.chdir(tmp_path)
    assert trutdsl.describe("trut", {"goal": 3}) == run_json(
        capsys, "show", "trut", "--param", "goal=3"
    )
    assert trutdsl.diff("trut", "trut-gatinaise") == run_json(
        capsys, "diff", "trut", "trut-gatinaise"
    )
    old = str(root / "tests/editions/names.yaml")
    assert trutdsl.migrate(old) == run_json(capsys, "migrate", old)
    (tmp_path / "loose.rules").write_text("define a :1\n")
    result = trutdsl.format_files("loose.rules")
    assert result[0]["changed"]
    assert (tmp_path / "loose.rules").read_text() == "define a :1\n"
    assert result == run_json(capsys, "format", "loose.rules")
    assert (tmp_path / "loose.rules").read_text() == "define a: 1\n"
    (tmp_path / "wrong.yaml").write_text("variant: wrong\n")
    found = run_json(capsys, "check", "trut", "wrong.yaml", old)
    mine = trutdsl.check("trut", "wrong.yaml", old)
    assert [one.message for one in mine] == [one["message"] for one in found] != []
    assert {one.kind for one in trutdsl.check(old, strict=True)} == {"error"}
    assert trutdsl.check("trut", "steady") == []
    assert run(["rules", "trut", "-o", "book.html", "--lang", "fr"]) == 0
    book = (tmp_path / "book.html").read_text("utf-8")
    assert trutdsl.rulebook("trut", language="fr") == book
    assert trutdsl.rulebook("trut", html=False).startswith("# Trut")


def test_a_new_variant_can_be_loaded(tmp_path):
    rules, scenarios = trutdsl.new_variant("our-trut", "trut", {"goal": 3}, tmp_path)
    assert trutdsl.load_game(rules).parameters["goal"] == 3
    assert trutdsl.load_game(rules).variant.title == "Our trut (Trut, our rules)"
    assert all(outcome.passed for outcome in trutdsl.run_scenarios(scenarios))
    with pytest.raises(BadUsage, match="is there already"):
        trutdsl.new_variant("our-trut", "trut", {"goal": 3}, tmp_path)


def test_a_new_variant_names_its_base_from_its_own_folder(tmp_path, monkeypatch, capsys):
    """The path of the base has signs with a meaning in YAML."""
    monkeypatch.chdir(tmp_path)
    for folder in ("our games: #1", "new"):
        Path(folder).mkdir()
    base = "our games: #1/base.yaml"
    Path(base).write_text("variant: base\ntitle: T\nextends: trut\n")
    rules, scenarios = trutdsl.new_variant("own", base, folder="new")
    assert trutdsl.load_game(rules).variant.base == "base"
    assert all(outcome.passed for outcome in trutdsl.run_scenarios(scenarios))
    assert run(["new", "other", "--from", base]) == 0
    assert "  trutdsl diff 'our games: #1/base.yaml' other.yaml  " in capsys.readouterr().out


def test_calls_explain_choices_and_replay_transcripts(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command = "simulate trut --matches 1 --seed 1 --strategies steady --transcript log.jsonl"
    assert run(command.split()) == 0
    capsys.readouterr()
    explained = run_json(capsys, "explain-choice", "steady", "log.jsonl")
    assert trutdsl.explain_choice("steady", "log.jsonl") == explained != []
    assert trutdsl.replay("log.jsonl") is None
    text = (tmp_path / "log.jsonl").read_text().replace('"winner": 0', '"winner": 1', 1)
    (tmp_path / "changed.jsonl").write_text(text)
    assert trutdsl.replay("changed.jsonl").line > 0


def test_shards_are_merged(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    who = ["--strategies", "steady,caller", "--sets", "8", "--seed", "1", "--jobs", "1", "-q"]
    for part in (1, 2):
        assert run(["tournament", "trut", *who, "--shard", f"{part}/2", "--out", f"{part}"]) == 0
    with pytest.raises(BadUsage, match="4 sets are missing"):
        trutdsl.merge_runs(["1"], "half")
    whole = trutdsl.merge_runs(["1", "2"], "whole")
    tournament = trutdsl.tournament("trut", ["steady", "caller"], sets=8, seed=1, jobs=1)
    assert whole.standings.equals(tournament.standings)


@pytest.mark.thorough
def test_ambiguities_compare_readings():
    found = trutdsl.ambiguities("trut:goal=1", strategies=["steady", "caller"], sets=4, jobs=1)
    assert found.results["readings"] and len(found.differences) > 0


def test_figures_of_a_simulation_are_the_same_on_any_number_of_threads():
    one, two = (trutdsl.simulate("trut", "steady", matches=5000, jobs=jobs) for jobs in (1, 2))
    assert one == two
    with pytest.raises(BadUsage):
        trutdsl.simulate("trut", jobs=0)
