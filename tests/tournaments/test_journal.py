"""The journal of a run: its rows, and the detection of damage."""

import sqlite3
from contextlib import closing

import pytest

from trutdsl.game import BadUsage
from trutdsl.tournaments.journal import DamagedJournal, Journal, set_aside
from trutdsl.tournaments.schedule import Chunk


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite"


def fill(path, chunks=50):
    with Journal(path, "manifest") as journal:
        for number in reversed(range(chunks)):
            journal.add(f"key {number}", Chunk(2 * number, 2), {"x": [number] * 50})


def test_added_rows_come_back_in_order(path):
    fill(path)
    with Journal(path, "ignored, for there is one") as journal:
        assert journal.manifest == "manifest"
        assert [c["x"][0] for _, c in journal.rows()] == list(range(50))
        assert journal.chunks() == [Chunk(2 * number, 2) for number in range(50)]
        with pytest.raises(BadUsage, match="it is no whole database"):
            journal.add("key 7", Chunk(100, 1), {})
        journal.note("another")
        assert journal.manifest == "another"
    with Journal(path, "ignored") as journal:
        assert journal.manifest == "another"


def test_only_one_run_at_a_time(path):
    with (
        Journal(path, "m"),
        pytest.raises(BadUsage, match="another run is writing in this folder"),
    ):
        Journal(path, "m")
    Journal(path, "m").close()


def cut_short(path):
    path.write_bytes(path.read_bytes()[:5000])


def overwrite_a_row(path):
    content = bytearray(path.read_bytes())
    at = content.index(b"[25,25")
    content[at : at + 4] = bytes(4)
    path.write_bytes(content)


def write_text(path):
    path.write_text("not a database, and long enough to be looked at" * 50)


def change_a_count(path):
    with sqlite3.connect(path) as db:
        db.execute("UPDATE chunk SET counts = replace(counts, '7', '8') WHERE first = 14")
    db.close()


def move_a_chunk(path):
    with sqlite3.connect(path) as db:
        db.execute("UPDATE chunk SET first = 100 WHERE first = 14")
    db.close()


def drop_the_manifest(path):
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM experiment")
    db.close()


def change_the_manifest(path):
    with sqlite3.connect(path) as db:
        db.execute("UPDATE experiment SET manifest = 'n'")
    db.close()


def replace_by_another_database(path):
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE something (x)")
    db.close()


def raise_the_version(path):
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()


def damage_a_row_of_an_index(path):
    with closing(sqlite3.connect(path)) as db:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_chunk_2'"
        ((page,),) = db.execute(query)
    content = bytearray(path.read_bytes())
    at = content.index(b"key 25", 4096 * (page - 1))
    content[at : at + 6] = b"key 2x"
    path.write_bytes(content)


def name_an_index_in_latin_1(path):
    content = path.read_bytes()
    path.write_bytes(content.replace(b"sqlite_autoindex", b"sqlite_autoin\xe4ex"))


def add_a_trigger(path):
    with sqlite3.connect(path) as db:
        db.execute("CREATE TRIGGER t AFTER INSERT ON chunk BEGIN DELETE FROM chunk; END")
    db.close()


def replace_the_table_by_a_view(path):
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE chunk")
        db.execute(
            "CREATE VIEW chunk AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)"
            " SELECT 'k' key, i first, 1 sets, '' counts, '' checksum FROM n WHERE i < 0"
        )
    db.close()


@pytest.mark.parametrize(
    "damage",
    [
        damage_a_row_of_an_index,
        name_an_index_in_latin_1,
        add_a_trigger,
        replace_the_table_by_a_view,
        cut_short,
        overwrite_a_row,
        write_text,
        change_a_count,
        move_a_chunk,
        drop_the_manifest,
        change_the_manifest,
        replace_by_another_database,
        raise_the_version,
    ],
)
def test_damage_is_found(path, damage):
    fill(path)
    Journal(path, "m").close()
    damage(path)
    with pytest.raises(DamagedJournal):
        Journal(path, "m")


def test_a_damaged_file_is_set_aside_with_its_rollback(path):
    path.write_text("damaged")
    path.with_name("journal.sqlite-journal").write_text("rollback")
    (first := set_aside(path)).read_text()
    path.write_text("again")
    assert set_aside(path) != first
    assert sorted(p.name for p in path.parent.iterdir()) == [
        "journal.sqlite.damaged-1",
        "journal.sqlite.damaged-1-journal",
        "journal.sqlite.damaged-2",
    ]


@pytest.mark.parametrize("rows", [[(0, 2), (1, 2)], [(0, 0)], [(-1, 2)], [("x", 2)], [(0, 2.5)]])
def test_overlapping_or_invalid_ranges_are_damage(path, rows):
    with Journal(path, "m") as journal:
        for number, row in enumerate(rows):
            journal.add(f"key {number}", Chunk(*row), {})
        with pytest.raises(DamagedJournal):
            journal.check_rows(lambda *_: True)


@pytest.mark.parametrize("change", ["removed", "replaced", "linked"])
def test_a_removed_journal_is_noticed(path, change):
    with Journal(path, "m") as journal:
        journal.add("key 0", Chunk(0, 1), {})
        path.rename(path.with_name("elsewhere"))
        if change == "replaced":
            path.touch()
        elif change == "linked":
            path.symlink_to("elsewhere")
        with pytest.raises(BadUsage, match="the file is gone"):
            journal.add("key 1", Chunk(1, 1), {})


def test_a_journal_in_a_folder_that_is_gone_cannot_be_written(path):
    with pytest.raises(BadUsage, match="cannot be written: No such file or directory"):
        Journal(path.parent / "gone" / path.name, "m")
