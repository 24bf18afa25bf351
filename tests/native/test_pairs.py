"""Both engines play the same with every two values of two parameters of every variant.

Compilation takes most of the time. So the test plays each variant and each number of players with
one combination; a thorough run plays two for two players. With `DIFFERENTIAL` at 50,000 or more, it
plays all combinations of all tables, in whole matches.
"""

from pathlib import Path

import pytest
from extent import ALL_CASES, covering, extent
from pairwise import all_pairs, values_of
from random_play import play
from tables import tables_of

from trutdsl.game import Game, Question
from trutdsl.ir import build_program
from trutdsl.variant import list_variants, load_variant

# MOST: the limit of decisions and deals of a match.
MATCHES, MOST = (20, 10**9) if ALL_CASES else (2, 200)
GOOD = Path(__file__).parents[1] / "good" / "set-of-cards.yaml"
TABLES = tables_of([*list_variants(), str(GOOD)])


def rows_for(ref, players, rows):
    """Return the combinations of parameters to play at a table."""
    some = len(rows) if ALL_CASES else min(len(rows), extent(1, 2) if players == 2 else 1)
    start = 2 * TABLES.index((ref, players))
    return [rows[(start + i) % len(rows)] for i in range(some)]


def observe(game, match):
    """Play a match; return everything observable, with views in match 0."""
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


TESTED_TABLES = TABLES if ALL_CASES else covering(TABLES)


@pytest.mark.parametrize(("ref", "players"), TESTED_TABLES, ids=lambda v: Path(str(v)).stem)
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
            assert observe(one, match) == observe(two, match), f"match {match} with {row}"
