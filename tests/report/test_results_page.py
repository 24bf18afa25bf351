"""`docs/results.md` names every column and key that a tournament or simulation writes."""

import json

import pytest
from documents import rows

from trutdsl.cli.app import run
from trutdsl.report.csv_files import PAIRS, STANDINGS

PARTS = ("_se", "_low", "_high", "_method")


@pytest.fixture(scope="module")
def text(request):
    return (request.config.rootpath / "docs" / "results.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("mark", "columns"), [("standings", STANDINGS), ("pairs", PAIRS)])
def test_every_column_has_its_row(mark, columns, text):
    known = [c for c in columns if not c.endswith(PARTS)]
    assert list(rows(text, mark)) == known


def test_every_file_and_key_is_named(text, tmp_path, capsys):
    out = tmp_path / "run"
    args = ["--strategies", "steady,quiet", "--sets", "1", "--jobs", "1", "--out", str(out)]
    assert run(["tournament", "trut", *args]) == 0
    capsys.readouterr()
    assert [f.name for f in out.iterdir() if f"| `{f.name}` |" not in text] == []
    found = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert set(rows(text, "results")) == set(found)


def test_every_key_of_a_simulation_is_named(text, capsys):
    assert run(["simulate", "trut", "--matches", "2", "--json"]) == 0
    assert set(rows(text, "simulate")) == set(json.loads(capsys.readouterr().out))
