"""What all tests share: expected texts that lie in files."""

import os
from pathlib import Path

import pytest

# Each processor has a worker already: linear algebra that waits in threads of its own only costs.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

ROOT = Path(__file__).parent.parent


def pytest_addoption(parser):
    parser.addoption("--update", action="store_true", help="rewrite the expected texts in files")


@pytest.fixture
def root():
    """The repository's folder."""
    return ROOT


@pytest.fixture
def expect_file(request):
    """Return a check that a text is what a file holds; with --update the file is rewritten."""

    def check(path, text):
        if request.config.getoption("--update"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"{path} does not exist; make it with --update and look at it"
        assert text == path.read_text(encoding="utf-8")

    return check
