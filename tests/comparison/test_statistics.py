"""Statistics of measurements, on cases calculated by hand."""

from dataclasses import replace

import numpy as np
import pytest
from extent import extent
from measuring import STRATEGIES, measure_game, measure_variant

from tests.solve.plain_kuhn import KUHN
from trutdsl.comparison.cell import Cell
from trutdsl.comparison.compare import estimate_all, show, show_difference
from trutdsl.comparison.metrics import (
    NUMBER,
    SHARE,
    Metric,
    expected_metrics,
    metrics_of,
    sets_needed,
)
from trutdsl.comparison.parts import add_points, points_of
from trutdsl.comparison.results import show_variant
from trutdsl.game import load_game
from trutdsl.solve.exact import evaluate
from trutdsl.stats.multiplicity import family_of
from trutdsl.stats.resampling import Influences, ratio_influences
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.script import table_with
from trutdsl.table.counts import SCORES


@pytest.fixture(scope="module")
def measurement():
    return measure_variant("trut", sets=20)


def replace_counts(measurement, parts, clusters=2):
    """Return a measurement in which every cluster has these counts of the first counter."""
    counts = np.zeros((clusters, measurement.plan.size), np.int64)
    for (part, *place), number in parts.items():
        at = measurement.plan.offsets[part] + np.ravel_multi_index(
            (0, *place), measurement.plan.shapes[part]
        )
        counts[:, at] = number
    return replace(measurement, counts=counts)


def test_deficits_of_winners_by_hand(measurement):
    """In each cluster four winners were at most 0, 2, 5 and 5 points behind: 12 / 4."""
    winners = {("behind", 0): 1, ("behind", 2): 1, ("behind", 5): 2}
    found = replace_counts(measurement, winners | {("deficits",): 12})
    estimates, counter = estimate_all(found), measurement.plan.counters[0]
    assert estimates[f"deficit.{counter}"][1].value == 3
    assert estimates[f"comebacks.{counter}"][1].value == 3 / 4


HUNDREDS = """variant: hundreds
title: Hundreds
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
counters: {points: {help: Points.}}
rules: |
  rule match "The first dealer gains 100, then the other one 300.":
      repeat at most 1000 times:
          deal:
              points[team(dealer)] += 100 + 2 * points[team(next_seat(dealer))]
              end deal won by team(dealer) because played
          if points[team(dealer)] > 100: end match won by team(dealer)
          dealer = next_seat(dealer)
      end match drawn
"""


def test_large_gains_and_deficits_are_exact(tmp_path):
    """The deals bring 100 and 300. The winner was 100 behind."""
    path = tmp_path / "hundreds.yaml"
    path.write_text(HUNDREDS)
    game = load_game(str(path), 2, engine="native")
    found = estimate_all(measure_game(game, ("uniform",), 1, 2))
    counts = evaluate(*table_with(game, load_strategies(["uniform"] * 2, game))).counts
    expected = {metric.name: value for metric, value in expected_metrics(game.count_plan, counts)}
    for name, value in (("stake.points", 200), ("deficit.points", 100), ("comebacks.points", 1)):
        assert found[name][1].value == expected[name] == value


def test_the_interval_of_a_difference_of_shares_ends_at_1():
    """Shares of 0 and 1 differ by 1; the rounding of counts gives an interval around 1."""
    none, all_ = (ratio_influences(np.full(3, one), np.full(3, 1)) for one in (0, 1))
    free = (all_ - none).estimate()
    assert free.mean == 1.0 and free.high > 1.5
    share, number = (Metric("m", kind, lambda _: None) for kind in (SHARE, NUMBER))
    alone = family_of([(all_ - none).column], 2)
    free = replace(free, method="together")
    assert show_difference(share, all_ - none, alone) == replace(free, high=1.0)
    ends = replace(free, mean=-1.0, low=-1.0, high=-free.low)
    assert show_difference(share, none - all_, alone) == ends
    assert show_difference(number, all_ - none, alone) == free


def test_the_share_of_the_deal_can_be_less_than_0_and_that_of_strategies_cannot(measurement):
    metrics = metrics_of(measurement.plan, measurement.design)
    found = Influences(-0.01, (1.0, -1.0) * 20)
    luck, skill = (show(metrics[name], found) for name in ("deal_luck", "skill"))
    assert luck.low + luck.high == pytest.approx(-0.02) and luck.high > 0
    assert (skill.low, skill.high) == (-0.01, luck.high)
    family = family_of([found.column], 39)
    assert show_difference(metrics["deal_luck"], found, family).low < -0.01


def test_every_score_has_an_interval(measurement):
    game = load_game("trut", 2, engine="native")
    cell = Cell("trut", game, tuple(map(load_strategy, STRATEGIES)), 1)
    for counter in show_variant(cell, cell, measurement)["scores"].values():
        cells = [(own, other) for own in range(SCORES) for other in range(SCORES)]
        for own, other in cells:
            deals = counter["deals"][own][other]
            won, low, high = (counter[name][own][other] for name in ("won", "low", "high"))
            assert (won is None) == (not deals)
            assert won is None or 0 <= low <= won <= high <= 1
        assert 0 < counter["high"][0][0] - counter["low"][0][0] < 0.3


@pytest.mark.thorough
def test_the_interval_of_sets_needed_has_both_errors():
    """Tight mostly beats caller, so few sets differ and their variance has a large error.

    The true value comes from 12,800 sets: a mean of 0.656 and a variance of 0.2515. Four sets, by
    the formula for normal means, would never find that. The inverted interval of `skill` alone
    covers the true value in only 80 of 100 runs.
    """
    game, truth, runs = load_game("trut", 2, engine="native"), 10, extent(40, 100)
    ends = [sets_needed(measure_game(game, ("caller", "tight"), seed, 40)) for seed in range(runs)]
    covered = sum(one["low"] <= truth <= (one["high"] or truth) for one in ends)
    assert covered / runs >= 0.9
    assert min(one["low"] for one in ends) >= 5  # four won sets of four are not significant


def test_each_changed_parameter_is_a_point_alone():
    base = load_game("trut", 2, (), "reference")
    changes = {"goal": 3, "trut_window": "own_turn"}
    points = points_of(load_game("trut", 2, changes, "reference"), base)
    assert [one.pieces[0] | {"how": ""} for one in points] == [
        {"how": "", "name": name, "value": str(value)} for name, value in changes.items()
    ]
    for one, (name, value) in zip(points, changes.items(), strict=True):
        declared = base.variant.parameters[name].value_of(str(value))
        assert one.game is not None
        assert one.game.parameters == {**base.parameters, name: declared}
    assert points_of(base, base) == ()


def test_an_interaction_is_what_the_points_alone_do_not_explain():
    base, goal = (measure_variant(KUHN, ("caller", "quiet"), goal=goal) for goal in (4, 2))
    once = add_points(base, goal, [(goal, base)])
    assert any(abs(one.of_points.value) > 0.1 for one in once)
    for one, both in zip(once, add_points(base, goal, [(goal, base)] * 2), strict=True):
        start, effect = one.base.value, one.of_variant.value
        assert start + effect == pytest.approx(estimate_all(goal)[one.metric.name][1].value)
        assert one.of_points.value == pytest.approx(effect)
        assert one.interaction.value == pytest.approx(0)
        assert both.of_points.value == pytest.approx(2 * effect)
        assert both.interaction.value == pytest.approx(-effect)
        assert both.interaction.each == pytest.approx([-part for part in one.of_variant.each])
