"""Fixtures and hooks of all tests: expected outputs in files, the cache, and compiler settings."""

import gc
import multiprocessing
import os
import signal
import tempfile
import time
from pathlib import Path

import pytest
from extent import THOROUGH

# Each processor has a worker already, so more threads for linear algebra only cost time.
# NumPy reads this when it is imported. Therefore it stands before the imports below.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# The tests must not depend on the language of the machine.
os.environ["LC_ALL"] = "C.UTF-8"
# Processes of the tests buffer their output, as usual ones do.
os.environ.pop("PYTHONUNBUFFERED", None)

from trutdsl.cli.output import settle_quiet
from trutdsl.strategy.match_history import card_classes
from trutdsl.strategy.monte_carlo import standings_of
from trutdsl.strategy.script import table_for

TESTS = Path(__file__).parent
ROOT = TESTS.parent
# Folders of tests that need more than the extra `dev`. `pytest -m rl tests/rl` runs one of them.
WITH_EXTRAS = {"browser", "dask", "oracles", "rl"}
# Tests of machine code that is optimized as in the shipped program: each form, with and without
# scripts. All other tests get the same results without optimization; in a thorough run, with it.
AS_SHIPPED = {
    *WITH_EXTRAS - {"browser"},
    "fuzz/programs/test_programs.py", "strategy/test_shipped_scripts.py",
} | {
    f"native/test_{name}.py"
    for name in (
        "counts", "differential", "large_variants", "next_random_number", "stopping",
        "stored_values",
    )
}  # fmt: skip
QUICK_IS_SET = "TRUTDSL_QUICK" in os.environ or THOROUGH


# Seconds of processor time between two garbage collections, and the time of the last one.
COLLECTION_INTERVAL, LAST_COLLECTION = 30, 0.0
# The environment variable that names the cache folder to the workers.
CACHE_VARIABLE = "TRUTDSL_CACHE_OF_TESTS"


def pytest_configure(config):
    """Start with an empty cache, which all workers of this run share. Let Ctrl-C stop programs."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # the shell started it in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):
        folder = tempfile.TemporaryDirectory(prefix="trutdsl-tests-")
        os.environ[CACHE_VARIABLE] = folder.name
        config.add_cleanup(folder.cleanup)
    os.environ["TRUTDSL_CACHE"] = os.environ[CACHE_VARIABLE]


def pytest_addoption(parser):
    parser.addoption("--update", action="store_true", help="rewrite the expected texts in files")


def pytest_ignore_collect(collection_path, config):
    """Skip a folder that needs an extra, unless its marker or its path is given."""
    folder = collection_path.name
    if collection_path.parent == TESTS and folder in WITH_EXTRAS - {config.option.markexpr}:
        return True
    return None  # other plugins may ignore it


def pytest_itemcollected(item):
    """Mark a test that needs an extra with the name of its folder."""
    folder = item.path.relative_to(TESTS).parts[0]
    if folder in WITH_EXTRAS:
        item.add_marker(folder)


def pytest_collection_modifyitems(config, items):
    """Leave out the tests with the marker `thorough`, unless the run is thorough."""
    if not THOROUGH:
        left_out = [item for item in items if item.get_closest_marker("thorough")]
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish():
    """Collect garbage rarely, and skip what every test needs. It took a sixth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000_000, 10, 1_000)


def pytest_runtest_teardown(item, nextitem):
    """Collect garbage after a file if the last collection was long ago; freeze the rest."""
    global LAST_COLLECTION
    if nextitem is not None and nextitem.path == item.path:
        return
    for cached in (table_for, card_classes, standings_of):  # they hold compiled games
        cached.cache_clear()
    if time.process_time() > LAST_COLLECTION + COLLECTION_INTERVAL:
        gc.collect()
        gc.freeze()
        LAST_COLLECTION = time.process_time()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Restore what options set. Optimize machine code only for the tests in `AS_SHIPPED`."""
    os.environ["TRUTDSL_CACHE"] = os.environ[CACHE_VARIABLE]  # --no-cache
    settle_quiet(None, None, quiet=False)
    if QUICK_IS_SET:
        return
    path = item.path.relative_to(TESTS)
    if {path.parts[0], path.as_posix()} & AS_SHIPPED:
        os.environ.pop("TRUTDSL_QUICK", None)
    else:
        os.environ["TRUTDSL_QUICK"] = "1"


@pytest.fixture
def own_processes():
    """Return a function that lists the running processes that this test started."""
    before = {*multiprocessing.active_children()}
    return lambda: [one for one in multiprocessing.active_children() if one not in before]


@pytest.fixture
def root():
    """The repository's folder."""
    return ROOT


@pytest.fixture
def work_folder(tmp_path, monkeypatch):
    """An empty folder, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def few_draws(monkeypatch):
    """Draw fewer samples for simultaneous intervals in tests that measure coverage.

    5,000 draws give the coverage within 0.3 %, far less than the sampling error of so few runs.
    """
    monkeypatch.setattr("trutdsl.stats.multiplicity.DRAWS", 5_000)


@pytest.fixture
def expect_file(request):
    """Return a function that compares a text with a file; with --update it writes the file."""

    def check(path, text):
        if request.config.getoption("--update"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"{path} does not exist; make it with --update and look at it"
        assert text == path.read_text(encoding="utf-8")

    return check
