"""Plays a match of scripts in the reference engine, question by question."""

from trutdsl.game import DealStart


def decisions(table, specs, seed, match, stream):
    """Yield at each question the state, the player, and the index of the action it chooses.

    specs: the script of each seat. stream: returns the stream of a seat. After each yield, the
    match continues with that action.
    """
    state = table.game.start(seed, match)
    players = [table.player(spec, state, seat, stream(seat)) for seat, spec in enumerate(specs)]
    while state.pending is not None:
        if isinstance(state.pending, DealStart):
            state.next_deal()
            continue
        player = players[state.pending.seat]
        index = player.choose(state.pending)
        yield state, player, index
        state.apply(index)
