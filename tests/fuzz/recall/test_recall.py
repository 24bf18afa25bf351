"""Best responses in random games are those of players who forget nothing."""

from collections import Counter

import pytest
from extent import extent

from trutdsl.solve import trees

from .search import SEARCH


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", "")  # no game occurs twice


def test_players_forget_nothing():
    met = Counter()
    assert SEARCH.try_seeds(range(*extent((16, 24), (13, 24))), met) == {}  # `make fuzz` tries more
    assert met["compared"] >= 5


# A part of what keeps values right, what replaces it, and the seed of a game that needs it.
PARTS = {
    "cards that are hidden again are refused": (trees, "check_remembered", lambda *_: None, 64),
}


@pytest.mark.parametrize("part", PARTS)
def test_a_random_game_needs_each_part(part, monkeypatch):
    place, name, instead, seed = PARTS[part]
    monkeypatch.setattr(place, name, instead)
    assert list(SEARCH.try_seeds([seed], Counter())) == [seed]
