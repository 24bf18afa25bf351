"""Results drawn with a fixed seed, as what others compute from: a row for each match."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from trutdsl.stats.design import Design, Ints
from trutdsl.stats.multiplicity import Floats


class Matches(NamedTuple):
    """Matches of two teams: who sat first, who second, what the first scored, in which set."""

    first: Ints
    second: Ints
    score: Floats
    set: Ints


def draw_winners(design: Design, sets: int, seed: int, apart: float = 1.2) -> Ints:
    """Return winning teams, (combinations, orders, sets), one match in ten being drawn.

    Strategies differ in skill, the first and the last by `apart` on the logistic scale; the deal
    has its luck, which all seatings share, and it helps to have the first team's seats.
    """
    rng = np.random.default_rng(seed)
    skill = np.linspace(apart, 0, design.strategies)[design.seated][..., None]
    luck = rng.normal(0, 0.8, (design.teams, sets)) + 0.4 * np.eye(design.teams)[:, :1]
    winners = (skill + luck + rng.gumbel(size=(*skill.shape[:3], sets))).argmax(axis=2)
    winners[rng.random(winners.shape) < 0.1] = -1
    return winners


def list_matches(design: Design, winners: Ints) -> Matches:
    """Return the matches of two teams one after the other."""
    seated = np.broadcast_to(design.seated[..., None], (*design.seated.shape, winners.shape[-1]))
    number = np.broadcast_to(np.arange(winners.shape[-1]), winners.shape)
    score = np.choose(winners + 1, [0.5, 1.0, 0.0])
    return Matches(*(x.reshape(-1) for x in (seated[:, :, 0], seated[:, :, 1], score, number)))
