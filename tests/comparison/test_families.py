"""Families of differences: a primary metric alone, and sweeps with a false discovery rate."""

import json
from dataclasses import asdict

import numpy as np
import pytest
from compared import compare_with
from measuring import measure_variant

from trutdsl.cli.app import run
from trutdsl.comparison.compare import (
    Margins,
    estimate_all,
    judge,
    judge_families,
    match_metrics,
    screen_families,
)
from trutdsl.comparison.parts import add_points, interactions
from trutdsl.report.labels import OPEN
from trutdsl.stats.multiplicity import screen
from trutdsl.stats.resampling import Influences

SETS, LEVEL = 64, 0.05


@pytest.fixture(scope="module")
def measurements():
    return [measure_variant("trut", sets=SETS, goal=goal) for goal in (7, 5, 8)]


def by_name(rows):
    return {row.metric: row for row in rows}


def influences_of(measurements, row):
    _, found = estimate_all(measurements)[row.metric]
    return found


def flatten(groups):
    return [row for group in groups for row in group]


def screen_sweep(measurements, names=()):
    found = match_metrics(measurements[0], measurements[1:])
    families = screen_families(flatten(found), names)
    return families, [judge(of, Margins(), families) for of in found]


@pytest.mark.thorough
def test_a_primary_metric_is_tested_by_itself(measurements):
    base, other, _ = measurements
    alone = by_name(compare_with(base, [other], Margins(), "first_dealer")[0])
    together = by_name(compare_with(base, [other], Margins())[0])
    row = alone["first_dealer"]
    found = influences_of(other, row) - influences_of(base, row)
    assert row.p_together == pytest.approx(row.p) == pytest.approx(found.p_zero())
    one, interval = found.estimate(), row.difference
    assert (interval.low, interval.high) == pytest.approx((one.low, one.high), abs=1e-8)
    # In a family with the others it is wider.
    wider = together["first_dealer"].difference
    assert wider.low < interval.low < interval.high < wider.high
    # It does not widen the others.
    assert alone["dealer"].difference.low >= together["dealer"].difference.low


def test_the_whole_beside_the_sum_of_points_has_the_interval_of_its_difference(measurements):
    base, other, third = measurements
    pairs, sums = match_metrics(base, [other])[0], add_points(base, other, [(third, base)])
    others = [one for of in sums for one in (of.of_points, of.interaction)]
    families = judge_families(pairs, Margins(), "dealer", others=others)
    rows = by_name(judge(pairs, Margins(), families))
    for one in interactions(sums, Margins(), families):
        assert one["whole"] == asdict(rows[one["metric"]].difference)


def test_a_relative_margin_does_not_widen_a_primary_metric(measurements):
    base, other, _ = measurements
    row = by_name(compare_with(base, [other], Margins(), "length.deals")[0])["length.deals"]
    one = (influences_of(other, row) - influences_of(base, row)).estimate()
    assert (row.difference.low, row.difference.high) == pytest.approx((one.low, one.high), abs=1e-8)


@pytest.mark.parametrize("names", [(), ("length.deals", "dealer")])
def test_intervals_and_verdicts_of_a_sweep_agree(measurements, names):
    families, rows = screen_sweep(measurements, names)
    verdicts = set()
    for row in flatten(rows):
        if row.difference is None or row.difference.low is None:
            continue
        low, high = row.difference.low, row.difference.high
        excludes_0, inside = low * high > 0, -row.margin < low and high < row.margin
        assert excludes_0 == (row.verdict in ("differs", "differs a little")), row
        assert inside == (row.verdict in ("the same", "differs a little")), row
        assert excludes_0 == (row.p_together <= LEVEL), row
        verdicts.add(row.verdict)
    assert {"differs", OPEN} <= verdicts
    estimated = [row for row in flatten(rows) if row.difference is not None]
    assert families.own.size == sum(row.metric in names for row in estimated)
    assert families.own.size + families.others.size == len(estimated)


def test_a_sweep_finds_more_than_family_wise_error_control(measurements):
    together = [
        (n, row.metric)
        for n, of in enumerate(compare_with(measurements[0], measurements[1:], Margins()))
        for row in of
        if row.p_together <= LEVEL
    ]
    discoveries = [
        (n, row.metric)
        for n, of in enumerate(screen_sweep(measurements)[1])
        for row in of
        if row.p_together <= LEVEL
    ]
    assert set(together) < set(discoveries)


