"""The values of solved matches are those of plain Python, in random games."""

from collections import Counter

import pytest
from extent import extent

from trutdsl.solve.match import Mirrors

from .search import SEARCH


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", "")  # no game occurs twice


def test_solved_matches_have_the_values_of_plain_python():
    met = Counter()
    assert SEARCH.try_seeds(range(*extent((0, 8), (0, 60))), met) == {}  # `make fuzz` tries more
    assert met["compared"] >= 5


# A part of what keeps values right, what replaces it, and the seed of a game that needs it.
PARTS = {
    "images after ties are evaluated": ("is_exact", 14),
    "the deals of an image are exchanged": ("_agree", 41),
}


@pytest.mark.parametrize("part", PARTS)
def test_a_random_game_needs_each_part(part, monkeypatch):
    name, seed = PARTS[part]
    monkeypatch.setattr(Mirrors, name, lambda *_: True)
    assert list(SEARCH.try_seeds([seed], Counter())) == [seed]
