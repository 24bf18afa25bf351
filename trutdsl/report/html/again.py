"""The commands by which results are made again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

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
    manifest, run = results["manifest"], results["run"]
    variant, meetings, stop = manifest["variant"], manifest["meetings"], manifest["stop"] or {}
    called = given or {"variant": variant["name"], "strategies": list(manifest["strategies"])}
    parameters = (given or {}).get("parameters") or _parameters(variant, given)
    parts = ["trutdsl", "tournament", called["variant"], "--players", str(variant["players"])]
    parts += [*_each("--param", parameters), "--strategies", ",".join(called["strategies"])]
    if meetings["format"] != "round-robin":
        parts += ["--format", meetings["format"]]
    if meetings.get("against") is not None:
        parts += ["--against", meetings["against"]]
    if meetings["format"] in ("swiss", "ladder"):
        parts += ["--rounds", str(meetings["rounds"])]
    if manifest["mode"] != "matches":
        parts += ["--mode", manifest["mode"], *_each("--score", manifest["score"])]
    if manifest["metric"] != "matches":
        parts += ["--metric", manifest["metric"]]
    if "test" in stop:
        parts += ["--test", ",".join(stop["test"]), "--margin", str(stop["margin"])]
    if "precision" in stop:
        parts += ["--precision", str(stop["precision"])]
    if "sets" in meetings:  # of each round
        parts += ["--sets", str(meetings["sets"])]
    elif "deals" in manifest:
        parts += ["--deals", str(manifest["deals"])]
    elif not stop or "sets" in manifest:
        parts += ["--sets", str(manifest.get("sets", run["sets"]))]
    for flag, name, usual in (
        ("--move-timeout", "move_timeout", 10.0),
        ("--on-error", "on_error", "forfeit"),
    ):
        if manifest[name] != usual:
            parts += [flag, str(manifest[name])]
    return shlex.join([*parts, "--seed", str(manifest["seed"]), *_engine(manifest)])


def _parameters(variant: Mapping[str, Any], given: Mapping[str, Any] | None) -> list[str]:
    """Return all parameters where nobody knows which were given."""
    return [] if given is not None else [f"{n}={v}" for n, v in variant["parameters"].items()]


def _each(flag: str, values: Any) -> Iterator[str]:
    for value in values:
        yield from (flag, str(value))


def _engine(asked: Mapping[str, Any]) -> list[str]:
    return [] if asked["engine"] == "native" else ["--engine", asked["engine"]]
