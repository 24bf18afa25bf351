"""The battery on worlds, in short: they lie as likely as they should.

Every table and every question: `make worlds`.
"""

from itertools import islice
from random import Random

import pytest
from at_questions import LONG
from extent import THOROUGH
from mutants import draw_lower_cards
from scipy.stats import kstest
from tables import SHIPPED, label

from tests.calibration import battery
from tests.calibration.battery import (
    moments_of,
    p_even,
    p_of_moments,
    p_values_by_formula,
    place_of_truth,
    places_of_truth,
    positions_of,
)
from trutdsl.game import load_game
from trutdsl.strategy.match_history import Shares

UNLIKELY = 1e-4  # of all p-values of a table together, for the least of them and for their shape

# Where all answers are legal whatever one holds, so that unseen cards lie anywhere.
ANYWHERE = [
    (name, players)
    for name, players in SHIPPED
    if name in ("trut", "trut-gatinaise", "truc-french")
]
QUICK = [("trut", 2)]


def some_positions(game, many):
    """Return a position of each of so many matches."""
    luck, number, found = Random(1), 0, []
    while len(found) < many:
        # A match stays at its first position: going on would move the position, too.
        found += islice(positions_of(game, number, even(luck)), 1)
        number += 1
    return found


def even(luck):
    return lambda _decision: luck.random() < 0.5


def formula_values(table, engine, positions, worlds):
    """Return the p-values by formula of some positions."""
    found = some_positions(load_game(*table, engine=engine), positions)
    return [p for position in found for p in p_values_by_formula(position, worlds)]


def least_of(values):
    """Return how unlikely these p-values are, for the least of them and for all together."""
    return min(min(values) * len(values), kstest(values, "uniform").pvalue)


@pytest.mark.parametrize("table", ANYWHERE if LONG or THOROUGH else QUICK, ids=label)
def test_unseen_cards_lie_anywhere(table):
    values = formula_values(table, "native", 60 if LONG else 20, 2000 if LONG else 400)
    assert len(values) > 20
    assert least_of(values) > UNLIKELY


def test_truth_is_one_among_worlds():
    found = places_of_truth(load_game("trut", 2, engine="reference"), 12, 9, 24)
    assert sum(len(of.one) for of in found.values()) > 20
    assert min(of.p for of in found.values() if of.one) > UNLIKELY


def test_places_are_even_where_a_world_is_the_truth():
    """Of worlds of unlike weights and few values each is the truth with the share of its weight."""
    luck, places = Random(1), []
    for _ in range(20_000):
        worlds = [(luck.choice((1, 2, 9)), luck.choice((0, 0, 1, 5))) for _ in range(4)]
        truth = luck.choices(range(4), [weight for weight, _ in worlds])[0]
        others = worlds[:truth] + worlds[truth + 1 :]
        places.append(place_of_truth(*worlds[truth], others, luck))
    assert p_even(places) > UNLIKELY
    assert p_of_moments(len(places), *moments_of(places)) > UNLIKELY


def test_each_match_gives_one_place(monkeypatch):
    """So places are independent, also those of different questions."""
    numbers = []

    def some(game, number, wanted, seed):
        for position in positions_of(game, number, wanted, seed):
            numbers.append(number)
            yield position

    monkeypatch.setattr(battery, "positions_of", some)
    found = places_of_truth(load_game("trut", 2, engine="reference"), 6, 1, 40)
    assert len([of for of in found.values() if of.positions]) > 2
    assert len(set(numbers)) == len(numbers) == sum(of.positions for of in found.values())


def test_battery_finds_draws_that_are_not_even(monkeypatch):
    """Low cards are drawn more often than others, and no weight tells so."""
    monkeypatch.setattr(Shares, "draw", draw_lower_cards)
    found = places_of_truth(load_game("trut", 2, engine="reference"), 40, 7, 60)
    assert min(of.least for of in found.values() if of.one) < UNLIKELY
