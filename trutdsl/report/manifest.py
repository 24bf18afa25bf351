"""`manifest.json`: everything that decides a run's results, and nothing about the machine."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

from trutdsl.arena.schedule import Experiment

FORMAT = 1


def describe_experiment(experiment: Experiment) -> dict[str, Any]:
    """Return the manifest of a tournament; two runs with the same one have the same results."""
    game = experiment.game
    return {
        "format": FORMAT,
        "kind": "tournament",
        "trutdsl": _own_version(),
        "engine": game.engine,
        "variant": {
            "name": game.name,
            "players": game.players,
            "teams": list(game.teams),
            "parameters": game.parameter_texts(),
            "fingerprint": game.fingerprint,
        },
        "strategies": {s.name: s.fingerprint for s in experiment.strategies},
        "seed": experiment.seed,
        "sets": experiment.sets,
    }


def _own_version() -> str:
    try:
        return version("trutdsl")
    except PackageNotFoundError:  # run from a source tree
        return "not installed"
