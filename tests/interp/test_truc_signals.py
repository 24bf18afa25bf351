"""Who learns of a signal in Truc: the partner, and each opponent by chance."""

import pytest

from trutdsl.game import DealStart, Question, load_game
from trutdsl.game.view import HIDDEN, make_view
from trutdsl.streams import Stream


def what_each_sees(leak, action):
    """Return what every seat knows of the leader's signal, and how many signals it noticed."""
    game = load_game("truc-catalan", 4, {"signal_leak": leak})
    state = game.start(3, 0)
    while isinstance(state.pending, DealStart):
        state.next_deal()
    wanted = {"cut": "cut", "signal": "none"}
    leader = (state.pending.seat + 2) % 4
    while state.pending.decision in wanted:
        asked = state.pending
        text = (
            action if (asked.decision, asked.seat) == ("signal", leader) else wanted[asked.decision]
        )
        state.apply([a.text for a in asked.actions].index(text))
    seen, said = {}, {}
    for step in range(4):
        seat = (leader + step) % 4
        asked = Question(seat, "turn", state.pending.audience, state.pending.actions)
        view = make_view(state._machine, game, asked, Stream(0))
        seen[step] = view.variables["signal"][leader]
        said[step] = sum(s.decision == "signal" for s in view.history)
    return seen, said


@pytest.mark.parametrize("action", ["three", "two", "ace"])
def test_a_signal_that_is_not_caught(action):
    seen, said = what_each_sees("0", action)
    assert seen == {0: action, 1: HIDDEN, 2: action, 3: HIDDEN}
    assert said == {0: 2, 1: 2, 2: 2, 3: 2}


def test_a_signal_that_is_caught():
    seen, said = what_each_sees("1", "three")
    assert seen == dict.fromkeys(range(4), "three")
    assert said == {0: 2, 1: 2, 2: 2, 3: 2}


def test_nobody_sees_that_no_signal_was_made():
    seen, _ = what_each_sees("1", "none")
    assert seen == {0: "none", 1: HIDDEN, 2: "none", 3: HIDDEN}
