"""A run as its folder holds it, looked at without its variant and strategies at hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from trutdsl.arena.chunks import Chunk
from trutdsl.arena.folder import open_folder
from trutdsl.arena.journal import Journal
from trutdsl.arena.run import Assignment, settled_at
from trutdsl.arena.schedule import Experiment
from trutdsl.experiment.begun import begun_with
from trutdsl.experiment.format import arrange
from trutdsl.experiment.hold import Outcome
from trutdsl.experiment.kept import LARGEST, collect, fits
from trutdsl.experiment.manifest import identity
from trutdsl.experiment.rules import rule_of
from trutdsl.game import BadUsage, Game
from trutdsl.report.forfeits import Called
from trutdsl.stats.metric import parse_metric
from trutdsl.strategy import StrategySpec


@dataclass(frozen=True)
class StoredGame:
    """What a manifest says of a game."""

    name: str
    players: int
    teams: tuple[int, ...]
    fingerprint: str

    @property
    def team_count(self) -> int:
        """How many teams there are."""
        return max(self.teams) + 1


@dataclass(frozen=True)
class StoredStrategy:
    """What a manifest says of a strategy."""

    name: str
    fingerprint: str


def stored_experiment(folder: Path) -> Experiment:
    """Return the experiment of the run in a folder, as far as its manifest says what it is.

    It can be counted and compared, but not played. Raises `BadUsage` for another folder.
    """
    manifest, settings, _ = begun_with(folder)
    try:
        of = manifest["variant"]
        game = StoredGame(of["name"], of["players"], tuple(of["teams"]), of["fingerprint"])
        given = sorted(manifest["strategies"].items())
        strategies = tuple(StoredStrategy(name, fingerprint) for name, fingerprint in given)
        # In rounds, their sets decide who meets; else how many there are to be changes nothing.
        whole = Experiment(
            cast(Game, game),
            cast(tuple[StrategySpec, ...], strategies),
            manifest["seed"],
            settings.sets or 1,
            metric=parse_metric(settings.metric, settings.mode),
            sequential=settings.test is not None,
        )
        experiment = arrange(whole, settings)
        _ = experiment.digest
    except (KeyError, TypeError, AttributeError, ValueError, IndexError):
        raise BadUsage(f"{folder} holds a run of another version of trutdsl") from None
    return experiment


def open_stored(folder: Path, tell: Callable[[str], None]) -> tuple[Experiment, Journal]:
    """Return the experiment of a run and its journal, which is there and was checked."""
    manifest, settings, _ = begun_with(folder)
    experiment = stored_experiment(folder)
    journal = open_folder(folder, manifest, identity, fits(experiment, settings), tell)
    return experiment, journal


def show(folder: Path, tell: Callable[[str], None] = lambda _: None) -> Outcome:
    """Return the results of what was played so far; raises `BadUsage` if that is nothing."""
    manifest, settings, _ = begun_with(folder)
    experiment, journal = open_stored(folder, tell)
    with journal:
        if not journal.chunks():
            raise BadUsage(f"{folder}: no set of this run is finished yet")
        called = Called(settings.variant, settings.parameters, settings.strategies)
        rule = rule_of(experiment, settings)
        enough = settled_at(Assignment(experiment, Chunk(0, LARGEST), rule), journal)
        results = collect(experiment, settings, manifest, journal, enough or LARGEST)
        return Outcome(folder, results, called)
