"""Matches side by side are the matches that are played one by one, and show no hidden card."""

import numpy as np
import pytest

from trutdsl.game import HIDDEN, DealStart, load_game
from trutdsl.native.batch import Batch


def lowest(legal):
    """Return the number of the lowest legal action of each row."""
    first = np.argmax(legal != 0, axis=1)
    word = legal[np.arange(len(legal)), first]
    return 64 * first + np.bitwise_count((word & (~word + np.uint64(1))) - np.uint64(1))


@pytest.mark.parametrize(("name", "players"), [("trut", 2), ("trut", 4), ("truc-catalan", 4)])
def test_the_same_matches(name, players):
    game = load_game(name, players, engine="native")
    batch = Batch(game.steps, 5, 2, 6)
    states = [game.start(5, match) for match in range(2, 8)]
    steps = 0
    while len(batch.waiting):
        seen = batch.observe()
        for row, match in enumerate(seen.matches):
            state = states[match]
            while isinstance(state.pending, DealStart):
                state.next_deal()
            assert state.pending.seat == seen.seat[row]
            legal = sum(int(np.bitwise_count(word)) for word in seen.legal[row])
            assert len(state.pending.actions) == legal
            check_view(state.view(), seen, row, game)
            state.apply(0)
        batch.answer(lowest(seen.legal))
        steps += 1
    assert [s.winner if s.winner is not None else -1 for s in states] == list(batch.winner)
    assert [s.deals for s in states] == list(batch.deals)
    assert steps > 50


def check_view(view, seen, row, game):
    """What is observed is what a view of the same match shows, no more."""
    texts = game.deck.texts
    for name, places in view.zones.items():
        assert list(seen.sizes[name][row]) == list(view.sizes[name])
        shown = [set(place) for place in places if place is not HIDDEN]
        if name not in seen.zones:
            assert not shown or all(not s for s in shown)
            continue
        masks = [int(mask) for mask in seen.zones[name][row]]
        cards = [{t for i, t in enumerate(texts) if mask >> i & 1} for mask in masks]
        assert cards == (shown if len(cards) == len(places) else [set(places[view.seat])])


def test_what_is_not_legal_is_refused():
    game = load_game("trut", 2, engine="native")
    batch = Batch(game.steps, 1, 0, 3)
    actions = lowest(batch.observe().legal)
    for wrong in (actions[:2], np.array([-1, 0, 0]), np.array([10**6, 0, 0]), actions + 60):
        before = batch.memory.copy()
        with pytest.raises(ValueError):
            batch.answer(wrong)
        assert (batch.memory == before).all()
