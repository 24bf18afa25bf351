"""The strategies that failed in a tournament, as shown on a terminal."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from trutdsl.report.language import say
from trutdsl.report.wording import counted

MOST_SHOWN = 12  # kinds of faults


@dataclass(frozen=True)
class Called:
    """How a person called things: the variant, its parameters NAME=VALUE, strategies by name."""

    variant: str
    parameters: tuple[str, ...] = ()
    strategies: Mapping[str, str] = field(default_factory=dict)


def forfeit_lines(results: Mapping[str, Any], called: Called | None = None) -> Iterator[str]:
    """Yield a line for each kind of fault, and one with the command that shows it again."""
    faults, manifest = results["faults"], results["manifest"]
    called = called or Called(manifest["variant"]["name"])
    for fault in faults[:MOST_SHOWN]:
        many = counted(fault["matches"], "match", "matches")
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
        yield f"  {_command(manifest, first, called)}"
    if len(faults) > MOST_SHOWN:
        yield say(
            "and {more} more kinds of faults, see results.json", more=len(faults) - MOST_SHOWN
        )


def _told(kind: str) -> str:
    """Return what a strategy did, of which results have the English words."""
    before, raised, name = kind.partition("raised ")
    return say("raised {name}", name=name) if raised and not before else say(kind)


def _command(manifest: Mapping[str, Any], first: Mapping[str, Any], called: Called) -> str:
    """Return the command that plays the match again."""
    parts = ["trutdsl", "simulate", called.variant, "--players", manifest["variant"]["players"]]
    for one in called.parameters:
        parts += ["--param", one]
    seated = [called.strategies.get(name, name) for name in first["strategies"]]
    parts += ["--strategies", ",".join(seated), "--seed", manifest["seed"]]
    parts += ["--first", first["match"], "--matches", 1]
    return shlex.join(map(str, parts))
