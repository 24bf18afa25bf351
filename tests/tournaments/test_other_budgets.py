"""A run goes on with another kind of budget than it was begun with, and comes to the same bytes."""

import json
import sqlite3
from contextlib import closing

import pytest
from run_files import contents

from trutdsl.cli.app import run

PLAY = ["tournament", "trut", "--strategies", "steady,caller", "--param", "goal=1", "--jobs", "1"]
DEALS = 640  # its rule looks after every 16 sets, of some 250


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("trutdsl.tournaments.stopping.GUESS", 2)
    monkeypatch.setattr("trutdsl.tournaments.stopping.OFTEN", 10)
    return tmp_path


def totals(path):
    return json.loads((path / "results.json").read_text())["run"]


def lose(path, *firsts):
    """Have the journal hold some chunks no longer, as that of a run that was stopped."""
    with closing(sqlite3.connect(path / "journal.sqlite")) as db, db:
        for first in firsts:
            db.execute("DELETE FROM chunk WHERE first = ?", [first])


@pytest.mark.parametrize("begun", [[], ["--sets", "111", "--chunk", "5"]])
def test_a_run_of_sets_is_extended_to_so_many_deals(here, begun):
    assert run([*PLAY, *begun, "--out", "run"]) == 0
    deals = str(totals(here / "run")["deals"] + 300)
    assert run([*PLAY, "--deals", deals, "--out", "whole"]) == 0
    assert run(["extend", "run", "--deals", deals, "--chunk", "7"]) == 0
    assert contents(here / "run") == contents(here / "whole")
    assert run(["resume", "run"]) == 0
    assert contents(here / "run") == contents(here / "whole")


def test_a_stopped_run_of_sets_is_extended_to_so_many_deals(here):
    """Chunks behind the first gap that reach over a place of the rule are played again."""
    assert run([*PLAY, "--deals", str(DEALS), "--out", "whole"]) == 0
    assert run([*PLAY, "--sets", "300", "--chunk", "9", "--out", "run"]) == 0
    with closing(sqlite3.connect(here / "run/journal.sqlite")) as db:
        firsts = [first for (first,) in db.execute("SELECT first FROM chunk ORDER BY first")]
    end = totals(here / "whole")["sets"]
    lose(here / "run", *firsts[3:9], *(first for first in firsts if first >= end))
    assert any(first < end < first + 9 for first in firsts), "the last one reaches over the end"
    assert run(["extend", "run", "--deals", str(DEALS)]) == 0
    assert contents(here / "run") == contents(here / "whole")


@pytest.mark.parametrize("stop", [[], ["--precision", "0.001"]])
def test_a_run_of_deals_is_extended_to_so_many_sets(here, stop, capsys):
    """What was played behind its old end counts as far as the new one, and no set twice."""
    assert run([*PLAY, *stop, "--deals", str(DEALS), "--out", "run", "--jobs", "2"]) == 0
    there = totals(here / "run")["sets"]
    for more in (3, 60):
        sets = str(there + more)
        assert run([*PLAY, *stop, "--sets", sets, "--out", f"whole-{more}"]) == 0
        assert run(["extend", "run", "--sets", sets]) == 0
        assert contents(here / "run") == contents(here / f"whole-{more}")
        capsys.readouterr()
        assert run(["results", "run", "--json"]) == 0
        assert capsys.readouterr().out == (here / "run/results.json").read_text()
    deals = str(totals(here / "run")["deals"] + 1)
    assert run(["extend", "run", "--deals", deals]) == 0
    assert run([*PLAY, *stop, "--deals", deals, "--out", "again"]) == 0
    assert contents(here / "run") == contents(here / "again")


def test_sets_behind_the_end_are_neither_counted_nor_merged(here, capsys):
    """A worker was about sets behind the place where a rule ended a run that is of sets now."""
    assert run([*PLAY, "--sets", "40", "--chunk", "16", "--out", "run"]) == 0
    manifest = json.loads((here / "run/manifest.json").read_text())
    (here / "run/manifest.json").write_text(json.dumps(manifest | {"sets": 20}))
    assert run([*PLAY, "--sets", "20", "--out", "whole"]) == 0
    assert run(["merge", "run", "--out", "merged"]) == 1, "without sets 16 to 31 and what follows"
    assert not (here / "merged/results.json").exists()
    for name in ("run", "merged"):
        assert run(["resume", name]) == 0
        assert contents(here / name) == contents(here / "whole")
    capsys.readouterr()
    assert run(["results", "run", "--json"]) == 0
    assert capsys.readouterr().out == (here / "whole/results.json").read_text()


def test_a_smaller_budget_is_refused_by_what_is_there(here, capsys):
    assert run([*PLAY, "--sets", "50", "--out", "sets"]) == 0
    deals = totals(here / "sets")["deals"]
    assert run([*PLAY, "--deals", "300", "--out", "deals"]) == 0
    sets = totals(here / "deals")["sets"]
    assert run(["extend", "deals", "--deals", "400"]) == 0
    before = [(here / name / "manifest.json").read_bytes() for name in ("sets", "deals")]
    for refused, message in (
        (["sets", "--deals", str(deals)], f"sets holds {deals} deals; give --deals {deals + 1}"),
        (
            ["sets", "--sets", "49"],
            "sets is a run of --sets 50; give --sets 50 or more, or use another folder",
        ),
        (["deals", "--sets", str(sets - 1)], " sets; give --sets "),
        (["deals", "--deals", "399"], "deals is a run of --deals 400; give --deals 400 or more"),
    ):
        capsys.readouterr()
        assert run(["extend", *refused]) == 2
        out, err = capsys.readouterr()
        assert out == "" and message in err and err.count("\n") == 1
    assert before == [(here / name / "manifest.json").read_bytes() for name in ("sets", "deals")]


@pytest.mark.usefixtures("here")
def test_the_time_left_is_that_of_the_deals_that_are_missing(monkeypatch):
    from trutdsl.cli import progress

    assert run([*PLAY, "--deals", "300", "--out", "run"]) == 0
    asked = []

    class Pace(progress.Pace):
        def time_for(self, amount):
            asked.append(amount)
            return super().time_for(amount)

    monkeypatch.setattr(progress, "Pace", Pace)
    assert run(["extend", "run", "--deals", "400"]) == 0
    assert asked and max(asked) < 100
