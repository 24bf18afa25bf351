"""What two independent runs both say, and what findings make of it."""

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
APART = [[0, -1, -1], [1, 0, -1], [1, 1, 0]]  # a below b below c
SOME = [[0, 0, -1], [0, 0, -1], [1, 1, 0]]  # a and b do not differ significantly
TURNED = [[0, 1, 1], [-1, 0, 1], [-1, -1, 0]]


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
    found = pool(one, other, "number")
    assert found.mean == 1.5
    assert found.low == pytest.approx(1.5 - sqrt(0.3**2 + 0.4**2) / 2)
    assert found.high == pytest.approx(1.5 + sqrt(0.3**2 + 0.8**2) / 2)
    assert pool(one, {**other, "low": None}, "number").low is None


def test_the_interval_of_two_runs_holds_as_often_as_it_should():
    rng, runs, n = np.random.default_rng(2), 4000, 30
    reach = stats.t.ppf(0.975, n - 1)
    held = 0
    for _ in range(runs):
        each = []
        for drawn in rng.normal(size=(2, n)):
            half = reach * drawn.std(ddof=1) / sqrt(n)
            mean = drawn.mean()
            each.append({"mean": mean, "low": mean - half, "high": mean + half})
        found = pool(*each, "number")
        held += found.low <= 0 <= found.high
    assert held / runs == pytest.approx(0.95, abs=0.015)


def test_an_order_is_told_only_if_both_runs_tell_it():
    both = ranking_of([run(APART), run(APART)], "leader")
    assert both.ranks() == {"a": (3, 3), "b": (2, 2), "c": (1, 1)}
    one = ranking_of([run(APART), run(SOME)], "leader")
    assert one.ranks() == {"a": (2, 3), "b": (2, 3), "c": (1, 1)}
    assert one.extremes(-1) == ["a", "b"] and one.extremes(1) == ["c"]
    none = ranking_of([run(APART), run(TURNED)], "leader")
    assert none.orders() == set() and none.extremes(1) == list(NAMES)


def test_a_side_of_a_half_is_told_only_if_both_runs_are_beyond_it():
    found = ranking_of([run(APART), run(APART, (0.4, 0.5, 0.51))], "leader")
    assert found.sides == {"a": -1, "b": 0, "c": 0}
    assert ranking_of([run(APART), run(APART)], "leader").sides["c"] == 1


def test_how_likely_a_wrong_sign_is_in_both_runs():
    tail = stats.t.sf(2.4, 127)
    found = ranking_of([run(APART), run(APART)], "leader").wrong
    assert found == pytest.approx(2 * 3 * tail**2 + 2 * 3 * tail**2)


def test_what_only_one_run_has_is_left_out():
    other = run(APART)
    other["ranks"][0]["variants"].pop(0)
    other["ranks"][0]["above"] = [[0, -1], [1, 0]]
    found = ranking_of([run(APART), other], "leader")
    assert found.names == ["b", "c"] and found.signs == ((0, -1), (1, 0))


def test_fields_agree_where_all_say_the_same():
    main, same, turned = (
        ranking_of([run(above), run(above)], "leader") for above in (APART, SOME, TURNED)
    )
    assert in_all([main, same]) == {("c", "a"), ("c", "b")}
    assert in_all([main, turned]) == set()
    assert reversed_in_some(main, [same, turned]) == main.orders()
    assert reversed_in_some(main, [same]) == set()


def renamed(found):
    """Return a run in which Tute is the variant that has most."""
    found["ranks"][0]["variants"][2]["name"] = "tute"
    return found


def page(plain, bluffing, watchful):
    fields = {"bluffing": ("p", "q"), "plain": ("r",), "watchful": ("s",)}
    runs = {"plain": plain, "bluffing": bluffing, "watchful": watchful}
    found = {(field, 2): of for field, of in runs.items()}
    found["tute", 2] = [renamed(run(APART)), renamed(run(APART))]
    for of in found.values():
        for each in of:
            each["variants"] = []
    return "\n".join(findings(Played(fields, (2,), (1, 2), found, {}, 100, 10)))


def test_findings_name_an_extreme_that_both_runs_tell_and_who_agrees():
    sure = [run(APART), run(APART)]
    text = page(sure, [run(SOME), run(SOME)], [run(APART), run(APART)])
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


def test_findings_do_not_name_what_one_run_alone_tells():
    text = page([run(APART), run(SOME)], [run(SOME), run(SOME)], [run(SOME), run(SOME)])
    assert "Least by *plain*: a and b, without a significant difference." in text
    assert "Least by *plain*: a," not in text
    assert "| a | 40.0 % (38.6 to 41.4) | 2 to 3 |" in text
