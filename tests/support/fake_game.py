"""A fake game, decided by skill and luck, and fake strategies, some of which misbehave."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

import numpy as np

from trutdsl.game import MatchResult
from trutdsl.options import Means, Settings
from trutdsl.report.csv_files import collect_results
from trutdsl.stats.design import Design, Tally
from trutdsl.stats.field import describe_field
from trutdsl.stats.summary import summarize
from trutdsl.strategy.legs import record_of
from trutdsl.strategy.spec import StrategyCall
from trutdsl.tournaments.load import Run
from trutdsl.tournaments.play import PlayedSets
from trutdsl.tournaments.schedule import Experiment, plan_experiment


class Outcome(NamedTuple):
    """The outcome of a match; winner: None for a draw."""

    winner: int | None
    deals: int
    decisions: int
    forfeited: int | None


def outcomes(sets: PlayedSets, design: Design):
    """Yield the number of each set with its outcomes [combination][order]."""
    forfeited = np.full_like(sets.winner, -1) if sets.forfeited is None else sets.forfeited
    rows = [a.T.tolist() for a in (sets.winner, sets.deals, sets.decisions, forfeited)]
    for number, of_set in enumerate(zip(*rows, strict=True), sets.first):
        legs = (
            Outcome(None if winner < 0 else winner, deals, decisions, None if lost < 0 else lost)
            for winner, deals, decisions, lost in zip(*of_set, strict=True)
        )
        yield number, [[next(legs) for _ in design.orders] for _ in design.combinations]


@dataclass(frozen=True)
class FakeVariant:
    title: str = "Fake"
    vocabulary_fingerprint: str = "v" * 64


@dataclass(frozen=True)
class FakeGame:
    name: str = "fake"
    players: int = 2
    teams: tuple[int, ...] = (0, 1)
    parameters: Mapping[str, int | bool | str] = field(default_factory=lambda: {"goal": 7})
    fingerprint: str = "f" * 64
    engine: str = "native"
    program: None = None
    steps: None = None
    score: None = None
    variant: FakeVariant = FakeVariant()

    @property
    def team_count(self) -> int:
        return max(self.teams) + 1

    def parameter_texts(self) -> dict[str, str]:
        return {name: str(value) for name, value in self.parameters.items()}


@dataclass(frozen=True)
class FakeStrategy:
    """Wins if its luck plus `skill` is the greatest; `trouble` happens in match `at`, -1: all."""

    name: str
    skill: float = 0.0
    trouble: str = ""
    at: int = -1
    summary: str = "A fake."

    @property
    def fingerprint(self) -> str:
        return f"{self.name} {self.skill}"


def play(game: FakeGame, meeting, seated, seed: int, first: int, rows):
    seating = [meeting[index] for index in seated]
    for at in range(len(rows)):
        rows.put(at, record_of(play_one(game, seating, seed, first + at)))
        yield 1


def play_one(game: FakeGame, seating: Sequence[FakeStrategy], seed: int, match: int) -> MatchResult:
    assert len(seating) == game.players
    of_team = {game.teams[seat]: strategy for seat, strategy in enumerate(seating)}
    for seat, strategy in enumerate(seating):
        if strategy.trouble and strategy.at in (match, -1):
            with StrategyCall(strategy.name, "fake.py", lambda: f"failed in match {match}", seat):
                misbehave(strategy)
    rng = Random(f"{seed} {match}")
    scores = [of_team[t].skill + rng.gauss(0.1 * (t == 0), 1) for t in range(game.team_count)]
    best = max(scores)
    near = sum(best - score < 0.15 for score in scores)
    winner = None if near > 1 else scores.index(best)
    deals = 5 + rng.randrange(10) + int(10 * abs(of_team[0].skill))
    return MatchResult(winner, deals, 3 * deals, {"longs": (0,) * game.team_count})


def misbehave(strategy: FakeStrategy) -> None:
    match strategy.trouble:
        case "raise":
            raise ValueError(strategy.name)
        case "think and raise":
            time.sleep(0.4)
            raise ValueError(strategy.name)
        case "hang":
            while True:
                time.sleep(0.01)
        case "loop":
            while True:
                pass
        case "loop on":
            while True:
                with suppress(BaseException):
                    while True:
                        pass
        case "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
        case "die":
            os._exit(3)
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "close":
            os.closerange(3, 256)
        case "slow":
            time.sleep(0.02)
        case _:
            raise AssertionError(strategy.trouble)


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


def make_run(plan: Experiment, **means: Any) -> Run:
    """Return a run of an experiment, with settings that describe it."""
    names = tuple(strategy.name for strategy in plan.strategies)
    return Run(
        Settings(variant="fake", strategies=names, sets=plan.sets, seed=plan.seed),
        plan,
        Means(**means),
    )


def results_of(plan: Experiment, tally: Tally, names: list[str]) -> dict[str, Any]:
    """Return the results of a tally, as in `results.json`."""
    summary = summarize(plan.design, tally)
    together = describe_field([(plan.design, tally)], summary.pairs)
    return collect_results(make_run(plan).manifest, summary, together, [tally], names)


def make_plan(strategies: int, teams: int = 2, sets: int = 40) -> Experiment:
    """Return an experiment with equal strategies s0, s1, ... and one seat for each team."""
    names = [FakeStrategy(f"s{i}") for i in range(strategies)]
    return experiment(names, sets, game=FakeGame(players=teams, teams=tuple(range(teams))))
