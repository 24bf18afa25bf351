"""Results rendered as pages, for the tests of pages."""

import pytest

from trutdsl import language
from trutdsl.report.comparison import comparison_page
from trutdsl.report.page import render_page
from trutdsl.report.tournament import run_page


def rendered(results, spoken="en"):
    """Return the page of a comparison or a tournament."""
    with language.speaking(spoken, language.NARROW):
        page = comparison_page(results) if "comparison" in results else run_page(results, None)
        return render_page(page, spoken)


BOTH = pytest.mark.parametrize("kind", ["comparison", "run"])


def metric(results, name):
    """Return the first metric of the first variant whose name begins so."""
    found = results["variants"][0]["metrics"]
    return next(m for m in found if m["metric"].startswith(name))
