"""The effect of a goal of 7 instead of 5, compared with a Markov chain, over many seeds.

`ANSWERS` divided by 2,500 is the number of seeds: 200 at 500,000.
"""

import os
from math import sqrt

import pytest
import uniform_trut
from compared import compare_with

from trutdsl.comparison.cell import make_cell
from trutdsl.comparison.compare import Margins
from trutdsl.comparison.measurement import gather, measure_sets
from trutdsl.game import load_game
from trutdsl.tournaments.play import play_sets
from trutdsl.tournaments.schedule import Chunk

SEEDS = int(os.environ.get("ANSWERS", "30000")) // 2500
SETS = 40  # clusters of one match each


@pytest.fixture(scope="module")
def exact():
    with pytest.MonkeyPatch.context() as patch:
        found = {}
        for goal in (5, 7):
            patch.setattr(uniform_trut, "GOAL", goal)
            found[goal] = uniform_trut.solve(2)
    return found


def measure(game, seed):
    experiment = make_cell("", game, ["uniform"], seed).experiment(SETS)
    chunks = [Chunk(at, 1) for at in range(SETS)]
    rows = [(c, measure_sets(experiment, play_sets(experiment, c)[0])) for c in chunks]
    return gather(experiment, rows)


@pytest.mark.thorough
@pytest.mark.usefixtures("few_draws")
def test_intervals_of_the_effect_cover_the_exact_effect(exact):
    games = [load_game("trut", 2, {"goal": goal}, engine="native") for goal in (7, 5)]
    effects = {
        "length.deals": exact[5].deals - exact[7].deals,
        "length.per_deal": exact[5].questions - exact[7].questions,
        "first_dealer": exact[5].dealer_wins - exact[7].dealer_wins,
    }
    covered = dict.fromkeys(effects, 0)
    for seed in range(SEEDS):
        base, other = (measure(game, seed) for game in games)
        (rows,) = compare_with(base, [other], Margins())
        found = {row.metric: row.difference for row in rows}
        for name, effect in effects.items():
            covered[name] += found[name].low <= effect <= found[name].high
    # 95 % of the seeds, less four standard errors: a correct program fails once in 30,000 runs.
    least = 0.95 * SEEDS - 4 * sqrt(0.95 * 0.05 * SEEDS)
    assert effects["length.deals"] == pytest.approx(-6.302, abs=1e-3)
    assert all(times >= least for times in covered.values()), covered
