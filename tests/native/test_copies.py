"""Matches that are cloned, paused and continued in any order equal one straight run."""

import numpy as np
import pytest
from both_engines import ENGINES
from extent import extent
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from recorded_match import CHANCES, RecordedMatch

from trutdsl.game import load_game
from trutdsl.native.play.batch import Batch
from trutdsl.streams import mix_in

TABLES = [("trut", 2), ("trut", 4), ("trut-club", 2), ("trut-deluxe", 3), ("truc-catalan", 4)]
TABLES += [("tute", 3)]
MOST_COPIES = 4
EXAMPLES = settings(
    max_examples=extent(2, 5),
    phases=[Phase.generate],
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
STEPS = st.tuples(
    st.sampled_from(["go", "go far", "copy", "look"]),
    st.integers(0, MOST_COPIES - 1),
    st.integers(0, 2**16),
)


@pytest.fixture(scope="module", params=TABLES[:: extent(2, 1)], ids=lambda t: f"{t[0]}-{t[1]}p")
def games(request):
    name, players = request.param
    return [load_game(name, players, engine=engine) for engine in ENGINES]


@EXAMPLES
@given(
    seed=st.integers(0, 2**128 - 1),
    kind=st.sampled_from(sorted(CHANCES)),
    steps=st.lists(STEPS, min_size=10, max_size=60),
)
def test_any_interleaving_of_copies_equals_straight_runs(games, seed, kind, steps):
    source = (seed, seed % 5, kind)
    ends = []
    for game in games:
        matches = [RecordedMatch(game, source)]
        for what, which, number in steps:
            one = matches[which % len(matches)]
            if what == "go":
                one.go(number)
            elif what == "go far":
                for _ in range(number % 30):
                    one.go(number)
            elif what == "look":
                one.look()
            elif len(matches) < MOST_COPIES:
                matches.append(one.clone())
        for which, one in enumerate(matches):
            one.go_far(which)
        ends.append([(one.answers, one.end()) for one in matches])
    reference, native = ends
    assert reference == native
    for answers, end in reference:
        for game in games:
            assert RecordedMatch(game, source, answers).end() == end


def pick_legal(words, key):
    """Return the number of a legal action, chosen by a key."""
    legal = [i for i in range(64 * len(words)) if int(words[i // 64]) >> i % 64 & 1]
    return legal[key % len(legal)]


@pytest.mark.parametrize("number", range(3))
def test_a_batch_and_its_copy_play_alike(number):
    """They share no memory."""
    game = load_game("trut", 4, engine="native")
    batch = Batch(game.steps, 5, 0, 8)

    def go_on(batch, steps):
        for _ in range(steps):
            legal = batch.observe().legal
            if not len(legal):
                return
            key = mix_in(0, number, int(batch.decisions.sum()))
            batch.answer(
                np.array([pick_legal(row, mix_in(0, key, r)) for r, row in enumerate(legal)])
            )

    go_on(batch, 20 + number)
    twin, begun, heard = batch.clone(), batch.decisions, batch.history()
    go_on(batch, 15)
    said = batch.history()
    assert (twin.history() == heard).all()
    assert (twin.decisions == begun).all() and (batch.decisions > begun).any()
    go_on(twin, 15)
    assert (twin.history() == said).all()
    for one in (batch, twin):
        go_on(one, 500)
        assert not len(one.waiting)
    for one, other in ((batch.memory, twin.memory), (batch.why, twin.why)):
        assert (one == other).all() and one is not other
