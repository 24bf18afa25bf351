"""How numbers are written for reading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun."""
    return f"{number} {one if number == 1 else many}"


def shown(estimate: Mapping[str, Any], form: str) -> str:
    """Return mean and interval, all in the same form, such as `.2f`."""
    mean = f"{estimate['mean']:{form}}"
    return mean if estimate["low"] is None else f"{mean} ({limits(estimate, form)})"


def limits(estimate: Mapping[str, Any], form: str) -> str:
    """Return an interval, or that there is none."""
    if estimate["low"] is None:
        return "none"
    return f"{estimate['low']:{form}} to {estimate['high']:{form}}"
