"""What all tests share: expected texts that lie in files, and how machine code is made."""

import os
from pathlib import Path

import pytest
from extent import THOROUGH

# Each processor has a worker already: linear algebra that waits in threads of its own only costs.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

TESTS = Path(__file__).parent
ROOT = TESTS.parent
# Folders of tests whose subject is machine code, or what is played in it: they have it as it is
# shipped. All others look at what is made of its results, which are the same however it is made.
AS_SHIPPED = {"answers", "conformance", "fuzz", "game", "native", "passes", "strategy"}
GIVEN = "TRUTDSL_QUICK" in os.environ or THOROUGH


def pytest_addoption(parser):
    parser.addoption("--update", action="store_true", help="rewrite the expected texts in files")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Have LLVM, which took a third of all time, do little where its work is not the subject."""
    if GIVEN:
        return
    if item.path.relative_to(TESTS).parts[0] in AS_SHIPPED:
        os.environ.pop("TRUTDSL_QUICK", None)
    else:
        os.environ["TRUTDSL_QUICK"] = "1"


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