@pytest.mark.thorough
def test_the_false_discovery_rate_of_a_sweep_is_at_most_5_percent():
    # 50 of 60 differences are 0, and the samples of a cluster share some luck.
    rng, runs, clusters = np.random.default_rng(11), 300, 64
    true = np.where(np.arange(60) < 50, 0.0, 0.6)
    false, missed = [], []
    for _ in range(runs):
        sample = rng.normal(size=(clusters, 60)) + rng.normal(size=(clusters, 1))
        means = sample.mean(axis=0) + true
        each = (sample - sample.mean(axis=0)).T.tolist()
        found = [Influences(m, tuple(e)) for m, e in zip(means.tolist(), each, strict=True)]
        family = screen((one.p_zero() for one in found), clusters - 1)
        ends = [one.estimate(family=family) for one in found]
        discoveries = np.array([one.p_zero(family) <= LEVEL for one in found])
        uncovered = np.array([not e.low <= t <= e.high for e, t in zip(ends, true, strict=True)])
        assert discoveries.tolist() == [e.low * e.high > 0 for e in ends]
        count = max(1, int(discoveries.sum()))
        false.append((discoveries & (true == 0)).sum() / count)
        missed.append((discoveries & uncovered).sum() / count)
    for rate in (false, missed):
        assert 0 < np.mean(rate) <= LEVEL + 3 * np.std(rate) / runs**0.5


COMPARE = "compare trut trut:goal=5 --strategies caller,steady --sets 40 --jobs 1 --out compared"


@pytest.mark.thorough
def test_the_command_prints_the_primary_metric_first(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run([*COMPARE.split(), "--primary", "dealer"]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = next(n for n, line in enumerate(lines) if line == "Trut (goal=5) instead of Trut:")
    assert lines[at + 1].startswith("  Primary metric, tested by itself: decided deals won by the")
    assert sum("decided deals won by the dealer's side" in line for line in lines) == 1
    results = json.loads((tmp_path / "compared" / "comparison.json").read_text())
    assert results["comparison"]["primary"] == "dealer"
    assert run([*COMPARE.split(), "--primary", "dealer", "--lang", "fr"]) == 0
    assert "Mesure principale, testée à part" in capsys.readouterr().out
    assert run(["report", "compared"]) == 0
    page = next(tmp_path.rglob("*.html")).read_text(encoding="utf-8")
    assert "Primary metric" in page and "--primary dealer" in page


def test_an_unknown_primary_metric_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run([*COMPARE.split(), "--primary", "dealr"]) == 2
    assert "--primary dealr: there is no such metric" in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["--primary", "--margin"])
def test_an_answer_without_a_figure_of_its_own_is_refused(flag, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = "answer.respond.accept" + ("=0.1" if flag == "--margin" else "")
    assert run([*COMPARE.split(), flag, text]) == 2
    message = " ".join(capsys.readouterr().err.split())
    assert message.endswith("the other of two answers has the figure; write answer.respond.fold")


def test_a_sweep_prints_differences_with_their_verdicts(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    sweep = "sweep trut --param goal=5..7 --strategies uniform --sets 60 --metric length.deals"
    assert run([*sweep.split(), "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert len([line for line in out.splitlines() if line.endswith(", differs")]) == 2
    assert "among 2 figures" in " ".join(out.split())
    assert "false discovery rate" in " ".join(out.split())


@pytest.mark.thorough
def test_a_requested_metric_without_data_is_named(tmp_path, monkeypatch, capsys):
    """Quiet never calls trut, and of the answers to a fortial the table shows the other one."""
    monkeypatch.chdir(tmp_path)
    sweep = "sweep trut --param goal=3,7 --strategies quiet --sets 20 --jobs 1"
    metrics = ("answer.fortial.trut", "weak_wins.turn.trut", "tied_tricks")
    flags = [flag for name in metrics for flag in ("--metric", name)]
    assert run([*sweep.split(), *flags, "--out", "swept"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert text.count(": no figure. In these cells it never came up") == 2
    assert "answers 'trut' where 'fortial' is asked: no figure." in text
    assert run(["report", "swept", "-o", "page.html"]) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("no figure. In these cells it never came up") == 2
