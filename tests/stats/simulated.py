"""Sets of results made up for the tests, without playing."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from fake_game import FakeGame, FakeStrategy, experiment

from trutdsl.arena.play import PlayedSet
from trutdsl.arena.schedule import Experiment
from trutdsl.game import MatchResult


def make_plan(strategies: int, teams: int = 2, sets: int = 40) -> Experiment:
    names = [FakeStrategy(f"s{i}") for i in range(strategies)]
    game = FakeGame(players=teams, teams=tuple(range(teams)))
    return experiment(names, sets, game=game)


def make_set(winners: Sequence[Sequence[int | None]], deals: int = 7) -> PlayedSet:
    """Return a set with these winning teams, `winners[combination][rotation]`."""
    return PlayedSet(
        0, tuple(tuple(MatchResult(w, deals, 2 * deals, {}) for w in legs) for legs in winners)
    )


def draw_set(plan: Experiment, rng: Random) -> PlayedSet:
    """Return a set of equal strategies in which the shared deal matters and nobody is better.

    The deal favours one team by `luck` in every match of the set; the rest is each match's own.
    """
    luck = [rng.gauss(0, 1) for _ in range(plan.game.team_count)]

    def winner() -> int | None:
        reached = [own + rng.gauss(0, 0.7) for own in luck]
        if max(reached) > 2:
            return None
        return reached.index(max(reached))

    return make_set([[winner() for _ in range(plan.rotations)] for _ in plan.combinations])


def scores_by_hand(plan: Experiment, played: PlayedSet) -> dict[tuple[int, int], list[int]]:
    """Return the points of every match by (strategy, combination), the slow and obvious way."""
    teams = plan.game.team_count
    points: dict[tuple[int, int], list[int]] = {}
    for c, combination in enumerate(plan.combinations):
        for rotation, result in enumerate(played.results[c]):
            for place, strategy in enumerate(combination):
                team = (place - rotation) % teams
                won = teams if result.winner == team else 1 if result.winner is None else 0
                points.setdefault((strategy, c), []).append(won)
    return points
