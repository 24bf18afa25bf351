"""A short run of the battery: sampled worlds have the right distribution.

`make worlds` runs it for every table and every question.
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

UNLIKELY = 1e-4  # the significance level for all p-values of a table

# Here the legal answers do not depend on the hand, so unseen cards can lie anywhere.
TABLES = [
    (name, players)
    for name, players in SHIPPED
    if name in ("trut", "trut-gatinaise", "truc-french")
]
QUICK_TABLES = [("trut", 2)]


def draw_positions(game, many):
    """Return one position of each of so many matches."""
    luck, number, found = Random(1), 0, []
    while len(found) < many:
        # The match must not continue, because its position would change, too.
        found += islice(positions_of(game, number, flip_coins(luck)), 1)
        number += 1
    return found


def flip_coins(luck):
    return lambda _decision: luck.random() < 0.5


def formula_values(table, engine, positions, worlds):
    """Return the p-values of some positions by the formula."""
    found = draw_positions(load_game(*table, engine=engine), positions)
    return [p for position in found for p in p_values_by_formula(position, worlds)]


def joint_p_value(values):
    """Return the smaller of two p-values: of the minimum, and of the distribution of all."""
    return min(min(values) * len(values), kstest(values, "uniform").pvalue)


@pytest.mark.parametrize("table", TABLES if LONG or THOROUGH else QUICK_TABLES, ids=label)
def test_unseen_cards_are_distributed_by_the_formula(table):
    values = formula_values(table, "native", 60 if LONG else 20, 2000 if LONG else 400)
    assert len(values) > 20
    assert joint_p_value(values) > UNLIKELY


@pytest.mark.thorough
def test_the_truth_has_a_uniform_place_among_worlds():
    found = places_of_truth(load_game("trut", 2, engine="reference"), 12, 9, 24)
    assert sum(len(of.one) for of in found.values()) > 20
    assert min(of.p for of in found.values() if of.one) > UNLIKELY


def test_places_are_uniform_if_a_world_is_the_truth():
    """Each of four weighted worlds is the truth with a probability proportional to its weight."""
    luck, places = Random(1), []
    for _ in range(20_000):
        worlds = [(luck.choice((1, 2, 9)), luck.choice((0, 0, 1, 5))) for _ in range(4)]
        truth = luck.choices(range(4), [weight for weight, _ in worlds])[0]
        others = worlds[:truth] + worlds[truth + 1 :]
        places.append(place_of_truth(*worlds[truth], others, luck))
    assert p_even(places) > UNLIKELY
    assert p_of_moments(len(places), *moments_of(places)) > UNLIKELY


def test_each_match_gives_one_place(monkeypatch):
    """So the places are independent, even those of different questions."""
    numbers = []

    def some(game, number, wanted, seed):
        for position in positions_of(game, number, wanted, seed):
            numbers.append(number)
            yield position

    monkeypatch.setattr(battery, "positions_of", some)
    found = places_of_truth(load_game("trut", 2, engine="reference"), 6, 1, 40)
    assert len([of for of in found.values() if of.positions]) > 2
    assert len(set(numbers)) == len(numbers) == sum(of.positions for of in found.values())


@pytest.mark.thorough
def test_the_battery_finds_a_biased_sampler(monkeypatch):
    """It draws low cards more often, and the weights do not correct this."""
    monkeypatch.setattr(Shares, "draw", draw_lower_cards)
    found = places_of_truth(load_game("trut", 2, engine="reference"), 20, 7, 60)
    assert min(of.least for of in found.values() if of.one) < UNLIKELY
