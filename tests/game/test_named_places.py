"""A view shows sets of named values and numbers, and places that these index."""

from pathlib import Path

import pytest

from trutdsl.game import ENGINES, HIDDEN, load_game

GOOD = Path(__file__).parent.parent / "good"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_view_shows_named_values_by_name_and_numbers_as_they_are(engine):
    state = load_game(GOOD / "named-sets.yaml", 2, {"most": 3}, engine=engine).start(0, 0)
    state.next_deal()
    view = state.view()
    assert [action.text for action in view.actions] == [
        "call grande", "call chica", "call pares",
        "names pares 0", "names pares 1", "names juego 0", "names juego 1", "pass",
    ]  # fmt: skip
    shown = view.variables
    assert shown["open_calls"] == (frozenset({"grande", "chica", "pares", "juego"}),)
    assert (shown["numbers"], shown["heights"]) == ((frozenset({1, 2, 3}),), (frozenset({0, 5}),))
    assert shown["bids"] == (None,) * 5
    assert (len(shown["said"]), len(shown["marks"])) == (4, 9)
    assert shown["own"] == (frozenset(), HIDDEN)
