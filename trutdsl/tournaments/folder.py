"""The folder of a run: its manifest, and the journal of finished chunks."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Self

from trutdsl.diagnostics import Failure, Rejected
from trutdsl.files import canonical_json, write_whole
from trutdsl.game import BadUsage
from trutdsl.language import say
from trutdsl.tournaments.schedule import Chunk, overlapping
from trutdsl.variant import read_source

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
Fits = Callable[[str, Chunk, Any], bool]  # key, range and counts of a row

OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name"
NEXT_CHUNK = "SELECT first, sets, counts FROM chunk WHERE first > ? ORDER BY first LIMIT 1"


class DamagedJournal(Exception):  # noqa: N818 - it is an outcome, not a fault
    """The file is not a journal, or its content has changed."""


class Journal:
    """A journal, locked for one run until `close`.

    manifest: the manifest of its experiment.
    """

    def __init__(self, path: Path, manifest: str) -> None:
        """Open the journal at `path`, or create one for `manifest`.

        Raises `DamagedJournal`; `BadUsage` if another run has it open or it cannot be written.
        """
        with _explained(path):
            self._path = path
            self._db = sqlite3.connect(path, timeout=0.5, isolation_level=None)
            try:
                self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_ROW)
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
                self.manifest = self._check()
                self._file = (found := path.stat()).st_dev, found.st_ino
            except BaseException:
                self._db.close()
                raise

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

        Raises `Failure` if the file cannot be written or was removed or replaced.
        """
        try:
            found = self._path.stat()
            is_there = (found.st_dev, found.st_ino) == self._file
        except OSError:
            is_there = False
        if not is_there:
            raise Failure(
                say("{path}: the file is gone; what was played since is lost", path=self._path)
            )
        text = json.dumps(counts, separators=(",", ":"), sort_keys=True)
        row = (key, *chunk, text, _checksum(key, chunk, text))
        self._ask("INSERT INTO chunk VALUES (?, ?, ?, ?, ?)", *row)

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
            with _explained(self._path):
                return self._db.execute(statement, values).fetchall()
        except DamagedJournal as problem:  # it was intact when it was opened
            raise Failure(f"{self._path}: {problem}") from None

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
        if (found := self._db.execute("PRAGMA integrity_check(1)").fetchone()[0]) != "ok":
            raise DamagedJournal(found)
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


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Raise our errors instead of SQLite's."""
    try:
        yield
    except UnicodeDecodeError:  # from a message that quotes damaged content
        raise DamagedJournal(say("it holds names that are not UTF-8 text")) from None
    except sqlite3.Error as problem:
        match getattr(problem, "sqlite_errorname", "").split("_")[1:2]:
            case ["BUSY"] | ["LOCKED"]:
                raise BadUsage(
                    say(
                        "{path}: another run is writing in this folder; wait, or use another "
                        "folder",
                        path=path,
                    )
                ) from None
            case [_] if path.exists() and not os.access(path.parent, os.W_OK):
                raise BadUsage(
                    say(
                        "{parent} is read-only, and a run's journal is written even when it is "
                        "read; copy the folder to where you may write",
                        parent=path.parent,
                    )
                ) from None
            case ["CANTOPEN"] | ["READONLY"] | ["PERM"] | ["AUTH"]:
                raise BadUsage(
                    say("{path}: cannot be written: {problem}", path=path, problem=problem)
                ) from None
            case ["FULL"] | ["IOERR"]:
                raise Failure(f"{path}: {problem}") from None
            case _:
                raise DamagedJournal(str(problem)) from None


MANIFEST = "manifest.json"
RUN_LOG = "run.log"
MOST_NAMED = 6

Identity = Callable[[Mapping[str, Any]], Mapping[str, Any]]
Admit = Callable[[Mapping[str, Any], Journal], None]


