"""What a pilot says of the tournament that is needed: sets, matches, deals and time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trutdsl.report.language import figure, name_metric, say
from trutdsl.report.wording import say_count, spoken_time


def forecast_lines(forecast: Mapping[str, Any]) -> Iterator[str]:
    """Yield the forecast as lines to read, the whole tournament last."""
    pilot, whole, each = forecast["pilot"], forecast["needed"], forecast["each_set"]
    yield say(
        "pilot: {sets}, {matches}, {deals} deals, seed {seed}",
        sets=say_count(pilot["sets"], "set", "sets"),
        matches=say_count(pilot["matches"], "match", "matches"),
        deals=figure(pilot["deals"], ",d"),
        seed=forecast["seed"],
    )
    yield say(
        "to see a difference of {detect}, in {power} of such runs ({hundred} {metric}):",
        detect=figure(forecast["detect"], "g"),
        power=figure(forecast["power"], ".0%"),
        hundred=figure(100 * forecast["detect"], "g"),
        metric=name_metric(forecast["metric"]),
    )
    for pair in forecast["pairs"]:
        text = "  {first} and {second}: {many} sets"
        yield say(text, first=pair["first"], second=pair["second"], many=_range(pair))
    yield say(
        "for all of them: {sets} sets, {matches} matches, about {deals} deals, about {time}",
        sets=_range(whole),
        matches=_range(whole, each["matches"]),
        deals=_rounded(whole["sets"] * each["deals"]),
        time=_time(whole, each["seconds"]),
    )


def _range(size: Mapping[str, int], each: int = 1) -> str:
    sets, low, high = (figure(size[name] * each, ",d") for name in ("sets", "low", "high"))
    return f"{sets} ({say('{low} to {high}', low=low, high=high)})"


def _time(size: Mapping[str, int], seconds: float) -> str:
    sets, low, high = (spoken_time(size[name] * seconds) for name in ("sets", "low", "high"))
    return sets if low == high else f"{sets} ({say('{low} to {high}', low=low, high=high)})"


def _rounded(number: float) -> str:
    """Return a number in the two digits of it that are known."""
    unit = 10 ** max(0, len(str(round(number))) - 2)
    return figure(round(number / unit) * unit, ",d")
