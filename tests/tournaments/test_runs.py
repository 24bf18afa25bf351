"""What can be done with a run's folder: resume, extend, merge, verify, look."""

import json
import shutil
import sqlite3
import sys
from contextlib import closing
from itertools import permutations
from types import ModuleType

import pytest
from pandas import DataFrame
from run_files import contents

from trutdsl.cli.app import run
from trutdsl.files import own_version

STRATEGIES = ["--strategies", "uniform,other.py,third.py"]
PLAY = ["tournament", "trut", *STRATEGIES, "--param", "goal=1", "--seed", "1"]
SETS = 24
STRATEGY = """\
class Any:
    native = "uniform"

    def choose(self, view):
        return view.actions[view.random.below(len(view.actions))]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files of a whole run in `whole`, and four shards of it."""
    at = tmp_path_factory.mktemp("runs")
    for name in ("other.py", "third.py"):
        (at / name).write_text(STRATEGY)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(at)
        assert run([*PLAY, "--sets", str(SETS), "--out", "whole"]) == 0
        for part in range(1, 5):
            shard = ["--shard", f"{part}/4", "--out", f"part-{part}"]
            assert run([*PLAY, "--sets", str(SETS), *shard]) == 0
    return at


@pytest.fixture
def here(folder, tmp_path, monkeypatch):
    """A copy of it, to work in."""
    shutil.copytree(folder, tmp_path / "runs")
    monkeypatch.chdir(tmp_path / "runs")
    return tmp_path / "runs"


def test_shards_are_merged_in_any_order(here, capsys):
    parts = [f"part-{part}" for part in range(1, 5)]
    for number, order in enumerate(list(permutations(parts))[::5]):
        assert run(["merge", *order, "--out", f"merged-{number}"]) == 0
        assert contents(here / f"merged-{number}") == contents(here / "whole")
    assert not (here / "part-1/results.json").exists(), "a part has no results of its own"
    capsys.readouterr()
    assert run(["merge", "part-1", "part-3", "--out", "half"]) == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"{SETS // 2} sets are missing; trutdsl resume half plays what is\n")
    assert run(["resume", "half"]) == 0
    assert contents(here / "half") == contents(here / "whole")


def test_a_shard_that_was_stopped_goes_on_as_a_shard(here, capsys):
    """The folder knows which part it is: `resume` plays what is missing of that, and no more."""
    with closing(sqlite3.connect(here / "part-2/journal.sqlite")) as db, db:
        db.execute("DELETE FROM chunk WHERE first > 6")
        (kept,) = db.execute("SELECT sum(sets) FROM chunk").fetchone()
    assert 0 < kept < SETS // 4
    capsys.readouterr()
    assert run(["results", "part-2"]) == 0
    own = f"this is shard 2/4 of {SETS} sets: {{}} of its {SETS // 4} are played; trutdsl merge"
    assert own.format(kept) in capsys.readouterr().out
    assert run(["resume", "part-2"]) == 0
    out, err = capsys.readouterr()
    assert f"{SETS // 4 - kept} sets of deals x " in err and own.format(SETS // 4) in out
    assert run(["merge", *(f"part-{part}" for part in range(1, 5)), "--out", "merged"]) == 0
    assert contents(here / "merged") == contents(here / "whole")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["extend", "part-1", "--sets", "99"], "put the shards together with trutdsl merge"),
        (
            [*PLAY, "--sets", str(SETS), "--shard", "2/4", "--out", "part-1"],
            f"part-1 is shard 1/4 of {SETS} sets; trutdsl resume part-1 goes on",
        ),
        (
            [*PLAY, "--sets", "99", "--shard", "1/4", "--out", "part-1"],
            f"part-1 is shard 1/4 of {SETS} sets",
        ),
        (
            [*PLAY, "--sets", str(SETS), "--shard", "1/4", "--out", "whole"],
            "whole holds a run in one piece, not shard 1/4; use another folder",
        ),
    ],
)
def test_a_shard_stays_what_it_is(here, capsys, command, message):
    before = [file.read_bytes() for file in sorted(here.glob("*/manifest.json"))]
    capsys.readouterr()
    assert run(command) == 2
    out, err = capsys.readouterr()
    assert out == "" and message in err and err.count("\n") == 1
    assert [file.read_bytes() for file in sorted(here.glob("*/manifest.json"))] == before


