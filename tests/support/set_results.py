"""Results of sets for tests, without play."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from trutdsl.game import MatchResult
from trutdsl.stats.design import MATCHES, Design, Ints, Tally, everyone_meets
from trutdsl.stats.reduction import SetBlock, tally_blocks

SetResults = tuple[tuple[MatchResult, ...], ...]  # [combination][order]


def round_robin(strategies: int, teams: int, metric=MATCHES) -> Design:
    """Return the design in which every combination of strategies meets."""
    return Design(strategies, teams, everyone_meets(strategies, teams), metric)


def make_set(winners: Sequence[Sequence[int | None]], deals: int = 7) -> SetResults:
    """Return a set with these winning teams, `winners[combination][order]`."""
    return tuple(tuple(MatchResult(w, deals, 2 * deals, {}) for w in legs) for legs in winners)


def block_of(number: int, results: SetResults, teams: int) -> SetBlock:
    """Return one set as a block whose points are those of matches won."""

    def gather(value) -> Ints:
        return np.array([[[value(r)] for r in legs] for legs in results], np.int64)

    def points(result) -> list[int]:
        won = [teams * (team == result.winner) for team in range(teams)]
        return [1] * teams if result.winner is None else won

    return SetBlock(
        number,
        gather(lambda result: -1 if result.winner is None else result.winner),
        gather(lambda result: result.deals),
        gather(lambda result: result.decisions),
        gather(points).swapaxes(2, 3),
    )


def tally_block(design: Design, block: SetBlock) -> Tally:
    """Return the tally of one block."""
    return tally_blocks(design, [block])


def tally_sets(design: Design, sets: Sequence[SetResults], first: int = 0) -> Tally:
    """Return the tally of consecutive sets."""
    parts = [block_of(first + at, results, design.teams) for at, results in enumerate(sets)]
    names = ("winners", "deals", "decisions", "points")
    arrays = {n: np.concatenate([getattr(one, n) for one in parts], axis=-1) for n in names}
    return tally_block(design, SetBlock(first, **arrays))


def tally_winners(design: Design, winners: Ints) -> Tally:
    """Return the tally of sets by the winning teams, of shape (combinations, orders, sets)."""
    points = (winners[:, :, None, :] == np.arange(design.teams)[:, None]) * design.teams
    points = np.where(winners[:, :, None, :] < 0, 1, points)
    length = np.full_like(winners, 7)
    return tally_block(design, SetBlock(0, winners, length, 2 * length, points.astype(np.int64)))


def draw_set(design: Design, rng: Random) -> SetResults:
    """Return a set of equal strategies in which the shared deal matters.

    The deal favours one team by `luck` in every match of the set. The rest varies by match.
    """
    luck = [rng.gauss(0, 1) for _ in range(design.teams)]

    def winner() -> int | None:
        reached = [own + rng.gauss(0, 0.7) for own in luck]
        if max(reached) > 2:
            return None
        return reached.index(max(reached))

    return make_set([[winner() for _ in design.orders] for _ in design.combinations])


def scores_by_hand(design: Design, results: SetResults) -> dict[tuple[int, int], list[int]]:
    """Return the points of every match by (strategy, combination), in the simplest way."""
    points: dict[tuple[int, int], list[int]] = {}
    for c, combination in enumerate(design.combinations):
        for order, result in zip(design.orders, results[c], strict=True):
            for team, place in enumerate(order):
                won = 1 if result.winner is None else design.teams * (result.winner == team)
                points.setdefault((combination[place], c), []).append(won)
    return points
