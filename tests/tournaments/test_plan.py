"""The size of a tournament for a given power, from a pilot."""

import json

import pytest
from scipy.stats import chi2, norm
from set_results import round_robin

from trutdsl.cli.app import run
from trutdsl.stats.contrast import contrast_sums
from trutdsl.stats.design import Tally
from trutdsl.stats.estimate import Sums
from trutdsl.stats.sequential import plan_size

PLAY = ["trut", "--strategies", "steady,caller,quiet", "--param", "goal=1"]


def test_the_size_follows_the_formula():
    pilot = Sums(50, 10, 40, 2)
    variance = float(pilot.variance) + 1 / (4 * 50)
    z = norm.ppf(0.975) + norm.ppf(0.9)
    size = plan_size(pilot, 0.1, 0.05, 0.9)
    for sets, ratio in (
        (size.sets, 1),
        (size.low, 49 / chi2.ppf(0.975, 49)),
        (size.high, 49 / chi2.ppf(0.025, 49)),
    ):
        assert sets == pytest.approx(z**2 * variance * ratio / 0.01, abs=1)


def test_a_pilot_without_variance_still_needs_many_sets():
    constant = Sums(20, 40, 80, 2)
    assert plan_size(constant, 0.02).sets > 200


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
        size = plan_size(contrast_sums(tally, design, i, k), 0.05, 0.05 / 3)
        assert (pair["sets"], pair["low"], pair["high"]) == (size.sets, size.low, size.high)
    assert found["needed"]["sets"] == max(pair["sets"] for pair in found["pairs"])
    assert found["each_set"]["matches"] == 6 and found["each_set"]["seconds"] > 0
    assert run(["plan", *PLAY, *options]) == 0
    output = capsys.readouterr().out
    assert "to detect a difference of 0.05 in 80% of such runs (5 of 100 matches)" in output
    sets = found["needed"]["sets"]
    assert f"for all of them: {sets:,} (" in output and f"sets, {6 * sets:,} (" in output


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
