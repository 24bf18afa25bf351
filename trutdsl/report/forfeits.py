"""The strategies that failed in a tournament, as shown on a terminal."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trutdsl.arena.worker_handle import ENDED
from trutdsl.report.language import say
from trutdsl.report.wording import say_count
from trutdsl.strategy import OutOfTime

MOST_SHOWN = 12  # kinds of faults
# Kinds that another process shows only if it watches the strategy as closely as a worker is.
WATCHED = (OutOfTime.kind, ENDED, "raised KeyboardInterrupt")


@dataclass(frozen=True)
class GivenNames:
    """How a person called things: the variant, its parameters NAME=VALUE, the strategies."""

    variant: str
    parameters: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()

    def strategy(self, name: str) -> str:
        """Return how the strategy of a name was called, which may be by its file."""
        heads = {one: one.partition(":") for one in self.strategies}
        names = {one: f"{Path(h).stem}{colon}{rest}" for one, (h, colon, rest) in heads.items()}
        return next((one for one in self.strategies if name in (one, names[one])), name)


def forfeit_lines(results: Mapping[str, Any], called: GivenNames | None = None) -> Iterator[str]:
    """Yield a line for each kind of fault, and one with the command that shows it again."""
    faults, manifest = results["faults"], results["manifest"]
    called = called or GivenNames(manifest["variant"]["name"])
    for fault in faults[:MOST_SHOWN]:
        many = say_count(fault["matches"], "match", "matches")
        first = fault["first"]
        yield say(
            "{strategy} forfeited {many}: it {kind}, first in match {match} on seat {seat}; "
            "again with",
            strategy=fault["strategy"],
            many=many,
            kind=_told(fault["kind"]),
            match=first["match"],
            seat=first["seat"],
        )
        yield f"  {_command(manifest, fault, called)}"
    if len(faults) > MOST_SHOWN:
        yield say(
            "and {more} more kinds of faults, see results.json", more=len(faults) - MOST_SHOWN
        )


def _told(kind: str) -> str:
    """Return what a strategy did, of which results have the English words."""
    before, raised, name = kind.partition("raised ")
    return say("raised {name}", name=name) if raised and not before else say(kind)


def _command(manifest: Mapping[str, Any], fault: Mapping[str, Any], called: GivenNames) -> str:
    """Return the command that plays the first match with a fault again."""
    first = fault["first"]
    parts = ["trutdsl", "simulate", called.variant, "--players", manifest["variant"]["players"]]
    for one in called.parameters:
        parts += ["--param", one]
    if manifest["mode"] != "matches":
        parts += ["--mode", manifest["mode"]]
    for one in manifest["score"]:
        parts += ["--score", one]
    seated = [called.strategy(name) for name in first["strategies"]]
    parts += ["--strategies", ",".join(seated), "--seed", manifest["seed"]]
    parts += ["--first", first["match"], "--matches", 1]
    if fault["kind"] in WATCHED:
        parts += ["--move-timeout", manifest["move_timeout"]]
    return shlex.join(map(str, parts))
