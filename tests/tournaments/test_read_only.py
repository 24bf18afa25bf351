"""A run's folder that cannot be written: said in one line, and nothing in it is lost."""

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
# Root may write anywhere, so that it gives up the two capabilities that let it (Linux).
AS_OTHERS = """\
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
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run([*PLAY, "--sets", "20", "--out", "run"]) == 0
    return tmp_path


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_read_only_folder_is_said_in_one_line(here):
    assert run([*PLAY, "--sets", "20", "--out", "other"]) == 0
    before = contents(here / "run")
    for path in (*(here / "run").iterdir(), here / "run"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        done = trutdsl(here, json.dumps(COMMANDS), program=AS_OTHERS)
    finally:
        (here / "run").chmod(0o755)
    assert json.loads((here / "codes.json").read_text()) == [2] * len(COMMANDS), done.stderr
    message = "error: run is read-only, and a run's journal is written even when it is read; copy"
    assert [line[: len(message)] for line in done.stderr.splitlines()] == [message] * len(COMMANDS)
    assert contents(here / "run") == before
    (here / "run/journal.sqlite").chmod(0o644)
    assert run(["extend", "run", "--sets", "30"]) == 0


def test_what_was_played_is_kept_where_results_cannot_be_written(here, capsys, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    assert run([*PLAY, "--sets", "30", "--out", "whole"]) == 0
    with monkeypatch.context() as patch:
        patch.setattr("trutdsl.report.csv_files.write_whole", refuse)
        capsys.readouterr()
        assert run(["extend", "run", "--sets", "30"]) == 1
        told = capsys.readouterr().err.splitlines()[-1]
        assert told == "error: run cannot be written: Read-only file system"
    assert run(["resume", "run"]) == 0
    assert "sets of deals x" not in capsys.readouterr().err, "nothing was left to play"
    files = ("manifest.json", "standings.csv", "pairs.csv", "results.json")
    found, whole = contents(here / "run"), contents(here / "whole")
    assert [found[name] for name in files] == [whole[name] for name in files]
