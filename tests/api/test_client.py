"""The example programs of docs/examples run; mypy checks their types."""

import runpy
import sys

import pytest

from trutdsl import load_strategy


@pytest.mark.thorough
def test_the_client_prints_its_findings(root, tmp_path, monkeypatch, capsys):
    client = root / "docs" / "examples" / "client.py"
    assert len(client.read_text("utf-8").splitlines()) <= 60
    study = runpy.run_path(str(client))["study"]
    printed = study("trut", 3, 4, tmp_path)
    assert printed.startswith("steady is the best of 4; to 3 a match has ")
    monkeypatch.setattr(sys, "argv", ["client.py", str(tmp_path / "all" / "journal.sqlite")])
    assert runpy.run_path(str(client))["main"]() == 2
    assert capsys.readouterr().err


@pytest.mark.thorough
def test_the_learner_improves(root):
    path = root / "docs" / "examples" / "learner.py"
    assert len(path.read_text("utf-8").splitlines()) <= 60
    learned = runpy.run_path(str(path))
    assert learned["win_rate"](0, 20) < learned["win_rate"](600, 20)


def test_a_script_loaded_twice_is_equal():
    assert load_strategy("steady") == load_strategy("steady")
    assert load_strategy("steady") != load_strategy("steady:call=90")
