"""Tables of constants become formulas where possible."""

import random

import pytest

from trutdsl.native.llvm import Formula, as_formula


@pytest.mark.parametrize(
    ("numbers", "formula"),
    [
        ([card % 8 for card in range(32)], Formula(0, 1, 0, 7)),  # the rank of 8 cards a suit
        ([8 - card % 8 for card in range(32)], Formula(8, -1, 0, 7)),  # their strength
        ([card // 8 for card in range(32)], Formula(0, 1, 3, 3)),  # the suit
        ([5 * (card // 4) for card in range(10)], Formula(0, 5, 2, 3)),
        ([3, 1, 3, 1], Formula(3, -2, 0, 1)),
    ],
)
def test_tables_of_ranks_strengths_and_suits_become_formulas(numbers, formula):
    assert as_formula(numbers) == formula
    assert [formula.at(index) for index in range(len(numbers))] == numbers


def test_numbers_without_a_formula_stay_a_table():
    assert as_formula([card % 10 for card in range(40)]) is None  # ten cards a suit
    assert as_formula([0, 1, 3]) is None
    assert as_formula([0, 0, 1]) == Formula(0, 1, 1, 1)
    assert as_formula([7]) is None


def test_a_formula_gives_every_number():
    chance = random.Random(5)
    for _ in range(2000):
        numbers = [chance.choice([0, 1, 2, 4]) for _ in range(chance.randint(2, 9))]
        formula = as_formula(numbers)
        if formula is not None:
            assert [formula.at(index) for index in range(len(numbers))] == numbers
