"""Both engines play the same with every pack of a variant with several packs."""

import pytest
from both_engines import view_of
from extent import extent
from packs import OTHER_PACKS
from random_play import play

from trutdsl.game import Question, load_game

MATCHES = 6


def observe(name, players, pack, engine):
    """Play matches at random; return events, questions and, of some matches, views."""
    game, shown = load_game(name, players, pack, engine), []
    for match in range(MATCHES):

        def look(state, views=match % 6 == 0):
            question = state.pending
            if isinstance(question, Question):
                shown.append((question.seat, question.decision, [a.text for a in question.actions]))
                if views:
                    shown.append(view_of(state))

        play(game, match, shown.append, look)
    return shown


@pytest.mark.parametrize("table", OTHER_PACKS[:: extent(2, 1)])
def test_the_engines_agree(table):
    one, two = (observe(*table, engine) for engine in ("reference", "native"))
    for number, (left, right) in enumerate(zip(one, two, strict=True)):
        assert left == right, f"item {number}"
