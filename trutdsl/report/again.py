"""The commands that repeat a comparison or a tournament."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from trutdsl.options import NATIVE, OPTIONS, Settings, settings_of

USUAL_SHARES = 0.01  # the default of `trutdsl compare --margin`


def again_comparison(results: Mapping[str, Any]) -> str:
    """Return the command that repeats a comparison, a sweep or `ambiguities`."""
    asked, given = results["comparison"], results["given"]
    strategies = given["strategies"] or list(asked["strategies"])
    parts = ["trutdsl", *_asked_for(results), "--players", str(asked["players"])]
    parts += ["--strategies", ",".join(strategies)]
    parts += ["--sets", str(asked["sets"]), "--seed", str(asked["seed"])]
    margins = asked["margins"]
    own = [f"{name}={x}" for name, x in margins["by_name"].items()]
    if margins["shares"] != USUAL_SHARES:
        own.insert(0, str(margins["shares"]))
    parts += _each("--margin", own)
    parts += [] if asked["primary"] is None else ["--primary", asked["primary"]]
    parts += [] if asked["engine"] == NATIVE else ["--engine", asked["engine"]]
    return shlex.join(parts)


def _asked_for(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield the command, its variants, and the options that only this command has."""
    given = results["given"]
    if "sweep" in results:
        yield from ("sweep", given["variants"][0])
        axes = results["sweep"]["axes"]
        yield from _each("--param", [f"{axis['name']}={','.join(axis['values'])}" for axis in axes])
        yield from _each("--metric", given["metrics"])
    elif "readings" in results:
        yield from ("ambiguities", given["variants"][0])
    else:
        yield from ("compare", *given["variants"], *_each("--param", given["parameters"]))
        if not given["apart"]:
            yield "--whole"


def again_run(results: Mapping[str, Any], given: Mapping[str, Any] | None) -> str:
    """Return the command that repeats a tournament.

    given: the names of variant and strategies on the command line; by default those of the results.
    """
    manifest = results["manifest"]
    variant = manifest["variant"]
    called = given or {
        "variant": variant["name"],
        "parameters": [f"{name}={value}" for name, value in variant["parameters"].items()],
        "strategies": list(manifest["strategies"]),
    }
    settings = settings_of({**manifest, "given": called})
    if not (settings.sets or settings.deals or manifest["stop"]):
        settings = replace(settings, sets=results["run"]["sets"], time=None)
    return shlex.join(["trutdsl", "tournament", settings.variant, *_flags(settings)])


def _each(flag: str, values: Any) -> Iterator[str]:
    for value in values:
        yield from (flag, str(value))


# The order of options in the command line of a tournament.

IN_ORDER = (
    "players", "parameters", "strategies", "format", "against", "rounds", "mode", "score", "metric",
    "test", "margin", "precision", "sets", "deals", "move_timeout", "on_error", "seed", "engine",
)  # fmt: skip


def _flags(settings: Settings) -> Iterator[str]:
    """Yield the options of `trutdsl tournament` for settings, without those at their defaults."""
    for name in IN_ORDER:
        one, value = OPTIONS[name], getattr(settings, name)
        if one.kind == "values":
            yield from _each(one.flag, value)
        elif value != one.default:
            yield from (one.flag, ",".join(value) if one.kind == "texts" else str(value))
