"""French pages: every text has a translation."""

import re
from copy import deepcopy

import pytest
from extent import extent
from french import find_bad_joins, french_words, text_on, words_in
from pages import Page
from rendering import BOTH_KINDS, render
from test_claim import make_forms

from trutdsl import language
from trutdsl.cli.app import run as command
from trutdsl.report.comparison import comparison_lines
from trutdsl.variant import list_variants, load_variant, words_of


@BOTH_KINDS
def test_every_text_on_a_page_has_a_translation(results, kind, monkeypatch):
    missing = set()

    class RecordingDict(dict):
        def get(self, text, default=None):
            if text not in self:
                missing.add(text)
            return super().get(text, default)

    recording = RecordingDict(language.texts("fr"))
    monkeypatch.setattr(language, "texts", lambda _: recording)
    found = deepcopy(results[kind])
    for variant in found.get("variants", ()):
        variant["same_pack"] = False
    page = render(found, "fr")
    assert missing - {"", "score", "gain", "place", "points"} == set()
    root = Page(page).root
    assert next(root.all("html")).attributes["lang"] == "fr"
    assert "intervalle" in root.text and "deals a match" not in root.text
    assert "the question" not in root.text
    prose = root.text
    for code in root.all("code"):
        prose = prose.replace(code.text, "")
    assert re.findall(r".{9} [:;?!»%].{9}|« ", prose) == [] and "\u202f:" in prose


def test_metrics_of_every_shipped_variant_have_a_translation(root):
    from set_results import round_robin

    from trutdsl.comparison.metrics import metrics_of
    from trutdsl.game import load_game
    from trutdsl.report.labels import metric_subject, metric_words

    for file in sorted((root / "variants").glob("*.yaml")):
        game = load_game(file.stem, engine="reference").measuring()
        for metric in metrics_of(game.count_plan, round_robin(2, 2)).values():
            for describe in (metric_words, metric_subject):
                text = describe(metric.name)
                with language.speaking("fr"):
                    known = describe(metric.name)
                assert known != text or text in game.count_plan.counters, text


# Words from names of files, Spanish suits and code, which are not translated.
OWN_WORDS = {"b", "c", "e", "o"}


def find_unknown_words(page):
    """Return the words of a page that no French text contains."""
    return words_in(text_on(Page(page).root)) - french_words() - OWN_WORDS


def test_a_page_with_an_english_word_is_found():
    page = "<p>Le gagnant du pli <code>winner</code></p><p>whose</p><p>gibberish</p>"
    assert find_unknown_words(page) == {"whose", "gibberish"}


@BOTH_KINDS
def test_pages_have_no_english_word(results, kind):
    page = render(results[kind], "fr")
    assert find_unknown_words(page) == set()
    assert find_bad_joins(text_on(Page(page).root)) == []


def test_screens_of_comparisons_have_no_english_word(results):
    found = results["comparison"]
    with language.speaking("fr"):
        text = "\n".join(comparison_lines(found, every=True))
    assert words_in(text) - french_words() == set()


@pytest.mark.parametrize("kind", ["sweep", "readings"])
def test_sweeps_and_readings_have_no_english_word(results, kind):
    with language.speaking("fr"):
        found, write_lines = make_forms(results)[kind]
        screen, page = "\n".join(write_lines(found)), render(found, "fr")
    assert words_in(screen) - french_words() == set()
    assert find_unknown_words(page) == set()


@pytest.mark.parametrize("name", list_variants()[:: extent(3, 1)])
def test_rulebooks_have_no_english_word(name, tmp_path, monkeypatch):
    monkeypatch.setattr("trutdsl.report.worked_example.DEALS", extent(15, 60))
    book = tmp_path / "livre.html"
    assert command(["rules", name, "--lang", "fr", "-o", str(book)]) == 0
    page = book.read_text(encoding="utf-8")
    assert find_unknown_words(page) == set()
    assert find_bad_joins(text_on(Page(page).root)) == []


def test_every_choice_of_a_shipped_variant_has_a_french_word():
    for variant in map(load_variant, list_variants()):
        words = words_of(variant, "fr")
        for parameter in variant.parameters.values():
            if parameter.type == "choice":
                for choice in parameter.choices:
                    assert words.choice(parameter.name, choice) != choice.replace("_", " ")
