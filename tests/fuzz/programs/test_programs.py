"""Random whole programs are played alike by both engines, in every form; kept ones still are."""

import json

import pytest
from extent import extent
from forked import trutdsl

from trutdsl.diagnostics import Rejected

from .compare import compare, games_of
from .keep import FOLDER, program_of, text_of
from .shrink import shrink
from .write import write_program

ALL, PROGRAMS = extent(150, 300), 15  # of each part; `make fuzz` plays 10,000
LONGEST = 300  # seconds of a processor that a part may take
FOUND = sorted(FOLDER.glob("*.txt"))


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", "")  # a program does not come again


# In a process that ends with all that it has made: to free what modules were made of takes a sixth
# of the time. Machine code that ends its process is found, too.
PLAY = """\
import gc, json, os, sys
from tests.fuzz.programs.search import try_seeds
gc.disable()
tried = try_seeds(range(*map(int, sys.argv[1:])))
print(json.dumps([tried.accepted, tried.differing, tried.met]), flush=True)
os._exit(0)
"""


@pytest.mark.parametrize("first", range(0, ALL, PROGRAMS))
def test_random_programs_are_played_alike(first, tmp_path):
    seeds = range(first, first + PROGRAMS)
    done = trutdsl(tmp_path, str(seeds.start), str(seeds.stop), program=PLAY, seconds=LONGEST)
    assert done.returncode == 0, done.stderr
    accepted, differing, met = json.loads(done.stdout)
    assert differing == {}
    assert accepted >= 0.6 * PROGRAMS
    mistakes = {"no-card", "no-option", "nobody", "nothing", "out-of-range", "unknown-order"}
    assert met["questions"] > 50 and met["played"] > 0 and mistakes & met.keys()


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_what_was_found_is_mended(path, tmp_path):
    assert compare(program_of(path.read_text(encoding="utf-8")), tmp_path)


def test_a_seed_gives_the_same_program():
    assert write_program(7) == write_program(7)
    assert write_program(7).files != write_program(8).files


def test_a_program_is_read_as_it_was_kept():
    program = write_program(5)
    found = program_of(text_of(program, "engines: one and\nthe other"))
    assert found.files == program.files
    assert (found.players, found.parameters) == (program.players, program.parameters)


def test_a_program_is_made_small(tmp_path):
    """What stays is right, and what it was about: here that somebody may play a card."""

    def still(program):
        try:
            games_of(program, tmp_path)
        except Rejected:
            return False
        return "play c from" in program.files["pieces.yaml"]

    before = next(filter(still, map(write_program, range(6, 20))))
    after = shrink(before, still, most=200)
    lines = [sum(t.count("\n") for t in p.files.values()) for p in (before, after)]
    assert lines[1] < 0.75 * lines[0]
    assert still(after)
