"""The lines that bots read are exactly the views as `json.dumps` writes them."""

import json
from random import Random

import pytest

from trutdsl.game import DealStart, load_game
from trutdsl.strategy.bots import NOW, questions_of


@pytest.mark.parametrize(
    ("variant", "players"), [("trut-deluxe", 3), ("tute", 4), ("trut-club", 2), ("truc-catalan", 4)]
)
def test_a_line_is_the_view_as_json(variant, players):
    """`trut-club` has piles, `trut-deluxe` sets and cards as values."""
    game, random, seen = load_game(variant, players, engine="native"), Random(1), 0
    for match in range(3):
        state = game.start(1, match)
        while state.pending is not None and seen < 400 * (match + 1):
            if isinstance(state.pending, DealStart):
                state.next_deal()
                continue
            view = state.view()
            said = {"id": seen, "luck": 7, "view": view.to_dict(NOW)}
            assert questions_of(view._legend).line(view, seen, 7) == json.dumps(said)
            state.apply(random.randrange(len(state.pending.actions)))
            seen += 1
    assert seen > 100
