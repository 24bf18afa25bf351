"""What all tests share: expected texts that lie in files, and how machine code is made."""

import gc
import os
import tempfile
import time
from pathlib import Path

import pytest
from extent import THOROUGH

# Each processor has a worker already: linear algebra that waits in threads of its own only costs.
# NumPy reads this when it is imported, so it stands before the imports below.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# The language of the machine that runs the tests makes no difference.
os.environ["LC_ALL"] = "C.UTF-8"

from trutdsl.strategy.match_history import card_classes
from trutdsl.strategy.monte_carlo import standings_of
from trutdsl.strategy.script import table_for

TESTS = Path(__file__).parent
ROOT = TESTS.parent
# Folders of tests that need more than the extra `dev`. `pytest -m rl tests/rl` runs one of them.
WITH_EXTRAS = {"browser", "dask", "oracles", "rl"}
# Tests whose subject is what LLVM makes of rules with all that it can do, as shipped: each form,
# with and without scripts, for every variant. All others look at what is made of its results, or at
# what else differs between tables; that is the same however machine code is made.
AS_SHIPPED = {
    "fuzz", "answers/test_goal_compared.py", "answers/test_uniform_trut.py", *WITH_EXTRAS,
} | {
    f"native/test_{name}.py"
    for name in (
        "checked", "counts", "differential", "forms", "known_in_whole_matches", "large_variants",
        "luck_ahead", "many_matches", "stopping",
    )
} | {
    f"strategy/test_{name}.py"
    for name in (
        "play_of_scripts", "script_bounds", "shipped_scripts", "worlds", "worlds_of_variants",
    )
}  # fmt: skip
GIVEN = "TRUTDSL_QUICK" in os.environ or THOROUGH


# Seconds of the processor after which garbage is looked for again, and when that was.
BETWEEN, COLLECTED = 30, 0.0
# The environment variable that names the folder to the workers.
KEPT = "TRUTDSL_CACHE_OF_TESTS"


def pytest_configure(config):
    """Begin with nothing kept, and keep what is made for all tests of this run, in all workers."""
    if not hasattr(config, "workerinput"):
        folder = tempfile.TemporaryDirectory(prefix="trutdsl-tests-")
        os.environ[KEPT] = folder.name
        config.add_cleanup(folder.cleanup)
    os.environ["TRUTDSL_CACHE"] = os.environ[KEPT]


def pytest_addoption(parser):
    parser.addoption("--update", action="store_true", help="rewrite the expected texts in files")


def pytest_ignore_collect(collection_path, config):
    """Leave out a folder that needs an extra, unless its marker or its path is given."""
    folder = collection_path.name
    if collection_path.parent == TESTS and folder in WITH_EXTRAS - {config.option.markexpr}:
        return True
    return None  # others may ignore it


def pytest_itemcollected(item):
    """Put the marker of its folder on a test that needs an extra."""
    folder = item.path.relative_to(TESTS).parts[0]
    if folder in WITH_EXTRAS:
        item.add_marker(folder)


def pytest_collection_finish():
    """Look for garbage seldom, and not among what every test needs: it took a sixth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(500_000, 10, 1_000)


def pytest_runtest_teardown(item, nextitem):
    """Look for all garbage behind some files; what is then left stays."""
    global COLLECTED
    if nextitem is not None and nextitem.path == item.path:
        return
    for kept in (table_for, card_classes, standings_of):  # they hold compiled games
        kept.cache_clear()
    if time.process_time() > COLLECTED + BETWEEN:
        gc.collect()
        gc.freeze()
        COLLECTED = time.process_time()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Name the folder of what is kept, and what LLVM does: little where that is not the subject."""
    os.environ["TRUTDSL_CACHE"] = os.environ[KEPT]  # a test, or --no-cache, may have named another
    if GIVEN:
        return
    path = item.path.relative_to(TESTS)
    if {path.parts[0], path.as_posix()} & AS_SHIPPED:
        os.environ.pop("TRUTDSL_QUICK", None)
    else:
        os.environ["TRUTDSL_QUICK"] = "1"


@pytest.fixture
def root():
    """The repository's folder."""
    return ROOT


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def few_draws(monkeypatch):
    """Draw less for simultaneous intervals where coverage is measured.

    5,000 draws give the coverage to 0.3 %, which is far less than the error of so few runs.
    """
    monkeypatch.setattr("trutdsl.stats.multiplicity.DRAWS", 5_000)


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
