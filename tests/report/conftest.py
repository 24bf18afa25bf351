"""Fixtures of report tests: a comparison and a tournament, with their pages."""

import json
import pickle

import pytest

from trutdsl.cli.app import run as command
from trutdsl.language import figure
from trutdsl.report import figures
from trutdsl.report import page as stored
from trutdsl.tournaments.folder import read_given

COMPARE = "compare trut trut-gatinaise --players 2 --sets 8 --jobs 1"
TOURNAMENT = "tournament trut --strategies steady,caller,quiet --sets 8 --jobs 1"


@pytest.fixture(scope="session", autouse=True)
def draw_each_figure_once():
    """Cache each figure, since many tests write the same pages and Matplotlib is slow.

    A figure depends only on its plot and the language, which `test_page_form.py` checks.
    """
    draw, cache = figures.render_svg, {}

    def draw_once(plot, wide):
        key = pickle.dumps((plot, wide)), figure(1000.5, ",.1f")
        if key not in cache:
            cache[key] = draw(plot, wide)
        return cache[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "render_svg", draw_once)
        yield


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """Return the folders of a comparison and a tournament."""
    root = tmp_path_factory.mktemp("held")
    assert command([*COMPARE.split(), "--out", str(root / "compared")]) == 0
    assert command([*TOURNAMENT.split(), "--out", str(root / "run")]) == 0
    return {"comparison": root / "compared", "run": root / "run"}


@pytest.fixture(scope="session")
def results(folders):
    """Return the stored results of both."""
    files = {"comparison": "comparison.json", "run": "results.json"}
    return {kind: json.loads((folders[kind] / name).read_text()) for kind, name in files.items()}


@pytest.fixture(scope="session")
def english_pages(folders):
    """Return the pages of both, in English."""
    return {
        kind: stored.write_up(folder, "en", names=read_given(folder))
        for kind, folder in folders.items()
    }
