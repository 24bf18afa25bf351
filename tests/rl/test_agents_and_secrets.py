"""A seat is given the same, and equally often, whatever others are asked without its notice."""

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


def pick(random, mask, watches):
    """The one who watches does the same each time, all others anything."""
    legal = np.flatnonzero(mask)
    return int(legal[0] if watches else random.choice(legal))


def in_turn(environment, random):
    """All that the watching seat is given in a match, and how many were asked."""
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


def at_once(environment, random):
    """All that the watching seat is given in a match, and what the others were asked."""
    me, found, others = f"seat_{WATCHER}", [], []
    seen, infos = environment.reset()
    given = (seen[me], infos[me])
    while environment.agents:
        arrays = tuple(array.tobytes() for array in given[0].values())
        found.append((arrays, str(given[1:]), tuple(environment.agents), environment.steps))
        done = {
            agent: pick(random, seen[agent]["action_mask"], agent == me)
            for agent in environment.agents
        }
        others.append(str(done))
        seen, *rest = environment.step(done)
        given = (seen[me], *(part[me] for part in rest))
    return (tuple(found), str(given)), tuple(others)


@pytest.mark.parametrize("name", [*SECRET_GAMES, *OPEN_GAMES])
@pytest.mark.parametrize("cut", CUTS)
def test_one_seat_after_the_other(name, cut, tmp_path):
    variant, players = write_game(tmp_path, name)
    environment, random = zoo.env(variant, players, cut), np.random.default_rng(1)
    given, asked = set(), set()
    for match in range(MATCHES):
        environment.reset(seed=3 if match == 0 else None)
        trace, decisions = in_turn(environment, random)
        given.add(trace)
        asked.add(decisions)
    assert len(given) == 1
    assert len(asked) > 1 or name in OPEN_GAMES or name in UNEVEN or cut


UNEVEN = {"all-others"}  # cut off


@pytest.mark.parametrize("name", SECRET_GAMES)
def test_all_seats_at_once_refuse_a_secret_question_by_name(name, tmp_path):
    variant, players = write_game(tmp_path, name)
    with pytest.raises(Rejected) as refused:
        zoo.parallel_env(variant, players)
    for said in refused.value.diagnostics:
        assert said.code == "secret-question"
        assert said.message.startswith("not all seats can tell that '")
        assert said.span.source.text.splitlines()[said.span.line - 1].lstrip().startswith("ask ")
        assert "trutdsl.learning.zoo.env" in said.help


@pytest.mark.parametrize("name", OPEN_GAMES)
def test_all_seats_at_once_with_hidden_answers(name, tmp_path):
    variant, players = write_game(tmp_path, name)
    environment, random = zoo.parallel_env(variant, players), np.random.default_rng(1)
    parallel_api_test(environment, num_cycles=60)
    environment.reset(seed=3)
    given, others = zip(*(at_once(environment, random) for _ in range(MATCHES)), strict=True)
    assert len(set(given)) == 1
    assert len(set(others)) > 1


@pytest.mark.parametrize("name", [*SECRET_GAMES, *OPEN_GAMES])
def test_matches_side_by_side(name, tmp_path):
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
def test_openspiel(name, tmp_path):
    variant, players = write_game(tmp_path, name)
    game = pyspiel.load_game(
        spiel.GAME_TYPE.short_name,
        {"variant": variant, "players": players, "settings": ""},
    )
    random, given, lengths = np.random.default_rng(1), set(), set()
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
        given.add((*trace, *state.returns()))
    assert len(given) == 1
    assert len(lengths) > 1 or name in OPEN_GAMES or name in UNEVEN
