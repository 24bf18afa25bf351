"""A whole run killed at random instants, and its journal damaged: the same bytes in the end.

With `CHAOS=20` it is killed at 50 instants, the journal is cut at every byte of its last 4 kB, and
1,200 bits are flipped.
"""

import os
import random
import resource
import shutil
import subprocess
import sys
import time

import pytest
from fake_game import FOUR, FakeStrategy, experiment, make_run
from run_files import FILES, contents
from test_interrupt import COMMAND, alive_in

from trutdsl.diagnostics import Failure
from trutdsl.game import BadUsage
from trutdsl.tournaments.run import Notice, play_run

CHAOS = int(os.environ.get("CHAOS", "1"))
GIVEN = ("--strategies", "a:0:slow:-1,b:0.4,c:1", "--sets", "30", "--jobs", "2")
HOW = {"env": os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}, "text": True}
PLAN = experiment((*FOUR[:2], FakeStrategy("bad", 0.2, "raise", 3)), sets=40)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run that nothing happened to."""
    folder = tmp_path_factory.mktemp("whole")
    play_run(make_run(PLAN, out=str(folder), jobs=2, chunk=1))
    return folder


class Told(Notice):
    def __init__(self):
        self.told, self.sets = [], 0

    def say(self, text):
        self.told.append(text)

    def add_chunk(self, finished):
        self.sets += finished.chunk.sets


def hold_again(folder):
    """Go on with the run in a folder; return what was said and how many sets were played."""
    notice = Told()
    play_run(make_run(PLAN, out=str(folder), jobs=2), notice)
    return notice


KILLS = 50 if CHAOS > 1 else 3


def run_until_killed(folder, seconds):
    """Hold the tournament in a folder; return how it ended, or None if it had to be killed."""
    process = subprocess.Popen(
        [*COMMAND, *GIVEN, "--chunk", "1", "--out", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        **HOW,
    )
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        until = time.monotonic() + 5
        while alive_in(process.pid):
            assert time.monotonic() < until, "a worker outlives its parent"
            time.sleep(0.05)
        return None
    assert process.returncode == 0, err
    return out


def test_a_run_that_is_killed_again_and_again_ends_with_the_same_bytes(tmp_path):
    """Killed at `KILLS` instants; whenever a run comes to its end nevertheless, another begins."""
    chance, kills, ended = random.Random(1), 0, 0
    assert run_until_killed(tmp_path / "whole", None)
    while kills < KILLS:
        folder, killed = tmp_path / f"killed-{ended}", 0
        while (
            run_until_killed(folder, chance.uniform(0.3, 4) if kills + killed < KILLS else None)
            is None
        ):
            killed += 1
        assert contents(folder) == contents(tmp_path / "whole")
        log = (folder / "run.log").read_text()
        twice = sum(log.count(f" sets {n} to {n} ") > 1 for n in range(30))
        assert twice <= 2 * killed, "more than what was under way is played twice"
        kills, ended = kills + killed, ended + 1


def damage_is_mended(whole, folder, data):
    """Go on with a journal that holds these bytes; the results must be those of the whole run."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole, folder)
    for name in FILES[1:]:
        (folder / name).unlink()
    (folder / "journal.sqlite").write_bytes(data)
    try:
        notice = hold_again(folder)
    except (BadUsage, Failure) as refused:
        assert "journal.sqlite" in str(refused)
        return
    assert contents(folder) == contents(whole)
    assert notice.told or not notice.sets, "sets were played again, and nothing was said"


def test_a_journal_cut_anywhere_near_its_end_gives_no_wrong_results(tmp_path, whole):
    data = (whole / "journal.sqlite").read_bytes()
    chance = random.Random(2)
    for cut in sorted(chance.sample(range(1, 4097), min(4096, 11 * CHAOS * CHAOS))):
        damage_is_mended(whole, tmp_path / "cut", data[:-cut])


def test_flipped_bytes_give_no_wrong_results(tmp_path, whole):
    data = (whole / "journal.sqlite").read_bytes()
    chance = random.Random(3)
    for _ in range(3 * CHAOS * CHAOS):
        flipped = bytearray(data)
        flipped[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        damage_is_mended(whole, tmp_path / "flipped", bytes(flipped))


def test_a_disk_that_is_full_ends_the_run_and_keeps_what_is_finished(tmp_path):
    """No file may grow beyond so many bytes, as if there were no more room."""
    room = 120_000
    full = subprocess.run(
        [*COMMAND, *GIVEN, "--chunk", "1", "--out", str(tmp_path / "full")],
        capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
        **HOW,
    )
    assert full.returncode == 1
    assert f"{tmp_path / 'full'}/journal.sqlite: " in full.stderr.splitlines()[-1]
    assert run_until_killed(tmp_path / "full", None)
    assert run_until_killed(tmp_path / "whole", None)
    assert contents(tmp_path / "full") == contents(tmp_path / "whole")
    log = (tmp_path / "full/run.log").read_text()
    twice = sum(log.count(f" sets {n} to {n} ") > 1 for n in range(30))
    assert "0 of 30 sets are done" in log and twice <= 2


def test_a_folder_that_is_taken_away_ends_the_run(tmp_path):
    class Takes(Notice):
        def add_chunk(self, _finished):
            shutil.rmtree(tmp_path / "run", ignore_errors=True)

    with pytest.raises(Failure, match=r"journal.sqlite: the file is gone"):
        play_run(make_run(PLAN, out=str(tmp_path / "run"), jobs=2, chunk=1), Takes())
