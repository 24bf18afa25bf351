"""The invariants of every shipped variant hold with each of its packs, too."""

import pytest
from packs import OTHER_PACKS
from test_every_variant import (  # noqa: F401 - these tests run here with other packs
    matches,
    test_cards_and_counters_are_conserved_and_matches_end,
    test_counter_events_add_up,
    test_hidden_cards_leave_no_trace_in_a_view,
    test_the_same_choices_lead_to_the_same_events,
)

from trutdsl.game import load_game
from trutdsl.variant import load_variant


@pytest.fixture(scope="module", params=OTHER_PACKS)
def game(request):
    name, players, pack = request.param
    return load_game(name, players, pack, engine="reference")


def test_the_table_has_another_pack_than_the_default(game):
    variant = load_variant(game.name)
    assert game.deck.texts != load_game(game.name, game.players, engine="reference").deck.texts
    assert len(game.deck.ranks) == len(variant.packs[game.parameters[variant.pack_by]].ranks)
