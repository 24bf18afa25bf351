"""Pages of results, rendered without files for tests."""

import pytest

from trutdsl import language
from trutdsl.report.comparison import comparison_page
from trutdsl.report.page import render_page
from trutdsl.report.tournament import run_page


def render(results, code="en"):
    """Return the page of a comparison or a tournament in the language with this code."""
    with language.speaking(code, language.NARROW):
        page = comparison_page(results) if "comparison" in results else run_page(results, None)
        return render_page(page, code)


BOTH_KINDS = pytest.mark.parametrize("kind", ["comparison", "run"])


def find_metric(results, name):
    """Return the first metric of the first variant whose name has this prefix."""
    found = results["variants"][0]["metrics"]
    return next(m for m in found if m["metric"].startswith(name))
