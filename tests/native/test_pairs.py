"""Both engines play the same with every two values of two parameters of every variant.

Compiling takes the time here, so not all is played always: each variant and each number of players,
two combinations of a table for two, one of any other, other ones of each table. With `DIFFERENTIAL`
at 50,000 or more all combinations of all tables are played, and whole matches.
"""

from pathlib import Path

import pytest
from extent import ALL_CASES, covering
from pairwise import all_pairs, values_of
from random_play import play
from tables import tables_of

from trutdsl.game import Game, Question
from trutdsl.ir import build_program
from trutdsl.variant import list_variants, load_variant

MATCHES, MOST = (20, 10**9) if ALL_CASES else (2, 200)  # MOST: decisions and deals of a match
GOOD = Path(__file__).parents[1] / "good" / "set-of-cards.yaml"
TABLES = tables_of([*list_variants(), str(GOOD)])


def rows_for(ref, players, rows):
    """Return the combinations to play at a table."""
    some = len(rows) if ALL_CASES else min(len(rows), 2 if players == 2 else 1)
    start = 2 * TABLES.index((ref, players))
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


PLAYED = TABLES if ALL_CASES else covering(TABLES)


@pytest.mark.parametrize(("ref", "players"), PLAYED, ids=lambda v: Path(str(v)).stem)
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
