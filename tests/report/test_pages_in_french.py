"""Pages in French: every text is known."""

import re
from copy import deepcopy

from pages import Page
from rendering import BOTH, rendered

from trutdsl import language


@BOTH
def test_every_text_is_known_in_french(results, kind, monkeypatch):
    missing = set()

    class Noting(dict):
        def get(self, text, default=None):
            if text not in self:
                missing.add(text)
            return super().get(text, default)

    noting = Noting(language.texts("fr"))
    monkeypatch.setattr(language, "texts", lambda _: noting)
    found = deepcopy(results[kind])
    for variant in found.get("variants", ()):
        variant["same_pack"] = False
    page = rendered(found, "fr")
    assert missing - {"", "score", "gain", "place", "points"} == set()
    root = Page(page).root
    assert next(root.all("html")).attributes["lang"] == "fr"
    assert "intervalle" in root.text and "deals a match" not in root.text
    assert "the question" not in root.text
    prose = root.text
    for code in root.all("code"):
        prose = prose.replace(code.text, "")
    assert re.findall(r".{9} [:;?!»%].{9}|« ", prose) == [] and "\u202f:" in prose


def test_metrics_of_every_shipped_variant_are_known_in_french(root):
    from simulated import round_robin

    from trutdsl.comparison.metrics import metrics_of
    from trutdsl.game import load_game
    from trutdsl.report.labels import metric_subject, metric_words

    for file in sorted((root / "variants").glob("*.yaml")):
        game = load_game(file.stem, engine="reference").measuring()
        for metric in metrics_of(game.count_plan, round_robin(2, 2)).values():
            for words_of in (metric_words, metric_subject):
                text = words_of(metric.name)
                with language.speaking("fr"):
                    known = words_of(metric.name)
                assert known != text or text in game.count_plan.counters, text