def test_parts_can_become_the_whole_where_they_lie(here):
    """By a command that says so: the whole tournament, or a merge into the folder of a part."""
    assert run([*PLAY, "--sets", str(SETS), "--out", "part-1"]) == 0
    assert contents(here / "part-1") == contents(here / "whole")
    assert run(["merge", *(f"part-{part}" for part in (3, 2, 4)), "--out", "part-3"]) == 1
    assert run(["resume", "part-3"]) == 0, "what no part held is played"
    assert contents(here / "part-3") == contents(here / "whole")


def test_what_two_runs_hold_both_counts_once(here):
    assert run(["merge", "whole", "part-2", "whole", "--out", "merged"]) == 0
    assert contents(here / "merged") == contents(here / "whole")


def test_a_run_is_extended_to_what_a_longer_one_gives(here):
    assert run([*PLAY, "--sets", "30", "--out", "longer"]) == 0
    assert run(["extend", "whole", "--sets", "30"]) == 0
    assert contents(here / "whole") == contents(here / "longer")


def test_so_many_deals_end_at_the_same_set_however_they_are_played(here):
    how = (["--jobs", "1"], ["--jobs", "3", "--chunk", "1"], ["--chunk", "50"])
    for number, means in enumerate(how):
        assert run([*PLAY, "--deals", "2000", *means, "--out", f"deals-{number}"]) == 0
    first = contents(here / "deals-0")
    assert first == contents(here / "deals-1") == contents(here / "deals-2")
    deals = json.loads(first["results.json"])["run"]["deals"]
    assert 2000 <= deals < 2100
    assert run([*PLAY, "--deals", "500", "--out", "fewer"]) == 0
    assert run(["extend", "fewer", "--deals", "2000"]) == 0
    assert contents(here / "fewer") == first


@pytest.mark.usefixtures("here")
def test_a_run_is_verified(capsys):
    capsys.readouterr()
    assert run(["verify", "whole", "--chunks", "3"]) == 0
    assert "whole: ok, 3 chunks played again" in capsys.readouterr().out


def test_a_forged_run_is_found_out(here, capsys):
    """The checksum fits, the key fits, the shape fits: only playing again shows it."""
    from trutdsl.tournaments.journal import _checksum
    from trutdsl.tournaments.schedule import Chunk

    with closing(sqlite3.connect(here / "whole/journal.sqlite")) as db, db:
        for key, first, sets, text in db.execute("SELECT key, first, sets, counts FROM chunk"):
            kept = json.loads(text)
            kept["counts"]["decisions"] += 1
            forged = json.dumps(kept, separators=(",", ":"), sort_keys=True)
            row = (forged, _checksum(key, Chunk(first, sets), forged), key)
            db.execute("UPDATE chunk SET counts = ?, checksum = ? WHERE key = ?", row)
    capsys.readouterr()
    assert run(["verify", "whole", "--chunks", "2"]) == 1
    assert "whole: played again, these sets come out otherwise: " in capsys.readouterr().err


@pytest.mark.parametrize("command", ["resume", "extend", "verify"])
def test_a_strategy_that_has_changed_is_refused(here, capsys, command):
    (here / "other.py").write_text((here / "other.py").read_text() + "# changed\n")
    capsys.readouterr()
    more = ["--sets", "30"] if command == "extend" else []
    before = contents(here / "whole")
    assert run([command, "whole", *more]) == 2
    assert "holds another experiment (strategies.other: " in capsys.readouterr().err
    assert contents(here / "whole") == before
    assert run(["results", "whole"]) == 0, "what was played can be looked at all the same"


def test_runs_of_other_experiments_are_not_merged(here, capsys):
    assert run([*PLAY, "--seed", "2", "--sets", "4", "--out", "else"]) == 0
    capsys.readouterr()
    assert run(["merge", "whole", "else", "--out", "both"]) == 2
    assert "else holds another experiment (seed: 2 there, 1 here)" in capsys.readouterr().err
    assert not (here / "both").exists()


def test_runs_that_are_not_divided_are_not_merged(here, capsys):
    """Nor are those of so many deals, until the number of their sets is said."""
    rounds = [*PLAY, "--format", "knock-out", "--sets", "2", "--out", "rounds"]
    assert run(rounds) == run([*PLAY, "--deals", "30", "--out", "deals"]) == 0
    for name, message in (
        ("rounds", "a run with --format knock-out, which cannot be merged: who meets in a round"),
        ("deals", "a run with --deals, which cannot be merged: how many sets so many deals take"),
    ):
        capsys.readouterr()
        assert run(["merge", name, "--out", "both"]) == 2
        err = capsys.readouterr().err
        assert f"error: {name} is {message}" in err and err.count("\n") == 1
        assert ("trutdsl extend deals --sets N makes it a run of so many sets" in err) == (
            name == "deals"
        )
        assert not (here / "both").exists()
    assert run(["extend", "deals", "--sets", str(SETS)]) == 0
    assert run(["merge", "deals", "part-1", "--out", "both"]) == 0
    assert contents(here / "both") == contents(here / "whole")


