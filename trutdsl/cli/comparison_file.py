"""Experiment files of comparisons: YAML that says beforehand what is compared, and by what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trutdsl.tournaments.load import beside, read_keys
from trutdsl.tournaments.options import KEYS, Key

REQUIRED = ("experiment", "variants")
SAME = ("experiment", "players", "parameters", "strategies", "sets", "deals", "seed")
OWN = {
    "variants": Key("texts", "names or paths relative to this file; the first is the base"),
    "primary": Key("text", "the metric that it is made for, which is tested by itself"),
    "margin": Key("texts", "which differences matter: X of shares, METRIC=X of a metric"),
    "whole": Key("boolean", "do not take a variant apart into its points"),
}
KEYS_OF_COMPARISONS = {name: KEYS[name] for name in SAME} | OWN
OF_COMMANDS = ("all", "json", "no_cache", "jobs", "out", "lang", "engine")


def read_comparison(ref: str, flags: Mapping[str, Any]) -> tuple[str, list[str], dict[str, Any]]:
    """Return the name of a comparison, its variants, and its flags, which go before the file.

    Raises `Rejected` with every mistake in the file.
    """
    found = read_keys(ref, "a comparison", KEYS_OF_COMPARISONS, REQUIRED, OF_COMMANDS)
    name, variants = found.pop("experiment"), [beside(ref, one) for one in found.pop("variants")]
    said: dict[str, Any] = {
        **found,
        "param": list(found.pop("parameters", ())),
        "margin": list(found.get("margin", ())),
        "strategies": ",".join(beside(ref, one) for one in found.get("strategies", ())) or None,
    }
    given = {
        f: value for f, value in flags.items() if value not in (None, []) and value is not False
    }
    if given.keys() & {"sets", "deals"}:
        said |= {"sets": None, "deals": None}
    return name, variants, {**flags, **said, **given}
