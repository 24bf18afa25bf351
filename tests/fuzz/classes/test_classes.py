"""Equal cards change no exact result of random games; without parts of the proof they do."""

from collections import Counter

import pytest

from trutdsl.solve import classes
from trutdsl.solve.card_reads import CardReads
from trutdsl.solve.card_uses import CardUses

from .search import SEARCH


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", "")  # no game occurs twice


def test_equal_cards_change_no_result():
    met = Counter()
    assert SEARCH.try_seeds(range(15), met) == {}  # `make fuzz` tries more
    assert met["compared"] >= 3 and met["all differ"] >= 15


# A part of the proof, what replaces it, and the seed of a game that needs it.
PARTS = {
    "cards that tie are alike": (classes, "_broken_tie", lambda *_: None, 33),
    "no name refers to one of them": (CardReads, "_lie_in_one_place", lambda *_: True, 45),
    "a pile is shuffled before it is drawn": (CardReads, "look_at_end", lambda *_: None, 0),
    "turns of a loop are independent": (CardUses, "_is_fixed", lambda *_: True, 126),
}


@pytest.mark.parametrize("part", PARTS)
def test_a_random_game_needs_each_part_of_the_proof(part, monkeypatch):
    place, name, instead, seed = PARTS[part]
    monkeypatch.setattr(place, name, instead)
    assert list(SEARCH.try_seeds([seed], Counter())) == [seed]
