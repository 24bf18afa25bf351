"""Formats: meetings, the same bytes with any workers, and reports of played meetings only."""

import csv
import os
import re
import signal
import sqlite3
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace

import pytest
from extent import extent
from run_files import contents, results
from set_results import make_set, round_robin, tally_sets

from trutdsl.cli.app import run
from trutdsl.diagnostics import RunStopped
from trutdsl.options import split
from trutdsl.stats.rounds import RoundStandings
from trutdsl.tournaments.journal import JOURNAL, Journal
from trutdsl.tournaments.merge import show
from trutdsl.tournaments.results import _results
from trutdsl.tournaments.run import Notice, run_tournament

FIVE = "steady,caller,quiet,uniform,bluffer"
PLAY = ["tournament", "trut", "--param", "goal=1"]


ROUNDS = {"swiss": 3, "knock-out": 3, "ladder": 5}


@pytest.mark.parametrize("name", list(ROUNDS)[:: extent(2, 1)])
def test_rounds_have_the_same_results_with_any_workers(work_folder, name, capsys):
    play = [*PLAY, "--strategies", FIVE, "--format", name, "--sets", "4"]
    assert run([*play, "--jobs", "1", "--out", "one"]) == 0
    assert run([*play, "--jobs", "3", "--chunk", "2", "--out", "three"]) == 0
    first = contents(work_folder / "one")
    assert first == contents(work_folder / "three")
    found = results(work_folder / "one")
    assert found["run"]["rounds"] == ROUNDS[name] and found["run"]["sets"] == 4 * ROUNDS[name]
    # Remove chunks from the middle of a round on, and resume.
    with closing(sqlite3.connect(work_folder / "three/journal.sqlite")) as db, db:
        db.execute("DELETE FROM chunk WHERE first >= 6")
    assert run(["results", "three", "--json"]) == 0, "the standings of a part"
    capsys.readouterr()
    assert run(["resume", "three"]) == 0
    assert contents(work_folder / "three") == first
    capsys.readouterr()
    assert run(["results", "three", "--json"]) == 0
    assert capsys.readouterr().out.encode() == first["results.json"]
    assert run(["verify", "three"]) == 0


class StopAt(Notice):
    """Stops a run after a set, by SIGTERM, because background jobs ignore Ctrl-C."""

    def __init__(self, last):
        self.last = last

    def add_chunk(self, finished):
        if finished.chunk.end > self.last:
            os.kill(os.getpid(), signal.SIGTERM)


def test_a_run_stopped_in_its_second_round_keeps_all_its_sets(work_folder, capsys):
    options = {"variant": "trut", "strategies": FIVE.split(","), "parameters": ["goal=1"]}
    options |= {"format": "swiss", "sets": 8, "seed": 3, "jobs": 1, "chunk": 2, "out": "run"}
    settings, means = split(options)
    with pytest.raises(RunStopped) as stopped:
        run_tournament(settings, means, StopAt(10))
    assert (stopped.value.done, stopped.value.of) == (12, 24), "of three rounds of 8"
    found = show(work_folder / "run").results
    assert found["run"]["sets"] == 12 and {pair["round"] for pair in found["pairs"]} == {1, 2}
    assert run(["results", "run"]) == 0
    assert "(12 sets of deals in 2 rounds, " in " ".join(capsys.readouterr().out.split())
    forget(work_folder / "run", 6)
    found = show(work_folder / "run").results
    (out,) = (row for row in found["standings"] if not row["matches"])
    assert out["score"] is None and out["deals_per_match"] is None
    assert run(["results", "run"]) == 0
    text = capsys.readouterr().out
    assert "\n  Nobody comes first: the first round is not over.\n" in text
    assert re.search(rf" {out['strategy']} +│ +none │ +none │ +0 │", text)
    forget(work_folder / "run", 0)
    assert run(["verify", "run"]) == 2
    assert "run: no set of this run is finished yet" in capsys.readouterr().err


def forget(folder, first):
    """Forget the chunks of a run from a set on."""
    with Journal(folder / JOURNAL, "") as journal:
        for chunk in journal.chunks():
            if chunk.first >= first:
                journal.forget(chunk)


def test_a_round_that_contradicts_earlier_ones_is_found(work_folder, capsys):
    """A chunk of round two with other strategies belongs to no run of this seed."""
    play = [*PLAY, "--strategies", FIVE, "--format", "knock-out", "--sets", "3"]
    assert run([*play, "--out", "run"]) == 0
    with closing(sqlite3.connect(work_folder / "run/journal.sqlite")) as db, db:
        db.execute("DELETE FROM chunk WHERE first < 3")
    capsys.readouterr()
    assert run([*play, "--out", "run"]) == 0
    assert (
        "is damaged (it holds a chunk that does not belong to this run)" in capsys.readouterr().err
    )


def test_a_knock_out_reports_only_its_meetings(work_folder, capsys):
    play = [*PLAY, "--strategies", FIVE, "--format", "knock-out", "--sets", "40", "--out", "run"]
    assert run(play) == 0
    out, found = capsys.readouterr().out, results(work_folder / "run")
    assert [row["place"] for row in found["standings"]][:2] == [1, 2]
    assert len(found["pairs"]) == 4 == len(found["contrasts"])
    assert all(row["score"]["method"] == "none" for row in found["standings"])
    assert all(pair["score"]["method"] == "pseudo-sets" for pair in found["pairs"])
    assert "strategies that did not meet are not compared" in " ".join(out.split())
    rows = list(csv.DictReader((work_folder / "run/standings.csv").read_text().splitlines()))
    assert [row["points"] for row in rows][:2] == ["3.0", "2.0"]
    met = {frozenset((p["first"], p["second"])) for p in found["pairs"]}
    separated = {frozenset((c["first"], c["second"])) for c in found["contrasts"] if c["separated"]}
    assert separated <= met
    assert run(["extend", "run", "--sets", "80"]) == 2, "more sets are another tournament"


