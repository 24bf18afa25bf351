"""The journal of a run: its finished chunks, in an SQLite file."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Self

from trutdsl.diagnostics import CANNOT_GO_ON, CANNOT_WRITE
from trutdsl.game import BadUsage
from trutdsl.language import say
from trutdsl.tournaments.schedule import Chunk, overlapping

JOURNAL = "journal.sqlite"
APPLICATION_ID = 0x74727574  # `trut`: marks the file as ours
SCHEMA_VERSION = 4
SCHEMA = """
CREATE TABLE experiment (manifest TEXT NOT NULL, checksum TEXT NOT NULL);
CREATE TABLE chunk (
    key TEXT PRIMARY KEY, first INTEGER UNIQUE NOT NULL, sets INTEGER NOT NULL,
    counts TEXT NOT NULL, checksum TEXT NOT NULL
) WITHOUT ROWID;
"""

LONGEST_ROW = 100_000_000  # bytes
LARGEST_INDEX = 2**63 - 1
NOT_ALLOWED = ("CANTOPEN", "READONLY", "PERM", "AUTH")  # SQLite's reasons
UNWRITABLE = (*NOT_ALLOWED, "FULL", "IOERR")
Fits = Callable[[str, Chunk, Any], bool]  # key, range and counts of a row

OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name"
NEXT_CHUNK = "SELECT first, sets, counts FROM chunk WHERE first > ? ORDER BY first LIMIT 1"


class DamagedJournal(Exception):  # noqa: N818 - it is an outcome, not a fault
    """The file is not a journal, or its content has changed."""


class Journal:
    """A journal, locked for one run until `close`.

    manifest: the manifest of its experiment.
    """

    def __init__(self, path: Path, manifest: str, to_read: bool = False) -> None:
        """Open the journal at `path`, or create one for `manifest`.

        to_read: also where it cannot be written, unless a run was killed and its last chunks are
        still in SQLite's file beside it. Raises `DamagedJournal`; `BadUsage` if another run has it
        open or it cannot be written.
        """
        with _explain_errors(path):
            self._path = path
            try:
                self._open(str(path), manifest)
            except sqlite3.Error as problem:
                if not to_read or _reason(problem) not in UNWRITABLE or not _is_at_rest(path):
                    raise
                self._open(f"{path.absolute().as_uri()}?immutable=1")

    def _open(self, name: str, manifest: str | None = None) -> None:
        """Open the file of this name for `manifest`, or a URI to read it."""
        self._db = sqlite3.connect(name, timeout=0.5, isolation_level=None, uri=manifest is None)
        try:
            self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_ROW)
            if manifest is not None:
                self._lock(manifest)
            self.manifest = self._check()
            self._file = (status := self._path.lstat()).st_dev, status.st_ino
        except BaseException:
            self._db.close()
            raise

    def _lock(self, manifest: str) -> None:
        # The lock lasts until `close`: two runs never write into one folder.
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        # The file survives any end of the process without a disk flush for each chunk.
        # A power failure may lose the last few chunks.
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("BEGIN EXCLUSIVE")
        if self._db.execute("SELECT 1 FROM sqlite_schema").fetchone() is None:
            self._begin(manifest)
        self._db.execute("COMMIT")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close and unlock the file."""
        self._db.close()

    def chunks(self) -> list[Chunk]:
        """Return the finished chunks in order; they do not overlap."""
        return [Chunk(*row) for row in self._ask("SELECT first, sets FROM chunk ORDER BY first")]

    def add(self, key: str, chunk: Chunk, counts: Any) -> None:
        """Add a finished chunk; it survives any later end of this process.

        Raises `BadUsage` if the file cannot be written or was removed or replaced.
        """
        self.check_place()
        text = json.dumps(counts, separators=(",", ":"), sort_keys=True)
        row = (key, *chunk, text, _checksum(key, chunk, text))
        self._ask("INSERT INTO chunk VALUES (?, ?, ?, ?, ?)", *row)

    def check_place(self) -> None:
        """Raise `BadUsage` if the file was removed or replaced, or its folder."""
        try:
            status = self._path.lstat()
            is_there = (status.st_dev, status.st_ino) == self._file
        except OSError:
            is_there = False
        if not is_there:
            text = (
                "{path}: the file is gone, and what was played since is lost; put it back, or "
                "begin the run again"
            )
            raise BadUsage(say(text, path=self._path))

    def note(self, manifest: str) -> None:
        """Replace the manifest by another one of the same experiment."""
        if manifest != self.manifest:
            row = (manifest, _hash(manifest))
            self._ask("UPDATE experiment SET manifest = ?, checksum = ?", *row)
            self.manifest = manifest

    def forget(self, chunk: Chunk) -> None:
        """Delete a finished chunk, which will be played again, perhaps in parts."""
        self._ask("DELETE FROM chunk WHERE first = ?", chunk.first)

    def rows(self) -> Iterator[tuple[Chunk, Any]]:
        """Yield each finished chunk with its counts, in order."""
        at = -1
        while rows := self._ask(NEXT_CHUNK, at):
            at, sets, text = rows[0]
            yield Chunk(at, sets), json.loads(text)

    def check_rows(self, fits: Fits) -> None:
        """Raise `DamagedJournal` for a row that cannot belong to this run's experiment."""
        done = []
        for key, first, sets in self._ask("SELECT key, first, sets FROM chunk ORDER BY first"):
            ((text,),) = self._ask("SELECT counts FROM chunk WHERE key = ?", key)
            try:
                counts = json.loads(text)
            except (ValueError, RecursionError):
                counts = None
            whole = all(
                type(number) is int and 0 <= number <= LARGEST_INDEX for number in (first, sets)
            )
            if not whole or not sets or not fits(key, Chunk(first, sets), counts):
                raise DamagedJournal(say("it holds a chunk that does not belong to this run"))
            done.append(Chunk(first, sets))
        if overlapping(done):
            raise DamagedJournal(say("two of its chunks hold the same set"))

    def _ask(self, statement: str, *values: str | int) -> list[tuple[Any, ...]]:
        try:
            with _explain_errors(self._path):
                return self._db.execute(statement, values).fetchall()
        except DamagedJournal as problem:  # it was intact when it was opened
            raise BadUsage(f"{self._path}: {problem}") from None

    def _begin(self, manifest: str) -> None:
        for statement in SCHEMA.split(";"):
            self._db.execute(statement)
        row = (manifest, _hash(manifest))
        self._db.execute("INSERT INTO experiment VALUES (?, ?)", row)
        self._db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        self._db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _check(self) -> str:
        ours = [
            self._db.execute(f"PRAGMA {p}").fetchone()[0]
            for p in ("application_id", "user_version")
        ]
        if ours[0] != APPLICATION_ID:
            raise DamagedJournal(say("it is not a journal of trutdsl"))
        if ours[1] != SCHEMA_VERSION:
            raise DamagedJournal(say("another version of trutdsl made it, which alone can read it"))
        if self._db.execute(OBJECTS).fetchall() != _own_objects():
            raise DamagedJournal(say("it holds something else than a journal's two tables"))
        # A full check, because queries use both indexes, which must agree.
        if self._db.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            raise DamagedJournal(say("its tables and indexes do not agree"))
        rows = self._db.execute("SELECT key, first, sets, counts, checksum FROM chunk")
        for key, first, sets, text, checksum in rows:
            if checksum != _checksum(key, Chunk(first, sets), text):
                raise DamagedJournal(
                    say("the chunk from set {first} on is not what was written", first=first)
                )
        manifests = self._db.execute("SELECT manifest, checksum FROM experiment").fetchall()
        if len(manifests) != 1 or _hash(str(manifests[0][0])) != manifests[0][1]:
            raise DamagedJournal(say("it does not say which experiment it belongs to"))
        return str(manifests[0][0])


