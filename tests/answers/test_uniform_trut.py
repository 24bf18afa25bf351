"""Uniform play of Trut in native code, compared with the exact answers of a Markov chain.

`ANSWERS` is the number of matches; `make answers` sets a million.
"""

import os
from functools import cache
from math import sqrt

import numpy as np
import pytest
from extent import extent
from uniform_trut import pattern_chances, solve
from whole_runs import results_of_runs

from trutdsl.game import load_game
from trutdsl.table.setting import SeatedPlayer

MATCHES = int(os.environ.get("ANSWERS", "50000"))
PLAYERS = extent([2], [2, 4])
exact = cache(solve)


@pytest.mark.parametrize(
    ("players", "deals", "deviation", "questions", "forced", "dealer_wins"),
    [
        (2, 20.19096, 4.3932, 5.40509, 0.41713, 0.49558),
        (4, 14.63111, 2.9126, 10.65399, 1.18463, 0.49922),
    ],
)
def test_the_markov_chain_gives_the_known_answers(
    players, deals, deviation, questions, forced, dealer_wins
):
    found = exact(players)
    assert round(found.deals, 5) == deals
    assert round(found.deviation, 4) == deviation
    assert round(found.questions, 5) == questions
    assert round(found.forced, 5) == forced
    assert round(found.dealer_wins, 5) == dealer_wins


def test_chances_of_tricks_add_up_and_ties_have_their_exact_chance():
    patterns = pattern_chances(2)
    assert sum(patterns.values()) == pytest.approx(1)
    first_tied = sum(p for pattern, p in patterns.items() if pattern[0][1])
    assert first_tied == pytest.approx(3 / 31)


def z_score(mean, truth, deviation, count):
    return (mean - truth) / (deviation / sqrt(count))


@pytest.mark.parametrize("players", PLAYERS)
def test_native_play_agrees_with_the_exact_answers(players):
    game = load_game("trut", players, engine="reference")
    rows = game.runs.rows(players * [SeatedPlayer("uniform")], 20, 0, MATCHES)
    _, deals, decisions = np.vstack([part.records()[:, :3] for part in rows]).T.astype(float)
    known = exact(players)
    assert abs(z_score(deals.mean(), known.deals, known.deviation, MATCHES)) < 4
    residuals = decisions - known.decisions * deals
    assert abs(z_score(residuals.mean(), 0, residuals.std(), MATCHES)) < 4
    # The standard error of a normal variable's deviation is sd / sqrt(2 n); here it is larger.
    assert abs(deals.std() - known.deviation) < 4 * known.deviation / sqrt(MATCHES)


@pytest.mark.parametrize("players", PLAYERS)
def test_forced_answers_and_decisions_are_counted_separately(players):
    game, known, parts = load_game("trut", players, engine="reference"), exact(players), 40
    counts = [
        game.count(
            players * [SeatedPlayer("uniform")], 20, MATCHES // parts * part, MATCHES // parts
        )
        for part in range(parts)
    ]
    for name, truth in (("forced", known.forced), ("decisions", known.decisions)):
        residuals = np.array([one[name] - truth * one["deals"] for one in counts])
        assert abs(z_score(residuals.mean(), 0, residuals.std(ddof=1), parts)) < 4


@pytest.mark.parametrize("players", PLAYERS)
def test_the_first_dealers_team_wins_with_the_exact_chance(players):
    game, matches, won = load_game("trut", players, engine="reference"), max(1000, MATCHES // 50), 0
    results = results_of_runs(game, players * [SeatedPlayer("uniform")], 20, 0, matches)
    for match, result in enumerate(results):
        dealer = first_dealer(game, match)
        won += game.teams[dealer] == result.winner
    truth = exact(players).dealer_wins
    assert abs(z_score(won / matches, truth, sqrt(truth * (1 - truth)), matches)) < 4


def first_dealer(game, match):
    """Return the first dealer in a match."""
    events = []
    game.start(20, match, events.append).next_deal()
    return next(event["dealer"] for event in events if event["event"] == "deal")
