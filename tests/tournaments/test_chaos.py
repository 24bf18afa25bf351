"""Kills at random instants and damage of the journal do not change the bytes of a run.

`CHAOS=20` means 50 kills, cuts at every byte of the last 4 kB of the journal, and 1,200 flipped
bits.
"""

import os
import random
import shutil
import subprocess
import time

import pytest
from fake_game import FOUR, FakeStrategy, experiment, make_run
from run_files import FILES, contents
from test_interrupt import list_alive, start_tournament

from trutdsl.game import BadUsage
from trutdsl.tournaments.run import Notice, play_run

CHAOS = int(os.environ.get("CHAOS", "1"))
ARGUMENTS = ("a:0:slow:-1,b:0.4,c:1", "30")
PLAN = experiment((*FOUR[:2], FakeStrategy("bad", 0.2, "raise", 3)), sets=40)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the folder of a run without a disturbance."""
    folder = tmp_path_factory.mktemp("whole")
    play_run(make_run(PLAN, out=str(folder), jobs=2, chunk=1))
    return folder


class RecordingNotice(Notice):
    def __init__(self):
        self.messages, self.sets = [], 0

    def say(self, text):
        self.messages.append(text)

    def add_chunk(self, finished):
        self.sets += finished.chunk.sets


def resume(folder):
    """Resume the run in a folder; return a notice with its messages and number of sets."""
    notice = RecordingNotice()
    play_run(make_run(PLAN, out=str(folder), jobs=2), notice)
    return notice


KILLS = 50 if CHAOS > 1 else 3


def run_until_killed(folder, seconds):
    """Run the tournament in a folder; return its output, or None after a kill."""
    process = start_tournament(folder, *ARGUMENTS)
    try:
        out, err = process.communicate(seconds)
    except subprocess.TimeoutExpired:  # the process is killed
        until = time.monotonic() + 5
        while list_alive(process.pid):
            assert time.monotonic() < until, "a worker outlives its parent"
            time.sleep(0.05)
        return None
    assert process.returncode == 0, err
    return out


@pytest.mark.thorough
def test_a_repeatedly_killed_run_ends_with_the_same_bytes(tmp_path):
    """After each complete run another begins, up to `KILLS` kills in total."""
    chance, kills, ended = random.Random(1), 0, 0
    assert run_until_killed(tmp_path / "whole", None)
    while kills < KILLS:
        folder, kills_here = tmp_path / f"killed-{ended}", 0
        while not run_until_killed(
            folder, chance.uniform(0.1, 1.5) if kills + kills_here < KILLS else None
        ):
            kills_here += 1
        assert contents(folder) == contents(tmp_path / "whole")
        log = (folder / "run.log").read_text()
        twice = sum(log.count(f" sets {n} to {n} ") > 1 for n in range(30))
        assert twice <= 2 * kills_here, "more sets than were in progress are played twice"
        kills, ended = kills + kills_here, ended + 1


def check_recovery(whole, folder, data):
    """Resume with these bytes as the journal; the results must be those of the whole run."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole, folder)
    for name in FILES[1:]:
        (folder / name).unlink()
    (folder / "journal.sqlite").write_bytes(data)
    try:
        notice = resume(folder)
    except BadUsage as refused:
        assert "journal.sqlite" in str(refused)
        return
    assert contents(folder) == contents(whole)
    assert notice.messages or not notice.sets, "sets were played again without a message"


@pytest.mark.thorough
def test_a_journal_cut_anywhere_near_its_end_gives_no_wrong_results(tmp_path, whole):
    data = (whole / "journal.sqlite").read_bytes()
    chance = random.Random(2)
    for cut in sorted(chance.sample(range(1, 4097), min(4096, 11 * CHAOS * CHAOS))):
        check_recovery(whole, tmp_path / "cut", data[:-cut])


def test_flipped_bytes_give_no_wrong_results(tmp_path, whole):
    data = (whole / "journal.sqlite").read_bytes()
    chance = random.Random(3)
    for _ in range(3 * CHAOS * CHAOS):
        flipped = bytearray(data)
        flipped[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        check_recovery(whole, tmp_path / "flipped", bytes(flipped))


def test_a_full_disk_ends_the_run_and_keeps_finished_sets(tmp_path):
    """A limit on the size of files simulates the full disk."""
    room = 120_000
    full = start_tournament(tmp_path / "full", *ARGUMENTS, file_size=room)
    _, err = full.communicate()
    assert full.returncode == 2
    assert f"{tmp_path / 'full'}/journal.sqlite cannot be written: " in err.splitlines()[-1]
    assert run_until_killed(tmp_path / "full", None)
    assert run_until_killed(tmp_path / "whole", None)
    assert contents(tmp_path / "full") == contents(tmp_path / "whole")
    log = (tmp_path / "full/run.log").read_text()
    twice = sum(log.count(f" sets {n} to {n} ") > 1 for n in range(30))
    assert "0 of 30 sets are done" in log and twice <= 2


def test_a_removed_folder_ends_the_run(tmp_path):
    class RemovesFolder(Notice):
        def add_chunk(self, _finished):
            shutil.rmtree(tmp_path / "run", ignore_errors=True)

    with pytest.raises(BadUsage, match=r"journal.sqlite: the file is gone"):
        play_run(make_run(PLAN, out=str(tmp_path / "run"), jobs=2, chunk=1), RemovesFolder())


REPLACEMENTS = {
    "an empty folder": lambda path, _: path.mkdir(),
    "a link": lambda path, aside: path.symlink_to(make_folder(aside.with_name("other"))),
    "a copy": lambda path, aside: shutil.copytree(aside, path),
    "nothing": lambda _path, _aside: None,
}


def make_folder(path):
    path.mkdir()
    return path


@pytest.mark.parametrize("replacement", REPLACEMENTS)
def test_a_folder_that_is_replaced_after_the_last_chunk_gets_no_results(
    replacement, tmp_path, whole
):
    folder, aside = tmp_path / "run", tmp_path / "aside"

    class ReplacesFolder(RecordingNotice):
        def add_chunk(self, finished):
            super().add_chunk(finished)
            if self.sets == 40:
                folder.rename(aside)
                REPLACEMENTS[replacement](folder, aside)

    with pytest.raises(BadUsage, match=r"journal.sqlite: the file is gone"):
        play_run(make_run(PLAN, out=str(folder), jobs=2), ReplacesFolder())
    assert not [*tmp_path.rglob("results.json"), *tmp_path.rglob("standings.csv")]
    notice = resume(aside)
    assert notice.sets == 0 and contents(aside) == contents(whole)
