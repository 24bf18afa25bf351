"""What agents observe tells nothing of what their seat may not see, in random programs."""

import pytest

from tests.fuzz.flow.channels import LEARNING, Interfaces, Refused
from tests.fuzz.flow.pairs import SECRETIVE, SHOWN, STORED, play_seeds, seeds_of, tells
from tests.fuzz.flow.power import read


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", "")  # a program does not come again
    monkeypatch.setenv("TRUTDSL_QUICK", "1")


@pytest.mark.parametrize("name", LEARNING)
def test_no_observation_tells_of_a_secret(name):
    played = play_seeds(seeds_of(0, 320, SECRETIVE), bases=4, each=8, through=4, channels=[name])
    assert played.found == {}
    assert played.effective[name] > 32
    assert (played.refused[name] > 0) == (name in ("parallel", "parallel cut off", "vector"))


def test_the_parallel_form_refuses_just_the_games_with_a_secret_question():
    refused = set()
    for seed in seeds_of(0, 60, SECRETIVE):
        _, game = read(seed)
        if game is None:
            continue
        try:
            Interfaces(game).at_once  # noqa: B018 - it is made when it is looked at
            assert not game.secret_questions
        except Refused:
            assert game.secret_questions
        refused.add(bool(game.secret_questions))
    assert refused == {False, True}


@pytest.mark.parametrize("name", LEARNING)
def test_an_observation_that_tells_of_a_secret_is_found(name):
    assert tells(name, STORED if name.startswith("parallel") else SHOWN)
