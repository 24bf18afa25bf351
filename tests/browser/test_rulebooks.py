"""Printed rulebooks: at most two A4 pages, four for the games with the longest rules."""

import re

import pytest

from trutdsl.cli.app import run
from trutdsl.variant import list_variants

MOST_PAGES = {"trut-deluxe": 4, "tute": 4}
PAGE = re.compile(rb"/Type\s*/Page\b")


@pytest.mark.parametrize("name", list_variants())
def test_a_rulebook_fits_its_pages(name, browser, tmp_path):
    for language in ("en", "fr"):
        page = tmp_path / f"{language}.html"
        assert run(["rules", name, "--lang", language, "-o", str(page)]) == 0
        browser.open(page, 800, 1000)
        assert not browser.messages_of("Runtime.exceptionThrown", "Log.entryAdded")
        assert 1 <= len(PAGE.findall(browser.print_to_pdf())) <= MOST_PAGES.get(name, 2), language
