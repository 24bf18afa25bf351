"""In random programs, agents observe nothing that their seat may not see."""

import pytest

from tests.fuzz.flow.channels import LEARNING, Interfaces, Refused
from tests.fuzz.flow.pairs import (
    LEAKY_PUBLIC_QUESTIONS,
    LEAKY_RULES,
    SECRETIVE,
    count_pairs_until_leak,
    play_seeds,
    seeds_of,
)
from tests.fuzz.flow.power import generate


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", "")  # no program occurs twice
    monkeypatch.setenv("TRUTDSL_QUICK", "1")


@pytest.mark.parametrize("name", LEARNING)
def test_no_observation_shows_a_secret(name):
    results = play_seeds(seeds_of(0, 320, SECRETIVE), bases=4, each=8, through=4, channels=[name])
    assert results.found == {}
    assert results.effective[name] > 32
    assert (results.refused[name] > 0) == (name in ("parallel", "parallel cut off", "vector"))


def test_the_parallel_form_refuses_exactly_the_games_with_a_secret_question():
    refused = set()
    for seed in seeds_of(0, 60, SECRETIVE):
        _, game = generate(seed)
        if game is None:
            continue
        try:
            Interfaces(game).at_once  # noqa: B018 - reading it creates the environment
            assert not game.secret_questions
        except Refused:
            assert game.secret_questions
        refused.add(bool(game.secret_questions))
    assert refused == {False, True}


@pytest.mark.parametrize("name", LEARNING)
def test_each_observation_shows_the_secret_of_leaky_rules(name):
    assert count_pairs_until_leak(
        name, LEAKY_PUBLIC_QUESTIONS if name.startswith("parallel") else LEAKY_RULES
    )
