"""A cache that several processes share, or that is damaged, does not change results."""

import json
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trutdsl.cli.app import run
from trutdsl.files import hash_of, read_cache, write_cache
from trutdsl.syntax.parse import grammar

EXAMPLES = settings(
    max_examples=60,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
KEY = hash_of("text")
CODE = bytes(range(256)) * 3
SMALL_GAME = Path(__file__).parent.parent / "good" / "chance.yaml"


@pytest.fixture
def cache_folder(tmp_path, monkeypatch):
    grammar()  # load it before the cache changes; a process needs it once
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def content_of(writer):
    """Return the entry of a writer, which is long enough to be written in several parts."""
    return bytes([writer]) * (100_000 + writer)


def write_and_read(writer):
    """Write and read an entry many times; return the writers it came from, and broken entries."""
    seen, broken = set(), []
    for _ in range(100):
        write_cache(KEY, content_of(writer))
        code = read_cache(KEY)
        if code is None or code != content_of(code[0]):
            broken.append(code and len(code))
        else:
            seen.add(code[0])
    return seen, broken


def test_processes_write_the_same_entry_at_once(cache_folder):
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        found = list(pool.map(write_and_read, range(2)))
    assert [broken for _, broken in found] == [[], []]
    assert set().union(*(seen for seen, _ in found)) == {0, 1}
    assert len(list(cache_folder.iterdir())) == 1, "no partial file is left"


@pytest.mark.thorough
def test_commands_share_a_cold_cache(cache_folder):
    command = [sys.executable, "-m", "trutdsl", "simulate", "trut", "--matches", "50", "--json"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    processes = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        for _ in range(2)
    ]
    ends = [(*process.communicate(timeout=120), process.returncode) for process in processes]
    assert ends[0] == ends[1]
    assert ends[0][1:] == (b"", 0) and json.loads(ends[0][0])["matches"] == 50
    names = [path.name for path in cache_folder.iterdir()]
    # A script, its check, the check of the variant, code, and the nodes of four files.
    assert len(names) == 8
    assert not any(name.endswith(".part") for name in names)


@st.composite
def damages(draw, whole):
    """Draw a damaged entry: cut off, changed, longer, or other bytes."""
    at = draw(st.integers(0, len(whole) - 1))
    match draw(st.sampled_from(["cut", "change", "insert", "double", "zeros", "other"])):
        case "cut":
            return whole[:at]
        case "change":
            return whole[:at] + bytes([whole[at] ^ draw(st.integers(1, 255))]) + whole[at + 1 :]
        case "insert":
            return whole[:at] + draw(st.binary(min_size=1, max_size=9)) + whole[at:]
        case "double":
            return whole + whole
        case "zeros":
            return whole[:at] + bytes(len(whole) - at)
    return draw(st.binary(max_size=400))


@EXAMPLES
@given(st.data())
def test_only_whole_entries_are_read(tmp_path_factory, data):
    cache_folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRUTDSL_CACHE", str(cache_folder))
        write_cache(KEY, CODE)
        (entry,) = cache_folder.iterdir()
        whole = entry.read_bytes()
        damaged = data.draw(damages(whole))
        entry.write_bytes(damaged)
        assert read_cache(KEY) == (CODE if damaged == whole else None)
        write_cache(KEY, CODE)
        assert entry.read_bytes() == whole


def simulate_quickly(capsys, players):
    """Return the output of a simulation that compiles quickly."""
    args = ["simulate", str(SMALL_GAME), "--players", players, "--matches", "20", "--json"]
    assert run(args) == 0
    return capsys.readouterr().out


def make_folder(entry, _foreign):
    entry.unlink()
    entry.mkdir()


def point_nowhere(entry, _foreign):
    entry.unlink()
    entry.symlink_to("nowhere")


DAMAGES = {
    "the entry of something else": lambda entry, foreign: entry.write_bytes(foreign),
    "cut off": lambda entry, _: entry.write_bytes(entry.read_bytes()[:-100]),
    "code changed": lambda entry, _: entry.write_bytes(
        entry.read_bytes()[:-2000] + b"\xcc" * 1000 + entry.read_bytes()[-1000:]
    ),
    "no code": lambda entry, _: entry.write_bytes(b""),
    "a folder": make_folder,
    "a link to nothing": point_nowhere,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_entry_is_compiled_again(cache_folder, capsys, damage):
    first, other = simulate_quickly(capsys, "2"), simulate_quickly(capsys, "3")
    entries = {path: path.read_bytes() for path in cache_folder.iterdir()}
    assert len(entries) == 5 and first != other
    paths = list(entries)
    for path, foreign in zip(paths, [*paths[1:], paths[0]], strict=True):
        damage(path, entries[foreign])
    assert (simulate_quickly(capsys, "2"), simulate_quickly(capsys, "3")) == (first, other)
    if not paths[0].is_dir():
        assert {path: path.read_bytes() for path in cache_folder.iterdir()} == entries
