"""Invariants of every match, with all pairs of values of two parameters of every variant.

Each combination plays a match in the reference engine, with one number of players after the other;
a thorough run plays two matches with each number. `tests/native/test_pairs.py` compares the engines
on the same combinations.
"""

import pytest
from extent import THOROUGH, extent
from pairwise import all_pairs, values_of
from random_play import play

from trutdsl.game import Game, Question
from trutdsl.ir import build_program
from trutdsl.variant import list_variants, load_variant

MATCHES = extent(1, 2)
MOST_DEALS = 1500  # of a random match: the longest, in the Deux-Sevres, have a few hundred


@pytest.mark.parametrize("name", list_variants())
def test_cards_and_counters_are_conserved_and_matches_end(name):
    variant = load_variant(name)
    program = build_program(variant)
    rows = all_pairs(values_of(variant))[:: extent(4, 1)]
    for number, row in enumerate(rows):
        next_number = (variant.players[number % len(variant.players)],)
        for players in variant.players if THOROUGH else next_number:
            check(Game(variant, program, players, variant.bind(row), name))


def check(game):
    whole = list(range(len(game.deck.texts)))
    label = f"{game.players} players, {game.parameter_texts()}"

    def look(state):
        piles = [pile for zone in state._machine.zones.values() for pile in zone]
        assert sorted(c for pile in piles for c in pile.cards()) == whole, label
        assert all(v >= 0 for values in state.counters().values() for v in values), label
        assert not isinstance(state.pending, Question) or state.pending.actions, label

    for match in range(MATCHES):
        state, _ = play(game, match, look=look)
        assert state.pending is None, label
        assert 0 < state.deals == state.deals_finished < MOST_DEALS, label
        look(state)
