"""Format of a tournament: who enters, who meets whom, and in rounds or all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from trutdsl.arena.schedule import Experiment
from trutdsl.diagnostics import did_you_mean
from trutdsl.experiment.settings import Settings
from trutdsl.game import BadUsage
from trutdsl.stats.pairings import FORMATS

TWO = 2


def arrange(experiment: Experiment, settings: Settings) -> Experiment:
    """Return the experiment with those who meet all at once; in rounds, nobody yet.

    Raises `BadUsage` where the format is not for this game or these strategies.
    """
    names = [strategy.name for strategy in experiment.strategies]
    match settings.format:
        case "one-against-all":
            at = _index(names, settings.against)
            meetings = [c for c in experiment.design.combinations if at in c]
            return replace(experiment, meetings=tuple(meetings))
        case "partnerships":
            return replace(experiment, partners=_partnerships(experiment))
        case name if name in FORMATS:
            if experiment.game.team_count != TWO:
                raise BadUsage(
                    f"--format {name} is for two teams, not {experiment.game.team_count}"
                )
            return replace(experiment, meetings=())
    return experiment


def _index(names: Sequence[str], name: str | None) -> int:
    if name is None or name not in names:
        assert name is not None
        near = did_you_mean(name, tuple(names)) or f"choose from {', '.join(names)}"
        raise BadUsage(f"--against {name}: no such strategy is given; {near}")
    return names.index(name)


def _partnerships(experiment: Experiment) -> tuple[tuple[int, ...], ...]:
    """Return every two strategies as partners."""
    game = experiment.game
    sizes = {game.teams.count(team) for team in game.teams}
    if sizes != {TWO}:
        raise BadUsage(
            f"--format partnerships is for teams of two; {game.name} with {game.players} players "
            f"has teams of {', '.join(map(str, sorted(sizes)))}"
        )
    pairs = tuple(combinations(range(len(experiment.strategies)), TWO))
    if len(pairs) < game.team_count:
        raise BadUsage("--format partnerships needs three strategies or more")
    return pairs
