"""What is kept from one run to the next: found again when whole, and made anew when it is not."""

import ast
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

import trutdsl
from trutdsl import files
from trutdsl.files import hash_of, read_kept, write_kept
from trutdsl.native import COMPILER_SOURCES, ENGINE_SOURCES
from trutdsl.variant.model import CHECKED_BY

KEY, OTHER = hash_of("one"), hash_of("other")
DATA = b"what was worked out"


def key_of(number):
    """Return a key at which it is looked whether there is too much."""
    return f"{files.LOOKED_AT * number:064x}"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[:40],
        lambda _data: b"",
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: b"x" + data[1:],
        lambda data: data + b"more",
    ],
)
def test_a_damaged_entry_is_not_used(damage, folder):
    write_kept(KEY, DATA)
    (entry,) = folder.iterdir()
    assert read_kept(KEY) == DATA
    entry.write_bytes(damage(entry.read_bytes()))
    assert read_kept(KEY) is None


def test_the_entry_of_another_key_is_not_used(folder):
    write_kept(KEY, DATA)
    (entry,) = folder.iterdir()
    entry.rename(folder / OTHER)
    assert read_kept(OTHER) is None


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_what_others_can_write_is_not_used(mode, folder):
    write_kept(KEY, DATA)
    (entry,) = folder.iterdir()
    entry.chmod(mode)
    assert read_kept(KEY) is None


def test_without_a_folder_nothing_is_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("TRUTDSL_CACHE", "")
    write_kept(KEY, DATA)
    assert read_kept(KEY) is None
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "file"))
    (tmp_path / "file").write_text("no folder")
    write_kept(KEY, DATA)
    assert read_kept(KEY) is None


@pytest.mark.parametrize("_turn", [1, 2])
def test_a_test_that_keeps_nothing_is_the_only_one(_turn):
    """All others find what was made in this run, see `conftest.py`."""
    write_kept(KEY, DATA)
    assert read_kept(KEY) == DATA
    files.keep_nothing()
    assert read_kept(KEY) is None


@pytest.mark.usefixtures("folder")
def test_whoever_writes_at_the_same_time_nobody_reads_a_part():
    texts = [bytes([number]) * 100_000 for number in range(4)]
    write_kept(KEY, texts[0])

    def write_and_read(number):
        write_kept(KEY, texts[number % 4])
        return read_kept(KEY)

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(write_and_read, range(100))) <= set(texts)


def test_parts_are_distinguished():
    assert hash_of("ab", "c") != hash_of("a", "bc")
    assert hash_of("a") == hash_of(b"a")


def test_an_edited_program_has_another_hash(tmp_path, monkeypatch):
    monkeypatch.setattr(trutdsl, "__file__", str(tmp_path / "__init__.py"))
    (tmp_path / "ir").mkdir()
    hashes = set()
    for name in ("a.py", "b.py", "ir/a.py", "ir/rules.lark"):
        for text in ("one", "two"):
            (tmp_path / name).write_text(text)
            files._hash_of_part.cache_clear()
            hashes.add(files.source_hash("a.py", "ir"))
    files._hash_of_part.cache_clear()
    # Everything but b.py counts.
    assert len(hashes) == 6


@pytest.mark.parametrize("names", [COMPILER_SOURCES, CHECKED_BY, ENGINE_SOURCES])
def test_the_hash_is_of_everything_that_has_a_say(names, root):
    places = [root / "trutdsl" / name for name in names]
    modules = [m for p in places for m in ([p] if p.is_file() else p.rglob("*.py"))]
    used = {
        node.module.split(".")[1]
        for module in modules
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("trutdsl.")
    }
    assert used <= {name.removesuffix(".py") for name in names}


def test_what_was_used_longest_ago_goes_when_there_is_too_much(folder, monkeypatch):
    write_kept(key_of(1), DATA)
    size = (folder / key_of(1)).stat().st_size
    monkeypatch.setattr(files, "MOST_KEPT", 5 * size)
    begun, foreign = folder / "tmp12345678.part", folder / "mine.txt"
    for at, file in enumerate((begun, foreign)):
        file.write_bytes(b"x")
        os.utime(file, (at, at))
    for number in range(1, 5):
        write_kept(key_of(number), DATA)
        os.utime(folder / key_of(number), (1000 - number, 900))  # used, written
    assert [read_kept(key_of(number)) for number in range(1, 5)] == 4 * [DATA]
    for number in range(1, 5):
        os.utime(folder / key_of(number), (1000 - number, 900))
    write_kept(f"{1:064x}", DATA)  # it is not looked at now
    assert len([*folder.iterdir()]) == 7
    write_kept(key_of(5), DATA)
    assert {file.name for file in folder.iterdir()} == {f"{1:064x}", key_of(5), foreign.name}
