"""A tournament held by one call."""

import json
import sys
from types import ModuleType

import pandas as pd
import pytest

from trutdsl import BadUsage, tournament
from trutdsl.cli.app import run

GIVEN = {"parameters": {"goal": 1}, "sets": 12, "seed": 3, "jobs": 2}


@pytest.fixture(scope="module")
def held():
    return tournament("trut", ["steady", "caller", "quiet"], **GIVEN)


def test_it_is_what_the_command_gives(held, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    play = ["trut", "--strategies", "steady,caller,quiet", "--param", "goal=1"]
    assert run(["tournament", *play, "--sets", "12", "--seed", "3", "--out", "run"]) == 0
    shown = capsys.readouterr().out
    assert json.loads(json.dumps(held.results)) == json.loads(
        (tmp_path / "run/results.json").read_text()
    )
    assert str(held) == shown.replace("files: run\n", "")
    for name in ("standings", "pairs"):
        frame = getattr(held, name)
        text = frame.to_csv(index=False, lineterminator="\n")
        assert text == (tmp_path / f"run/{name}.csv").read_text()


def test_in_a_shell_it_is_one_line_of_plain_numbers(held):
    assert repr(held) == ("<Tournament, the best first: steady, quiet, caller; 12 sets, seed 3>")
    assert "np." not in repr(held.results)


def test_a_folder_can_be_gone_on_with(tmp_path):
    first = tournament("trut", ["steady", "caller"], **GIVEN, out=tmp_path / "run")
    assert first.folder == tmp_path / "run" and (tmp_path / "run/journal.sqlite").exists()
    again = tournament("trut", ["steady", "caller"], **(GIVEN | {"sets": 20}), out=first.folder)
    assert again.results["run"]["sets"] == 20


def test_the_matrix_has_each_against_each(held):
    assert list(held.matrix.index) == list(held.standings.strategy) == list(held.matrix.columns)
    for pair in held.results["pairs"]:
        assert held.matrix.loc[pair["first"], pair["second"]] == pair["score"]["mean"]
    assert held.matrix.isna().sum().sum() == 3, "nobody meets itself"


def test_a_notebook_shows_tables_and_a_sentence(held):
    html = held._repr_html_()
    assert html.count("<table") == 2 and "<td>steady</td>" in html
    assert "of 100 matches more" in html


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_answers_are_those_of_each_strategy(engine):
    """quiet never calls and always folds, whatever the others do; caller never folds."""
    names = ["quiet", "caller"]
    held = tournament("trut", names, parameters={"goal": 1}, sets=2, engine=engine, jobs=1)
    answers = held.answers(sets=4).set_index(["strategy", "decision", "option"])
    assert answers.loc["quiet", "respond", "fold"]["share"] == 1
    assert answers.loc["quiet", "turn", "trut"]["count"] == 0
    assert answers.loc["caller", "turn", "trut"]["count"] > 0
    decisions = held.results["run"]["decisions"]
    assert held.answers(sets=2)["count"].sum() == decisions
    shares = answers.groupby(level=["strategy", "decision"])["share"].sum()
    assert shares.to_list() == pytest.approx([1.0] * len(shares))


def test_answers_in_rounds_are_refused():
    held = tournament("trut", ["quiet", "caller"], format="knock-out", **GIVEN)
    with pytest.raises(BadUsage, match="not in rounds"):
        held.answers()


def test_parquet_needs_pyarrow(held, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # as if it were not installed
    with pytest.raises(BadUsage, match=r"pip install 'trutdsl\[parquet\]'"):
        held.to_parquet(tmp_path)
    monkeypatch.setitem(sys.modules, "pyarrow", ModuleType("pyarrow"))
    monkeypatch.setattr(pd.DataFrame, "to_parquet", lambda table: table.to_json().encode())
    held.to_parquet(tmp_path / "new")
    for name, table in (("standings", held.standings), ("pairs", held.pairs)):
        assert (tmp_path / f"new/{name}.parquet").read_bytes() == table.to_json().encode()
