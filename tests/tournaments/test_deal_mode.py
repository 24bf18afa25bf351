"""Tournaments of single deals: as many as were asked for, from the score that was stated."""

import pytest
from run_files import contents, results

from trutdsl.cli.app import run

METRIC = "3 longs + petits"
PLAY = ["tournament", "trut", "--mode", "deals", "--metric", METRIC, "--jobs", "1"]
FAILS = """\
class Fails:
    def choose(self, view):
        raise ValueError("no")
"""
WRONG = {
    "--metric is missing": (["--mode", "deals"], "what are longs and petits worth to each other?"),
    "no such mode": (["--mode", "deal", "--metric", METRIC], "did you mean 'deals'?"),
    "a score of matches": (["--score", "longs=0,1"], "needs --mode deals"),
    "no such counter": ([*PLAY[2:], "--score", "long=0,1"], "did you mean 'longs'?"),
    "no numbers": ([*PLAY[2:], "--score", "longs=one,two"], "NAME=A,B"),
    "one team too few": ([*PLAY[2:], "--score", "longs=1"], "each of 2 teams"),
    "out of bounds": ([*PLAY[2:], "--score", "petits=99999999,0"], "'petits' is from 0 to"),
}


def play(out, *more, strategies="steady,caller,uniform", code=0):
    """Hold a tournament of single deals."""
    assert run([*PLAY, "--strategies", strategies, *more, "--out", out]) == code


def test_so_many_deals_are_played_and_no_others(work_folder):
    play("whole", "--deals", "600")
    run_of = results(work_folder / "whole")["run"]
    assert (run_of["deals"], run_of["matches"], run_of["sets"]) == (600, 600, 100)


def test_more_deals_and_shards_come_to_the_same_bytes(work_folder):
    play("whole", "--deals", "120")
    play("grown", "--deals", "60")
    assert run(["extend", "grown", "--deals", "120"]) == 0
    for part in ("1/2", "2/2"):
        play(f"part-{part[0]}", "--deals", "120", "--shard", part)
    assert run(["merge", "part-2", "part-1", "--out", "merged"]) == 0
    play("slowly", "--deals", "120", "--engine", "reference")
    wanted = contents(work_folder / "whole")
    assert contents(work_folder / "grown") == wanted
    assert contents(work_folder / "merged") == wanted
    assert results(work_folder / "slowly")["sums"] == results(work_folder / "whole")["sums"]
    assert run(["verify", "whole"]) == 0


def test_a_stated_score_is_another_experiment_and_gains_begin_there(work_folder):
    play("level", "--deals", "120")
    play("late", "--deals", "120", "--score", "longs=6,6", "--score", "petits=2,2")
    level, late = results(work_folder / "level"), results(work_folder / "late")
    assert level["manifest"]["variant"] != late["manifest"]["variant"]
    # Nobody may call there: who wins has a long for two petits and one more, the other loses two,
    # which is 3 less.
    for row in late["standings"]:
        ahead = (row["won"] - row["lost"]) / row["matches"]
        assert row["score"]["mean"] == pytest.approx(3 / 2 * ahead)
    assert any(
        row["score"]["mean"] != pytest.approx(3 / 2 * (row["won"] - row["lost"]) / row["matches"])
        for row in level["standings"]
    )
    for pair in level["pairs"]:
        assert pair["score"]["mean"] == -pair["second_score"]["mean"]


def test_who_gives_away_more_than_it_gets_does_not_lead(work_folder):
    """Caller, who calls whatever it holds, has more points of its own than tight."""
    play("run", "--deals", "6000", strategies="caller,tight,uniform")
    found = results(work_folder / "run")
    assert [row["strategy"] for row in found["standings"]] == ["tight", "caller", "uniform"]
    assert sum(row["score"]["mean"] for row in found["standings"]) == pytest.approx(0)


def test_points_of_one_kind_go_without_saying(work_folder, capsys, root):
    deals = ["--strategies", "steady,caller", "--mode", "deals", "--deals", "40", "--jobs", "1"]
    assert run(["tournament", "truc-catalan", *deals, "--out", "run"]) == 0
    told = capsys.readouterr()
    assert "20 sets of deals x 1 combination of strategies in 2 seatings = 40 deals" in told.err
    assert "40 deals (20 sets of deals, each with the 2 seatings of every combination)" in told.out
    assert "match" not in told.err + told.out
    assert results(work_folder / "run")["manifest"]["metric"] == "points"
    (work_folder / "other.py").write_text(FAILS)
    given = [str(root / "tests/good/chance.yaml"), "--strategies", "uniform,other.py"]
    assert run(["tournament", *given, *deals[2:]]) == 2
    assert "brings no points; play matches" in capsys.readouterr().err


def test_who_forfeits_a_deal_gives_the_dearest_counter(work_folder):
    (work_folder / "fails.py").write_text(FAILS)
    play("run", "--deals", "40", strategies="steady,fails.py", code=1)
    found = {s["strategy"]: s for s in results(work_folder / "run")["standings"]}
    assert found["steady"]["score"]["mean"] == 1.5 and found["steady"]["won"] == 40
    assert found["fails"]["score"]["mean"] == -1.5 and found["fails"]["won"] == 0


@pytest.mark.parametrize("given", WRONG, ids=str)
@pytest.mark.usefixtures("work_folder")
def test_what_cannot_be_is_refused(given, capsys):
    flags, said = WRONG[given]
    command = ["tournament", "trut", "--strategies", "steady,caller", *flags]
    assert run(command) == 2
    assert said in capsys.readouterr().err


def test_an_experiment_file_says_it_as_well(work_folder):
    (work_folder / "deals.yaml").write_text(
        "experiment: sharp\nvariant: trut\nstrategies: [steady, caller]\nmode: deals\n"
        f"score: {{longs: [0, 0], petits: [2, 2]}}\nmetric: {METRIC}\ndeals: 40\n"
    )
    assert run(["tournament", "deals.yaml", "--out", "run", "--jobs", "1"]) == 0
    manifest = results(work_folder / "run")["manifest"]
    assert manifest["mode"] == "deals"
    assert manifest["score"] == ["longs=0,0", "petits=2,2"]
