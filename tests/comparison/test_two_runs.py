"""Statements of two independent runs, and the page of findings from them."""

import sys
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

sys.path.insert(0, str(Path(__file__).parents[2] / "reports" / "regional"))

from findings import Played, findings
from two_runs import in_all, pool, ranking_of, reversed_in_some

NAMES = ("a", "b", "c")
ORDERED = [[0, -1, -1], [1, 0, -1], [1, 1, 0]]  # a below b below c
PARTLY_ORDERED = [[0, 0, -1], [0, 0, -1], [1, 1, 0]]  # a and b do not differ significantly
REVERSED = [[0, 1, 1], [-1, 0, 1], [-1, -1, 0]]


def run(above, values=(0.4, 0.5, 0.6), half=0.02, by="leader"):
    """Return the part of a comparison's results that ranks its variants."""
    variants = [
        {"name": name, "mean": at, "low": at - half, "high": at + half}
        for name, at in zip(NAMES, values, strict=True)
    ]
    ranking = {
        "by": by, "kind": "share", "metric": by, "above": above, "variants": variants,
        "reach": {"values": 2.4, "pairs": 2.4},
    }  # fmt: skip
    return {"comparison": {"clusters": 128}, "ranks": [ranking], "variants": [], "differences": []}


def test_two_runs_together_have_the_error_of_their_mean():
    one = {"mean": 1.0, "low": 0.7, "high": 1.3}
    other = {"mean": 2.0, "low": 1.6, "high": 2.8}
    pooled = pool(one, other, "number")
    assert pooled.mean == 1.5
    assert pooled.low == pytest.approx(1.5 - sqrt(0.3**2 + 0.4**2) / 2)
    assert pooled.high == pytest.approx(1.5 + sqrt(0.3**2 + 0.8**2) / 2)
    assert pool(one, {**other, "low": None}, "number").low is None


def test_the_interval_of_two_runs_has_its_nominal_coverage():
    rng, runs, n = np.random.default_rng(2), 4000, 30
    reach = stats.t.ppf(0.975, n - 1)
    covered = 0
    for _ in range(runs):
        each = []
        for sample in rng.normal(size=(2, n)):
            half = reach * sample.std(ddof=1) / sqrt(n)
            mean = sample.mean()
            each.append({"mean": mean, "low": mean - half, "high": mean + half})
        pooled = pool(*each, "number")
        covered += pooled.low <= 0 <= pooled.high
    assert covered / runs == pytest.approx(0.95, abs=0.015)


def test_an_order_needs_both_runs():
    both = ranking_of([run(ORDERED), run(ORDERED)], "leader")
    assert both.ranks() == {"a": (3, 3), "b": (2, 2), "c": (1, 1)}
    one = ranking_of([run(ORDERED), run(PARTLY_ORDERED)], "leader")
    assert one.ranks() == {"a": (2, 3), "b": (2, 3), "c": (1, 1)}
    assert one.extremes(-1) == ["a", "b"] and one.extremes(1) == ["c"]
    none = ranking_of([run(ORDERED), run(REVERSED)], "leader")
    assert none.orders() == set() and none.extremes(1) == list(NAMES)


def test_a_side_of_one_half_needs_both_runs():
    ranking = ranking_of([run(ORDERED), run(ORDERED, (0.4, 0.5, 0.51))], "leader")
    assert ranking.sides == {"a": -1, "b": 0, "c": 0}
    assert ranking_of([run(ORDERED), run(ORDERED)], "leader").sides["c"] == 1


def test_the_chance_of_a_wrong_sign_in_both_runs():
    tail = stats.t.sf(2.4, 127)
    wrong = ranking_of([run(ORDERED), run(ORDERED)], "leader").wrong
    assert wrong == pytest.approx(2 * 3 * tail**2 + 2 * 3 * tail**2)


def test_a_variant_of_only_one_run_is_left_out():
    other = run(ORDERED)
    other["ranks"][0]["variants"].pop(0)
    other["ranks"][0]["above"] = [[0, -1], [1, 0]]
    ranking = ranking_of([run(ORDERED), other], "leader")
    assert ranking.names == ["b", "c"] and ranking.signs == ((0, -1), (1, 0))


def test_fields_agree_on_their_common_order():
    main, same, other = (
        ranking_of([run(above), run(above)], "leader")
        for above in (ORDERED, PARTLY_ORDERED, REVERSED)
    )
    assert in_all([main, same]) == {("c", "a"), ("c", "b")}
    assert in_all([main, other]) == set()
    assert reversed_in_some(main, [same, other]) == main.orders()
    assert reversed_in_some(main, [same]) == set()


def name_tute(results):
    """Give the highest variant of a run the name Tute, and return the run."""
    results["ranks"][0]["variants"][2]["name"] = "tute"
    return results


def write_page(plain, bluffing, watchful):
    fields = {"bluffing": ("p", "q"), "plain": ("r",), "watchful": ("s",)}
    runs = {"plain": plain, "bluffing": bluffing, "watchful": watchful}
    comparisons = {(field, 2): of for field, of in runs.items()}
    comparisons["tute", 2] = [name_tute(run(ORDERED)), name_tute(run(ORDERED))]
    for of in comparisons.values():
        for each in of:
            each["variants"] = []
    return "\n".join(findings(Played(fields, (2,), (1, 2), comparisons, {}, 100, 10)))


def test_findings_name_extremes_and_the_fields_that_agree():
    sure = [run(ORDERED), run(ORDERED)]
    text = write_page(
        sure, [run(PARTLY_ORDERED), run(PARTLY_ORDERED)], [run(ORDERED), run(ORDERED)]
    )
    assert text.startswith("# What the regional variants do\n\nEvery statement here is about")
    assert "Most by *plain*: c, 60.0 % (58.6 to 61.4). So it is by the other two fields." in text
    least = (
        "Least by *plain*: a, 40.0 % (38.6 to 41.4). So it is by *watchful*, but not for certain"
    )
    assert least in text
    assert (
        "Of 3 pairs 3 differ significantly by *plain*; the same way in all three fields: 2;" in text
    )
    assert "In tute, which *plain* alone plays: more than half." in text
    assert "Less than half by *plain*: a. In all three fields: a." in text
    assert "By *plain* it may be even, or may not: b." in text


def test_findings_omit_extremes_of_only_one_run():
    text = write_page(
        [run(ORDERED), run(PARTLY_ORDERED)],
        [run(PARTLY_ORDERED), run(PARTLY_ORDERED)],
        [run(PARTLY_ORDERED), run(PARTLY_ORDERED)],
    )
    assert "Least by *plain*: a and b, without a significant difference." in text
    assert "Least by *plain*: a," not in text
    assert "| a | 40.0 % (38.6 to 41.4) | 2 to 3 |" in text
