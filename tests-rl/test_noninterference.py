"""What agents observe tells nothing of what their seat may not see, in random programs."""

import pytest

from tests.fuzz.flow.channels import LEARNING
from tests.fuzz.flow.pairs import SECRETIVE, SHOWN, play_seeds, seeds_of, tells


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", "")  # a program does not come again
    monkeypatch.setenv("TRUTDSL_QUICK", "1")


@pytest.mark.parametrize("name", LEARNING)
def test_no_observation_tells_of_a_secret(name):
    played = play_seeds(seeds_of(0, 320, SECRETIVE), bases=4, each=8, through=4, channels=[name])
    assert played.found == {}
    assert played.effective[name] > 32


@pytest.mark.parametrize("name", LEARNING)
def test_an_observation_that_tells_of_a_secret_is_found(name):
    assert tells(name, SHOWN)
