"""The battery on worlds: they lie as likely as they should, at every table and every question."""

from functools import cache
from pathlib import Path

import pytest
from at_questions import LONG
from battery import p_values, p_values_by_formula, places_of_truth, position_of
from extent import THOROUGH
from mutants import draw_lower_cards
from scipy.stats import kstest
from tables import SHIPPED, label, tables_of

from trutdsl.game import load_game
from trutdsl.strategy.match_history import Shares

TESTS = Path(__file__).parent.parent
UNLIKELY = 1e-4  # of all p-values of a table together, for the least of them and for their shape

# Where all answers are legal whatever one holds, so that unseen cards lie anywhere.
ANYWHERE = [
    (name, players)
    for name, players in SHIPPED
    if name in ("trut", "trut-gatinaise", "truc-french")
]
# With cards in hands that not all see, in rules that shuffle all of them before each deal.
SMALL = ("dealing-in-turn", "passing", "secrets", "several-cards", "setup-and-again", "chance")
EXAMPLES = ("mus", "put", "scopa", "truco-argentino")
OTHERS = tables_of(
    [TESTS / f"good/{name}.yaml" for name in SMALL]
    + [TESTS.parent / f"variants/examples/{name}.yaml" for name in EXAMPLES]
)
TABLES = [*SHIPPED, *OTHERS]
QUICK = [("trut", 2)]
POSITIONS, WORLDS = (60, 15) if LONG else (12, 9)


@cache
def game_of(table, engine):
    return load_game(*table, engine=engine)


def positions_of(table, engine, many):
    """Return the first positions of a table."""
    found = (position_of(game_of(table, engine), number) for number in range(100 * many))
    found = (position for position in found if position is not None)
    return [position for position, _ in zip(found, range(many), strict=False)]


def formula_values(table, engine, positions, worlds):
    """Return the p-values by formula of some positions."""
    found = positions_of(table, engine, positions)
    return [p for position in found for p in p_values_by_formula(position, worlds)]


def least_of(values):
    """Return how unlikely these p-values are, for the least of them and for all together."""
    return min(min(values) * len(values), kstest(values, "uniform").pvalue)


@pytest.mark.parametrize("table", ANYWHERE if LONG or THOROUGH else QUICK, ids=label)
def test_unseen_cards_lie_anywhere(table):
    values = formula_values(table, "native", 60 if LONG else 20, 2000 if LONG else 400)
    assert len(values) > 20
    assert least_of(values) > UNLIKELY


@pytest.mark.parametrize("table", TABLES if LONG else QUICK, ids=label)
def test_truth_is_one_among_worlds(table):
    game = game_of(table, "reference")
    places = places_of_truth(game, POSITIONS, WORLDS, 40 * POSITIONS)
    values = [p for of_number in places.values() if len(of_number) > 7 for p in p_values(of_number)]
    if values:
        assert min(values) * len(values) > UNLIKELY, sorted(places)


def test_battery_finds_draws_that_are_not_even(monkeypatch):
    """Low cards are drawn more often than others, and no weight tells so."""
    monkeypatch.setattr(Shares, "draw", draw_lower_cards)
    assert least_of(formula_values(("trut", 2), "reference", 3, 60)) < UNLIKELY
