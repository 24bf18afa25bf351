"""Partners and opponents, which the rules themselves count for every seat."""

import pytest

from trutdsl.game import load_game
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(("players", "teams"), [(2, 2), (3, 3), (4, 2), (6, 3)])
def test_every_count_is_right(root, players, teams, engine):
    game = load_game(root / "tests/good/partners.yaml", players, engine=engine)
    result = play_match(game, [load_strategy("uniform")] * players, 1, 0)
    # Each seat makes six counts, and one more if it has a partner. One count is for all seats.
    each = players // teams
    expected = [each * (6 + (each > 1)) + (team == 0) for team in range(teams)]
    assert list(result.counters["right"]) == expected
