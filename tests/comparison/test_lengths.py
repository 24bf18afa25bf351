"""First leaders and distributions of lengths, in games with answers calculated by hand."""

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest
from extent import extent
from measuring import measure_game

from trutdsl.comparison.compare import estimate_all
from trutdsl.comparison.measurement import length_distributions
from trutdsl.comparison.metrics import metrics_of
from trutdsl.game import load_game
from trutdsl.stats.resampling import quantile_indices
from trutdsl.strategy.count import MatchCounter
from trutdsl.strategy.load import load_strategy

# The seat after the dealer calls and wins the deal, or leads. The leader of a trick may give up:
# then the next seat wins the deal. Each seat wins a trick with the same chance. The winner of the
# second trick wins the deal. After each deal one question ends the match, or one or two follow.
LEADERS = """\
variant: leaders
title: Leaders
players: [2, 3]
teams: {2: 2, 3: 3}
pack: {suits: {h: hearts}, ranks: [A, K, Q]}
counters: {points: {help: Points.}}
rules: |
  zone stock: pile, starts with pack_cards
  zone table[seat]: up to 1 card, seen by all

  rule match:
      repeat at most 500 times:
          deal:
              do play_deal
          dealer = next_seat(dealer)
          ask dealer "more":
              more
              enough: end match won by team(dealer)
          ask dealer "ask_again":
              ask_again
              not_again:
                  ask dealer "third":
                      third
                      fourth
      end match drawn

  rule play_deal:
      on_lead = next_seat(dealer)
      ask on_lead "call":
          call: end deal won by team(on_lead) because called
          lead
      do play_trick
      do play_trick
      end deal won by team(on_lead) because played

  rule play_trick:
      trick on table:
          gather table into stock
          shuffle stock
          ask on_lead "turn":
              go_on
              give_up: end deal won by team(next_seat(on_lead)) because folded
          for player in seats: draw from stock to table[player] face up
          let best = highest strength(top(table[p])) for p in seats
          let winner = first p in seats where strength(top(table[p])) == best
          on_lead = winner
          end trick won by winner
"""
# The chances of three players that the winner sits 0, 1 or 2 seats after the first leader. It calls
# with chance 1/2. Else it gives up with chance 1/2, and the next seat wins. After the first trick
# each seat wins with the same chance.
CALL, GIVE_UP = Fraction(1, 2), Fraction(1, 4)
LATER = (1 - CALL - GIVE_UP) / 3
WINNER_CHANCES = (CALL + LATER, GIVE_UP + LATER, LATER)


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Return the game for two players and for three."""
    path = tmp_path_factory.mktemp("games") / "leaders.yaml"
    path.write_text(LEADERS, encoding="utf-8")
    return {players: load_game(path, players, engine="native") for players in (2, 3)}


def play(game, sets, seed=1):
    return measure_game(game, ("uniform",), seed, sets)


def test_the_side_that_leads_first_is_known_with_three_teams(games):
    """The dealer sits two seats after the leader, so their shares differ."""
    found = play(games[3], 4000)
    estimates = {name: one.estimate() for name, (_, one) in estimate_all(found).items()}
    assert sum(WINNER_CHANCES) == 1
    for name, truth in (("leader", WINNER_CHANCES[0]), ("dealer", WINNER_CHANCES[2])):
        assert abs(estimates[name].mean - truth) < 4 * estimates[name].se, name
    assert found.part("after_leader").sum() == found.number("deals")
    assert found.part("after_leader").tolist() == np.roll(found.part("after_dealer"), -1).tolist()


def test_events_give_the_same_counts_of_first_leaders(games):
    for players, game in games.items():
        counter = MatchCounter(game.in_engine("reference"), [load_strategy("uniform")] * players, 5)
        for match in range(40):
            counter.play(match)
        found, counts = play(game, 40, seed=5), counter.counts()
        for part in ("after_leader", "after_dealer", "lengths", "questions"):
            assert found.part(part).tolist() == list(counts[part])


def decisions_by_deals(most):
    """Return the chance of each number of deals, up to `most`, with each number of decisions.

    A deal has one question after a call, else two or three. Then one question ends half of the
    matches, and the others have one or two more.
    """
    deal = {1: Fraction(1, 2), 2: Fraction(1, 4), 3: Fraction(1, 4)}
    found, unfinished = {}, {0: Fraction(1)}
    for number in range(1, most + 1):
        after_deal = {}
        for questions, chance in unfinished.items():
            for more, part in deal.items():
                key = questions + more + 1
                after_deal[key] = after_deal.get(key, 0) + chance * part
        found[number] = {questions: chance / 2 for questions, chance in after_deal.items()}
        unfinished = {}
        for questions, chance in after_deal.items():
            for more in (1, 2):
                unfinished[questions + more] = unfinished.get(questions + more, 0) + chance / 4
    return found


CHANCES_BY_DEALS = decisions_by_deals(40)
EXACT = {
    "deals": {number: sum(of.values()) for number, of in CHANCES_BY_DEALS.items()},
    "decisions": {
        questions: sum(of.get(questions, 0) for of in CHANCES_BY_DEALS.values())
        for questions in {questions for of in CHANCES_BY_DEALS.values() for questions in of}
    },
}


def moments(chances):
    mean = sum(n * p for n, p in chances.items())
    return float(mean), sqrt(sum(n * n * p for n, p in chances.items()) - mean * mean)


@pytest.mark.thorough
def test_distributions_cover_the_exact_values(games):
    """Intervals of shares, quantiles, means and standard deviations cover the exact values."""
    kinds = ("share", "quantile", "mean", "spread")
    covered, counted = (dict.fromkeys(product(EXACT, kinds), 0) for _ in range(2))
    seeds = extent(12, 200)
    for seed in range(seeds):
        measurement = play(games[2], 400, seed)
        metrics = metrics_of(measurement.plan, measurement.design)
        for what, found in length_distributions(measurement).items():
            chances = EXACT[what]
            truths = dict(zip(("mean", "spread"), moments(chances), strict=True))
            assert sum(found["matches"]) == 400 and sum(chances.values()) > 1 - 1e-9
            intervals = []
            places = (found[name] for name in ("from", "to", "low", "high"))
            for first, last, low, high in zip(*places, strict=True):
                truth = sum(p for n, p in chances.items() if first <= n <= last)
                if 20 <= 400 * truth <= 380:
                    intervals.append(("share", low, truth, high))
            for one in found["quantiles"]:
                share = Fraction(one["share"]).limit_denominator(100)
                truth = next(n for n in sorted(chances) if cumulative_chance(chances, n) >= share)
                intervals.append(("quantile", one["low"], truth, one["high"]))
                assert one["low"] <= one["value"] <= one["high"] <= one["low"] + 16
            for kind, name in (("mean", "length"), ("spread", "spread")):
                one = metrics[f"{name}.{what}"].estimate(measurement).estimate()
                intervals.append((kind, one.low, truths[kind], one.high))
            for kind, low, truth, high in intervals:
                counted[what, kind] += 1
                covered[what, kind] += low <= truth <= high
    # 95 % less four standard errors; the intervals of one seed are correlated.
    least = 0.95 - 4 * sqrt(0.95 * 0.05 / seeds)
    assert all(times >= least * counted[key] > 0 for key, times in covered.items()), (
        covered,
        counted,
    )


def cumulative_chance(chances, number):
    return sum(p for n, p in chances.items() if n <= number)


def test_quantiles_by_hand():
    """100 clusters, 60 of which have matches of 3 and 5, 40 of 5 and 9."""
    counts = np.zeros((100, 12), np.int64)
    counts[:60, 3] = counts[:, 5] = counts[60:, 9] = 1
    shares = [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)]
    assert quantile_indices(counts, shares) == [(3, 3, 3), (5, 5, 5), (9, 9, 9)]
    # 30 % are 3, and 80 % are 5 or less; at the border both values may be the quantile.
    assert quantile_indices(counts, [Fraction(3, 10), Fraction(8, 10)]) == [(3, 3, 5), (5, 5, 9)]
    for few in (1, 3):  # 2 or 6 matches may all lie below or above a quantile
        assert quantile_indices(counts[:few], shares) == [
            (3, None, None),
            (3, None, None),
            (5, None, None),
        ]
