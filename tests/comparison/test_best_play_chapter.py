"""The chapter on best play: which statements about script play survive."""

import sys
from pathlib import Path

import pytest

from tests.solve.plain_kuhn import KUHN
from trutdsl.comparison.best_play import compare_best_play
from trutdsl.comparison.run_comparison import Request

sys.path.insert(0, str(Path(__file__).parents[2] / "reports" / "regional"))
from best_play import HERE, Statement, chapter, read_metrics, read_points, read_weakest, statements  # type: ignore[import-not-found]
from two_runs import Pooled  # type: ignore[import-not-found]


def fields(*means, half=0.01):
    return {
        str(number): Pooled(mean, mean - half, mean + half, "share")
        for number, mean in enumerate(means)
    }


@pytest.mark.parametrize(
    ("means", "best", "half", "verdict"),
    [
        ((0.4, 0.45), 0.42, True, "survives"),
        ((0.4, 0.45), 0.38, True, "survives"),
        ((0.4, 0.45), 0.52, True, "does not survive"),
        ((0.4, 0.495), 0.42, True, "the fields do not agree"),
        ((0.4, 0.6), 0.42, True, "the fields do not agree"),
        ((0.4, 0.45), 0.42, False, "survives"),
        ((0.4, 0.45), 0.455, False, "survives"),
        ((0.4, 0.45), 0.47, False, "does not survive: best play is above"),
        ((0.4, 0.45), 0.38, False, "does not survive: best play is below"),
        ((0.4, 0.45), None, False, "best play never comes there"),
    ],
)
def test_verdicts(means, best, half, verdict):
    found = Statement("x", fields(*means), best, half).verdict()
    assert found.startswith(verdict)
    assert ("not" in found) == ("not" in verdict)


def test_scripts_are_read_as_in_the_findings():
    text = (HERE / "findings.md").read_text(encoding="utf-8")
    for variant in ("trut", "trut-deux-sevres"):
        found = read_metrics(HERE, variant, "dealer")
        assert list(found) == ["bluffing", "plain", "watchful"]
        assert f"{100 * found['plain'].mean:.2f} % (" in text
    (points,) = read_points(HERE, "trut", "turn", "trut", {"longs": 3, "petits": 1}).values()
    (longs, petits) = (
        read_weakest(HERE, "trut", "turn", "trut", "worth", counter=name)["bluffing"]
        for name in ("longs", "petits")
    )
    assert points.mean == pytest.approx(3 * longs.mean + petits.mean)
    assert f"{longs.mean:.3f} (" in text and f"{petits.mean:.3f} (" in text
    (found,) = read_weakest(HERE, "trut", "turn", "trut", "wins").values()
    assert f"| {100 * found.mean:.2f} % (" in text


def test_a_chapter(tmp_path):
    results = compare_best_play(Request((KUHN, "tute"), 2), tmp_path, worth={"chips": 1})
    kuhn, tute = results["variants"]
    assert tute["why_not"]
    assert list(statements(HERE, kuhn)) == []  # no scripts play it there
    values = {"trut": {"mean": 0.5, "low": 0.4975, "high": 0.50252}}
    text = "\n".join(chapter(HERE, results, None, values))
    assert "Kuhn poker under best play" in text
    assert "the first dealer wins 49.75 to 50.26 of 100 matches" in text
    assert "| decided matches won by the side that deals first | bluffing 49." in text
    nothing = {**kuhn, "value": {"mean": 1e-9, "low": 0.0, "high": 1e-8}}
    text = "\n".join(chapter(HERE, {**results, "variants": [nothing]}, None, {}))
    assert "kuhn-poker: from this score a deal is worth nothing" in text
    # Under the name of Trut its statements come from the tables.
    kuhn |= {"name": "trut", "unit": "matches"}
    found = {one.text: one for one in statements(HERE, kuhn)}
    assert list(found)[:3] == [
        "decided matches won by the side that deals first",
        "deals a match",
        "decided deals won by the dealer's side",
    ]
    assert "| deals a match | bluffing 27." in "\n".join(chapter(HERE, results, None, values))
