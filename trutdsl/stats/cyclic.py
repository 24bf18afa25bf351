"""Intransitivity: how much of who beats whom the scores do not tell."""

from __future__ import annotations

import numpy as np

from trutdsl.stats.bootstrap import percentile_interval
from trutdsl.stats.estimate import DECIMALS, Estimate
from trutdsl.stats.hashed import Floats


def cyclic_part(payoffs: Floats) -> Floats:
    """Return A - (r 1' - 1 r') with the ratings r_i = mean_j A_ij; works on stacks of matrices.

    It is the part of A that is orthogonal to all ratings (X. Jiang, L.-H. Lim, Y. Yao, Y. Ye,
    Statistical ranking and combinatorial Hodge theory, Math. Programming 127 (2011) 203-244). Most
    of it are cycles; but as shares end at 1, a ranking of unlike strategies has some, too.
    """
    ratings = payoffs.mean(axis=-1)
    found: Floats = payoffs - (ratings[..., :, None] - ratings[..., None, :])
    return found


def cyclic_share(payoffs: Floats) -> float:
    """Return ||cyclic part||^2 / ||A||^2, 0 for a matrix of nothing."""
    whole = float((payoffs**2).sum())
    return float((cyclic_part(payoffs) ** 2).sum()) / whole if whole else 0.0


def estimate_cyclic_share(payoffs: Floats, replicates: Floats) -> Estimate:
    """Return the share without what noise adds to it, with a bootstrap interval.

    Noise is taken from both squares as the replicates show it, once from what was played and
    twice from a replicate, which has it once more.
    """
    noise = replicates - payoffs
    noise_of_part = _square(cyclic_part(noise)).mean()
    noise_of_whole = _square(noise).mean()
    part, whole = _square(cyclic_part(payoffs)), _square(payoffs)
    again, again_whole = _square(cyclic_part(replicates)), _square(replicates)
    drawn = _share(again - 2 * noise_of_part, again_whole - 2 * noise_of_whole)
    mean = round(float(_share(part - noise_of_part, whole - noise_of_whole)), DECIMALS)
    return percentile_interval(mean, drawn)


def _square(matrices: Floats) -> Floats:
    found: Floats = (matrices**2).sum(axis=(-2, -1))
    return found


def _share(part: Floats, whole: Floats) -> Floats:
    found: Floats = np.clip(part, 0, None) / np.maximum(np.maximum(whole, part), 1e-300)
    return np.clip(found, 0, 1)
