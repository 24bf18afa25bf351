"""Signals in Truc: strategies send and read them; opponents catch them only by chance."""

import pytest
from both_engines import fields_of

from trutdsl.game import HIDDEN, DealStart, load_game
from trutdsl.game.view import make_view
from trutdsl.streams import Stream

WORDS = ("three", "two", "ace")
ENGINES = ("reference", "native")


def table(engine, leak, **more):
    return load_game("truc-catalan", 4, {"signal_leak": leak, **more}, engine)


# ---------------------------------------------------------------- who sees what


def observe_signal(game, action, match=0):
    """Return for each seat, from the leader on, its view of the leader's signal.

    Also returns how many signals each seat has noticed.
    """
    state = game.start(3, match)
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
        asked = state.pending._replace(seat=seat, decision="turn")
        view = make_view(state._machine, game.legends, asked, Stream(0))
        seen[step] = view.variables["signal"][leader]
        said[step] = sum(s.decision == "signal" for s in view.history)
    return seen, said


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("action", WORDS)
def test_opponents_do_not_see_a_signal_that_they_miss(action, engine):
    seen, said = observe_signal(table(engine, "0"), action)
    assert seen == {0: action, 1: HIDDEN, 2: action, 3: HIDDEN}
    assert said == {0: 2, 1: 2, 2: 2, 3: 2}


@pytest.mark.parametrize("engine", ENGINES)
def test_opponents_see_a_signal_that_they_catch(engine):
    seen, said = observe_signal(table(engine, "1"), "three")
    assert seen == dict.fromkeys(range(4), "three")
    assert said == {0: 2, 1: 2, 2: 2, 3: 2}


@pytest.mark.parametrize("engine", ENGINES)
def test_opponents_do_not_see_that_no_signal_was_made(engine):
    seen, _ = observe_signal(table(engine, "1"), "none")
    assert seen == {0: "none", 1: HIDDEN, 2: "none", 3: HIDDEN}


def test_each_opponent_catches_one_signal_in_four():
    """The default chance, independent for each opponent, within 4.5 standard deviations."""
    game = load_game("truc-catalan", 4, engine="native")
    matches, leak = 1200, 0.25
    caught = [observe_signal(game, "two", match)[0] for match in range(matches)]
    first, second = ([seen[step] == "two" for seen in caught] for step in (1, 3))
    both = sum(one and other for one, other in zip(first, second, strict=True))
    for count, share in ((sum(first), leak), (sum(second), leak), (both, leak**2)):
        assert abs(count - matches * share) < 4.5 * (matches * share * (1 - share)) ** 0.5


# ---------------------------------------------------------------- strategies


class Plain:
    """Cuts, plays its first card, accepts, never bets, and makes a fixed signal."""

    def __init__(self, word="none"):
        self.word = word

    def choose(self, view):
        return view.action(self.word) if view.decision == "signal" else view.actions[0]


class Reader(Plain):
    """Bets as soon as its partner has signalled a three."""

    def choose(self, view):
        shown = view.variables["signal"][(view.seat + 2) % 4]
        return (view.action("truc") if shown == "three" else None) or super().choose(view)


def play(game, strategies, match, deals=1000):
    """Return the questions of each seat: view, next random number, chosen action."""
    state = game.start(5, match)
    streams = [Stream(seat) for seat in range(4)]
    records = {seat: [] for seat in range(4)}
    while state.pending is not None:
        if isinstance(state.pending, DealStart):
            if state.deals == deals:
                break
            state.next_deal()
            continue
        seat = state.pending.seat
        view = state.view(streams[seat])
        chosen = strategies[seat].choose(view)
        seen = fields_of(view)
        records[seat].append((seen, view.random.below(1 << 30), chosen.text))
        state.apply(view.actions.index(chosen))
    return records


def first_turn(records, seat):
    return next((seen, chosen) for seen, _, chosen in records[seat] if seen["decision"] == "turn")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_signal_is_sent_and_read_true_or_false(engine):
    """Seat 0 signals a three with and without one; seat 2 bets after the signal only."""
    game = table(engine, "0")
    cases = set()
    for match in range(8):
        for word in ("three", "none"):
            records = play(game, [Plain(word), Plain(), Reader(), Plain()], match, 1)
            seen, chosen = first_turn(records, 2)
            assert seen["variables"]["signal"][0] == word
            assert (chosen == "truc") == (word == "three")
            hand = first_turn(records, 0)[0]["zones"]["hand"][0]
            cases.add((word, any(card.startswith("3") for card in hand)))
    assert cases == {(word, has) for word in ("three", "none") for has in (True, False)}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("word", WORDS)
def test_opponents_cannot_tell_that_a_signal_was_sent(engine, word):
    """Their questions, views, legal actions, histories and streams are the same in all deals."""
    game = table(engine, "0")
    match = WORDS.index(word)
    silent, sent = (
        play(game, [Plain(w), Plain(), Plain(), Plain()], match) for w in ("none", word)
    )
    assert [*map(len, sent.values())] == [*map(len, silent.values())]
    for opponent in (1, 3):
        assert sent[opponent] == silent[opponent]
    for own in (0, 2):
        assert sent[own] != silent[own]


@pytest.mark.parametrize("engine", ENGINES)
def test_an_opponent_that_catches_a_signal_learns_nothing_else(engine):
    """With the declared chance, the views of opponents differ only in the caught signals."""
    game = table(engine, "0.25")
    found = set()
    for match in range(3):
        silent, sent = (
            play(game, [Plain(w), Plain(), Plain(), Plain()], match) for w in ("none", "ace")
        )
        for opponent in (1, 3):
            for (before, *rest), (after, *other) in zip(
                silent[opponent], sent[opponent], strict=True
            ):
                assert rest == other
                signals = before["variables"]["signal"], after["variables"]["signal"]
                assert signals[0][0] is HIDDEN
                assert signals[0][1:] == signals[1][1:]
                found.add(signals[1][0])
                left = [
                    {**v, "variables": {**v["variables"], "signal": ()}} for v in (before, after)
                ]
                assert left[0] == left[1]
    assert found == {HIDDEN, "ace"}