def test_one_against_all_compares_only_its_meetings(work_folder):
    play = [*PLAY, "--strategies", FIVE, "--format", "one-against-all", "--against", "quiet"]
    assert run([*play, "--sets", "30", "--out", "run"]) == 0
    found = results(work_folder / "run")
    assert found["run"]["matches"] == 30 * 4 * 2
    assert [(p["first"], p["second"]) for p in found["pairs"]] == [
        ("bluffer", "quiet"),
        ("caller", "quiet"),
        ("quiet", "steady"),
        ("quiet", "uniform"),
    ]
    direct = {
        frozenset((p["first"], p["second"])): abs(p["difference"]["mean"]) for p in found["pairs"]
    }
    for contrast in found["contrasts"]:
        two = frozenset((contrast["first"], contrast["second"]))
        if "quiet" in two:
            assert abs(contrast["difference"]["mean"]) == pytest.approx(direct[two])
    ranks = [row["ranks"] for row in found["standings"]]
    assert ranks == sorted(ranks), "its score does not compare with those of the others"


@pytest.mark.parametrize(
    ("strategies", "sentence"),
    [
        ("steady,honest,quiet", "honest is better than steady in their meetings: "),
        ("quiet,honest,steady", "steady is better than honest against quiet: "),
    ],
)
def test_one_against_all_has_no_field(work_folder, capsys, strategies, sentence):
    """Each of the others meets the one alone, so that nobody meets the whole field."""
    play = ["tournament", "trut", "--strategies", strategies, "--format", "one-against-all"]
    against = strategies.partition(",")[0]
    assert run([*play, "--against", against, "--sets", "60", "--seed", "1", "--out", "run"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert sentence in text and "whole field" not in text
    assert run(["report", "run", "-o", "page.html"]) == 0
    assert "whole field" not in (work_folder / "page.html").read_text(encoding="utf-8")


def test_partnerships_pair_every_two_strategies(work_folder, capsys):
    play = [*PLAY, "--players", "4", "--strategies", "steady,caller,uniform"]
    assert run([*play, "--format", "partnerships", "--sets", "6", "--out", "run"]) == 0
    out, found = capsys.readouterr().out, results(work_folder / "run")
    names = ["caller", "steady", "uniform"]
    entrants = ["+".join(two) for two in combinations(names, 2)]
    assert found["sums"]["strategies"] == entrants
    assert found["run"]["matches"] == 6 * 3 * 8
    by_name = {row["strategy"]: row["score"]["mean"] for row in found["standings"]}
    for partner in found["partners"]:
        own = [score for name, score in by_name.items() if partner["strategy"] in name.split("+")]
        assert partner["score"]["mean"] == pytest.approx(sum(own) / len(own))
        assert partner["score"]["low"] < partner["score"]["mean"] < partner["score"]["high"]
    assert "with every partner: steady 0." in out
    assert run(["results", "run", "--json"]) == 0
    assert capsys.readouterr().out == (work_folder / "run/results.json").read_text()


TEST = ("--test", "steady,caller", "--margin", "0.1")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--format", "partnerships"], "is for teams of two; trut with 2 players has teams of 1"),
        (["--format", "swiss", "--players", "3"], "--format swiss is for two teams, not 3"),
        (["--format", "one-against-all", "--against", "quit"], "did you mean 'quiet'?"),
        (
            ["--format", "one-against-all", "--against", "quiet", *TEST],
            "--test steady,caller: these two do not meet, as all play against quiet; name it",
        ),
        (
            ["--format", "knock-out", "--shard", "1/2"],
            "--shard cannot be combined with --format knock-out",
        ),
    ],
)
def test_a_bad_format_is_refused(work_folder, capsys, flags, message):
    assert run([*PLAY, "--strategies", FIVE, *flags]) == 2
    assert message in capsys.readouterr().err
    assert not list(work_folder.iterdir())


def test_cycles_of_rounds_are_reported():
    """Each of three rounds has one meeting: 0 beats 1, 1 beats 2, 2 beats 0."""
    round_robin_design, first_wins, sets = round_robin(3, 2), [[0, 1]], 30
    meetings = {(0, 1): first_wins, (1, 2): first_wins, (0, 2): [[1, 0]]}
    rounds = []
    for pair, winners in meetings.items():
        design = replace(round_robin_design, combinations=(pair,))
        tally = tally_sets(design, [make_set(winners)] * sets)
        rounds.append(SimpleNamespace(experiment=SimpleNamespace(design=design), tally=tally))
    table = RoundStandings((0, 1, 2), (1, 2, 3), (Fraction(1),) * 3)
    names = SimpleNamespace(entrants=("a", "b", "c"))
    course = SimpleNamespace(format="swiss", rounds=rounds, experiment=names)
    course.standings = lambda: table
    found = _results(course, {"meetings": {"rounds": 3}})
    assert found["field"]["cycles"] == [["a", "b", "c"]]
    assert [pair["separated"] for pair in found["pairs"]] == [True] * 3
