"""OpenSpiel's own test on every variant, its search and its solvers."""

from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, gambit, mcts

from trutdsl.game import load_game
from trutdsl.learning import spiel
from trutdsl.solve.equilibrium import solve_deal
from trutdsl.solve.trees import TreeEnumerator
from trutdsl.variant import list_variants, load_variant

TABLES = [(name, players) for name in list_variants() for players in load_variant(name).players]
BLUFF = Path(__file__).parent / "bluff.yaml"


EXAMPLES = Path(__file__).parents[2] / "variants" / "examples"


def game_of(name, players, settings="", points=""):
    game_parameters = {
        "variant": str(name),
        "players": players,
        "settings": settings,
        "points": points,
    }
    return pyspiel.load_game(spiel.GAME_TYPE.short_name, game_parameters)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_openspiels_simulation_test(name, players):
    pyspiel.random_sim_test(game_of(name, players), num_sims=1, serialize=False, verbose=False)


def test_states_can_be_serialized():
    game = game_of("trut", 2, "goal:1")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_search_finds_the_winning_answer():
    """MCTS, which sees all cards, accepts the call with the better card and folds the worse one."""
    game, random = game_of(BLUFF, 2), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(20, random)
    bot = mcts.MCTSBot(game, 1.4, 200, evaluator, random_state=random)
    for second_card, best in (("Ah", "accept"), ("Qh", "fold")):
        state = game.new_initial_state()
        for card in ("Kh", second_card):
            node = state.match.pending
            state.apply_action(node.texts.index(card))
        call = next(a for a in state.legal_actions() if state.action_to_string(0, a) == "call")
        state.apply_action(call)
        assert state.action_to_string(1, bot.step(state)) == best


def test_search_beats_random_play_of_a_shipped_variant():
    """MCTS, which sees all cards, plays Trut to one long, on either seat."""
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
    assert won >= 28  # random play wins so many of 40 in 1 of 100 runs


def test_a_solver_finds_a_policy_of_low_exploitability():
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
    """Compare the dealer's value of one deal within the exploitability of both solutions."""
    path = EXAMPLES / f"{name}.yaml"
    exported = gambit.export_gambit(game_of(path, 2, points="chips:1"))
    game = pyspiel.load_efg_game(exported)  # the same tree in OpenSpiel's own code
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    found = expected_game_score.policy_value(game.new_initial_state(), [average, average])[0]
    deals = TreeEnumerator(load_game(str(path), 2, engine="reference"), alone=True)
    solved = solve_deal(deals, {"chips": 1.0}, 1000)
    error = 2 * pyspiel.exploitability(game, average) + 2 * solved.exploitability
    assert error < 0.01
    assert abs(found - solved.value) <= error
    assert abs(solved.value - value) <= 2 * solved.exploitability + 5e-5


def test_points_of_a_deal_are_for_known_counters():
    with pytest.raises(ValueError, match="no counter 'coins'"):
        game_of(EXAMPLES / "kuhn-poker.yaml", 2, points="coins:1")
    with pytest.raises(ValueError, match="COUNTER:POINTS"):
        game_of(EXAMPLES / "kuhn-poker.yaml", 2, points="chips")


def test_no_deal_gives_more_points_than_the_game_declares():
    """Each counter of Trut is from 0 to 1,000,000."""
    game = game_of("trut", 2, points="petits:3;longs:-1")
    assert (game.min_utility(), game.max_utility()) == (-4e6, 4e6)


def test_the_others_card_does_not_change_an_information_state():
    """States that differ only in the other player's card are one information state."""
    game = game_of(BLUFF, 2)
    texts = set()
    for card in range(2):
        state = game.new_initial_state()
        state.apply_action(0)
        state.apply_action(card)
        assert state.current_player() == 0
        texts.add((state.information_state_string(0), *state.observation_tensor(0)))
    assert len(texts) == 1


INFORMATION = [
    (EXAMPLES / "kuhn-poker.yaml", "", "chips:1", 200),
    (EXAMPLES / "leduc-poker.yaml", "", "chips:1", 200),
    (EXAMPLES / "kuhn-poker.yaml", "", "", 3),
    ("trut", "", "longs:3;petits:1", 100),
    ("trut", "goal:1", "", 3),
]


@pytest.mark.parametrize(("name", "settings", "points", "plays"), INFORMATION)
def test_information_states_have_one_tensor_each(name, settings, points, plays):
    """In random play, equal texts have equal tensors, and different texts have different ones."""
    game = game_of(name, 2, settings, points)
    assert game.get_type().provides_information_state_tensor
    random = np.random.RandomState(1)
    tensor_of, text_of = {}, {}
    states = 0
    for _ in range(plays):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(random.choice(outcomes, p=chances)))
                continue
            for seat in range(2):
                text = state.information_state_string(seat)
                tensor = np.array(state.information_state_tensor(seat), np.float32)
                assert tensor.shape == tuple(game.information_state_tensor_shape())
                found = tensor.tobytes()
                assert tensor_of.setdefault((seat, text), found) == found
                assert text_of.setdefault(found, (seat, text)) == (seat, text)
                states += 1
            state.apply_action(int(random.choice(state.legal_actions())))
    assert len(text_of) > 10
    assert points == "" or len(text_of) < states  # some states occurred twice


def test_a_seat_remembers_its_last_questions():
    """The latest answer is first. The tensor has the last `recall` answers, the text has all."""
    game_parameters = {"variant": str(EXAMPLES / "kuhn-poker.yaml"), "players": 2, "recall": 2}
    game = pyspiel.load_game("trutdsl", game_parameters)
    state, random, answers = game.new_initial_state(), np.random.RandomState(1), []
    while len(answers) < 3:
        if state.is_chance_node():
            state.apply_action(int(random.choice([one for one, _ in state.chance_outcomes()])))
            continue
        seat, action = state.current_player(), state.legal_actions()[0]
        if seat == 0:
            answers.append((state.observation_tensor(0), action))
        state.apply_action(action)
    size = len(answers[0][0])
    rows = np.array(state.information_state_tensor(0)[size:]).reshape(2, size + 1)
    for row, (seen, action) in zip(rows, answers[:0:-1], strict=True):
        assert list(row) == [*seen, 1 + action]
    assert state.information_state_string(0).count(" -> ") == 3
    with pytest.raises(ValueError, match="recall=-1"):
        spiel.SpielGame({"recall": -1})
