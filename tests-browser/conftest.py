"""What the tests in a browser can be told."""


def pytest_addoption(parser):
    """Add `--update`, as for all other tests."""
    parser.addoption("--update", action="store_true", help="rewrite the expected pictures")
