"""First leaders and distributions of lengths, in games whose answers are worked out by hand."""

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest
from extent import extent
from measuring import measured

from trutdsl.comparison.compare import estimate_all
from trutdsl.comparison.measurement import length_distributions
from trutdsl.comparison.metrics import metrics_of
from trutdsl.game import load_game
from trutdsl.stats.resampling import quantile_places
from trutdsl.strategy import MatchCounter, load_strategy

# Behind the dealer somebody is on lead, who calls and wins, or leads. In the first trick anybody
# may give up: the next one wins then. The winner of a trick, any of three alike, leads to another,
# whose winner wins the deal. After each deal the match is over or not, and asks twice or thrice.
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
# Of three, by how far behind the first leader the winner is. Called 1/2: it. Else each trick is
# given up by half: the next one behind the one on lead wins; after the first trick any is on lead.
CALLED, GAVE_UP = Fraction(1, 2), Fraction(1, 4)
REST = (1 - CALLED - GAVE_UP) / 3
BEHIND = (CALLED + REST, GAVE_UP + REST, REST)


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Return the game for two and for three."""
    path = tmp_path_factory.mktemp("games") / "leaders.yaml"
    path.write_text(LEADERS, encoding="utf-8")
    return {players: load_game(path, players, engine="native") for players in (2, 3)}


def play(game, sets, seed=1):
    return measured(game, ("uniform",), seed, sets)


def test_the_side_that_leads_first_is_known_with_three_teams(games):
    """The dealer sits two behind, so that its share tells nothing of the leader's."""
    found = play(games[3], 4000)
    told = {name: one.estimate() for name, (_, one) in estimate_all(found).items()}
    assert sum(BEHIND) == 1
    for name, truth in (("leader", BEHIND[0]), ("dealer", BEHIND[2])):
        assert abs(told[name].mean - truth) < 4 * told[name].se, name
    assert found.part("after_leader").sum() == found.number("deals")
    assert found.part("after_leader").tolist() == np.roll(found.part("after_dealer"), -1).tolist()


def test_who_leads_first_is_counted_alike_from_events(games):
    for players, game in games.items():
        counter = MatchCounter(game.in_engine("reference"), [load_strategy("uniform")] * players, 5)
        for match in range(40):
            counter.play(match)
        found, counts = play(game, 40, seed=5), counter.counts()
        for part in ("after_leader", "after_dealer", "lengths", "questions"):
            assert found.part(part).tolist() == list(counts[part])


def decisions_by_deals(most):
    """Return P(deals and decisions) up to so many deals: int -> int -> Fraction.

    A deal asks once where it is called, else twice or three times. Half of the matches are over
    after each deal, which takes a question; else there are one or two more.
    """
    deal = {1: Fraction(1, 2), 2: Fraction(1, 4), 3: Fraction(1, 4)}
    found, going = {}, {0: Fraction(1)}
    for number in range(1, most + 1):
        played = {}
        for asked, chance in going.items():
            for more, part in deal.items():
                key = asked + more + 1
                played[key] = played.get(key, 0) + chance * part
        found[number] = {asked: chance / 2 for asked, chance in played.items()}
        going = {}
        for asked, chance in played.items():
            for more in (1, 2):
                going[asked + more] = going.get(asked + more, 0) + chance / 4
    return found


KNOWN = decisions_by_deals(40)
EXACT = {
    "deals": {number: sum(of.values()) for number, of in KNOWN.items()},
    "decisions": {
        asked: sum(of.get(asked, 0) for of in KNOWN.values())
        for asked in {asked for of in KNOWN.values() for asked in of}
    },
}


def moments(chances):
    mean = sum(n * p for n, p in chances.items())
    return float(mean), sqrt(sum(n * n * p for n, p in chances.items()) - mean * mean)


def test_distributions_hold_what_is_worked_out(games):
    """Shares, quantiles and the standard deviation hold the exact ones as often as they should."""
    kinds = ("share", "quantile", "mean", "spread")
    held, asked = (dict.fromkeys(product(EXACT, kinds), 0) for _ in range(2))
    seeds = extent(12, 200)
    for seed in range(seeds):
        measurement = play(games[2], 400, seed)
        metrics = metrics_of(measurement.plan, measurement.design)
        for what, found in length_distributions(measurement).items():
            chances = EXACT[what]
            truths = dict(zip(("mean", "spread"), moments(chances), strict=True))
            assert sum(found["matches"]) == 400 and sum(chances.values()) > 1 - 1e-9
            told = []
            places = (found[name] for name in ("from", "to", "low", "high"))
            for first, last, low, high in zip(*places, strict=True):
                truth = sum(p for n, p in chances.items() if first <= n <= last)
                if 20 <= 400 * truth <= 380:
                    told.append(("share", low, truth, high))
            for one in found["quantiles"]:
                share = Fraction(one["share"]).limit_denominator(100)
                truth = next(n for n in sorted(chances) if up_to(chances, n) >= share)
                told.append(("quantile", one["low"], truth, one["high"]))
                assert one["low"] <= one["value"] <= one["high"] <= one["low"] + 16
            for kind, name in (("mean", "length"), ("spread", "spread")):
                one = metrics[f"{name}.{what}"].estimate(measurement).estimate()
                told.append((kind, one.low, truths[kind], one.high))
            for kind, low, truth, high in told:
                asked[what, kind] += 1
                held[what, kind] += low <= truth <= high
    # 95 % less four standard errors; those of one seed hang together.
    least = 0.95 - 4 * sqrt(0.95 * 0.05 / seeds)
    assert all(times >= least * asked[key] > 0 for key, times in held.items()), (held, asked)


def up_to(chances, number):
    return sum(p for n, p in chances.items() if n <= number)


def test_quantiles_by_hand():
    """100 clusters, 60 of which have matches of 3 and 5, 40 of 5 and 9."""
    counts = np.zeros((100, 12), np.int64)
    counts[:60, 3] = counts[:, 5] = counts[60:, 9] = 1
    shares = [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)]
    assert quantile_places(counts, shares) == [(3, 3, 3), (5, 5, 5), (9, 9, 9)]
    # 30 % are 3, 80 % 5 or less: at the border both may be the median.
    assert quantile_places(counts, [Fraction(3, 10), Fraction(8, 10)]) == [(3, 3, 5), (5, 5, 9)]
    assert quantile_places(counts[:1], shares) == [
        (3, None, None),
        (3, None, None),
        (5, None, None),
    ]
