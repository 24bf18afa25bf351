"""The size of a tournament for a given power, from a pilot."""

import json
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from scipy.stats import chi2, norm
from set_results import round_robin

from trutdsl.cli.app import run
from trutdsl.report.tournament_text import forecast_lines
from trutdsl.stats.contrast import contrast_bounds, contrast_sums
from trutdsl.stats.design import Tally, parse_metric
from trutdsl.stats.estimate import Bounds, Sums, estimate_mean, leaves_out_zero
from trutdsl.stats.multiplicity import Family
from trutdsl.stats.sequential import plan_size, sets_to_find

PLAY = ["trut", "--strategies", "steady,caller,quiet", "--param", "goal=1"]
EVEN, LONGS = Bounds(-1, 1), parse_metric("3 longs", "deals")


def test_the_size_follows_the_formula():
    pilot = Sums(50, 10, 40, 2)
    variance = float(pilot.variance) + 1 / (4 * 50)
    z = norm.ppf(0.975) + norm.ppf(0.9)
    size = plan_size(pilot, 0.1, EVEN, power=0.9)
    for sets, ratio in (
        (size.sets, 1),
        (size.low, 49 / chi2.ppf(0.975, 49)),
        (size.high, 49 / chi2.ppf(0.025, 49)),
    ):
        of_formula = z**2 * variance * ratio / 0.01
        assert of_formula < sets < 1.08 * of_formula  # Student's t and the pseudo-sets take a few


def test_a_pilot_without_variance_still_needs_many_sets():
    constant = Sums(20, 40, 80, 2)
    assert plan_size(constant, 0.02, EVEN).sets > 200


@pytest.mark.parametrize("pairs", [1, 15])
@pytest.mark.parametrize(("mean", "differing"), [(0.8, 0.9), (0.5, 0.6), (0.3, 0.5), (0.05, 0.1)])
def test_so_many_sets_find_the_difference(mean, differing, pairs):
    """By the formula for normal sets it would be found in no run, 59, 74 and 80 of 100 (1 pair)."""
    odds = [(differing + mean) / 2, (differing - mean) / 2, 1 - differing]
    sets = sets_to_find(sqrt(differing - mean**2), mean, EVEN, alpha=0.05 / pairs)
    rng, runs, found = np.random.default_rng(1), 2000, 0
    together = Family(pairs, Fraction(sets + 1) - Fraction(1, 2), np.empty(0))
    design = round_robin(2, 2)
    for won, lost, _ in rng.multinomial(sets, odds, runs).tolist():
        sums = Sums(sets, 2 * (won - lost), 4 * (won + lost), 2)
        found += leaves_out_zero(estimate_mean(sums, design, EVEN, together))
    assert 0.7 < found / runs < 0.85


@pytest.mark.parametrize("mean", [0.2, 1.0])
def test_so_many_sets_find_a_difference_of_points(mean):
    """One deal in four brings a long, which is worth 3."""
    odds, design = [0.25 + mean / 6, 0.25 - mean / 6, 0.5], round_robin(2, 2, LONGS)
    bounds = Bounds(-3, 3)
    sets = sets_to_find(sqrt(4.5 - mean**2), mean, bounds, fixed=False)
    rng, runs, found = np.random.default_rng(2), 2000, 0
    together = Family(1, Fraction(sets + 1) - Fraction(1, 2), np.empty(0))
    for won, lost, _ in rng.multinomial(sets, odds, runs).tolist():
        sums = Sums(sets, 3 * (won - lost), 9 * (won + lost), 1)
        found += leaves_out_zero(estimate_mean(sums, design, bounds, together))
    assert 0.75 < found / runs < 0.85


def test_a_plan_covers_the_pair_that_needs_most(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    options = ["--detect", "0.05", "--pilot", "60"]
    assert run(["plan", *PLAY, *options, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert not list(tmp_path.iterdir()), "a plan leaves nothing behind"
    assert run(["tournament", *PLAY, "--sets", "60", "--json"]) == 0
    sums = json.loads(capsys.readouterr().out)["sums"]
    names, tally, design = (
        sums["strategies"],
        Tally.from_counts(sums),
        round_robin(3, 2),
    )
    for pair in found["pairs"]:
        i, k = (names.index(pair[of]) for of in ("first", "second"))
        size = plan_size(
            contrast_sums(tally, design, i, k), 0.05, contrast_bounds(design, i, k), alpha=0.05 / 3
        )
        assert (pair["sets"], pair["low"], pair["high"]) == (size.sets, size.low, size.high)
    assert found["needed"]["sets"] == max(pair["sets"] for pair in found["pairs"])
    assert found["each_set"]["matches"] == 6 and found["each_set"]["seconds"] > 0
    assert run(["plan", *PLAY, *options]) == 0
    output = capsys.readouterr().out
    assert "to detect a difference of 0.05 in 80% of such runs (5 of 100 matches)" in output
    sets = found["needed"]["sets"]
    assert f"for all of them: {sets:,} (" in output and f"sets, {6 * sets:,} (" in output
    *_, last = forecast_lines(found | {"mode": "deals"})  # a match is a deal there
    assert f"sets, {6 * sets:,} (" in last and ") deals, about" in last


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--detect", "0"], "--detect must be at least 0.000001, such as 0.02, not 0"),
        (["--detect", "0.1", "--power", "1"], "--power must be from 0.5 to below 1"),
        (["--detect", "0.1", "--pilot", "1"], "--pilot must be at least 2"),
    ],
)
def test_bad_plans_are_refused(capsys, flags, message):
    assert run(["plan", *PLAY, *flags]) == 2
    assert message in capsys.readouterr().err


def test_a_strategy_that_fails_in_the_pilot_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fails.py").write_text("class S:\n    def choose(self, view): 1 / 0\n")
    call = ["plan", "trut", "--strategies", "fails.py,quiet", "--detect", "0.2", "--seed", "1"]
    assert run([*call, "--pilot", "2", "--jobs", "1", "-q"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("error: strategy 'fails' (fails.py:2) failed in match 1")
