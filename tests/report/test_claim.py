"""Comparisons first name the strategies that they hold for, in both languages."""

from copy import deepcopy

import pytest
from extent import extent
from pages import Page
from rendering import render

from trutdsl.language import speaking
from trutdsl.report.comparison import comparison_lines
from trutdsl.report.comparison_text import claim, method_words, setting
from trutdsl.report.sweep import ambiguity_lines, sweep_lines

ENGLISH = "Everything below holds for play by "
FRENCH = "Tout ce qui suit vaut pour le jeu d'"


def make_forms(results):
    """Return a comparison, also as a sweep and as readings, each with its text function."""
    found = results["comparison"]
    sweep, readings = deepcopy(found), deepcopy(found)
    name = found["variants"][0]["name"]
    sweep["sweep"] = {
        "axes": [{"name": "goal", "values": ["7"]}],
        "cells": [{"values": {"goal": "7"}, "name": name}],
    }
    readings["readings"] = [
        {"parameter": "goal", "value": "5", "default": "7", "help": "Help.", "name": d["variant"]}
        for d in found["differences"]
    ]
    return {
        "comparison": (found, comparison_lines),
        "sweep": (sweep, sweep_lines),
        "readings": (readings, ambiguity_lines),
    }


@pytest.mark.parametrize("form", ["sweep", "comparison", "readings"][: extent(1, None)])
@pytest.mark.parametrize(("language", "sentence"), [("en", ENGLISH), ("fr", FRENCH)])
def test_lines_and_page_first_name_the_strategies(results, form, language, sentence):
    found, lines = make_forms(results)[form]
    names = list(found["comparison"]["strategies"])
    with speaking(language):
        second = list(lines(found))[1]
    assert second.startswith(sentence) and all(name in second for name in names)
    summary = next(Page(render(found, language)).root.all("section", id="summary"))
    first = next(summary.all("p")).text
    assert first.startswith(sentence) and all(name in first for name in names)


@pytest.mark.parametrize(
    ("primary", "screening", "sets", "sentence"),
    [
        (None, False, 40, "All intervals of differences hold together, 95 times in 100."),
        (
            "length.deals",
            False,
            40,
            "differences but that of the primary metric hold together, 95 times in 100.",
        ),
        (None, True, 40, "Other strategies can give other results."),
        (None, False, 1, "one set of deals only: no interval and no test are possible."),
    ],
)
def test_the_claim_covers_only_simultaneous_intervals(primary, screening, sets, sentence):
    comparison = {
        "strategies": ["steady"],
        "primary": primary,
        "screening": screening,
        "sets": sets,
        "players": 2,
        "seed": 1,
    }
    assert claim(comparison).endswith(sentence)
    assert ("hold together" in claim(comparison)) == ("hold together" in sentence)
    assert f" {sets} set{'s' * (sets > 1)} of deals, seed 1" in setting(comparison)


@pytest.mark.parametrize("screening", [True, False])
@pytest.mark.parametrize("size", [0, 1, 2])
def test_the_method_names_a_family_of_figures_only_if_there_is_one(size, screening):
    margins = {"shares": 0.01, "numbers": 0.02, "by_name": {}}
    comparison = {
        "margins": margins,
        "clusters": 20,
        "screening": screening,
        "family": {"size": size},
    }
    text = method_words(comparison)
    assert (f"{size} figures" in text) is (size > 1)
    assert "95 %" in text
    assert "20 clusters" in text


@pytest.mark.parametrize(
    ("clusters", "method"), [(2, "Bonferroni"), (19, "Bonferroni"), (20, "max-t")]
)
def test_the_method_names_the_correction_of_so_many_clusters(clusters, method):
    comparison = {
        "margins": {"shares": 0.01, "numbers": 0.02, "by_name": {}},
        "clusters": clusters,
        "screening": False,
        "family": {"size": 3},
    }
    text = method_words(comparison)
    assert [one for one in ("Bonferroni", "max-t") if one in text] == [method]
    assert "Differences are computed before rounding." in text


def test_one_set_has_no_method_of_intervals():
    comparison = {
        "margins": {"shares": 0.01, "numbers": 0.02, "by_name": {}},
        "clusters": 1,
        "screening": False,
        "family": {"size": 3},
    }
    assert method_words(comparison) == "Intervals and verdicts need two sets of deals or more."
