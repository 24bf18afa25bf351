"""Both engines play random whole programs alike, in every form, also stored ones."""

import json

import pytest
from extent import extent
from forked import trutdsl

from trutdsl.diagnostics import Rejected

from .compare import compare, games_of
from .keep import FOLDER, from_text, to_text
from .shrink import shrink
from .write import write_program

SEED_COUNT, PROGRAMS = extent((15, 15), (300, 60))  # of each part; `make fuzz` plays 10,000
TIME_LIMIT = 300  # seconds of a processor that a part may take
STORED_PROGRAMS = sorted(FOLDER.glob("*.txt"))


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", "")  # no program occurs twice


# In its own process, which ends without freeing its modules: that took a sixth of the time. So a
# crash of machine code is found, too.
PLAY = """\
import gc, json, os, sys
from tests.fuzz.programs.search import try_seeds
gc.disable()
tried = try_seeds(range(*map(int, sys.argv[1:])))
print(json.dumps([tried.accepted, tried.differing, tried.met]), flush=True)
os._exit(0)
"""


@pytest.mark.parametrize("first", range(0, SEED_COUNT, PROGRAMS))
def test_both_engines_play_random_programs_alike(first, tmp_path):
    seeds = range(first, first + PROGRAMS)
    done = trutdsl(tmp_path, str(seeds.start), str(seeds.stop), program=PLAY, seconds=TIME_LIMIT)
    assert done.returncode == 0, done.stderr
    accepted, differing, met = json.loads(done.stdout)
    assert differing == {}
    assert accepted >= 0.6 * PROGRAMS
    mistakes = {"no-card", "no-option", "nobody", "nothing", "out-of-range", "unknown-order"}
    assert met["questions"] > 50 and met["played"] > 0 and mistakes & met.keys()
    assert met["scripts ended"] >= 0.2 * met["scripts played"]  # two thirds of them are careful


@pytest.mark.parametrize("path", STORED_PROGRAMS, ids=lambda path: path.stem)
def test_stored_programs_no_longer_differ(path, tmp_path):
    assert compare(from_text(path.read_text(encoding="utf-8")), tmp_path)


def test_a_seed_gives_the_same_program():
    assert write_program(7) == write_program(7)
    assert write_program(7).files != write_program(8).files


def test_a_stored_program_is_read_unchanged():
    program = write_program(5)
    found = from_text(to_text(program, "engines: one and\nthe other"))
    assert found.files == program.files
    assert (found.players, found.parameters) == (program.players, program.parameters)


def test_a_program_is_shrunk(tmp_path):
    """The smaller program is valid and keeps the property: a seat may play a card."""

    def keeps_property(program):
        try:
            games_of(program, tmp_path)
        except Rejected:
            return False
        return "play c from" in program.files["pieces.yaml"]

    before = next(filter(keeps_property, map(write_program, range(15, 30))))
    after = shrink(before, keeps_property, most=100)
    lines = [sum(t.count("\n") for t in p.files.values()) for p in (before, after)]
    assert lines[1] < 0.75 * lines[0]
    assert keeps_property(after)
