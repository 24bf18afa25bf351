"""Plays a match in which every choice is random."""

from __future__ import annotations

from trutdsl.game import DealStart
from trutdsl.streams import Stream, mix_in


def play(game, match, emit=None, look=lambda _state: None, most=10**9):
    """Play a match; return its state and the indices of the chosen actions.

    look: is called with the match at each stop. most: the limit of decisions and deals together.
    """
    state, stream, chosen = game.start(11, match, emit), Stream(mix_in(0, 99, match)), []
    for _ in range(most):
        if state.pending is None:
            break
        look(state)
        if isinstance(state.pending, DealStart):
            state.next_deal()
        else:
            chosen.append(stream.below(len(state.pending.actions)))
            state.apply(chosen[-1])
    return state, chosen