@pytest.mark.usefixtures("here")
def test_another_version_is_refused_and_named(capsys, monkeypatch):
    monkeypatch.setattr("trutdsl.tournaments.load.own_version", lambda: "9.9")
    assert run(["resume", "whole"]) == 2
    assert f"(trutdsl: {own_version()} there, 9.9 here)" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["resume", "verify", "results"])
def test_what_is_no_run_is_refused(here, capsys, command):
    (here / "empty").mkdir()
    assert run([command, "empty"]) == 2
    assert "empty is not the folder of a run" in capsys.readouterr().err


def test_results_are_those_of_the_run(here, capsys):
    capsys.readouterr()
    assert run(["results", "whole", "--json"]) == 0
    assert capsys.readouterr().out == (here / "whole/results.json").read_text()


def test_a_file_says_what_flags_say(here):
    (here / "evening.yaml").write_text(
        "experiment: evening\nvariant: trut\nparameters: {goal: 1}\nmatches: 3\n"
        "strategies: [uniform, other.py, third.py]\nout: from-file\nseed: 1\n"
    )
    assert run(["tournament", "evening.yaml", "--sets", str(SETS)]) == 0
    assert contents(here / "from-file") == contents(here / "whole")


def test_a_run_keeps_how_its_tables_are_written_and_its_language(here, capsys):
    """Whatever goes on with it; what is said last holds. No file of its results tells of it."""
    (here / "soir.yaml").write_text(
        "experiment: soir\nvariant: trut\nparameters: {goal: 1}\nsets: 6\nseed: 1\n"
        "strategies: [uniform, other.py, third.py]\nout: soir\ncsv_style: fr\nlang: fr\n"
    )
    assert run(["tournament", "soir.yaml"]) == 0
    table = here / "soir/standings.csv"
    first = table.read_bytes()
    assert b"score;score_se;" in first
    for command, told in (
        (["resume", "soir"], "placements"),
        (["results", "soir"], "placements"),
        (["verify", "soir"], "rejou"),
        (["extend", "soir", "--sets", "7"], "placements"),
    ):
        assert table.read_bytes() == first
        capsys.readouterr()
        assert run(command) == 0
        assert told in capsys.readouterr().out
    assert table.read_bytes() != first
    first = table.read_bytes()
    assert b"score;score_se;" in first
    assert run([*PLAY, "--sets", "7", "--out", "plain"]) == 0
    for name in ("manifest.json", "results.json"):
        assert (here / "soir" / name).read_bytes() == (here / "plain" / name).read_bytes()
    capsys.readouterr()
    assert run(["merge", "soir", "plain", "--out", "both", "--verbose"]) == 0
    assert "paires, sur les mêmes manches" in capsys.readouterr().out
    assert (here / "both/standings.csv").read_bytes() == first
    assert run(["merge", "soir", "--out", "other", "--csv-style", "plain", "--lang", "en"]) == 0
    assert contents(here / "other") == contents(here / "plain")
    assert run(["resume", "soir", "--csv-style", "plain", "--lang", "en"]) == 0
    capsys.readouterr()
    assert run(["resume", "soir"]) == 0
    assert "files: soir" in capsys.readouterr().out, "as was said last"
    assert contents(here / "soir") == contents(here / "plain")


def test_tables_are_written_as_parquet_too(here, capsys, monkeypatch):
    """With a pyarrow that is made up, as it need not be there."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # as if it were not installed
    assert run(["resume", "whole", "--parquet"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: Parquet is written with pyarrow: ") and err.count("\n") == 1
    monkeypatch.setitem(sys.modules, "pyarrow", ModuleType("pyarrow"))
    monkeypatch.setattr(DataFrame, "to_parquet", lambda table: table.to_csv(index=False).encode())
    assert run(["resume", "whole", "--parquet"]) == 0
    for name in ("standings", "pairs"):
        written = here / f"whole/{name}.parquet"
        columns = (here / f"whole/{name}.csv").read_text().split("\n")[0]
        assert written.read_text().split("\n")[0] == columns
        written.unlink()
    assert run(["merge", "whole", "--out", "merged"]) == run(["resume", "whole"]) == 0
    for folder in ("whole", "merged"):
        assert (here / folder / "pairs.parquet").exists(), "as the run keeps it"
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run(["resume", "whole"]) == 2
    assert run(["resume", "whole", "--no-parquet"]) == run(["resume", "whole"]) == 0