def open_folder(
    path: Path,
    manifest: Mapping[str, Any],
    identity: Identity,
    fits: Fits,
    tell: Callable[[str], None],
    given: Mapping[str, Any] | None = None,
    admit: Admit | None = None,
) -> Journal:
    """Create the folder of a run, or open an existing one, and return its journal.

    manifest: everything that affects the results.
    given:    an entry of the journal that does not affect them; None keeps the present one.
    identity: returns the part of a manifest that must be equal in the folder.
    fits:     tells whether a row of the journal can belong to the experiment.
    tell:     receives a message if a damaged journal was renamed.
    admit:    receives the manifest and the journal of the folder, and may refuse to continue it.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        _refuse_links(path)
        found = read_manifest(path)
        if found is not None:
            refuse_if_other(path, identity(found), identity(manifest))
        text = canonical_json({**manifest, "given": given})
        journal = _open_journal(path, text, identity, fits, tell)
        try:
            if admit is not None:
                admit(found or json.loads(journal.manifest), journal)
            if given is not None:
                journal.note(text)
            write_whole(path / MANIFEST, canonical_json(manifest))
        except BaseException:
            journal.close()
            raise
    except OSError as problem:
        raise BadUsage(
            say(
                "{path}: cannot be used as a run's folder: {strerror}",
                path=path,
                strerror=say(problem.strerror or ""),
            )
        ) from None
    return journal


def _refuse_links(path: Path) -> None:
    """Raise `BadUsage` for links instead of files, which could lead out of the folder."""
    for file in (path / JOURNAL, path / RUN_LOG):
        try:
            plain = stat.S_ISREG(file.lstat().st_mode)
        except FileNotFoundError:
            continue
        if not plain:
            raise BadUsage(say("{file} is not a regular file; use another folder", file=file))


def read_manifest(path: Path) -> Mapping[str, Any] | None:
    """Return the manifest in a folder, None without one; raises `BadUsage` for another file."""
    file = path / MANIFEST
    if not file.exists():
        return None
    try:
        found = _parse_manifest(read_source(file, str(file)).text)
    except Rejected:
        found = None
    if found is None:
        raise BadUsage(
            say("{file} is not the manifest of a trutdsl run; use another folder", file=file)
        )
    return found


def read_begun(path: Path) -> Mapping[str, Any]:
    """Return the manifest of the run in a folder, with `given` from its journal.

    Raises `BadUsage` for a folder without a run, or with a damaged journal.
    """
    manifest = read_manifest(path)
    if not (path / JOURNAL).exists():
        raise BadUsage(
            say(
                "{path} is not the folder of a run: there is no {journal}",
                path=path,
                journal=JOURNAL,
            )
        )
    _refuse_links(path)
    try:
        with Journal(path / JOURNAL, "") as journal:
            begun = _parse_manifest(journal.manifest)
    except DamagedJournal as problem:
        raise BadUsage(
            say("{path} is damaged ({plain})", path=path / JOURNAL, plain=_plain(str(problem)))
        ) from None
    if begun is None:
        raise BadUsage(
            say("{path} is damaged (it does not say what it belongs to)", path=path / JOURNAL)
        )
    return {**(manifest or begun), "given": begun.get("given")}


def read_given(path: Path) -> Mapping[str, Any] | None:
    """Return `given` from the journal in a folder, None without a journal."""
    try:
        given: Mapping[str, Any] | None = read_begun(path)["given"]
    except BadUsage:
        return None
    return given


def _parse_manifest(text: str) -> Mapping[str, Any] | None:
    """Return the manifest in a text, None if there is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and "trutdsl" in found else None


def _open_journal(
    path: Path,
    text: str,
    identity: Identity,
    fits: Fits,
    tell: Callable[[str], None],
) -> Journal:
    file, manifest = path / JOURNAL, json.loads(text)
    try:
        journal = Journal(file, text)
        try:
            there = _parse_manifest(journal.manifest)
            if there is None:
                raise DamagedJournal(say("it does not say which experiment it belongs to"))
            refuse_if_other(path, identity(there), identity(manifest))
            journal.check_rows(fits)
        except BaseException:
            journal.close()
            raise
    except DamagedJournal as problem:
        aside = set_aside(file)
        why = _plain(str(problem))
        tell(
            say(
                "{file} is damaged ({why}); it is now {aside}, and the run starts anew",
                file=file,
                why=why,
                aside=aside.name,
            )
        )
        return Journal(file, text)
    return journal


def refuse_if_other(path: Path, there: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    """Raise `BadUsage` with the differences, unless two identities are equal."""
    differences = list(name_differences(there, here))
    if not differences:
        return
    named = "; ".join(differences[:MOST_NAMED])
    if len(differences) > MOST_NAMED:
        named += say("; and {number} more", number=len(differences) - MOST_NAMED)
    raise BadUsage(
        say(
            "{path} holds another experiment ({named}); what is new goes to another "
            "folder, such as {fresh}",
            path=path,
            named=named,
            fresh=_fresh(path),
        )
    )


def _fresh(path: Path) -> Path:
    number = 2
    while path.with_name(f"{path.name}-{number}").exists():
        number += 1
    return path.with_name(f"{path.name}-{number}")


def name_differences(
    there: Mapping[str, Any], here: Mapping[str, Any], prefix: str = ""
) -> Iterator[str]:
    """Yield a phrase for each difference between two manifests."""
    for key in sorted(there.keys() | here.keys()):
        name, old, new = f"{prefix}{_plain(key)}", there.get(key), here.get(key)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            yield from name_differences(old, new, f"{name}.")
        else:
            yield say(
                "{name}: {there} there, {here} here", name=name, there=_show(old), here=_show(new)
            )


def _show(value: Any) -> str:
    if value is None:
        return "nothing"
    text = _plain(value) if isinstance(value, str) else json.dumps(value, sort_keys=True)
    return text if len(text) <= 40 else f"{text[:12]}..."


def _plain(text: str) -> str:
    return text if text.isprintable() else json.dumps(text)
