"""Comparisons whose answer is known: nothing, one point of three, and what adds up."""

import json
import shutil
from dataclasses import replace

import pytest
from compared import compare_with
from measuring import measured, measured_by

from trutdsl.comparison.cell import make_cell, measure, play_again
from trutdsl.comparison.compare import Margins, estimate_all
from trutdsl.comparison.measured import CLUSTERS, cluster_size
from trutdsl.comparison.run_comparison import Request, compare
from trutdsl.game import load_game
from trutdsl.language import speaking
from trutdsl.report.comparison_text import tell_points
from trutdsl.report.labels import DIFFERS, IDENTICAL, point_name

HOUSE = """\
variant: house
title: Three points of a house
extends: trut
set: {fortial_with_three: off}
rules: |
  before rule open_play:
      if empty(stock): end deal because void

  replace define gain(side: team) -> number "Every deal counts double.": 2
"""


def test_the_same_rules_under_another_name_differ_in_nothing(root, tmp_path):
    shutil.copytree(root / "variants", tmp_path / "variants")
    path = tmp_path / "variants" / "twin.yaml"
    text = (tmp_path / "variants" / "trut.yaml").read_text(encoding="utf-8")
    path.write_text(text.replace("variant: trut", "variant: twin", 1), encoding="utf-8")
    base, other = measured_by("trut"), measured_by(str(path))
    (rows,) = compare_with(base, [other], Margins())
    assert len(rows) > 20
    for row in rows:
        assert row.verdict == IDENTICAL
        assert (row.difference.mean, row.difference.low, row.difference.high) == (0, 0, 0)
        assert row.p == row.p_together == 1.0


def test_a_rule_of_three_points_is_taken_apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.yaml").write_text(HOUSE, encoding="utf-8")
    asked = Request(("trut", "house.yaml"), strategies=("uniform",), sets=300)
    (found,) = compare(asked, tmp_path, jobs=1)["differences"]
    whole = {row["metric"]: row for row in found["metrics"]}
    points = {point_name(point["pieces"]): point for point in found["points"]}
    assert list(points) == [
        "fortial_with_three = false",
        "replace define gain",
        "before rule open_play",
    ]
    for name in ("fortial_with_three = false", "before rule open_play"):
        assert {row["verdict"] for row in points[name]["metrics"]} <= {IDENTICAL, "only there"}
    for row in points["replace define gain"]["metrics"]:
        if row["difference"] is not None:
            assert row["difference"] == whole[row["metric"]]["difference"]
    assert whole["length.deals"]["verdict"] == "differs"


def test_points_that_hinder_each_other_are_told(tmp_path, monkeypatch):
    """Each of two points counts the first petit twice; together they do no more than one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "both.yaml").write_text(
        """\
variant: both
title: Two ways to double
extends: trut
rules: |
  before rule gain_petits(side: team, amount: number):
      if petits[side] == 0 and amount > 0: petits[side] += 1

  after rule gain_petits(side: team, amount: number):
      if petits[side] == 1: petits[side] += 1
