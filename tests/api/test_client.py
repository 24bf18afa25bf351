"""The example of a program around the engine runs as it is written; mypy checks its types."""

import runpy
import sys


def test_the_client_tells_its_findings(root, tmp_path, monkeypatch, capsys):
    client = root / "docs" / "examples" / "client.py"
    assert len(client.read_text("utf-8").splitlines()) <= 66
    study = runpy.run_path(str(client))["study"]
    told = study("trut", 3, 4, tmp_path)
    assert told.startswith("steady is the best of 4; to 3 a match has ")
    monkeypatch.setattr(sys, "argv", ["client.py", str(tmp_path / "all" / "journal.sqlite")])
    assert runpy.run_path(str(client))["main"]() == 2
    assert capsys.readouterr().err
