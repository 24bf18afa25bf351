"""The gain from the same deals in every seating, in real matches, which soon diverge."""

import pytest

from trutdsl.game import load_game
from trutdsl.stats.design import Tally
from trutdsl.stats.summary import summarize
from trutdsl.strategy.legs import play_leg
from trutdsl.strategy.load import load_strategy
from trutdsl.tournaments.play import count_sets, play_sets
from trutdsl.tournaments.schedule import Chunk, plan_experiment

SETS = 2000
# With cards bound to the dealer they are 2.4 and 3.8. Their standard error is about a tenth.
GAINS = {2: 2.7, 4: 5.0}


@pytest.mark.parametrize("players", GAINS)
def test_similar_strategies_have_a_large_gain(players):
    game = load_game("trut", players, engine="native")
    strategies = [load_strategy(name) for name in ("steady", "bluffer")]
    plan = plan_experiment(game, strategies, 1, SETS, play_leg)
    counts = count_sets(plan, play_sets(plan, Chunk(0, SETS))[0])
    (pair,) = summarize(plan.design, Tally.from_counts(counts)).pairs
    assert pair.gain > GAINS[players]
    assert pair.correlation < 1 / GAINS[players] - 1
