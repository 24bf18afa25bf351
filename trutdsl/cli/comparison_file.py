"""Experiment files of comparisons: YAML that says beforehand what is compared, and by what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trutdsl.options import COMPARISON, COMPARISON_REQUIRED
from trutdsl.tournaments.load import beside, read_keys

KEYS = {name: one for name, one in COMPARISON.items() if one.about}
OF_COMMANDS = ("all", "json", "no_cache", *(COMPARISON.keys() - KEYS.keys()))


def read_comparison(ref: str, flags: Mapping[str, Any]) -> tuple[str, list[str], dict[str, Any]]:
    """Return the name of a comparison, its variants, and its flags, which go before the file.

    Raises `Rejected` with every mistake in the file.
    """
    found = read_keys(ref, "a comparison", KEYS, COMPARISON_REQUIRED, OF_COMMANDS)
    name, variants = found.pop("experiment"), [beside(ref, one) for one in found.pop("variants")]
    said: dict[str, Any] = {
        **found,
        "parameters": list(found.get("parameters", ())),
        "margin": list(found.get("margin", ())),
        "strategies": ",".join(beside(ref, one) for one in found.get("strategies", ())) or None,
    }
    given = {
        f: value for f, value in flags.items() if value not in (None, []) and value is not False
    }
    if given.keys() & {"sets", "deals"}:
        said |= {"sets": None, "deals": None}
    return name, variants, {**flags, **said, **given}
