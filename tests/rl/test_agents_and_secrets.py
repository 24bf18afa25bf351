"""An agent receives the same, equally often, whatever others are secretly asked."""

import numpy as np
import pyspiel
import pytest
from pettingzoo.test import parallel_api_test
from secret_questions import OPEN_GAMES, SECRET_GAMES, WATCHER, write_game

from trutdsl.diagnostics import Rejected
from trutdsl.learning import spiel, zoo
from trutdsl.learning.vector import SideBySide

MATCHES = 40
CUTS = (None, 1, 2, 3)
EQUAL_LENGTHS = {"all-others"}  # its matches may all have the same number of decisions


def pick(random, mask, watches):
    """Return the first legal action for the watching seat, a random one for the others."""
    legal = np.flatnonzero(mask)
    return int(legal[0] if watches else random.choice(legal))


def play_in_turn(environment, random):
    """Play a match; return all that the watching seat receives, and the number of decisions."""
    found = []
    for agent in environment.agent_iter():
        seen, *rest = environment.last()
        watches = agent == f"seat_{WATCHER}"
        if watches:
            arrays = tuple(array.tobytes() for array in seen.values())
            found.append((arrays, *map(str, rest), tuple(environment.agents), environment.steps))
        over = rest[1] or rest[2]
        environment.step(None if over else pick(random, seen["action_mask"], watches))
    return tuple(found), environment.table.state.decisions


def play_at_once(environment, random):
    """Play a match; return all that the watching seat receives, and the actions of all seats."""
    me, found, others = f"seat_{WATCHER}", [], []
    seen, infos = environment.reset()
    received = (seen[me], infos[me])
    while environment.agents:
        arrays = tuple(array.tobytes() for array in received[0].values())
        found.append((arrays, str(received[1:]), tuple(environment.agents), environment.steps))
        done = {
            agent: pick(random, seen[agent]["action_mask"], agent == me)
            for agent in environment.agents
        }
        others.append(str(done))
        seen, *rest = environment.step(done)
        received = (seen[me], *(part[me] for part in rest))
    return (tuple(found), str(received)), tuple(others)


@pytest.mark.parametrize("name", [*SECRET_GAMES, *OPEN_GAMES])
@pytest.mark.parametrize("cut", CUTS)
def test_secret_questions_change_nothing_in_turn(name, cut, tmp_path):
    variant, players = write_game(tmp_path, name)
    environment, random = zoo.env(variant, players, cut), np.random.default_rng(1)
    traces, decision_counts = set(), set()
    for match in range(MATCHES):
        environment.reset(seed=3 if match == 0 else None)
        trace, decisions = play_in_turn(environment, random)
        traces.add(trace)
        decision_counts.add(decisions)
    assert len(traces) == 1
    assert len(decision_counts) > 1 or name in OPEN_GAMES or name in EQUAL_LENGTHS or cut


@pytest.mark.parametrize("name", SECRET_GAMES)
def test_the_parallel_form_names_the_secret_question_that_it_refuses(name, tmp_path):
    variant, players = write_game(tmp_path, name)
    with pytest.raises(Rejected) as refused:
        zoo.parallel_env(variant, players)
    for diagnostic in refused.value.diagnostics:
        assert diagnostic.code == "secret-question"
        assert diagnostic.message.startswith("not all seats can tell that '")
        span = diagnostic.span
        assert span.source.text.splitlines()[span.line - 1].lstrip().startswith("ask ")
        assert "trutdsl.learning.zoo.env" in diagnostic.help


@pytest.mark.parametrize("name", OPEN_GAMES)
def test_hidden_answers_change_nothing_in_the_parallel_form(name, tmp_path):
    variant, players = write_game(tmp_path, name)
    environment, random = zoo.parallel_env(variant, players), np.random.default_rng(1)
    parallel_api_test(environment, num_cycles=60)
    environment.reset(seed=3)
    traces, others = zip(*(play_at_once(environment, random) for _ in range(MATCHES)), strict=True)
    assert len(set(traces)) == 1
    assert len(set(others)) > 1


@pytest.mark.parametrize("name", [*SECRET_GAMES, *OPEN_GAMES])
def test_secret_questions_change_nothing_side_by_side(name, tmp_path):
    variant, players = write_game(tmp_path, name)
    environment = SideBySide(variant, players, MATCHES, (WATCHER,))
    seen, _ = environment.reset(seed=3)
    while True:
        for array in seen.values():
            assert (array == array[0]).all()
        seen, *rest = environment.step(seen["action_mask"].argmax(axis=1))
        for array in rest[:3]:
            assert (array == array[0]).all()
        if rest[1].all():
            break


@pytest.mark.parametrize("name", [*SECRET_GAMES, *OPEN_GAMES])
def test_secret_questions_change_nothing_in_openspiel(name, tmp_path):
    variant, players = write_game(tmp_path, name)
    game = pyspiel.load_game(
        spiel.GAME_TYPE.short_name,
        {"variant": variant, "players": players, "settings": ""},
    )
    random, traces, lengths = np.random.default_rng(1), set(), set()
    for _ in range(MATCHES):
        state, trace = game.new_initial_state(), []
        while not state.is_terminal():
            watches = state.current_player() == WATCHER
            if watches:
                texts = state.information_state_string(WATCHER), state.observation_string(WATCHER)
                tensors = (
                    *state.observation_tensor(WATCHER),
                    *state.information_state_tensor(WATCHER),
                )
                trace.append((*texts, *tensors, *state.legal_actions()))
            legal = state.legal_actions()
            state.apply_action(int(legal[0] if watches else random.choice(legal)))
        lengths.add(state.move_number())
        traces.add((*trace, *state.returns()))
    assert len(traces) == 1
    assert len(lengths) > 1 or name in OPEN_GAMES or name in EQUAL_LENGTHS
