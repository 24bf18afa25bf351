"""The words of compared variants: stored in the results, used in texts, absent from CSV."""

from copy import deepcopy

import pytest

from trutdsl.language import NARROW, speaking
from trutdsl.report.comparison import comparison_lines
from trutdsl.report.csv_files import metrics_csv
from trutdsl.report.labels import in_words_of, metric_words, point_title


@pytest.fixture(scope="module")
def comparison(results):
    return results["comparison"]


def test_metrics_use_the_words_of_the_variant(comparison):
    with speaking("fr", NARROW), in_words_of(comparison):
        text = metric_words("answer.respond.accept")
        assert (
            text == "réponses «\u202fjoue\u202f!\u202f» à la question «\u202fréponse au trut\u202f»"
        )
        assert "je joue CARTE" in metric_words("answer.turn.play CARD")
    with speaking("fr", NARROW):
        assert "accept" in metric_words("answer.respond.accept"), "without results the names stay"


def test_french_screens_have_french_titles_and_rules(comparison):
    with speaking("fr", NARROW):
        text = "\n".join(comparison_lines(comparison))
    assert "Trut à la gâtinaise au lieu de Trut" in text
    assert "Combien de longs il faut pour gagner la partie (5)" in " ".join(text.split())
    without = deepcopy(comparison)
    for variant in without["variants"]:
        del variant["names"]
    with speaking("fr", NARROW):
        assert "Trut in the manner of the Gatine" in "\n".join(comparison_lines(without))


def test_csv_keeps_the_names_of_the_rules(comparison):
    plain = metrics_csv(comparison)
    with speaking("fr", NARROW), in_words_of(comparison):
        assert metrics_csv(comparison) == plain
    assert "where 'respond' is asked" in plain and "out of turn" not in plain


def test_each_changed_rule_has_its_text(comparison):
    base, variant = comparison["variants"]
    assert base["changes"] == []
    titles = [point_title(change) for change in variant["changes"]]
    assert "How many longs win the match (5)" in titles
    assert any(title.startswith("Two petits force a trut, or a song") for title in titles)
