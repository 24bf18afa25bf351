"""A tournament by one call of Python."""

import json
import sys
from types import ModuleType

import pandas as pd
import pytest

from trutdsl import BadUsage, tournament
from trutdsl.cli.app import run

OPTIONS = {"parameters": {"goal": 1}, "sets": 12, "seed": 3, "jobs": 2}


@pytest.fixture(scope="module")
def result():
    return tournament("trut", ["steady", "caller", "quiet"], **OPTIONS)


def test_results_equal_those_of_the_command(result, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    play = ["trut", "--strategies", "steady,caller,quiet", "--param", "goal=1"]
    assert run(["tournament", *play, "--sets", "12", "--seed", "3", "--out", "run"]) == 0
    printed = capsys.readouterr().out
    assert json.loads(json.dumps(result.results)) == json.loads(
        (tmp_path / "run/results.json").read_text()
    )
    assert str(result) == printed.replace("files: run\n", "")
    for name in ("standings", "pairs"):
        frame = getattr(result, name)
        text = frame.to_csv(index=False, lineterminator="\n")
        assert text == (tmp_path / f"run/{name}.csv").read_text()


def test_its_representation_is_one_line_of_plain_numbers(result):
    assert repr(result) == ("<Tournament, the best first: steady, quiet, caller; 12 sets, seed 3>")
    assert "np." not in repr(result.results)


def test_a_folder_can_be_extended(tmp_path):
    first = tournament("trut", ["steady", "caller"], **OPTIONS, out=tmp_path / "run")
    assert first.folder == tmp_path / "run" and (tmp_path / "run/journal.sqlite").exists()
    longer = tournament("trut", ["steady", "caller"], **(OPTIONS | {"sets": 20}), out=first.folder)
    assert longer.results["run"]["sets"] == 20


def test_the_matrix_has_the_score_of_every_pair(result):
    assert (
        list(result.matrix.index) == list(result.standings.strategy) == list(result.matrix.columns)
    )
    for pair in result.results["pairs"]:
        assert result.matrix.loc[pair["first"], pair["second"]] == pair["score"]["mean"]
    assert result.matrix.isna().sum().sum() == 3, "nobody meets itself"


def test_a_notebook_shows_tables_and_a_sentence(result):
    html = result._repr_html_()
    assert html.count("<table") == 2 and "<td>steady</td>" in html
    assert "of 100 matches more" in html


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_answers_are_counted_by_strategy(engine):
    """quiet never calls and always folds, whatever the others do; caller never folds."""
    names = ["quiet", "caller"]
    result = tournament("trut", names, parameters={"goal": 1}, sets=2, engine=engine, jobs=1)
    answers = result.answers(sets=4).set_index(["strategy", "decision", "option"])
    assert answers.loc["quiet", "respond", "fold"]["share"] == 1
    assert answers.loc["quiet", "turn", "trut"]["count"] == 0
    assert answers.loc["caller", "turn", "trut"]["count"] > 0
    decisions = result.results["run"]["decisions"]
    assert result.answers(sets=2)["count"].sum() == decisions
    shares = answers.groupby(level=["strategy", "decision"])["share"].sum()
    assert shares.to_list() == pytest.approx([1.0] * len(shares))


def test_answers_in_rounds_are_refused():
    result = tournament("trut", ["quiet", "caller"], format="knock-out", **OPTIONS)
    with pytest.raises(BadUsage, match="not in rounds"):
        result.answers()


def test_parquet_needs_pyarrow(result, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # as if it were not installed
    with pytest.raises(BadUsage, match=r"pip install 'trutdsl\[parquet\]'"):
        result.to_parquet(tmp_path)
    monkeypatch.setitem(sys.modules, "pyarrow", ModuleType("pyarrow"))
    monkeypatch.setattr(pd.DataFrame, "to_parquet", lambda table: table.to_json().encode())
    result.to_parquet(tmp_path / "new")
    for name, table in (("standings", result.standings), ("pairs", result.pairs)):
        assert (tmp_path / f"new/{name}.parquet").read_bytes() == table.to_json().encode()
