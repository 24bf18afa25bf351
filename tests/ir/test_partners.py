"""Partners and opponents, counted for every seat by the rules themselves."""

import pytest

from trutdsl.game import load_game
from trutdsl.strategy import load_strategy, play_match


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(("players", "teams"), [(2, 2), (3, 3), (4, 2), (6, 3)])
def test_every_count_is_right(root, players, teams, engine):
    game = load_game(root / "tests/good/partners.yaml", players, engine=engine)
    result = play_match(game, [load_strategy("uniform")] * players, 1, 0)
    # Six counts of each seat, one more where it has a partner, and one of all that were met.
    each = players // teams
    expected = [each * (6 + (each > 1)) + (team == 0) for team in range(teams)]
    assert list(result.counters["right"]) == expected