""",
        encoding="utf-8",
    )
    asked = Request(("trut", "both.yaml"), strategies=("uniform",), sets=300)
    (found,) = compare(asked, tmp_path, jobs=1)["differences"]
    together = {row["metric"]: row for row in found["together"]}
    length = together["length.deals"]
    points = [
        next(row for row in point["metrics"] if row["metric"] == "length.deals")
        for point in found["points"]
    ]
    added = sum(row["difference"]["mean"] for row in points)
    whole = next(row for row in found["metrics"] if row["metric"] == "length.deals")
    assert length["added"]["mean"] == pytest.approx(added)
    assert length["whole"] == whole["difference"]
    assert length["difference"]["mean"] == pytest.approx(whole["difference"]["mean"] - added)
    assert length["clear"] and length["p"] < 1e-6


def test_what_lies_there_is_not_measured_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = Request(("trut", "trut:goal=3"), strategies=("uniform",), sets=50)
    first = json.dumps(compare(asked, tmp_path, jobs=2), sort_keys=True)
    made = {path: path.stat().st_mtime_ns for path in tmp_path.glob("cells/*/journal.sqlite")}
    assert len(made) == 2
    again = json.dumps(compare(asked, tmp_path, jobs=1), sort_keys=True)
    assert again == first
    more = Request(("trut", "trut:goal=3", "trut:goal=4"), strategies=("uniform",), sets=50)
    compare(more, tmp_path, jobs=1)
    assert len(list(tmp_path.glob("cells/*"))) == 3


def held(cell, folder, sets, jobs=1):
    """Return what is counted of so many sets, and how many of them were played."""
    played = []
    found = measure(cell, sets, folder, jobs, lambda finished: played.append(finished.chunk.sets))
    return (found.counts.tobytes(), found.chosen.tobytes(), found.tallies), sum(played)


def test_more_deals_play_only_what_is_new(tmp_path):
    """By whatever steps: clusters of 1, 2 and 4 sets, ends within them."""
    cell = make_cell("trut", load_game("trut", 2, {"goal": 2}, engine="native"), ("uniform",), 1)
    alone = {sets: held(cell, tmp_path / str(sets), sets)[0] for sets in (100, 191, 333)}
    more, before = tmp_path / "more", 0
    for sets, jobs in ((191, 2), (333, 1)):
        found, played = held(cell, more, sets, jobs)
        assert played == sets - before and found == alone.get(sets, found)
        before = sets
    # Fewer are there as long as they end where a chunk does, and no cluster is too small for it.
    assert held(cell, more, 191) == (alone[191], 0)
    assert held(cell, more, 100) == (alone[100], 100)
    assert held(cell, more, 100) == (alone[100], 0) and held(cell, more, 333)[1] == 0
    assert len(list(more.iterdir())) == 2


def test_more_deals_in_the_same_folder_are_told_as_if_in_one_go(tmp_path):
    some, all_of_them = (Request(("trut:goal=3", "trut:goal=2"), strategies=("uniform",), sets=n)
                         for n in (20, 30))  # fmt: skip
    compare(some, tmp_path / "one", jobs=1)
    grown, at_once = (compare(all_of_them, tmp_path / name, jobs=1) for name in ("one", "two"))
    assert json.dumps(grown, sort_keys=True) == json.dumps(at_once, sort_keys=True)
    assert len(list(tmp_path.glob("one/cells/*"))) == 2


@pytest.mark.parametrize("sets", [1, 2, 128, 129, 256, 257, 1000, 4096, 10**6])
def test_clusters_are_so_many_that_they_tell_their_error(sets):
    size = cluster_size(sets)
    assert size & (size - 1) == 0 and -(-sets // size) <= CLUSTERS
    assert size == 1 or -(-sets // size) > CLUSTERS // 2


def test_both_engines_measure_the_same():
    found, wanted = (
        measured(load_game("trut", 2, {"goal": 2}, engine=engine), ("steady", "caller"), 3, 3)
        for engine in ("reference", "native")
    )
    assert (found.counts == wanted.counts).all() and (found.chosen == wanted.chosen).all()
    assert found.tallies == wanted.tallies


@pytest.mark.parametrize(("players", "strategies"), [(2, 3), (4, 2), (3, 3)])
def test_figures_are_those_of_the_counts(players, strategies):
    names = ("caller", "quiet", "steady")[:strategies]
    found = measured_by("trut", names, 20, players=players)
    value = {name: one.value for name, (_, one) in estimate_all(found).items()}
    assert value["length.deals"] == found.number("deals") / found.number("matches")
    ends = [v for name, v in value.items() if name.startswith("ends.")]
    assert sum(ends) == pytest.approx(1)
    assert found.tally.deals == found.number("deals")
    assert found.tally.decisions == found.number("decisions") == found.chosen.sum()
    drawn = value["draws"] * found.number("matches")
    assert drawn == found.tally.drawn


TWO_PIECES = """\
variant: twice
title: After a void deal the next one counts double
extends: trut
set: {goal: 5}
rules: |
  match state:
      doubled: yes_no = no, seen by all

  before rule pass_the_deal "A void deal is remembered.":
      doubled = last_winner == none

  replace define gain(side: team) -> number "The next one counts double.":
      2 if doubled else base
"""


def test_what_remembers_and_what_uses_it_are_one_point(tmp_path, monkeypatch):
    """Each alone would never act, and both together do what the rule does."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "twice.yaml").write_text(TWO_PIECES, encoding="utf-8")
    asked = Request(("trut", "twice.yaml"), strategies=("uniform",), sets=60)
    (found,) = compare(asked, tmp_path, jobs=1)["differences"]
    goal, rule = found["points"]
    assert rule["pieces"] == [
        {"how": "replace define", "name": "gain"},
        {"how": "before rule", "name": "pass_the_deal"},
    ]
    assert (goal["shared"], rule["shared"]) == ([], ["doubled"])
    longs = next(row for row in rule["metrics"] if row["metric"] == "length.deals")
    assert longs["verdict"] == DIFFERS
    assert [title for title, _ in tell_points(found)][1] == (
        "replace define gain + before rule pass_the_deal (one point, as they share doubled), "
        "The next one counts double. A void deal is remembered"
    )
    with speaking("fr", " "):
        title = [title for title, _ in tell_points(found)][1]
        assert title.startswith(
            "à la place de la définition gain + avant la règle pass_the_deal (un seul point, "
        )


def test_a_point_that_cannot_be_played_means_nothing_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "apart.yaml").write_text(
        """\
variant: apart
title: A rule that needs another
extends: trut
set: {goal: 3}
rules: |
  before rule open_play:
      if petits[team(dealer)] == 0: petits[team(dealer)] = 1

  after rule open_play: petits[team(dealer)] -= 1
""",
        encoding="utf-8",
    )
    asked = Request(("trut", "apart.yaml"), strategies=("uniform",), sets=20)
    (found,) = compare(asked, tmp_path, jobs=1)["differences"]
    why = {point_name(point["pieces"]): point["why_not"] for point in found["points"]}
    assert why["goal = 3"] is why["before rule open_play"] is None
    assert "petits" in why["after rule open_play"] and found["together"] == []


def test_what_was_counted_wrongly_comes_out_otherwise_when_played_again():
    """One deal too many in one cluster is found if it is the one that the seed picks."""
    cell = make_cell("trut", load_game("trut", 2, engine="native"), ("uniform",), 1)
    right = measured(cell.game, ("uniform",), 1, 30)
    again = play_again(cell, right, 30)
    assert again["same"] and again["sets"] == 1 and again == play_again(cell, right, 30)
    counts = right.counts.copy()
    counts[again["first"], right.plan.offsets["deals"]] += 1
    assert not play_again(cell, replace(right, counts=counts), 30)["same"]
    other = make_cell("trut", cell.game, ("uniform",), 2)
    assert not play_again(other, right, 30)["same"]
