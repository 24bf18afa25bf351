"""Random results with a fixed seed, in the form that other libraries need: a row for each match."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from trutdsl.stats.design import Design, Ints
from trutdsl.stats.multiplicity import Floats


class Matches(NamedTuple):
    """Matches of two teams: the first strategy, the second one, the first one's score, the set."""

    first: Ints
    second: Ints
    score: Floats
    set: Ints


def draw_winners(design: Design, sets: int, seed: int, apart: float = 1.2) -> Ints:
    """Return the winning teams, (combinations, orders, sets); one match in ten is drawn.

    Strategies differ in skill, the first and the last by `apart` on the logistic scale. All
    seatings share the luck of the deal, and the first team's seats have an advantage.
    """
    rng = np.random.default_rng(seed)
    skill = np.linspace(apart, 0, design.strategies)[design.seatings][..., None]
    luck = rng.normal(0, 0.8, (design.teams, sets)) + 0.4 * np.eye(design.teams)[:, :1]
    winners = (skill + luck + rng.gumbel(size=(*skill.shape[:3], sets))).argmax(axis=2)
    winners[rng.random(winners.shape) < 0.1] = -1
    return winners


def list_matches(design: Design, winners: Ints) -> Matches:
    """Return the matches of two teams as rows."""
    seated = np.broadcast_to(
        design.seatings[..., None], (*design.seatings.shape, winners.shape[-1])
    )
    number = np.broadcast_to(np.arange(winners.shape[-1]), winners.shape)
    score = np.choose(winners + 1, [0.5, 1.0, 0.0])
    return Matches(*(x.reshape(-1) for x in (seated[:, :, 0], seated[:, :, 1], score, number)))
