"""One browser for all tests of pages."""

import pytest
from chromium import Chromium, find_chromium


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    program = find_chromium()
    assert program, "Chromium is not installed: apt-get install chromium"
    found = Chromium(program, tmp_path_factory.mktemp("profile"))
    yield found
    found.close()