def _is_at_rest(path: Path) -> bool:
    """Tell whether a journal is whole in its own file: SQLite has no content beside it."""
    beside = (path.with_name(path.name + suffix) for suffix in ("-journal", "-wal"))
    return not any(file.exists() and file.stat().st_size for file in beside)


def set_aside(path: Path) -> Path:
    """Rename a damaged journal and SQLite's files beside it; return its new path.

    SQLite would apply an old rollback file to the new journal.
    """
    number = 1
    while (target := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    path.rename(target)
    for suffix in ("-journal", "-wal", "-shm"):
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            beside.rename(target.with_name(target.name + suffix))
    return target


@cache
def _own_objects() -> list[tuple[Any, ...]]:
    """Return the objects of a journal's schema, to refuse views and triggers in other files."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(SCHEMA)
        return db.execute(OBJECTS).fetchall()


def _checksum(key: str, chunk: Chunk, text: str) -> str:
    return _hash(f"{key} {chunk.first} {chunk.sets} {text}")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _reason(problem: sqlite3.Error) -> str:
    """Return SQLite's reason, such as `BUSY`; empty if it is none of its own."""
    return "".join(getattr(problem, "sqlite_errorname", "").split("_")[1:2])


@contextmanager
def _explain_errors(path: Path) -> Iterator[None]:
    """Raise our errors instead of SQLite's."""
    try:
        yield
    except UnicodeDecodeError:  # from a message that quotes damaged content
        raise DamagedJournal(say("it holds names that are not UTF-8 text")) from None
    except sqlite3.Error as problem:
        reason = _reason(problem)
        if reason in ("BUSY", "LOCKED"):
            text = "{path}: another run is writing in this folder; wait, or use another folder"
            raise BadUsage(say(text, path=path)) from None
        if reason not in UNWRITABLE:
            raise DamagedJournal(say("it is no whole database")) from None
        if path.exists() and not os.access(path, os.R_OK):
            text = "{path} cannot be read: {strerror}"
            raise BadUsage(say(text, path=path, strerror=say("Permission denied"))) from None
        if path.exists() and not os.access(path.parent, os.W_OK):
            text = (
                "{parent} is read-only, and its journal must be written; copy the folder to where "
                "you may write"
            )
            raise BadUsage(say(text, parent=path.parent)) from None
        if reason in NOT_ALLOWED or (path.exists() and not os.access(path, os.W_OK)):
            found = path.parent.exists()
            strerror = say("Permission denied" if found else "No such file or directory")
            raise BadUsage(say(CANNOT_WRITE, path=path, strerror=strerror)) from None
        full = reason == "FULL"
        strerror = say("No space left on device") if full else say("Input/output error")
        raise BadUsage(say(CANNOT_GO_ON, path=path, strerror=strerror)) from None
