"""Many matches in native code equal the matches that are played one by one."""

import pytest
from extent import extent
from whole_runs import results_of_runs

from trutdsl.game import load_game
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.table.faults import RuleError
from trutdsl.table.setting import SeatedPlayer

TABLES = [("trut", 2), ("trut-club", 4), ("tute", 3)]
TABLES += extent([], [("trut", 6), ("truc-french", 2)])


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_many_matches_equal_single_matches(name, players):
    game = load_game(name, players, engine="reference")
    uniform = load_strategy("uniform")
    results = results_of_runs(game, [SeatedPlayer("uniform")] * players, 9, 4, 6)
    for number, result in enumerate(results, 4):
        assert result == play_match(game, [uniform] * players, 9, number)
    assert len(results) == 6


def test_an_error_in_the_rules_is_raised(root):
    game = load_game(root / "tests/bad/runtime/no-option.yaml", engine="reference")
    with pytest.raises(RuleError) as found:
        results_of_runs(game, [SeatedPlayer("uniform")] * game.players, 1, 0, 10)
    assert found.value.diagnostic.code == "no-option"


def test_a_policy_in_python_answers_every_question():
    game = load_game("trut", 2, engine="reference")
    asked = []

    def last(_match, count):
        asked.append(count)
        return count - 1

    results = results_of_runs(game, [SeatedPlayer("last")] * 2, 1, 0, 5, last)
    assert sum(count > 1 for count in asked) == sum(result.decisions for result in results)
    assert 1 in asked, "questions with one answer reach the policy, too"


@pytest.mark.parametrize("index", [-1, 4])
def test_an_impossible_index_is_refused(index):
    game = load_game("trut", 2, engine="reference")
    with pytest.raises(IndexError):
        results_of_runs(game, [SeatedPlayer("wrong")] * 2, 1, 0, 5, lambda _match, _count: index)


class Interrupt(KeyboardInterrupt):
    """Ctrl-C while a policy in Python answers."""


@pytest.mark.parametrize("error", [Interrupt, ValueError])
def test_an_exception_of_a_policy_reaches_the_caller(error):
    game = load_game("trut", 2, engine="reference")
    asked = []

    def stopped(_match, _count):
        asked.append(1)
        raise error

    with pytest.raises(error):
        results_of_runs(game, [SeatedPlayer("stopped")] * 2, 1, 0, 5, stopped)
    assert len(asked) == 1
