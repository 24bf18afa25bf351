"""OpenSpiel: its own test of every variant, its search, and what its solver finds."""

from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, gambit, mcts

from trutdsl.game import load_game
from trutdsl.learning import spiel
from trutdsl.solve.one_deal import solve_deal
from trutdsl.variant import list_variants, load_variant

TABLES = [(name, players) for name in list_variants() for players in load_variant(name).players]
BLUFF = Path(__file__).parent / "bluff.yaml"


EXAMPLES = Path(__file__).parents[2] / "variants" / "examples"


def game_of(name, players, settings="", points=""):
    given = {"variant": str(name), "players": players, "settings": settings, "points": points}
    return pyspiel.load_game(spiel.GAME_TYPE.short_name, given)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_openspiels_own_test(name, players):
    pyspiel.random_sim_test(game_of(name, players), num_sims=1, serialize=False, verbose=False)


def test_states_can_be_written_and_read():
    game = game_of("trut", 2, "goal:1")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_search_takes_the_card_that_wins():
    """Last trick but one: MCTS, which sees all cards, finds what decides the match."""
    game, random = game_of(BLUFF, 2), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(20, random)
    bot = mcts.MCTSBot(game, 1.4, 200, evaluator, random_state=random)
    for held, best in (("Ah", "accept"), ("Qh", "fold")):
        state = game.new_initial_state()
        for card in ("Kh", held):
            node = state.match.pending
            state.apply_action(node.texts.index(card))
        call = next(a for a in state.legal_actions() if state.action_to_string(0, a) == "call")
        state.apply_action(call)
        assert state.action_to_string(1, bot.step(state)) == best


def test_search_on_a_shipped_variant_beats_play_at_random():
    """Matches of Trut to one long, in which MCTS, which sees all cards, sits on either seat."""
    game, random = game_of("trut", 2, "goal:1"), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    bot = mcts.MCTSBot(game, 1.4, 60, evaluator, random_state=random)
    won = 0.0
    for match in range(40):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                action = random.choice(outcomes, p=chances)
            elif state.current_player() == match % 2:
                action = bot.step(state)
            else:
                action = random.choice(state.legal_actions())
            state.apply_action(int(action))
        won += (state.returns()[match % 2] + 1) / 2
    assert won >= 28  # at random so many of 40 are won in 1 of 100 runs


def test_a_solver_finds_a_policy_that_can_hardly_be_exploited():
    game = game_of(BLUFF, 2)
    at_random = exploitability.exploitability(game, policy.UniformRandomPolicy(game))
    solver = cfr.CFRSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    solved = exploitability.exploitability(game, solver.average_policy())
    assert at_random > 0.1
    assert solved < at_random / 5


@pytest.mark.parametrize(("name", "value"), [("kuhn-poker", -1 / 18), ("leduc-poker", -0.0856)])
def test_openspiels_solver_finds_the_value_that_solve_prints(name, value):
    """One deal for chips, from the dealer's side, within what both solutions can be exploited."""
    path = EXAMPLES / f"{name}.yaml"
    exported = gambit.export_gambit(game_of(path, 2, points="chips:1"))
    game = pyspiel.load_efg_game(exported)  # the same tree in OpenSpiel's own code
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    found = expected_game_score.policy_value(game.new_initial_state(), [average, average])[0]
    solved = solve_deal(load_game(str(path), 2, engine="reference"), {"chips": 1.0}, 1000, 0.0)
    error = 2 * pyspiel.exploitability(game, average) + 2 * solved.exploitability
    assert error < 0.01
    assert abs(found - solved.value) <= error
    assert abs(solved.value - value) <= 2 * solved.exploitability + 5e-5


def test_points_of_a_deal_are_for_known_counters():
    with pytest.raises(ValueError, match="no counter 'coins'"):
        game_of(EXAMPLES / "kuhn-poker.yaml", 2, points="coins:1")
    with pytest.raises(ValueError, match="COUNTER:POINTS"):
        game_of(EXAMPLES / "kuhn-poker.yaml", 2, points="chips")


def test_a_policy_cannot_look_at_the_others_card():
    """States that differ only in the other's card are one information state."""
    game = game_of(BLUFF, 2)
    texts = set()
    for card in range(2):
        state = game.new_initial_state()
        state.apply_action(0)
        state.apply_action(card)
        assert state.current_player() == 0
        texts.add((state.information_state_string(0), *state.observation_tensor(0)))
    assert len(texts) == 1
