"""Extensions of a run by another kind of budget give the same bytes."""

import json
import sqlite3
from contextlib import closing

import pytest
from extent import extent
from run_files import contents

from trutdsl.cli.app import run

PLAY = ["tournament", "trut", "--strategies", "steady,caller", "--param", "goal=1", "--jobs", "1"]
DEALS = 640  # about 250 sets; the rule checks after every 16


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("trutdsl.tournaments.stopping.GUESS", 2)
    monkeypatch.setattr("trutdsl.tournaments.stopping.OFTEN", 10)
    return tmp_path


def read_totals(path):
    return json.loads((path / "results.json").read_text())["run"]


def delete_chunks(path, *firsts):
    """Delete some chunks from the journal, as if the run had been stopped."""
    with closing(sqlite3.connect(path / "journal.sqlite")) as db, db:
        for first in firsts:
            db.execute("DELETE FROM chunk WHERE first = ?", [first])


@pytest.mark.parametrize("options", [[], ["--sets", "111", "--chunk", "5"]][: extent(1, None)])
def test_a_run_of_sets_is_extended_by_deals(folder, options):
    assert run([*PLAY, *options, "--out", "run"]) == 0
    deals = str(read_totals(folder / "run")["deals"] + 300)
    assert run([*PLAY, "--deals", deals, "--out", "whole"]) == 0
    assert run(["extend", "run", "--deals", deals, "--chunk", "7"]) == 0
    assert contents(folder / "run") == contents(folder / "whole")
    assert run(["resume", "run"]) == 0
    assert contents(folder / "run") == contents(folder / "whole")


def test_a_stopped_run_of_sets_is_extended_by_deals(folder):
    """Chunks after the first gap that cross a place of the rule are played again."""
    assert run([*PLAY, "--deals", str(DEALS), "--out", "whole"]) == 0
    assert run([*PLAY, "--sets", "300", "--chunk", "9", "--out", "run"]) == 0
    with closing(sqlite3.connect(folder / "run/journal.sqlite")) as db:
        firsts = [first for (first,) in db.execute("SELECT first FROM chunk ORDER BY first")]
    end = read_totals(folder / "whole")["sets"]
    delete_chunks(folder / "run", *firsts[3:9], *(first for first in firsts if first >= end))
    assert any(first < end < first + 9 for first in firsts), "the last chunk crosses the end"
    assert run(["extend", "run", "--deals", str(DEALS)]) == 0
    assert contents(folder / "run") == contents(folder / "whole")


@pytest.mark.parametrize("stop", [[], ["--precision", "0.001"]][: extent(1, None)])
def test_a_run_of_deals_is_extended_by_sets(folder, stop, capsys):
    """Sets beyond the old end count up to the new one, each once."""
    assert run([*PLAY, *stop, "--deals", str(DEALS), "--out", "run", "--jobs", "2"]) == 0
    sets_before = read_totals(folder / "run")["sets"]
    for more in (3, 60):
        sets = str(sets_before + more)
        assert run([*PLAY, *stop, "--sets", sets, "--out", f"whole-{more}"]) == 0
        assert run(["extend", "run", "--sets", sets]) == 0
        assert contents(folder / "run") == contents(folder / f"whole-{more}")
        capsys.readouterr()
        assert run(["results", "run", "--json"]) == 0
        assert capsys.readouterr().out == (folder / "run/results.json").read_text()
    deals = str(read_totals(folder / "run")["deals"] + 1)
    assert run(["extend", "run", "--deals", deals]) == 0
    assert run([*PLAY, *stop, "--deals", deals, "--out", "again"]) == 0
    assert contents(folder / "run") == contents(folder / "again")


def test_sets_beyond_the_end_are_neither_counted_nor_merged(folder, capsys):
    """A worker had played sets beyond the end that a rule set before."""
    assert run([*PLAY, "--sets", "40", "--chunk", "16", "--out", "run"]) == 0
    manifest = json.loads((folder / "run/manifest.json").read_text())
    (folder / "run/manifest.json").write_text(json.dumps(manifest | {"sets": 20}))
    assert run([*PLAY, "--sets", "20", "--out", "whole"]) == 0
    assert run(["merge", "run", "--out", "merged"]) == 1, "without sets 16 to 31 and what follows"
    assert not (folder / "merged/results.json").exists()
    for name in ("run", "merged"):
        assert run(["resume", name]) == 0
        assert contents(folder / name) == contents(folder / "whole")
    capsys.readouterr()
    assert run(["results", "run", "--json"]) == 0
    assert capsys.readouterr().out == (folder / "whole/results.json").read_text()


def test_a_smaller_budget_is_refused(folder, capsys):
    assert run([*PLAY, "--sets", "50", "--out", "sets"]) == 0
    deals = read_totals(folder / "sets")["deals"]
    assert run([*PLAY, "--deals", "300", "--out", "deals"]) == 0
    sets = read_totals(folder / "deals")["sets"]
    assert run(["extend", "deals", "--deals", "400"]) == 0
    before = [(folder / name / "manifest.json").read_bytes() for name in ("sets", "deals")]
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
    assert before == [(folder / name / "manifest.json").read_bytes() for name in ("sets", "deals")]


@pytest.mark.usefixtures("folder")
def test_the_remaining_time_is_that_of_the_missing_deals(monkeypatch):
    from trutdsl.cli import match_progress

    assert run([*PLAY, "--deals", "300", "--out", "run"]) == 0
    amounts = []

    class Pace(match_progress.Pace):
        def time_for(self, amount):
            amounts.append(amount)
            return super().time_for(amount)

    monkeypatch.setattr(match_progress, "Pace", Pace)
    assert run(["extend", "run", "--deals", "400"]) == 0
    assert amounts and max(amounts) < 100
