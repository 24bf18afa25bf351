"""A game that skill and the luck of the deal decide, and strategies that misbehave."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from trutdsl.arena.schedule import Experiment, plan_experiment
from trutdsl.game import MatchResult
from trutdsl.strategy import StrategyError


@dataclass(frozen=True)
class FakeGame:
    name: str = "fake"
    players: int = 2
    teams: tuple[int, ...] = (0, 1)
    parameters: Mapping[str, int | bool | str] = field(default_factory=lambda: {"goal": 7})
    fingerprint: str = "f" * 64
    engine: str = "fake"
    program: None = None

    @property
    def team_count(self) -> int:
        return max(self.teams) + 1

    def parameter_texts(self) -> dict[str, str]:
        return {name: str(value) for name, value in self.parameters.items()}


@dataclass(frozen=True)
class FakeStrategy:
    """Wins where luck plus `skill` is greatest; `trouble` happens in match `at`."""

    name: str
    skill: float = 0.0
    trouble: str = ""
    at: int = -1
    summary: str = "A fake."

    @property
    def fingerprint(self) -> str:
        return f"{self.name} {self.skill}"


def play(game: FakeGame, seating: Sequence[FakeStrategy], seed: int, match: int) -> MatchResult:
    assert len(seating) == game.players
    of_team = {game.teams[seat]: strategy for seat, strategy in enumerate(seating)}
    for strategy in seating:
        if strategy.trouble and strategy.at in (match, -1):
            misbehave(strategy)
    rng = Random(f"{seed} {match}")
    reached = [of_team[t].skill + rng.gauss(0.1 * (t == 0), 1) for t in range(game.team_count)]
    best = max(reached)
    near = sum(best - r < 0.15 for r in reached)
    winner = None if near > 1 else reached.index(best)
    deals = 5 + rng.randrange(10) + int(10 * abs(of_team[0].skill))
    return MatchResult(winner, deals, 3 * deals, {"longs": (0,) * game.team_count})


def misbehave(strategy: FakeStrategy) -> None:
    match strategy.trouble:
        case "raise":
            raise StrategyError(f"strategy '{strategy.name}' failed")
        case "think and raise":
            time.sleep(0.4)
            raise StrategyError(f"strategy '{strategy.name}' failed")
        case "hang":
            while True:
                time.sleep(0.01)
        case "die":
            os._exit(3)
        case "slow":
            time.sleep(0.02)


FOUR = tuple(
    FakeStrategy(name, skill) for name, skill in [("a", 0.0), ("b", 0.4), ("c", 0.4), ("d", 1.0)]
)


def experiment(
    strategies: Sequence[FakeStrategy] = FOUR,
    sets: int = 40,
    seed: int = 1,
    game: FakeGame | None = None,
) -> Experiment:
    return plan_experiment(game or FakeGame(), strategies, seed, sets, play)
