"""Random play of Trut agrees with the figures of an independent program for the same rules.

The matches are played in machine code, step by step. The first ones are also played in the
reference engine, with the same results (see also `tests/native/test_differential.py`).
"""

from math import sqrt

import pytest
from extent import extent

from trutdsl.game import DealStart, load_game
from trutdsl.streams import Stream, mix_in

# Figures of an independent program, for uniform random play, trut at any time, and 7 longs: deals
# per match, their standard deviation, decisions per deal, calls of trut per deal. At a fortial,
# trut is a forced answer and does not count.
FIGURES = {2: (20.19, 4.40, 5.40, 0.956), 4: (14.64, 2.91, 10.65, 0.989)}
# With 300 matches, the test finds an error of 8 % in the mean of deals with 49 of 50 seeds; with
# 500 matches, one of 6 %.
MATCHES = extent(300, 500)
REFERENCE_MATCHES = extent(30, 500)  # these are played in both engines


def play_at_random(game, match):
    state, stream, truts = game.start(2024, match), Stream(mix_in(0, 77, match)), 0
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
def test_random_play_agrees_with_an_independent_program(players):
    deals_mean, deals_sd, decisions_per_deal, truts_per_deal = FIGURES[players]
    game = load_game("trut", players, engine="native")
    played = [play_at_random(game, match) for match in range(MATCHES)]
    reference = load_game("trut", players, engine="reference")
    assert [play_at_random(reference, match) for match in range(REFERENCE_MATCHES)] == played[
        :REFERENCE_MATCHES
    ]
    deals, decisions, truts = (list(column) for column in zip(*played, strict=True))

    # The tolerance is 4 standard errors of this sample, which chance exceeds once in 16,000, and
    # half a unit of the last digit of the figure.
    def tolerance(error, digit):
        return 4 * error + digit / 2

    mean = sum(deals) / MATCHES
    assert abs(mean - deals_mean) < tolerance(deals_sd / sqrt(MATCHES), 0.01)
    # The standard error of a standard deviation is sd * sqrt((kurtosis - 1) / 4n), with the
    # kurtosis of the sample.
    second = sum((d - mean) ** 2 for d in deals) / MATCHES
    fourth = sum((d - mean) ** 4 for d in deals) / MATCHES
    sd, sd_error = sqrt(second), sqrt((fourth / second**2 - 1) / 4 / MATCHES) * sqrt(second)
    assert abs(sd - deals_sd) < tolerance(sd_error, 0.01)

    for counts, figure, digit in [
        (decisions, decisions_per_deal, 0.01),
        (truts, truts_per_deal, 0.001),
    ]:
        ratio = sum(counts) / sum(deals)
        residuals = sum((c - ratio * d) ** 2 for c, d in zip(counts, deals, strict=True))
        error = sqrt(residuals / (MATCHES - 1) / MATCHES) / mean
        assert abs(ratio - figure) < tolerance(error, digit)
