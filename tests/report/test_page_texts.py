"""Words and tables on pages agree with the results and with the terminal."""

import csv
from base64 import b64decode
from copy import deepcopy
from io import StringIO

from pages import Page
from rendering import render

from trutdsl.options import SECONDS
from trutdsl.report.answers import answers
from trutdsl.report.comparison import comparison_lines
from trutdsl.report.labels import words
from trutdsl.report.rounding import format_of
from trutdsl.report.tournament_text import lines_below_tables


def test_quantiles_stand_beside_their_intervals(english_pages, results):
    root = Page(english_pages["comparison"]).root
    variant = results["comparison"]["variants"][1]
    for what, caption in (("deals", "Deals a match"), ("decisions", "Decisions a match")):
        table = next(t for t in root.all("table") if next(t.all("caption")).text == caption)
        row = [cell.text for cell in list(table.all("tr"))[2].children]
        assert row[0] == variant["title"]
        for cell, one in zip(row[2:5], variant["lengths"][what]["quantiles"], strict=True):
            assert cell == f"{one['value']} ({one['low']} to {one['high']})"


def test_shares_won_from_scores_stand_in_cells_and_csv(english_pages, results):
    root = Page(english_pages["comparison"]).root
    variant = results["comparison"]["variants"][0]
    won = variant["scores"]["longs"]["won"]
    table = next(t for t in root.all("table") if next(t.all("caption")).text == "Trut: longs")
    cells = [[cell.text for cell in row.all("td")] for row in next(table.all("tbody")).all("tr")]
    size = len(cells)
    assert cells == [
        ["" if won[i][j] is None else f"{100 * won[i][j]:.0f}" for j in range(size)]
        for i in range(size)
    ]
    link = next(root.all("a", download="scores.csv")).attributes["href"]
    rows = list(csv.DictReader(StringIO(b64decode(link.partition(",")[2]).decode())))
    deals = sum(int(r["deals"]) for r in rows if (r["variant"], r["counter"]) == ("trut", "longs"))
    assert deals == variant["deals"]


def test_each_reading_of_unclear_rules_is_listed(results):
    found = deepcopy(results["comparison"])
    found["readings"] = [
        {"parameter": f"p{n}", "value": "on", "default": "off", "help": f"Help {n}.",
         "name": difference["variant"]}
        for n, difference in enumerate(found["differences"])
    ]  # fmt: skip
    row = next(r for r in found["differences"][0]["metrics"] if r["margin"])
    row["verdict"] = "differs"
    root = Page(render(found)).root
    assert next(root.all("h1")).text == "What is unclear in Trut"
    summary = next(root.all("section", id="summary"))
    assert "on instead of off: it matters" in summary.text
    assert words(row) in summary.text and "Help 0" in summary.text
    french = Page(render(found, "fr")).root.text
    assert "au lieu de" in french and "it matters" not in french


def test_the_ledger_stands_in_cells(english_pages, results):
    root = Page(english_pages["comparison"]).root
    variant = results["comparison"]["variants"][0]
    captions = {
        "rate": "of 100 times that it may be said",
        "wins": "of 100 deals in which it is said",
    }
    for name, caption in captions.items():
        table = next(
            t for t in root.all("table") if f"Trut: {caption}" in next(t.all("caption")).text
        )
        cells = [cell.text for cell in next(table.all("tbody")).all("td")]
        found = [row[name] for row in variant["ledger"]]
        forms = [x and format_of([x], "f", 100) for x in found]
        assert cells == [
            "" if x is None else format(100 * x["mean"], form)
            for x, form in zip(found, forms, strict=True)
        ]
        assert {",.0f", ",.1f"} <= set(forms)
        assert len(set(cells)) > 5


def test_interactions_of_points_are_on_the_page(results):
    found = deepcopy(results["comparison"])
    of = found["differences"][0]
    row = next(r for r in of["metrics"] if r["metric"] == "length.deals")
    one = {**row, "added": row["difference"], "whole": row["difference"], "p": 0.0}
    one["difference"] = {"mean": 4.0, "se": 1.0, "low": 2.0, "high": 6.0}
    of["together"] = [{**one, "clear": True}]
    text = Page(render(found)).root.text
    assert "The points interact: together they change more or less than their sum:" in text
    assert "where the points add up to" in text and "; interaction +4 (+2 to +6)" in text
    of["together"] = [{**one, "clear": False}]
    assert "These deals show no interaction of the points" in Page(render(found)).root.text


def test_a_page_says_what_the_terminal_says(english_pages, results):
    text = " ".join(Page(english_pages["comparison"]).root.text.split())
    for line in comparison_lines(results["comparison"]):
        if line.endswith(("from trut", "ranked alike", "reversed")):
            assert line.strip() in text
    (difference,) = results["comparison"]["differences"]
    sentences = list(answers(difference, SECONDS))
    assert 3 <= len(sentences) <= 5 and all(sentence in text for sentence in sentences)
    assert all(variant["title"] in text for variant in results["comparison"]["variants"])
    text = Page(english_pages["run"]).root.text
    assert all(line in text for line in lines_below_tables(results["run"], True))
