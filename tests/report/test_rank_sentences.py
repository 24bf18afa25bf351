"""Sentences about ranks of variants, on a terminal and a page, in both languages."""

import pytest
from pages import Page
from rendering import render

import trutdsl
from trutdsl.language import speaking
from trutdsl.report.comparison import comparison_lines
from trutdsl.report.comparison_text import EACH_LINE, tell_ranks


@pytest.fixture(scope="module")
def results():
    others = ("trut:goal=5", "trut:goal=9", "trut:goal=3")
    return trutdsl.compare("trut", *others, strategies=("caller", "steady"), sets=48).results


@pytest.mark.thorough
def test_the_goal_decides_which_matches_are_longest(results):
    sentences = list(tell_ranks(results))
    assert sentences[0] == "deals a match: most Trut (goal=9); least Trut (goal=3)"
    for ranking in results["ranks"]:
        places = [(v["best"], v["worst"]) for v in ranking["variants"]]
        assert all(1 <= best <= worst <= 4 for best, worst in places)


def test_variants_without_a_significant_difference_are_named_together(results):
    ranking = {r["by"]: r for r in results["ranks"]}["length.deals"]
    shared = dict(ranking, variants=[dict(v) for v in ranking["variants"]])
    for variant in shared["variants"]:
        variant["best"] = min(variant["best"], 2)
    shared["variants"][0]["best"] = 1
    sentences = list(tell_ranks({**results, "ranks": [shared]}))
    assert sentences == [
        "deals a match: most one of Trut, Trut (goal=9); least Trut (goal=3)",
        EACH_LINE,  # the difference of Trut (goal=3) may be undecided among all figures
    ]
    for variant in shared["variants"]:
        variant["best"], variant["worst"] = 1, 4
    assert list(tell_ranks({**results, "ranks": [shared]})) == [
        "deals a match: it may be any of them"
    ]


@pytest.mark.thorough
def test_terminal_and_page_have_ranks_in_both_languages(results):
    lines = list(comparison_lines(results))
    assert "  deals a match: most Trut (goal=9); least Trut (goal=3)" in lines
    with speaking("fr"):
        assert any("le plus Trut (goal=9)" in line for line in comparison_lines(results))
    for language, sentence in (("en", "most Trut (goal=9)"), ("fr", "le plus Trut (goal=9)")):
        summary = next(Page(render(results, language)).root.all("section", id="summary"))
        assert sentence in summary.text


def test_two_variants_have_no_sentence_about_ranks():
    found = trutdsl.compare("trut", "trut:goal=5", strategies=("caller", "steady"), sets=20).results
    assert list(tell_ranks(found)) == []
