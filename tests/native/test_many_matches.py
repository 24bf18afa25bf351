"""Many matches in native code equal the matches that are played one by one."""

import pytest
from extent import extent

from trutdsl.game import load_game
from trutdsl.native.play.runs import RunCode
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
    code = RunCode(game)
    records = list(code.run([SeatedPlayer("uniform")] * players, 9, 4, 6))
    for number, record in enumerate(records, 4):
        result = play_match(game, [uniform] * players, 9, number)
        assert vars(record) == vars(result)
    assert len(records) == 6


def test_an_error_in_the_rules_is_raised(root):
    game = load_game(root / "tests/bad/runtime/no-option.yaml", engine="reference")
    code = RunCode(game)
    with pytest.raises(RuleError) as found:
        list(code.run([SeatedPlayer("uniform")] * game.players, 1, 0, 10))
    assert found.value.diagnostic.code == "no-option"


def test_a_policy_in_python_answers_every_question():
    game = load_game("trut", 2, engine="reference")
    code = RunCode(game)
    asked = []

    def last(_match, count):
        asked.append(count)
        return count - 1

    records = list(code.run([SeatedPlayer("last")] * 2, 1, 0, 5, last))
    assert sum(count > 1 for count in asked) == sum(record.decisions for record in records)
    assert 1 in asked, "questions with one answer reach the policy, too"


@pytest.mark.parametrize("index", [-1, 4])
def test_an_impossible_index_is_refused(index):
    game = load_game("trut", 2, engine="reference")
    code = RunCode(game)
    with pytest.raises(IndexError):
        list(code.run([SeatedPlayer("wrong")] * 2, 1, 0, 5, lambda _match, _count: index))


class Interrupt(KeyboardInterrupt):
    """Ctrl-C while a policy in Python answers."""


@pytest.mark.parametrize("error", [Interrupt, ValueError])
def test_an_exception_of_a_policy_reaches_the_caller(error):
    game = load_game("trut", 2, engine="reference")
    code = RunCode(game)
    asked = []

    def stopped(_match, _count):
        asked.append(1)
        raise error

    with pytest.raises(error):
        list(code.run([SeatedPlayer("stopped")] * 2, 1, 0, 5, stopped))
    assert len(asked) == 1
