"""Entries of the cache: whole ones are read, damaged ones are ignored, old ones are removed."""

import ast
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

import trutdsl
from trutdsl import files
from trutdsl.files import hash_of, read_cache, write_cache
from trutdsl.native import COMPILER_SOURCES, ENGINE_SOURCES
from trutdsl.variant.model import CHECKED_BY

KEY, OTHER = hash_of("one"), hash_of("other")
DATA = b"what was worked out"


def key_of(number):
    """Return a key at which the cache checks its size."""
    return f"{files.LOOKED_AT * number:064x}"


@pytest.fixture
def cache_folder(tmp_path, monkeypatch):
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
def test_a_damaged_entry_is_not_used(damage, cache_folder):
    write_cache(KEY, DATA)
    (entry,) = cache_folder.iterdir()
    assert read_cache(KEY) == DATA
    entry.write_bytes(damage(entry.read_bytes()))
    assert read_cache(KEY) is None


def test_the_entry_of_another_key_is_not_used(cache_folder):
    write_cache(KEY, DATA)
    (entry,) = cache_folder.iterdir()
    entry.rename(cache_folder / OTHER)
    assert read_cache(OTHER) is None


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_an_entry_that_others_can_write_is_not_used(mode, cache_folder):
    write_cache(KEY, DATA)
    (entry,) = cache_folder.iterdir()
    entry.chmod(mode)
    assert read_cache(KEY) is None


def test_without_a_folder_nothing_is_cached(monkeypatch, tmp_path):
    monkeypatch.setenv("TRUTDSL_CACHE", "")
    write_cache(KEY, DATA)
    assert read_cache(KEY) is None
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "file"))
    (tmp_path / "file").write_text("no folder")
    write_cache(KEY, DATA)
    assert read_cache(KEY) is None


@pytest.mark.parametrize("_turn", [1, 2])
def test_a_test_without_a_cache_does_not_affect_others(_turn):
    """The others share the cache of this run (see `conftest.py`)."""
    write_cache(KEY, DATA)
    assert read_cache(KEY) == DATA
    files.keep_nothing()
    assert read_cache(KEY) is None


@pytest.mark.usefixtures("cache_folder")
def test_concurrent_writers_never_expose_a_partial_entry():
    texts = [bytes([number]) * 100_000 for number in range(4)]
    write_cache(KEY, texts[0])

    def write_and_read(number):
        write_cache(KEY, texts[number % 4])
        return read_cache(KEY)

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(write_and_read, range(100))) <= set(texts)


def test_a_hash_distinguishes_its_parts():
    assert hash_of("ab", "c") != hash_of("a", "bc")
    assert hash_of("a") == hash_of(b"a")


def test_an_edited_source_changes_the_hash(tmp_path, monkeypatch):
    monkeypatch.setattr(trutdsl, "__file__", str(tmp_path / "__init__.py"))
    (tmp_path / "ir").mkdir()
    hashes = set()
    for name in ("a.py", "b.py", "ir/a.py", "ir/rules.lark"):
        for text in ("one", "two"):
            (tmp_path / name).write_text(text)
            files._hash_of_part.cache_clear()
            hashes.add(files.source_hash("a.py", "ir"))
    files._hash_of_part.cache_clear()
    # All files except b.py count.
    assert len(hashes) == 6


def test_the_version_of_python_is_part_of_entries_but_not_of_runs(monkeypatch):
    """Machines with different versions play parts of one run, but share no cache."""
    engine = files.source_hash(*ENGINE_SOURCES)
    monkeypatch.setattr("sys.version", "4.0.0 (main)")
    files._hash_of_part.cache_clear()
    assert files.source_hash(*ENGINE_SOURCES) == engine
    assert hash_of("one") != KEY


@pytest.mark.parametrize("names", [COMPILER_SOURCES, CHECKED_BY, ENGINE_SOURCES])
def test_a_hash_includes_all_imported_packages(names, root):
    places = [root / "trutdsl" / name for name in names]
    modules = [m for p in places for m in ([p] if p.is_file() else p.rglob("*.py"))]
    used = {
        node.module.split(".")[1]
        for module in modules
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("trutdsl.")
    }
    assert used <= {name.removesuffix(".py") for name in names}


def test_the_least_recently_used_entries_are_removed(cache_folder, monkeypatch):
    write_cache(key_of(1), DATA)
    size = (cache_folder / key_of(1)).stat().st_size
    monkeypatch.setattr(files, "MOST_KEPT", 5 * size)
    partial, foreign = cache_folder / "tmp12345678.part", cache_folder / "mine.txt"
    for at, file in enumerate((partial, foreign)):
        file.write_bytes(b"x")
        os.utime(file, (at, at))
    for number in range(1, 5):
        write_cache(key_of(number), DATA)
        os.utime(cache_folder / key_of(number), (1000 - number, 900))  # used, written
    assert [read_cache(key_of(number)) for number in range(1, 5)] == 4 * [DATA]
    for number in range(1, 5):
        os.utime(cache_folder / key_of(number), (1000 - number, 900))
    write_cache(f"{1:064x}", DATA)  # the size is not checked at this key
    assert len([*cache_folder.iterdir()]) == 7
    write_cache(key_of(5), DATA)
    assert {file.name for file in cache_folder.iterdir()} == {f"{1:064x}", key_of(5), foreign.name}
