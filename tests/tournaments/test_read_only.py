"""A run's folder that cannot be written: one line reports it, and nothing is lost."""

import errno
import json
import os

import pytest
from forked import trutdsl

from trutdsl.cli.app import run

PLAY = ["tournament", "trut", "--strategies", "steady,caller", "--param", "goal=1"]
COMMANDS = (
    ["results", "run"],
    ["resume", "run"],
    ["extend", "run", "--sets", "30"],
    ["verify", "run"],
    ["merge", "run", "--out", "new"],
    ["merge", "other", "--out", "run"],
    [*PLAY, "--sets", "30", "--out", "run"],
)
# Root may write anywhere, so the program drops the two capabilities for that (Linux).
WITHOUT_PRIVILEGES = """\
import ctypes, json, sys
libc = ctypes.CDLL(None)
if hasattr(libc, "capset"):
    head, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(head, sets) == 0
    for of in range(2):  # effective, permitted
        sets[of] &= ~0b110  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
    assert libc.capset(head, sets) == 0
from trutdsl.cli.app import run
codes = [run(command) for command in json.loads(sys.argv[1])]
with open("codes.json", "w") as file:
    json.dump(codes, file)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run([*PLAY, "--sets", "20", "--out", "run"]) == 0
    return tmp_path


def read_files(path):
    return {file.name: file.read_bytes() for file in path.iterdir()}


def test_a_read_only_folder_is_reported_in_one_line(folder):
    assert run([*PLAY, "--sets", "20", "--out", "other"]) == 0
    before = read_files(folder / "run")
    for path in (*(folder / "run").iterdir(), folder / "run"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        done = trutdsl(folder, json.dumps(COMMANDS), program=WITHOUT_PRIVILEGES)
    finally:
        (folder / "run").chmod(0o755)
    assert json.loads((folder / "codes.json").read_text()) == [2] * len(COMMANDS), done.stderr
    message = "error: run is read-only, and a run's journal is written even when it is read; copy"
    assert [line[: len(message)] for line in done.stderr.splitlines()] == [message] * len(COMMANDS)
    assert read_files(folder / "run") == before
    (folder / "run/journal.sqlite").chmod(0o644)
    assert run(["extend", "run", "--sets", "30"]) == 0


def test_sets_are_kept_if_results_cannot_be_written(folder, capsys, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    assert run([*PLAY, "--sets", "30", "--out", "whole"]) == 0
    with monkeypatch.context() as patch:
        patch.setattr("trutdsl.report.csv_files.write_whole", refuse)
        capsys.readouterr()
        assert run(["extend", "run", "--sets", "30"]) == 1
        message = capsys.readouterr().err.splitlines()[-1]
        assert message == "error: run cannot be written: Read-only file system"
    assert run(["resume", "run"]) == 0
    assert "sets of deals x" not in capsys.readouterr().err, "nothing was left to play"
    files = ("manifest.json", "standings.csv", "pairs.csv", "results.json")
    found, whole = read_files(folder / "run"), read_files(folder / "whole")
    assert [found[name] for name in files] == [whole[name] for name in files]
