"""The combinations of parameters in other tests contain every pair of values."""

from itertools import combinations

import pytest
from pairwise import all_pairs, values_of

from trutdsl.variant import list_variants, load_variant


@pytest.mark.parametrize("name", list_variants())
def test_combinations_contain_every_pair_of_values(name):
    variant = load_variant(name)
    options = values_of(variant)
    rows = all_pairs(options)
    for one, two in combinations(options, 2):
        seen = {(row[one], row[two]) for row in rows}
        assert seen == {(a, b) for a in options[one] for b in options[two]}
    assert variant.bind(rows[0]) == variant.bind({})
    assert all(list(row) == list(options) for row in rows)
    assert len({tuple(row.values()) for row in rows}) == len(rows) < 20


def test_values_to_try_include_all_important_ones():
    """Booleans and choices have all values, numbers the default and the least."""
    options = values_of(load_variant("trut-deluxe"))
    assert options["bonus"] == ["false", "true"]
    assert options["next_dealer"] == ["last_trick_winner", "left_of_dealer", "strongest_card"]
    assert options["goal"] == ["7", "1"]
    assert options["special_cards"] == ["all", "none", "owl,weasel,eagle"]
    assert values_of(load_variant("truc-catalan"))["signal_leak"] == ["0.25", "0", "1"]
    assert values_of(load_variant("tute"))["deals_to_win"] == ["1", "2"]


@pytest.mark.parametrize(
    ("options", "rows"), [({}, [{}]), ({"a": "xyz"}, [{"a": "x"}, {"a": "y"}, {"a": "z"}])]
)
def test_combinations_of_no_or_one_parameter(options, rows):
    assert all_pairs(options) == rows
