"""The format of estimates: rounded by their intervals, with units in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from math import ceil, floor, inf, isclose, log10
from typing import Any

from trutdsl.language import figure, say, say_count

# The interval of an estimate decides its number of decimals.

MOST = 6  # decimals
UNITS = 2  # half an interval is 2 to 19 units of the last decimal, so that it has 1 or 2 digits
PLAIN = 3  # decimals of a number that is known exactly; a percentage has two fewer
EXACT = 1e-9
LARGE = 1000
UNKNOWN = {"%": ".1%", "f": ",.3g"}  # without a known error

Shown = Mapping[str, Any]


def format_of(estimates: Iterable[Shown | None], unit: str = "f", scale: float = 1) -> str:
    """Return one format for several estimates, as `figure` takes it.

    unit: `%` for shares, `f` for other numbers; `+` before it writes a sign. scale: their factor.
    The narrowest interval decides. An end is not rounded to 0 if a sign is written and the interval
    excludes 0. Without an interval, two standard errors stand for half of it. An exact number is
    written plainly.
    """
    sign, kind = unit[:-1], unit[-1]
    scale *= 100 if kind == "%" else 1
    known = [_with_ends(one) for one in estimates if one is not None]
    unsure = [one for one in known if one["low"] is not None and one["high"] - one["low"] > EXACT]
    exact = [one["mean"] * scale for one in known if one["low"] is not None]
    if unsure:
        places = max(_places(one, scale, bool(sign)) for one in unsure)
    elif exact:
        most = PLAIN - 2 if kind == "%" else PLAIN
        # The fewest decimals that write each number exactly.
        places = max(
            next((d for d in range(most) if isclose(round(x, d), x, abs_tol=EXACT)), most)
            for x in exact
        )
    else:
        large = any(abs(one["mean"] * scale) >= LARGE for one in known)
        return sign + (",.0f" if large and kind == "f" else UNKNOWN[kind])
    return f"{sign},.{places}{kind}"


def _with_ends(estimate: Shown) -> Shown:
    if estimate["low"] is not None or not estimate.get("se"):
        return estimate
    mean, half = estimate["mean"], 2 * estimate["se"]
    return {"mean": mean, "low": mean - half, "high": mean + half}


def shorter(form: str) -> str:
    """Return a form with one decimal less, if it has any."""
    head, _, tail = form.partition(".")
    return f"{head}.{max(0, int(tail[0]) - 1)}{tail[1:]}"


def _places(estimate: Shown, scale: float, signed: bool) -> int:
    low, high = (scale * estimate[end] for end in ("low", "high"))
    half = (high - low) / 2 + EXACT
    places = next((d for d in range(MOST) if half >= UNITS * 10**-d), MOST)
    if signed and low * high > 0:
        nearest = min(abs(low), abs(high))
        places = next((d for d in range(places, MOST) if round_as_shown(nearest, d)), places)
    return places


def round_as_shown(value: float, places: int) -> float:
    """Return a number rounded as `figure` does: its decimals, in the middle to the even digit."""
    return float(round(Decimal(repr(float(value))), places))


def format_estimate(estimate: Mapping[str, Any], unit: str = "f", scale: float = 1) -> str:
    """Return mean and interval, rounded alike; unit and scale: see `format_of`."""
    form = format_of([estimate], unit, scale)
    mean = figure(scale * estimate["mean"], form)
    return mean if estimate["low"] is None else f"{mean} ({limits(estimate, form, scale)})"


def upper_bound(value: float, form: str) -> str:
    """Return an upper bound in a form such as `.2f`, rounded up: it stays one."""
    unit = 10.0 ** int(form.rpartition(".")[2][:-1])
    return figure(ceil(value * unit - EXACT) / unit, form)


def lower_bound(value: float, form: str) -> str:
    """Return a lower bound in a form such as `.2f`, rounded down: it stays one."""
    unit = 10.0 ** int(form.rpartition(".")[2][:-1])
    return figure(floor(value * unit + EXACT) / unit, form)


def bounded_estimate(estimate: Mapping[str, Any], scale: float = 1) -> str:
    """Return a value with its bounds, which are rounded outward."""
    form = format_of([estimate], scale=scale)
    mean = figure(scale * estimate["mean"], form)
    low, high = (scale * estimate[end] for end in ("low", "high"))
    bounds = say("{low} to {high}", low=lower_bound(low, form), high=upper_bound(high, form))
    return f"{mean} ({bounds})"


def limits(estimate: Mapping[str, Any], form: str, scale: float = 1) -> str:
    """Return an interval in a form such as `.2f`, or the word for none."""
    if estimate["low"] is None:
        return say("none")
    low, high = (figure(scale * estimate[end], form) for end in ("low", "high"))
    return say("{low} to {high}", low=low, high=high)


def round_up(error: float, most: float = inf) -> str:
    """Return an error above 0 in two digits, never less than it is.

    most: what the error does not exceed; more digits are written where two would.
    """
    places = 1 - floor(log10(error))
    while (value := ceil(error * 10**places - EXACT) / 10**places) > most and 10**-places > EXACT:
        places += 1
    return figure(value, ",.12g")


def name_metric(run: Mapping[str, Any]) -> str:
    """Return the unit of a hundredfold result, by metric and mode of a tournament."""
    metric = run["metric"]
    if metric == "matches":
        return say("of 100 matches")
    what = say("points ({what})", what=metric) if " " in metric else metric
    return what + say(" per 100 deals" if run["mode"] == "deals" else " per 100 matches")


def name_score(run: Mapping[str, Any]) -> str:
    """Return the unit of a hundredfold score; in single deals it is a lead, see `level`."""
    lead = run["mode"] == "deals" and run["metric"] != "matches"
    return name_metric(run) + (say(", above the mean of all sides") if lead else "")


def counted_matches(number: int, single: bool) -> str:
    """Return a number of matches in words; single: each match is one deal."""
    return say_count(number, "deal", "deals") if single else say_count(number, "match", "matches")
