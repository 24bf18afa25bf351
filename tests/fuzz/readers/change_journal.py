"""Changes to a journal: pages of SQLite, and SQL statements."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from random import Random

from .change_bytes import HAVOC
from .change_json import RAW, VALUES

PAGE = 4096
HEADER = 100
MOST_WORK = 1_000_000  # instructions of SQLite for one change
WRITE_VERSION = slice(18, 20)  # 2: write-ahead log, which a database in memory cannot have
UPDATE_CHECKSUM = "; UPDATE experiment SET checksum = sha256(manifest)"
STATEMENTS = (
    "UPDATE experiment SET manifest = replace(manifest, 'seed', 'sead')",
    "DELETE FROM experiment",
    "INSERT INTO experiment SELECT * FROM experiment",
    "UPDATE experiment SET manifest = x'ff00'" + UPDATE_CHECKSUM,
    "UPDATE experiment SET manifest = 'no json'" + UPDATE_CHECKSUM,
    "UPDATE experiment SET manifest = '[]'" + UPDATE_CHECKSUM,
    "UPDATE experiment SET manifest = replace(manifest, 'seed', 'sead')" + UPDATE_CHECKSUM,
    "UPDATE experiment SET manifest = printf('%.*c', 100000, '[')" + UPDATE_CHECKSUM,
    "DELETE FROM chunk WHERE first = 1",
    "DELETE FROM chunk",
    "UPDATE chunk SET checksum = 'x'",
    "UPDATE chunk SET sets = 1000000",
    "UPDATE chunk SET key = 'x' || key",
    "UPDATE chunk SET counts = x'00ff'",
    "UPDATE chunk SET counts = replace(counts, '1', '2')",
    "UPDATE chunk SET counts = replace(counts, '\"drawn\":0', '\"drawn\":1')",
    "UPDATE chunk SET counts = replace(counts, '\"deals\":', '\"deals\":1')",
    "UPDATE chunk SET first = -first - 1",
    "UPDATE chunk SET first = 'x' || first",
    "UPDATE chunk SET counts = zeroblob(20000000) WHERE first = 0",
    "DROP TABLE chunk",
    "DROP TABLE experiment",
    "ALTER TABLE chunk RENAME COLUMN counts TO count",
    "ALTER TABLE chunk ADD COLUMN more",
    "CREATE TABLE another (x)",
    "CREATE INDEX odd ON chunk (abs(first))",
    "CREATE TRIGGER added AFTER INSERT ON chunk BEGIN DELETE FROM chunk; END",
    "CREATE TRIGGER refused BEFORE INSERT ON chunk BEGIN SELECT raise(ABORT, 'no'); END",
    "DROP TABLE chunk; CREATE VIEW chunk AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL"
    " SELECT i + 1 FROM n) SELECT 'k' key, i number, 1 sets, '{}' counts, 'x' checksum FROM n"
    " WHERE i < 0",
    "DROP TABLE experiment; CREATE VIEW experiment AS SELECT '{}' AS manifest, 'x' AS checksum",
    "PRAGMA application_id = 1",
    "PRAGMA user_version = 99",
    "PRAGMA encoding = 'UTF-16'; VACUUM",
    "PRAGMA page_size = 512; VACUUM",
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = 'CREATE TABLE chunk (x)'",
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = 1",
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET name = 'x' || name",
)  # fmt: skip


def change_in_memory(data: bytes, change: Callable[[sqlite3.Connection], object]) -> bytes:
    """Return a database after a change in memory, or unchanged if SQLite rejects it."""
    plain = bytearray(data)
    write_version, plain[WRITE_VERSION] = bytes(plain[WRITE_VERSION]), b"\1\1"
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        try:
            db.set_progress_handler(lambda: 1, MOST_WORK)  # a view may be endless
            db.deserialize(bytes(plain))
            db.create_function("sha256", 1, _hash)
            change(db)
        except (sqlite3.Error, ValueError, TypeError, ArithmeticError, RecursionError):
            return data  # an earlier change damaged it
        changed = bytearray(db.serialize())
    changed[WRITE_VERSION] = write_version
    return bytes(changed)


def _hash(value: object) -> str:
    return hashlib.sha256(str(value).encode(errors="surrogatepass")).hexdigest()


def run_statement(data: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    """Run a statement of SQL."""
    return change_in_memory(data, lambda db: db.executescript(rng.choice(STATEMENTS)))


def forge(data: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    """Change a row and recompute its checksum."""

    def change(db: sqlite3.Connection) -> None:
        rows = db.execute("SELECT key, first, sets, counts FROM chunk").fetchall()
        if not rows:
            return
        key, number, sets, text = rng.choice(rows)
        old = key
        match rng.randrange(5):
            case 0:
                text = rng.choice(RAW)
            case 1:
                counts = dict(json.loads(text))
                counts[rng.choice(sorted(counts))] = rng.choice(VALUES[:16])
                text = json.dumps(counts)
            case 2:
                sets = rng.choice((0, -1, 10**6, 2**63 - 1, "x", 1.5))
            case 3:
                number = rng.choice((-1, 10**6, 2**63 - 1, "x"))
            case _:
                key = rng.choice(("", "x", hashlib.sha256(str(key).encode()).hexdigest(), b"\xff"))
        checksum = hashlib.sha256(f"{key} {number} {sets} {text}".encode()).hexdigest()
        db.execute("DELETE FROM chunk WHERE key = ?", (old,))
        db.execute(
            "INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?, ?)",
            (key, number, sets, text, checksum),
        )

    return change_in_memory(data, change)


def replace_page(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """Replace a page by another one of this journal or another one, or delete it."""
    pages = [data[at : at + PAGE] for at in range(0, len(data), PAGE)]
    if not pages:
        return data
    a, b = rng.randrange(len(pages)), rng.randrange(len(pages))
    match rng.randrange(3):
        case 0:
            pages[a] = pages[b]
        case 1:
            del pages[a]
        case _:
            pages[a] = rng.choice(others)[:PAGE]
    return b"".join(pages)


def change_header(data: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    """Change the header of the file or of a page."""
    if len(data) < HEADER:
        return data
    start = rng.randrange(0, len(data), PAGE)
    at = start + rng.randrange(HEADER if start == 0 else 12)
    if at >= len(data):
        return data
    return data[:at] + bytes([rng.choice((0, 1, 2, 13, 127, 128, 255))]) + data[at + 1 :]


CHANGES = (run_statement, run_statement, forge, forge, replace_page, change_header, *HAVOC)
