"""A run's folder that cannot be written: it is read, a writer says so, and nothing is lost."""

import errno
import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from forked import trutdsl

from trutdsl.cli.app import run
from trutdsl.tournaments.journal import _checksum
from trutdsl.tournaments.schedule import Chunk

PLAY = ["tournament", "trut", "--strategies", "steady,caller", "--param", "goal=1"]
READERS = (["results", "run"], ["verify", "run"], ["merge", "run", "--out", "new"])
WRITERS = (
    ["resume", "run"],
    ["extend", "run", "--sets", "30"],
    ["merge", "other", "--out", "run"],
    [*PLAY, "--sets", "30", "--out", "run"],
)
# On folders and files with other permissions, each with its message.
SEALED = {
    "fixed/journal.sqlite cannot be written: Permission denied": ["resume", "fixed"],
    "sealed/journal.sqlite cannot be read: Permission denied": ["results", "sealed"],
    "closed/manifest.json: cannot be used as a run's folder: Permission denied; use another "
    "folder": [*PLAY, "--out", "closed"],
}
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
    for name, mode in (("fixed", 0o444), ("sealed", 0)):
        shutil.copytree("run", name)
        Path(name, "journal.sqlite").chmod(mode)
    Path("closed").mkdir(mode=0o600)
    (folder / "run/manifest.json").unlink()  # the journal has it, too
    before = read_files(folder / "run")
    for path in (*(folder / "run").iterdir(), folder / "run"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        done = trutdsl(
            folder, json.dumps([*READERS, *WRITERS, *SEALED.values()]), program=WITHOUT_PRIVILEGES
        )
    finally:
        (folder / "run").chmod(0o755)
    codes = json.loads((folder / "codes.json").read_text())
    assert codes == [0] * len(READERS) + [2] * len([*WRITERS, *SEALED]), done.stderr
    message = "error: run is read-only, and its journal must be written; copy"
    errors = [line for line in done.stderr.splitlines() if line.startswith("error")]
    ours, others = errors[: len(WRITERS)], errors[len(WRITERS) :]
    assert [line[: len(message)] for line in ours] == [message] * len(WRITERS)
    assert others == [f"error: {text}" for text in SEALED]
    assert read_files(folder / "new")["standings.csv"] == before["standings.csv"]
    assert read_files(folder / "run") == before
    (folder / "run/journal.sqlite").chmod(0o644)
    assert run(["extend", "run", "--sets", "30"]) == 0


def test_results_are_read_on_a_full_disk(folder, capsys, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("trutdsl.tournaments.folder.write_whole", refuse)
    assert run(["results", "run"]) == 0
    monkeypatch.setattr("trutdsl.tournaments.journal.Journal._lock", raise_full)
    assert run(["results", "run"]) == 0
    (folder / "run/journal.sqlite-wal").write_bytes(b"of a killed run")
    assert run(["results", "run"]) == 2
    assert "journal.sqlite cannot be written: No space left" in capsys.readouterr().err


def raise_full(*_):
    problem = sqlite3.OperationalError()
    problem.sqlite_errorname = "SQLITE_FULL"
    raise problem


def test_a_damaged_journal_stays_where_it_is_when_it_is_read(folder, capsys):
    with closing(sqlite3.connect("run/journal.sqlite")) as journal, journal:
        rows = journal.execute("SELECT first, sets, counts FROM chunk").fetchall()
        for first, sets, counts in rows:
            key = f"other {first}"
            row = (key, _checksum(key, Chunk(first, sets), counts), first)
            journal.execute("UPDATE chunk SET key = ?, checksum = ? WHERE first = ?", row)
    before = read_files(folder / "run")
    assert run(["results", "run"]) == run(["verify", "run"]) == 2
    assert capsys.readouterr().err.count("the command that began the run starts it anew") == 2
    assert read_files(folder / "run") == before


def test_sets_are_kept_if_results_cannot_be_written(folder, capsys, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    assert run([*PLAY, "--sets", "30", "--out", "whole"]) == 0
    with monkeypatch.context() as patch:
        patch.setattr("trutdsl.report.csv_files.write_whole", refuse)
        capsys.readouterr()
        assert run(["extend", "run", "--sets", "30"]) == 2
        message = capsys.readouterr().err.splitlines()[-1]
        text = (
            "run cannot be written: Read-only file system; what is finished is kept, and the same"
        )
        assert message == f"error: {text} command goes on"
    assert run(["resume", "run"]) == 0
    assert "sets of deals x" not in capsys.readouterr().err, "nothing was left to play"
    files = ("manifest.json", "standings.csv", "pairs.csv", "results.json")
    found, whole = read_files(folder / "run"), read_files(folder / "whole")
    assert [found[name] for name in files] == [whole[name] for name in files]
