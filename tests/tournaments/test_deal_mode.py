"""Tournaments of single deals: exact numbers of deals, and the score they start from."""

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
    "worth nothing": (
        ["--mode", "deals", "--metric", "000 longs"],
        "--metric '000 longs': expected",
    ),
    "no such mode": (["--mode", "deal", "--metric", METRIC], "did you mean 'deals'?"),
    "a score of matches": (["--score", "longs=0,1"], "needs --mode deals"),
    "no such counter": ([*PLAY[2:], "--score", "long=0,1"], "did you mean 'longs'?"),
    "no numbers": ([*PLAY[2:], "--score", "longs=one,two"], "COUNTER=A,B"),
    "one team too few": ([*PLAY[2:], "--score", "longs=1"], "each of 2 teams"),
    "out of bounds": ([*PLAY[2:], "--score", "petits=99999999,0"], "'petits' is from 0 to"),
}


def play(out, *more, strategies="steady,caller,uniform", code=0):
    """Run a tournament of single deals."""
    assert run([*PLAY, "--strategies", strategies, *more, "--out", out]) == code


def test_exactly_the_requested_deals_are_played(work_folder):
    play("whole", "--deals", "60")
    totals = results(work_folder / "whole")["run"]
    assert (totals["deals"], totals["matches"], totals["sets"]) == (60, 60, 10)


@pytest.mark.thorough
def test_extensions_and_shards_give_the_same_bytes(work_folder):
    play("whole", "--deals", "120")
    play("grown", "--deals", "60")
    assert run(["extend", "grown", "--deals", "120"]) == 0
    for part in ("1/2", "2/2"):
        play(f"part-{part[0]}", "--deals", "120", "--shard", part)
    assert run(["merge", "part-2", "part-1", "--out", "merged"]) == 0
    play("slowly", "--deals", "120", "--engine", "reference")
    expected = contents(work_folder / "whole")
    assert contents(work_folder / "grown") == expected
    assert contents(work_folder / "merged") == expected
    assert results(work_folder / "slowly")["sums"] == results(work_folder / "whole")["sums"]
    assert run(["verify", "whole"]) == 0


def test_a_start_score_is_another_experiment_and_the_base_of_gains(work_folder):
    play("level", "--deals", "120")
    play("late", "--deals", "120", "--score", "longs=6,6", "--score", "petits=2,2")
    level, late = results(work_folder / "level"), results(work_folder / "late")
    assert level["manifest"]["variant"] != late["manifest"]["variant"]
    # Nobody may call there. The winner gets a long for two petits and one more, and the other loses
    # two petits. The difference is 3 points.
    for row in late["standings"]:
        ahead = (row["won"] - row["lost"]) / row["matches"]
        assert row["score"]["mean"] == pytest.approx(3 / 2 * ahead)
    assert any(
        row["score"]["mean"] != pytest.approx(3 / 2 * (row["won"] - row["lost"]) / row["matches"])
        for row in level["standings"]
    )
    for pair in level["pairs"]:
        assert pair["score"]["mean"] == -pair["second_score"]["mean"]


def test_a_strategy_that_gives_away_more_does_not_lead(work_folder):
    """Caller calls with every hand, and gets more points of its own than tight."""
    play("run", "--deals", "6000", strategies="caller,tight,uniform")
    found = results(work_folder / "run")
    assert [row["strategy"] for row in found["standings"]] == ["tight", "caller", "uniform"]
    assert sum(row["score"]["mean"] for row in found["standings"]) == pytest.approx(0)


def test_a_single_counter_is_the_default_metric(work_folder, capsys, root):
    deals = ["--strategies", "steady,caller", "--mode", "deals", "--deals", "40", "--jobs", "1"]
    assert run(["tournament", "truc-catalan", *deals, "--verbose", "--out", "run"]) == 0
    output = capsys.readouterr()
    assert "20 sets of deals x 1 combination of strategies in 2 seatings = 40 deals" in output.err
    assert (
        "40 deals (20 sets of deals, each with the 2 seatings of every combination)" in output.out
    )
    assert "match" not in output.err + output.out, "nor a deal of one deal, more or less"
    assert results(work_folder / "run")["manifest"]["metric"] == "points"
    (work_folder / "other.py").write_text(FAILS)
    args = [str(root / "tests/good/chance.yaml"), "--strategies", "uniform,other.py"]
    assert run(["tournament", *args, *deals[2:]]) == 2
    assert "brings no points; play matches" in capsys.readouterr().err


def test_a_forfeit_costs_the_highest_counter(work_folder):
    (work_folder / "fails.py").write_text(FAILS)
    play("run", "--deals", "40", strategies="steady,fails.py", code=1)
    found = {s["strategy"]: s for s in results(work_folder / "run")["standings"]}
    assert found["steady"]["score"]["mean"] == 1.5 and found["steady"]["won"] == 40
    assert found["fails"]["score"]["mean"] == -1.5 and found["fails"]["won"] == 0


@pytest.mark.parametrize("case", WRONG, ids=str)
@pytest.mark.usefixtures("work_folder")
def test_bad_options_are_refused(case, capsys):
    flags, message = WRONG[case]
    command = ["tournament", "trut", "--strategies", "steady,caller", *flags]
    assert run(command) == 2
    assert message in capsys.readouterr().err


def test_an_experiment_file_can_declare_it(work_folder):
    (work_folder / "deals.yaml").write_text(
        "experiment: sharp\nvariant: trut\nstrategies: [steady, caller]\nmode: deals\n"
        f"score: {{longs: [0, 0], petits: [2, 2]}}\nmetric: {METRIC}\ndeals: 40\n"
    )
    assert run(["tournament", "deals.yaml", "--out", "run", "--jobs", "1"]) == 0
    manifest = results(work_folder / "run")["manifest"]
    assert manifest["mode"] == "deals"
    assert manifest["score"] == ["longs=0,0", "petits=2,2"]
