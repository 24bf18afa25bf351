"""Trut at random comes out as an independent program of the same rules says.

Matches are played in machine code, step by step; the first ones also in the reference engine, which
has to come to the same, here and in `tests/native/test_differential.py`.
"""

from math import sqrt

import pytest
from extent import extent

from trutdsl.game import DealStart, load_game
from trutdsl.streams import Stream, mixed

# Uniform random legal play, trut at any time, 7 longs; figures of an independent program, rounded
# as given: deals a match with their standard deviation, decisions a deal, truts called a deal
# (those at a fortial are forced answers and not counted).
FIGURES = {2: (20.19, 4.40, 5.40, 0.956), 4: (14.64, 2.91, 10.65, 0.989)}
# With 300 matches a mean of deals that is off by 8 % is noticed with 49 of 50 seeds; with 500, 6 %.
MATCHES = extent(300, 500)
ALIKE = extent(30, 500)  # matches of both engines


def play_at_random(game, match):
    state, stream, truts = game.start(2024, match), Stream(mixed(0, 77, match)), 0
    while state.pending is not None:
        if isinstance(state.pending, DealStart):
            state.next_deal()
            continue
        index = stream.below(len(state.pending.actions))
        chosen = state.pending.actions[index].text
        truts += chosen == "trut" and state.pending.decision != "fortial"
        state.apply(index)
    return state.deals, state.decisions, truts


@pytest.mark.parametrize("players", [2, 4])
def test_random_play(players):
    deals_mean, deals_sd, decisions_per_deal, truts_per_deal = FIGURES[players]
    game = load_game("trut", players, engine="native")
    played = [play_at_random(game, match) for match in range(MATCHES)]
    reference = load_game("trut", players, engine="reference")
    assert [play_at_random(reference, match) for match in range(ALIKE)] == played[:ALIKE]
    deals, decisions, truts = (list(column) for column in zip(*played, strict=True))

    # Allowed: 4 standard errors of our own sample (a mean strays further by chance
    # once in 16,000), and half a unit of the last digit to which the figure is given.
    def allowed(error, digit):
        return 4 * error + digit / 2

    mean = sum(deals) / MATCHES
    assert abs(mean - deals_mean) < allowed(deals_sd / sqrt(MATCHES), 0.01)
    # The sampling error of a standard deviation is sd * sqrt((kurtosis - 1) / 4n), with the
    # kurtosis that the sample has.
    second = sum((d - mean) ** 2 for d in deals) / MATCHES
    fourth = sum((d - mean) ** 4 for d in deals) / MATCHES
    sd, sd_error = sqrt(second), sqrt((fourth / second**2 - 1) / 4 / MATCHES) * sqrt(second)
    assert abs(sd - deals_sd) < allowed(sd_error, 0.01)

    for counts, figure, digit in [
        (decisions, decisions_per_deal, 0.01),
        (truts, truts_per_deal, 0.001),
    ]:
        ratio = sum(counts) / sum(deals)
        residuals = sum((c - ratio * d) ** 2 for c, d in zip(counts, deals, strict=True))
        error = sqrt(residuals / (MATCHES - 1) / MATCHES) / mean
        assert abs(ratio - figure) < allowed(error, digit)
