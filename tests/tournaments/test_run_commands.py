"""Commands for a run's folder: resume, extend, merge, verify, results."""

import json
import re
import shutil
import sqlite3
import sys
from contextlib import closing
from itertools import permutations
from pathlib import Path
from types import ModuleType

import pytest
from extent import extent
from pandas import DataFrame
from run_files import contents

from trutdsl.cli.app import run
from trutdsl.files import own_version

STRATEGIES = ["--strategies", "uniform,other.py,third.py"]
PLAY = ["tournament", "trut", *STRATEGIES, "--param", "goal=1", "--seed", "1", "--jobs", "1"]
SETS = 24
EXAMPLES = Path(__file__).parents[2] / "variants/examples"
STRATEGY = """\
class Any:
    native = "uniform"

    def choose(self, view):
        return view.actions[view.random.below(len(view.actions))]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a whole run in `whole`, and four shards of the same run."""
    path = tmp_path_factory.mktemp("runs")
    for name in ("other.py", "third.py"):
        (path / name).write_text(STRATEGY)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        assert run([*PLAY, "--sets", str(SETS), "--out", "whole"]) == 0
        for part in range(1, 5):
            shard = ["--shard", f"{part}/4", "--out", f"part-{part}"]
            assert run([*PLAY, "--sets", str(SETS), *shard]) == 0
    return path


@pytest.fixture
def work_copy(folder, tmp_path, monkeypatch):
    """Change to a copy of the folder, and return it."""
    shutil.copytree(folder, tmp_path / "runs")
    monkeypatch.chdir(tmp_path / "runs")
    return tmp_path / "runs"


@pytest.mark.thorough
def test_shards_are_merged_in_any_order(work_copy, capsys):
    parts = [f"part-{part}" for part in range(1, 5)]
    for number, order in enumerate(list(permutations(parts))[:: extent(9, 5)]):
        assert run(["merge", *order, "--out", f"merged-{number}"]) == 0
        assert contents(work_copy / f"merged-{number}") == contents(work_copy / "whole")
    assert not (work_copy / "part-1/results.json").exists(), "a part has no results of its own"
    capsys.readouterr()
    assert run(["report", "part-1"]) == 2
    assert "put all together with trutdsl merge" in capsys.readouterr().err
    assert run(["merge", "part-1", "part-3", "--out", "half"]) == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"{SETS // 2} sets are missing; trutdsl resume half plays what is\n")
    assert run(["resume", "half"]) == 0
    assert contents(work_copy / "half") == contents(work_copy / "whole")


