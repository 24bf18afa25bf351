"""What a pilot says of the tournament that is needed: sets, matches, deals and time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trutdsl.report.wording import counted, spoken_time


def forecast_lines(forecast: Mapping[str, Any]) -> Iterator[str]:
    """Yield the forecast as lines to read, the whole tournament last."""
    pilot, whole, each = forecast["pilot"], forecast["needed"], forecast["each_set"]
    yield (
        f"pilot: {counted(pilot['sets'], 'set', 'sets')}, "
        f"{counted(pilot['matches'], 'match', 'matches')}, {pilot['deals']:,} deals"
    )
    yield (
        f"to see a difference of {forecast['detect']:g}, in {forecast['power']:.0%} of such runs "
        f"({100 * forecast['detect']:g} {forecast['metric']}):"
    )
    for pair in forecast["pairs"]:
        yield f"  {pair['first']} and {pair['second']}: {_range(pair)} sets"
    yield (
        f"for all of them: {_range(whole)} sets, {_range(whole, each['matches'])} matches, "
        f"about {_rounded(whole['sets'] * each['deals'])} deals, "
        f"about {_time(whole, each['seconds'])}"
    )


def _range(size: Mapping[str, int], each: int = 1) -> str:
    sets, low, high = (size[name] * each for name in ("sets", "low", "high"))
    return f"{sets:,} ({low:,} to {high:,})"


def _time(size: Mapping[str, int], seconds: float) -> str:
    sets, low, high = (spoken_time(size[name] * seconds) for name in ("sets", "low", "high"))
    return sets if low == high else f"{sets} ({low} to {high})"


def _rounded(number: float) -> str:
    """Return a number in the two digits of it that are known."""
    unit = 10 ** max(0, len(str(round(number))) - 2)
    return f"{round(number / unit) * unit:,}"
