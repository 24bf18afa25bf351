"""Clients of language servers."""

import pytest
from language_client import Client


@pytest.fixture(scope="module")
def client():
    """A client of a server that all tests share."""
    result = Client()
    result.start()
    answer = result.initialize()
    assert answer.server_info.name == "trutdsl"
    yield result
    result.shut_down()
    assert result.exit() == 0


@pytest.fixture
def own_client():
    """A client of a server that no other test uses; it is not yet initialized."""
    result = Client()
    result.start()
    yield result
    result.exit()