def test_a_stopped_shard_resumes_as_a_shard(work_copy, capsys):
    """The folder stores its part, so `resume` plays only the missing sets of the part."""
    with closing(sqlite3.connect(work_copy / "part-2/journal.sqlite")) as db, db:
        db.execute("DELETE FROM chunk WHERE first > 6")
        (remaining,) = db.execute("SELECT sum(sets) FROM chunk").fetchone()
    assert 0 < remaining < SETS // 4
    capsys.readouterr()
    assert run(["results", "part-2"]) == 0
    own = f"this is shard 2/4 of {SETS} sets: {{}} of its {SETS // 4} are played; trutdsl merge"
    assert own.format(remaining) in capsys.readouterr().out
    assert run(["resume", "part-2"]) == 0
    out, err = capsys.readouterr()
    assert f"{SETS // 4 - remaining} sets of deals x " in err and own.format(SETS // 4) in out
    assert run(["merge", *(f"part-{part}" for part in range(1, 5)), "--out", "merged"]) == 0
    assert contents(work_copy / "merged") == contents(work_copy / "whole")


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
def test_a_shard_does_not_become_another_run(work_copy, capsys, command, message):
    before = [file.read_bytes() for file in sorted(work_copy.glob("*/manifest.json"))]
    capsys.readouterr()
    assert run(command) == 2
    out, err = capsys.readouterr()
    assert out == "" and message in err and err.count("\n") == 1
    assert [file.read_bytes() for file in sorted(work_copy.glob("*/manifest.json"))] == before


def test_the_folder_of_a_part_can_become_the_whole_run(work_copy):
    """The commands are the whole tournament, or a merge into the folder of a part."""
    assert run([*PLAY, "--sets", str(SETS), "--out", "part-1"]) == 0
    assert contents(work_copy / "part-1") == contents(work_copy / "whole")
    assert run(["merge", *(f"part-{part}" for part in (3, 2, 4)), "--out", "part-3"]) == 1
    assert run(["resume", "part-3"]) == 0, "what no part held is played"
    assert contents(work_copy / "part-3") == contents(work_copy / "whole")


def test_sets_of_several_runs_count_once(work_copy, capsys):
    """Equal chunks are the same; a chunk that overlaps an earlier one is left out and counted."""
    chunks = {}
    for name in ("whole", "part-2"):
        with closing(sqlite3.connect(work_copy / name / "journal.sqlite")) as db:
            chunks[name] = {*db.execute("SELECT first, sets FROM chunk")}
    left_out = len(chunks["part-2"] - chunks["whole"])
    assert run(["merge", "whole", "part-2", "whole", "--out", "merged"]) == 0
    assert contents(work_copy / "merged") == contents(work_copy / "whole")
    found = re.findall(r"([0-9]+) chunks? ", capsys.readouterr().err)
    assert found == ([str(left_out)] if left_out else [])


def test_an_extended_run_equals_a_longer_one(work_copy, capsys):
    assert run([*PLAY, "--sets", "30", "--out", "longer"]) == 0
    assert run(["extend", "whole", "--sets", "30"]) == 0
    assert contents(work_copy / "whole") == contents(work_copy / "longer")
    assert "nothing was added" not in capsys.readouterr().err
    assert run(["merge", "part-1", "whole", "--out", "merged"]) == 0
    assert contents(work_copy / "merged") == contents(work_copy / "longer"), "the most sets count"
    assert run(["extend", "whole", "--sets", "30"]) == 0
    assert "nothing was added: all of it was played before" in capsys.readouterr().err


@pytest.mark.thorough
def test_a_budget_of_deals_ends_at_the_same_set_with_any_workers(work_copy):
    ways = ([], ["--jobs", "3", "--chunk", "1"], ["--jobs", "2", "--chunk", "20"])
    for number, means in enumerate(ways):
        assert run([*PLAY, "--deals", "600", *means, "--out", f"deals-{number}"]) == 0
    first = contents(work_copy / "deals-0")
    assert first == contents(work_copy / "deals-1") == contents(work_copy / "deals-2")
    deals = json.loads(first["results.json"])["run"]["deals"]
    assert 600 <= deals < 700
    assert run([*PLAY, "--deals", "150", "--out", "fewer"]) == 0
    assert run(["extend", "fewer", "--deals", "600"]) == 0
    assert contents(work_copy / "fewer") == first


@pytest.mark.usefixtures("work_copy")
def test_a_run_is_verified(capsys):
    capsys.readouterr()
    assert run(["verify", "whole", "--chunks", "3"]) == 0
    assert "whole: ok, 3 chunks played again" in capsys.readouterr().out


def test_a_forged_run_is_found(work_copy, capsys):
    """Checksum, key and shape are right, so only a repetition shows it."""
    from trutdsl.tournaments.journal import _checksum
    from trutdsl.tournaments.schedule import Chunk

    with closing(sqlite3.connect(work_copy / "whole/journal.sqlite")) as db, db:
        for key, first, sets, text in db.execute("SELECT key, first, sets, counts FROM chunk"):
            record = json.loads(text)
            record["counts"]["decisions"] += 1
            forged = json.dumps(record, separators=(",", ":"), sort_keys=True)
            row = (forged, _checksum(key, Chunk(first, sets), forged), key)
            db.execute("UPDATE chunk SET counts = ?, checksum = ? WHERE key = ?", row)
    capsys.readouterr()
    assert run(["verify", "whole", "--chunks", "2"]) == 1
    assert (
        "whole: these sets give another result when they are replayed: " in capsys.readouterr().err
    )


@pytest.mark.parametrize("command", ["resume", "extend", "verify"])
def test_a_changed_strategy_is_refused(work_copy, capsys, command):
    (work_copy / "other.py").write_text((work_copy / "other.py").read_text() + "# changed\n")
    capsys.readouterr()
    more = ["--sets", "30"] if command == "extend" else []
    before = contents(work_copy / "whole")
    assert run([command, "whole", *more]) == 2
    error = capsys.readouterr().err
    assert "whole holds another experiment (other.py is not the same); restore other.py, " in error
    assert contents(work_copy / "whole") == before
    assert run(["results", "whole"]) == 0, "what was played can be looked at all the same"


HOUSE = "variant: house\ntitle: House\nextends: base.yaml\nset: {goal: 2}\n"
# Files of a run: the text of each, a change, and the words of the message for it.
FILES = {
    "house.yaml": (HOUSE, ("goal: 2", "goal: 1"), "house.yaml (with base.yaml)"),
    "base.yaml": (
        "variant: base\ntitle: Base\nextends: trut\n",
        ("Base", "Basis"),
        "house.yaml (with base.yaml)",
    ),
    "mine.strategy": (
        'strategy mine extends steady "Mine." for three-tricks:\n    on fortial:\n        pass\n',
        ("pass", "trut"),
        "mine.strategy",
    ),
    "b.bot": ("python3 own/bot.py\n", ("bot.py", "bot.py 1"), "b.bot (with own/bot.py)"),
    "own/bot.py": ("pass\n", ("pass", "\n"), "b.bot (with own/bot.py)"),
}


PLAY_FILES = ["tournament", "house.yaml", "--strategies", "mine.strategy,b.bot", "--out", "run"]


@pytest.fixture(scope="module")
def run_of_files(tmp_path_factory):
    """Return a folder with these files, and a run of them in `run`."""
    path = tmp_path_factory.mktemp("files")
    (path / "own").mkdir()
    for file, (text, *_) in FILES.items():
        (path / file).write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        assert run([*PLAY_FILES, "--sets", "1", "--jobs", "1"]) == 1, "the bot forfeits"
    return path


@pytest.mark.parametrize("command", ["resume", "tournament"])
@pytest.mark.parametrize("name", FILES)
def test_a_changed_file_of_a_run_is_named(
    name, command, run_of_files, tmp_path, monkeypatch, capsys
):
    shutil.copytree(run_of_files, tmp_path / "files")
    monkeypatch.chdir(tmp_path / "files")
    text, (old, new), words = FILES[name]
    Path(name).write_text(text.replace(old, new))
    capsys.readouterr()
    assert run(["resume", "run"] if command == "resume" else [*PLAY_FILES, "--sets", "2"]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    fault = (
        "variant.parameters.goal: 2 there, 1 here" if "goal" in new else f"{words} is not the same"
    )
    assert f"run holds another experiment ({fault}); " in error
    cure = f"restore {words}, or use another folder, such as run-2"
    if command == "resume":
        cure = f"restore {words}, or begin a new run with `trutdsl tournament` in a folder such as "
        cure += "run-2"
    elif "goal" in new:
        cure = "what is new goes to another folder, such as run-2"
    assert error.endswith(f"); {cure}")


def test_a_policy_that_was_solved_again_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    goal = [str(EXAMPLES / "kuhn-poker.yaml"), "--param", "goal=1"]
    solve = ["solve", *goal, "-o", "k.policy", "--iterations"]
    assert run([*solve, "1"]) == 0
    play = ["--strategies", "uniform,k.policy", "--sets", "2", "--out", "run", "--jobs", "1"]
    assert run(["tournament", *goal, *play]) == 0
    assert run([*solve, "2"]) == 0
    assert run(["resume", "run"]) == 2
    message = "run holds another experiment (k.policy is not the same); restore k.policy, or begin"
    assert message in capsys.readouterr().err


@pytest.mark.usefixtures("work_copy")
def test_a_folder_that_is_replaced_gets_no_merged_results(capsys, monkeypatch):
    def replace(done, chunk):
        done.append(chunk)
        Path("merged").rename("aside")
        Path("merged").mkdir()

    monkeypatch.setattr("trutdsl.tournaments.merge.insort", replace)
    assert run([*PLAY, "--sets", "1", "--out", "one"]) == 0
    assert run(["merge", "one", "--out", "merged"]) == 2
    assert "merged/journal.sqlite: the file is gone" in capsys.readouterr().err
    assert not any(Path("merged").iterdir())


def test_runs_of_other_experiments_are_not_merged(work_copy, capsys):
    assert run([*PLAY, "--seed", "2", "--sets", "4", "--out", "else"]) == 0
    capsys.readouterr()
    assert run(["merge", "whole", "else", "--out", "both"]) == 2
    error = capsys.readouterr().err
    assert "else holds another experiment (seed: 2 there, 1 here); only runs of one" in error
    assert not (work_copy / "both").exists()


def test_a_run_whose_manifest_lost_its_sets_is_not_merged(work_copy, capsys):
    file = work_copy / "whole/manifest.json"
    manifest = json.loads(file.read_text(encoding="utf-8"))
    del manifest["sets"]
    file.write_text(json.dumps(manifest), encoding="utf-8")
    capsys.readouterr()
    assert run(["merge", "whole", "--out", "both"]) == 2
    assert capsys.readouterr().err.startswith("error: whole holds a run of another version")


@pytest.mark.thorough
def test_runs_without_a_fixed_number_of_sets_are_not_merged(work_copy, capsys):
    """`extend --sets` gives a run of deals a fixed number of sets."""
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
        assert not (work_copy / "both").exists()
    assert run(["extend", "rounds", "--sets", "3"]) == 2
    error = capsys.readouterr().err
    assert "rounds is a run with --format knock-out, which is not extended" in error
    assert run(["extend", "deals", "--sets", str(SETS)]) == 0
    assert run(["merge", "deals", "part-1", "--out", "both"]) == 0
    assert contents(work_copy / "both") == contents(work_copy / "whole")


@pytest.mark.usefixtures("work_copy")
def test_another_version_is_refused_and_named(capsys, monkeypatch):
    monkeypatch.setattr("trutdsl.tournaments.load.own_version", lambda: "9.9")
    assert run(["resume", "whole"]) == 2
    assert f"(trutdsl: {own_version()} there, 9.9 here)" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["resume", "verify", "results"])
def test_another_folder_is_refused(work_copy, capsys, command):
    (work_copy / "empty").mkdir()
    assert run([command, "empty"]) == 2
    assert "empty is not the folder of a run" in capsys.readouterr().err


def test_results_are_those_of_the_run(work_copy, capsys):
    capsys.readouterr()
    assert run(["results", "whole", "--json"]) == 0
    assert capsys.readouterr().out == (work_copy / "whole/results.json").read_text()


def test_a_file_equals_flags(work_copy):
    (work_copy / "evening.yaml").write_text(
        "experiment: evening\nvariant: trut\nparameters: {goal: 1}\nmatches: 3\n"
        "strategies: [uniform, other.py, third.py]\nout: from-file\nseed: 1\n"
    )
    assert run(["tournament", "evening.yaml", "--sets", str(SETS)]) == 0
    assert contents(work_copy / "from-file") == contents(work_copy / "whole")


def test_a_run_keeps_its_csv_style_and_language(work_copy, capsys):
    """Later commands keep both until an option changes them; the results do not depend on them."""
    (work_copy / "soir.yaml").write_text(
        "experiment: soir\nvariant: trut\nparameters: {goal: 1}\nsets: 6\nseed: 1\n"
        "strategies: [uniform, other.py, third.py]\nout: soir\ncsv_style: fr\nlang: fr\n"
    )
    assert run(["tournament", "soir.yaml"]) == 0
    table = work_copy / "soir/standings.csv"
    first = table.read_bytes()
    assert b"score;score_se;" in first
    for command, message in (
        (["resume", "soir"], "placements"),
        (["results", "soir"], "placements"),
        (["verify", "soir"], "rejou"),
        (["extend", "soir", "--sets", "7"], "placements"),
    ):
        assert table.read_bytes() == first
        capsys.readouterr()
        assert run(command) == 0
        assert message in capsys.readouterr().out
    assert table.read_bytes() != first
    first = table.read_bytes()
    assert b"score;score_se;" in first
    assert run([*PLAY, "--sets", "7", "--out", "plain"]) == 0
    for name in ("manifest.json", "results.json"):
        assert (work_copy / "soir" / name).read_bytes() == (work_copy / "plain" / name).read_bytes()
    capsys.readouterr()
    assert run(["merge", "soir", "plain", "--out", "both", "--verbose"]) == 0
    assert "paires, sur les mêmes manches" in capsys.readouterr().out
    assert (work_copy / "both/standings.csv").read_bytes() == first
    assert run(["merge", "soir", "--out", "other", "--csv-style", "plain", "--lang", "en"]) == 0
    assert contents(work_copy / "other") == contents(work_copy / "plain")
    assert run(["resume", "soir", "--csv-style", "plain", "--lang", "en"]) == 0
    capsys.readouterr()
    assert run(["resume", "soir"]) == 0
    assert "files: soir" in capsys.readouterr().out, "as was said last"
    assert contents(work_copy / "soir") == contents(work_copy / "plain")


@pytest.mark.thorough
def test_tables_are_also_written_as_parquet(work_copy, capsys, monkeypatch):
    """A mock replaces pyarrow, which need not be installed."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # as if it were not installed
    assert run(["resume", "whole", "--parquet"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: Parquet is written with pyarrow: ") and err.count("\n") == 1
    monkeypatch.setitem(sys.modules, "pyarrow", ModuleType("pyarrow"))
    monkeypatch.setattr(DataFrame, "to_parquet", lambda table: table.to_csv(index=False).encode())
    assert run(["resume", "whole", "--parquet"]) == 0
    for name in ("standings", "pairs"):
        parquet = work_copy / f"whole/{name}.parquet"
        columns = (work_copy / f"whole/{name}.csv").read_text().split("\n")[0]
        assert parquet.read_text().split("\n")[0] == columns
        parquet.unlink()
    assert run(["merge", "whole", "--out", "merged"]) == run(["resume", "whole"]) == 0
    for folder in ("whole", "merged"):
        assert (work_copy / folder / "pairs.parquet").exists(), "as the run keeps it"
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run(["resume", "whole"]) == 2
    assert run(["resume", "whole", "--no-parquet"]) == run(["resume", "whole"]) == 0


@pytest.mark.parametrize("command", ["resume", "verify", "extend"])
def test_a_run_is_continued_where_it_began(command, tmp_path, monkeypatch, capsys):
    (tmp_path / "club").mkdir()
    monkeypatch.chdir(tmp_path / "club")
    Path("house.yaml").write_text("variant: house\ntitle: House\nextends: trut\nset: {goal: 3}\n")
    play = ["tournament", "house.yaml", "--strategies", "steady,quiet", "--sets", "2"]
    assert run([*play, "--out", "run", "-q"]) == 0
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    assert run([command, "club/run", *(["--sets", "3"] if command == "extend" else [])]) == 2
    assert capsys.readouterr().err == (
        f"error: club/run needs the file house.yaml, which is not in this folder, {tmp_path}; "
        "change to the folder where the run began\n"
    )
    assert run(["results", "club/run"]) == 0, "which needs no rules"
