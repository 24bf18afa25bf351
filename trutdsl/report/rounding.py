"""Rounding: every estimate is written with as many decimals as its interval bears out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isclose
from typing import Any

MOST = 6  # decimals
UNITS = 2  # half an interval is 2 to 19 units of the last decimal, so that it has 1 or 2 digits
PLAIN = 3  # decimals of a number that is known exactly, two fewer of 100
EXACT = 1e-9
LARGE = 1000
UNKNOWN = {"%": ".1%", "f": ",.3g"}  # where nothing is known of the error

Shown = Mapping[str, Any]


def form_of(estimates: Iterable[Shown | None], unit: str = "f", scale: float = 1) -> str:
    """Return the form in which estimates are written that stand side by side, for `figure`.

    unit: `%` for shares, `f` for other numbers; `+` before it writes a sign. scale: by what they
    are multiplied first. The narrowest interval decides. An end is not rounded to 0 where a sign
    is written and the interval leaves out 0. A number that is known exactly is written plainly.
    """
    sign, kind = unit[:-1], unit[-1]
    scale *= 100 if kind == "%" else 1
    known = [one for one in estimates if one is not None]
    unsure = [one for one in known if one["low"] is not None and one["high"] - one["low"] > EXACT]
    exact = [one["mean"] * scale for one in known if one["low"] is not None]
    if unsure:
        places = max(_places(one, scale, bool(sign)) for one in unsure)
    elif exact:
        most = PLAIN - 2 if kind == "%" else PLAIN
        places = max(_written_in_full(number, most) for number in exact)
    else:
        large = any(abs(one["mean"] * scale) >= LARGE for one in known)
        return sign + (",.0f" if large and kind == "f" else UNKNOWN[kind])
    return f"{sign},.{places}{kind}"


def shorter(form: str) -> str:
    """Return a form with a decimal less, if it has any."""
    head, _, tail = form.partition(".")
    return f"{head}.{max(0, int(tail[0]) - 1)}{tail[1:]}"


def _places(estimate: Shown, scale: float, signed: bool) -> int:
    low, high = (scale * estimate[end] for end in ("low", "high"))
    half = (high - low) / 2 + EXACT
    places = next((d for d in range(MOST) if half >= UNITS * 10**-d), MOST)
    if signed and low * high > 0:
        nearest = min(abs(low), abs(high))
        places = next((d for d in range(places, MOST) if round(nearest, d)), places)
    return places


def _written_in_full(number: float, most: int) -> int:
    """Return the least decimals that say a number whole, at most so many."""
    fits = (d for d in range(most) if isclose(round(number, d), number, abs_tol=EXACT))
    return next(fits, most)
