"""How far behind the winner of a comeback was: it depends on the goal of the counter."""

import numpy as np
import pytest

from trutdsl.comparison.metrics import expected_metrics, far_behind
from trutdsl.game import load_game
from trutdsl.table.counts import LEADS

GOALS = [
    ("trut", {}, {"longs": 7, "petits": 3}),
    ("trut", {"goal": 12}, {"longs": 12, "petits": 3}),
    ("truc-catalan", {}, {"points": 12}),
    ("examples/truco-argentino.yaml", {}, {"points": 30}),
    ("examples/three-card-brag.yaml", {}, {"chips": 0}),
]


@pytest.mark.parametrize(("name", "parameters", "goals"), GOALS)
@pytest.mark.parametrize("engine", ["reference", "native"])
def test_the_goal_of_a_counter_is_the_number_that_the_rules_ask_for(
    name, parameters, goals, engine, root
):
    ref = str(root / "variants" / name) if "/" in name else name
    game = load_game(ref, parameters=parameters, engine=engine)
    plan = game.count_plan
    assert dict(zip(plan.counters, plan.goals, strict=True)) == goals
    assert game.counting.plan == plan


def test_far_behind_is_a_quarter_of_the_goal_and_at_least_two():
    found = [far_behind(goal) for goal in (0, 1, 7, 8, 9, 12, 30, 124, 1000)]
    assert found == [2, 2, 2, 2, 3, 3, 8, LEADS - 1, LEADS - 1]


@pytest.mark.parametrize(("goal", "share"), [(7, 0.75), (8, 0.75), (12, 0.5), (16, 0.25)])
def test_a_comeback_begins_far_behind(goal, share):
    """Four matches were won from 1, 2, 3 and 4 behind."""
    plan = load_game("trut", parameters={"goal": goal}).count_plan
    counts = np.zeros(plan.size)
    plan.part("behind", counts)[plan.counters.index("longs"), 1:5] = 1
    metrics = {metric.name: value for metric, value in expected_metrics(plan, counts)}
    assert metrics["comebacks.longs"] == share
