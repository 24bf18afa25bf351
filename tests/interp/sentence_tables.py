"""Tables of statements with their expected logs, as test cases."""

import pytest


def sentences_in(tables):
    """Return the marker that parametrizes a test with each case: the body and its log of digits."""
    cases = [
        pytest.param(body, log, id=f"{table}: {name}")
        for table, rows in tables.items()
        for name, (body, log) in rows.items()
    ]
    return pytest.mark.parametrize(("body", "log"), cases)
