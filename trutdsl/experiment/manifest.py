"""`manifest.json`: everything that decides a run's results, and nothing about the machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from trutdsl.cache import source_hash
from trutdsl.experiment.load import ENDLESS, LoadedExperiment
from trutdsl.experiment.settings import BUDGETS, MATCHES, Means, Settings
from trutdsl.native import PLAYED_BY
from trutdsl.stats.rounds import FORMATS, rounds_of
from trutdsl.version import own_version

FORMAT = 4
# What does not make it another experiment: how much is played, which part of it, where its files
# lie.
BUDGET = ("sets", "deals", "time")
BESIDE = (*BUDGET, "shard", "given")


def describe(loaded: LoadedExperiment) -> dict[str, Any]:
    """Return the manifest of a tournament; two runs with the same one have the same results."""
    settings, experiment = loaded.settings, loaded.experiment
    game = experiment.game
    return {
        "format": FORMAT,
        "kind": "tournament",
        "trutdsl": own_version(),
        "engine": game.engine,
        "engine_hash": source_hash(*PLAYED_BY),
        "variant": {
            "name": game.name,
            "players": game.players,
            "teams": list(game.teams),
            "parameters": game.parameter_texts(),
            "fingerprint": game.fingerprint,
            "vocabulary": game.variant.vocabulary_fingerprint,
        },
        "strategies": {s.name: s.fingerprint for s in experiment.strategies},
        "move_timeout": settings.move_timeout,
        "on_error": settings.on_error,
        "seed": experiment.seed,
        "meetings": _meetings(loaded),
        "mode": settings.mode,
        "score": sorted(settings.score),
        "metric": experiment.metric.name,
        "stop": _stop(settings),
        **_budget(loaded),
    }


def _meetings(loaded: LoadedExperiment) -> dict[str, Any]:
    """Return who meets whom; in rounds, how much is played in each is part of it."""
    settings = loaded.settings
    found: dict[str, Any] = {"format": settings.format}
    if settings.against is not None:
        found["against"] = settings.against
    if settings.format in FORMATS:
        count = len(loaded.experiment.entrants)
        found["rounds"] = rounds_of(settings.format, count, settings.rounds)
        found["sets"] = loaded.experiment.sets
    return found


def _budget(loaded: LoadedExperiment) -> dict[str, Any]:
    """Return how much is to be played, in the one way in which it was said."""
    settings = loaded.settings
    if settings.format in FORMATS:
        return {}
    if settings.deals is not None and settings.mode == MATCHES:
        return {"deals": settings.deals}
    if settings.time is not None:
        return {"time": settings.time}
    sets = loaded.experiment.sets
    return {"sets": sets} if sets != ENDLESS else {}


def _stop(settings: Settings) -> dict[str, Any] | None:
    """Return the rule by which the run ends earlier, which is part of what it is."""
    if settings.test is not None:
        return {"test": list(settings.test), "margin": settings.margin}
    return None if settings.precision is None else {"precision": settings.precision}


def ended(manifest: Mapping[str, Any], sets: int) -> dict[str, Any]:
    """Return the manifest of a run for some time that came to so many sets.

    It is that of a run which was asked for so many, and so are its results.
    """
    return {**{name: value for name, value in manifest.items() if name != "time"}, "sets": sets}


def given_by(settings: Settings, means: Means) -> dict[str, Any]:
    """Return how things were called and are to be told, which is the journal's to keep."""
    return {
        "experiment": settings.experiment,
        "variant": settings.variant,
        "parameters": sorted(settings.parameters),
        "strategies": sorted(settings.strategies),
        "csv_style": means.csv_style,
        "lang": means.lang,
        "parquet": means.parquet,
    }


def settings_of(manifest: Mapping[str, Any]) -> Settings:
    """Return the settings of a run, from its manifest with what was `given`.

    Raises KeyError or TypeError if it is none.
    """
    given, stop, meetings = manifest["given"], manifest["stop"] or {}, manifest["meetings"]
    return Settings(
        variant=given["variant"],
        strategies=tuple(given["strategies"]),
        experiment=given["experiment"],
        players=manifest["variant"]["players"],
        parameters=tuple(given["parameters"]),
        format=meetings["format"],
        against=meetings.get("against"),
        rounds=meetings.get("rounds") if meetings["format"] in ("swiss", "ladder") else None,
        sets=meetings.get("sets", manifest.get("sets")),
        deals=manifest.get("deals"),
        time=manifest.get("time"),
        mode=manifest["mode"],
        score=tuple(manifest["score"]),
        metric=manifest["metric"],
        precision=stop.get("precision"),
        test=tuple(stop["test"]) if "test" in stop else None,
        margin=stop.get("margin"),
        seed=manifest["seed"],
        engine=manifest["engine"],
        move_timeout=manifest["move_timeout"],
        on_error=manifest["on_error"],
    )


def enlarged(settings: Settings, budget: Mapping[str, float]) -> Settings:
    """Return the settings with another budget, by the name of its key."""
    changed: dict[str, Any] = {**dict.fromkeys(BUDGETS), **budget}
    return replace(settings, **changed)


def identity(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a manifest makes it this experiment and no other."""
    return {name: value for name, value in manifest.items() if name not in BESIDE}
