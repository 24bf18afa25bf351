"""`trutdsl format`: which files it changes, what it prints, and its exit codes."""

from __future__ import annotations

import json
import stat
from errno import ENOSPC

import pytest

from trutdsl.cli.app import BAD_INPUT, DONE, FAILED, run

LOOSE = "strategy ours for trut:\n  otherwise :any\n"
NEAT = "strategy ours for trut:\n    otherwise: any\n"
WRONG = "strategy ours for trut:\n  otherwise any\n"


@pytest.fixture
def script(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "ours.strategy"
    path.write_text(LOOSE)
    return path


def test_a_file_is_formatted_once(script, capsys):
    assert run(["format", "ours.strategy"]) == DONE
    assert capsys.readouterr().out == "ours.strategy: formatted\n"
    assert script.read_text() == NEAT
    assert run(["format", "ours.strategy"]) == DONE
    assert capsys.readouterr().out == "nothing to change in 1 file\n"


def test_a_check_changes_nothing(script, capsys):
    assert run(["format", "--check", "ours.strategy"]) == FAILED
    output = capsys.readouterr().out
    assert output.endswith("-  otherwise :any\n+    otherwise: any\n")
    assert script.read_text() == LOOSE
    script.write_text(NEAT)
    assert run(["format", "--check", "ours.strategy"]) == DONE


def test_a_file_with_a_mistake_stays_and_the_others_are_formatted(script, tmp_path, capsys):
    (tmp_path / "wrong.strategy").write_text(WRONG)
    assert run(["format", "wrong.strategy", "ours.strategy"]) == BAD_INPUT
    streams = capsys.readouterr()
    assert streams.out == "ours.strategy: formatted\n"
    assert streams.err.startswith("wrong.strategy:2:")
    assert (tmp_path / "wrong.strategy").read_text() == WRONG
    assert script.read_text() == NEAT


def test_json_lists_the_files(script, capsys):
    assert run(["format", "--check", "--json", "ours.strategy"]) == FAILED
    [one] = json.loads(capsys.readouterr().out)
    assert one["file"] == "ours.strategy"
    assert one["changed"] is True
    assert one["diff"].startswith("--- ours.strategy\n")
    assert script.read_text() == LOOSE


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_a_byte_order_mark_stay(script, end, mark):
    script.write_bytes(mark + LOOSE.replace("\n", end).encode())
    assert run(["format", "ours.strategy"]) == DONE
    assert script.read_bytes() == mark + NEAT.replace("\n", end).encode()
    assert run(["format", "--check", "ours.strategy"]) == DONE


def test_a_file_that_cannot_be_written_stays(script, monkeypatch, capsys):
    def fail(path, _):
        raise OSError(ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr("trutdsl.api.rules.write_whole", fail)
    assert run(["format", "ours.strategy"]) == BAD_INPUT
    assert "ours.strategy cannot be written: No space left on device" in capsys.readouterr().err
    assert script.read_text() == LOOSE


def test_permissions_and_links_stay(script, tmp_path):
    script.chmod(0o640)
    link = tmp_path / "link.strategy"
    link.symlink_to(script)
    assert run(["format", "link.strategy"]) == DONE
    assert link.is_symlink()
    assert script.read_text() == NEAT
    assert stat.S_IMODE(script.stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("trut", "error: 'trut' is not the path of a variant, a module, a script or a file of"),
        ("notes.txt", "error: 'notes.txt' is not the path of a variant"),
        ("none.yaml", "none.yaml:1:1: error: there is no such file"),
        ("played.yaml", "played.yaml:1:1: error: this is a file of scenarios"),
        (".", "a file of rules; that is a folder: name a file in it, as in FILE.yaml"),
        ("/", "a file of rules; that is a folder"),
    ],
)
def test_other_files_are_refused(tmp_path, monkeypatch, capsys, name, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("rules")
    (tmp_path / "played.yaml").write_text("scenario: one\n")
    assert run(["format", name]) == BAD_INPUT
    assert message in capsys.readouterr().err
