"""Sentences in tables, as the tests of what they mean are given."""

import pytest


def sentences_in(tables):
    """Return what gives a test each case: (body, the digits that it writes down)."""
    cases = [
        pytest.param(body, log, id=f"{table}: {name}")
        for table, rows in tables.items()
        for name, (body, log) in rows.items()
    ]
    return pytest.mark.parametrize(("body", "log"), cases)
