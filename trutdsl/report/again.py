"""The commands by which results are made again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from trutdsl.options import flags_of, settings_of

USUAL_SHARES = 0.01  # what `compare` takes for what matters, if nothing is said


def again_comparison(results: Mapping[str, Any]) -> str:
    """Return the command that makes a comparison again, or a sweep, or ambiguities."""
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
    return shlex.join([*parts, *_engine(asked)])


def _asked_for(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield the command of a comparison, and of what."""
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
    """Return the command that plays a tournament again.

    given: how variant and strategies were called; without it they go by their names.
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
    return shlex.join(["trutdsl", "tournament", settings.variant, *flags_of(settings)])


def _each(flag: str, values: Any) -> Iterator[str]:
    for value in values:
        yield from (flag, str(value))


def _engine(asked: Mapping[str, Any]) -> list[str]:
    return [] if asked["engine"] == "native" else ["--engine", asked["engine"]]
