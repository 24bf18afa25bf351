"""Both engines play the same with every two values of two parameters of every variant.

Compiling takes the time here, so not all is played always: with two players every combination of
the variants that compile fast; of every other table two or three, other ones of each table. With
`DIFFERENTIAL` at 10,000 or more all combinations of all tables are played, and whole matches.
"""

import os
from pathlib import Path

import pytest
from pairwise import all_pairs, values_of
from random_play import play

from trutdsl.game import Game, Question
from trutdsl.ir import build_program
from trutdsl.variant import list_variants, load_variant

EVERYTHING = int(os.environ.get("DIFFERENTIAL", "2000")) >= 10_000
MATCHES, MOST = (20, 10**9) if EVERYTHING else (2, 200)  # MOST: decisions and deals of a match
SLOW = {"trut-deluxe", "trut-club-gentiane"}
GOOD = Path(__file__).parents[1] / "good" / "set-of-cards.yaml"
TABLES = [(ref, n) for ref in [*list_variants(), str(GOOD)] for n in load_variant(ref).players]


def rows_for(ref, players, rows):
    """Return the combinations to play at a table."""
    if EVERYTHING or (players == 2 and ref not in SLOW):
        return rows
    start, some = 2 * TABLES.index((ref, players)), 3 if players == 2 else 2
    return [rows[(start + i) % len(rows)] for i in range(some)]


def shown(game, match):
    """Play a match; return everything that shows, of the first one views too."""
    events = []

    def look(state):
        if isinstance(state.pending, Question):
            question = state.pending
            events.append((question.seat, question.decision, [a.text for a in question.actions]))
            if match == 0:
                view = state.view()
                events.append((view.zones, view.variables, view.history, view.counters))

    state, _ = play(game, match, events.append, look, MOST)
    return [*events, (state.winner, state.deals, state.decisions, state.counters())]


@pytest.mark.parametrize(("ref", "players"), TABLES, ids=lambda v: Path(str(v)).stem)
def test_the_engines_agree(ref, players):
    variant = load_variant(ref)
    program = build_program(variant)
    for row in rows_for(ref, players, all_pairs(values_of(variant))):
        bound = variant.bind(row)
        one, two = (
            Game(variant, program, players, bound, ref, engine)
            for engine in ("reference", "native")
        )
        for match in range(MATCHES):
            assert shown(one, match) == shown(two, match), f"match {match} with {row}"
