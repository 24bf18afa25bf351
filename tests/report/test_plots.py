"""Plots on pages show the stored results."""

import csv
import re
from base64 import b64decode
from copy import deepcopy
from io import StringIO
from math import log10

import pytest
from pages import Page, marks
from rendering import find_metric, render


def test_the_plot_of_a_comparison_shows_its_results(english_pages, results):
    root = Page(english_pages["comparison"]).root
    for number, difference in enumerate(results["comparison"]["differences"]):
        rows = {row["metric"]: row for row in difference["metrics"]}
        for width in ("wide", "narrow"):
            found = list(marks(root, f"difference{number}-{width}"))
            assert len(found) > 10
            points = []
            for data, ends in found:
                row = rows[data["metric"]]
                assert float(data["margin"]) == row["margin"]
                for name in ("mean", "low", "high"):
                    assert float(data[name]) == row["difference"][name]
                points += [
                    (scale(row["difference"][end] / row["margin"]), x)
                    for end, x in zip(("low", "high"), ends, strict=True)
                ]
            assert_on_one_scale(points)


def scale(value):
    """Return the position of a value on a scale that is logarithmic beyond 2."""
    if abs(value) <= 2:
        return value / 2 / 0.9
    return (1 / 0.9 + log10(abs(value) / 2)) * (1 if value > 0 else -1)


def assert_on_one_scale(points):
    """Fail unless all coordinates x are linear in their values, to a tenth of a point."""
    (least, first_x), (most, right) = min(points), max(points)
    for value, x in points:
        expected = first_x + (right - first_x) * (value - least) / (most - least)
        assert x == pytest.approx(expected, abs=0.1)


def test_the_plot_of_lengths_shows_the_counts(english_pages, results):
    root = Page(english_pages["comparison"]).root
    variants = results["comparison"]["variants"]
    for what in ("deals", "decisions"):
        found = list(marks(root, f"lengths-{what}-wide"))
        assert [data["counts"].split() for data, _ in found] == [
            list(map(str, variant["lengths"][what]["matches"])) for variant in variants
        ]
    link = next(root.all("a", download="lengths.csv")).attributes["href"]
    rows = list(csv.DictReader(StringIO(b64decode(link.partition(",")[2]).decode())))
    for variant in variants:
        for what in ("deals", "decisions"):
            of = [r for r in rows if (r["variant"], r["what"]) == (variant["name"], what)]
            assert sum(int(r["matches"]) for r in of) == variant["matches"]
            assert all(float(r["low"]) <= float(r["share"]) <= float(r["high"]) for r in of)


def test_the_plots_of_a_tournament_show_its_results(english_pages, results):
    root, known = Page(english_pages["run"]).root, results["run"]
    scores = {row["strategy"]: row["score"] for row in known["standings"]}
    found = list(marks(root, "scores-wide"))
    assert {data["strategy"] for data, _ in found} == set(scores)
    for data, _ in found:
        assert all(float(data[x]) == scores[data["strategy"]][x] for x in ("mean", "low", "high"))
    assert_on_one_scale(
        [(float(d[end]), x) for d, e in found for end, x in zip(("low", "high"), e, strict=True)]
    )
    pairs = {(c["first"], c["second"]): c["difference"] for c in known["contrasts"]}
    reversed_pairs = {
        (b, a): {"mean": -d["mean"], "low": -d["high"], "high": -d["low"]}
        for (a, b), d in pairs.items()
    }
    found = list(marks(root, "contrasts-narrow"))
    assert len(found) == len(pairs)
    for data, _ in found:
        expected = (pairs | reversed_pairs)[data["first"], data["second"]]
        assert all(float(data[name]) == expected[name] for name in ("mean", "low", "high"))
    assert_on_one_scale(
        [(float(d[end]), x) for d, e in found for end, x in zip(("low", "high"), e, strict=True)]
    )


@pytest.mark.thorough
def test_the_plot_of_a_sweep_shows_its_results(results):
    sweep = deepcopy(results["comparison"])
    cells = {"3": sweep["variants"][0], "5": sweep["variants"][1]}
    sweep["sweep"] = {
        "axes": [{"name": "goal", "values": list(cells)}],
        "cells": [{"name": v["name"], "values": {"goal": x}} for x, v in cells.items()],
    }
    root = Page(render(sweep)).root
    assert next(root.all("h1")).text == "Trut: How many longs win the match"
    found = list(marks(root, "sweep0-wide"))
    expected = [find_metric({"variants": [v]}, "length.deals") for v in cells.values()]
    for (data, _), one in zip(found, expected, strict=True):
        assert all(float(data[name]) == one[name] for name in ("mean", "low", "high"))
    french = Page(render(sweep, "fr")).root
    title = "Trut\u202f: Combien de longs il faut pour gagner la partie"
    assert next(french.all("h1")).text == title
    assert "cells" not in french.text


def test_a_sweep_over_two_parameters_is_a_map_with_intervals(results):
    sweep = deepcopy(results["comparison"])
    names = [variant["name"] for variant in sweep["variants"][:2]]
    sweep["sweep"] = {
        "axes": [{"name": "goal", "values": ["3", "5"]}, {"name": "late", "values": ["off"]}],
        "cells": [
            {"name": name, "values": {"goal": goal, "late": "off"}}
            for name, goal in zip(names, ("3", "5"), strict=True)
        ],
    }
    root = Page(render(sweep)).root
    table = next(t for t in root.all("table") if "deals a match" in next(t.all("caption")).text)
    rows = [[cell.text for cell in row.children] for row in next(table.all("tbody")).all("tr")]
    assert [row[0] for row in rows] == ["3", "5"]
    for row, variant in zip(rows, sweep["variants"], strict=False):
        mean, low, high = map(float, re.fullmatch(r"(\S+) \((\S+) to (\S+)\)", row[1]).groups())
        one = find_metric({"variants": [variant]}, "length.deals")
        expected = [one[x] for x in ("mean", "low", "high")]
        assert [mean, low, high] == pytest.approx(expected, abs=0.5)


@pytest.mark.parametrize("rule", ["test", "precision"])
def test_the_path_of_a_run_has_a_plot(results, rule):
    found = deepcopy(results["run"])
    path = [[64, 0.5], [128, 1.25], [192, None]]
    names = [row["strategy"] for row in found["standings"][:2]]
    found["stop"] = {
        "test": {
            "test": names,
            "margin": 0.1,
            "bounds": [-2.9, 2.9],
            "ratio": 1.25,
            "says": "open",
            "difference": {"mean": 0.1, "low": -0.1, "high": 0.3},
            "normalized_elo": {"mean": 20.0, "low": -20.0, "high": 60.0},
        },
        "precision": {"precision": 0.1, "reached": 1.25},
    }[rule] | {"path": path}
    root = Page(render(found)).root
    ((data, _),) = marks(root, "path-wide")
    assert (data["sets"], data["seen"]) == ("64 128", "0.5 1.25")
    (link,) = [a for a in root.all("a") if a.attributes.get("download") == "path.csv"]
    content = link.attributes["href"].partition(",")[2]
    assert b64decode(content).decode() == "sets,seen\n64,0.5\n128,1.25\n"
    assert "Quand cela" in Page(render(found, "fr")).root.text
