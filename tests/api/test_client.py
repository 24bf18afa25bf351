"""The example of a program around the engine runs as it is written; mypy checks its types."""

import runpy
import sys

from trutdsl import load_strategy


def test_the_client_tells_its_findings(root, tmp_path, monkeypatch, capsys):
    client = root / "docs" / "examples" / "client.py"
    assert len(client.read_text("utf-8").splitlines()) <= 60
    study = runpy.run_path(str(client))["study"]
    told = study("trut", 3, 4, tmp_path)
    assert told.startswith("steady is the best of 4; to 3 a match has ")
    monkeypatch.setattr(sys, "argv", ["client.py", str(tmp_path / "all" / "journal.sqlite")])
    assert runpy.run_path(str(client))["main"]() == 2
    assert capsys.readouterr().err


def test_the_learner_credits_its_choices_and_plays_matches(root):
    path = root / "docs" / "examples" / "learner.py"
    assert len(path.read_text("utf-8").splitlines()) <= 60
    learned = runpy.run_path(str(path))
    assert learned["win_rate"](0, 20) < learned["win_rate"](600, 20)


def test_a_script_that_is_loaded_again_is_the_same():
    assert load_strategy("steady") == load_strategy("steady")
    assert load_strategy("steady") != load_strategy("steady:call=90")
